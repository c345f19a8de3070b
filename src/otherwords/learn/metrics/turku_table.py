"""The table by which Kanerva et al. (2023) report a classifier (Tables 4 and 5).

Its upper rows have the arrows merged into the base and leave i and s aside; i and s have rows of their own, each
against all pairs without that flag. The average, weighted by support, and the accuracy are over complete labels. Where
1 occurs, or a model that knows only ``neg``, 1 and 2 are that one class everywhere, as on the paper's opus-parsebank
test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from otherwords.labels import is_label, parse_label
from otherwords.learn.data.task import NEG
from otherwords.learn.metrics.counts import Ints
from otherwords.learn.metrics.scores import LabelScores, Scores, score_labels
from otherwords.measures.agreement.resampling import Bootstrap

NEGATIVE_BASES = ("1", "2", NEG)
UPPER = ("3", "4<", "4>", "4")  # after 2 or neg, in the paper's order
FLAGS = ("i", "s")
WITHOUT = "without"


class TurkuTable(msgspec.Struct, frozen=True):
    """The rows of labels and flags, and the scores of complete labels."""

    labels: dict[str, LabelScores]
    flags: dict[str, LabelScores]
    complete: Scores


def has_turku_labels(labels: Iterable[str]) -> bool:
    """Whether all labels are of the Turku scheme, and not only yes and no."""
    return all(label == NEG or is_label(label) for label in labels)


def turku_table(
    gold: Sequence[str], predicted: Sequence[str], *, units: Ints | None = None, bootstrap: Bootstrap | None = None
) -> TurkuTable:
    """The table of some predictions; every row has its intervals."""
    merged = any(label in ("1", NEG) for labels in (gold, predicted) for label in labels)

    def scores(view: Callable[[str], str], listed: Sequence[str], positive: str | None = None) -> Scores:
        views = [[view(_negative(label, merged)) for label in labels] for labels in (gold, predicted)]
        return score_labels(*views, positive=positive, labels=listed, units=units, bootstrap=bootstrap)

    rows = [NEG if merged else "2", *UPPER]
    upper = scores(_base_and_arrow, rows)
    flags = {flag: scores(lambda label, flag=flag: _flag(label, flag), [flag], flag) for flag in FLAGS}  # type: ignore[misc]
    return TurkuTable(
        {row: upper.labels[row] for row in rows},
        {flag: result.labels[flag] for flag, result in flags.items()},
        scores(str, ()),
    )


def _negative(label: str, merged: bool) -> str:
    return NEG if merged and label in NEGATIVE_BASES else label


def _base_and_arrow(label: str) -> str:
    if label == NEG:
        return label
    parsed = parse_label(label)
    return f"{parsed.base}{parsed.arrow or ''}"


def _flag(label: str, flag: str) -> str:
    return flag if label != NEG and getattr(parse_label(label), flag) else WITHOUT
