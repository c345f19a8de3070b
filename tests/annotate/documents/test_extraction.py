"""Extracting pairs from two documents: who may, exact offsets, locked pairs, finishing and reopening."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from otherwords.annotate.documents import extracted_pairs
from otherwords.annotate.documents import extraction as extracting
from otherwords.annotate.documents.side_by_side import document_pair_view
from otherwords.errors import Conflict
from otherwords.project import Project
from otherwords.project.document_pairs import count_extracted, used_pairs
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.project.pipeline.kind import make_step
from otherwords.project.pipeline.run import run_step
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Document, DocumentPair, Judgement, Pair, Part
from otherwords.steps.catalogue import STEP_KINDS
from tests.annotate.reading import ONE, TWO, put, row, rows, status, time_runs_out, two_documents
from tests.conftest import EXAMPLES
from tests.errors import raises
from tests.processes import SECONDS, join_all

FERRY = (0, 23, 0, 26)  # The ferry left at noon. / At midday the boat sailed.
HERON = (24, 51, 27, 53)
WAVED = (53, 66, 55, 72)
SOURCES = EXAMPLES / "sources"


def does(project: Project, name: str, *arguments: Any, **more: Any) -> Any:
    """Call one of the functions in a transaction of its own."""
    with project.ledger.writing() as connection:
        function = getattr(
            extracted_pairs if name.endswith("_pair") and name != "open_document_pair" else extracting, name
        )
        return function(connection, *arguments, **more)


def part(start1: int, end1: int, start2: int, end2: int) -> Part:
    return Part(start1=start1, end1=end1, start2=start2, end2=end2)


def added(project: Project, spans: tuple[int, int, int, int] = FERRY, key: str = "k", who: str = "anna") -> Pair:
    pair = does(project, "add_pair", who, "ab", part(*spans), key)
    assert isinstance(pair, Pair)
    return pair


def finished(project: Project, who: str = "anna", outcome: str = "finished", key: str = "end") -> Judgement:
    judgement = does(project, "finish", who, "ab", outcome, 60.0, key, "turku")
    assert isinstance(judgement, Judgement)
    return judgement


def view(project: Project, who: str = "anna", name: str = "ab") -> Any:
    with project.ledger.reading() as connection:
        return document_pair_view(connection, name, who)


@pytest.fixture
def opened(project: Project) -> Project:
    """A project in which anna has a document pair of news open."""
    two_documents(project, method="news", group="boats")
    assert does(project, "next_for_extraction", "anna") == "ab"
    return project


def judged(project: Project, pair: str, who: str = "anna", value: Any = "4") -> None:
    put(project, Judgement(id=f"j-{pair}-{value}", pair=pair, value=value, annotator=who, scheme="turku"))


def test_the_order_of_waiting_document_pairs(project: Project) -> None:
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
    for name, code in (
        ("untriaged", "not-accepted"),
        ("rejected", "document-pair-rejected"),
        ("headings", "headings-not-extracted"),
        ("old", "document-pair-superseded"),
        ("done", "already-finished"),
        ("nothing", "already-finished"),
        ("second", "held-by-somebody-else"),
    ):
        with raises(code):
            does(project, "open_document_pair", "emil", name)
    with raises("no-such-document-pair", match="'x'"):
        does(project, "open_document_pair", "emil", "x")


def test_people_who_ask_at_once_get_different_document_pairs(project: Project) -> None:
    two_documents(project)
    names = [f"n{number}" for number in range(6)]
    put(project, *(DocumentPair(id=name, doc1="a", doc2="b", method="news", status="candidate") for name in names))
    got: list[str] = []
    start = threading.Barrier(6)

    def ask(name: str) -> None:
        start.wait(SECONDS)
        got.append(does(project, "next_for_extraction", name))

    asking = [threading.Thread(target=ask, args=(f"p{number}",)) for number in range(6)]
    for thread in asking:
        thread.start()
    join_all(asking)
    assert sorted(got) == names


def test_a_pair_is_the_exact_text_of_both_documents(opened: Project) -> None:
    pair = does(opened, "add_pair", "anna", "ab", part(23, 53, 26, 55), "k", 12.5)
    assert (pair.text1, pair.text2) == ("A grey heron watched it go.", "It was watched by a heron.")
    assert pair.doc1 is not None
    assert pair.doc2 is not None
    assert (pair.doc1.id, pair.doc1.start, pair.doc1.end) == ("a", 24, 51)
    assert (pair.doc2.id, pair.doc2.start, pair.doc2.end) == ("b", 27, 53)
    assert (pair.lang, pair.source, pair.group, pair.method, pair.time) == (
        *("en", "news", "boats", "extract"),
        "2024-03-01",
    )
    assert pair.meta == {"document_pair": "ab", "round": 1, "annotator": "anna", "seconds": 12.5}
    with opened.ledger.reading() as connection:
        assert list(read_records(connection, Pair)) == [pair]


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
    pair = added(project, spans)
    assert (pair.text1, pair.text2) == (text1, text2)
    assert pair.doc1 is not None
    assert pair.doc2 is not None
    assert MIXED1[pair.doc1.start : pair.doc1.end] == text1
    assert MIXED2[pair.doc2.start : pair.doc2.end] == text2
    [shown] = view(project).pairs
    assert (shown.text1, shown.text2) == (text1, text2)
    assert MIXED2[shown.start2 : shown.end2] == text2


@pytest.mark.parametrize(
    ("spans", "code"),
    [
        ((-1, 5, 0, 5), "bad-range"),
        ((0, 5, 0, len(TWO) + 1), "bad-range"),
        ((5, 0, 0, 5), "bad-range"),
        ((5, 5, 0, 5), "bad-range"),
        ((0, 5, 10**12, 10**12 + 4), "bad-range"),
        ((51, 53, 0, 5), "empty-selection"),
    ],
)
def test_impossible_offsets_are_refused(opened: Project, spans: tuple[int, int, int, int], code: str) -> None:
    with raises(code):
        added(opened, spans)
    assert rows(opened, schema.pairs) == []


def test_a_pair_lies_inside_the_part(project: Project) -> None:
    two_documents(project, method="news", part=Part(start1=24, end1=51, start2=27, end2=53))
    does(project, "next_for_extraction", "anna")
    assert view(project).part == Part(start1=24, end1=51, start2=27, end2=53)
    for spans in (FERRY, WAVED, (23, 51, 27, 53), (24, 51, 27, 54)):
        with raises("outside-part"):
            added(project, spans)
    assert added(project, HERON).text1 == "A grey heron watched it go."


def test_only_the_holder_changes_a_document_pair(opened: Project) -> None:
    pair = added(opened)
    for name, arguments in (
        ("add_pair", ("ab", part(*HERON), "k")),
        ("edit_pair", ("ab", pair.id, part(*HERON), "k")),
        ("remove_pair", ("ab", pair.id)),
        ("restore_pair", ("ab", pair.id)),
        ("finish", ("ab", "finished", None, "k", "turku")),
        ("open_document_pair", ("ab",)),
    ):
        with raises("held-by-somebody-else"):
            does(opened, name, "ben", *arguments)
    assert len(rows(opened, schema.pairs)) == 1
    assert rows(opened, schema.judgements) == []
    time_runs_out(opened)
    with raises("not-held"):
        added(opened, HERON, who="ben")  # he has to open it first
    assert added(opened, HERON, "k2").text1 == "A grey heron watched it go."  # nobody took it: she goes on
    time_runs_out(opened)
    does(opened, "open_document_pair", "ben", "ab")
    with raises("held-by-somebody-else"):
        added(opened, WAVED, "k3")
    assert added(opened, HERON, "k2").text1 == "A grey heron watched it go."  # what was saved was saved


def test_the_same_request_sent_twice_is_stored_once(opened: Project) -> None:
    first = added(opened)
    assert added(opened) == first
    assert added(opened, (0, 24, 0, 27)) == first  # the same but for a blank
    with raises("key-reused"):
        added(opened, HERON)
    with raises("duplicate-pair"):
        added(opened, FERRY, "k2")
    assert [row["id"] for row in rows(opened, schema.pairs)] == [first.id]


def test_concurrent_windows_store_a_request_once(opened: Project) -> None:
    results: list[str] = []
    start = threading.Barrier(4)

    def send(key: str) -> None:
        start.wait(SECONDS)
        try:
            results.append(added(opened, FERRY, key).id)
        except Conflict:
            results.append("refused")

    sending = [threading.Thread(target=send, args=(key,)) for key in ("k", "k", "k", "other")]
    for thread in sending:
        thread.start()
    join_all(sending)
    [there] = rows(opened, schema.pairs)
    assert results.count("refused") in (1, 3)  # whichever key came first
    assert set(results) == {"refused", there["id"]}


def test_an_edited_pair_is_a_new_pair_and_the_old_one_can_be_restored(opened: Project) -> None:
    first = added(opened)
    second = does(opened, "edit_pair", "anna", "ab", first.id, part(4, 22, 0, 26), "e1")
    assert (second.text1, second.meta["replaces"]) == ("ferry left at noon", first.id)
    assert does(opened, "edit_pair", "anna", "ab", first.id, part(4, 22, 0, 26), "e1") == second
    with raises("key-reused"):
        does(opened, "edit_pair", "anna", "ab", first.id, part(4, 21, 0, 26), "e1")
    third = does(opened, "edit_pair", "anna", "ab", second.id, part(4, 14, 0, 26), "e2")
    assert does(opened, "edit_pair", "anna", "ab", third.id, part(4, 14, 0, 26), "e3") == third  # nothing changed
    with raises("pair-removed"):
        does(opened, "edit_pair", "anna", "ab", first.id, part(*HERON), "e4")
    assert [pair.id for pair in view(opened).pairs] == [third.id]
    assert does(opened, "restore_pair", "anna", "ab", first.id) == first
    assert [pair.id for pair in view(opened).pairs] == [first.id]
    does(opened, "restore_pair", "anna", "ab", third.id)
    assert [pair.id for pair in view(opened).pairs] == [third.id]
    assert len(rows(opened, schema.pairs)) == 3


def test_a_removed_pair_is_hidden_and_can_be_restored(opened: Project) -> None:
    first = added(opened)
    for _ in range(2):
        does(opened, "remove_pair", "anna", "ab", first.id)
    assert view(opened).pairs == []
    assert row(opened, Pair, first.id)["state"] == "removed"
    assert count_extracted(opened) == {}
    again = added(opened, FERRY, "k2")
    with raises("duplicate-pair"):
        does(opened, "restore_pair", "anna", "ab", first.id)
    does(opened, "remove_pair", "anna", "ab", again.id)
    for _ in range(2):
        does(opened, "restore_pair", "anna", "ab", first.id)
    assert [pair.id for pair in view(opened).pairs] == [first.id]
    for name in ("remove_pair", "restore_pair"):
        with raises("no-such-pair", match="'p-x'"):
            does(opened, name, "anna", "ab", "p-x")


def refused_as_locked(project: Project, pair: str, why: str, who: str = "anna", name: str = "ab") -> None:
    [shown] = [shown for shown in view(project, who, name).pairs if shown.id == pair]
    assert (shown.locked, shown.why) == (True, why)
    for call, more in (("edit_pair", (part(0, 3, 0, 3), "lock")), ("remove_pair", ()), ("restore_pair", ())):
        with raises("pair-locked", match=why):
            does(project, call, who, name, pair, *more)
    assert row(project, Pair, pair)["state"] is None


def test_judged_pairs_are_locked_until_the_judgement_is_taken_back(opened: Project) -> None:
    pair = added(opened).id
    assert (view(opened).pairs[0].locked, view(opened).pairs[0].why) == (False, None)
    judged(opened, pair)
    refused_as_locked(opened, pair, "it was judged already")
    back = Judgement(id="back", pair=pair, value=None, annotator="anna", scheme="turku", supersedes=f"j-{pair}-4")
    put(opened, back)
    assert not view(opened).pairs[0].locked
    does(opened, "remove_pair", "anna", "ab", pair)


def test_pairs_of_somebody_else_are_locked(opened: Project) -> None:
    pair = added(opened).id
    time_runs_out(opened)
    does(opened, "open_document_pair", "ben", "ab")
    refused_as_locked(opened, pair, "somebody else extracted it", "ben")
    assert "anna" not in repr(view(opened, "ben"))
    bens = added(opened, HERON, who="ben")
    finished(opened, "ben")
    slots = [(slot["item"], slot["assigned"]) for slot in rows(opened, schema.slots)]
    assert slots == [(pair, "anna"), (bens.id, "ben")]


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
    [shown] = view(opened, name="turned").pairs
    assert (shown.text1, shown.text2) == (TWO[0:26], ONE[0:23])
    assert (shown.start1, shown.end1, shown.start2, shown.end2) == (0, 26, 0, 23)
    with raises("duplicate-pair"):
        does(opened, "add_pair", "anna", "turned", part(0, 26, 0, 23), "t")
    with raises("nothing-extracted"):
        does(opened, "finish", "anna", "later", "finished", None, "l", "turku")
    assert does(opened, "finish", "anna", "later", "empty", None, "l", "turku").value == "empty"


def test_what_is_shown(opened: Project) -> None:
    pair = added(opened)
    page = view(opened)
    assert (page.id, page.status, page.round, page.group, page.lines) == ("ab", "candidate", 1, "boats", None)
    assert (page.one.text, page.two.text, page.one.title, page.two.title) == (ONE, TWO, "Noon ferry", None)
    assert (page.one.edition, page.two.edition) == (None, None)
    assert (page.one.heading, page.two.heading) == (
        "Noon ferry",
        "At midday the boat sailed. It was watched by a heron. …",
    )
    assert (page.one.lang, page.one.source, page.one.time, page.one.licence) == ("en", "news", "2024-03-01", "CC0")
    assert page.part == Part(start1=0, end1=len(ONE), start2=0, end2=len(TWO))
    assert (page.mine, view(opened, "ben").mine) == (True, False)
    [shown] = page.pairs
    assert (shown.id, shown.text1, shown.locked) == (pair.id, pair.text1, False)
    with raises("no-such-document-pair", match="'x'"):
        view(opened, name="x")
    put(opened, DocumentPair(id="lost", doc1="a", doc2="nowhere", method="news"))
    with raises("missing-document", match="'nowhere'"):
        view(opened, name="lost")


def test_what_a_reader_calls_a_document(opened: Project) -> None:
    film = {"group": "The Lake (1994)", "text": "Alone?"}
    put(
        opened,
        Document(id="x1", meta={"version": "tv", "name": "n"}, **film),
        Document(id="x2", **film),
        Document(id="x3", text="Alone?", meta={"version": "tv"}),
        Document(id="x4", text=" Alone? \n No."),
    )
    put(opened, DocumentPair(id="first", doc1="x1", doc2="x2"), DocumentPair(id="second", doc1="x3", doc2="x4"))
    pages = [view(opened, name=name) for name in ("first", "second")]
    shown = [side.heading for page in pages for side in (page.one, page.two)]
    assert shown == ["The Lake (1994), tv", "The Lake (1994)", "tv", "Alone? No."]


def test_how_many_somebody_has_finished(opened: Project) -> None:
    assert [does(opened, "count_finished", name) for name in ("anna", "ben")] == [0, 0]
    added(opened)
    finished(opened)
    assert [does(opened, "count_finished", name) for name in ("anna", "ben")] == [1, 0]
    does(opened, "reopen", "anna", "ab", "again")
    assert does(opened, "count_finished", "anna") == 0
    finished(opened, key="once more")
    assert does(opened, "count_finished", "anna") == 1


def test_a_finished_document_pair_hands_its_pairs_over(opened: Project) -> None:
    first, second = added(opened), added(opened, HERON, "k2")
    does(opened, "remove_pair", "anna", "ab", second.id)
    third = added(opened, WAVED, "k3")
    judgement = finished(opened)
    assert status(opened) == "finished"
    [stored] = rows(opened, schema.judgements)
    shown = ("id", "unit", "pair", "annotator", "scheme", "value", "seconds", "supersedes")
    assert tuple(stored[name] for name in shown) == (
        *(judgement.id, "document_pair", "ab", "anna", "extract", "finished", 60.0, None),
    )
    assert rows(opened, schema.holds) == []
    slots = [(slot["batch"], slot["item"], slot["maker"], slot["assigned"]) for slot in rows(opened, schema.slots)]
    assert slots == [("extracted", name, "anna", "anna") for name in (first.id, third.id)]
    assert finished(opened) == judgement
    assert len(rows(opened, schema.slots)) == 2
    with raises("key-reused"):
        finished(opened, outcome="empty")
    for call in (lambda: finished(opened, key="2"), lambda: added(opened, (0, 3, 0, 3), "2")):
        with raises("already-finished"):
            call()
    assert does(opened, "next_for_extraction", "anna") is None


def test_impossible_outcomes_are_refused(opened: Project) -> None:
    with raises("nothing-extracted"):
        finished(opened)
    pair = added(opened)
    with raises("not-empty", match="1"):
        finished(opened, outcome="empty")
    with raises("unknown-outcome", match="'done'"):
        finished(opened, outcome="done")
    with raises("bad-seconds"):
        does(opened, "finish", "anna", "ab", "finished", -3.0, "s", "turku")
    assert (status(opened), rows(opened, schema.judgements)) == ("candidate", [])
    does(opened, "remove_pair", "anna", "ab", pair.id)
    assert finished(opened, outcome="empty").value == "empty"
    assert status(opened) == "empty"
    assert rows(opened, schema.slots) == []


def test_the_person_who_finished_can_reopen(opened: Project) -> None:
    first = added(opened)
    second = added(opened, HERON, "k2")
    end = finished(opened)
    judged(opened, first.id)
    with raises("not-your-documents"):
        does(opened, "reopen", "ben", "ab", "r")
    back = does(opened, "reopen", "anna", "ab", "r")
    assert (back.value, back.supersedes, status(opened)) == (None, end.id, "candidate")
    assert does(opened, "reopen", "anna", "ab", "r") == back
    assert [slot["item"] for slot in rows(opened, schema.slots)] == [first.id]
    locked = {pair.id: pair.locked for pair in view(opened).pairs}
    assert locked == {first.id: True, second.id: False}
    with raises("held-by-somebody-else"):
        does(opened, "open_document_pair", "ben", "ab")
    added(opened, WAVED, "k3")
    again = finished(opened, key="end2")
    assert again.supersedes == back.id
    items = [slot["item"] for slot in rows(opened, schema.slots)]
    assert (len(items), len(set(items))) == (3, 3)
    does(opened, "reopen", "anna", "ab", "r2")
    with raises("not-finished"):
        does(opened, "reopen", "anna", "ab", "r3")


def test_a_curator_reopens_for_somebody(opened: Project) -> None:
    finished(opened, outcome="empty")
    with raises("not-your-documents"):
        does(opened, "reopen", "cleo", "ab", "r", on_behalf="ben")
    back = does(opened, "reopen", "cleo", "ab", "r", on_behalf="anna")
    assert (back.annotator, back.meta) == ("cleo", {"for": "anna"})
    assert added(opened).text1 == "The ferry left at noon."
    assert finished(opened, key="end2").supersedes == back.id


def test_fully_judged_document_pairs_stay_closed(opened: Project) -> None:
    pair = added(opened)
    with raises("not-finished"):
        does(opened, "reopen", "anna", "ab", "r")
    finished(opened)
    judged(opened, pair.id)
    with raises("all-judged"):
        does(opened, "reopen", "anna", "ab", "r")
    assert status(opened) == "finished"


def test_an_accepted_pair_is_accepted_again(project: Project) -> None:
    two_documents(project, method="forum", status="accepted")
    does(project, "next_for_extraction", "anna")
    finished(project, outcome="empty")
    does(project, "reopen", "anna", "ab", "r")
    assert status(project) == "accepted"


def test_batches_are_updated(opened: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    monkeypatch.setattr(
        "otherwords.annotate.batches.batch.assign_to_extractors", lambda _, pairs, scheme: calls.append((pairs, scheme))
    )
    monkeypatch.setattr(
        "otherwords.annotate.batches.batch.remove_unanswered", lambda _, pairs: calls.append(list(pairs))
    )
    first, second = added(opened), added(opened, HERON, "k2")
    finished(opened)
    does(opened, "reopen", "anna", "ab", "r")
    does(opened, "remove_pair", "anna", "ab", second.id)
    assert calls == [([(first.id, "anna"), (second.id, "anna")], "turku"), [first.id, second.id], [second.id]]


def test_withdrawn_documents_are_closed(opened: Project) -> None:
    pair = added(opened)
    withdraw(opened, "b", noun="document")
    for call in (
        lambda: added(opened, HERON, "k2"),
        lambda: does(opened, "remove_pair", "anna", "ab", pair.id),
        lambda: finished(opened),
        lambda: view(opened),
    ):
        with raises("documents-withdrawn"):
            call()
    assert does(opened, "next_for_extraction", "anna") is None


def test_a_pair_in_two_languages_has_no_language(project: Project) -> None:
    put(project, Document(id="a", text=ONE, lang="en"), Document(id="b", text=TWO, lang="fi"))
    put(project, DocumentPair(id="ab", doc1="a", doc2="b", method="groups", status="candidate"))
    does(project, "next_for_extraction", "anna")
    assert added(project).lang is None


def aligned(project: Project, **options: Any) -> None:
    run_step(project, make_step(STEP_KINDS.get("align-subtitles"), "subtitles", **options))


def test_work_survives_when_a_step_is_run_again(project: Project) -> None:
    import_file(project, "subtitles", SOURCES / "subtitles")
    aligned(project, minutes=1.0, segments=2, low=0.1, high=0.99)
    with project.ledger.reading() as connection:
        names = [pair.id for pair in read_records(connection, DocumentPair)]
    assert len(names) > 3
    for number, outcome in enumerate(("finished", "empty", "begun")):
        assert does(project, "next_for_extraction", "anna") == names[number]
        whole = view(project, name=names[number]).part
        if outcome != "empty":
            does(project, "add_pair", "anna", names[number], whole, f"k{number}")
        if outcome != "begun":
            does(project, "finish", "anna", names[number], outcome, None, f"end{number}", "turku")
    for options in ({"low": 0.98}, {"low": 0.1}):
        aligned(project, minutes=1.0, segments=2, high=0.99, seed=1, **options)
        states = {row["id"]: row["status"] for row in rows(project, schema.document_pairs)}
        assert [states[name] for name in names[:3]] == ["finished", "empty", "candidate"]
    assert set(names[:3]) <= {pair.id for pair in used_pairs(project, "subtitles")}
    assert set(count_extracted(project)) == {names[0], names[2]}


def test_lines_of_subtitles_scroll_together(project: Project) -> None:
    import_file(project, "subtitles", SOURCES / "subtitles")
    aligned(project, minutes=1.0, segments=2, low=0.1, high=0.99)
    with project.ledger.reading() as connection:
        pairs = list(read_records(connection, DocumentPair))
    for pair in pairs:
        page = view(project, name=pair.id)
        assert page.part == pair.part
        assert len(page.lines) == len(pair.meta["lines"]) > 3
        for (start1, end1, start2, end2), (i, j) in zip(page.lines, pair.meta["lines"], strict=True):
            assert page.one.text[start1:end1] == page.one.text[page.part.start1 :].split("\n")[i]
            assert page.two.text[start2:end2] == page.two.text[page.part.start2 :].split("\n")[j]
            assert page.part.start1 <= start1 <= end1 <= page.part.end1
    bare = DocumentPair(id="bare", doc1=pairs[0].doc1, doc2=pairs[0].doc2, part=pairs[0].part, method="subtitles")
    whole = DocumentPair(id="whole", doc1=pairs[0].doc1, doc2=pairs[0].doc2, method="other")
    put(project, bare, whole)
    noted, anew, all_of_it = (view(project, name=name) for name in (pairs[0].id, "bare", "whole"))
    assert len(set(noted.lines) & set(anew.lines)) > 0.6 * len(noted.lines)  # by words here, by time there
    assert set(noted.lines) <= set(all_of_it.lines)
