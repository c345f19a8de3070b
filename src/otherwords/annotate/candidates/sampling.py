"""A balanced sample of the candidates of a project."""

from __future__ import annotations

from otherwords.acquire.sampling import SamplePlan, SampleTable, draw_rows, draw_sample
from otherwords.annotate.candidates.unjudged import unjudged_pairs
from otherwords.errors import DataError
from otherwords.project.project import Project


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
