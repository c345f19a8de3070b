"""Character cosine: Turku's lexical similarity (Kanerva et al. 2023, §6).

The cosine of the raw counts of lower-cased character 2–4-grams within words, each word with one blank
before and behind it: scikit-learn's ``CountVectorizer(analyzer="char_wb", ngram_range=(2, 4))``, and
its values. As there, a text without n-grams has cosine 0 with every text, itself included.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from threading import Lock
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from otherwords import _kernels
from otherwords.measures import Measure
from otherwords.measures.columns import Floats, Integers, Texts, column, lowered_rows, same_length
from otherwords.measures.cut import Case
from otherwords.measures.options import Options
from otherwords.measures.signature import lengths, signature

CODE_POINTS = 0x110000
CONTEXT = np.uint32(0xFFFFFFFF)  # the kernel's sign that a character cannot be lower-cased on its own
FINAL_SIGMA = "Σ"  # ς at the end of a word, σ elsewhere


def folding(case: Case) -> npt.NDArray[np.uint32]:
    """What every code point becomes: white space a blank and, for ``lc``, a letter its lower case.

    There is one table a case for as long as the program runs: the kernels know it by its address.
    """
    with _making:
        if case not in _foldings:
            _foldings[case] = _folding(case)
        return _foldings[case]


_foldings: dict[Case, npt.NDArray[np.uint32]] = {}
_making = Lock()


def _folding(case: Case) -> npt.NDArray[np.uint32]:
    """Made from ``str.lower`` and ``str.isspace``, so that they are those of the Python at hand."""
    table = np.arange(CODE_POINTS, dtype=np.uint32)
    scalars = np.concatenate([table[:0xD800], table[0xE000:]])
    chars = scalars.tobytes().decode("utf-32-le")
    if case == "lc":
        for char in [FINAL_SIGMA, *_longer_in_lower_case(chars)]:
            table[ord(char)] = CONTEXT
            chars = chars.replace(char, " ")
        lowered = np.frombuffer(chars.lower().encode("utf-32-le"), np.uint32)
        changed = lowered != np.frombuffer(chars.encode("utf-32-le"), np.uint32)
        table[scalars[changed]] = lowered[changed]
    table[[ord(char) for char in set(re.findall(r"\s", chars))]] = ord(" ")
    return table


def _longer_in_lower_case(chars: str) -> list[str]:
    """Those whose lower case is not one character (İ); looked for in stretches, for speed."""
    stretches = (chars[start : start + 256] for start in range(0, len(chars), 256))
    suspicious = "".join(stretch for stretch in stretches if len(stretch.lower()) != len(stretch))
    return [char for char in suspicious if len(char.lower()) != 1]


def cosine_statistics(texts1: Texts, texts2: Texts, orders: tuple[int, int] = (2, 4), case: Case = "lc") -> Integers:
    """Rows × (dot product, squared norm of text1, of text2) of the counts of character n-grams."""
    statistics = _count(texts1, texts2, orders, case)
    again = np.flatnonzero(statistics[:, 3])
    if len(again):
        statistics[again] = _count(lowered_rows(texts1, again), lowered_rows(texts2, again), orders, "mixed")
    return statistics[:, :3]


def _count(texts1: Texts, texts2: Texts, orders: tuple[int, int], case: Case) -> Integers:
    one, two = column(texts1), column(texts2)
    out = np.empty((same_length(one, two), 4), np.int64)
    _kernels.cosine(one.offsets, one.data, two.offsets, two.data, out, folding(case), *orders)
    return out


def cosine_of(
    dot: npt.NDArray[np.generic], square1: npt.NDArray[np.generic], square2: npt.NDArray[np.generic]
) -> Floats:
    """The cosine from a dot product and squared norms; 0 where a norm is."""
    norms = np.sqrt(square1.astype(np.float64) * square2.astype(np.float64))
    cosine: Floats = np.divide(dot, norms, out=np.zeros(len(norms)), where=norms > 0)
    return np.minimum(cosine, 1.0, out=cosine)


@dataclass(frozen=True)
class CharacterCosine(Measure):
    """Cosine of the counts of character 2–4-grams within words (Turku's lexical similarity)."""

    orders: tuple[int, int] = (2, 4)
    case: Case = "lc"
    name: str = "char-cosine"
    symmetric: ClassVar[bool] = True
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    @classmethod
    def build(cls, options: Options) -> CharacterCosine:
        return cls(options.orders("n", "2-4"), options.case("lc"), options.spec)

    def signature(self) -> str:
        return signature("char-cosine", {"n": lengths(self.orders), "case": self.case})

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        return cosine_of(*cosine_statistics(texts1, texts2, self.orders, self.case).T)
