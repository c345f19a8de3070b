"""A small project with something in every table, for the tests that take a project apart and put it together."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import Connection, insert, select

from otherwords.project import Project, schema
from otherwords.project.rows import TABLES, row_of
from otherwords.records import Document, DocumentPair, Gold, Judgement, Pair, Part, Passage, Record

SECRET = "The heron stood in the reeds until the ferry had gone."
OTHER = "Until the boat left, a grey bird was standing among the rushes."
KEY = "0123456789abcdef"
POSTS = f"tables/posts/{KEY}.parquet"
RECORDS: list[tuple[Record, dict[str, Any]]] = [
    (
        Document(
            id="groups-a",
            text=SECRET,
            lang="en",
            source="translations",
            group="birds",
            licence="CC0",
            consent="written",
            meta={"file": "birds/a.txt", "title": "Heron at dusk"},
        ),
        {"import_id": "i1"},
    ),
    (Document(id="groups-b", text=OTHER, lang="en", source="translations", group="birds"), {"import_id": "i1"}),
    (Document(id="groups-c", text="Bread rises in a warm kitchen.", source="translations"), {"import_id": "i1"}),
    (
        DocumentPair(
            id="dp1",
            doc1="groups-a",
            doc2="groups-b",
            part=Part(start1=0, end1=9, start2=0, end2=5),
            similarity=0.5,
            group="birds",
            method="groups",
            status="candidate",
            meta={"draw": 3},
        ),
        {"step": "pairing", "step_key": KEY},
    ),
    (
        DocumentPair(id="dp2", doc1="groups-b", doc2="groups-c", similarity=1 / 3, method="groups"),
        {"step": "pairing", "step_key": KEY},
    ),
    (
        Pair(
            id="p1",
            text1=SECRET,
            text2=OTHER,
            doc1=Passage(id="groups-a", start=0, end=54),
            doc2=Passage(id="groups-b", start=0, end=63),
            scores={"bleu": 0.1, "jaccard": None},
            label="4",
            gold=Gold(label="4", explanation="a heron both times"),
            meta={"context": "the heron and the ferry"},
        ),
        {"import_id": None, "step": "pairing", "step_key": KEY},
    ),
    (
        Pair(id="p2", text1="A heron waited.", text2="A heron stayed.", rewrite_of="p1", method="rewrite"),
        {"import_id": None, "step": None, "step_key": None},
    ),
    (
        Pair(id="p3", text1="Dough grows.", text2="Bread rises.", label="3", meta={"from": "elsewhere"}),
        {"import_id": "i2", "step": None, "step_key": None},
    ),
    (
        Judgement(
            id="p1:anna",
            pair="p1",
            value="4>s",
            annotator="anna",
            scheme="turku",
            note="heron is odd here",
            rewrites=[("A heron waited.", "A heron stayed.")],
            seconds=12.5,
            time="2026-02-01T10:00:00.000+00:00",
            context_shown=True,
            meta={"by": "anna", "shown": "heron"},
        ),
        {},
    ),
    (Judgement(id="j2", pair="p1", value={"fluency": 5}, annotator="ben", supersedes="p1:anna", unsure=True), {}),
    (Judgement(id="j3", pair="p3", value=None, annotator="anna", note="kneading"), {}),
    (Judgement(id="j4", pair="dp1", unit="document_pair", value="accept", annotator="ben", note="the heron pair"), {}),
    (Judgement(id="j5", pair="p3", value=[{"type": "syn", "scope1": [[0, 2]]}], annotator="annabel"), {}),
]
PLAIN: list[tuple[Any, dict[str, Any]]] = [
    (
        schema.imports,
        {
            **{
                "id": "i1",
                "kind": "groups",
                "path": "birds",
                "sha256": "00",
                "wishes": {"lang": "en"},
                "state": "done",
            },
            **{"counts": {"read": 3, "added": 3}, "started": "2026-01-01", "finished": "2026-01-02"},
        },
    ),
    (
        schema.steps,
        {
            **{
                "name": "posts",
                "does": "align-posts",
                "key": KEY,
                "parameters": {"by": "trend"},
                "inputs": {"rows": 3},
            },
            **{"version": 1, "state": "done", "started": "2026-01-03", "finished": "2026-01-04", "rows_in": 3},
            **{"rows_out": 2, "seconds": 0.25, "peak_mb": 80.5, "table": POSTS, "counts": {"kept": 2}, "error": None},
        },
    ),
    (schema.releases, {"version": "1.0", "time": "2026-01-05", "licence": "CC BY-SA 4.0", "meta": {"doi": None}}),
    (schema.releases, {"version": "1.1", "time": "2026-01-06", "licence": None, "meta": {}}),
    (schema.released_pairs, {"version": "1.0", "pair": "p1", "part": "train"}),
    (schema.released_pairs, {"version": "1.1", "pair": "p3", "part": "test"}),
    (schema.events, {"time": "2026-01-07", "actor": "anna", "action": "login", "detail": {"who": "anna", "ok": True}}),
    (schema.events, {"time": "2026-01-07", "actor": None, "action": "start", "detail": {"for": ["anna", "ben"]}}),
    (schema.tombstones, {"noun": "document", "target": "groups-z", "time": "2026-01-08", "reason": "a letter"}),
]


def fill(project: Project) -> None:
    """Put all of it into a project."""
    with project.ledger.writing() as connection:
        for record, others in RECORDS:
            connection.execute(insert(TABLES[type(record)]).values(**row_of(record, **others)))
        for table, row in PLAIN:
            connection.execute(insert(table).values(**row))
    rows = [
        {"group": "g", "document": "groups-a", "start": 0, "text": "The heron stood in the reeds.", "kept": True},
        {"group": "g", "document": "groups-b", "start": 0, "text": "Somebody else wrote this.", "kept": False},
        {"group": "g", "document": None, "start": 1, "text": None, "kept": True},
    ]
    path = project.folder / POSTS
    path.parent.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=2, compression="zstd")


def everything(connection: Connection, *, without: tuple[str, ...] = ()) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, in order, but for the columns named."""
    told = {}
    for table in schema.metadata.sorted_tables:
        rows = connection.execute(select(table).order_by(*table.primary_key.columns)).mappings()
        told[table.name] = [{name: value for name, value in row.items() if name not in without} for row in rows]
    return told


def all_rows(project: Project, *, without: tuple[str, ...] = ()) -> dict[str, list[dict[str, Any]]]:
    """The same, of an open project."""
    with project.ledger.reading() as connection:
        return everything(connection, without=without)
