"""How analyses and figures group labels, whatever the scheme.

A table has a row for every label. A figure can show five tones that are distinguishable without colour, so it shows
Turku labels by their base, a few other labels as they are, and many labels only as positive, negative or neither.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from otherwords.analyse.averages import ratio
from otherwords.labels import is_label, parse_label
from otherwords.records import Pair

TONES = 5  # distinguishable in grey
MOST_COLUMNS = 20  # labels that still fit beside each other
POSITIVE, NEGATIVE, NEITHER = "positive", "negative", "neither"
KINDS = (POSITIVE, NEGATIVE, NEITHER)
POSITIVES, NEGATIVES, ALL = "(positives)", "(negatives)", "(all)"  # in brackets, which no label has
UNLABELLED = "(none)"


def label_of(pair: Pair) -> str:
    """The label of a pair, or ``UNLABELLED``."""
    return UNLABELLED if pair.label is None else pair.label


def kind_of(positive: bool | None) -> str:
    """The polarity of a label as a word."""
    return NEITHER if positive is None else POSITIVE if positive else NEGATIVE


def classes(labels: Iterable[str], polarity: Callable[[str], bool | None]) -> dict[str, str]:
    """The class as which a figure shows each label, in display order."""
    order = label_order(labels)
    if len(order) <= TONES or _are_turku(order):
        return label_bases(order)
    kinds = {label: kind_of(polarity(label)) for label in order}
    return dict(sorted(kinds.items(), key=lambda item: KINDS.index(item[1])))


def label_bases(labels: Sequence[str]) -> dict[str, str]:
    """Turku labels by their base (4 for ``4>s``); labels of other schemes as they are."""
    turku = _are_turku(labels)
    return {label: label[0] if turku and label != UNLABELLED else label for label in labels}


def _are_turku(labels: Iterable[str]) -> bool:
    return all(is_label(label) or label == UNLABELLED for label in labels)


def groupings(positive: Mapping[str, bool | None]) -> list[tuple[str, list[str]]]:
    """The rows of a table by label: each label, then positives, negatives and all, with the labels of each row."""
    order = label_order(positive)
    yes = [label for label in order if positive[label] is True]
    no = [label for label in order if positive[label] is False]
    sums = [(name, labels) for name, labels in ((POSITIVES, yes), (NEGATIVES, no)) if labels]
    return [*((label, [label]) for label in order), *sums, (ALL, order)]


def shown_labels(labels: Iterable[str]) -> list[str]:
    """The labels that get a column in a table: all in display order, or none if there are too many."""
    order = label_order(labels)
    return order if len(order) <= MOST_COLUMNS else []


def positive_share(counts: Mapping[str, int], positive: Mapping[str, bool | None]) -> float | None:
    """The share of positives among the pairs whose label says yes or no."""
    yes = sum(count for label, count in counts.items() if positive[label] is True)
    no = sum(count for label, count in counts.items() if positive[label] is False)
    return ratio(yes, yes + no)


def by_class(counts: Mapping[str, int], class_of: Mapping[str, str]) -> Counter[str]:
    """Counts of labels summed by the class as which a figure shows them."""
    summed: Counter[str] = Counter()
    for label, count in counts.items():
        summed[class_of[label]] += count
    return summed


def label_order(labels: Iterable[str]) -> list[str]:
    """Labels in display order: 4 before 3 before 2, 1 before 0, names alphabetically."""
    return sorted(labels, key=_sort_key)


def _sort_key(label: str) -> tuple[int, float, str]:
    if label == UNLABELLED:
        return (3, 0.0, label)
    if is_label(label) and label != "x":
        return (0, -float(parse_label(label).base), label)
    try:
        number = float(label)
    except ValueError:
        return (1, 0.0, label)
    return (0, -number, label) if math.isfinite(number) else (1, 0.0, label)
