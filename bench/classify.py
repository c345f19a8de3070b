"""The rungs of the ladder that need no torch, on real corpora split by connected components.

On PAWS-Wiki, where a pair shares its words whether or not it is a paraphrase, on a Finnish corpus with two classes and
on one with complete Turku labels. Every row is a mean over several splits, each model chosen and tuned without its
test part: n, the mean share of right answers with a 95 % interval, F1 (weighted, for complete labels), the area under
the ROC curve, seconds of training. PAWS is also split at random, pair by pair, as is often done: most test pairs
then share a sentence with training.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.metrics import f1_score, roc_auc_score  # type: ignore[import-untyped]

from bench.swap import corpora
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.parts import LabelledParts, PartOptions, read_parts_of, shares_sentence
from otherwords.learn.data.task import POSITIVE
from otherwords.learn.features.extractor import FeatureExtractor
from otherwords.learn.features.lexical import Rarity
from otherwords.learn.ladder import LADDER, PairClassifier, TrainingContext
from otherwords.learn.predictions import DecisionRule, Predictions, predict
from otherwords.text.packs import pack

SEEDS = (10, 11, 12)  # of splits that nothing was tried on while the features were written
Z95 = 1.959964
LEAST_RATE = 5_000  # pairs a second on one core
AT_CHANCE = 0.02  # distance of an AUC from one half


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung with its options, and the least that its accuracy and F1 have to be."""

    name: str
    kind: str
    options: Mapping[str, Any]
    accuracy: float = 0.0
    f1: float = 0.0
    at_chance: bool = False
    seeds: tuple[int, ...] = SEEDS


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rung reached on one split."""

    predictions: Predictions
    dev_accuracy: float
    seconds: float

    @property
    def accuracy(self) -> float:
        return share_right(self.predictions)

    @property
    def f1(self) -> float:
        gold, predicted = self.predictions.gold, self.predictions.predicted
        if self.predictions.task.name == "binary":
            return float(f1_score(gold, predicted, pos_label=POSITIVE, zero_division=0))
        return float(f1_score(gold, predicted, average="weighted", zero_division=0))

    @property
    def auc(self) -> float:
        if self.predictions.task.name != "binary":
            return float("nan")
        return float(roc_auc_score([label == POSITIVE for label in self.predictions.gold], self.predictions.positive))


PAWS = [
    Rung("always", "always", {}),
    Rung("majority", "majority", {}),
    Rung("overlap", "overlap", {}, at_chance=True),
    Rung("bag of words", "bow", {"bigrams": False}, at_chance=True),
    Rung("bag of words and bigrams", "bow", {}),
    Rung("features, logistic", "features", {"encoder": "none", "model": "logistic"}),
    Rung("features", "features", {"encoder": "none"}, accuracy=0.81),
    Rung("features with MiniLM", "features", {"encoder": "minilm"}, accuracy=0.81, seeds=SEEDS[:1]),
]
FINNISH = [
    Rung("majority", "majority", {}),
    Rung("character cosine", "overlap", {"measure": "char-cosine"}),
    Rung("features without vectors", "features", {"encoder": "none"}),
    Rung("features", "features", {"encoder": "vectors:fi"}, accuracy=0.85, f1=0.77),
]
TURKU = [
    Rung("always 4", "always", {}),
    Rung("majority", "majority", {}),
    Rung("features", "features", {"encoder": "vectors:fi"}, accuracy=0.37, f1=0.33),
]


def share_right(predictions: Predictions) -> float:
    return float(np.mean(np.array(predictions.gold) == np.array(predictions.predicted)))


def interval(right: float, n: int) -> tuple[float, float]:
    """Wilson's interval of a share."""
    centre, spread = right + Z95**2 / (2 * n), Z95 * sqrt(right * (1 - right) / n + Z95**2 / (4 * n * n))
    return (centre - spread) / (1 + Z95**2 / n), (centre + spread) / (1 + Z95**2 / n)


def chosen_decision(classifier: PairClassifier, dev: LabelledPairs) -> tuple[DecisionRule, float]:
    """Decode heads jointly or one by one, whichever is right more often on dev; and how often."""
    ways = [
        DecisionRule(jointly=jointly) for jointly in ((False, True) if len(classifier.task.heads) > 1 else (False,))
    ]
    scored = [(share_right(predict(classifier, dev, way)), way) for way in ways]
    right, way = max(scored, key=lambda pair: pair[0])
    return way, right


def outcome(rung: Rung, parts: LabelledParts, lang: str) -> Outcome:
    """Train a rung on one split and test it."""
    kind = LADDER.get(rung.kind)
    start = time.perf_counter()
    context = TrainingContext(lang=lang)
    classifier = kind.train(parts.task, parts.train, parts.dev, kind.decode(rung.options), context)
    seconds = time.perf_counter() - start
    decision, dev_right = chosen_decision(classifier, parts.dev)
    return Outcome(predict(classifier, parts.tests[0], decision), dev_right, seconds)


def climb(title: str, rungs: Sequence[Rung], lang: str, split: Callable[[int], LabelledParts]) -> bool:
    """Print a row for each rung; whether all targets were reached."""
    print(f"{title}\n  {'':<26} {'n':>6} {'accuracy':>8} {'95 %':>15} {'F1':>6} {'AUC':>6} {'dev':>6} {'s':>6}")
    splits = {seed: split(seed) for seed in sorted({seed for rung in rungs for seed in rung.seeds})}
    reached = []
    for rung in rungs:
        outcomes = [outcome(rung, splits[seed], lang) for seed in rung.seeds]
        n = sum(len(found.predictions) for found in outcomes)
        accuracy, f1, auc, dev, seconds = (
            float(np.mean([getattr(found, name) for found in outcomes]))
            for name in ("accuracy", "f1", "auc", "dev_accuracy", "seconds")
        )
        low, high = interval(accuracy, n // len(outcomes))
        target = f"at least {rung.accuracy:.2f} / {rung.f1:.2f}" if rung.accuracy else ""
        good = accuracy >= rung.accuracy and f1 >= rung.f1
        if rung.at_chance:
            target, good = f"AUC within {AT_CHANCE} of 0.5", abs(auc - 0.5) <= AT_CHANCE
        verdict = f"{target}  {'reached' if good else 'MISSED'}" if target else ""
        numbers = f"{accuracy:>8.3f}   {low:.3f}–{high:.3f} {f1:>6.3f} {auc:>6.3f} {dev:>6.3f} {seconds:>6.1f}"
        print(f"  {rung.name:<26} {n:>6,} {numbers}  {verdict}", flush=True)
        reached.append(good)
    return all(reached)


def at_random(parts: LabelledParts, seed: int = 0) -> LabelledParts:
    """The same pairs, split at random."""
    examples = [parts.train, parts.dev, parts.tests[0]]
    pairs = [pair for part in examples for pair in part.pairs]
    labels = [label for part in examples for label in part.labels]
    order = np.random.default_rng(seed).permutation(len(pairs))
    ends = np.cumsum([0, *(len(part) for part in examples)])
    whole = LabelledPairs("all", pairs, labels)
    train, dev, test = (whole.take(order[low:high]) for low, high in pairwise(ends))
    return LabelledParts(parts.task, train, dev, [test])


def extraction_rate(texts1: pa.Array, texts2: pa.Array, lang: str) -> float:
    """Pairs a second whose features are computed on one thread, those of the swapped pairs included."""
    extractor = FeatureExtractor(lang, Rarity.of_texts(texts1.to_pylist(), pack(lang)), threads=1)
    extractor.tables(texts1.slice(0, 10), texts2.slice(0, 10))
    start = time.process_time()
    extractor.tables(texts1, texts2)
    return len(texts1) / (time.process_time() - start)


def run() -> bool:
    """Climb the ladder on the corpora that are here; whether all targets were reached."""
    folder = corpora()
    files = [folder / "paws-wiki" / "dev.tsv", folder / "turku-fi" / "opus-pb-dev.json"]
    files.append(folder / "turku-fi-release1" / "dev.json")
    if missing := [str(file) for file in files if not file.is_file()]:
        print(f"classify: {', '.join(missing)} not here (set OTHERWORDS_CORPORA); nothing was measured")
        return True

    def paws(seed: int) -> LabelledParts:
        return read_parts_of([files[0]], PartOptions(split="80/20", seed=seed))

    def finnish(seed: int) -> LabelledParts:
        return read_parts_of([files[1]], PartOptions(split="80/20", seed=seed))

    def turku(seed: int) -> LabelledParts:
        return read_parts_of([files[2]], PartOptions(task="labels", split="80/20", seed=seed, rewrites=False))

    first = paws(SEEDS[0])
    rate = extraction_rate(*first.train.texts, "en")
    print(f"features of {rate:,.0f} pairs a second and core, at least {LEAST_RATE:,}")
    reached = [rate >= LEAST_RATE, climb("PAWS-Wiki, 80/20 by connected components", PAWS, "en", paws)]
    leaky = at_random(first)
    shared = float(shares_sentence(leaky.tests[0], leaky.train).mean())
    leaky_rungs = [Rung("features", "features", {"encoder": "none"}, seeds=SEEDS[:1])]
    climb(
        f"PAWS-Wiki, 80/20 at random: {100 * shared:.1f} % of test pairs share a sentence with training",
        leaky_rungs,
        "en",
        lambda seed: leaky,
    )
    reached.append(climb("Finnish, paraphrase or not, 80/20 by connected components", FINNISH, "fi", finnish))
    reached.append(climb("Finnish, complete Turku labels, 80/20 by connected components", TURKU, "fi", turku))
    return all(reached)
