"""Counted votes: how many said yes, how many no, and nobody knows who.

A format reads the counts; pairs keep them in ``meta.votes``, and whoever asks for judgements gets
one anonymous judgement a vote. Measures on counts use these; what needs to know who voted refuses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from otherwords.records import Judgement, Pair, Record

SCHEME = "binary-loose"
_TWO_NUMBERS = re.compile(r"\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)")


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes on one pair."""

    yes: int
    no: int

    def label(self, positive_from: int, negative_to: int) -> str | None:
        """1 or 0 by the number of votes for yes; None between the thresholds, where it is debatable."""
        if self.yes >= positive_from:
            return "1"
        return "0" if self.yes <= negative_to else None

    def as_meta(self, label: str | None) -> dict[str, Any]:
        """What a pair keeps of its votes."""
        votes: dict[str, Any] = {"votes": {"yes": self.yes, "no": self.no}}
        return votes if label is not None else {**votes, "debatable": True}

    def judgements(self, pair: str) -> Iterator[Judgement]:
        """One a vote, those for yes first."""
        for number, value in enumerate([True] * self.yes + [False] * self.no, 1):
            yield Judgement(id=f"{pair}/{number}", pair=pair, value=value, scheme=SCHEME, kind="vote")


def two_numbers(cell: str) -> tuple[int, int] | None:
    """The numbers of ``(3, 2)``; None if the cell is not of that form."""
    match = _TWO_NUMBERS.fullmatch(cell.strip())
    return (int(match[1]), int(match[2])) if match else None


def votes_of(record: Record) -> Votes | None:
    """The votes that a pair carries."""
    counts = record.meta.get("votes") if isinstance(record, Pair) else None
    if isinstance(counts, dict) and isinstance(counts.get("yes"), int) and isinstance(counts.get("no"), int):
        return Votes(counts["yes"], counts["no"])
    return None
