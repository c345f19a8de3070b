"""Counts of anonymous votes for yes and no.

Pairs keep the counts in ``meta.votes``; as judgements, each vote is one judgement without an annotator. Measures that
only need counts can use these, measures that need to know who voted cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from otherwords.records import Judgement, Pair, Record

SCHEME = "binary-loose"
_TWO_NUMBERS = re.compile(r"\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)")


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes on one pair."""

    yes: int
    no: int

    def label(self, positive_from: int, negative_to: int) -> str | None:
        """1 or 0 by the number of votes for yes; None between the thresholds, where the pair is debatable."""
        if self.yes >= positive_from:
            return "1"
        return "0" if self.yes <= negative_to else None

    def as_meta(self, label: str | None) -> dict[str, object]:
        """The fields of ``Pair.meta`` for these votes."""
        return {"votes": {"yes": self.yes, "no": self.no}} | ({} if label is not None else {"debatable": True})

    def judgements(self, pair: str) -> Iterator[Judgement]:
        """One judgement per vote, those for yes first."""
        for number, value in enumerate([True] * self.yes + [False] * self.no, 1):
            yield Judgement(id=f"{pair}/{number}", pair=pair, value=value, scheme=SCHEME, kind="vote")


def parse_counts(cell: str) -> tuple[int, int] | None:
    """The numbers of ``(3, 2)``; None if the cell is not of that form."""
    match = _TWO_NUMBERS.fullmatch(cell.strip())
    return (int(match[1]), int(match[2])) if match else None


def votes_of(record: Record) -> Votes | None:
    """The votes in the ``meta`` of a pair."""
    counts = record.meta.get("votes") if isinstance(record, Pair) else None
    if isinstance(counts, dict) and isinstance(counts.get("yes"), int) and isinstance(counts.get("no"), int):
        return Votes(counts["yes"], counts["no"])
    return None
