"""Simulation: how many judgements an order by worth saves, and whether estimates from its random share hold.

A pool of pairs is a cloud of vectors in which paraphrases are rare and a logistic rule, with noise, says what is one.
People judge batches of the pool; after each, a logistic regression is trained on all that was judged and tested on a
dev part. Pairs come at random, or by uncertainty with a random share of a fifth. The judgements that each needs to
reach the same dev F1 are compared, and in a hundred further pools the share of paraphrases is estimated from the random
share of one batch. The first comparison is also made on a real corpus, whose pairs are described by the features of the
feature model without vectors, and its outcome is printed whatever it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.swap import corpora
from otherwords.annotate.batch_plans.worth import RANDOM_SHARE
from otherwords.learn.data.parts import PartOptions, read_parts_of
from otherwords.learn.data.task import POSITIVE
from otherwords.learn.features.extractor import FeatureExtractor
from otherwords.learn.features.lexical import Rarity
from otherwords.measures.intervals import wilson
from otherwords.text.packs import pack

POOL, DEV, DIMENSIONS = 4000, 3000, 12
FIRST, BATCH, MOST = 80, 40, 800  # judgements
POOLS, COVERAGE_POOLS = 12, 100
REAL_SPLITS = 12
FEWER, COVERED = 0.30, 93  # targets
SAMPLE = 600  # pairs of the batch whose random share is used for estimates
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pool:
    """Pairs as vectors, and whether each is a paraphrase; a dev part of the same kind."""

    vectors: Floats
    labels: NDArray[np.bool_]
    dev: Floats
    dev_labels: NDArray[np.bool_]


def make_pool(seed: int, size: int = POOL) -> Pool:
    """A pool; about one pair in seven is a paraphrase, and a few labels are noise."""
    chance = np.random.default_rng(seed)
    rule = chance.normal(size=DIMENSIONS)
    rule /= np.linalg.norm(rule)
    vectors = chance.normal(size=(size + DEV, DIMENSIONS))
    probability = 1 / (1 + np.exp(-8.0 * (vectors @ rule - 1.1)))
    labels = chance.random(size + DEV) < probability
    return Pool(vectors[:size], labels[:size], vectors[size:], labels[size:])


def real_pool(path: Path, seed: int) -> Pool:
    """The pairs of a Finnish corpus by their features; two fifths, which share no sentence with the rest, are dev."""
    parts = read_parts_of([path], PartOptions(split="60/40", seed=seed))
    judged, dev = parts.train, parts.tests[0]
    extractor = FeatureExtractor("fi", Rarity.of_texts(judged.texts[0].to_pylist(), pack("fi")))
    tables = [extractor.tables(*part.texts)[0] for part in (judged, dev)]
    middle, spread = tables[0].mean(axis=0), tables[0].std(axis=0)
    scaled = [(table - middle) / np.where(spread > 0, spread, 1.0) for table in tables]
    labels = [np.array([label == POSITIVE for label in part.labels]) for part in (judged, dev)]
    return Pool(scaled[0], labels[0], scaled[1], labels[1])


def train(vectors: Floats, labels: NDArray[np.bool_]) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=10.0, max_iter=300).fit(vectors, labels)


def curve(pool: Pool, seed: int, share: float, most: int = MOST) -> list[tuple[int, float]]:
    """Judgements and dev F1 after each batch; ``share`` of a batch is drawn at random, the rest by uncertainty."""
    from sklearn.metrics import f1_score

    chance = np.random.default_rng(seed)
    judged = list(chance.choice(len(pool.labels), FIRST, replace=False))
    points: list[tuple[int, float]] = []
    while len(judged) <= most:
        model = train(pool.vectors[judged], pool.labels[judged])
        points.append((len(judged), float(f1_score(pool.dev_labels, model.predict(pool.dev)))))
        left = np.setdiff1d(np.arange(len(pool.labels)), judged)
        judged += list(choose(pool, left, BATCH, share, model, chance))
    return points


def choose(
    pool: Pool, left: NDArray[np.int64], size: int, share: float, model: Any, chance: np.random.Generator
) -> NDArray[np.int64]:
    """The next batch: first its random share, then those of the rest that the model is least sure of."""
    random = chance.choice(left, round(share * size), replace=False)
    rest = np.setdiff1d(left, random)
    if len(random) == size:
        return random
    margins = np.abs(model.predict_proba(pool.vectors[rest])[:, 1] - 0.5)
    return np.concatenate([random, rest[np.argsort(margins, kind="stable")[: size - len(random)]]])


def saved(seeds: range, most: int = MOST, pool_of: Callable[[int], Pool] = make_pool) -> tuple[int, int]:
    """The judgements that random order and order by worth need to the dev F1 that random order ends with.

    Of the mean curves of several pools: one curve alone goes up and down, and would reach any target too early.
    """
    curves: list[list[Floats]] = [[], []]
    for seed in seeds:
        pool = pool_of(seed)
        for place, share in enumerate((1.0, RANDOM_SHARE)):
            curves[place].append(np.array(curve(pool, seed, share, most))[:, 1])
    at_random, by_worth = (np.mean(of_pools, axis=0) for of_pools in curves)
    reached = int(np.argmax(by_worth >= at_random[-1])) if by_worth.max() >= at_random[-1] else len(by_worth) - 1
    return FIRST + BATCH * (len(at_random) - 1), FIRST + BATCH * reached


def covered(seeds: range) -> tuple[int, int]:
    """In how many pools the interval has the true share: of the random share alone, and of all judged pairs."""
    of_random = of_all = 0
    for seed in seeds:
        pool, chance = make_pool(1000 + seed), np.random.default_rng(seed)
        truth = float(pool.labels.mean())
        first = chance.choice(len(pool.labels), FIRST, replace=False)
        model = train(pool.vectors[first], pool.labels[first])
        size = round(RANDOM_SHARE * SAMPLE)
        batch = choose(pool, np.arange(len(pool.labels)), SAMPLE, RANDOM_SHARE, model, chance)
        for place, chosen in enumerate((batch[:size], batch)):
            _, low, high = wilson(int(pool.labels[chosen].sum()), len(chosen))
            of_random += place == 0 and low <= truth <= high
            of_all += place == 1 and low <= truth <= high
    return of_random, of_all


def run() -> bool:
    at_random, by_worth = saved(range(POOLS))
    fewer = 1 - by_worth / at_random
    print(
        f"judgements to equal dev F1, mean of {POOLS} pools of {POOL:,}: {at_random:,} at random, {by_worth:,} by worth"
    )
    print(f"  {fewer:.0%} fewer (target: {FEWER:.0%})")
    _real()
    of_random, of_all = covered(range(COVERAGE_POOLS))
    print(f"95 % intervals with the true share in {COVERAGE_POOLS} pools: {of_random} from the random share")
    print(f"  (target: {COVERED}); {of_all} if all judged pairs were taken for a sample")
    return fewer >= FEWER and of_random >= COVERED


def _real() -> None:
    """Print what the order saves on a real corpus, where it is there."""
    path = corpora() / "turku-fi" / "opus-pb-dev.json"
    if not path.is_file():
        print(f"{path} is not here (set OTHERWORDS_CORPORA); no real corpus was tried")
        return
    at_random, by_worth = saved(range(REAL_SPLITS), pool_of=partial(real_pool, path))
    print(f"the same on {path.name}, mean of {REAL_SPLITS} splits: {at_random:,} at random, {by_worth:,} by worth")
    print(f"  {1 - by_worth / at_random:.0%} fewer")
