"""What a classifier predicts: one class, or the parts of a Turku label, each by a head of its own.

A head chooses among a few classes. A label of the Turku scheme is four choices: the base and, only where that is 4, the
arrow and the flags s and i (Kanerva et al. 2023, §7.1). In the bootstrapped form 1 and 2 are one class, ``neg``. Every
other task has one head. The probabilities of the heads multiply to those of complete labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from otherwords.errors import DataError
from otherwords.labels import all_labels, is_label, parse_label

TaskName = Literal["binary", "labels", "bootstrapped", "retrieval"]
Probabilities: TypeAlias = npt.NDArray[np.float64]  # a row per pair
POSITIVE, NEGATIVE = "positive", "negative"
NEG = "neg"  # 1 and 2 together (Kanerva et al. 2023, §7.3)
FLAGGED = "4"  # the only base with an arrow and flags
NONE = "none"
MOST_CLASSES = 50
NOT_ASKED = -1  # the class of a head that a label has no value for


class LabelHead(msgspec.Struct, frozen=True):
    """One choice among classes; ``only`` is the class of the first head that it depends on, if any."""

    name: str
    classes: tuple[str, ...]
    only: str | None = None


class LabelTask(msgspec.Struct, frozen=True, dict=True):
    """What is predicted: the heads, and all labels that they can make up, negative ones first."""

    name: TaskName
    heads: tuple[LabelHead, ...]
    labels: tuple[str, ...]

    @cached_property
    def members(self) -> npt.NDArray[np.int64]:
        """The class of every head for each label; NOT_ASKED where the label has none."""
        rows = []
        for label in self.labels:
            parts = self._parts(label)
            rows.append([_position(head.classes, parts.get(head.name)) for head in self.heads])
        return np.array(rows, np.int64)

    def targets(self, labels: Iterable[str]) -> npt.NDArray[np.int64]:
        """The class of every head for each example; NOT_ASKED where the head is not to learn from it."""
        place = {label: number for number, label in enumerate(self.labels)}
        return self.members[[place[label] for label in labels]]

    def joint(self, heads: Sequence[Probabilities]) -> Probabilities:
        """The probability of every complete label; rows sum to 1."""
        joint = np.ones((len(heads[0]), len(self.labels)))
        for number, head in enumerate(heads):
            asked = np.flatnonzero(self.members[:, number] != NOT_ASKED)
            joint[:, asked] *= head[:, self.members[asked, number]]
        return joint

    def margins(self, joint: Probabilities) -> list[Probabilities]:
        """The probabilities of every head from those of complete labels; a flag is asked of pairs that may have one."""
        heads = []
        for number, head in enumerate(self.heads):
            asked = np.flatnonzero(self.members[:, number] != NOT_ASKED)
            table = np.zeros((len(joint), len(head.classes)))
            np.add.at(table.T, self.members[asked, number], joint[:, asked].T)
            total = table.sum(axis=1, keepdims=True)
            even = np.full_like(table, 1 / len(head.classes))
            heads.append(np.divide(table, total, out=even, where=total > 0))
        return heads

    def decode(self, heads: Sequence[Probabilities], *, jointly: bool = False) -> list[str]:
        """The label of each pair: the best class of every head or, ``jointly``, the most probable complete label."""
        if jointly or len(self.heads) == 1:
            return [self.labels[number] for number in self.joint(heads).argmax(axis=1)]
        best = np.stack([head.argmax(axis=1) for head in heads], axis=1)
        for number, head in enumerate(self.heads):
            if head.only is not None:
                best[best[:, 0] != self.heads[0].classes.index(head.only), number] = NOT_ASKED
        place = {tuple(row): number for number, row in enumerate(self.members.tolist())}
        return [self.labels[place[tuple(row)]] for row in best.tolist()]

    def positive(self, heads: Sequence[Probabilities]) -> Probabilities:
        """The probability that a pair is a paraphrase."""
        sides = [is_positive(label) is True for label in self.heads[0].classes]
        if not any(sides):
            message = "none of the labels says that two texts are paraphrases; use labels of a known scheme"
            raise DataError(message, code="no-positive-label")
        return np.asarray(heads[0][:, sides].sum(axis=1), np.float64)

    def _parts(self, label: str) -> dict[str, str]:
        if len(self.heads) == 1:
            return {self.heads[0].name: label}
        if label == NEG:
            return {"base": NEG}
        parsed = parse_label(label)
        flags = {"arrow": parsed.arrow or NONE, "s": "s" if parsed.s else NONE, "i": "i" if parsed.i else NONE}
        return {"base": parsed.base} | (flags if parsed.base == FLAGGED else {})


def is_positive(label: str) -> bool | None:
    """Whether a label that a classifier gives says that two texts are paraphrases; None if it does not say."""
    if label in (POSITIVE, NEGATIVE, NEG):
        return label == POSITIVE
    return parse_label(label).positive if is_label(label) else None


def binary_task() -> LabelTask:
    """Paraphrase or not."""
    classes = (NEGATIVE, POSITIVE)
    return LabelTask("binary", (LabelHead("paraphrase", classes),), classes)


def label_task(labels: Iterable[str]) -> LabelTask:
    """Complete labels: four heads where they are Turku labels with flags, otherwise a class for each."""
    known = set(labels)
    if not all(map(is_label, known)):
        return _one_head("labels", sorted(known))
    if not any(len(label) > 1 for label in known):
        return _one_head("labels", [str(label) for label in all_labels() if str(label) in known])
    bases = [label.base for label in all_labels() if str(label) == label.base and label.base in _bases(known)]
    return _four_heads("labels", bases)


def bootstrapped_task() -> LabelTask:
    """Complete labels of a model that learns from harvested negatives: 1 and 2 are one class."""
    return _four_heads("bootstrapped", [NEG, "3", FLAGGED])


def _bases(labels: Iterable[str]) -> set[str]:
    return {parse_label(label).base for label in labels}


def _one_head(name: TaskName, classes: Sequence[str]) -> LabelTask:
    if len(classes) > MOST_CLASSES:
        message = (
            f"{len(classes)} different labels are more than {MOST_CLASSES}; is the column of labels the right one?"
        )
        raise DataError(message, code="too-many-labels")
    return LabelTask(name, (LabelHead("label", tuple(classes)),), tuple(classes))


def _four_heads(name: TaskName, bases: Sequence[str]) -> LabelTask:
    flags = (
        LabelHead("arrow", (NONE, "<", ">"), FLAGGED),
        LabelHead("s", (NONE, "s"), FLAGGED),
        LabelHead("i", (NONE, "i"), FLAGGED),
    )
    labels = [base for base in bases if base != FLAGGED]
    labels += [str(label) for label in all_labels() if label.base == FLAGGED] if FLAGGED in bases else []
    return LabelTask(name, (LabelHead("base", tuple(bases)), *flags), tuple(labels))


def _position(classes: Sequence[str], name: str | None) -> int:
    return NOT_ASKED if name is None else classes.index(name)
