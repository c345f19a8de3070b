"""Withdrawn words are erased from rows, from datasets, and from the files of the database."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from sqlalchemy import insert, select

from otherwords.project import Project, create_project, open_project
from otherwords.project import ledger as ledger_module
from otherwords.project.file_digests import file_digest
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.pipeline.dataset import open_dataset
from otherwords.project.withdrawal.identities import Renaming
from otherwords.project.withdrawal.pseudonyms import Pseudonyms
from otherwords.project.withdrawal.withdraw import OUTSIDE, WithdrawResult, withdraw
from otherwords.records import Document, Judgement
from tests.errors import raises
from tests.project.corpus import OTHER, POSTS_SHARD, SECRET, all_rows, fill


@pytest.fixture
def filled(project: Project) -> Project:
    fill(project)
    return project


def by_id(rows: list[dict[str, object]]) -> dict[object, dict[str, object]]:
    return {row["id"]: row for row in rows}


def test_a_document_is_erased_with_everything_taken_from_it(filled: Project) -> None:
    before = all_rows(filled)
    result = withdraw(filled, "groups-a", "a letter")
    assert result.noun == "document"
    assert {name: rows for name, rows in result.erased.items() if rows} == {
        **{"documents": 1, "document_pairs": 1, "pairs": 2, "judgements": 3, "rows_of_datasets": 1},
        **{"remarks": 2, "slots": 2},
    }
    assert result.releases == ["1.0"]
    after = all_rows(filled)
    assert "heron" not in json.dumps(after).lower()
    stone = next(row for row in after["tombstones"] if row["target"] == "groups-a")
    assert (stone["noun"], stone["reason"]) == ("document", "a letter")
    assert {row["target"] for row in after["tombstones"] if row["noun"] == "pair"} == {"p1", "p2"}
    time = {"withdrawn": stone["time"]}

    document = by_id(after["documents"])["groups-a"]
    assert document == by_id(before["documents"])["groups-a"] | {"text": "", "meta": time}
    pairs = by_id(after["pairs"])
    assert pairs["p1"] == by_id(before["pairs"])["p1"] | {
        "text1": "",
        "text2": "",
        "gold": {"label": "4"},
        "meta": time,
    }
    assert (pairs["p2"]["text1"], pairs["p2"]["text2"]) == ("", "")
    judgement = by_id(after["judgements"])["p1:anna"]
    expected = by_id(before["judgements"])["p1:anna"] | {"rewrites": [["", ""]], "note": "", "meta": time}
    assert judgement == expected
    assert by_id(after["document_pairs"])["dp1"]["status"] == "withdrawn"
    for table, name in (("documents", "groups-b"), ("documents", "groups-c"), ("pairs", "p3"), ("judgements", "j3")):
        assert by_id(after[table])[name] == by_id(before[table])[name]
    assert after["released_pairs"] == before["released_pairs"]


def test_texts_in_datasets_are_blanked_and_other_columns_stay(filled: Project) -> None:
    before = pq.read_table(filled.folder / POSTS_SHARD)
    withdraw(filled, "groups-a")
    after = pq.read_table(filled.folder / POSTS_SHARD)
    assert after["text"].to_pylist() == ["", "Somebody else wrote this.", None]
    assert after.drop_columns("text").equals(before.drop_columns("text"))
    assert after.schema.equals(before.schema, check_metadata=True)
    assert b"heron" not in (filled.folder / POSTS_SHARD).read_bytes()
    names = sorted(path.name for path in (filled.folder / POSTS_SHARD).parent.iterdir())
    assert names == ["manifest.json", "part-00000.parquet"]
    (shard,) = open_dataset((filled.folder / POSTS_SHARD).parent).manifest.shards
    assert file_digest(filled.folder / POSTS_SHARD) == shard.sha256


def test_a_table_without_the_document_is_not_touched(filled: Project) -> None:
    before = (filled.folder / POSTS_SHARD).stat()
    assert withdraw(filled, "groups-c").erased["rows_of_datasets"] == 0
    after = (filled.folder / POSTS_SHARD).stat()  # when it was last read may differ
    assert (after.st_ino, after.st_mtime_ns, after.st_size) == (before.st_ino, before.st_mtime_ns, before.st_size)


def test_nothing_is_left_in_the_file_of_sqlite(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en")
    word = "quizzaciously"
    with open_project(tmp_path / "corpus") as project:
        texts = [f"{number} {word} " * 300 for number in range(40)]  # long enough for pages of their own
        with project.ledger.writing() as connection:
            rows = [row_of(Document(id=f"d{number}", text=text), import_id=None) for number, text in enumerate(texts)]
            judgements = [
                row_of(Judgement(id=f"j{number}", pair="p", value=1, annotator="zoroastria")) for number in range(9)
            ]
            connection.execute(insert(schema.documents), rows)
            connection.execute(insert(schema.judgements), judgements)
        assert word.encode() in database_bytes(project)
        for number in range(40):
            withdraw(project, f"d{number}")
        withdraw(project, "zoroastria")
        assert word.encode() not in database_bytes(project)
        assert b"zoroastria" not in database_bytes(project)


def database_bytes(project: Project) -> bytes:
    return b"".join(path.read_bytes() for path in project.folder.iterdir() if path.name.startswith("ledger.db"))


def test_withdrawing_again_erases_nothing(filled: Project) -> None:
    withdraw(filled, "groups-a")
    withdraw(filled, "anna")
    before = all_rows(filled)
    for name in ("groups-a", "anna"):
        result = withdraw(filled, name)
        assert not any(result.erased.values())
        assert next(result.lines()) == "nothing was left to erase"
    assert all_rows(filled) == before


def test_an_annotator(filled: Project) -> None:
    before = all_rows(filled)
    result = withdraw(filled, "anna", "asked by mail")
    assert result.noun == "annotator"
    assert {name: rows for name, rows in result.erased.items() if rows} == {
        **{"judgements": 3, "events": 2},
        **{"guidelines": 1, "remarks": 2, "batches": 1, "slots": 4, "takers": 1},
        **{"introductions": 1, "consents": 1, "completion_codes": 1},
    }
    assert result.releases == ["1.0", "1.1"]
    after = all_rows(filled)
    with filled.ledger.reading() as connection:
        pseudonym = Pseudonyms(connection).find("anna")
    assert pseudonym is not None
    assert pseudonym.startswith("withdrawn-")
    assert [row["annotator"] for row in after["judgements"]] == [pseudonym, "ben", pseudonym, "ben", "annabel"]
    assert [row["supersedes"] for row in after["judgements"]] == [None, f"p1:{pseudonym}", None, None, None]
    assert after["judgements"][0]["meta"] == {"by": pseudonym, "shown": "heron"}
    assert [row["actor"] for row in after["events"]] == [pseudonym, None]
    assert [row["detail"] for row in after["events"]] == [{"who": pseudonym, "ok": True}, {"for": [pseudonym, "ben"]}]
    assert "anna" not in json.dumps(after).replace("annabel", "")
    for name in ("documents", "pairs", "document_pairs"):
        assert after[name] == before[name]
    assert [row["value"] for row in after["judgements"]] == [row["value"] for row in before["judgements"]]


def test_the_tombstone_of_an_annotator_does_not_reveal_the_name(filled: Project) -> None:
    withdraw(filled, "anna")
    withdraw(filled, "ben")
    stones = [row["target"] for row in all_rows(filled)["tombstones"] if row["noun"] == "annotator"]
    assert len({stone.split(":")[1] for stone in stones}) == 1  # one salt, so that a name is hashed once
    assert len({stone.split(":")[2] for stone in stones}) == 2
    with filled.ledger.reading() as connection:
        known = Pseudonyms(connection)
    assert known.find("annabel") is None
    assert known.find("anna") != known.find("ben")


@pytest.mark.parametrize("name", ['an "odd" \\ name', "a:b", "100%_x", "Ääni"])
def test_odd_names(project: Project, name: str) -> None:
    with project.ledger.writing() as connection:
        judgement = Judgement(id=f"p1:{name}", pair="p1", value=1, annotator=name, meta={name: [name, "other"]})
        connection.execute(insert(schema.judgements).values(**row_of(judgement)))
        connection.execute(
            insert(schema.judgements).values(**row_of(Judgement(id="x", pair="p1", value=1, annotator="xb")))
        )
    withdraw(project, name)
    rows = all_rows(project)["judgements"]
    pseudonym = rows[0]["annotator"]
    assert rows[0]["id"] == f"p1:{pseudonym}"
    assert rows[0]["meta"] == {pseudonym: [pseudonym, "other"]}
    assert rows[1]["annotator"] == "xb"


def test_only_whole_names_are_replaced() -> None:
    row = {"id": "p1:anna:2", "annotator": "anna", "supersedes": "p1:annabel", "meta": {"by": ["annabel", "anna"]}}
    changed = {"id": "p1:w:2", "annotator": "w", "meta": {"by": ["annabel", "w"]}}
    assert Renaming({"anna": "w"}).changes(schema.judgements, row) == changed


def test_an_import_does_not_bring_back_a_withdrawn_text(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "texts.jsonl"
    source.write_text("".join(json.dumps({"group": "g", "text": text}) + "\n" for text in (SECRET, OTHER)))
    with open_project(folder) as project:
        import_file(project, "groups", source)
        name = all_rows(project)["documents"][0]["id"]
        withdraw(project, name)
        with source.open("a") as stream:
            stream.write(json.dumps({"group": "g", "text": "A third text."}) + "\n")
        result = import_file(project, "groups", source)
        assert (result.added, result.known, result.withdrawn) == (1, 1, 1)
        assert "  withdrawn, and therefore left out: 1" in result.lines()
        assert [row["text"] for row in all_rows(project)["documents"]] == ["", OTHER, "A third text."]


def test_pairs_that_quote_a_withdrawn_document_stay_out(filled: Project, tmp_path: Path) -> None:
    withdraw(filled, "groups-a")
    pairs = [
        {"id": "n1", "text1": SECRET, "text2": "x", "doc1": {"id": "groups-a", "start": 0, "end": 5}},
        {"id": "n2", "text1": SECRET, "text2": "x", "rewrite_of": "p1"},
        {"id": "n3", "text1": "Rain fell.", "text2": "It rained."},
    ]
    (tmp_path / "more.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    result = import_file(filled, "pairs", tmp_path / "more.jsonl")
    assert (result.added, result.withdrawn) == (1, 2)


def test_unknown_and_ambiguous_names(filled: Project) -> None:
    with raises("no-such-name", match="'nobody'"):
        withdraw(filled, "nobody")
    with filled.ledger.writing() as connection:
        judgement = Judgement(id="same", pair="p3", value=1, annotator="groups-b")
        connection.execute(insert(schema.judgements).values(**row_of(judgement)))
    with raises("ambiguous-name", match="--noun document or --noun annotator"):
        withdraw(filled, "groups-b")
    assert withdraw(filled, "groups-b", noun="annotator").noun == "annotator"


def test_a_pair_is_withdrawn_with_its_rewrites(filled: Project) -> None:
    result = withdraw(filled, "p3", "an address in it")
    assert result.noun == "pair"
    assert result.erased["pairs"] >= 1
    pairs = {row["id"]: row for row in all_rows(filled)["pairs"]}
    erased = {name for name, row in pairs.items() if row["text1"] == ""}
    assert erased == {name for name, row in pairs.items() if name == "p3" or row["rewrite_of"] == "p3"}
    assert ("pair", "p3") in {(row["noun"], row["target"]) for row in all_rows(filled)["tombstones"]}
    assert all(row["text"] for row in all_rows(filled)["documents"])


def test_a_reader_that_prevents_scrubbing_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_module, "BUSY_MS", 50)
    create_project(tmp_path / "corpus", "en")
    with open_project(tmp_path / "corpus") as project, open_project(tmp_path / "corpus") as other:
        fill(project)
        with other.ledger.reading() as connection:
            connection.execute(select(schema.documents)).all()
            with raises("ledger-in-use"):
                withdraw(project, "groups-a")
        withdraw(project, "groups-a")
        assert b"heron" not in database_bytes(project)


def test_lines_of_the_result() -> None:
    lines = list(WithdrawResult("document", {"documents": 1, "pairs": 1200}, ["1.0", "2.0"]).lines())
    assert lines == [
        "the text is erased: 1 document, 1,200 pairs",
        "releases that held it: 1.0, 2.0; their copies in the project are deleted; release again without it",
        OUTSIDE,
    ]
    assert "backups and exports made earlier" in OUTSIDE
