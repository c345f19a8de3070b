"""Filter the candidates of a project: what a rule rejects is left out of the corpus, with the reason and a way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from otherwords.acquire.filters.proposal import ThresholdProposal, Values
from otherwords.acquire.filters.run import judged_blocks, refuse_empty
from otherwords.acquire.filters.selected import SelectedRules
from otherwords.acquire.filters.tally import FilterCounts, Tally
from otherwords.annotate.candidates.unjudged import pairs_in_corpus, unjudged_pairs
from otherwords.errors import DataError
from otherwords.project.left_out import leave_out, take_back_reason
from otherwords.project.project import Project
from otherwords.sources.blocks.reading import record_blocks

FILTERED = "filter "  # how the reason of a pair that a filter left out begins


@dataclass(frozen=True, slots=True)
class ProjectFilter:
    """What a filter did in a project."""

    counts: FilterCounts
    others: int  # pairs that are no candidates: judged, labelled or tests
    left_out: int
    proposals: list[ThresholdProposal] = field(default_factory=list)


def filter_candidates(
    project: Project,
    specs: Sequence[str],
    *,
    tokeniser: str | None = None,
    examples: int = 0,
    propose: float | None = None,
    dry_run: bool = False,
    jobs: int | None = None,
) -> ProjectFilter:
    """Leave out the candidates that a rule rejects; with ``dry_run``, or for proposals, only count them."""
    rules = SelectedRules(specs, project.config.lang, tokeniser)
    tally, values = Tally(rules, examples), Values(rules) if propose is not None else None
    by_reason: dict[str, list[str]] = {}
    with project.ledger.reading() as connection:
        for block, decisions in judged_blocks(record_blocks(unjudged_pairs(connection)), rules, jobs):
            if values is not None:
                values.add(decisions)
            _, rejected = tally.add(block, decisions)
            first = decisions.first
            for row in rejected.tolist():
                reason = rules.reason(int(first[row]), int(decisions.verdicts[first[row], row]))
                by_reason.setdefault(reason, []).append(block.id(row))
        others = pairs_in_corpus(connection) - tally.pairs
    counts = tally.counts()
    if not counts.pairs:
        message = f"{project.folder}: all pairs are judged or labelled already, so there is nothing to filter"
        raise DataError(message, code="no-candidates")
    left_out = 0
    if not dry_run and propose is None:
        refuse_empty(counts, str(project.folder))
        with project.ledger.writing() as connection:
            for reason, pairs in by_reason.items():
                left_out += len(leave_out(connection, pairs, f"{FILTERED}{reason}"))
    proposals = values.proposals(propose) if values is not None and propose is not None else []
    return ProjectFilter(counts, others, left_out, proposals)


def undo_filters(project: Project) -> list[str]:
    """Take back all pairs that filters left out."""
    with project.ledger.writing() as connection:
        return take_back_reason(connection, FILTERED)
