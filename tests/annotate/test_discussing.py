"""Threads about pairs: what may be said, who is called, what waits for whom."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, func, insert, select

from otherwords.annotate import discussing
from otherwords.annotate.discussing import Thread, mentions_waiting, queue, reopen, resolve, say, thread
from otherwords.annotate.mentions import mentioned
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project import Project, schema
from otherwords.project.rows import TABLES, row_of
from otherwords.records import DocumentPair, Pair

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
        assert thread(connection, "pair", "p1") == Thread("pair", "p1", ())
        assert not thread(connection, "pair", "p1").open
        first = say(connection, "anna", "pair", "p1", "  A 4 or a 3?\r\n\tI cannot tell.\n", "k1")
        second = say(connection, "x", "pair", "p1", "A 3, @Anna: the arrows cross.", "k1")
        say(connection, "x", "document_pair", "dp1", "Nothing in it.", "k2")
        told = thread(connection, "pair", "p1")
        assert told.remarks == (first, second)
        assert told.open
        assert len(thread(connection, "document_pair", "dp1").remarks) == 1
    assert first.text == "A 4 or a 3?\n\tI cannot tell."
    assert (first.author, first.action, first.mentions) == ("anna", "say", ())
    assert (second.mentions, second.time >= first.time) == (("anna",), True)


def test_a_thread_is_resolved_and_opened_again(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        say(connection, "anna", "pair", "p1", "A 4?", "k1")
        done = resolve(connection, "x", "pair", "p1", "k2")
        assert (done.action, done.text, done.author) == ("resolve", "", "x")
        assert not thread(connection, "pair", "p1").open
        say(connection, "anna", "pair", "p1", "Thank you.", "k3")
        assert not thread(connection, "pair", "p1").open, "a word of thanks opens nothing"
        assert reopen(connection, "anna", "pair", "p1", "k4").action == "reopen"
        assert thread(connection, "pair", "p1").open
        resolve(connection, "anna", "pair", "p1", "k5")
        actions = [remark.action for remark in thread(connection, "pair", "p1").remarks]
        assert actions == ["say", "resolve", "say", "reopen", "resolve"]


def test_what_is_sent_twice_is_there_once(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        first = say(connection, "anna", "pair", "p1", "A 4?", "k1")
        done = resolve(connection, "anna", "pair", "p1", "k2")
    with corpus.ledger.writing() as connection:
        assert say(connection, "anna", "pair", "p1", " A 4? ", "k1") == first
        assert resolve(connection, "anna", "pair", "p1", "k2") == done
        assert say(connection, "x", "pair", "p1", "A 4?", "k1") != first, "keys of two people never meet"
        assert remarks(connection) == 3


def test_a_key_is_for_one_remark(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        say(connection, "anna", "pair", "p1", "A 4?", "k1")
        say(connection, "anna", "pair", "p2", "A 3?", "k2")
        for text, item in (("A 3?", "p1"), ("A 4?", "p2")):
            with pytest.raises(Conflict, match="another remark was sent under this key"):
                say(connection, "anna", "pair", item, text, "k1")
        with pytest.raises(Conflict, match="another remark"):
            resolve(connection, "anna", "pair", "p1", "k1")
        resolve(connection, "anna", "pair", "p1", "k3")
        with pytest.raises(Conflict, match="another remark"):
            reopen(connection, "anna", "pair", "p1", "k3")
        assert remarks(connection) == 3


UNSAYABLE = {
    "": "nothing in this remark",
    " \n\t\u3000 ": "nothing in this remark",
    "x" * 4001: "at most 4,000 characters, this one has 4,001",
    "a\0b": "U\\+0000",
    "a\x08b": "U\\+0008",
    "a\rb": "U\\+000D",
    "a\x9bb": "U\\+009B",
    "a\udc80b": "U\\+DC80",
}


def test_what_cannot_be_said(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        for text, reason in UNSAYABLE.items():
            with pytest.raises(Refused, match=reason):
                say(connection, "anna", "pair", "p1", text, "k1")
        assert remarks(connection) == 0


def test_a_remark_of_the_greatest_length(corpus: Project) -> None:
    text = "𝒳" * 4000
    with corpus.ledger.writing() as connection:
        assert say(connection, "anna", "pair", "p1", f"\n{text}\n", "k1").text == text


def test_what_cannot_be_discussed_or_settled(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        with pytest.raises(NotFound, match="there is no pair 'p99'"):
            say(connection, "anna", "pair", "p99", "A 4?", "k1")
        with pytest.raises(NotFound, match="there is no document pair 'p1'"):
            thread(connection, "document_pair", "p1")
        with pytest.raises(Refused, match="not a 'group'"):
            say(connection, "anna", "group", "p1", "A 4?", "k1")  # type: ignore[arg-type]
        with pytest.raises(NotFound, match="nobody has said anything about the pair 'p1'"):
            resolve(connection, "anna", "pair", "p1", "k1")
        say(connection, "anna", "pair", "p1", "A 4?", "k1")
        with pytest.raises(Conflict, match="open already"):
            reopen(connection, "anna", "pair", "p1", "k2")
        resolve(connection, "anna", "pair", "p1", "k3")
        with pytest.raises(Conflict, match="resolved it already"):
            resolve(connection, "x", "pair", "p1", "k4")
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
        say(connection, author, "pair", item, text, f"k{number}")
    resolve(connection, "x", "pair", "p2", "r")
    say(connection, "x", "document_pair", "dp1", "Empty?", "d")


def items(found: list[discussing.Waiting]) -> list[str]:
    return [one.item for one in found]


def test_the_queue(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        fill(connection)
        found = queue(connection, "anna")
        assert items(found) == ["p5", "p3", "dp1", "p1", "p6", "p4"]
        assert [one.mentions_me for one in found] == [True, True, False, False, False, False]
        assert [one.unanswered for one in found] == [False, True, False, False, False, False]
        first = found[3]
        assert (first.unit, first.remarks, first.author, first.snippet) == ("pair", 2, "Zoë", "A 3, I think. Or a 2.")
        assert found[2].unit == "document_pair"
        assert found[4].snippet == "x" * 139 + "…"
        assert items(queue(connection, "Zoë")) == ["p3", "dp1", "p1", "p6", "p5", "p4"]
        assert items(queue(connection, "stranger")) == ["dp1", "p1", "p6", "p5", "p4", "p3"]


def test_the_queue_follows_what_happens(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        fill(connection)
        reopen(connection, "x", "pair", "p2", "again")
        found = queue(connection, "anna")
        assert items(found)[:3] == ["p2", "p5", "p3"]
        assert (found[0].snippet, found[0].remarks) == ("Look here, @anna.", 3)
        resolve(connection, "anna", "pair", "p3", "done")
        assert "p3" not in items(queue(connection, "anna"))


def test_pages_of_the_queue(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        fill(connection)
        whole = queue(connection, "anna")
        for most in (1, 2, 5, 6, 10):
            paged: list[discussing.Waiting] = []
            while page := queue(connection, "anna", most, paged[-1].place if paged else None):
                assert len(page) <= most
                paged += page
            assert paged == whole


def test_a_place_that_is_none(corpus: Project) -> None:
    with corpus.ledger.reading() as connection:
        for after in ("", "1", "2.5", "1.", ".5", "1.x", "1.-5", "0.٣", "1." + "9" * 19, "1.5.5"):
            with pytest.raises(Refused, match="not a place in the queue"):
                queue(connection, "anna", after=after)


def test_what_may_not_be_seen_yet_is_left_out(corpus: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where much is hidden and little fits on a page; what hides is asked about pairs alone."""
    monkeypatch.setattr(discussing, "THREADS_AT_A_TIME", 2)
    asked: list[str] = []

    def hidden(pairs: list[str]) -> set[str]:
        asked.extend(pairs)
        return {"p5", "p1", "p6", "dp1"} & {*pairs, "dp1"}

    with corpus.ledger.writing() as connection:
        fill(connection)
        assert items(queue(connection, "anna", 1, hidden=hidden)) == ["p3"]
        assert asked == ["p5", "p3"], "no more is asked about than needed"
        assert items(queue(connection, "anna", 9, hidden=hidden)) == ["p3", "dp1", "p4"]
        assert "dp1" not in asked
        assert mentions_waiting(connection, "anna", lambda pairs: {"p3"}) == 0


def test_mentions_that_wait(corpus: Project) -> None:
    with corpus.ledger.writing() as connection:
        assert mentions_waiting(connection, "anna") == 0
        fill(connection)
        assert [mentions_waiting(connection, name) for name in ("anna", "Zoë", "x", "Anna.B", "ann")] == [1, 1, 0, 0, 0]
        say(connection, "x", "pair", "p5", "Are you sure, @anna?", "again")
        say(connection, "x", "pair", "p5", "Really, @anna?", "and again")
        assert mentions_waiting(connection, "anna") == 2
        say(connection, "anna", "pair", "p5", "Yes.", "answer")
        resolve(connection, "x", "pair", "p3", "done")
        assert mentions_waiting(connection, "anna") == 0


def test_names_that_are_alike(corpus: Project) -> None:
    """Case counts, as the ledger has it, and no name is found within another."""
    with corpus.ledger.writing() as connection:
        say(connection, "x", "pair", "p1", "@anna.b?", "k1")
        assert mentions_waiting(connection, "Anna.B") == 1
        assert mentions_waiting(connection, "anna.b") == 0
        assert mentions_waiting(connection, "Anna") == 0
        assert mentions_waiting(connection, 'B", "x') == 0
