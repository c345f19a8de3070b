"""From two documents to pairs: who may, what is exact, what is locked, and what becomes of it at the end."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from otherwords.annotate import extracting
from otherwords.errors import Conflict, NotAllowed, NotFound, Refused
from otherwords.project import Project, schema
from otherwords.project.importing import import_file
from otherwords.project.pairing import used_pairs, yields
from otherwords.project.recipe import Step
from otherwords.project.rows import records
from otherwords.project.run import run_step
from otherwords.project.withdraw import withdraw
from otherwords.project.work import WORKS
from otherwords.records import Document, DocumentPair, Judgement, Pair, Part
from tests.annotate.reading import ONE, TWO, put, row, rows, status, time_runs_out, two_documents
from tests.conftest import EXAMPLES

FERRY = (0, 23, 0, 26)  # The ferry left at noon. / At midday the boat sailed.
HERON = (24, 51, 27, 53)
WAVED = (53, 66, 55, 72)
SOURCES = EXAMPLES / "sources"


def does(project: Project, name: str, *told: Any, **more: Any) -> Any:
    """Call one of the functions in a transaction of its own."""
    with project.ledger.writing() as connection:
        return getattr(extracting, name)(connection, *told, **more)


def added(project: Project, spans: tuple[int, int, int, int] = FERRY, key: str = "k", who: str = "anna") -> Pair:
    made = does(project, "add_pair", who, "ab", *spans, key)
    assert isinstance(made, Pair)
    return made


def finished(project: Project, who: str = "anna", outcome: str = "finished", key: str = "end") -> Judgement:
    made = does(project, "finish", who, "ab", outcome, 60.0, key, "turku")
    assert isinstance(made, Judgement)
    return made


def view(project: Project, who: str = "anna", name: str = "ab") -> Any:
    with project.ledger.reading() as connection:
        return extracting.document_pair_view(connection, name, who)


@pytest.fixture
def opened(project: Project) -> Project:
    """A project in which anna has a document pair of news open."""
    two_documents(project, method="news", group="boats")
    assert does(project, "next_for_extraction", "anna") == "ab"
    return project


def judged(project: Project, pair: str, who: str = "anna", value: Any = "4") -> None:
    put(project, Judgement(id=f"j-{pair}-{value}", pair=pair, value=value, annotator=who, scheme="turku"))


def test_what_waits_and_in_which_order(project: Project) -> None:
    two_documents(project)
    waits = {"doc1": "a", "doc2": "b"}
    put(
        project,
        DocumentPair(id="second", **waits, method="subtitles", round=2, status="candidate"),
        DocumentPair(id="untriaged", **waits, method="forum", status="candidate"),
        DocumentPair(id="rejected", **waits, method="forum", status="rejected"),
        DocumentPair(id="headings", **waits, method="headings", status="candidate"),
        DocumentPair(id="old", **waits, method="news", status="superseded"),
        DocumentPair(id="done", **waits, method="news", status="finished"),
        DocumentPair(id="nothing", **waits, method="news", status="empty"),
        DocumentPair(id="lost", doc1="a", doc2="nowhere", method="news", status="candidate"),
        DocumentPair(id="accepted", **waits, method="forum", status="accepted"),
        DocumentPair(id="news", **waits, method="news", status="candidate"),
        DocumentPair(id="none", **waits),
    )
    people = ("anna", "ben", "cleo", "dora", "emil")
    got = [does(project, "next_for_extraction", name) for name in people]
    assert got == ["accepted", "news", "none", "second", None]
    assert does(project, "next_for_extraction", "anna") == "accepted"  # what one has comes first
    time_runs_out(project)
    assert does(project, "next_for_extraction", "dora") == "second"  # also when the time has run out
    assert does(project, "next_for_extraction", "emil") == "accepted"
    for name, reason in (
        ("untriaged", "nobody has accepted"),
        ("rejected", "was rejected"),
        ("headings", "nothing to extract"),
        ("old", "later alignment"),
        ("done", "finished"),
        ("nothing", "finished"),
        ("second", "somebody else works on this until"),
    ):
        with pytest.raises(Conflict, match=reason):
            does(project, "open_document_pair", "emil", name)
    with pytest.raises(NotFound, match="no document pair 'x'"):
        does(project, "open_document_pair", "emil", "x")


def test_people_who_ask_at_once_get_different_document_pairs(project: Project) -> None:
    two_documents(project)
    names = [f"n{number}" for number in range(6)]
    put(project, *(DocumentPair(id=name, doc1="a", doc2="b", method="news", status="candidate") for name in names))
    got: list[str] = []
    start = threading.Barrier(6)

    def ask(name: str) -> None:
        start.wait()
        got.append(does(project, "next_for_extraction", name))

    asking = [threading.Thread(target=ask, args=(f"p{number}",)) for number in range(6)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert sorted(got) == names


def test_a_pair_is_the_exact_text_of_both_documents(opened: Project) -> None:
    made = does(opened, "add_pair", "anna", "ab", 23, 53, 26, 55, "k", 12.5)
    assert (made.text1, made.text2) == ("A grey heron watched it go.", "It was watched by a heron.")
    assert made.doc1 is not None
    assert made.doc2 is not None
    assert (made.doc1.id, made.doc1.start, made.doc1.end) == ("a", 24, 51)
    assert (made.doc2.id, made.doc2.start, made.doc2.end) == ("b", 27, 53)
    assert (made.lang, made.source, made.group, made.method, made.time) == (
        *("en", "news", "boats", "extract"),
        "2024-03-01",
    )
    assert made.meta == {"document_pair": "ab", "round": 1, "annotator": "anna", "seconds": 12.5}
    with opened.ledger.reading() as connection:
        assert list(records(connection, Pair)) == [made]


MIXED1 = "The 👨‍👩‍👧 went 🇫🇮🇸🇪 by cafe\u0301. كَتَبَ الوَلَدُ 👍🏽"
MIXED2 = "船が出た。か\u3099くせいは手を振った👍🏽。誰も"


@pytest.mark.parametrize(
    ("spans", "text1", "text2"),
    [
        ((4, 5, 0, 5), "👨‍👩‍👧", "船が出た。"),
        ((6, 15, 0, 1), "👨‍👩‍👧 went", "船"),
        ((16, 17, 5, 6), "🇫🇮", "か\u3099"),
        ((18, 19, 6, 8), "🇸🇪", "か\u3099く"),
        ((21, 27, 16, 17), "y cafe\u0301", "👍🏽"),
        ((30, 31, 18, 20), "كَ", "。誰"),
        ((36, 47, 0, 2), "الوَلَدُ 👍🏽", "船が"),
    ],
)
def test_offsets_are_code_points(project: Project, spans: tuple[int, int, int, int], text1: str, text2: str) -> None:
    two_documents(project, MIXED1, MIXED2, method="news")
    does(project, "next_for_extraction", "anna")
    made = added(project, spans)
    assert (made.text1, made.text2) == (text1, text2)
    assert made.doc1 is not None
    assert made.doc2 is not None
    assert MIXED1[made.doc1.start : made.doc1.end] == text1
    assert MIXED2[made.doc2.start : made.doc2.end] == text2
    [told] = view(project).pairs
    assert (told.text1, told.text2) == (text1, text2)
    assert MIXED2[told.start2 : told.end2] == text2


@pytest.mark.parametrize(
    ("spans", "reason"),
    [
        ((-1, 5, 0, 5), "not a stretch"),
        ((0, 5, 0, len(TWO) + 1), "not a stretch"),
        ((5, 0, 0, 5), "not a stretch"),
        ((5, 5, 0, 5), "not a stretch"),
        ((0, 5, 10**12, 10**12 + 4), "not a stretch"),
        ((51, 53, 0, 5), "select some words"),
    ],
)
def test_offsets_that_lie(opened: Project, spans: tuple[int, int, int, int], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        added(opened, spans)
    assert rows(opened, schema.pairs) == []


def test_a_pair_lies_inside_the_part(project: Project) -> None:
    two_documents(project, method="news", part=Part(start1=24, end1=51, start2=27, end2=53))
    does(project, "next_for_extraction", "anna")
    assert view(project).part == Part(start1=24, end1=51, start2=27, end2=53)
    for spans in (FERRY, WAVED, (23, 51, 27, 53), (24, 51, 27, 54)):
        with pytest.raises(Refused, match="not inside the part"):
            added(project, spans)
    assert added(project, HERON).text1 == "A grey heron watched it go."


def test_only_who_holds_a_document_pair_changes_it(opened: Project) -> None:
    mine = added(opened)
    for name, told in (
        ("add_pair", ("ab", *HERON, "k")),
        ("edit_pair", ("ab", mine.id, *HERON, "k")),
        ("remove_pair", ("ab", mine.id)),
        ("restore_pair", ("ab", mine.id)),
        ("finish", ("ab", "finished", None, "k", "turku")),
        ("open_document_pair", ("ab",)),
    ):
        with pytest.raises(Conflict, match=r"somebody else works on this until \d\d:\d\d UTC"):
            does(opened, name, "ben", *told)
    assert len(rows(opened, schema.pairs)) == 1
    assert rows(opened, schema.judgements) == []
    time_runs_out(opened)
    with pytest.raises(Conflict, match="not yours"):
        added(opened, HERON, who="ben")  # he has to open it first
    assert added(opened, HERON, "k2").text1 == "A grey heron watched it go."  # nobody took it: she goes on
    time_runs_out(opened)
    does(opened, "open_document_pair", "ben", "ab")
    with pytest.raises(Conflict, match="somebody else works on this until"):
        added(opened, WAVED, "k3")
    assert added(opened, HERON, "k2").text1 == "A grey heron watched it go."  # what was saved was saved


def test_the_same_sent_twice_is_there_once(opened: Project) -> None:
    first = added(opened)
    assert added(opened) == first
    assert added(opened, (0, 24, 0, 27)) == first  # the same but for a blank
    with pytest.raises(Conflict, match="another pair was saved under this key"):
        added(opened, HERON)
    with pytest.raises(Conflict, match="are a pair already"):
        added(opened, FERRY, "k2")
    assert [one["id"] for one in rows(opened, schema.pairs)] == [first.id]


def test_windows_that_send_the_same_at_once(opened: Project) -> None:
    made: list[str] = []
    start = threading.Barrier(4)

    def send(key: str) -> None:
        start.wait()
        try:
            made.append(added(opened, FERRY, key).id)
        except Conflict:
            made.append("refused")

    sending = [threading.Thread(target=send, args=(key,)) for key in ("k", "k", "k", "other")]
    for thread in sending:
        thread.start()
    for thread in sending:
        thread.join()
    [there] = rows(opened, schema.pairs)
    assert made.count("refused") in (1, 3)  # whichever key came first
    assert set(made) == {"refused", there["id"]}


def test_an_edited_pair_is_a_new_one_and_the_old_can_be_had_back(opened: Project) -> None:
    first = added(opened)
    second = does(opened, "edit_pair", "anna", "ab", first.id, 4, 22, 0, 26, "e1")
    assert (second.text1, second.meta["replaces"]) == ("ferry left at noon", first.id)
    assert does(opened, "edit_pair", "anna", "ab", first.id, 4, 22, 0, 26, "e1") == second
    with pytest.raises(Conflict, match="another pair was saved"):
        does(opened, "edit_pair", "anna", "ab", first.id, 4, 21, 0, 26, "e1")
    third = does(opened, "edit_pair", "anna", "ab", second.id, 4, 14, 0, 26, "e2")
    assert does(opened, "edit_pair", "anna", "ab", third.id, 4, 14, 0, 26, "e3") == third  # nothing changed
    with pytest.raises(Conflict, match="changed or removed already"):
        does(opened, "edit_pair", "anna", "ab", first.id, *HERON, "e4")
    assert [one.id for one in view(opened).pairs] == [third.id]
    assert does(opened, "restore_pair", "anna", "ab", first.id) == first
    assert [one.id for one in view(opened).pairs] == [first.id]
    does(opened, "restore_pair", "anna", "ab", third.id)
    assert [one.id for one in view(opened).pairs] == [third.id]
    assert len(rows(opened, schema.pairs)) == 3


def test_a_removed_pair_is_out_of_sight_and_can_be_had_back(opened: Project) -> None:
    first = added(opened)
    for _ in range(2):
        does(opened, "remove_pair", "anna", "ab", first.id)
    assert view(opened).pairs == []
    assert row(opened, Pair, first.id)["state"] == "removed"
    assert yields(opened) == {}
    again = added(opened, FERRY, "k2")
    with pytest.raises(Conflict, match="are a pair already"):
        does(opened, "restore_pair", "anna", "ab", first.id)
    does(opened, "remove_pair", "anna", "ab", again.id)
    for _ in range(2):
        does(opened, "restore_pair", "anna", "ab", first.id)
    assert [one.id for one in view(opened).pairs] == [first.id]
    for name in ("remove_pair", "restore_pair"):
        with pytest.raises(NotFound, match="no pair 'p-x'"):
            does(opened, name, "anna", "ab", "p-x")


def refused_as_locked(project: Project, pair: str, why: str, who: str = "anna", name: str = "ab") -> None:
    [told] = [one for one in view(project, who, name).pairs if one.id == pair]
    assert (told.locked, told.why) == (True, why)
    for call, more in (("edit_pair", (0, 3, 0, 3, "lock")), ("remove_pair", ()), ("restore_pair", ())):
        with pytest.raises(Conflict, match=f"locked: {why}"):
            does(project, call, who, name, pair, *more)
    assert row(project, Pair, pair)["state"] is None


def test_what_was_judged_is_locked_until_the_judgement_is_taken_back(opened: Project) -> None:
    pair = added(opened).id
    assert (view(opened).pairs[0].locked, view(opened).pairs[0].why) == (False, None)
    judged(opened, pair)
    refused_as_locked(opened, pair, "it was judged already")
    back = Judgement(id="back", pair=pair, value=None, annotator="anna", scheme="turku", supersedes=f"j-{pair}-4")
    put(opened, back)
    assert not view(opened).pairs[0].locked
    does(opened, "remove_pair", "anna", "ab", pair)


def test_what_somebody_else_extracted_is_locked(opened: Project) -> None:
    pair = added(opened).id
    time_runs_out(opened)
    does(opened, "open_document_pair", "ben", "ab")
    refused_as_locked(opened, pair, "somebody else extracted it", "ben")
    assert "anna" not in repr(view(opened, "ben"))
    mine = added(opened, HERON, who="ben")
    finished(opened, "ben")
    slots = [(one["item"], one["assigned"]) for one in rows(opened, schema.slots)]
    assert slots == [(pair, "anna"), (mine.id, "ben")]


def test_other_rounds_and_other_pairs_of_the_same_documents_are_locked(opened: Project) -> None:
    pair = added(opened).id
    finished(opened)
    both = {"method": "news", "status": "candidate"}
    put(opened, DocumentPair(id="later", doc1="a", doc2="b", round=2, **both))
    put(opened, DocumentPair(id="turned", doc1="b", doc2="a", **both))
    for name in ("later", "turned"):
        does(opened, "open_document_pair", "anna", name)
    refused_as_locked(opened, pair, "it was extracted in an earlier round", name="later")
    refused_as_locked(opened, pair, "it was extracted from another pair of these documents", name="turned")
    [told] = view(opened, name="turned").pairs
    assert (told.text1, told.text2) == (TWO[0:26], ONE[0:23])
    assert (told.start1, told.end1, told.start2, told.end2) == (0, 26, 0, 23)
    with pytest.raises(Conflict, match="are a pair already"):
        does(opened, "add_pair", "anna", "turned", 0, 26, 0, 23, "t")
    with pytest.raises(Conflict, match="nothing was extracted from this"):
        does(opened, "finish", "anna", "later", "finished", None, "l", "turku")
    assert does(opened, "finish", "anna", "later", "empty", None, "l", "turku").value == "empty"


def test_what_is_shown(opened: Project) -> None:
    pair = added(opened)
    told = view(opened)
    assert (told.id, told.status, told.round, told.group, told.lines) == ("ab", "candidate", 1, "boats", None)
    assert (told.one.text, told.two.text, told.one.title, told.two.title) == (ONE, TWO, "Noon ferry", None)
    assert (told.one.edition, told.two.edition) == (None, None)
    assert (told.one.lang, told.one.source, told.one.time, told.one.licence) == ("en", "news", "2024-03-01", "CC0")
    assert told.part == Part(start1=0, end1=len(ONE), start2=0, end2=len(TWO))
    assert (told.mine, view(opened, "ben").mine) == (True, False)
    [shown] = told.pairs
    assert (shown.id, shown.text1, shown.locked) == (pair.id, pair.text1, False)
    with pytest.raises(NotFound, match="no document pair 'x'"):
        view(opened, name="x")
    put(opened, DocumentPair(id="lost", doc1="a", doc2="nowhere", method="news"))
    with pytest.raises(NotFound, match="'nowhere' of this pair is not here"):
        view(opened, name="lost")


def test_a_finished_document_pair_hands_its_pairs_over(opened: Project) -> None:
    first, second = added(opened), added(opened, HERON, "k2")
    does(opened, "remove_pair", "anna", "ab", second.id)
    third = added(opened, WAVED, "k3")
    made = finished(opened)
    assert status(opened) == "finished"
    [told] = rows(opened, schema.judgements)
    shown = ("id", "unit", "pair", "annotator", "scheme", "value", "seconds", "supersedes")
    assert tuple(told[name] for name in shown) == (
        *(made.id, "document_pair", "ab", "anna", "extract", "finished", 60.0, None),
    )
    assert rows(opened, schema.holds) == []
    slots = [(one["batch"], one["item"], one["maker"], one["assigned"]) for one in rows(opened, schema.slots)]
    assert slots == [("extracted", name, "anna", "anna") for name in (first.id, third.id)]
    assert finished(opened) == made
    assert len(rows(opened, schema.slots)) == 2
    with pytest.raises(Conflict, match="something else was saved under this key"):
        finished(opened, outcome="empty")
    for call in (lambda: finished(opened, key="2"), lambda: added(opened, (0, 3, 0, 3), "2")):
        with pytest.raises(Conflict, match="open it again"):
            call()
    assert does(opened, "next_for_extraction", "anna") is None


def test_finished_or_empty_has_to_be_true(opened: Project) -> None:
    with pytest.raises(Conflict, match="say empty"):
        finished(opened)
    pair = added(opened)
    with pytest.raises(Conflict, match="1 pairs were extracted"):
        finished(opened, outcome="empty")
    with pytest.raises(Refused, match="finished or empty, not 'done'"):
        finished(opened, outcome="done")
    with pytest.raises(Refused, match="not a number of seconds"):
        does(opened, "finish", "anna", "ab", "finished", -3.0, "s", "turku")
    assert (status(opened), rows(opened, schema.judgements)) == ("candidate", [])
    does(opened, "remove_pair", "anna", "ab", pair.id)
    assert finished(opened, outcome="empty").value == "empty"
    assert status(opened) == "empty"
    assert rows(opened, schema.slots) == []


def test_who_finished_opens_again(opened: Project) -> None:
    first = added(opened)
    second = added(opened, HERON, "k2")
    end = finished(opened)
    judged(opened, first.id)
    with pytest.raises(NotAllowed, match="only who finished"):
        does(opened, "reopen", "ben", "ab", "r")
    back = does(opened, "reopen", "anna", "ab", "r")
    assert (back.value, back.supersedes, status(opened)) == (None, end.id, "candidate")
    assert does(opened, "reopen", "anna", "ab", "r") == back
    assert [one["item"] for one in rows(opened, schema.slots)] == [first.id]
    told = {one.id: one.locked for one in view(opened).pairs}
    assert told == {first.id: True, second.id: False}
    with pytest.raises(Conflict, match="somebody else works on this"):
        does(opened, "open_document_pair", "ben", "ab")
    added(opened, WAVED, "k3")
    again = finished(opened, key="end2")
    assert again.supersedes == back.id
    items = [one["item"] for one in rows(opened, schema.slots)]
    assert (len(items), len(set(items))) == (3, 3)
    does(opened, "reopen", "anna", "ab", "r2")
    with pytest.raises(Conflict, match="not finished"):
        does(opened, "reopen", "anna", "ab", "r3")


def test_a_curator_opens_again_for_somebody(opened: Project) -> None:
    finished(opened, outcome="empty")
    with pytest.raises(NotAllowed, match="only who finished"):
        does(opened, "reopen", "cleo", "ab", "r", on_behalf="ben")
    back = does(opened, "reopen", "cleo", "ab", "r", on_behalf="anna")
    assert (back.annotator, back.meta) == ("cleo", {"for": "anna"})
    assert added(opened).text1 == "The ferry left at noon."
    assert finished(opened, key="end2").supersedes == back.id


def test_what_was_judged_wholly_stays_closed(opened: Project) -> None:
    pair = added(opened)
    with pytest.raises(Conflict, match="not finished"):
        does(opened, "reopen", "anna", "ab", "r")
    finished(opened)
    judged(opened, pair.id)
    with pytest.raises(Conflict, match="all pairs of this were judged"):
        does(opened, "reopen", "anna", "ab", "r")
    assert status(opened) == "finished"


def test_an_accepted_pair_is_accepted_again(project: Project) -> None:
    two_documents(project, method="forum", status="accepted")
    does(project, "next_for_extraction", "anna")
    finished(project, outcome="empty")
    does(project, "reopen", "anna", "ab", "r")
    assert status(project) == "accepted"


def test_batches_hear_of_it(opened: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []
    monkeypatch.setattr("otherwords.annotate.batches.hand_over", lambda _, pairs, scheme: heard.append((pairs, scheme)))
    monkeypatch.setattr("otherwords.annotate.batches.take_out", lambda _, pairs: heard.append(list(pairs)))
    first, second = added(opened), added(opened, HERON, "k2")
    finished(opened)
    does(opened, "reopen", "anna", "ab", "r")
    does(opened, "remove_pair", "anna", "ab", second.id)
    assert heard == [([(first.id, "anna"), (second.id, "anna")], "turku"), [first.id, second.id], [second.id]]


def test_withdrawn_documents_are_closed(opened: Project) -> None:
    pair = added(opened)
    withdraw(opened, "b", noun="document")
    for call in (
        lambda: added(opened, HERON, "k2"),
        lambda: does(opened, "remove_pair", "anna", "ab", pair.id),
        lambda: finished(opened),
        lambda: view(opened),
    ):
        with pytest.raises(Conflict, match="withdrawn"):
            call()
    assert does(opened, "next_for_extraction", "anna") is None


def test_two_languages_make_a_pair_of_none(project: Project) -> None:
    put(project, Document(id="a", text=ONE, lang="en"), Document(id="b", text=TWO, lang="fi"))
    put(project, DocumentPair(id="ab", doc1="a", doc2="b", method="groups", status="candidate"))
    does(project, "next_for_extraction", "anna")
    assert added(project).lang is None


def aligned(project: Project, **wishes: Any) -> None:
    work = WORKS.get("align-subtitles")
    run_step(project, Step("subtitles", work.name, work.checked(wishes)))


def test_what_people_worked_on_survives_a_step_that_is_run_again(project: Project) -> None:
    import_file(project, "subtitles", SOURCES / "subtitles")
    aligned(project, minutes=1.0, segments=2, low=0.1, high=0.99)
    with project.ledger.reading() as connection:
        names = [pair.id for pair in records(connection, DocumentPair)]
    assert len(names) > 3
    for number, outcome in enumerate(("finished", "empty", "begun")):
        assert does(project, "next_for_extraction", "anna") == names[number]
        part = view(project, name=names[number]).part
        if outcome != "empty":
            spans = (part.start1, part.end1, part.start2, part.end2)
            does(project, "add_pair", "anna", names[number], *spans, f"k{number}")
        if outcome != "begun":
            does(project, "finish", "anna", names[number], outcome, None, f"end{number}", "turku")
    for wishes in ({"low": 0.98}, {"low": 0.1}):
        aligned(project, minutes=1.0, segments=2, high=0.99, seed=1, **wishes)
        states = {one["id"]: one["status"] for one in rows(project, schema.document_pairs)}
        assert [states[name] for name in names[:3]] == ["finished", "empty", "candidate"]
    assert set(names[:3]) <= {pair.id for pair in used_pairs(project, "subtitles")}
    assert set(yields(project)) == {names[0], names[2]}


def test_lines_of_subtitles_scroll_together(project: Project) -> None:
    import_file(project, "subtitles", SOURCES / "subtitles")
    aligned(project, minutes=1.0, segments=2, low=0.1, high=0.99)
    with project.ledger.reading() as connection:
        pairs = list(records(connection, DocumentPair))
    for pair in pairs:
        told = view(project, name=pair.id)
        assert told.part == pair.part
        assert len(told.lines) == len(pair.meta["lines"]) > 3
        for (start1, end1, start2, end2), (i, j) in zip(told.lines, pair.meta["lines"], strict=True):
            assert told.one.text[start1:end1] == told.one.text[told.part.start1 :].split("\n")[i]
            assert told.two.text[start2:end2] == told.two.text[told.part.start2 :].split("\n")[j]
            assert told.part.start1 <= start1 <= end1 <= told.part.end1
    bare = DocumentPair(id="bare", doc1=pairs[0].doc1, doc2=pairs[0].doc2, part=pairs[0].part, method="subtitles")
    whole = DocumentPair(id="whole", doc1=pairs[0].doc1, doc2=pairs[0].doc2, method="other")
    put(project, bare, whole)
    noted, anew, all_of_it = (view(project, name=name) for name in (pairs[0].id, "bare", "whole"))
    assert len(set(noted.lines) & set(anew.lines)) > 0.6 * len(noted.lines)  # by words here, by time there
    assert set(noted.lines) <= set(all_of_it.lines)
