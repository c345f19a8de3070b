"""How well encoders find known pairs in a project's pool of sentences, in a report (Kanerva et al. 2023, §8)."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import desc, select

from otherwords.analyse.finding import Column, Finding, Table
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import is_whole, open_dataset
from otherwords.project.project import open_project

KIND = "mine-rank"  # the kind of step that writes the ranks
ABOUT = (
    "The pairs of the test part are hidden among the sentences of the project's pool. With the first text of each, all "
    "sentences are ordered by how near they are, and the rank of the second is counted (Figures 8 to 11). The mean "
    "rank is in per cent of all candidates; 0 is perfect, and negatives should be far away."
)
_COLUMNS = {
    "encoder": Column("encoder", "encoder"),
    "label": Column("label", "label"),
    "n": Column("n", "pairs", "count"),
    "candidates": Column("candidates", "candidates", "count"),
    "mean_rank": Column("mean_rank", "mean rank, %", "number"),
}


def retrieval_finding(folder: Path) -> Finding | None:
    """The ranks of the last run of a project; None if it has none."""
    steps = schema.steps
    done = (steps.c.kind == KIND, steps.c.state == "done", steps.c.output.is_not(None))
    with open_project(folder) as project, project.ledger.reading() as connection:
        last = select(steps.c.output).where(*done).order_by(desc(steps.c.seq)).limit(1)
        output = connection.execute(last).scalar_one_or_none()
    if output is None or not is_whole(folder / output):
        return None
    ranks = open_dataset(folder / output)
    cells = ranks.table()
    columns = [_COLUMNS.get(name) or _share(name) for name in cells.column_names]
    rows = [list(row.values()) for row in cells.to_pylist()]
    table = Table("ranks", "Ranks of known pairs", columns, rows)
    signatures = {str(encoder): str(signature) for encoder, signature in ranks.summary.items()}
    return Finding("retrieval", "How well paraphrases are found", ABOUT, [table], signatures=signatures)


def _share(name: str) -> Column:
    """The column of ``top10``: how many are among the first ten."""
    return Column(name, f"among the first {int(name.removeprefix('top')):,}", "share")
