"""Where a corpus comes from, as a finding: files with their digests, sources with their licences, batches, guidelines.

Of a project all of it is in the ledger; of a file there is its name, its digest and what was read of it. Nothing here
depends on the clock.
"""

from __future__ import annotations

from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
from sqlalchemy import func, select

from otherwords.analyse.finding import Column, Finding, Table
from otherwords.analyse.report_ledger import tables_of
from otherwords.corpus.corpora import Corpus
from otherwords.corpus.labelling import labels_table
from otherwords.project import schema
from otherwords.project.imports import file_digest
from otherwords.project.project import Project, opened

NAME = "provenance"
TITLE = "Provenance"


def provenance(corpus: Corpus, *, simulated: bool = False) -> Finding:
    """Where a corpus comes from."""
    if corpus.kind != "project":
        return _of_file(corpus)
    with opened(corpus.path) as project:
        states = _states(project, simulated)
        with project.ledger.reading() as connection:
            tables = [*states, *tables_of(connection)]
    about = "What the project's ledger says about how the pairs came to be and how their labels were made."
    return Finding(NAME, TITLE, about, [table for table in tables if table.rows])


def last_judgement(corpus: Corpus) -> str | None:
    """The day of the last judgement of a project."""
    if corpus.kind != "project":
        return None
    with opened(corpus.path) as project, project.ledger.reading() as connection:
        last = connection.execute(select(func.max(schema.judgements.c.time))).scalar()
    return str(last)[:10] if last else None


def _of_file(corpus: Corpus) -> Finding:
    columns = (Column("file", "file"), Column("sha256", "SHA-256"))
    row = (corpus.path.resolve().name, file_digest(corpus.path))
    kind = "The release" if corpus.kind == "release" else "The file"
    about = f"{kind} that everything here was computed from; the same digest means the same bytes."
    return Finding(NAME, TITLE, about, [Table("files", "Files", columns, [row])])


def _states(project: Project, simulated: bool) -> list[Table]:
    """What became of each pair: by state, and by what made its label."""
    rows = pq.read_table(labels_table(project, simulated=simulated), columns=["state", "made_by", "reason"])
    told: list[tuple[str, str, tuple[str, ...]]] = [
        ("states", "What became of the pairs", ("state", "reason")),
        ("made_by", "What made the labels", ("made_by",)),
    ]
    return [_counted(name, title, rows, columns) for name, title, columns in told]


def _counted(name: str, title: str, rows: Any, columns: tuple[str, ...]) -> Table:
    if columns == ("made_by",):
        rows = rows.filter(pc.equal(rows["state"], "labelled"))
    grouped = rows.group_by(list(columns)).aggregate([([], "count_all")]).to_pylist()
    counted = [(*(row[column] for column in columns), row["count_all"]) for row in grouped]
    counted.sort(key=lambda row: (-row[-1], *(str(cell) for cell in row[:-1])))
    titles = {"made_by": "by"}
    return Table(
        name,
        title,
        (*(Column(column, titles.get(column, column)) for column in columns), Column("pairs", "pairs", "count")),
        counted,
    )
