"""A triage decision is a judgement; the status of the document pair follows from the last current one."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from otherwords.annotate.documents import locks as holding
from otherwords.annotate.documents.extracted_pairs import add_pair
from otherwords.annotate.documents.extraction import next_for_extraction
from otherwords.annotate.documents.queues import count_waiting
from otherwords.annotate.documents.triage import MAX_OPENING, TriageTask, decide, first_sentences, next_for_triage
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Document, DocumentPair, Judgement, Part
from tests.annotate.reading import ONE, forum_pairs, put, row, rows, status, time_runs_out, two_documents
from tests.errors import raises
from tests.processes import SECONDS, join_all


def take(project: Project, annotator: str, most: int = 3, method: str | None = None) -> list[str]:
    with project.ledger.writing() as connection:
        return [task.id for task in next_for_triage(connection, annotator, most, method)]


def decide_on(
    project: Project, annotator: str, decision: Any, name: str = "f1", key: str = "k", **more: Any
) -> Judgement:
    with project.ledger.writing() as connection:
        return decide(connection, annotator, name, decision, more.get("reason"), more.get("seconds"), key)


def values(project: Project) -> list[object]:
    return [row["value"] for row in rows(project, schema.judgements)]


def test_a_decision_is_a_judgement_and_a_state(project: Project) -> None:
    forum_pairs(project, 1)
    judgement = decide_on(project, "cleo", "reject", reason="one quotes the other", seconds=4.5)
    [stored] = rows(project, schema.judgements)
    kept = {name: stored[name] for name in ("id", "unit", "pair", "annotator", "scheme", "value", "note", "seconds")}
    assert kept == {
        "id": judgement.id,
        "unit": "document_pair",
        "pair": "f1",
        "annotator": "cleo",
        "scheme": "triage",
        "value": "reject",
        "note": "one quotes the other",
        "seconds": 4.5,
    }
    assert (stored["kind"], bool(stored["time"])) == ("individual", True)
    state = row(project, DocumentPair, "f1")
    assert (state["status"], state["reason"], state["seconds"]) == ("rejected", "one quotes the other", 4.5)


def test_the_queue_goes_by_arrival_and_leaves_out_what_others_hold(project: Project) -> None:
    names = forum_pairs(project, 6)
    put(project, DocumentPair(id="n1", doc1="a", doc2="b", method="news", status="candidate"))
    put(project, DocumentPair(id="f7", doc1="a", doc2="nowhere", method="forum", status="candidate"))
    put(project, DocumentPair(id="f8", doc1="a", doc2="b", method="forum"))  # of no state yet
    assert take(project, "anna", 2) == names[:2]
    assert take(project, "ben", 3) == names[2:5]
    assert take(project, "anna", 5) == ["f1", "f2", "f6", "f8"]
    decide_on(project, "anna", "accept", "f1")
    assert take(project, "anna", 9) == ["f2", "f6", "f8"]
    time_runs_out(project)
    assert take(project, "ben", 9, "forum") == ["f2", "f3", "f4", "f5", "f6", "f8"]
    with raises("method-not-triaged"):
        take(project, "ben", 9, "news")


def test_two_who_ask_at_once_get_different_pairs(project: Project) -> None:
    names = forum_pairs(project, 12)
    got: dict[str, list[str]] = {}
    start = threading.Barrier(4)

    def ask(name: str) -> None:
        start.wait(SECONDS)
        got[name] = take(project, name, 3)

    asking = [threading.Thread(target=ask, args=(name,)) for name in ("anna", "ben", "cleo", "dora")]
    for thread in asking:
        thread.start()
    join_all(asking)
    assert sorted(name for some in got.values() for name in some) == sorted(names)


def test_what_is_shown(project: Project) -> None:
    part = Part(start1=24, end1=51, start2=0, end2=26)
    two_documents(project, id="f1", method="forum", similarity=0.5, group="boats", part=part)
    with project.ledger.writing() as connection:
        [shown] = next_for_triage(connection, "anna", 5)
    assert isinstance(shown, TriageTask)
    assert (shown.similarity, shown.group, shown.method, shown.round) == (0.5, "boats", "forum", 1)
    assert (shown.one.text, shown.one.cut, shown.one.title) == ("A grey heron watched it go.", False, "Noon ferry")
    assert (shown.two.text, shown.two.cut, shown.two.title) == ("At midday the boat sailed.", False, None)
    assert (shown.one.id, shown.one.source, shown.one.lang, shown.one.time) == ("a", "news", "en", "2024-03-01")


SENTENCE = "The ferry left at noon. "


@pytest.mark.parametrize(
    ("text", "lang", "shown", "cut"),
    [
        (ONE, "en", ONE, False),
        ("  " + ONE + "\n", "en", ONE, False),
        (SENTENCE * 100, "en", (SENTENCE * 25).strip(), True),
        ("Hi. " + "boat " * 300, "en", ("Hi. " + "boat " * 119).strip(), True),
        ("x" * 700, "en", "x" * 600, True),
        ("", None, "", False),
        ("船が出た。" * 200, "ja", "船が出た。" * 120, True),
        ("船" * 700, "ja", "船" * 600, True),
        ("x" * 599 + "🇫🇮" + "x" * 100, "en", "x" * 599, True),
        ("x" * 595 + "👨‍👩‍👧‍👦" + "x" * 100, "en", "x" * 595, True),
        ("\u0301" * 700, "en", "\u0301" * 600, True),
    ],
)
def test_first_sentences(text: str, lang: str | None, shown: str, cut: bool) -> None:
    assert first_sentences(text, lang) == (shown, cut)
    assert len(shown) <= MAX_OPENING


def test_the_same_request_sent_twice_is_stored_once(project: Project) -> None:
    forum_pairs(project, 2)
    first = decide_on(project, "anna", "reject", reason="too short", seconds=3.0)
    assert decide_on(project, "anna", "reject", reason="too short", seconds=9.0) == first
    decide_on(project, "anna", "undo", key="k2")
    assert decide_on(project, "anna", "reject", reason="too short") == first  # late, and it changes nothing
    assert status(project, "f1") == "candidate"
    assert values(project) == ["reject", None]
    for change in ({"decision": "accept"}, {"decision": "reject"}, {"decision": "reject", "name": "f2"}):
        with raises("key-reused"):
            decide_on(project, "anna", **change)
    assert decide_on(project, "ben", "reject", "f2").pair == "f2"  # another's key is another key
    assert len(values(project)) == 3


def test_two_concurrent_windows_store_a_decision_once(project: Project) -> None:
    forum_pairs(project, 1)
    ids: list[str] = []
    start = threading.Barrier(4)

    def send() -> None:
        start.wait(SECONDS)
        ids.append(decide_on(project, "anna", "accept").id)

    sending = [threading.Thread(target=send) for _ in range(4)]
    for thread in sending:
        thread.start()
    join_all(sending)
    assert len(ids) == 4
    assert len(set(ids)) == 1
    assert values(project) == ["accept"]


def test_a_later_decision_supersedes_the_earlier_of_the_same_person(project: Project) -> None:
    forum_pairs(project, 1)
    first = decide_on(project, "cleo", "reject", key="1", reason="too long")
    second = decide_on(project, "cleo", "accept", key="2")
    third = decide_on(project, "cleo", "undo", key="3")
    fourth = decide_on(project, "cleo", "reject", key="4")
    chain = (first.supersedes, second.supersedes, third.supersedes, fourth.supersedes)
    assert chain == (None, first.id, second.id, third.id)
    assert values(project) == ["reject", "accept", None, "reject"]
    assert status(project, "f1") == "rejected"


def test_taking_a_decision_back_offers_the_pair_again(project: Project) -> None:
    forum_pairs(project, 2)
    take(project, "anna", 1)
    decide_on(project, "anna", "reject", reason="too short", seconds=2.0)
    assert take(project, "anna", 1) == ["f2"]
    decide_on(project, "anna", "undo", key="k2")
    state = row(project, DocumentPair, "f1")
    assert (state["status"], state["reason"], state["seconds"]) == ("candidate", None, None)
    assert take(project, "anna", 2) == ["f1", "f2"]
    assert take(project, "ben", 2) == []
    with raises("nothing-to-take-back"):
        decide_on(project, "anna", "undo", key="k3")


def test_pairs_held_by_somebody_else_are_not_decided(project: Project) -> None:
    forum_pairs(project, 1)
    take(project, "anna")
    with raises("held-by-somebody-else"):
        decide_on(project, "ben", "accept")
    time_runs_out(project)
    assert decide_on(project, "anna", "accept").value == "accept"  # nobody took it meanwhile
    with raises("decided-meanwhile"):
        decide_on(project, "ben", "undo")
    assert values(project) == ["accept"]


def test_a_late_decision_does_not_overrule(project: Project) -> None:
    forum_pairs(project, 1)
    take(project, "anna")
    time_runs_out(project)
    take(project, "ben")
    decide_on(project, "ben", "reject")
    with raises("decided-meanwhile"):
        decide_on(project, "anna", "accept")
    assert status(project, "f1") == "rejected"


def test_a_deliberate_decision_overrules_and_undo_restores_the_earlier_one(project: Project) -> None:
    forum_pairs(project, 1)
    decide_on(project, "anna", "reject", reason="too short")
    with project.ledger.writing() as connection:
        holding.hold(connection, "triage", "f1", "cleo")
    decide_on(project, "cleo", "accept")
    assert status(project, "f1") == "accepted"
    with raises("decided-meanwhile"):
        decide_on(project, "anna", "undo", key="k2")
    decide_on(project, "cleo", "undo", key="k2")
    state = row(project, DocumentPair, "f1")
    assert (state["status"], state["reason"]) == ("rejected", "too short")


def test_once_extraction_has_begun_the_decision_stays(project: Project) -> None:
    forum_pairs(project, 2)
    for name in ("f1", "f2"):
        decide_on(project, "anna", "accept", name, key=name)
    with project.ledger.writing() as connection:
        assert next_for_extraction(connection, "ben") == "f1"
    for decision in ("undo", "reject"):
        with raises("extraction-begun"):
            decide_on(project, "anna", decision, key="k2")
    time_runs_out(project)  # a look without a pair is no beginning
    assert decide_on(project, "anna", "undo", key="k3").value is None
    with project.ledger.writing() as connection:
        assert next_for_extraction(connection, "ben") == "f2"
        add_pair(connection, "ben", "f2", Part(start1=0, end1=9, start2=0, end2=9), "p")
    time_runs_out(project)
    with raises("extraction-begun"):
        decide_on(project, "anna", "undo", "f2", key="k4")


def test_impossible_decisions_are_refused(project: Project) -> None:
    forum_pairs(project, 1)
    put(project, DocumentPair(id="old", doc1="a", doc2="b", method="forum", status="superseded"))
    for error, changes, code in (
        (NotFound, {"name": "f9"}, "no-such-document-pair"),
        (Refused, {"decision": "maybe"}, "unknown-decision"),
        (Refused, {"seconds": -1.0}, "bad-seconds"),
        (Refused, {"seconds": float("nan")}, "bad-seconds"),
        (Refused, {"reason": "x" * 4001}, "bad-reason"),
        (Refused, {"reason": "a\0b"}, "bad-reason"),
        (Conflict, {"name": "old"}, "document-pair-superseded"),
    ):
        with raises(code) as caught:
            decide_on(project, "cleo", **({"decision": "accept"} | changes))
        assert isinstance(caught.value, error)
    assert values(project) == []
    assert rows(project, schema.holds) == []
    withdraw(project, "a", noun="document")
    with raises("documents-withdrawn"):
        decide_on(project, "cleo", "accept")
    assert take(project, "cleo") == []


def test_waiting_pairs_are_counted_up_to_a_limit(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    forum_pairs(project, 4)
    news = [DocumentPair(id=f"n{n}", doc1="a", doc2="b", method="news", status="candidate") for n in range(3)]
    put(project, *news, DocumentPair(id="h", doc1="a", doc2="b", method="headings", status="candidate"))
    put(project, Document(id="c", text="Alone."))
    take(project, "ben", 1)
    with project.ledger.reading() as connection:
        assert count_waiting(connection, "anna") == {"triage": 3, "extract": 3}
        assert count_waiting(connection, "ben") == {"triage": 4, "extract": 3}
        monkeypatch.setattr("otherwords.annotate.documents.queues.MAX_COUNTED", 2)
        assert count_waiting(connection, "anna") == {"triage": 2, "extract": 2}
