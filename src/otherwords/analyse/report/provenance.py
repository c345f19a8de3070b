"""The provenance of a corpus as a finding: files with their digests, sources with their licences, batches, guidelines.

For a project, all of it comes from the ledger; for a file or a release, there is its name and its digest. Nothing here
depends on the clock, and only the name of a file is given: its location on somebody's disk does not belong in a report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import Connection, func, select

from otherwords.analyse.finding import PAIRS, Cell, Column, Finding, Table, plain_columns
from otherwords.analyse.judgement_tables import BY_PEOPLE
from otherwords.analyse.report.making import LabelOrigin, label_origins
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.labels.pair_labels import NOT_A_TEST
from otherwords.corpus.corpus import Corpus
from otherwords.corpus.labels.step import labels_table
from otherwords.project.file_digests import file_digest
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.project.project import open_project

NAME = "provenance"
TITLE = "Provenance"
UNKNOWN = "(not recorded)"
FOR_LABELS = ("production", "agreement", "qa")
LATER_STEPS = ("label", "split", "clusters", "report", "release")  # those after the judgements


def provenance(corpus: Corpus, *, simulated: bool = False) -> Finding:
    """Where a corpus comes from: a project's pairs and labels by its ledger, anything else by its digest."""
    if corpus.kind != "project":
        columns = (Column("file", "file"), Column("sha256", "SHA-256"))
        row = (corpus.path.resolve().name, file_digest(corpus.path))
        kind = "The release" if corpus.kind == "release" else "The file"
        about = f"{kind} from which everything here was computed; equal digests mean identical bytes."
        origins = _origins_table(label_origins(corpus.pairs()) if corpus.kind == "release" else {})
        tables = [Table("files", "Files", columns, [row]), *([origins] if origins.rows else [])]
        return Finding(NAME, TITLE, about, tables)
    with open_project(corpus.path) as project:
        labels = labels_table(project, simulated=simulated).table(["state", "made_by", "reason", "judgements"])
        labelled = labels.filter(pc.equal(labels["state"], "labelled"))
        states = _count_pairs("states", "Pairs by state", labels, ("state", "reason"))
        numbers = pc.list_value_length(labelled["judgements"]).to_pylist()
        origins = _origins_table(Counter(zip(labelled["made_by"].to_pylist(), numbers, strict=True)))
        with project.ledger.reading() as connection:
            tables = [states, origins, *ledger_tables(connection)]
    about = "What the project's ledger records about the origin of the pairs and of their labels."
    return Finding(NAME, TITLE, about, [table for table in tables if table.rows])


def last_judgement(corpus: Corpus) -> str | None:
    """The day of the last judgement in a project."""
    if corpus.kind != "project":
        return None
    with open_project(corpus.path) as project, project.ledger.reading() as connection:
        last = connection.execute(select(func.max(schema.judgements.c.time))).scalar()
    return str(last)[:10] if last else None


def _count_pairs(name: str, title: str, labels: pa.Table, keys: tuple[str, ...]) -> Table:
    groups = labels.group_by(list(keys)).aggregate([([], "count_all")]).to_pylist()
    rows = [(*(group[key] for key in keys), group["count_all"]) for group in groups]
    rows.sort(key=lambda row: (-row[-1], *(str(cell) for cell in row[:-1])))
    columns = [Column(key, key) for key in keys]
    return Table(name, title, (*columns, Column("pairs", "pairs", "count")), rows)


def _origins_table(origins: Mapping[LabelOrigin, int]) -> Table:
    columns = (Column("made_by", "origin"), Column("judgements", "judgements", "count"), PAIRS)
    rows = [(*origin, count) for origin, count in sorted(origins.items(), key=lambda item: (-item[1], item[0]))]
    return Table("made_by", "Pairs by origin of the label", columns, rows)


@dataclass(frozen=True, slots=True)
class AnnotationWork:
    """How many current judgements of pairs labels may rest on, by how many annotators, and between which days."""

    judgements: int = 0
    annotators: int = 0
    first: str | None = None
    last: str | None = None
    others: Mapping[str, int] = field(default_factory=dict)  # by purpose: those that make no label


def annotation_work(connection: Connection) -> AnnotationWork:
    """Count the judgements that annotators made on their own; a consensus or an answer to a hidden test is none."""
    column = schema.judgements.c
    counts = (func.count(), func.count(column.annotator.distinct()), func.min(column.time), func.max(column.time))
    by_people = (column.annotator.is_not(None), column.kind.in_(BY_PEOPLE), NOT_A_TEST, is_current())
    about_pairs = (column.unit == "pair", *by_people)
    query = select(*counts).select_from(schema.judgements).where(column.purpose.in_(FOR_LABELS), *about_pairs)
    count, annotators, first, last = connection.execute(query).one()
    others = select(column.purpose, func.count()).where(column.purpose.not_in(FOR_LABELS), *about_pairs)
    by_purpose = connection.execute(others.group_by(column.purpose).order_by(column.purpose))
    return AnnotationWork(count, annotators, _day(first), _day(last), {row[0]: row[1] for row in by_purpose})


def ledger_tables(connection: Connection) -> list[Table]:
    """All tables that have rows."""
    tables = (table(connection) for table in (_imports, _documents, _pairs, _steps, _batches, _guidelines))
    return [table for table in tables if table.rows]


def _imports(connection: Connection) -> Table:
    imports = schema.imports
    ends = (Column("finished", "imported"), Column("sha256", "SHA-256"))
    columns = (*plain_columns("text", "file", "kind"), *plain_columns("count", "read", "added"), *ends)
    query = select(imports).where(imports.c.state == "done").order_by(imports.c.started, imports.c.id)
    rows: list[tuple[Cell, ...]] = []
    for row in connection.execute(query):
        counts = (row.counts.get("read"), row.counts.get("added"))
        rows.append((PurePath(row.path).name, row.kind, *counts, _day(row.finished), row.sha256))
    return Table("imports", "Imported files", columns, rows)


def _documents(connection: Connection) -> Table:
    documents = schema.documents
    keys = (documents.c.source, documents.c.licence, documents.c.consent)
    columns = (*plain_columns("text", "source", "licence", "consent"), *plain_columns("count", "documents"))
    counts = connection.execute(select(*keys, func.count()).group_by(*keys))
    rows = [(*(cell or UNKNOWN for cell in row[:3]), row[3]) for row in counts]
    return Table("documents", "Documents by source and licence", columns, sorted(rows))


def _pairs(connection: Connection) -> Table:
    keys = (schema.pairs.c.source, schema.pairs.c.method)
    columns = (Column("source", "source"), Column("method", "made by"), PAIRS)
    counts = connection.execute(select(*keys, func.count()).where(PRESENT).group_by(*keys))
    rows = [(source or UNKNOWN, method or "import", count) for source, method, count in counts]
    return Table("pairs", "Pairs by source", columns, sorted(rows))


def _steps(connection: Connection) -> Table:
    """The last completed run of every step."""
    steps = schema.steps
    newest = select(func.max(steps.c.seq)).where(steps.c.state == "done").group_by(steps.c.name)
    query = select(steps).where(steps.c.seq.in_(newest), steps.c.kind.not_in(LATER_STEPS)).order_by(steps.c.seq)
    names, counts = plain_columns("text", "step", "kind", "parameters"), plain_columns("count", "rows_in", "rows_out")
    rows: list[tuple[Cell, ...]] = []
    for row in connection.execute(query):
        values = sorted(row.parameters.items())
        shown = (f"{name} = {PurePath(str(value)).name if name == 'path' else value}" for name, value in values)
        rows.append((row.name, row.kind, ", ".join(shown), row.rows_in, row.rows_out, _day(row.finished)))
    return Table("steps", "Completed steps", (*names, *counts, Column("finished", "finished")), rows)


def _batches(connection: Connection) -> Table:
    batches, slots = schema.batches, schema.slots
    query = (
        select(batches, func.count(slots.c.seq).label("slots"), func.count(slots.c.judgement).label("judged"))
        .select_from(batches.outerjoin(slots, slots.c.batch == batches.c.id))
        .group_by(batches.c.seq)
        .order_by(batches.c.seq)
    )
    requested = (Column("asked", "judgements per unit", "count"), Column("slots", "requested", "count"))
    names = plain_columns("text", "batch", "unit", "scheme", "purpose")
    columns = (*names, *requested, Column("judged", "judged", "count"))
    fields = ("id", "unit", "scheme", "purpose", "asked", "slots", "judged")
    rows = [tuple(row[field] for field in fields) for row in connection.execute(query).mappings()]
    return Table("batches", "Batches", columns, rows)


def _guidelines(connection: Connection) -> Table:
    """The versions of the guidelines that judgements followed, and when each was published."""
    guidelines, judgements = schema.guidelines, schema.judgements
    keys = (judgements.c.scheme, judgements.c.guideline)
    counts: Counter[tuple[str, str]] = Counter()
    for scheme, guideline, count in connection.execute(select(*keys, func.count()).group_by(*keys)):
        counts[scheme or UNKNOWN, guideline or UNKNOWN] += count
    versions = connection.execute(select(guidelines.c.scheme, guidelines.c.version, guidelines.c.time))
    published = {f"{scheme}@{version}": _day(time) for scheme, version, time in versions}
    columns = (*plain_columns("text", "scheme", "guideline", "published"), Column("judgements", "judgements", "count"))
    rows = [(*key, published.get(key[1]), count) for key, count in sorted(counts.items())]
    return Table("guidelines", "Judgements by version of the guidelines", columns, rows)


def _day(time: str | None) -> str | None:
    return time[:10] if time else None
