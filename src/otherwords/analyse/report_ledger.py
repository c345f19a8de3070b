"""What a ledger says about how pairs came to be, as tables: files, documents, steps, batches, guidelines.

Each function takes an open connection and gives one table, with no rows where there is nothing to tell. Of a file only
its name is told: where it lay on somebody's disk is nobody's business.
"""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath
from typing import Any

from sqlalchemy import Connection, func, select

from otherwords.analyse.finding import Cell, Column, Table
from otherwords.project import schema
from otherwords.project.rows import PRESENT

UNKNOWN = "(not told)"
TOLD_ELSEWHERE = ("label", "split", "clusters", "report", "release")  # what comes after the judgements


def tables_of(connection: Connection) -> list[Table]:
    """All of them that have something to tell."""
    told = (_imports, _documents, _pairs, _steps, _batches, _guidelines)
    return [table for make in told if (table := make(connection)).rows]


def _imports(connection: Connection) -> Table:
    one = schema.imports
    columns = (
        Column("file", "file"),
        Column("kind", "kind"),
        Column("read", "read", "count"),
        Column("added", "added", "count"),
        Column("finished", "imported"),
        Column("sha256", "SHA-256"),
    )
    found = connection.execute(select(one).where(one.c.state == "done").order_by(one.c.started, one.c.id)).mappings()
    rows: list[tuple[Cell, ...]] = [
        (
            *(PurePath(row["path"]).name, row["kind"], row["counts"].get("read"), row["counts"].get("added")),
            *(_day(row["finished"]), row["sha256"]),
        )
        for row in found
    ]
    return Table("imports", "Imported files", columns, rows)


def _documents(connection: Connection) -> Table:
    one = schema.documents
    asked = select(one.c.source, one.c.licence, one.c.consent, func.count()).group_by(
        one.c.source, one.c.licence, one.c.consent
    )
    columns = (
        Column("source", "source"),
        Column("licence", "licence"),
        Column("consent", "consent"),
        Column("documents", "documents", "count"),
    )
    rows = [(*(cell or UNKNOWN for cell in row[:3]), row[3]) for row in connection.execute(asked)]
    return Table("documents", "Documents by source and licence", columns, sorted(rows))


def _pairs(connection: Connection) -> Table:
    one = schema.pairs
    asked = select(one.c.source, one.c.method, func.count()).where(PRESENT).group_by(one.c.source, one.c.method)
    columns = (Column("source", "source"), Column("method", "made by"), Column("pairs", "pairs", "count"))
    rows = [(row[0] or UNKNOWN, row[1] or "import", row[2]) for row in connection.execute(asked)]
    return Table("pairs", "Pairs by source", columns, sorted(rows))


def _steps(connection: Connection) -> Table:
    """The last run of every step; what it was told is in the methods."""
    one = schema.steps
    newest = select(func.max(one.c.seq)).where(one.c.state == "done").group_by(one.c.name)
    asked = select(one).where(one.c.seq.in_(newest), one.c.does.not_in(TOLD_ELSEWHERE)).order_by(one.c.seq)
    columns = (
        Column("step", "step"),
        Column("does", "does"),
        Column("parameters", "parameters"),
        Column("rows_in", "in", "count"),
        Column("rows_out", "out", "count"),
        Column("finished", "finished"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            *(row["name"], row["does"], _parameters(row["parameters"])),
            *(row["rows_in"], row["rows_out"], _day(row["finished"])),
        )
        for row in connection.execute(asked).mappings()
    ]
    return Table("steps", "Steps that were run", columns, rows)


def _parameters(parameters: dict[str, Any]) -> str:
    told = {name: PurePath(str(value)).name if name == "path" else value for name, value in parameters.items()}
    return ", ".join(f"{name} = {value}" for name, value in sorted(told.items()))


def _batches(connection: Connection) -> Table:
    one, slots = schema.batches, schema.slots
    asked = (
        select(one, func.count(slots.c.seq).label("slots"), func.count(slots.c.judgement).label("judged"))
        .select_from(one.outerjoin(slots, slots.c.batch == one.c.id))
        .group_by(one.c.seq)
        .order_by(one.c.seq)
    )
    columns = (
        Column("batch", "batch"),
        Column("unit", "unit"),
        Column("scheme", "scheme"),
        Column("purpose", "purpose"),
        Column("asked", "judgements each", "count"),
        Column("slots", "asked for", "count"),
        Column("judged", "given", "count"),
    )
    rows = [
        (row["id"], row["unit"], row["scheme"], row["purpose"], row["asked"], row["slots"], row["judged"])
        for row in connection.execute(asked).mappings()
    ]
    return Table("batches", "Batches", columns, rows)


def _guidelines(connection: Connection) -> Table:
    """By which version of the guidelines judgements were made, and when that was published."""
    one, said = schema.guidelines, schema.judgements
    asked = select(said.c.scheme, said.c.guideline, func.count()).group_by(said.c.scheme, said.c.guideline)
    counts: Counter[tuple[str, str]] = Counter()
    for scheme, guideline, count in connection.execute(asked):
        counts[scheme or UNKNOWN, guideline or UNKNOWN] += count
    published = {
        f"{row.scheme}@{row.version}": _day(row.time)
        for row in connection.execute(select(one.c.scheme, one.c.version, one.c.time))
    }
    columns = (
        Column("scheme", "scheme"),
        Column("guideline", "guideline"),
        Column("published", "published"),
        Column("judgements", "judgements", "count"),
    )
    rows = [(*key, published.get(key[1]), count) for key, count in sorted(counts.items())]
    return Table("guidelines", "Judgements by version of the guidelines", columns, rows)


def _day(time: str | None) -> str | None:
    return time[:10] if time else None
