"""Answers that are no labels: comments, times and measurements that stand among the answers of a table.

A scheme says what its labels are. Without one, labels are recognised by being given again and again: texts of several
words that hardly repeat are free text, and numbers or times that hardly repeat are measurements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from otherwords.sources.rows.records import scalar_text

WORDS, CHARACTERS = 3, 30  # the shortest free text, in one or the other
FEW = 10  # so many different numbers may be a scale, even if each is given once
FREE_TEXT = "free text"
MEASUREMENTS = "numbers or times that hardly repeat"
_NUMBER_OR_TIME = re.compile(r"[-+]?\d[\d\s.,:/+TZ-]*")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")


def why_not_labels(counts: Mapping[str, int], *, among_others: bool) -> str | None:
    """What answers are instead of labels, from how often each was given; None if they are labels.

    Numbers that are the only answers of a table (not ``among_others``) are always a scale.
    """
    if 2 * len(counts) <= sum(counts.values()):
        return None
    if all(map(_NUMBER_OR_TIME.fullmatch, counts)):
        return MEASUREMENTS if among_others and len(counts) > FEW else None
    long = sum(len(answer.split()) >= WORDS or len(answer) > CHARACTERS for answer in counts)
    return FREE_TEXT if 2 * long > len(counts) else None


def decimal_points(labels: Mapping[int, str]) -> dict[int, str]:
    """Numbers by the values that they stand for; if all labels are numbers and some have decimal commas, with points.

    So ``3,50`` and ``3.5`` are the same number, and ``3,0`` is ``3``.
    """
    if not any(map(_DECIMAL_COMMA.fullmatch, labels.values())):
        return dict(labels)
    try:
        numbers = {value: float(label.replace(",", ".")) for value, label in labels.items()}
    except ValueError:
        return dict(labels)
    return {value: scalar_text(number) for value, number in numbers.items()}
