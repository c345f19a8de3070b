"""What can be seen of two texts at a glance: how alike they are and how their lengths compare.

The made-up truth about a pair is drawn from this, so that labels and measures of a simulated corpus have something to
do with each other, as those of a real one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otherwords.measures.columns import Floats
from otherwords.measures.cosine import cosine_of, cosine_statistics


@dataclass(frozen=True, slots=True)
class Seen:
    """Two texts, or all those of a group in the place of the first."""

    text1: str
    text2: str
    lang: str | None
    similarity: float
    ratio: float  # the length of the second by that of the first


def look(text1: str, text2: str, lang: str | None = None, texts: Sequence[str] = ()) -> Seen:
    """Look at a unit of a batch."""
    one = "\n".join(texts) if texts else text1
    return Seen(one, text2, lang, similarity(one, text2), (len(text2) + 1) / (len(one) + 1))


def similarity(text1: str, text2: str) -> float:
    """How alike two texts are, as Turku's lexical similarity has it."""
    return float(similarities([text1], [text2])[0])


def similarities(texts1: Sequence[str], texts2: Sequence[str]) -> Floats:
    """The same of many texts at once."""
    return cosine_of(*cosine_statistics(texts1, texts2).T)
