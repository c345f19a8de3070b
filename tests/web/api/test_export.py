"""Exports over HTTP: whole, in the shape of the records, and without the names of people."""

from __future__ import annotations

import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, update
from starlette.testclient import TestClient

from otherwords.annotate.browse import export as export_lines
from otherwords.annotate.browse.export import judgement_lines, pair_lines
from otherwords.annotate.pseudonyms import project_key, pseudonym_of
from otherwords.errors import ProjectError
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records, row_of
from otherwords.records import Gold, Judgement, Pair, Passage
from tests.web.people import Person, seat

PersonNamed = Callable[[str], Person]
JUDGEMENTS, PAIRS = "/api/v1/export/judgements.jsonl", "/api/v1/export/pairs.jsonl"
ABOUT = {"import_id": None, "step": None, "step_key": None, "state": None}
JUDGEMENT_RECORDS = [
    Judgement(id="j1", pair="p0", value="4>s", annotator="anna", scheme="turku", seconds=1.5, note="ask @Ben, [] null"),
    Judgement(id="j2", pair="p0", value=None, annotator="anna", supersedes="j1", note="[]"),
    Judgement(id="p0:anna", pair="p0", value={"a": [1, "x"]}, annotator="ben", unsure=True, round=2, kind="consensus"),
    Judgement(id="p0:ben", pair="p0", value=[], supersedes="p0:anna", rewrites=[("日本", "🙂")], context_shown=False),
    Judgement(id="j5", pair="dp1", unit="document_pair", value=True, purpose="qa", meta={"by": "anna", "n": 1}),
    Judgement(id="j6", pair="p1", value="null", annotator="carl", note="null", batch="first", guideline="turku@1"),
]
PAIR_RECORDS = [
    Pair(
        id="null",
        text1="{}",
        text2="[]",
        label="3",
        gold=Gold(label="4", explanation="why"),
        meta={"annotator": "anna"},
    ),
    Pair(id="late", text1="a", text2="b", scores={"bleu": None, "x": 0.5}, doc1=Passage(id="d0a", start=0, end=1)),
]


def fill(project: Project) -> None:
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.judgements), [row_of(judgement) for judgement in JUDGEMENT_RECORDS])
        connection.execute(insert(schema.pairs), [row_of(pair, **ABOUT) for pair in PAIR_RECORDS])


@pytest.fixture
def filled_project(project: Project) -> Project:
    seat(project)
    fill(project)
    return project


def lines(answer: Any, kind: Any) -> list[Any]:
    assert answer.status_code == 200, answer.text
    return [msgspec.json.decode(line, type=kind) for line in answer.content.splitlines()]


def site(client: TestClient) -> Project:
    project: Project = client.app.state.site.project  # type: ignore[attr-defined]
    return project


def test_with_names_the_records_come_back_as_they_are(client: TestClient, person: PersonNamed) -> None:
    fill(site(client))
    answer = person("ada").get(f"{JUDGEMENTS}?names=true")
    assert answer.headers["content-disposition"] == 'attachment; filename="judgements.jsonl"'
    assert lines(answer, Judgement) == JUDGEMENT_RECORDS
    with site(client).ledger.reading() as connection:
        everything = list(read_records(connection, Pair))
    assert lines(person("ada").get(f"{PAIRS}?names=true"), Pair) == everything


def test_without_them_nobody_is_named(client: TestClient, person: PersonNamed) -> None:
    fill(site(client))
    key = project_key(site(client).folder)
    anna, ben = pseudonym_of("anna", key), pseudonym_of("ben", key)
    judgements = lines(person("carl").get(JUDGEMENTS), Judgement)
    assert [judgement.id for judgement in judgements] == ["j1", "j2", f"p0:{anna}", f"p0:{ben}", "j5", "j6"]
    assert [judgement.annotator for judgement in judgements] == [anna, anna, ben, None, None, pseudonym_of("carl", key)]
    assert (judgements[0].note, judgements[3].supersedes, judgements[4].meta) == (
        f"ask @{ben}, [] null",
        f"p0:{anna}",
        {"by": anna, "n": 1},
    )
    unnamed = [
        msgspec.structs.replace(judgement, id="", annotator=None, note=None, supersedes=None, meta={})
        for judgement in judgements
    ]
    bare = [
        msgspec.structs.replace(judgement, id="", annotator=None, note=None, supersedes=None, meta={})
        for judgement in JUDGEMENT_RECORDS
    ]
    assert unnamed == bare
    pairs = {pair.id: pair for pair in lines(person("carl").get(PAIRS), Pair)}
    assert pairs["null"].meta == {"annotator": anna}
    assert person("carl").get(JUDGEMENTS).content == person("ada").get(JUDGEMENTS).content  # and the next time too


def test_a_batch_that_is_named_after_somebody_does_not_tell_who_it_is(client: TestClient, person: PersonNamed) -> None:
    names = ["Anna", "for anna_2", "annabel's", "round 2", "ben/carl"]
    made = [
        Judgement(id=f"n{number}", pair="p0", value="4", annotator="anna", batch=name)
        for number, name in enumerate(names)
    ]
    with site(client).ledger.writing() as connection:
        numbered = Judgement(id="by2", pair="p0", value="4", annotator="2")
        connection.execute(insert(schema.judgements), [row_of(judgement) for judgement in [*made, numbered]])
    key = project_key(site(client).folder)
    anna, ben, carl = (pseudonym_of(name, key) for name in ("anna", "ben", "carl"))
    shown = {judgement.id: judgement.batch for judgement in lines(person("carl").get(JUDGEMENTS), Judgement)}
    assert [shown[f"n{number}"] for number in range(len(names))] == [
        anna,
        f"for {anna}_2",
        "annabel's",
        "round 2",
        f"{ben}/{carl}",
    ]
    named = lines(person("ada").get(f"{JUDGEMENTS}?names=true"), Judgement)
    assert [judgement.batch for judgement in named][: len(names)] == names


def test_removed_and_withdrawn_pairs_stay_at_home(client: TestClient, person: PersonNamed) -> None:
    stone = {"noun": "pair", "target": "p1", "time": "2026-01-01", "reason": None}
    with site(client).ledger.writing() as connection:
        connection.execute(update(schema.pairs).where(schema.pairs.c.id == "p0").values(state="removed"))
        connection.execute(insert(schema.tombstones).values(**stone))
    assert [pair.id for pair in lines(person("carl").get(PAIRS), Pair)] == [f"p{number}" for number in range(2, 8)]


def test_who_may_export(client: TestClient, person: PersonNamed) -> None:
    for path in (JUDGEMENTS, PAIRS):
        assert client.get(path).status_code == 401
        for name, plain, named in (("wim", 403, 403), ("anna", 403, 403), ("carl", 200, 403), ("ada", 200, 200)):
            assert person(name).get(path).status_code == plain, (name, path)
            assert person(name).get(f"{path}?names=true").status_code == named, (name, path)
        assert person("ada").get(f"{path}?names=perhaps").status_code == 422


def test_an_empty_ledger_gives_an_empty_file(client: TestClient, person: PersonNamed) -> None:
    assert person("carl").get(JUDGEMENTS).content == b""


def test_the_key_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    start = threading.Barrier(8)

    def ask(_: int) -> bytes:
        start.wait(30)
        return project_key(tmp_path)

    with ThreadPoolExecutor(8) as threads:
        keys = list(threads.map(ask, range(8), timeout=60))
    assert len(set(keys)) == 1
    path = tmp_path / "secrets" / "pseudonyms.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["pseudonyms.key"]
    assert pseudonym_of("anna", keys[0]) == pseudonym_of("anna", project_key(tmp_path))
    other = tmp_path / "other"
    other.mkdir()
    assert pseudonym_of("anna", keys[0]) != pseudonym_of("anna", project_key(other))
    for content in ("", "beef", "z" * 64):
        path.write_text(content)
        with pytest.raises(ProjectError, match="is not a key"):
            project_key(tmp_path)


def test_an_export_is_of_one_moment_and_comes_in_blocks(
    filled_project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_lines, "ROWS_A_BLOCK", 2)
    later: list[tuple[Any, Any, dict[str, Any]]] = [
        (judgement_lines, schema.judgements, row_of(Judgement(id="later", pair="p0", value="1"))),
        (pair_lines, schema.pairs, row_of(Pair(id="later", text1="a", text2="b"), **ABOUT)),
    ]
    for change, table, row in later:
        with filled_project.ledger.reading() as connection:
            blocks = change(connection, None)
            received = [next(blocks)]
            with filled_project.ledger.writing() as writing:
                writing.execute(insert(table).values(**row))
            received += blocks
        assert {block.count(b"\n") for block in received} == {2}
        assert b"later" not in b"".join(received)
