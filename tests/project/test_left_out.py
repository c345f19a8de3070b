"""Pairs are left out for a reason and taken back; nothing is erased, and who decided what stays on record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from otherwords.project import Project, create_project, open_project
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.export_import import export_project, import_export
from otherwords.project.exchange.restore import restore
from otherwords.project.left_out import MOST_REASON, leave_out, left_out_pairs, take_back
from otherwords.project.trace import trace
from otherwords.project.withdrawal.withdraw import withdraw
from tests.errors import raises
from tests.project.corpus import all_rows, fill


@pytest.fixture
def filled(project: Project) -> Project:
    fill(project)
    return project


def left_out(project: Project) -> dict[str, str]:
    with project.ledger.reading() as connection:
        return {row.pair: row.reason for row in left_out_pairs(connection).values()}


def test_a_pair_is_left_out_and_taken_back_on_record(filled: Project) -> None:
    with filled.ledger.writing() as connection:
        assert leave_out(connection, ["p1", "p3"], " not  a sentence ", "anna") == ["p1", "p3"]
        assert leave_out(connection, ["p1"], "again", "ben") == [], "it is left out already"
    assert left_out(filled) == {"p1": "not a sentence", "p3": "not a sentence"}
    with filled.ledger.writing() as connection:
        assert take_back(connection, ["p1", "p2"], "it is one", "ben") == ["p1"]
        assert take_back(connection, ["p1"], author="ben") == []
    assert left_out(filled) == {"p3": "not a sentence"}
    with filled.ledger.writing() as connection:
        assert leave_out(connection, ["p1"], "still none") == ["p1"], "at once, and again"
    decisions = trace(filled, "p1")["left_out"]
    assert [(row["action"], row["reason"], row["author"]) for row in decisions] == [
        ("leave out", "not a sentence", "anna"),
        ("take back", "it is one", "ben"),
        ("leave out", "still none", None),
    ]


def test_the_same_request_sent_again_does_nothing(filled: Project) -> None:
    with filled.ledger.writing() as connection:
        leave_out(connection, ["p1"], "spam", "anna", key="k1")
        take_back(connection, ["p1"], author="anna", key="k2")
        assert leave_out(connection, ["p1"], "spam", "anna", key="k1") == []
    assert left_out(filled) == {}


def test_a_reason_and_a_pair_are_needed(filled: Project) -> None:
    with filled.ledger.writing() as connection:
        with raises("no-reason"):
            leave_out(connection, ["p1"], "  ")
        with raises("reason-too-long"):
            leave_out(connection, ["p1"], "x" * (MOST_REASON + 1))
        with raises("no-such-pair", match="'n9' and 5 more"):
            leave_out(connection, [f"n{number}" for number in range(15)], "spam")
        with raises("no-such-pair"):
            take_back(connection, ["p9"])
    withdraw(filled, "p3")
    with filled.ledger.writing() as connection, raises("no-such-pair"):
        leave_out(connection, ["p3"], "spam")


def test_decisions_are_exported_imported_and_restored(
    filled: Project, tmp_path: Path, databases: Callable[[str], str]
) -> None:
    with filled.ledger.writing() as connection:
        leave_out(connection, ["p1", "p3"], "spam", "anna")
        take_back(connection, ["p3"])
    export_project(filled, tmp_path / "exported")
    create_project(tmp_path / "other", "en", "turku")
    with open_project(tmp_path / "other") as other:
        import_export(other, tmp_path / "exported")
        assert left_out(other) == {"p1": "spam"}
        assert import_export(other, tmp_path / "exported").again
    backup(filled, tmp_path / "corpus.tar")
    restore(tmp_path / "corpus.tar", tmp_path / "again", databases("sqlite"))
    with open_project(tmp_path / "again") as again:
        assert left_out(again) == {"p1": "spam"}


def test_withdrawal_erases_the_reason_and_the_name(filled: Project, tmp_path: Path) -> None:
    with filled.ledger.writing() as connection:
        leave_out(connection, ["p1"], "the heron is a stork, says @anna", "anna")
        leave_out(connection, ["p3"], "ask @anna", "ben")
    export_project(filled, tmp_path / "before")
    result = withdraw(filled, "groups-a")
    assert result.erased["reasons_for_leaving_out"] == 1
    assert left_out(filled) == {"p1": "", "p3": "ask @anna"}
    withdraw(filled, "anna")
    (first, second) = all_rows(filled)["left_out"]
    assert "anna" not in f"{first}{second}"
    with open_project(filled.folder) as again:  # an export made before brings neither back
        import_export(again, tmp_path / "before")
    assert all_rows(filled)["left_out"] == [first, second]
