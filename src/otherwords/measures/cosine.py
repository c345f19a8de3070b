"""Character cosine: Turku's lexical similarity (Kanerva et al. 2023, §6).

The cosine of the raw counts of lower-cased character 2–4-grams within words, each word with one blank
before and after it: scikit-learn's ``CountVectorizer(analyzer="char_wb", ngram_range=(2, 4))``, and
its values. As there, a text without n-grams has cosine 0 with every text, itself included.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from otherwords import _kernels
from otherwords.measures import Measure
from otherwords.measures.columns import Floats, Texts, column, lowered_rows, same_length
from otherwords.measures.cut import Case
from otherwords.measures.options import Options, signature

CODE_POINTS = 0x110000
CONTEXT = np.uint32(0xFFFFFFFF)  # the kernel's sign that a character cannot be lower-cased on its own
FINAL_SIGMA = "Σ"  # ς at the end of a word, σ elsewhere


def folding(case: Case) -> npt.NDArray[np.uint32]:
    """What every code point becomes: white space a blank and, for ``lc``, a letter its lower case.

    There is one table per case for as long as the program runs: the kernels recognise it by its address.
    """
    with _lock:
        if case not in _foldings:
            _foldings[case] = _folding(case)
        return _foldings[case]


_foldings: dict[Case, npt.NDArray[np.uint32]] = {}
_lock = Lock()


def _folding(case: Case) -> npt.NDArray[np.uint32]:
    """Built from ``str.lower`` and ``str.isspace``, so that it agrees with the running Python."""
    table = np.arange(CODE_POINTS, dtype=np.uint32)
    scalars = np.concatenate([table[:0xD800], table[0xE000:]])
    chars = scalars.tobytes().decode("utf-32-le")
    if case == "lc":
        # Those whose lower case is not one character (İ) are searched in blocks, for speed.
        blocks = (chars[start : start + 256] for start in range(0, len(chars), 256))
        suspicious = "".join(block for block in blocks if len(block.lower()) != len(block))
        for char in [FINAL_SIGMA, *(char for char in suspicious if len(char.lower()) != 1)]:
            table[ord(char)] = CONTEXT
            chars = chars.replace(char, " ")
        lowered = np.frombuffer(chars.lower().encode("utf-32-le"), np.uint32)
        changed = lowered != np.frombuffer(chars.encode("utf-32-le"), np.uint32)
        table[scalars[changed]] = lowered[changed]
    table[[ord(char) for char in set(re.findall(r"\s", chars))]] = ord(" ")
    return table


def cosine_statistics(
    texts1: Texts,
    texts2: Texts,
    orders: tuple[int, int] = (2, 4),
    case: Case = "lc",
    kernel: Callable[..., None] = _kernels.cosine,
    number: type[np.int64] | type[np.float64] = np.int64,
) -> npt.NDArray[Any]:
    """Rows × (dot product, squared norm of text1, of text2) of the counts, or weights, of character n-grams."""
    column1, column2 = column(texts1), column(texts2)
    out = np.empty((same_length(column1, column2), 4), number)
    kernel(*column1.buffers, *column2.buffers, out, folding(case), *orders)
    again = np.flatnonzero(out[:, 3])  # these have letters whose lower case depends on their neighbours
    if len(again):
        lowered1, lowered2 = lowered_rows(texts1, again), lowered_rows(texts2, again)
        out[again, :3] = cosine_statistics(lowered1, lowered2, orders, "mixed", kernel, number)
    return out[:, :3]


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

    @classmethod
    def build(cls, options: Options) -> CharacterCosine:
        return cls(options.orders("n", "2-4"), options.case("lc"), options.spec)

    def signature(self) -> str:
        return signature("char-cosine", {"n": "-".join(map(str, self.orders)), "case": self.case})

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        return cosine_of(*cosine_statistics(texts1, texts2, self.orders, self.case).T)
