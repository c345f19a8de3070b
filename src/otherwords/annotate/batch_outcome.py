"""What has come out of a batch so far: who disagrees about how much, what its rule keeps, what a round changed."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from otherwords.annotate.batches import Batch
from otherwords.annotate.disagreements import Settled, cases, settled
from otherwords.annotate.keeping import KeptCounts, kept_cases, kept_counts
from otherwords.annotate.qa import PURPOSE, Round, round_of
from otherwords.annotate.scheme import Scheme


@dataclass(frozen=True, slots=True)
class Outcome:
    """Each part where the batch is of the kind that has it."""

    settled: Settled | None = None  # more than one judgement of each unit
    kept: KeptCounts | None = None  # a rule about which are kept
    qa: Round | None = None


def outcome(connection: Connection, of: Batch, scheme: Scheme) -> Outcome:
    """What there is to tell about a batch."""
    qa = round_of(connection, of) if of.purpose == PURPOSE else None
    if of.asked < 2:
        return Outcome(qa=qa)
    found = cases(connection, of, scheme)
    kept = kept_counts(kept_cases(found, of.rules.keep, scheme).values()) if of.rules.keep else None
    return Outcome(settled(found), kept, qa)
