"""Cleaning a training part of labels that a teacher doubts, and the table that says whether it helps.

``filter`` leaves out pairs whose label is at most λ probable, ``flip`` gives them the most probable label instead (Dou
et al. 2022, §3.2: λ of 0.35 filters best, 0.25 flips best), ``confident`` leaves out what confident learning finds
(Northcutt et al. 2021, by cleanlab). A student is trained on what is left and scored on dev: λ is chosen there, never
on a test. Every change is on record, with the label before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords.errors import DataError, MissingExtra
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.parts import LabelledParts
from otherwords.learn.data.task import NEGATIVE, POSITIVE, Probabilities
from otherwords.learn.ladder import LADDER, TrainingContext
from otherwords.learn.metrics.scores import score_labels
from otherwords.learn.predictions import Chooser, predict
from otherwords.records import Pair

CleaningRule = Literal["none", "filter", "flip", "confident"]
RULES: tuple[CleaningRule, ...] = get_args(CleaningRule)
GRID = tuple(round(0.05 * number, 2) for number in range(1, 10))  # Dou et al. 2022, §3.2: 0.05 … 0.45
META = "denoise"


class LabelChange(msgspec.Struct, frozen=True):
    """What became of a pair whose label is doubted: another label, or none, if it was left out."""

    id: str
    label: str
    probability: float
    rule: CleaningRule
    new_label: str | None = None


@dataclass(frozen=True, slots=True)
class CleanedPart:
    """A training part after a rule, and all that the rule changed."""

    rule: CleaningRule
    least: float | None  # λ
    examples: LabelledPairs
    changes: list[LabelChange]


class CleaningRow(msgspec.Struct, frozen=True):
    """A row of the table: what a student learns from a part that was cleaned by a rule, scored on dev."""

    rule: CleaningRule
    least: float | None
    pairs: int
    changed: int
    accuracy: float
    f1: float
    low: float | None
    high: float | None
    chosen: bool = False  # the best of its rule, by F1 on dev


def clean(
    train: LabelledPairs, joint: Probabilities, labels: Sequence[str], rule: CleaningRule, least: float
) -> CleanedPart:
    """Apply a rule to a training part; ``joint`` has the teacher's probability of every label."""
    places = np.array([labels.index(label) for label in train.labels])
    given = joint[np.arange(len(train)), places]
    doubted = _confident(joint, places) if rule == "confident" else given <= least
    if rule == "none":
        doubted = np.zeros(len(train), np.bool_)
    changes = []
    new_labels = list(train.labels)
    for row in np.flatnonzero(doubted).tolist():
        new = labels[int(joint[row].argmax())] if rule == "flip" else None
        if new == train.labels[row]:
            doubted[row] = False
            continue
        changes.append(LabelChange(train.pairs[row].id, train.labels[row], float(given[row]), rule, new))
        new_labels[row] = new or new_labels[row]
    kept = LabelledPairs(train.name, train.pairs, new_labels, train.left_out)
    if rule != "flip":
        kept = replace(kept.take(np.flatnonzero(~doubted)), left_out=train.left_out)
    return CleanedPart(rule, None if rule in ("none", "confident") else least, kept, changes)


def trainable(cleaned: CleanedPart) -> CleanedPart:
    """The same part; one with a single label, from which nothing can be learnt by itself, is refused."""
    if len(set(cleaned.examples.labels)) < 2:
        at = "" if cleaned.least is None else f" at {cleaned.least:g}"
        message = f"{cleaned.rule}{at} leaves fewer than two labels for training; choose a lower λ"
        raise DataError(message, code="one-label-only")
    return cleaned


def _confident(joint: Probabilities, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """What confident learning calls an issue; labels that no pair has are left out of it."""
    try:
        from cleanlab.filter import find_label_issues
    except ImportError:
        raise MissingExtra("learn", "confident learning") from None
    used = np.unique(places)
    shares = joint[:, used] / joint[:, used].sum(axis=1, keepdims=True).clip(1e-12)
    return np.asarray(find_label_issues(np.searchsorted(used, places), shares, n_jobs=1), np.bool_)


@dataclass(frozen=True, slots=True)
class Student:
    """The model that learns from cleaned parts."""

    model: str
    settings: Mapping[str, Any]
    context: TrainingContext
    decide: Chooser

    def score(self, parts: LabelledParts, cleaned: CleanedPart) -> CleaningRow:
        """Train on a cleaned part and score on dev."""
        kind = LADDER.get(self.model)
        own = replace(self.context, checkpoints=None, progress=lambda done, total: None)
        changed = replace(parts, train=cleaned.examples)
        classifier = kind.train(parts.task, changed.train, parts.dev, kind.decode(self.settings), own)
        found = predict(classifier, parts.dev, self.decide(classifier, changed))
        positive = POSITIVE if parts.task.name == "binary" else None
        scores = score_labels(found.gold, found.predicted, positive=positive)
        sizes = len(cleaned.examples), len(cleaned.changes)
        return CleaningRow(cleaned.rule, cleaned.least, *sizes, scores.accuracy, scores.f1, scores.low, scores.high)


def cleaning_table(
    parts: LabelledParts,
    joint: Probabilities,
    student: Student,
    rules: Sequence[CleaningRule] = RULES,
    grid: Sequence[float] = GRID,
) -> list[CleaningRow]:
    """A row for no cleaning, for every λ of filter and flip, and for confident learning; the best of each is marked."""
    rows: list[CleaningRow] = []
    steps = list(_steps(rules, grid))
    for number, (rule, least) in enumerate(steps, 1):
        cleaned = trainable(clean(parts.train, joint, parts.task.labels, rule, least))
        rows.append(student.score(parts, cleaned))
        student.context.progress(number, len(steps))
    best = {
        rule: max((row for row in rows if row.rule == rule), key=lambda row: (row.f1, row.accuracy)) for rule in rules
    }
    return [msgspec.structs.replace(row, chosen=row is best[row.rule]) for row in rows]


def _steps(rules: Sequence[CleaningRule], grid: Sequence[float]) -> Iterator[tuple[CleaningRule, float]]:
    for rule in rules:
        yield from ((rule, least) for least in (grid if rule in ("filter", "flip") else (0.0,)))


def changed_pairs(train: LabelledPairs, cleaned: CleanedPart) -> Iterator[tuple[Pair, bool]]:
    """Every training pair in order, whether it is kept, and under ``meta`` what was changed about it."""
    changes = {change.id: change for change in cleaned.changes}
    for pair in train.pairs:
        change = changes.get(pair.id)
        if change is None:
            yield pair, True
            continue
        facts = {"rule": change.rule, "label": pair.label, "probability": round(change.probability, 6)}
        label = _spelled(change.new_label, pair) if change.new_label else pair.label
        changed = msgspec.structs.replace(pair, label=label, meta=pair.meta | {META: facts})
        yield changed, change.new_label is not None


def _spelled(label: str, pair: Pair) -> str:
    """A flipped label as the corpus spells it: 1 and 0 where it has 0 and 1."""
    opposite: Callable[[str], str | None] = {"1": "0", "0": "1", "true": "false", "false": "true"}.get
    if label in (POSITIVE, NEGATIVE) and pair.label is not None:
        return opposite(pair.label) or label
    return label


def undo_changes(pairs: Iterator[Pair] | Sequence[Pair]) -> Iterator[Pair]:
    """The pairs with the labels that they had before."""
    for pair in pairs:
        facts = pair.meta.get(META)
        if not isinstance(facts, dict):
            yield pair
            continue
        meta = {name: value for name, value in pair.meta.items() if name != META}
        yield msgspec.structs.replace(pair, label=facts.get("label"), meta=meta)
