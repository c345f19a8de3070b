"""Language: both texts are in the language of the pair or, if it names none, in one and the same.

A text is rejected only if the identifier holds its language for improbable: it takes related languages for each other.
Texts with few letters are not judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from otherwords.acquire.filters.rule import BlockTexts, BoundedValue, Decision, Rule
from otherwords.measures.columns import Floats
from otherwords.measures.options import Options, signature
from otherwords.text.identification import LEAST_LETTERS, LEAST_PROBABILITY, identifier_signature, identify

OTHER, DIFFERENT = 1, 2


@dataclass(frozen=True)
class Language(Rule):
    """Both texts in the same language, that of the pair."""

    probability: float
    letters: float
    lang: str | None = None
    name: str = "language"

    @classmethod
    def build(cls, options: Options) -> Language:
        probability = options.bound("min", "least probability of the language", LEAST_PROBABILITY)
        letters = options.bound("letters", "least letters of a text that is judged", LEAST_LETTERS)
        return cls(probability or 0.0, letters or 0.0, options.lang, options.spec)

    @property
    def reasons(self) -> Sequence[str]:
        return "a text is not in the language of the pair", "the two texts are in different languages"

    @property
    def bounded(self) -> Sequence[BoundedValue]:
        return (BoundedValue("probability of the language", ("min",)),)

    def signature(self) -> str:
        bounds = {"min": f"{self.probability:g}", "letters": f"{self.letters:g}"}
        return signature("language", {**bounds, "model": identifier_signature()})

    def decide(self, texts: BlockTexts) -> Decision:
        verdicts, values = np.zeros(len(texts), np.int8), np.ones(len(texts))
        fewest = np.minimum(*(side.letters for side in texts.characters))
        rows = np.flatnonzero(fewest >= self.letters)
        values[rows] = self._probabilities(texts, rows)
        verdicts[values < self.probability] = OTHER if self.lang else DIFFERENT
        return Decision(verdicts, values)

    def _probabilities(self, texts: BlockTexts, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
        """How probable it is that both texts are in the language, or in any one language."""
        chosen = pa.array(rows)
        sides = (identify(side.take(chosen).to_pylist()) for side in (texts.first, texts.second))
        return np.array(
            [
                min(first.get(self.lang, 0.0), second.get(self.lang, 0.0))
                if self.lang
                else max((min(first[lang], second.get(lang, 0.0)) for lang in first), default=0.0)
                for first, second in zip(*sides, strict=True)
            ]
        )
