"""The provenance in a report, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import insert

from otherwords.analyse.report.provenance import (
    AnnotationWork,
    annotation_work,
    last_judgement,
    ledger_tables,
    provenance,
)
from otherwords.corpus.corpus import open_corpus
from otherwords.errors import DataError
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.records import Judgement
from tests.analyse.corpora import corpus
from tests.analyse.reported import judged, pairs
from tests.annotate.reading import put

STEP = {"name": "news", "kind": "align-news", "key": "k", "parameters": {"low": 0.3, "path": "/home/me/in.xml"}}
STEP |= {"inputs": {}, "version": 1, "state": "done", "started": "2026-01-01", "finished": "2026-01-02T00:00"}
STEP |= {"rows_in": 9, "rows_out": 4, "counts": {}}
IMPORT = {"id": "i", "kind": "pairs", "path": "/home/me/pairs.jsonl", "sha256": "abc", "options": {}, "state": "done"}
IMPORT |= {"counts": {"read": 3, "added": 2}, "started": "2026-01-01", "finished": "2026-01-01T10:00"}
BATCH = {"id": "double", "unit": "pair", "scheme": "turku", "purpose": "agreement", "asked": 2, "rules": {}}
BATCH |= {"state": "open", "time": "2026-01-01"}


def tables_by_name(project: Project) -> dict[str, list[dict[str, object]]]:
    with project.ledger.reading() as connection:
        return {table.name: table.as_dicts() for table in ledger_tables(connection)}


def test_an_empty_ledger_has_no_tables(project: Project) -> None:
    assert tables_by_name(project) == {}
    with project.ledger.reading() as connection:
        assert annotation_work(connection) == AnnotationWork()
    assert last_judgement(open_corpus(project.folder)) is None


def test_every_table_of_a_ledger(project: Project) -> None:
    judged(project)
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.steps).values(**STEP))
        for name in ("report", "release"):
            connection.execute(insert(schema.steps).values(**STEP | {"name": name, "kind": name}))
        connection.execute(insert(schema.imports).values(**IMPORT))
        connection.execute(insert(schema.batches).values(**BATCH))
        slot = {"batch": "double", "position": 1, "item": "p0-0"}
        connection.execute(
            insert(schema.slots), [{**slot, "number": 1, "judgement": "j"}, {**slot, "number": 2, "judgement": None}]
        )
    tables = tables_by_name(project)
    assert tables["imports"] == [
        {"file": "pairs.jsonl", "kind": "pairs", "read": 3, "added": 2, "finished": "2026-01-01", "sha256": "abc"}
    ]
    assert tables["documents"] == [{"source": "kitchen", "licence": "CC0-1.0", "consent": "yes", "documents": 1}]
    assert tables["pairs"] == [{"source": "kitchen", "method": "import", "pairs": 7}]
    assert [(row["step"], row["parameters"], row["rows_out"]) for row in tables["steps"]] == [
        ("news", "low = 0.3, path = in.xml", 4)
    ]
    assert [(row["batch"], row["slots"], row["judged"]) for row in tables["batches"]] == [("double", 2, 1)]
    assert [(row["guideline"], row["judgements"]) for row in tables["guidelines"]] == [
        ("(not recorded)", 1),
        ("turku@0", 14),
    ]


def test_current_individual_judgements_are_counted(project: Project) -> None:
    judged(project)
    taken_back = {"scheme": "turku", "annotator": "ben", "supersedes": "ben-0", "time": "2026-04-01"}
    put(project, Judgement(id="back", pair="p0-0", value=None, **taken_back))
    put(project, Judgement(id="kept", pair="p1-0", value="4", kind="consensus", annotator="recipe", time="2026-06-01"))
    put(project, Judgement(id="test", pair="p1-0", value="4", purpose="gold", annotator="wim", time="2026-06-01"))
    for number, purpose in enumerate(("training", "check", "check")):
        about = {"purpose": purpose, "annotator": "carl", "time": "2026-06-01"}
        put(project, Judgement(id=f"other-{number}", pair="p1-0", value="4", **about))
    triaged = {"unit": "document_pair", "scheme": "triage", "annotator": "carl", "time": "2026-06-01"}
    put(project, Judgement(id="triaged", pair="d", value="accept", **triaged))
    put(project, Judgement(id="robot", pair="p0-0", value="4", kind="simulated", annotator="robot", time="2026-05-01"))
    with project.ledger.reading() as connection:
        counted = AnnotationWork(13, 2, "2026-03-01", "2026-03-07", {"check": 2, "training": 1})
        assert annotation_work(connection) == counted


def test_pairs_by_state_and_by_origin_of_the_label(project: Project) -> None:
    judged(project)
    tables = {table.name: table.as_dicts() for table in provenance(open_corpus(project.folder)).tables}
    assert sum(row["pairs"] for row in tables["states"] if row["state"] == "labelled") == 6
    assert sum(row["pairs"] for row in tables["states"] if row["state"] == "open") == 1
    origins = {(row["made_by"], row["judgements"]): row["pairs"] for row in tables["made_by"]}
    assert origins == {("judgements", 2): 5, ("consensus", 1): 1}


def test_a_missing_file(tmp_path: Path) -> None:
    missing = corpus(tmp_path / "a.jsonl", pairs())
    missing.path.unlink()
    with pytest.raises((DataError, OSError)):
        provenance(missing)
