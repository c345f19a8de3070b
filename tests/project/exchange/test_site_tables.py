"""The tables of the annotation site keep the promises of the others: to travel, to come back, and to forget."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, update

from otherwords.project import Project, create_project, open_project, search
from otherwords.project.document_pairs import count_extracted
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.export_import import ALL, export_project, import_export
from otherwords.project.exchange.restore import restore
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, read_records, row_of
from otherwords.project.trace import trace
from otherwords.project.withdrawal.identities import NAMED, Renaming
from otherwords.project.withdrawal.pseudonyms import Pseudonyms
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Judgement, Pair
from otherwords.steps.status import status
from tests.project.corpus import all_rows, fill, fill_private
from tests.project.exchange.archives import pack, unpack, with_file

SEQ = ("seq",)
STAYING = {
    *("accounts", "sessions", "tokens", "invitations", "attempts", "holds", "past_holders"),
    *("identities", "sign_ins", "platform_workers", "practice_answers", "webhook_deliveries"),
}
NOT_KEPT = {"sessions", "sign_ins", "invitations", "attempts", "holds"}
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
        return {name: known.find(name) for name in ("anna", "annabel", "ben")}


def as_text(rows: dict[str, Any]) -> str:
    """All rows as one text, without a topic and without names that only begin alike."""
    return json.dumps(rows).replace('"topic": "anna"', "").replace("annabel", "")


# Export and import


def test_all_tables_are_exported_or_left_out_for_a_reason() -> None:
    assert set(schema.metadata.tables) - {table.name for table in ALL} == STAYING


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_work_is_exported_and_accounts_are_not(
    filled: Project, tmp_path: Path, databases: Databases, other: str
) -> None:
    written = export_project(filled, tmp_path / "out")
    assert not STAYING & {name.removesuffix(".jsonl") for name in written}
    assert written["slots.jsonl"] == 6
    create_project(tmp_path / "copy", "en", "turku", databases(other))
    with open_project(tmp_path / "copy") as copy:
        import_export(copy, tmp_path / "out")
        copied, original = all_rows(copy, without=SEQ), all_rows(filled, without=SEQ)
        assert {row["id"]: row["state"] for row in copied["pairs"]}["x2"] == "removed"
        assert copied == original | {name: [] for name in STAYING}
        result = import_export(copy, tmp_path / "out")
        assert list(result.lines()) == [f"{tmp_path / 'out'}: was imported before; nothing to add"]
        assert all_rows(copy, without=SEQ) == copied


def test_existing_rows_are_kept(filled: Project, tmp_path: Path) -> None:
    export_project(filled, tmp_path / "out")
    with filled.ledger.writing() as connection:
        connection.execute(update(schema.slots).where(schema.slots.c.item == "dp2").values(holder="ben", until=1.0))
        connection.execute(update(schema.guidelines).where(schema.guidelines.c.version == 1).values(text="# Better"))
        connection.execute(update(schema.takers).where(schema.takers.c.annotator == "ben").values(done=7))
        connection.execute(update(schema.pairs).where(schema.pairs.c.id == "x1").values(state="removed"))
    before = all_rows(filled)
    result = import_export(filled, tmp_path / "out")
    assert all_rows(filled) == before
    assert {reason.partition(":")[0]: rows for reason, rows in result.skipped.items()} == {
        **{"slots": 1, "guidelines": 1, "takers": 1, "pairs": 1},
    }


# Backup and restore


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_a_restored_project_begins_without_sessions(
    filled: Project, tmp_path: Path, databases: Databases, other: str
) -> None:
    written = backup(filled, tmp_path / "corpus.tar")
    assert not NOT_KEPT & written.keys()
    assert b"session of anna" not in (tmp_path / "corpus.tar").read_bytes()
    assert restore(tmp_path / "corpus.tar", tmp_path / "again", databases(other)) == written
    with open_project(tmp_path / "again") as again:
        assert all_rows(again) == all_rows(filled) | {name: [] for name in NOT_KEPT}


def test_an_archive_that_brings_sessions_opens_none(filled: Project, tmp_path: Path) -> None:
    backup(filled, tmp_path / "corpus.tar")
    session = {"id": "s1", "account": "anna", "csrf": "c", "created": "2026", "until": 9e9}
    members = with_file(unpack(tmp_path / "corpus.tar"), "ledger/sessions.jsonl", json.dumps(session).encode() + b"\n")
    assert "sessions" not in restore(pack(members, tmp_path / "more.tar.gz"), tmp_path / "again")
    with open_project(tmp_path / "again") as again:
        assert all_rows(again)["sessions"] == []
        assert len(all_rows(again)["accounts"]) == 2


# Annotators who withdraw


def test_a_name_is_erased_everywhere(filled: Project) -> None:
    result = withdraw(filled, "anna")
    erased = {name: rows for name, rows in result.erased.items() if rows}
    assert erased == {
        **{"judgements": 3, "events": 2, "guidelines": 1, "remarks": 2, "batches": 1, "slots": 4, "takers": 1},
        **{"pairs": 2, "accounts": 1, "sessions": 1, "tokens": 1, "invitations": 2, "attempts": 1, "holds": 1},
        **{"identities": 1, "sign_ins": 1, "platform_workers": 1, "practice_answers": 1},
        **{"introductions": 1, "consents": 1, "completion_codes": 1},
    }
    new, after = people(filled)["anna"], all_rows(filled)
    assert new is not None
    assert "anna" not in as_text(after)
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
    for table in ("identities", "platform_workers"):
        assert [row["account"] for row in after[table]] == ["annabel"]
    assert [row["annotator"] for row in after["practice_answers"]] == ["annabel"]
    assert after["sign_ins"] == []
    assert [(row["annotator"], row["version"]) for row in after["consents"]] == [(new, 1), ("ben", 2)]
    assert [row["code"] for row in after["completion_codes"]] == ["0AB3C-D4E5F"]  # hers would say who she was
    assert [row["key"] for row in after["attempts"]] == ["address:::1"]
    assert not any(withdraw(filled, "anna").erased.values())


@pytest.mark.parametrize(
    ("table", "row"),
    [
        (schema.accounts, {"name": "cleo", "role": "worker", "state": "active", "settings": {}, "created": "2026"}),
        (schema.slots, {"batch": "double", "position": 7, "number": 0, "item": "p3", "maker": "cleo"}),
        (schema.takers, {"batch": "double", "annotator": "cleo", "position": 0, "done": 0}),
        (schema.consents, {"batch": "double", "annotator": "cleo", "version": 1, "time": "2026"}),
        (schema.guidelines, {"scheme": "turku", "version": 3, "text": "", "author": "cleo", "time": "2026"}),
        (schema.holds, {"scheme": "extract", "item": "dp2", "holder": "cleo", "until": 1.0}),
        (schema.pairs, {"id": "x3", "text1": "a", "text2": "b", "scores": {}, "meta": {"annotator": "cleo"}}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_people_named_in_any_column_can_withdraw(project: Project, table: Any, row: dict[str, Any]) -> None:
    with project.ledger.writing() as connection:
        connection.execute(insert(table).values(**row))
    assert withdraw(project, "cleo").noun == "annotator"
    assert "cleo" not in json.dumps(all_rows(project))


def test_progress_under_both_names_is_added_up(filled: Project) -> None:
    withdraw(filled, "anna")
    with filled.ledger.writing() as connection:
        again = {"batch": "double", "annotator": "anna", "position": 5, "done": 3, "tests": 2, "right": 1}
        connection.execute(insert(schema.takers).values(**again))
        connection.execute(insert(schema.takers).values(**again | {"batch": "other"}))
    assert withdraw(filled, "anna").erased["takers"] == 2
    new = people(filled)["anna"]
    rows = [row for row in all_rows(filled)["takers"] if row["annotator"] == new]
    assert rows == [
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


def test_keys_of_rules_are_not_renamed() -> None:
    row = {"author": "people", "rules": {"people": ["people", "own"], "own": True}}
    changed = {"author": "w", "rules": {"people": ["w", "own"], "own": True}}
    assert Renaming({"people": "w"}).changes(schema.batches, row) == changed


def test_columns_with_names_exist() -> None:
    for table, ways in NAMED.items():
        assert ways.keys() <= set(table.c.keys())


def test_names_of_an_older_export_become_pseudonyms(
    filled: Project, tmp_path: Path, databases: Databases, kind: str
) -> None:
    export_project(filled, tmp_path / "out")
    withdraw(filled, "anna")
    before = all_rows(filled)
    result = import_export(filled, tmp_path / "out")
    assert (result.added, result.withdrawn, result.skipped) == (0, 1, {})  # her completion code stays out
    assert all_rows(filled) == before
    create_project(tmp_path / "copy", "en", None, databases(kind))
    stones = [{name: row[name] for name in row if name != "seq"} for row in before["tombstones"]]
    with open_project(tmp_path / "copy") as copy:
        with copy.ledger.writing() as connection:
            connection.execute(insert(schema.tombstones), stones)
        import_export(copy, tmp_path / "out")
        rows = all_rows(copy, without=SEQ)
    assert "anna" not in as_text(rows)
    for table in ("pairs", "judgements", "remarks", "batches", "slots", "takers", "events", "guidelines"):
        assert rows[table] == all_rows(filled, without=SEQ)[table], table


@pytest.mark.parametrize(
    ("table", "row", "column"),
    [
        (schema.events, {"time": "2026", "action": "account invited", "detail": {"account": "cleo"}}, "detail"),
        (schema.remarks, {"text": "Ask @cleo."}, "text"),
        (schema.batches, {"rules": {"people": ["cleo"]}}, "rules"),
    ],
    ids=["events", "remarks", "batches"],
)
def test_a_name_that_occurs_only_once(
    project: Project, tmp_path: Path, table: Any, row: dict[str, Any], column: str
) -> None:
    """Whoever did nothing else is recognised where a column says that it is a name."""
    fill(project)
    with project.ledger.writing() as connection:
        whole = {"id": "new", "unit": "pair", "item": "p3", "action": "say", "mentions": [], "scheme": "turku"}
        whole |= {"purpose": "production", "asked": 1, "state": "open", "time": "2026"}
        values = {name: value for name, value in whole.items() if name in table.c} | row
        connection.execute(insert(table).values(**values))
    export_project(project, tmp_path / "out")
    withdraw(project, "cleo", noun="annotator")
    before = all_rows(project)
    assert "cleo" not in json.dumps(before)
    assert "withdrawn-" in json.dumps(before[table.name][-1][column])
    assert import_export(project, tmp_path / "out").again
    assert all_rows(project) == before


def test_a_newer_export_deletes_the_account(filled: Project, tmp_path: Path, databases: Databases, kind: str) -> None:
    create_project(tmp_path / "copy", "en", None, databases(kind))
    with open_project(tmp_path / "copy") as copy:
        fill_private(copy)
        (copy.tables / "search.db").write_text("anna")
        withdraw(filled, "anna")
        export_project(filled, tmp_path / "out")
        import_export(copy, tmp_path / "out")
        rows = all_rows(copy)
        assert [row["name"] for row in rows["accounts"]] == ["annabel"]
        assert "anna" not in as_text(rows)
        assert not (copy.tables / "search.db").exists()


# Documents that are withdrawn


def test_judgements_remarks_and_open_slots_of_a_document_are_erased(filled: Project) -> None:
    before = all_rows(filled)
    result = withdraw(filled, "groups-a")
    assert {name: result.erased[name] for name in ("remarks", "slots", "holds")} == {
        "remarks": 2,
        "slots": 2,
        "holds": 1,
    }
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
def test_the_search_index_is_deleted(filled: Project, name: str) -> None:
    search.update_index(filled)
    (filled.tables / "search.db-journal").write_text("heron")
    assert (filled.tables / "search.db").exists()
    withdraw(filled, name)
    assert not list(filled.tables.glob("search.db*"))


def test_an_older_export_adds_no_slots_of_withdrawn_pairs(
    filled: Project, tmp_path: Path, databases: Databases, kind: str
) -> None:
    """Nor does it bring what was said about a rewrite that only the export knows of."""
    with filled.ledger.writing() as connection:
        pair = Pair(id="p9", text1="A heron left.", text2="A heron went.", rewrite_of="p1")
        connection.execute(insert(schema.pairs).values(**row_of(pair, import_id=None, step=None, step_key=None)))
        judgement = Judgement(id="j9", pair="p9", value="4", note="heron again")
        connection.execute(insert(schema.judgements).values(**row_of(judgement)))
        say = {"id": "r9", "unit": "pair", "item": "p9", "action": "say", "mentions": [], "time": "2026"}
        connection.execute(insert(schema.remarks).values(**say, text="A heron."))
        row = {"batch": "double", "position": 9, "number": 0, "item": "p9"}
        connection.execute(insert(schema.slots).values(**row))
    export_project(filled, tmp_path / "out")
    create_project(tmp_path / "copy", "en", None, databases(kind))
    with open_project(tmp_path / "copy") as copy:
        fill(copy)
        withdraw(copy, "groups-a")
        shutil.rmtree(copy.tables / "posts")
        result = import_export(copy, tmp_path / "out")
        assert result.withdrawn == 7  # a document, three pairs, three slots
        rows = all_rows(copy)
    assert "heron" not in json.dumps(rows).lower()
    assert [row["item"] for row in rows["slots"]] == ["p1", "p3", "p3", "dp2"]
    assert {row["id"] for row in rows["remarks"]} == {"r1", "r2", "r3", "r4", "r9"}


# Pairs that were taken back


def test_removed_pairs_are_not_counted(filled: Project) -> None:
    overview = status(filled)
    assert overview["counts"]["pairs"] == 4
    assert {row["method"]: row["rows"] for row in overview["pairs"]} == {None: 2, "rewrite": 1, "extract": 1}
    assert count_extracted(filled) == {"dp2": 1}
    with filled.ledger.reading() as connection:
        assert [pair.id for pair in read_records(connection, Pair, PRESENT)] == ["p1", "p2", "p3", "x1"]


def test_the_trace_of_a_pair_lists_slots_and_remarks(filled: Project) -> None:
    assert trace(filled, "x2")["pair"]["state"] == "removed"
    result = trace(filled, "p3")
    assert [(slot["batch"], slot["holder"], slot["judgement"]) for slot in result["batches"]] == [
        *(("double", "anna", "j3"), ("double", None, None)),
    ]
    assert [(remark["id"], remark["action"]) for remark in result["remarks"]] == [("r2", "say"), ("r4", "resolve")]
