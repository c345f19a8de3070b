"""What a report says about where pairs come from, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import insert

from otherwords.analyse.report_ledger import tables_of
from otherwords.analyse.report_people import People, people_of
from otherwords.analyse.report_provenance import last_judgement, provenance
from otherwords.corpus.corpora import corpus_of
from otherwords.errors import DataError
from otherwords.project import Project, schema
from otherwords.records import Judgement
from tests.analyse.corpora import corpus
from tests.analyse.reported import judged, pairs
from tests.annotate.reading import put

STEP = {"name": "news", "does": "align-news", "key": "k", "parameters": {"low": 0.3, "path": "/home/me/in.xml"}}
STEP |= {"inputs": {}, "version": 1, "state": "done", "started": "2026-01-01", "finished": "2026-01-02T00:00"}
STEP |= {"rows_in": 9, "rows_out": 4, "counts": {}}
IMPORT = {"id": "i", "kind": "pairs", "path": "/home/me/pairs.jsonl", "sha256": "abc", "wishes": {}, "state": "done"}
IMPORT |= {"counts": {"read": 3, "added": 2}, "started": "2026-01-01", "finished": "2026-01-01T10:00"}
BATCH = {"id": "double", "unit": "pair", "scheme": "turku", "purpose": "agreement", "asked": 2, "rules": {}}
BATCH |= {"state": "open", "time": "2026-01-01"}


def rows(project: Project) -> dict[str, list[dict[str, object]]]:
    with project.ledger.reading() as connection:
        return {table.name: table.as_dicts() for table in tables_of(connection)}


def test_an_empty_ledger_has_nothing_to_tell(project: Project) -> None:
    assert rows(project) == {}
    with project.ledger.reading() as connection:
        assert people_of(connection) == People()
    assert last_judgement(corpus_of(project.folder)) is None


def test_everything_the_ledger_knows(project: Project) -> None:
    judged(project)
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.steps).values(**STEP))
        for last in ("report", "release"):
            connection.execute(insert(schema.steps).values(**STEP | {"name": last, "does": last}))
        connection.execute(insert(schema.imports).values(**IMPORT))
        connection.execute(insert(schema.batches).values(**BATCH))
        slot = {"batch": "double", "position": 1, "item": "p0-0"}
        connection.execute(
            insert(schema.slots), [{**slot, "number": 1, "judgement": "j"}, {**slot, "number": 2, "judgement": None}]
        )
    told = rows(project)
    assert told["imports"] == [
        {"file": "pairs.jsonl", "kind": "pairs", "read": 3, "added": 2, "finished": "2026-01-01", "sha256": "abc"}
    ]
    assert told["documents"] == [{"source": "kitchen", "licence": "CC0-1.0", "consent": "yes", "documents": 1}]
    assert told["pairs"] == [{"source": "kitchen", "method": "import", "pairs": 7}]
    assert [(row["step"], row["parameters"], row["rows_out"]) for row in told["steps"]] == [
        ("news", "low = 0.3, path = in.xml", 4)
    ]
    assert [(row["batch"], row["slots"], row["judged"]) for row in told["batches"]] == [("double", 2, 1)]
    assert [(row["guideline"], row["judgements"]) for row in told["guidelines"]] == [("(not told)", 1), ("turku@0", 14)]


def test_people_are_counted_as_far_as_their_judgements_stand(project: Project) -> None:
    judged(project)
    taken_back = {"scheme": "turku", "annotator": "ben", "supersedes": "ben-0", "time": "2026-04-01"}
    put(project, Judgement(id="back", pair="p0-0", value=None, **taken_back))
    put(project, Judgement(id="kept", pair="p1-0", value="4", kind="consensus", annotator="recipe", time="2026-06-01"))
    put(project, Judgement(id="robot", pair="p0-0", value="4", kind="simulated", annotator="robot", time="2026-05-01"))
    with project.ledger.reading() as connection:
        assert people_of(connection) == People(13, 2, "2026-03-01", "2026-03-07")


def test_what_became_of_the_pairs(project: Project) -> None:
    judged(project)
    told = {table.name: table.as_dicts() for table in provenance(corpus_of(project.folder)).tables}
    assert sum(row["pairs"] for row in told["states"] if row["state"] == "labelled") == 6
    assert sum(row["pairs"] for row in told["states"] if row["state"] == "open") == 1
    assert {row["made_by"]: row["pairs"] for row in told["made_by"]} == {"judgements": 5, "consensus": 1}


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    found = corpus(tmp_path / "a.jsonl", pairs())
    found.path.unlink()
    with pytest.raises((DataError, OSError)):
        provenance(found)
