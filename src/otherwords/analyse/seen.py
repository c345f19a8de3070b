"""Some thousand pairs of a corpus with all that analyses ask of them, each computed once and only when asked for.

Rewrites are pairs of their own: an analysis that follows a paper leaves them out by :meth:`Seen.originals`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.acquire.batches import batches, columns
from otherwords.analyse.label_classes import label_of
from otherwords.corpus.corpora import Corpus
from otherwords.measures import Measure, measure, token_counts
from otherwords.records import Pair
from otherwords.text import Pack, pack


@dataclass
class Seen:
    """A stretch of a corpus."""

    corpus: Corpus
    pairs: list[Pair]

    @cached_property
    def positive(self) -> list[bool | None]:
        """Whether each is labelled as a paraphrase."""
        return [self.corpus.positive(pair) for pair in self.pairs]

    @cached_property
    def labels(self) -> list[str]:
        """The label of each, or the word for none."""
        return [label_of(pair) for pair in self.pairs]

    @cached_property
    def originals(self) -> list[int]:
        """The places of those that are no rewrites."""
        return [place for place, pair in enumerate(self.pairs) if pair.rewrite_of is None]

    @cached_property
    def texts(self) -> tuple[pa.Array, pa.Array]:
        """Both texts as columns."""
        return columns(self.pairs)

    @cached_property
    def similarity(self) -> NDArray[np.float64]:
        """The lexical similarity of each: cosine of character 2–4-grams (:func:`similarity_measure`)."""
        scores: NDArray[np.float64] = similarity_measure().scores(*self.texts)
        return scores

    @cached_property
    def tokens(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many tokens both texts have, each by the tokeniser of its language."""
        counts = np.zeros(len(self.pairs), np.int64), np.zeros(len(self.pairs), np.int64)
        by_tokeniser: dict[str, list[int]] = {}
        for place, pair in enumerate(self.pairs):
            by_tokeniser.setdefault(self.tokeniser_of(pair), []).append(place)
        for name, places in by_tokeniser.items():
            for side, texts in enumerate(self.texts):
                counts[side][places] = token_counts(texts.take(pa.array(places)), name)
        return counts

    def pack_of(self, pair: Pair) -> Pack:
        """The language pack of a pair."""
        return pack_of(pair.lang or self.corpus.lang)

    def tokeniser_of(self, pair: Pair) -> str:
        """The tokeniser of a pair: the one its texts were cut by, else that of its language."""
        told = pair.meta.get("tokeniser")
        return told if isinstance(told, str) else self.pack_of(pair).tokeniser


def seen(corpus: Corpus) -> Iterator[Seen]:
    """A corpus from its first pair to its last."""
    for batch in batches(corpus.pairs()):
        yield Seen(corpus, batch)


@cache
def similarity_measure() -> Measure:
    """Lexical similarity as Kanerva et al. 2023 (§6.2) measure it."""
    return measure("char-cosine")


@cache
def pack_of(lang: str | None) -> Pack:
    """A language pack, found once."""
    return pack(lang)
