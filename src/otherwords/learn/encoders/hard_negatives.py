"""Hard negatives: texts that the base takes for near to an anchor although they are in another cluster.

The nearest texts of the training part are looked at, from the nearest on. One whose cosine is above the margin times
that of the anchor's own paraphrase is probably a paraphrase that nobody labelled, and is skipped (the relative margin
of NV-Retriever, Moreira et al. 2024); how many were skipped for which reason is counted. A pair for which too few
are left gets others at random, below the margin as well; of small corpora it may have fewer, which is counted too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from otherwords.learn.encoders.mixes import TrainingMix

TOO_CLOSE = "its cosine is above the margin times that of the positive"
SAME_CLUSTER = "it is in the cluster of the anchor"
AT_RANDOM = "drawn at random, because too few of the nearest could be used"
MISSING = "missing, because no other text could be used"
LOOKED_AT = 50  # of the nearest texts for each negative
QUERIES_PER_BLOCK = 512
STREAM = 4  # of random numbers

Vectors = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class HardNegatives:
    """For each positive pair of a mix some texts and their clusters; rows of negative pairs have none."""

    texts: list[tuple[str, ...]]
    clusters: list[tuple[int, ...]]
    counts: Counter[str]  # how many candidates were skipped or drawn, by reason


def no_hard_negatives(mix: TrainingMix) -> HardNegatives:
    """None for any pair."""
    return HardNegatives([()] * len(mix), [()] * len(mix), Counter())


def mine_hard_negatives(mix: TrainingMix, each: int, margin: float, seed: int, vectors: Vectors) -> HardNegatives:
    """So many hard negatives for each positive pair, by the vectors that the base has for all texts of the mix."""
    texts: dict[str, int] = {}  # with the cluster of each
    for row, pair in enumerate(mix.pairs):
        texts.setdefault(pair.text1, int(mix.clusters1[row]))
        texts.setdefault(pair.text2, int(mix.clusters2[row]))
    names, clusters = list(texts), np.array(list(texts.values()), np.int64)
    places = {text: place for place, text in enumerate(names)}
    rows = vectors(names)
    counts: Counter[str] = Counter()
    chosen: list[tuple[str, ...]] = [()] * len(mix)
    theirs: list[tuple[int, ...]] = [()] * len(mix)
    positive = np.flatnonzero(mix.positive)
    random = np.random.default_rng([seed, STREAM])
    look = LOOKED_AT * each
    for start in range(0, len(positive), QUERIES_PER_BLOCK):
        block = positive[start : start + QUERIES_PER_BLOCK]
        anchors = np.array([places[mix.pairs[row].text1] for row in block])
        golds = np.array([places[mix.pairs[row].text2] for row in block])
        cosines = rows[anchors] @ rows.T
        limits = margin * cosines[np.arange(len(block)), golds]
        nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :look]
        for number, row in enumerate(block):
            found = _choose(nearest[number], cosines[number], limits[number], clusters, anchors[number], each, counts)
            if len(found) < each:
                allowed = np.flatnonzero(cosines[number] <= limits[number])
                found += _drawn(found, random.permutation(allowed), clusters, anchors[number], each, counts)
            chosen[row] = tuple(names[place] for place in found)
            theirs[row] = tuple(int(clusters[place]) for place in found)
    return HardNegatives(chosen, theirs, +counts)


def _choose(
    nearest: NDArray[np.int64],
    cosines: NDArray[np.float32],
    limit: float,
    clusters: NDArray[np.int64],
    anchor: int,
    each: int,
    counts: Counter[str],
) -> list[int]:
    """The nearest texts that can be negatives, each of another cluster."""
    found: list[int] = []
    used = {int(clusters[anchor])}
    for place in nearest.tolist():
        if len(found) == each:
            break
        if int(clusters[place]) in used:
            counts[SAME_CLUSTER] += int(clusters[place] == clusters[anchor] and place != anchor)
        elif cosines[place] > limit:
            counts[TOO_CLOSE] += 1
        else:
            found.append(place)
            used.add(int(clusters[place]))
    return found


def _drawn(
    found: list[int],
    shuffled: NDArray[np.int64],
    clusters: NDArray[np.int64],
    anchor: int,
    each: int,
    counts: Counter[str],
) -> list[int]:
    """The first of some texts in random order that are of clusters not used yet, as far as there are any."""
    used = {int(clusters[anchor]), *(int(clusters[place]) for place in found)}
    drawn: list[int] = []
    for place in shuffled.tolist():
        if len(found) + len(drawn) == each:
            break
        if int(clusters[place]) not in used:
            drawn.append(place)
            used.add(int(clusters[place]))
    counts[AT_RANDOM] += len(drawn)
    counts[MISSING] += each - len(found) - len(drawn)
    return drawn
