"""What people make batches for: each start fills in the form for a new batch and shows the fields that matter for it.

A start is only a beginning. All other fields are folded below, and what is sent is decoded as everywhere else.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

REWRITES, QUALITY = "rewrites", "quality"
_WHO = ("people",)


@dataclass(frozen=True, slots=True)
class BatchStart:
    """One way to begin: its name in addresses, what it is for, the fields that it shows first, and their values."""

    name: str
    title: str
    about: str
    shown: tuple[str, ...]
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields that are folded together under a title."""

    title: str
    fields: tuple[str, ...]


FREE = BatchStart("", "", "", ("name", "source", "sample", "times", *_WHO, "purpose"))
STARTS = (
    BatchStart(
        "pairs",
        "Judge new pairs",
        "Pairs that nobody has judged yet, each by one person.",
        ("name", "sample", "source", *_WHO),
        {"has": "none"},
    ),
    BatchStart(
        "double",
        "Judge pairs twice",
        "A hundred pairs, of the news for instance, each by two people who see nothing of each other.",
        ("name", "sample", "source", "times", *_WHO),
        {"sample": "100", "times": "2", "purpose": "agreement"},
    ),
    BatchStart(
        REWRITES,
        "Check the rewrites",
        "Rewrites hidden among other pairs, for two people who neither wrote nor judged them.",
        ("name", "size", *_WHO),
    ),
    BatchStart(
        "crowd",
        "A crowd with tests",
        "Several workers judge each pair; hidden pairs with a gold label show who does well.",
        ("name", "source", "scheme", "times", "tests", "every", "gate"),
        {"times": "3", "tests": "all", "every": "5", "gate": "yes", "not_again": "yes"},
    ),
    BatchStart(
        QUALITY,
        "A quality round",
        "All pairs of one label or flag, looked at again with the guideline as it is now.",
        ("name", "check_label", "check_flag", *_WHO),
    ),
)
GROUPS = (
    FieldGroup(
        "Which pairs",
        (
            *("query", "source", "has", "label", "projection", "method", "lang", "group", "type", "annotator"),
            *("batch", "not_in", "measure", "low", "high", "sample", "seed", "order", "also_decided"),
        ),
    ),
    FieldGroup("Who judges them, and how", (*_WHO, "times", "dealing", "scheme")),
    FieldGroup("Purpose", ("purpose",)),
    FieldGroup("Rules", ("no_context", "not_own", "not_again", "final")),
    FieldGroup("Which pairs are kept", ("second_sees", "keep", "agree_on")),
    FieldGroup(
        "A crowd: practice, hidden tests, a gate", ("practice", "practice_share", "tests", "every", "gate", "grows")
    ),
    FieldGroup("A quality round instead", ("check_label", "check_flag")),
)
_QUALITY_GROUPS = (FieldGroup("Labels", ("scheme",)),)


def start_named(name: str) -> BatchStart:
    """The start of that name; the form with nothing filled in if there is none."""
    return next((start for start in STARTS if start.name == name), FREE)


def folded_groups(start: BatchStart) -> list[FieldGroup]:
    """The groups of fields that a start does not show, without those that it does."""
    if start.name == REWRITES:
        return []
    groups = _QUALITY_GROUPS if start.name == QUALITY else GROUPS
    rest = [
        FieldGroup(group.title, tuple(name for name in group.fields if name not in start.shown)) for group in groups
    ]
    return [group for group in rest if group.fields]


def suggested_name(start: BatchStart, taken: Collection[str]) -> str:
    """The first name with a number that no batch has."""
    names = (f"{start.name}-{number}" for number in itertools.count(1))
    return next(name for name in names if name not in taken) if start.name else ""
