"""Threads about pairs: which remarks are accepted, who is mentioned, what waits for whom."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, func, insert, select

from otherwords.annotate.discussion import threads
from otherwords.annotate.discussion.threads import (
    Discussion,
    add_remark,
    load_open_threads,
    load_thread,
    mentioned,
    mentions_waiting,
    settle,
)
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import TABLES, row_of
from otherwords.records import DocumentPair, Pair
from tests.errors import raises

NAMES = ("anna", "Anna.B", "bo-ellen", "Zoë", "Strauß", "रवि", "x")


@pytest.fixture
def corpus(project: Project) -> Project:
    with project.ledger.writing() as connection:
        for number in range(1, 10):
            pair = Pair(id=f"p{number}", text1="one", text2="two")
            connection.execute(insert(TABLES[Pair]).values(**row_of(pair)))
        document_pair = DocumentPair(id="dp1", doc1="a", doc2="b")
        connection.execute(insert(TABLES[DocumentPair]).values(**row_of(document_pair)))
        for name in NAMES:
            account = {"name": name, "role": "annotator", "state": "active", "settings": {}, "created": "2024"}
            connection.execute(insert(schema.accounts).values(**account))
    return project


def remarks(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(schema.remarks)).scalar_one()


def test_a_thread_grows(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        assert load_thread(connection, "pair", "p1") == Discussion("pair", "p1", ())
        assert not load_thread(connection, "pair", "p1").open
        first = add_remark(connection, "anna", "pair", "p1", "  A 4 or a 3?\r\n\tI cannot tell.\n", "k1")
        second = add_remark(connection, "x", "pair", "p1", "A 3, @Anna: the arrows cross.", "k1")
        add_remark(connection, "x", "document_pair", "dp1", "Nothing in it.", "k2")
        discussion = load_thread(connection, "pair", "p1")
        assert discussion.remarks == (first, second)
        assert discussion.open
        assert len(load_thread(connection, "document_pair", "dp1").remarks) == 1
    assert first.text == "A 4 or a 3?\n\tI cannot tell."
    assert (first.author, first.action, first.mentions) == ("anna", "say", ())
    assert (second.mentions, second.time >= first.time) == (("anna",), True)


def test_a_thread_is_resolved_and_opened_again(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        add_remark(connection, "anna", "pair", "p1", "A 4?", "k1")
        done = settle(connection, "x", "pair", "p1", "resolve", "k2")
        assert (done.action, done.text, done.author) == ("resolve", "", "x")
        assert not load_thread(connection, "pair", "p1").open
        add_remark(connection, "anna", "pair", "p1", "Thank you.", "k3")
        assert not load_thread(connection, "pair", "p1").open, "a word of thanks opens nothing"
        assert settle(connection, "anna", "pair", "p1", "reopen", "k4").action == "reopen"
        assert load_thread(connection, "pair", "p1").open
        settle(connection, "anna", "pair", "p1", "resolve", "k5")
        actions = [remark.action for remark in load_thread(connection, "pair", "p1").remarks]
        assert actions == ["say", "resolve", "say", "reopen", "resolve"]


def test_a_remark_sent_twice_is_stored_once(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        first = add_remark(connection, "anna", "pair", "p1", "A 4?", "k1")
        done = settle(connection, "anna", "pair", "p1", "resolve", "k2")
    with corpus.ledger.writing() as connection:
        assert add_remark(connection, "anna", "pair", "p1", " A 4? ", "k1") == first
        assert settle(connection, "anna", "pair", "p1", "resolve", "k2") == done
        assert add_remark(connection, "x", "pair", "p1", "A 4?", "k1") != first, "keys of two people never meet"
        assert remarks(connection) == 3


def test_a_key_is_for_one_remark(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        add_remark(connection, "anna", "pair", "p1", "A 4?", "k1")
        add_remark(connection, "anna", "pair", "p2", "A 3?", "k2")
        for text, item in (("A 3?", "p1"), ("A 4?", "p2")):
            with raises("key-reused"):
                add_remark(connection, "anna", "pair", item, text, "k1")
        with raises("key-reused"):
            settle(connection, "anna", "pair", "p1", "resolve", "k1")
        settle(connection, "anna", "pair", "p1", "resolve", "k3")
        with raises("key-reused"):
            settle(connection, "anna", "pair", "p1", "reopen", "k3")
        assert remarks(connection) == 3


UNSAYABLE = [
    ("", "empty-text", ""),
    (" \n\t\u3000 ", "empty-text", ""),
    ("x" * 4001, "text-too-long", "4,000.*4,001"),
    ("a\0b", "control-character", r"U\+0000"),
    ("a\x08b", "control-character", r"U\+0008"),
    ("a\rb", "control-character", r"U\+000D"),
    ("a\x9bb", "control-character", r"U\+009B"),
    ("a\udc80b", "control-character", r"U\+DC80"),
]


def test_unfit_remarks_are_refused(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        for text, code, fact in UNSAYABLE:
            with raises(code, match=fact):
                add_remark(connection, "anna", "pair", "p1", text, "k1")
        assert remarks(connection) == 0


def test_a_remark_of_maximal_length_is_accepted(corpus: Project) -> None:
    text = "𝒳" * 4000
    with corpus.ledger.writing() as connection:
        assert add_remark(connection, "anna", "pair", "p1", f"\n{text}\n", "k1").text == text


def test_impossible_discussions_are_refused(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        with raises("no-such-pair", match="'p99'"):
            add_remark(connection, "anna", "pair", "p99", "A 4?", "k1")
        with raises("no-such-document-pair", match="'p1'"):
            load_thread(connection, "document_pair", "p1")
        with raises("unknown-unit", match="'group'"):
            add_remark(connection, "anna", "group", "p1", "A 4?", "k1")  # type: ignore[arg-type]
        with raises("no-such-thread", match="'p1'"):
            settle(connection, "anna", "pair", "p1", "resolve", "k1")
        add_remark(connection, "anna", "pair", "p1", "A 4?", "k1")
        with raises("already-open"):
            settle(connection, "anna", "pair", "p1", "reopen", "k2")
        settle(connection, "anna", "pair", "p1", "resolve", "k3")
        with raises("already-resolved"):
            settle(connection, "x", "pair", "p1", "resolve", "k4")
        assert remarks(connection) == 2


MENTIONS = {
    "nobody": [],
    "@anna": ["anna"],
    "(@ANNA)": ["anna"],
    "@anna, @x and @anna": ["anna", "x"],
    "@anna.b": ["Anna.B"],
    "@anna.": ["anna"],
    "@anna.bo": ["anna"],
    "@annabel": [],
    "@anna_b": [],
    "@anna's pair": ["anna"],
    "@Bo-Ellen!": ["bo-ellen"],
    "@bo": [],
    "@zoe\u0308, @ZOË": ["Zoë"],
    "@zoe": [],
    "@STRAUSS": ["Strauß"],
    "@रवि": ["रवि"],
    "@रविं": [],
    "mail anna@x.example": [],
    "@@anna": ["anna"],
    "@ anna": [],
    "@": [],
    "@nobody @x": ["x"],
}


def test_who_is_mentioned(corpus: Project) -> None:
    with corpus.ledger.reading() as connection:
        assert {text: mentioned(connection, text) for text in MENTIONS} == MENTIONS


def test_nobody_has_an_account_yet(project: Project) -> None:
    with project.ledger.reading() as connection:
        assert mentioned(connection, "@anna") == []


def fill(connection: Connection) -> None:
    """Threads of p1 to p6, of which p2 is resolved, p3 calls anna and p5 called her before she answered."""
    for number, (author, item, text) in enumerate(
        [
            ("x", "p1", "A 4?"),
            ("x", "p2", "Look here, @anna."),
            ("x", "p3", "Style or not, @anna and @zoë?"),
            ("anna", "p4", "A note to myself, @anna."),
            ("x", "p5", "@anna?"),
            ("anna", "p5", "A 3."),
            ("x", "p6", "x" * 200),
            ("Zoë", "p1", "A 3, I think.\n\nOr a 2."),
        ]
    ):
        add_remark(connection, author, "pair", item, text, f"k{number}")
    settle(connection, "x", "pair", "p2", "resolve", "r")
    add_remark(connection, "x", "document_pair", "dp1", "Empty?", "d")


def items(open_threads: list[threads.OpenThread]) -> list[str]:
    return [each.item for each in open_threads]


def test_the_queue(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        fill(connection)
        open_threads = load_open_threads(connection, "anna")
        assert items(open_threads) == ["p5", "p3", "dp1", "p1", "p6", "p4"]
        assert [each.mentions_me for each in open_threads] == [True, True, False, False, False, False]
        assert [each.unanswered for each in open_threads] == [False, True, False, False, False, False]
        first = open_threads[3]
        assert (first.unit, first.remarks, first.author, first.snippet) == ("pair", 2, "Zoë", "A 3, I think. Or a 2.")
        assert open_threads[2].unit == "document_pair"
        assert open_threads[4].snippet == "x" * 139 + "…"
        assert items(load_open_threads(connection, "Zoë")) == ["p3", "dp1", "p1", "p6", "p5", "p4"]
        assert items(load_open_threads(connection, "stranger")) == ["dp1", "p1", "p6", "p5", "p4", "p3"]


def test_the_queue_follows_what_happens(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        fill(connection)
        settle(connection, "x", "pair", "p2", "reopen", "again")
        open_threads = load_open_threads(connection, "anna")
        assert items(open_threads)[:3] == ["p2", "p5", "p3"]
        assert (open_threads[0].snippet, open_threads[0].remarks) == ("Look here, @anna.", 3)
        settle(connection, "anna", "pair", "p3", "resolve", "done")
        assert "p3" not in items(load_open_threads(connection, "anna"))


def test_pages_of_the_queue(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        fill(connection)
        whole = load_open_threads(connection, "anna")
        for most in (1, 2, 5, 6, 10):
            paged: list[threads.OpenThread] = []
            while page := load_open_threads(connection, "anna", most, paged[-1].place if paged else None):
                assert len(page) <= most
                paged += page
            assert paged == whole


def test_an_impossible_place_is_refused(corpus: Project) -> None:
    with corpus.ledger.reading() as connection:
        for after in ("", "1", "2.5", "1.", ".5", "1.x", "1.-5", "0.٣", "1." + "9" * 19, "1.5.5"):
            with raises("bad-place"):
                load_open_threads(connection, "anna", after=after)


def test_hidden_threads_are_left_out(corpus: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where much is hidden and little fits on a page; what hides is asked about pairs alone."""
    monkeypatch.setattr(threads, "THREADS_AT_A_TIME", 2)
    checked: list[str] = []

    def hidden(pairs: list[str]) -> set[str]:
        checked.extend(pairs)
        return {"p5", "p1", "p6", "dp1"} & {*pairs, "dp1"}

    with corpus.ledger.writing() as connection:
        fill(connection)
        assert items(load_open_threads(connection, "anna", 1, hidden=hidden)) == ["p3"]
        assert checked == ["p5", "p3"], "no more is asked about than needed"
        assert items(load_open_threads(connection, "anna", 9, hidden=hidden)) == ["p3", "dp1", "p4"]
        assert "dp1" not in checked
        assert mentions_waiting(connection, "anna", lambda pairs: {"p3"}) == 0


def test_unanswered_mentions(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        assert mentions_waiting(connection, "anna") == 0
        fill(connection)
        assert [mentions_waiting(connection, name) for name in ("anna", "Zoë", "x", "Anna.B", "ann")] == [1, 1, 0, 0, 0]
        add_remark(connection, "x", "pair", "p5", "Are you sure, @anna?", "again")
        add_remark(connection, "x", "pair", "p5", "Really, @anna?", "and again")
        assert mentions_waiting(connection, "anna") == 2
        add_remark(connection, "anna", "pair", "p5", "Yes.", "answer")
        settle(connection, "x", "pair", "p3", "resolve", "done")
        assert mentions_waiting(connection, "anna") == 0


def test_names_that_are_alike(corpus: Project) -> None:
    """Case counts, as the ledger has it, and no name is found within another."""
    with corpus.ledger.writing() as connection:
        add_remark(connection, "x", "pair", "p1", "@anna.b?", "k1")
        assert mentions_waiting(connection, "Anna.B") == 1
        assert mentions_waiting(connection, "anna.b") == 0
        assert mentions_waiting(connection, "Anna") == 0
        assert mentions_waiting(connection, 'B", "x') == 0
