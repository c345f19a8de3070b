"""What is visible of two texts at a glance: how similar they are and how their lengths compare.

The simulated truth about a pair is drawn from this, so that labels and measures of a simulated corpus are related, as
those of a real one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otherwords.measures.columns import Floats
from otherwords.measures.cosine import cosine_of, cosine_statistics


@dataclass(frozen=True, slots=True)
class VisibleTexts:
    """Two texts; of a group, all its texts in place of the first."""

    text1: str
    text2: str
    lang: str | None
    similarity: float
    ratio: float  # the length of the second divided by that of the first
    gold: str | None = None  # the label of a pair whose answer is known, and plain for whoever reads it carefully
    texts: int = 0  # of a group


def look(
    text1: str, text2: str, lang: str | None = None, texts: Sequence[str] = (), gold: str | None = None
) -> VisibleTexts:
    """Look at a unit of a batch."""
    first = "\n".join(texts) if texts else text1
    ratio = (len(text2) + 1) / (len(first) + 1)
    return VisibleTexts(first, text2, lang, similarity(first, text2), ratio, gold, len(texts))


def similarity(text1: str, text2: str) -> float:
    """How similar two texts are, by Turku's lexical similarity."""
    return float(similarities([text1], [text2])[0])


def similarities(texts1: Sequence[str], texts2: Sequence[str]) -> Floats:
    """The similarities of many pairs of texts."""
    return cosine_of(*cosine_statistics(texts1, texts2).T)
