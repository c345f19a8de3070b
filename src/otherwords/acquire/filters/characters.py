"""Characters: enough letters, nothing damaged, no word that mixes letters which only look alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from otherwords.acquire.filters.characters_of import CharacterCounts
from otherwords.acquire.filters.rule import BlockTexts, BoundedValue, Decision, Rule
from otherwords.measures.columns import Floats
from otherwords.measures.options import Options, signature

LEAST_LETTERS = 0.5  # of the characters that are not blank


@dataclass(frozen=True)
class Characters(Rule):
    """Share of letters, control and replacement characters, words in two alphabets."""

    letters: float = LEAST_LETTERS
    mixed: bool = False  # whether words in two alphabets are allowed
    name: str = "characters"
    any_language: ClassVar[bool] = True

    @classmethod
    def build(cls, options: Options) -> Characters:
        letters = options.bound("min", "least share of letters", LEAST_LETTERS)
        mixed = options.choice("mixed", ["no", "yes"], "no") == "yes"
        return cls(0.0 if letters is None else letters, mixed, options.spec)

    @property
    def reasons(self) -> Sequence[str]:
        return (
            "a text has control, private or replacement characters",
            f"less than {self.letters:g} of the characters of a text are letters",
            "a word mixes Latin, Cyrillic or Greek letters",
        )

    @property
    def bounded(self) -> Sequence[BoundedValue]:
        return (BoundedValue("share of letters of the text with fewer", ("min",)),)

    def signature(self) -> str:
        return signature("characters", {"min": f"{self.letters:g}", "mixed": "yes" if self.mixed else "no"})

    def decide(self, texts: BlockTexts) -> Decision:
        first, second = texts.characters
        shares = np.minimum(_share(first), _share(second))
        verdicts = np.zeros(len(texts), np.int8)
        if not self.mixed:
            verdicts[(first.mixed + second.mixed) > 0] = 3
        verdicts[shares < self.letters] = 2
        verdicts[(first.damaged + second.damaged) > 0] = 1
        return Decision(verdicts, shares)


def _share(counts: CharacterCounts) -> Floats:
    """The share of letters among what is not blank; 0 of an empty text."""
    visible = counts.characters - counts.blanks
    shares: Floats = np.divide(counts.letters, visible, out=np.zeros(len(visible)), where=visible > 0)
    return shares
