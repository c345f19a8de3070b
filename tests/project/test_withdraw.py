"""What is withdrawn is gone: from the rows, from the tables, and from the bytes of the database."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from sqlalchemy import insert, select

from otherwords.errors import LedgerError, ProjectError, UsageError
from otherwords.project import Project, create, opened, schema
from otherwords.project import ledger as ledger_module
from otherwords.project.identities import Renaming
from otherwords.project.importing import import_file
from otherwords.project.pseudonyms import Pseudonyms
from otherwords.project.rows import row_of
from otherwords.project.withdraw import OUTSIDE, Withdrawn, withdraw
from otherwords.records import Document, Judgement
from tests.project.corpus import OTHER, POSTS, SECRET, all_rows, fill


@pytest.fixture
def filled(project: Project) -> Project:
    fill(project)
    return project


def by_id(rows: list[dict[str, object]]) -> dict[object, dict[str, object]]:
    return {row["id"]: row for row in rows}


def test_a_document_and_all_that_was_taken_from_it(filled: Project) -> None:
    before = all_rows(filled)
    told = withdraw(filled, "groups-a", "a letter")
    assert told.noun == "document"
    assert {name: rows for name, rows in told.erased.items() if rows} == {
        **{"documents": 1, "document_pairs": 1, "pairs": 2, "judgements": 3, "rows_of_tables": 1},
        **{"remarks": 2, "slots": 2},
    }
    assert told.releases == ["1.0"]
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


def test_texts_in_tables_go_and_the_rest_of_them_stays(filled: Project) -> None:
    before = pq.read_table(filled.folder / POSTS)
    withdraw(filled, "groups-a")
    after = pq.read_table(filled.folder / POSTS)
    assert after["text"].to_pylist() == ["", "Somebody else wrote this.", None]
    assert after.drop_columns("text").equals(before.drop_columns("text"))
    assert after.schema.equals(before.schema, check_metadata=True)
    assert b"heron" not in (filled.folder / POSTS).read_bytes()
    assert [path.name for path in (filled.folder / POSTS).parent.iterdir()] == [Path(POSTS).name]


def test_a_table_without_the_document_is_not_touched(filled: Project) -> None:
    before = (filled.folder / POSTS).stat()
    assert withdraw(filled, "groups-c").erased["rows_of_tables"] == 0
    after = (filled.folder / POSTS).stat()  # when it was last read may differ
    assert (after.st_ino, after.st_mtime_ns, after.st_size) == (before.st_ino, before.st_mtime_ns, before.st_size)


def test_nothing_is_left_in_the_file_of_sqlite(tmp_path: Path) -> None:
    create(tmp_path / "corpus", "en")
    word = "quizzaciously"
    with opened(tmp_path / "corpus") as project:
        texts = [f"{number} {word} " * 300 for number in range(40)]  # long enough for pages of their own
        with project.ledger.writing() as connection:
            rows = [row_of(Document(id=f"d{number}", text=text), import_id=None) for number, text in enumerate(texts)]
            said = [
                row_of(Judgement(id=f"j{number}", pair="p", value=1, annotator="zoroastria")) for number in range(9)
            ]
            connection.execute(insert(schema.documents), rows)
            connection.execute(insert(schema.judgements), said)
        assert word.encode() in written(project)
        for number in range(40):
            withdraw(project, f"d{number}")
        withdraw(project, "zoroastria")
        assert word.encode() not in written(project)
        assert b"zoroastria" not in written(project)


def written(project: Project) -> bytes:
    return b"".join(path.read_bytes() for path in project.folder.iterdir() if path.name.startswith("ledger.db"))


def test_withdrawing_again_finds_nothing_and_says_so(filled: Project) -> None:
    withdraw(filled, "groups-a")
    withdraw(filled, "anna")
    before = all_rows(filled)
    for name in ("groups-a", "anna"):
        told = withdraw(filled, name)
        assert not any(told.erased.values())
        assert next(told.lines()) == "nothing was left to erase"
    assert all_rows(filled) == before


def test_an_annotator(filled: Project) -> None:
    before = all_rows(filled)
    told = withdraw(filled, "anna", "asked by mail")
    assert told.noun == "annotator"
    assert {name: rows for name, rows in told.erased.items() if rows} == {
        **{"judgements": 3, "events": 2},
        **{"guidelines": 1, "remarks": 2, "batches": 1, "slots": 4, "takers": 1},
    }
    assert told.releases == ["1.0", "1.1"]
    after = all_rows(filled)
    with filled.ledger.reading() as connection:
        pseudonym = Pseudonyms(connection).of("anna")
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


def test_the_tombstone_of_an_annotator_does_not_tell_the_name(filled: Project) -> None:
    withdraw(filled, "anna")
    withdraw(filled, "ben")
    stones = [row["target"] for row in all_rows(filled)["tombstones"] if row["noun"] == "annotator"]
    assert len({stone.split(":")[1] for stone in stones}) == 1  # one salt, so that a name is hashed once
    assert len({stone.split(":")[2] for stone in stones}) == 2
    with filled.ledger.reading() as connection:
        known = Pseudonyms(connection)
    assert known.of("annabel") is None
    assert known.of("anna") != known.of("ben")


@pytest.mark.parametrize("name", ['an "odd" \\ name', "a:b", "100%_x", "Ääni"])
def test_odd_names(project: Project, name: str) -> None:
    with project.ledger.writing() as connection:
        said = Judgement(id=f"p1:{name}", pair="p1", value=1, annotator=name, meta={name: [name, "other"]})
        connection.execute(insert(schema.judgements).values(**row_of(said)))
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


def test_a_file_does_not_bring_it_back(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "texts.jsonl"
    source.write_text("".join(json.dumps({"group": "g", "text": text}) + "\n" for text in (SECRET, OTHER)))
    with opened(folder) as project:
        import_file(project, "groups", source)
        name = all_rows(project)["documents"][0]["id"]
        withdraw(project, name)
        with source.open("a") as stream:
            stream.write(json.dumps({"group": "g", "text": "A third text."}) + "\n")
        told = import_file(project, "groups", source)
        assert (told.added, told.known, told.withdrawn) == (1, 1, 1)
        assert "  withdrawn, and therefore left out: 1" in told.lines()
        assert [row["text"] for row in all_rows(project)["documents"]] == ["", OTHER, "A third text."]


def test_pairs_that_quote_a_withdrawn_document_stay_out(filled: Project, tmp_path: Path) -> None:
    withdraw(filled, "groups-a")
    pairs = [
        {"id": "n1", "text1": SECRET, "text2": "x", "doc1": {"id": "groups-a", "start": 0, "end": 5}},
        {"id": "n2", "text1": SECRET, "text2": "x", "rewrite_of": "p1"},
        {"id": "n3", "text1": "Rain fell.", "text2": "It rained."},
    ]
    (tmp_path / "more.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    told = import_file(filled, "pairs", tmp_path / "more.jsonl")
    assert (told.added, told.withdrawn) == (1, 2)


def test_unknown_and_ambiguous_names(filled: Project) -> None:
    with pytest.raises(ProjectError, match="no document, no pair and no annotator is called 'nobody'"):
        withdraw(filled, "nobody")
    with filled.ledger.writing() as connection:
        said = Judgement(id="same", pair="p3", value=1, annotator="groups-b")
        connection.execute(insert(schema.judgements).values(**row_of(said)))
    with pytest.raises(UsageError, match="is a document and an annotator; say which"):
        withdraw(filled, "groups-b")
    assert withdraw(filled, "groups-b", noun="annotator").noun == "annotator"


def test_a_pair_is_withdrawn_with_its_rewrites(filled: Project) -> None:
    told = withdraw(filled, "p3", "an address in it")
    assert told.noun == "pair"
    assert told.erased["pairs"] >= 1
    pairs = {row["id"]: row for row in all_rows(filled)["pairs"]}
    gone = {name for name, row in pairs.items() if row["text1"] == ""}
    assert gone == {name for name, row in pairs.items() if name == "p3" or row["rewrite_of"] == "p3"}
    assert ("pair", "p3") in {(row["noun"], row["target"]) for row in all_rows(filled)["tombstones"]}
    assert all(row["text"] for row in all_rows(filled)["documents"])


def test_a_reader_keeps_sqlite_from_being_scrubbed_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_module, "BUSY_MS", 50)
    create(tmp_path / "corpus", "en")
    with opened(tmp_path / "corpus") as project, opened(tmp_path / "corpus") as other:
        fill(project)
        with other.ledger.reading() as connection:
            connection.execute(select(schema.documents)).all()
            with pytest.raises(LedgerError, match="somebody reads what was erased; do this again afterwards"):
                withdraw(project, "groups-a")
        withdraw(project, "groups-a")
        assert b"heron" not in written(project)


def test_what_it_says() -> None:
    told = list(Withdrawn("document", {"documents": 1, "pairs": 1200}, ["1.0", "2.0"]).lines())
    assert told == [
        "the text is erased: 1 documents, 1,200 pairs",
        "releases that hold it: 1.0, 2.0; make new ones and take these back",
        OUTSIDE,
    ]
    assert "backups and exports made earlier" in OUTSIDE
