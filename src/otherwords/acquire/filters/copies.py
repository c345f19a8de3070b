"""Copies: two texts that are the same but for case, blanks and punctuation, or of which one contains the other.

Most pairs are nothing like copies, which their letters tell: a kernel folds them one by one and looks for those of one
text in those of the other. Only where it finds them are the texts themselves compared, word by word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from otherwords import _kernels
from otherwords.acquire.filters.characters_of import CODE_POINTS, IDEOGRAPHS, TAGS
from otherwords.acquire.filters.rule import BlockTexts, Decision, Rule
from otherwords.measures.columns import column
from otherwords.measures.cosine import CONTEXT
from otherwords.measures.options import Options, signature
from otherwords.text.normalise import dropped, plain
from otherwords.text.scripts import unsegmented

COMBINING = range(0x300, 0x370)  # marks that NFC composes with the letter before them
SURROGATES = range(0xD800, 0xE000)
SAME, CONTAINED = 1, 2
NOT_ALONE = 255  # the kernel's sign that a character cannot be folded on its own


@dataclass(frozen=True)
class CopyRule(Rule):
    """Texts that are the same, or one of them part of the other."""

    contained: bool = True
    name: str = "copies"
    any_language: ClassVar[bool] = True

    @classmethod
    def build(cls, options: Options) -> CopyRule:
        return cls(options.choice("contained", ["yes", "no"], "yes") == "yes", options.spec)

    @property
    def reasons(self) -> Sequence[str]:
        return "the texts differ in case, blanks and punctuation at most", "one text contains the other"

    def signature(self) -> str:
        return signature("copies", {"contained": "yes" if self.contained else "no"})

    def decide(self, texts: BlockTexts) -> Decision:
        verdicts = np.zeros(len(texts), np.int8)
        column1, column2 = column(texts.first), column(texts.second)
        likely = np.empty((len(texts), 1), np.int64)
        _kernels.likely_copies(*column1.buffers, *column2.buffers, likely, foldings())
        places = np.flatnonzero(likely).tolist()
        rows = pa.array(places, pa.int64())
        sides = (side.take(rows).to_pylist() for side in (texts.first, texts.second))
        for row, text1, text2 in zip(places, *sides, strict=True):
            verdicts[row] = copy_verdict(text1, text2)
        if not self.contained:
            verdicts[verdicts == CONTAINED] = 0
        return Decision(verdicts)


def copy_verdict(text1: str, text2: str) -> int:
    """Whether two texts are the same or one contains the other, in whole words where words are written apart."""
    first, second = plain(text1), plain(text2)
    if first == second:
        return SAME
    shorter, longer = sorted((first, second), key=len)
    if not unsegmented(shorter):
        shorter, longer = f" {shorter} ", f" {longer} "
    return CONTAINED if shorter in longer else 0


@cache
def foldings() -> npt.NDArray[np.uint8]:
    """What every code point becomes, in a byte: 0 if it does not count, the highest if it needs its neighbours.

    Some characters become the same, as there are more than bytes; then the texts themselves decide.
    """
    folded = folded_points()
    table = (1 + (folded * np.uint32(0x9E3779B1) >> np.uint32(16)) % np.uint32(NOT_ALONE - 1)).astype(np.uint8)
    table[folded == 0] = 0
    table[folded == CONTEXT] = NOT_ALONE
    table.flags.writeable = False
    return table


def folded_points() -> npt.NDArray[np.uint32]:
    """What every code point becomes: 0 if it does not count, CONTEXT if it becomes more than one or composes."""
    table = np.arange(CODE_POINTS, dtype=np.uint32)
    for point in (*range(IDEOGRAPHS.start), *TAGS):  # nothing else is folded or dropped
        char = chr(point)
        if dropped(char) or char.isspace():
            table[point] = 0
        elif point not in SURROGATES and ((folded := char.casefold()) != char or point in COMBINING):
            composed = unicodedata.normalize("NFC", folded)
            table[point] = ord(composed) if len(composed) == 1 and point not in COMBINING else CONTEXT
    return table
