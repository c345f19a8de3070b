"""A quick yes or no to a document pair is a judgement; the state of the pair follows from the last one."""

from __future__ import annotations

import pytest

from otherwords.errors import ProjectError, UsageError
from otherwords.project import Project
from otherwords.project.triage import triage, waiting
from otherwords.project.withdraw import withdraw
from tests.project.corpus import all_rows, fill


@pytest.fixture
def filled(project: Project) -> Project:
    fill(project)
    return project


def state(project: Project, name: str) -> tuple[object, object, object]:
    row = next(row for row in all_rows(project)["document_pairs"] if row["id"] == name)
    return row["status"], row["reason"], row["seconds"]


def test_a_decision_is_a_judgement_and_a_state(filled: Project) -> None:
    said = triage(filled, "dp1", "reject", "cleo", "one quotes the other", 4.5)
    row = all_rows(filled)["judgements"][-1]
    kept = {
        name: row[name] for name in ("id", "unit", "pair", "annotator", "scheme", "value", "note", "seconds", "kind")
    }
    assert kept == {
        "id": said.id,
        "unit": "document_pair",
        "pair": "dp1",
        "annotator": "cleo",
        "scheme": "triage",
        "value": "reject",
        "note": "one quotes the other",
        "seconds": 4.5,
        "kind": "individual",
    }
    assert row["time"]
    assert state(filled, "dp1") == ("rejected", "one quotes the other", 4.5)


def test_a_later_decision_supersedes_the_earlier_of_the_same_person(filled: Project) -> None:
    first = triage(filled, "dp1", "reject", "cleo", "too long")
    other = triage(filled, "dp1", "accept", "dora")
    second = triage(filled, "dp1", "accept", "cleo")
    assert (first.supersedes, other.supersedes, second.supersedes) == (None, None, first.id)
    assert triage(filled, "dp1", "reject", "cleo").supersedes == second.id
    assert state(filled, "dp1") == ("rejected", None, None)
    assert [row["value"] for row in all_rows(filled)["judgements"] if row["scheme"] == "triage"] == [
        "reject",
        "accept",
        "accept",
        "reject",
    ]


def test_what_is_decided_waits_no_more(filled: Project) -> None:
    assert [pair.id for pair in waiting(filled, "groups", 10)] == ["dp1", "dp2"]
    assert [pair.id for pair in waiting(filled, "groups", 1)] == ["dp1"]
    assert waiting(filled, "forum", 10) == []
    triage(filled, "dp1", "accept", "cleo")
    assert [pair.id for pair in waiting(filled, "groups", 10)] == ["dp2"]
    withdraw(filled, "groups-c")
    assert waiting(filled, "groups", 10) == []


def test_what_cannot_be_decided(filled: Project) -> None:
    before = all_rows(filled)["judgements"]
    with pytest.raises(ProjectError, match="no document pair 'dp9'"):
        triage(filled, "dp9", "accept", "cleo")
    with pytest.raises(UsageError, match="'maybe' is neither accept nor reject"):
        triage(filled, "dp1", "maybe", "cleo")  # type: ignore[arg-type]
    assert all_rows(filled)["judgements"] == before
    withdraw(filled, "groups-a")
    with pytest.raises(ProjectError, match="the document pair 'dp1' was withdrawn"):
        triage(filled, "dp1", "accept", "cleo")
