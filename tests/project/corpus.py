"""A small project with something in every table, for the tests that take a project apart and put it together."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from sqlalchemy import Connection, insert, select

from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import TABLES, row_of
from otherwords.project.pipeline.dataset import TextColumns, write_dataset
from otherwords.records import Document, DocumentPair, Gold, Judgement, Pair, Part, Passage, Record

SECRET = "The heron stood in the reeds until the ferry had gone."
OTHER = "Until the boat left, a grey bird was standing among the rushes."
KEY = "0123456789abcdef"
POSTS = f"tables/posts/{KEY}"
POSTS_SHARD = f"{POSTS}/part-00000.parquet"
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
                "options": {"lang": "en"},
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
                "kind": "align-posts",
                "key": KEY,
                "parameters": {"by": "trend"},
                "inputs": {"rows": 3},
            },
            **{"version": 1, "state": "done", "started": "2026-01-03", "finished": "2026-01-04", "rows_in": 3},
            **{"rows_out": 2, "seconds": 0.25, "peak_mb": 80.5, "output": POSTS, "counts": {"kept": 2}, "error": None},
        },
    ),
    (schema.releases, {"version": "1.0", "time": "2026-01-05", "licence": "CC BY-SA 4.0", "meta": {"doi": None}}),
    (schema.releases, {"version": "1.1", "time": "2026-01-06", "licence": None, "meta": {}}),
    (schema.released_pairs, {"version": "1.0", "pair": "p1", "part": "train"}),
    (schema.released_pairs, {"version": "1.1", "pair": "p3", "part": "test"}),
    (schema.events, {"time": "2026-01-07", "actor": "anna", "action": "login", "detail": {"who": "anna", "ok": True}}),
    (schema.events, {"time": "2026-01-07", "actor": None, "action": "start", "detail": {"for": ["anna", "ben"]}}),
    (schema.tombstones, {"noun": "document", "target": "groups-z", "time": "2026-01-08", "reason": "a letter"}),
    (schema.guidelines, {"scheme": "turku", "version": 1, "text": "# Labels", "author": "anna", "time": "2026-01-09"}),
    (schema.guidelines, {"scheme": "turku", "version": 2, "text": "# Flags", "author": None, "time": "2026-01-10"}),
]
DAY = {"time": "2026-01-11"}
REMARKS: list[dict[str, Any]] = [
    {"id": "r1", "unit": "pair", "item": "p1", "author": "ben", "action": "say", "mentions": ["anna", "annabel"]}
    | {"text": "@anna, is a heron a stork? @annabel says so."},
    {"id": "r2", "unit": "pair", "item": "p3", "author": "anna", "action": "say", "mentions": []}
    | {"text": "Kneading is not rising."},
    {"id": "r3", "unit": "document_pair", "item": "dp1", "author": "ben", "action": "say", "mentions": []}
    | {"text": "One heron too many."},
    {"id": "r4", "unit": "pair", "item": "p3", "author": "ben", "action": "resolve", "mentions": [], "text": ""},
]
BATCHES: list[dict[str, Any]] = [
    {"id": "double", "unit": "pair", "scheme": "turku", "purpose": "agreement", "asked": 2, "state": "open"}
    | {"rules": {"people": ["anna", "ben"], "context": False}, "author": "anna"},
    {"id": "triage", "unit": "document_pair", "scheme": "triage", "purpose": "production", "asked": 1}
    | {"rules": {}, "author": None, "state": "closed"},
]
SLOTS: list[dict[str, Any]] = [
    {"batch": "double", "position": 0, "number": 0, "item": "p1", "maker": "anna", "holder": "ben", "judgement": "j2"},
    {"batch": "double", "position": 0, "number": 1, "item": "p1", "maker": "anna", "holder": "anna", "until": 9e9},
    {"batch": "double", "position": 1, "number": 0, "item": "p3", "holder": "anna", "judgement": "j3"},
    {"batch": "double", "position": 1, "number": 1, "item": "p3", "assigned": "anna"},
    {"batch": "triage", "position": 0, "number": 0, "item": "dp1"},
    {"batch": "triage", "position": 1, "number": 0, "item": "dp2"},
]
TAKERS: list[dict[str, Any]] = [
    {"batch": "double", "annotator": "anna", "position": 1, "done": 1},
    {"batch": "double", "annotator": "ben", "position": 0, "done": 1},
]
PLAIN += [
    *((schema.remarks, row | DAY) for row in REMARKS),
    *((schema.batches, row | DAY) for row in BATCHES),
    *((schema.slots, row) for row in SLOTS),
    *((schema.takers, row) for row in TAKERS),
    (schema.introductions, {"batch": "double", "version": 1, "text": "Welcome.", "author": "anna", **DAY}),
    (schema.introductions, {"batch": "double", "version": 2, "text": "Welcome!", "code_after": 0, **DAY}),
    (schema.consents, {"batch": "double", "annotator": "anna", "version": 1, **DAY}),
    (schema.consents, {"batch": "double", "annotator": "ben", "version": 2, **DAY}),
    (schema.completion_codes, {"batch": "double", "annotator": "anna", "code": "7KQ2M-X9T4B", "answers": 1, **DAY}),
    (schema.completion_codes, {"batch": "double", "annotator": "ben", "code": "0AB3C-D4E5F", "answers": 1, **DAY}),
]
# What lets people in, and what they are at: it leaves a project in a backup at most.
PRIVATE: list[tuple[Any, dict[str, Any]]] = [
    (schema.attempts, {"key": "account:anna", "failures": 3, "until": 9e9}),
    (schema.attempts, {"key": "address:::1", "failures": 3, "until": 9e9}),
    (schema.holds, {"scheme": "extract", "item": "dp1", "holder": "annabel", "until": 9e9}),
    (schema.holds, {"scheme": "extract", "item": "dp2", "holder": "anna", "until": 9e9}),
    (schema.holds, {"scheme": "extract", "item": "dp3", "holder": "annabel", "until": 9e9}),
    (schema.invitations, {"id": "link-1", "purpose": "join", "account": "anna", "created": "2026", "until": 9e9}),
    (schema.invitations, {"id": "link-2", "purpose": "join", "author": "anna", "created": "2026", "until": 9e9}),
]
for name in ("anna", "annabel"):
    theirs = {"account": name, "created": "2026", "until": 9e9}
    PRIVATE += [
        (schema.accounts, {"name": name, "role": "worker", "state": "active", "settings": {}, "created": "2026"}),
        (schema.sessions, {"id": f"session of {name}", "csrf": "c", **theirs}),
        (schema.tokens, {"id": f"token of {name}", "name": "laptop", "scopes": ["read"], **theirs}),
        (schema.identities, {"issuer": "i", "subject": f"s{len(name)}", "account": name, "created": "2026"}),
        (
            schema.platform_workers,
            {"platform": "p", "worker": f"w{len(name)}", "batch": "b", "account": name, "details": {}, "time": "2026"},
        ),
        (
            schema.practice_answers,
            {"batch": "b", "annotator": name, "round": 1, "pair": "p1", "value": "4", "right": True, "time": "2026"},
        ),
    ]
PRIVATE += [
    (
        schema.sign_ins,
        {"id": "s", "browser": "b", "nonce": "n", "verifier": "v", "target": "/", "account": "anna", "until": 9e9},
    ),
    (
        schema.webhook_deliveries,
        {"id": "e1", "event": "test", "data": {}, "created": "2026", "state": "waiting", "tries": 0, "due": 0.0},
    ),
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
    table, derived = pa.Table.from_pylist(rows), TextColumns(ids=["document"], texts=["text"])
    write_dataset(project.folder / POSTS, table.schema, [table.slice(0, 2), table.slice(2)], derived=derived)


def fill_private(project: Project) -> None:
    """Add accounts and other rows that the site writes."""
    with project.ledger.writing() as connection:
        for table, row in PRIVATE:
            connection.execute(insert(table).values(**row))


def everything(connection: Connection, *, without: tuple[str, ...] = ()) -> dict[str, list[dict[str, Any]]]:
    """The rows of all tables, in order, without the named columns."""
    tables = {}
    for table in schema.metadata.sorted_tables:
        rows = connection.execute(select(table).order_by(*table.primary_key.columns)).mappings()
        tables[table.name] = [{name: value for name, value in row.items() if name not in without} for row in rows]
    return tables


def all_rows(project: Project, *, without: tuple[str, ...] = ()) -> dict[str, list[dict[str, Any]]]:
    """The rows of all tables of an open project."""
    with project.ledger.reading() as connection:
        return everything(connection, without=without)
