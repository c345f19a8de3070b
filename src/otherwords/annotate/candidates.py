"""The candidates of a project, filtered and sampled: pairs that are there to be judged and that nobody has judged yet.

Rewrites, test pairs with a gold label and pairs that came with a label are no candidates. What a rule of a filter
rejects is left out of the corpus, with the reason and a way back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select

from otherwords.acquire.filters.proposal import ThresholdProposal, Values
from otherwords.acquire.filters.run import judged_blocks, refuse_empty
from otherwords.acquire.filters.selected import SelectedRules
from otherwords.acquire.filters.tally import FilterCounts, Tally
from otherwords.acquire.sampling import SamplePlan, SampleTable, draw_rows, draw_sample
from otherwords.annotate.browse.conditions import row_conditions
from otherwords.annotate.browse.filter import Filter
from otherwords.errors import DataError
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, read_records
from otherwords.project.left_out import NOT_LEFT_OUT, leave_out, take_back_reason
from otherwords.project.project import Project
from otherwords.records import Pair
from otherwords.sources.blocks.reading import record_blocks

_pairs = schema.pairs
_WITH_TEXTS = (_pairs.c.text1 != "", _pairs.c.text2 != "", _pairs.c.rewrite_of.is_(None), NOT_LEFT_OUT)
FILTERED = "filter "  # how the reason of a pair that a filter left out begins


def unjudged_pairs(connection: Connection, *, labelled: bool = False) -> Iterator[Pair]:
    """The candidates in their order of arrival; with ``labelled``, also those that came with a label."""
    label = () if labelled else (_pairs.c.label.is_(None),)
    conditions = (*row_conditions(Filter(has="none")), *_WITH_TEXTS, *label)
    return (pair for pair in read_records(connection, Pair, *conditions) if pair.gold is None)


def pairs_in_corpus(connection: Connection) -> int:
    """How many pairs there are that are not left out."""
    return int(connection.execute(select(func.count()).select_from(_pairs).where(PRESENT, *_WITH_TEXTS)).scalar_one())


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


def sample_candidates(
    project: Project, plan: SamplePlan, *, tokeniser: str | None = None, labelled: bool = False
) -> tuple[SampleTable, list[str]]:
    """The table of the draw, and the ids of the drawn pairs in their order of arrival."""
    with project.ledger.reading() as connection:
        rows, signature = draw_rows(unjudged_pairs(connection, labelled=labelled), plan, project.config.lang, tokeniser)
    if not rows:
        message = f"{project.folder}: all pairs are judged or labelled already, so there is nothing to draw from"
        raise DataError(message, code="no-candidates")
    chosen, table = draw_sample(rows, plan, signature)
    return table, [rows[row].id for row in chosen]
