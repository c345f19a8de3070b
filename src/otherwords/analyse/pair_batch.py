"""Some thousand pairs of a corpus with all that analyses need to know of them, each computed once and on demand.

Rewrites are separate pairs: an analysis that follows a paper leaves them out by :attr:`PairBatch.originals`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.acquire.batches import pair_blocks, text_columns
from otherwords.analyse.label_classes import label_of
from otherwords.corpus.corpus import Corpus
from otherwords.measures import Measure, measure, token_counts
from otherwords.records import Pair
from otherwords.text import Pack, pack


@dataclass
class PairBatch:
    """Consecutive pairs of a corpus."""

    corpus: Corpus
    pairs: list[Pair]

    @cached_property
    def positive(self) -> list[bool | None]:
        """Whether each pair is labelled as a paraphrase."""
        return [self.corpus.positive(pair) for pair in self.pairs]

    @cached_property
    def labels(self) -> list[str]:
        """The label of each pair, or ``UNLABELLED``."""
        return [label_of(pair) for pair in self.pairs]

    @cached_property
    def originals(self) -> list[int]:
        """The places of the pairs that are no rewrites."""
        return [place for place, pair in enumerate(self.pairs) if pair.rewrite_of is None]

    @cached_property
    def texts(self) -> tuple[pa.Array, pa.Array]:
        """The first and the second texts as columns."""
        return text_columns(self.pairs)

    @cached_property
    def similarity(self) -> NDArray[np.float64]:
        """The lexical similarity of each pair (:func:`similarity_measure`)."""
        scores: NDArray[np.float64] = similarity_measure().scores(*self.texts)
        return scores

    @cached_property
    def tokens(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many tokens the first and the second texts have, by the tokeniser of each pair."""
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
        return _cached_pack(pair.lang or self.corpus.lang)

    def tokeniser_of(self, pair: Pair) -> str:
        """The tokeniser by which the texts of a pair were already cut, else that of its language."""
        name = pair.meta.get("tokeniser")
        return name if isinstance(name, str) else self.pack_of(pair).tokeniser


def pair_batches(corpus: Corpus) -> Iterator[PairBatch]:
    """All pairs of a corpus in batches."""
    for batch in pair_blocks(corpus.pairs()):
        yield PairBatch(corpus, batch)


@cache
def similarity_measure() -> Measure:
    """Lexical similarity as Kanerva et al. 2023 (§6.2) measure it: the cosine of character 2–4-grams."""
    return measure("char-cosine")


_cached_pack = cache(pack)
