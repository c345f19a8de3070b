"""Numbers that differ: a pair in which one text says 5 and the other 50 is seldom a paraphrase.

Digits in any script count, numbers in words do not. The signs that group thousands are removed (1,000 and 1.000 are
1000), a decimal comma is a point, leading zeros do not count. It does not matter how often a text has a number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow as pa

from otherwords.acquire.filters.rule import BlockTexts, Decision, Rule
from otherwords.measures.options import Options, signature

_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f'’]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:[.,\u00a0\u202f'’]\d{3})+")


@dataclass(frozen=True)
class Numbers(Rule):
    """The same numbers in both texts."""

    name: str = "numbers"
    any_language: ClassVar[bool] = True

    @classmethod
    def build(cls, options: Options) -> Numbers:
        return cls(options.spec)

    @property
    def reasons(self) -> Sequence[str]:
        return ("the numbers in the two texts differ",)

    def signature(self) -> str:
        return signature("numbers", {})

    def decide(self, texts: BlockTexts) -> Decision:
        verdicts = np.zeros(len(texts), np.int8)
        first, second = texts.characters
        rows = np.flatnonzero((first.digits > 0) | (second.digits > 0))
        chosen = pa.array(rows)
        sides = (side.take(chosen).to_pylist() for side in (texts.first, texts.second))
        differ = [numbers_in(text1) != numbers_in(text2) for text1, text2 in zip(*sides, strict=True)]
        verdicts[rows] = np.array(differ, np.int8)
        return Decision(verdicts)


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, each in one spelling."""
    return frozenset(map(_plain_number, _NUMBER.findall(text)))


def _plain_number(spelled: str) -> str:
    if _GROUPED.fullmatch(spelled):
        return str(int(re.sub(r"\D", "", spelled)))
    parts = re.split(r"\D", spelled)
    whole, rest = str(int(parts[0])), [str(int(f"1{part}"))[1:] for part in parts[1:]]  # digits of any script as 0 to 9
    return ".".join([whole, *rest])
