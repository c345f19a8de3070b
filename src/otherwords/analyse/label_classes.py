"""Labels as analyses and figures group them, whatever the scheme.

A table has a row for every label; a figure can show five tones that are told apart without colour, so it shows the
base of Turku labels, few labels as they are, and of many labels only whether they say yes or no.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from otherwords.analyse.order import UNLABELLED, label_order
from otherwords.labels import is_valid
from otherwords.records import Pair

TONES = 5  # that are told apart in grey
MOST_COLUMNS = 20  # labels that still fit beside each other
POSITIVE, NEGATIVE, NEITHER = "positive", "negative", "neither"
POSITIVES, NEGATIVES, ALL = "(positives)", "(negatives)", "(all)"  # in brackets, as no label is


def label_of(pair: Pair) -> str:
    """The label of a pair, or the word for none."""
    return UNLABELLED if pair.label is None else pair.label


def kind_of(positive: bool | None) -> str:
    """What a label says, in a word."""
    return NEITHER if positive is None else POSITIVE if positive else NEGATIVE


def classes(labels: Iterable[str], says: Callable[[str], bool | None]) -> dict[str, str]:
    """The class that a figure shows each label as; the classes come in their order."""
    order = label_order(labels)
    if any(label != UNLABELLED for label in order) and all(is_valid(one) or one == UNLABELLED for one in order):
        return {label: label if label == UNLABELLED else label[0] for label in order}
    if len(order) <= TONES:
        return {label: label for label in order}
    kinds = {label: kind_of(says(label)) for label in order}
    return dict(sorted(kinds.items(), key=lambda one: (POSITIVE, NEGATIVE, NEITHER).index(one[1])))


def groupings(positive: Mapping[str, bool | None]) -> list[tuple[str, list[str]]]:
    """The rows of a table by label: each label, then positives, negatives and all, with the labels that each holds."""
    order = label_order(positive)
    yes = [label for label in order if positive[label] is True]
    no = [label for label in order if positive[label] is False]
    sums = [(name, labels) for name, labels in ((POSITIVES, yes), (NEGATIVES, no)) if labels]
    return [*((label, [label]) for label in order), *sums, (ALL, order)]


def shown_labels(labels: Iterable[str]) -> list[str]:
    """The labels that a table has columns for: all of them in their order, or none where they are too many."""
    order = label_order(labels)
    return order if len(order) <= MOST_COLUMNS else []


def positive_share(counts: Mapping[str, int], positive: Mapping[str, bool | None]) -> float | None:
    """The share of positives among the pairs whose label says yes or no."""
    yes = sum(count for label, count in counts.items() if positive[label] is True)
    no = sum(count for label, count in counts.items() if positive[label] is False)
    return yes / (yes + no) if yes + no else None


def by_class(counts: Mapping[str, int], shown_as: Mapping[str, str]) -> Counter[str]:
    """Counts of labels as counts of the classes that a figure shows them as."""
    summed: Counter[str] = Counter()
    for label, count in counts.items():
        summed[shown_as[label]] += count
    return summed
