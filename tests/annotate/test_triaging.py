"""A quick yes or no to a document pair is a judgement; the state of the pair follows from the last that stands."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from otherwords.annotate import holding
from otherwords.annotate.extracting import add_pair, next_for_extraction
from otherwords.annotate.queues import waiting
from otherwords.annotate.triaging import MOST_CHARACTERS, Undecided, decide, first_sentences, next_for_triage
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project import Project, schema
from otherwords.project.withdraw import withdraw
from otherwords.records import Document, DocumentPair, Judgement, Part
from tests.annotate.reading import ONE, forum_pairs, put, row, rows, status, time_runs_out, two_documents


def asked(project: Project, annotator: str, most: int = 3, method: str | None = None) -> list[str]:
    with project.ledger.writing() as connection:
        return [one.id for one in next_for_triage(connection, annotator, most, method)]


def said(project: Project, annotator: str, decision: Any, name: str = "f1", key: str = "k", **more: Any) -> Judgement:
    with project.ledger.writing() as connection:
        return decide(connection, annotator, name, decision, more.get("reason"), more.get("seconds"), key)


def values(project: Project) -> list[object]:
    return [one["value"] for one in rows(project, schema.judgements)]


def test_a_decision_is_a_judgement_and_a_state(project: Project) -> None:
    forum_pairs(project, 1)
    made = said(project, "cleo", "reject", reason="one quotes the other", seconds=4.5)
    [told] = rows(project, schema.judgements)
    kept = {name: told[name] for name in ("id", "unit", "pair", "annotator", "scheme", "value", "note", "seconds")}
    assert kept == {
        "id": made.id,
        "unit": "document_pair",
        "pair": "f1",
        "annotator": "cleo",
        "scheme": "triage",
        "value": "reject",
        "note": "one quotes the other",
        "seconds": 4.5,
    }
    assert (told["kind"], bool(told["time"])) == ("individual", True)
    state = row(project, DocumentPair, "f1")
    assert (state["status"], state["reason"], state["seconds"]) == ("rejected", "one quotes the other", 4.5)


def test_the_queue_goes_by_arrival_and_leaves_out_what_others_hold(project: Project) -> None:
    names = forum_pairs(project, 6)
    put(project, DocumentPair(id="n1", doc1="a", doc2="b", method="news", status="candidate"))
    put(project, DocumentPair(id="f7", doc1="a", doc2="nowhere", method="forum", status="candidate"))
    put(project, DocumentPair(id="f8", doc1="a", doc2="b", method="forum"))  # of no state yet
    assert asked(project, "anna", 2) == names[:2]
    assert asked(project, "ben", 3) == names[2:5]
    assert asked(project, "anna", 5) == ["f1", "f2", "f6", "f8"]
    said(project, "anna", "accept", "f1")
    assert asked(project, "anna", 9) == ["f2", "f6", "f8"]
    time_runs_out(project)
    assert asked(project, "ben", 9, "forum") == ["f2", "f3", "f4", "f5", "f6", "f8"]
    with pytest.raises(Refused, match="go to extraction without triage"):
        asked(project, "ben", 9, "news")


def test_two_who_ask_at_once_get_different_pairs(project: Project) -> None:
    names = forum_pairs(project, 12)
    got: dict[str, list[str]] = {}
    start = threading.Barrier(4)

    def ask(name: str) -> None:
        start.wait()
        got[name] = asked(project, name, 3)

    asking = [threading.Thread(target=ask, args=(name,)) for name in ("anna", "ben", "cleo", "dora")]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert sorted(name for some in got.values() for name in some) == sorted(names)


def test_what_is_shown(project: Project) -> None:
    part = Part(start1=24, end1=51, start2=0, end2=26)
    two_documents(project, id="f1", method="forum", similarity=0.5, group="boats", part=part)
    with project.ledger.writing() as connection:
        [shown] = next_for_triage(connection, "anna", 5)
    assert isinstance(shown, Undecided)
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
    assert len(shown) <= MOST_CHARACTERS


def test_the_same_sent_twice_is_there_once(project: Project) -> None:
    forum_pairs(project, 2)
    first = said(project, "anna", "reject", reason="too short", seconds=3.0)
    assert said(project, "anna", "reject", reason="too short", seconds=9.0) == first
    said(project, "anna", "undo", key="k2")
    assert said(project, "anna", "reject", reason="too short") == first  # late, and it changes nothing
    assert status(project, "f1") == "candidate"
    assert values(project) == ["reject", None]
    for change in ({"decision": "accept"}, {"decision": "reject"}, {"decision": "reject", "name": "f2"}):
        with pytest.raises(Conflict, match="something else was saved under this key"):
            said(project, "anna", **change)
    assert said(project, "ben", "reject", "f2").pair == "f2"  # another's key is another key
    assert len(values(project)) == 3


def test_two_windows_that_send_the_same_at_once(project: Project) -> None:
    forum_pairs(project, 1)
    made: list[str] = []
    start = threading.Barrier(4)

    def send() -> None:
        start.wait()
        made.append(said(project, "anna", "accept").id)

    sending = [threading.Thread(target=send) for _ in range(4)]
    for thread in sending:
        thread.start()
    for thread in sending:
        thread.join()
    assert len(made) == 4
    assert len(set(made)) == 1
    assert values(project) == ["accept"]


def test_a_later_decision_supersedes_the_earlier_of_the_same_person(project: Project) -> None:
    forum_pairs(project, 1)
    first = said(project, "cleo", "reject", key="1", reason="too long")
    second = said(project, "cleo", "accept", key="2")
    third = said(project, "cleo", "undo", key="3")
    fourth = said(project, "cleo", "reject", key="4")
    chain = (first.supersedes, second.supersedes, third.supersedes, fourth.supersedes)
    assert chain == (None, first.id, second.id, third.id)
    assert values(project) == ["reject", "accept", None, "reject"]
    assert status(project, "f1") == "rejected"


def test_who_takes_a_decision_back_sees_the_pair_again(project: Project) -> None:
    forum_pairs(project, 2)
    asked(project, "anna", 1)
    said(project, "anna", "reject", reason="too short", seconds=2.0)
    assert asked(project, "anna", 1) == ["f2"]
    said(project, "anna", "undo", key="k2")
    state = row(project, DocumentPair, "f1")
    assert (state["status"], state["reason"], state["seconds"]) == ("candidate", None, None)
    assert asked(project, "anna", 2) == ["f1", "f2"]
    assert asked(project, "ben", 2) == []
    with pytest.raises(Conflict, match="no decision of yours"):
        said(project, "anna", "undo", key="k3")


def test_what_somebody_else_has_is_not_decided(project: Project) -> None:
    forum_pairs(project, 1)
    asked(project, "anna")
    with pytest.raises(Conflict, match="somebody else works on this until"):
        said(project, "ben", "accept")
    time_runs_out(project)
    assert said(project, "anna", "accept").value == "accept"  # nobody took it meanwhile
    with pytest.raises(Conflict, match="no decision|somebody else has decided"):
        said(project, "ben", "undo")
    assert values(project) == ["accept"]


def test_who_comes_late_does_not_overrule(project: Project) -> None:
    forum_pairs(project, 1)
    asked(project, "anna")
    time_runs_out(project)
    asked(project, "ben")
    said(project, "ben", "reject")
    with pytest.raises(Conflict, match="somebody else has decided about this since"):
        said(project, "anna", "accept")
    assert status(project, "f1") == "rejected"


def test_who_takes_it_on_purpose_overrules_and_undo_gives_the_word_back(project: Project) -> None:
    forum_pairs(project, 1)
    said(project, "anna", "reject", reason="too short")
    with project.ledger.writing() as connection:
        holding.hold(connection, "triage", "f1", "cleo")
    said(project, "cleo", "accept")
    assert status(project, "f1") == "accepted"
    with pytest.raises(Conflict, match="somebody else has decided about this since"):
        said(project, "anna", "undo", key="k2")
    said(project, "cleo", "undo", key="k2")
    state = row(project, DocumentPair, "f1")
    assert (state["status"], state["reason"]) == ("rejected", "too short")


def test_once_extraction_has_begun_the_decision_stays(project: Project) -> None:
    forum_pairs(project, 2)
    for name in ("f1", "f2"):
        said(project, "anna", "accept", name, key=name)
    with project.ledger.writing() as connection:
        assert next_for_extraction(connection, "ben") == "f1"
    for decision in ("undo", "reject"):
        with pytest.raises(Conflict, match="begun to extract"):
            said(project, "anna", decision, key="k2")
    time_runs_out(project)  # a look without a pair is no beginning
    assert said(project, "anna", "undo", key="k3").value is None
    with project.ledger.writing() as connection:
        assert next_for_extraction(connection, "ben") == "f2"
        add_pair(connection, "ben", "f2", 0, 9, 0, 9, "p")
    time_runs_out(project)
    with pytest.raises(Conflict, match="begun to extract"):
        said(project, "anna", "undo", "f2", key="k4")


def test_what_cannot_be_decided(project: Project) -> None:
    forum_pairs(project, 1)
    put(project, DocumentPair(id="old", doc1="a", doc2="b", method="forum", status="superseded"))
    for kind, more, reason in (
        (NotFound, {"name": "f9"}, "no document pair 'f9'"),
        (Refused, {"decision": "maybe"}, "'maybe' is neither"),
        (Refused, {"seconds": -1.0}, "not a number of seconds"),
        (Refused, {"seconds": float("nan")}, "not a number of seconds"),
        (Refused, {"reason": "x" * 4001}, "at most 4,000"),
        (Refused, {"reason": "a\0b"}, "null"),
        (Conflict, {"name": "old"}, "later alignment"),
    ):
        with pytest.raises(kind, match=reason):
            said(project, "cleo", **({"decision": "accept"} | more))
    assert values(project) == []
    assert rows(project, schema.holds) == []
    withdraw(project, "a", noun="document")
    with pytest.raises(Conflict, match="withdrawn"):
        said(project, "cleo", "accept")
    assert asked(project, "cleo") == []


def test_how_much_waits_is_counted_only_so_far(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    forum_pairs(project, 4)
    news = [DocumentPair(id=f"n{n}", doc1="a", doc2="b", method="news", status="candidate") for n in range(3)]
    put(project, *news, DocumentPair(id="h", doc1="a", doc2="b", method="headings", status="candidate"))
    put(project, Document(id="c", text="Alone."))
    asked(project, "ben", 1)
    with project.ledger.reading() as connection:
        assert waiting(connection, "anna") == {"triage": 3, "extract": 3}
        assert waiting(connection, "ben") == {"triage": 4, "extract": 3}
        monkeypatch.setattr("otherwords.annotate.queues.MOST_COUNTED", 2)
        assert waiting(connection, "anna") == {"triage": 2, "extract": 2}
