"""The tables of the annotation site keep the promises of the others: to travel, to come back, and to forget."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, inspect, update

from otherwords.project import Project, create, opened, schema, search
from otherwords.project.backup import backup
from otherwords.project.identities import NAMED, Renaming
from otherwords.project.ledger import Ledger
from otherwords.project.migrating import migrate
from otherwords.project.pairing import yields
from otherwords.project.pseudonyms import Pseudonyms
from otherwords.project.restore import restore
from otherwords.project.rows import PRESENT, records, row_of
from otherwords.project.status import status
from otherwords.project.trace import trace
from otherwords.project.transfer import ALL, export, import_export
from otherwords.project.withdraw import withdraw
from otherwords.records import Judgement, Pair
from tests.project.corpus import all_rows, fill, fill_private
from tests.project.test_backup import packed, unpacked, vouched

SEQ = ("seq",)
STAYING = {"accounts", "sessions", "tokens", "invitations", "attempts", "holds"}
FLEETING = {"sessions", "invitations", "attempts", "holds"}
MADE = {"method": "extract", "meta": {"annotator": "anna", "document_pair": "dp2", "topic": "anna"}}
Databases = Callable[[str], str]


@pytest.fixture
def filled(project: Project) -> Project:
    """A project with people in it, who have extracted a pair and taken another one back."""
    fill(project)
    fill_private(project)
    with project.ledger.writing() as connection:
        for name, state in (("x1", None), ("x2", "removed")):
            pair = Pair(id=name, text1="Bread rises.", text2="Loaves grow.", **MADE)
            row = row_of(pair, import_id=None, step=None, step_key=None, state=state)
            connection.execute(insert(schema.pairs).values(**row))
    return project


def people(project: Project) -> dict[str, str | None]:
    """The pseudonyms of those who may have withdrawn."""
    with project.ledger.reading() as connection:
        known = Pseudonyms(connection)
        return {name: known.of(name) for name in ("anna", "annabel", "ben")}


def told_of(rows: dict[str, Any]) -> str:
    """Everything as one text, but for a topic and for those who only begin alike."""
    return json.dumps(rows).replace('"topic": "anna"', "").replace("annabel", "")


# Export and import


def test_every_table_travels_or_stays_for_a_reason() -> None:
    assert set(schema.metadata.tables) - {table.name for table in ALL} == STAYING


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_work_travels_and_people_stay(filled: Project, tmp_path: Path, databases: Databases, other: str) -> None:
    written = export(filled, tmp_path / "out")
    assert not STAYING & {name.removesuffix(".jsonl") for name in written}
    assert written["slots.jsonl"] == 6
    create(tmp_path / "copy", "en", "turku", databases(other))
    with opened(tmp_path / "copy") as copy:
        import_export(copy, tmp_path / "out")
        found, there = all_rows(copy, without=SEQ), all_rows(filled, without=SEQ)
        assert {row["id"]: row["state"] for row in found["pairs"]}["x2"] == "removed"
        assert found == there | {name: [] for name in STAYING}
        told = import_export(copy, tmp_path / "out")
        assert list(told.lines()) == [f"{tmp_path / 'out'}: was imported before; nothing to add"]
        assert all_rows(copy, without=SEQ) == found


def test_what_is_here_wins(filled: Project, tmp_path: Path) -> None:
    export(filled, tmp_path / "out")
    with filled.ledger.writing() as connection:
        connection.execute(update(schema.slots).where(schema.slots.c.item == "dp2").values(holder="ben", until=1.0))
        connection.execute(update(schema.guidelines).where(schema.guidelines.c.version == 1).values(text="# Better"))
        connection.execute(update(schema.takers).where(schema.takers.c.annotator == "ben").values(done=7))
        connection.execute(update(schema.pairs).where(schema.pairs.c.id == "x1").values(state="removed"))
    before = all_rows(filled)
    told = import_export(filled, tmp_path / "out")
    assert all_rows(filled) == before
    assert {reason.partition(":")[0]: rows for reason, rows in told.skipped.items()} == {
        **{"slots": 1, "guidelines": 1, "takers": 1, "pairs": 1},
    }


def older(folder: Path) -> None:
    """Make an export what it was before there was a site."""
    manifest = json.loads((folder / "MANIFEST.json").read_text())
    for name in ("guidelines", "remarks", "batches", "slots", "takers"):
        (folder / f"{name}.jsonl").unlink()
        del manifest["files"][f"{name}.jsonl"]
    (folder / "MANIFEST.json").write_text(json.dumps(manifest | {"schema": "0001"}))


def test_an_export_from_before_the_site(project: Project, tmp_path: Path, databases: Databases, kind: str) -> None:
    fill(project)
    export(project, tmp_path / "out")
    older(tmp_path / "out")
    create(tmp_path / "copy", "en", "turku", databases(kind))
    with opened(tmp_path / "copy") as copy:
        import_export(copy, tmp_path / "out")
        found = all_rows(copy, without=SEQ)
    assert found["pairs"] == all_rows(project, without=SEQ)["pairs"]
    assert found["slots"] == []


# Backup and restore


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_a_restored_project_begins_without_sessions(
    filled: Project, tmp_path: Path, databases: Databases, other: str
) -> None:
    written = backup(filled, tmp_path / "corpus.tar")
    assert not FLEETING & written.keys()
    assert b"session of anna" not in (tmp_path / "corpus.tar").read_bytes()
    assert restore(tmp_path / "corpus.tar", tmp_path / "again", databases(other)) == written
    with opened(tmp_path / "again") as again:
        assert all_rows(again) == all_rows(filled) | {name: [] for name in FLEETING}


def test_an_archive_that_brings_sessions_opens_none(filled: Project, tmp_path: Path) -> None:
    backup(filled, tmp_path / "corpus.tar")
    session = {"id": "mine", "account": "anna", "csrf": "c", "created": "2026", "until": 9e9}
    members = vouched(unpacked(tmp_path / "corpus.tar"), "ledger/sessions.jsonl", json.dumps(session).encode() + b"\n")
    assert "sessions" not in restore(packed(members, tmp_path / "more.tar.gz"), tmp_path / "again")
    with opened(tmp_path / "again") as again:
        assert all_rows(again)["sessions"] == []
        assert len(all_rows(again)["accounts"]) == 2


def test_an_archive_from_before_the_site(tmp_path: Path, databases: Databases, kind: str) -> None:
    """The archive is what the first version wrote: a file for each table of its schema."""
    with Ledger.beginning(databases(kind)) as connection:
        migrate(connection, "0001")
        tables = set(inspect(connection).get_table_names())
        assert "state" not in {column["name"] for column in inspect(connection).get_columns("pairs")}
    create(tmp_path / "corpus", "en")
    with opened(tmp_path / "corpus") as project:
        backup(project, tmp_path / "corpus.tar")
    line = b'{"seq":1,"id":"p","text1":"a","text2":"b","scores":{},"meta":{}}\n'
    members = vouched(unpacked(tmp_path / "corpus.tar"), "ledger/pairs.jsonl", line)
    kept = {name: content for name, content in members.items() if Path(name).stem in {*tables, "otherwords"}}
    manifest = json.loads(members["MANIFEST.json"]) | {"schema": "0001"}
    manifest["files"] = {name: manifest["files"][name] for name in kept}
    kept = {"MANIFEST.json": json.dumps(manifest).encode(), **kept}
    restore(packed(kept, tmp_path / "old.tar.gz"), tmp_path / "again", databases(kind))
    with opened(tmp_path / "again") as again:
        assert [(row["id"], row["state"]) for row in all_rows(again)["pairs"]] == [("p", None)]
        assert all_rows(again)["slots"] == []


# Annotators who withdraw


def test_a_name_goes_from_everywhere(filled: Project) -> None:
    told = withdraw(filled, "anna")
    counted = {name: rows for name, rows in told.erased.items() if rows}
    assert counted == {
        **{"judgements": 3, "events": 2, "guidelines": 1, "remarks": 2, "batches": 1, "slots": 4, "takers": 1},
        **{"pairs": 2, "accounts": 1, "sessions": 1, "tokens": 1, "invitations": 2, "attempts": 1, "holds": 1},
    }
    new, after = people(filled)["anna"], all_rows(filled)
    assert new is not None
    assert "anna" not in told_of(after)
    assert [row["author"] for row in after["guidelines"]] == [new, None]
    assert [row["author"] for row in after["remarks"]] == ["ben", new, "ben", "ben"]
    assert after["remarks"][0]["mentions"] == [new, "annabel"]
    assert after["remarks"][0]["text"] == f"@{new}, is a heron a stork? @annabel says so."
    assert (after["batches"][0]["author"], after["batches"][0]["rules"]["people"]) == (new, [new, "ben"])
    assert [(row["maker"], row["assigned"], row["holder"]) for row in after["slots"][:4]] == [
        *((new, None, "ben"), (new, None, new), (None, None, new), (None, new, None)),
    ]
    assert sorted(row["annotator"] for row in after["takers"]) == sorted([new, "ben"])
    assert after["pairs"][3]["meta"] == MADE["meta"] | {"annotator": new}
    assert [row["author"] for row in after["invitations"]] == [new]
    assert [row["name"] for row in after["accounts"]] == ["annabel"]
    for table in ("sessions", "tokens"):
        assert [row["account"] for row in after[table]] == ["annabel"]
    assert {row["holder"] for row in after["holds"]} == {"annabel"}
    assert [row["key"] for row in after["attempts"]] == ["address:::1"]
    assert not any(withdraw(filled, "anna").erased.values())


@pytest.mark.parametrize(
    ("table", "row"),
    [
        (schema.accounts, {"name": "cleo", "role": "worker", "state": "active", "settings": {}, "created": "2026"}),
        (schema.slots, {"batch": "double", "position": 7, "number": 0, "item": "p3", "maker": "cleo"}),
        (schema.takers, {"batch": "double", "annotator": "cleo", "position": 0, "done": 0}),
        (schema.guidelines, {"scheme": "turku", "version": 3, "text": "", "author": "cleo", "time": "2026"}),
        (schema.holds, {"scheme": "extract", "item": "dp2", "holder": "cleo", "until": 1.0}),
        (schema.pairs, {"id": "x3", "text1": "a", "text2": "b", "scores": {}, "meta": {"annotator": "cleo"}}),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_whoever_is_there_can_withdraw(project: Project, table: Any, row: dict[str, Any]) -> None:
    with project.ledger.writing() as connection:
        connection.execute(insert(table).values(**row))
    assert withdraw(project, "cleo").noun == "annotator"
    assert "cleo" not in json.dumps(all_rows(project))


def test_who_worked_under_both_names_is_one(filled: Project) -> None:
    withdraw(filled, "anna")
    with filled.ledger.writing() as connection:
        again = {"batch": "double", "annotator": "anna", "position": 5, "done": 3, "tests": 2, "right": 1}
        connection.execute(insert(schema.takers).values(**again))
        connection.execute(insert(schema.takers).values(**again | {"batch": "other"}))
    assert withdraw(filled, "anna").erased["takers"] == 2
    new = people(filled)["anna"]
    found = [row for row in all_rows(filled)["takers"] if row["annotator"] == new]
    assert found == [
        {"batch": "double", "annotator": new, "position": 5, "done": 4, "tests": 2, "right": 1, "state": "active"},
        {"batch": "other", "annotator": new, "position": 5, "done": 3, "tests": 2, "right": 1, "state": "active"},
    ]


@pytest.mark.parametrize(
    ("name", "text", "after"),
    [
        ("anna", "@anna: look. (@Anna) @ANNA.", "@w: look. (@w) @w."),
        ("anna", "@annabel @anna-lena @Anna-Lena. @anna_b post@anna.example", None),
        ("anna", "@anna.Then @anna-len @anna-lena2", "@w.Then @w-len @w-lena2"),
        ("anna", "Ask @anna-", "Ask @w-"),
        ("anna", "anna said so", None),
        ("a.b-c", "@a.b-c. @axb-c", "@w. @axb-c"),
        ("अन", "@अन @अनि", "@w @अनि"),
        ("Ääni", "@ääni, @Ääniä, @A\u0308a\u0308ni", "@w, @Ääniä, @w"),
        ("Voß", "@voss", "@w"),
    ],
)
def test_mentions(name: str, text: str, after: str | None) -> None:
    row = {"author": None, "mentions": [], "text": text}
    assert Renaming({name: "w"}, ["anna-lena"]).changes(schema.remarks, row) == ({"text": after} if after else {})


def test_words_of_rules_are_no_names() -> None:
    row = {"author": "people", "rules": {"people": ["people", "own"], "own": True}}
    changed = {"author": "w", "rules": {"people": ["w", "own"], "own": True}}
    assert Renaming({"people": "w"}).changes(schema.batches, row) == changed


def test_names_are_sought_in_columns_that_there_are() -> None:
    for table, ways in NAMED.items():
        assert ways.keys() <= set(table.c.keys())


def test_an_older_export_brings_the_pseudonym(filled: Project, tmp_path: Path, databases: Databases, kind: str) -> None:
    export(filled, tmp_path / "out")
    withdraw(filled, "anna")
    before = all_rows(filled)
    assert import_export(filled, tmp_path / "out").again
    assert all_rows(filled) == before
    create(tmp_path / "copy", "en", None, databases(kind))
    stones = [{name: row[name] for name in row if name != "seq"} for row in before["tombstones"]]
    with opened(tmp_path / "copy") as copy:
        with copy.ledger.writing() as connection:
            connection.execute(insert(schema.tombstones), stones)
        import_export(copy, tmp_path / "out")
        found = all_rows(copy, without=SEQ)
    assert "anna" not in told_of(found)
    for table in ("pairs", "judgements", "remarks", "batches", "slots", "takers", "events", "guidelines"):
        assert found[table] == all_rows(filled, without=SEQ)[table], table


@pytest.mark.parametrize(
    ("table", "row", "column"),
    [
        (schema.events, {"time": "2026", "action": "account invited", "detail": {"account": "cleo"}}, "detail"),
        (schema.remarks, {"text": "Ask @cleo."}, "text"),
        (schema.batches, {"rules": {"people": ["cleo"]}}, "rules"),
    ],
    ids=["events", "remarks", "batches"],
)
def test_a_name_that_stands_nowhere_else(
    project: Project, tmp_path: Path, table: Any, row: dict[str, Any], column: str
) -> None:
    """Whoever did nothing else is recognised where a column says that it is a name."""
    fill(project)
    with project.ledger.writing() as connection:
        whole = {"id": "new", "unit": "pair", "item": "p3", "action": "say", "mentions": [], "scheme": "turku"}
        whole |= {"purpose": "production", "asked": 1, "state": "open", "time": "2026"}
        values = {name: value for name, value in whole.items() if name in table.c} | row
        connection.execute(insert(table).values(**values))
    export(project, tmp_path / "out")
    withdraw(project, "cleo", noun="annotator")
    before = all_rows(project)
    assert "cleo" not in json.dumps(before)
    assert "withdrawn-" in json.dumps(before[table.name][-1][column])
    assert import_export(project, tmp_path / "out").again
    assert all_rows(project) == before


def test_a_newer_export_takes_the_account_away(
    filled: Project, tmp_path: Path, databases: Databases, kind: str
) -> None:
    create(tmp_path / "copy", "en", None, databases(kind))
    with opened(tmp_path / "copy") as copy:
        fill_private(copy)
        (copy.tables / "search.db").write_text("anna")
        withdraw(filled, "anna")
        export(filled, tmp_path / "out")
        import_export(copy, tmp_path / "out")
        found = all_rows(copy)
        assert [row["name"] for row in found["accounts"]] == ["annabel"]
        assert "anna" not in told_of(found)
        assert not (copy.tables / "search.db").exists()


# Documents that are withdrawn


def test_what_was_said_and_asked_about_a_document_goes(filled: Project) -> None:
    before = all_rows(filled)
    told = withdraw(filled, "groups-a")
    assert {name: told.erased[name] for name in ("remarks", "slots", "holds")} == {"remarks": 2, "slots": 2, "holds": 1}
    after = all_rows(filled)
    assert [row["text"] for row in after["remarks"]] == ["", "Kneading is not rising.", "", ""]
    assert [row | {"text": ""} for row in after["remarks"]] == [row | {"text": ""} for row in before["remarks"]]
    kept = [row for row in before["slots"] if row["judgement"] or row["item"] not in ("p1", "dp1")]
    assert after["slots"] == kept
    assert len(kept) == 4
    assert [row["item"] for row in after["holds"]] == ["dp2", "dp3"]
    for table in ("batches", "takers", "guidelines", "accounts", "sessions"):
        assert after[table] == before[table]
    assert not any(withdraw(filled, "groups-a").erased.values())


def test_a_unit_of_another_kind_with_the_same_id_stays(filled: Project) -> None:
    with filled.ledger.writing() as connection:
        row = {"batch": "triage", "position": 9, "number": 0, "item": "p1"}
        connection.execute(insert(schema.slots).values(**row))
        say = {"id": "r9", "unit": "document_pair", "item": "p1", "action": "say", "mentions": [], "time": "2026"}
        connection.execute(insert(schema.remarks).values(**say, text="Another one."))
    withdraw(filled, "groups-a")
    assert [row["item"] for row in all_rows(filled)["slots"]].count("p1") == 2
    assert all_rows(filled)["remarks"][-1]["text"] == "Another one."


@pytest.mark.parametrize("name", ["groups-a", "anna"])
def test_the_search_index_goes(filled: Project, name: str) -> None:
    search.catch_up(filled)
    (filled.tables / "search.db-journal").write_text("heron")
    assert (filled.tables / "search.db").exists()
    withdraw(filled, name)
    assert not list(filled.tables.glob("search.db*"))


def test_an_older_export_asks_for_nothing_that_was_withdrawn(
    filled: Project, tmp_path: Path, databases: Databases, kind: str
) -> None:
    """Nor does it bring what was said about a rewrite that only the export knows of."""
    with filled.ledger.writing() as connection:
        pair = Pair(id="p9", text1="A heron left.", text2="A heron went.", rewrite_of="p1")
        connection.execute(insert(schema.pairs).values(**row_of(pair, import_id=None, step=None, step_key=None)))
        said = Judgement(id="j9", pair="p9", value="4", note="heron again")
        connection.execute(insert(schema.judgements).values(**row_of(said)))
        say = {"id": "r9", "unit": "pair", "item": "p9", "action": "say", "mentions": [], "time": "2026"}
        connection.execute(insert(schema.remarks).values(**say, text="A heron."))
        row = {"batch": "double", "position": 9, "number": 0, "item": "p9"}
        connection.execute(insert(schema.slots).values(**row))
    export(filled, tmp_path / "out")
    create(tmp_path / "copy", "en", None, databases(kind))
    with opened(tmp_path / "copy") as copy:
        fill(copy)
        withdraw(copy, "groups-a")
        shutil.rmtree(copy.tables / "posts")
        told = import_export(copy, tmp_path / "out")
        assert told.withdrawn == 7  # a document, three pairs, three slots
        found = all_rows(copy)
    assert "heron" not in json.dumps(found).lower()
    assert [row["item"] for row in found["slots"]] == ["p1", "p3", "p3", "dp2"]
    assert {row["id"] for row in found["remarks"]} == {"r1", "r2", "r3", "r4", "r9"}


# Pairs that were taken back


def test_pairs_taken_back_are_not_counted(filled: Project) -> None:
    told = status(filled)
    assert told["counts"]["pairs"] == 4
    assert {row["method"]: row["rows"] for row in told["pairs"]} == {None: 2, "rewrite": 1, "extract": 1}
    assert yields(filled) == {"dp2": 1}
    with filled.ledger.reading() as connection:
        assert [pair.id for pair in records(connection, Pair, PRESENT)] == ["p1", "p2", "p3", "x1"]


def test_the_trace_of_a_pair_leads_through_the_site(filled: Project) -> None:
    assert trace(filled, "x2")["pair"]["state"] == "removed"
    told = trace(filled, "p3")
    assert [(one["batch"], one["holder"], one["judgement"]) for one in told["batches"]] == [
        *(("double", "anna", "j3"), ("double", None, None)),
    ]
    assert [(one["id"], one["action"]) for one in told["remarks"]] == [("r2", "say"), ("r4", "resolve")]
