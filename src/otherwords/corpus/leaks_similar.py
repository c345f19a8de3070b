"""Near copies between two sides: every different pair of texts once, its trigrams counted once for all comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from otherwords.corpus.leaks_grams import Grams, grams_of, padded, vocabulary_of
from otherwords.corpus.leaks_near import Mask, Meeting, Texts, near
from otherwords.corpus.leaks_plain import Digests
from otherwords.corpus.leaks_side import Rows, Side, firsts, joined


@dataclass(frozen=True, slots=True)
class Ready:
    """The different pairs of a side, rising by key, as a search needs them."""

    side: Side
    keys: Digests
    rows: Rows  # of each the one with the smallest id
    texts: Texts
    straight: Grams
    mirrored: Grams


def ready(sides: Sequence[Side], least: float) -> list[Ready]:
    """All sides, made ready with the trigrams of all of them in one order."""
    different = [firsts(joined(*side.plain), side.by_id) for side in sides]
    texts = [_texts(side, rows) for side, (_, rows) in zip(sides, different, strict=True)]
    vocabulary = vocabulary_of(texts)
    return [
        Ready(
            side, keys, rows, (one, two), grams_of(one, two, vocabulary, least), grams_of(two, one, vocabulary, least)
        )
        for side, (keys, rows), (one, two) in zip(sides, different, texts, strict=True)
    ]


def _texts(side: Side, rows: Rows) -> Texts:
    chosen = side.pairs.select(["plain1", "plain2"]).take(pa.array(rows))
    return padded(chosen["plain1"].combine_chunks()), padded(chosen["plain2"].combine_chunks())


def near_copies(a: Ready, b: Ready, known: Mask, least: float) -> Meeting:
    """For each row of b that is not known as a copy yet, the most similar one of a, where any is similar enough."""
    straight = near(a.straight, b.straight, a.texts, b.texts, least)
    mirrored = near(a.straight, b.mirrored, a.texts, (b.texts[1], b.texts[0]), least)
    met_a, met_b, similarity = (np.concatenate(both) for both in zip(straight, mirrored, strict=True))
    rank = np.empty(len(a.side), np.int64)
    rank[a.side.by_id] = np.arange(len(a.side))
    order = np.lexsort((rank[a.rows[met_a]], -similarity, met_b))
    found, places = np.unique(met_b[order], return_index=True)
    best = np.full(len(b.keys), -1)
    best[found] = order[places]
    of = best[np.searchsorted(b.keys, joined(*b.side.plain))]
    rows = b.side.by_id[(of >= 0)[b.side.by_id] & ~known[b.side.by_id]]
    return Meeting(a.rows[met_a[of[rows]]], rows, similarity[of[rows]])
