"""Store imported records: each file once, each document once, however often an import is begun.

The id of a document follows from its content, so a file that is imported again, or an import that was killed and is run
again, adds nothing twice. What was withdrawn stays out. A file that comes in with other options replaces what it
brought before (see ``earlier_imports``), and a file that is refused leaves nothing behind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
from sqlalchemy import Connection, RowMapping, Table, delete, or_, select, update

from otherwords.errors import DataError
from otherwords.project.file_digests import file_digest
from otherwords.project.importing.earlier_imports import (
    REPLACED,
    brought_by,
    count_rows,
    mark_replaced,
    remove_unused,
)
from otherwords.project.ledger import insert_new, schema
from otherwords.project.ledger.rows import TABLES, Row, in_blocks, row_dicts, row_of
from otherwords.project.project import Project, now
from otherwords.project.withdrawal.erase_rows import withdrawals
from otherwords.project.withdrawal.pseudonyms import Pseudonyms
from otherwords.records import Document, Judgement, Pair, Record

ROWS_A_TRANSACTION = 500
Earlier = Literal["replace", "keep"]
LICENSED = (Document, Pair)
FEW = 5  # ids that a message names
SIDES = {f"{name}{side}": f"doc{side}" for name in ("start", "end") for side in "12"}  # columns of a passage
# The columns of a pair that say nothing about what people judged.
CORRECTED = ("lang", "source", "group", "time", "licence", "doc1", "doc2", *SIDES, "method", "scores", "meta")


@dataclass(slots=True)
class ImportResult:
    """What an import added, and what it left out."""

    path: str
    read: int = 0
    added: int = 0
    known: int = 0
    withdrawn: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    marked: dict[str, int] = field(default_factory=dict)
    again: bool = False
    licence: str | None = None  # of documents and pairs that do not state their own
    relicensed: dict[str, int] = field(default_factory=dict)  # those that had this other licence, or none
    unlicensed: int = 0  # documents, and pairs that are not from documents, without any licence
    relabelled: list[str] = field(default_factory=list)  # ids of pairs that have another label here, which is kept
    noun: str = ""  # where a file brings records of several kinds
    replaced: int = 0  # rows of an earlier import of the file that this one took the place of
    in_use: int = 0  # rows of an earlier import of the file that stay, because somebody used them
    renamed: dict[str, str] = field(default_factory=dict)  # annotators whose names other people have here
    corrected: dict[str, int] = field(default_factory=dict)  # pairs in use that got another value, by field
    same_path: int = 0  # rows that other content of the same path brought, with other options
    outside: dict[str, int] = field(default_factory=dict)  # labels that the scheme of the project does not have
    refused_rows: str | None = None  # the file that has them, if there is one
    answers: list[str] = field(default_factory=list)  # sentences about labels that were renamed or are outside

    def counts(self) -> dict[str, int | dict[str, int]]:
        names = ("read", "added", "known", "withdrawn", "skipped", "marked", *(["corrected"] if self.corrected else []))
        return {name: getattr(self, name) for name in names}

    def as_dict(self) -> dict[str, object]:
        """The JSON form."""
        others = {
            "relicensed": self.relicensed,
            "unlicensed": self.unlicensed,
            "replaced": self.replaced,
            "in_use": self.in_use,
            "corrected": self.corrected,
            "renamed": self.renamed,
            "outside": self.outside,
        }
        noun = {"noun": self.noun} if self.noun else {}
        return {"path": self.path, **noun, "again": self.again, **self.counts(), **others}

    def lines(self) -> Iterator[str]:
        """The result in sentences."""
        if self.again:
            yield f"{self.path}: {f'{self.noun} were' if self.noun else 'was'} imported before; nothing to add"
            return
        noun = f" {self.noun.removesuffix('s') if self.read == 1 else self.noun}" if self.noun else ""
        yield f"{self.path}: {self.read:,}{noun} read, {self.added:,} added"
        if self.replaced:
            yield f"  replaced: {self.replaced:,} that an earlier import of this file brought"
        if self.corrected:
            fields = ", ".join(f"{name} of {count:,}" for name, count in sorted(self.corrected.items()))
            yield f"  corrected in pairs that are judged or used: {fields}"
        if self.in_use:
            yield f"  kept from an earlier import of this file, because they are judged or used: {self.in_use:,}"
        if self.same_path:
            yield f"  here from other content of this path: {self.same_path:,}; --earlier replace takes their place"
        if self.renamed:
            first = ", ".join(f"{name} → {new}" for name, new in list(self.renamed.items())[:FEW])
            more = ", …" if len(self.renamed) > FEW else ""
            yield f"  annotators whose names others have here: {len(self.renamed):,} ({first}{more})"
        if self.known:
            yield f"  here already: {self.known:,}"
        if self.relabelled:
            first = ", ".join(self.relabelled[:FEW]) + ("…" if len(self.relabelled) > FEW else "")
            count = len(self.relabelled)
            yield f"  here with another label, which is kept: {count:,} ({first}); judge again to change it"
        for licence, count in sorted(self.relicensed.items()):
            yield f"  licence set to {self.licence}: {count:,} × {f'was {licence}' if licence else 'had none'}"
        if self.unlicensed:
            yield f"  without a licence, which a release needs: {self.unlicensed:,}; import again with --licence NAME"
        if self.withdrawn:
            yield f"  withdrawn, and therefore left out: {self.withdrawn:,}"
        yield from self.answers
        for heading, counts in (("noted", self.marked), ("refused", self.skipped)):
            for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
                yield f"  {heading}: {count:,} × {reason}"
        if self.skipped and self.refused_rows:
            yield f"  what was refused is in {self.refused_rows}"


@dataclass(frozen=True, slots=True)
class BegunImport:
    """An import that is under way: what the same file brought before, with these options and with others."""

    id: str
    table: Table
    before: ImportResult | None = None  # the result, if the file was imported with these options
    earlier: tuple[str, ...] = ()  # imports with other options, which this one replaces
    same_path: int = 0


def add_records(project: Project, records: Iterable[Record], begun: BegunImport, result: ImportResult) -> None:
    """Insert documents, pairs or judgements into the ledger, a few hundred in each transaction."""
    pseudonyms: Pseudonyms | None = None
    for block in in_blocks(records, ROWS_A_TRANSACTION):
        kind = type(block[0])
        with project.ledger.writing() as connection:
            pseudonyms = pseudonyms or Pseudonyms(connection)
            all_rows = [_row(record, begun.id) for record in block]
            all_rows = pseudonyms.in_rows(connection, TABLES[kind], all_rows)
            withdrawn = withdrawals(connection, TABLES[kind], all_rows)
            rows = [row for row in all_rows if row["id"] not in withdrawn]
            result.withdrawn += len(all_rows) - len(rows)
            if begun.earlier:
                rows = _replace_earlier(connection, TABLES[kind], rows, begun, result)
            added = insert_new(connection, TABLES[kind], rows)
            if kind is Pair and added < len(rows):
                _compare_pairs(connection, rows, result)
            if kind in LICENSED and added < len(rows) and result.licence:
                _relicense(connection, TABLES[kind], rows, result)
            if kind in LICENSED:
                result.unlicensed += sum(not (row["licence"] or _has_documents(row)) for row in rows)
        result.read += len(block)
        result.added += added
        result.known += len(rows) - added


def _has_documents(row: Row) -> bool:
    """Whether the licences of a pair are those of the documents that both of its texts are from."""
    return bool(row.get("doc1") and row.get("doc2"))


def _replace_earlier(
    connection: Connection, table: Table, rows: list[Row], begun: BegunImport, result: ImportResult
) -> list[Row]:
    """Make room for rows that earlier imports brought; the rows without those that somebody used, which stay.

    A licence that was named for the file stays as long as no other one is.
    """
    same = (brought_by(table, begun.earlier), table.c.id.in_([row["id"] for row in rows]))
    before = {row["id"]: row for row in row_dicts(connection.execute(select(table).where(*same)))}
    if "licence" in table.c:
        rows = [row | {"licence": row["licence"] or before.get(row["id"], row)["licence"]} for row in rows]
    result.replaced += remove_unused(connection, table, begun.earlier, list(before))
    in_use = set(connection.execute(select(table.c.id).where(*same)).scalars())
    if table is schema.pairs:
        _correct_pairs(connection, [(before[row["id"]], row) for row in rows if row["id"] in in_use], result)
    return [row for row in rows if row["id"] not in in_use]


def _correct_pairs(connection: Connection, pairs: list[tuple[Row, Row]], result: ImportResult) -> None:
    """Correct pairs that are judged or used, each given as it is and as it should be.

    What people judged stays as it is: a pair with other texts is not changed, and a label or gold label not either.
    """
    table = schema.pairs
    for old, new in pairs:
        if (old["text1"], old["text2"]) != (new["text1"], new["text2"]):
            continue
        if any(new[name] is not None and new[name] != old[name] for name in ("label", "gold")):
            result.relabelled.append(new["id"])
        changes = {name: new[name] for name in CORRECTED if new[name] != old[name]}
        corrected = {SIDES.get(name, name) for name in changes}
        result.corrected |= {name: result.corrected.get(name, 0) + 1 for name in corrected}
        result.known += 1
        changes["import_id"] = new["import_id"]
        connection.execute(update(table).where(table.c.id == new["id"]).values(**changes))


def _row(record: Record, import_id: str) -> Row:
    """The row of a record with its import; a judgement has no column for that."""
    if isinstance(record, Judgement):
        return row_of(msgspec.structs.replace(record, meta=record.meta | {"import": import_id}))
    return row_of(record, import_id=import_id)


def _compare_pairs(connection: Connection, rows: list[Row], result: ImportResult) -> None:
    """Refuse a pair that has the id of another one, and note labels that differ."""
    table = schema.pairs
    columns = (table.c.text1, table.c.text2, table.c.label, table.c.gold)
    same_ids = select(table.c.id, *columns).where(table.c.id.in_([row["id"] for row in rows]))
    known = {pair: tuple(values) for pair, *values in connection.execute(same_ids)}
    for row in rows:
        *texts, label, gold = known[row["id"]]
        if texts != [row["text1"], row["text2"]]:
            reason = f"pair {row['id']}: the project has another pair with this id; give it a new one"
            raise DataError(reason, result.path, code="duplicate-id")
        if any(new is not None and new != old for new, old in ((row["label"], label), (row["gold"], gold))):
            result.relabelled.append(row["id"])


def _relicense(connection: Connection, table: Table, rows: list[Row], result: ImportResult) -> None:
    """Give documents or pairs that are here the licence of this import; one that states its own keeps it."""
    ids = [row["id"] for row in rows if row["licence"] == result.licence]
    differing = (table.c.id.in_(ids), table.c.licence.is_distinct_from(result.licence))
    rows_here = connection.execute(select(table.c.id, table.c.licence).where(*differing))
    licences = {row.id: row.licence or "" for row in rows_here}
    connection.execute(update(table).where(table.c.id.in_(list(licences))).values(licence=result.licence))
    for licence in licences.values():
        result.relicensed[licence] = result.relicensed.get(licence, 0) + 1


def begin_import(
    project: Project, kind: str, table: Table, path: Path, options: Mapping[str, object], earlier: Earlier | None = None
) -> BegunImport:
    """Record that a file is being imported; a file that was imported before with the same options has its result."""
    sha256 = file_digest(path)
    decisive = {name: value for name, value in options.items() if name != "licence"}
    identity = msgspec.json.encode({"kind": kind, "options": decisive, "sha256": sha256}, order="sorted")
    import_id = hashlib.sha256(identity).hexdigest()[:16]
    imports = schema.imports
    with project.ledger.writing() as connection:
        before = connection.execute(select(imports).where(imports.c.id == import_id)).mappings().first()
        if before is not None and before["state"] == "done":
            result = ImportResult(str(path), **before["counts"], again=True, licence=before["options"].get("licence"))
            return BegunImport(import_id, table, result)
        row = {"id": import_id, "kind": kind, "path": str(path.absolute()), "sha256": sha256, "options": options}
        if before is None:
            connection.execute(imports.insert().values(**row, state="running", counts={}, started=now()))
        else:
            connection.execute(update(imports).where(imports.c.id == import_id).values(state="running"))
        others = [other for other in _other_imports(connection, row) if earlier != "keep"]
        replaces = tuple(other["id"] for other in others if other["sha256"] == sha256 or earlier == "replace")
        left = [other["id"] for other in others if other["id"] not in replaces]
        return BegunImport(import_id, table, None, replaces, count_rows(connection, table, left))


def _other_imports(connection: Connection, row: Mapping[str, object]) -> list[RowMapping]:
    """Imports of the same file or path with other options; a licence may change, and is no other option."""
    imports = schema.imports
    same_place = or_(imports.c.sha256 == row["sha256"], imports.c.path == row["path"])
    kept = (imports.c.kind == row["kind"], imports.c.id != row["id"], imports.c.state != REPLACED)
    found = connection.execute(select(imports).where(same_place, *kept)).mappings().all()
    options = msgspec.convert(row["options"], dict[str, object])
    return [other for other in found if {**other["options"], "licence": None} != {**options, "licence": None}]


def take_back(project: Project, begun: BegunImport) -> None:
    """Remove what a refused import brought, and the record of it, unless it was in before or replaced something."""
    if begun.before is not None:
        return
    imports = schema.imports
    with project.ledger.writing() as connection:
        if not begun.earlier:
            remove_unused(connection, begun.table, [begun.id])
        if not count_rows(connection, begun.table, [begun.id]):
            connection.execute(delete(imports).where(imports.c.id == begun.id))


def finish_import(project: Project, begun: BegunImport, options: Mapping[str, object], result: ImportResult) -> None:
    """Record that an import is complete; the counts include what an earlier reading of the file added."""
    imports, before = schema.imports, begun.before
    with project.ledger.writing() as connection:
        if begun.earlier:
            result.replaced += remove_unused(connection, begun.table, begun.earlier)
            result.in_use = count_rows(connection, begun.table, begun.earlier)
            mark_replaced(connection, begun.earlier)
        result.same_path, counts = begun.same_path, result.counts()
        if before is not None:
            counts |= {"added": before.added + result.added, "known": max(0, result.known - before.added)}
        values = {"state": "done", "options": options, "counts": counts, "finished": now()}
        connection.execute(update(imports).where(imports.c.id == begun.id).values(**values))
