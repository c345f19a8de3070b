"""The result of a batch so far: disagreements, what its rule keeps, what a round of quality control changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from otherwords.annotate.adjudication.disagreements import CaseOutline, CaseTally, Resolution, case_outlines, settled
from otherwords.annotate.batch_plans.qa_round import PURPOSE, QaCounts, count_changes
from otherwords.annotate.batches.batch import Batch, KeepRule
from otherwords.annotate.batches.keep_rule import KeepDecision, apply_keep_rule
from otherwords.annotate.schemes.scheme import Scheme


@dataclass(frozen=True, slots=True)
class KeepCounts:
    """How many pairs of a batch are kept, and how many are dropped for which reason."""

    kept: int
    dropped: int
    open: int
    reasons: dict[str, int]


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """The parts that a batch of its kind has."""

    settled: Resolution | None = None  # if several judgements of each unit are asked for
    kept: KeepCounts | None = None  # if a rule says which pairs are kept
    qa: QaCounts | None = None


def batch_outcome(connection: Connection, batch: Batch, scheme: Scheme) -> BatchOutcome:
    """The result of a batch so far."""
    qa = count_changes(connection, batch) if batch.purpose == PURPOSE else None
    if batch.asked < 2:
        return BatchOutcome(qa=qa)
    outlines, keep = case_outlines(connection, batch, scheme), batch.rules.keep
    if keep is None:
        return BatchOutcome(settled(outlines), None, qa)
    tally = CaseTally()
    counts = count_decisions(decide_cases(tally.counting(outlines), keep, scheme))
    return BatchOutcome(tally.settled, counts, qa)


def decide_cases(cases: Iterable[CaseOutline], keep: KeepRule, scheme: Scheme) -> Iterator[KeepDecision]:
    """Apply a keep rule to each pair of a batch."""
    return (apply_keep_rule(case.values, keep, scheme, complete=case.complete) for case in cases)


def count_decisions(decisions: Iterable[KeepDecision]) -> KeepCounts:
    """Count decisions by state and reason."""
    states: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for decision in decisions:
        states[decision.state] += 1
        if decision.reason is not None:
            reasons[decision.reason] += 1
    return KeepCounts(states["yes"], states["no"], states["open"], dict(reasons.most_common()))
