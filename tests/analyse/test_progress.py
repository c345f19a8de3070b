"""How the work goes, counted by hand on small ledgers."""

from __future__ import annotations

import itertools
import time
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from otherwords.analyse import consensus
from otherwords.analyse.progress import (
    Agreement,
    BatchState,
    SourceState,
    batch_states,
    my_agreement,
    my_pace,
    people_states,
    source_states,
)
from otherwords.annotate.batches import Wanted, make, take_out
from otherwords.annotate.taking import take
from otherwords.project import Project, schema
from otherwords.project.rows import TABLES, row_of
from otherwords.records import Document, DocumentPair, Judgement, Pair, Record

TODAY = date(2024, 5, 10)
NUMBERS = itertools.count(1)


def put(connection: Connection, record: Record, **others: Any) -> None:
    connection.execute(insert(TABLES[type(record)]).values(**row_of(record, **others)))


def judge(connection: Connection, annotator: str | None, pair: str, value: Any, **others: Any) -> str:
    name = f"j{next(NUMBERS)}"
    fields = {"time": "2024-05-10T08:00:00.000+00:00", "scheme": "turku", **others}
    put(connection, Judgement(id=name, pair=pair, annotator=annotator, value=value, **fields))
    return name


def agree(connection: Connection, pair: str, value: Any, **others: Any) -> str:
    return judge(connection, "cleo", pair, value, kind="consensus", **others)


def test_pace(project: Project) -> None:
    with project.ledger.writing() as connection:
        for day, judgements in {3: 1, 4: 2, 9: 3, 10: 4}.items():
            for number in range(judgements):
                judge(connection, "anna", f"p{number}", "4", time=f"2024-05-{day:02}T23:59:59.999+00:00")
        judge(connection, "anna", "p1", "4", time=None)
        judge(connection, "bo", "p1", "4")
        pace = my_pace(connection, "anna", TODAY)
    assert [(day.isoformat(), count) for day, count in pace.days] == [
        ("2024-05-04", 2),
        ("2024-05-05", 0),
        ("2024-05-06", 0),
        ("2024-05-07", 0),
        ("2024-05-08", 0),
        ("2024-05-09", 3),
        ("2024-05-10", 4),
    ]
    assert (pace.today, pace.seconds) == (4, None)


def test_pace_counts_what_stands(project: Project) -> None:
    with project.ledger.writing() as connection:
        first = judge(connection, "anna", "p1", "4", time="2024-05-09T08:00:00.000+00:00")
        judge(connection, "anna", "p1", "3", supersedes=first)
        judge(connection, "anna", "p2", None, supersedes=judge(connection, "anna", "p2", "4"))
        judge(connection, "anna", "dp1", "accept", unit="document_pair", scheme="triage")
        pace = my_pace(connection, "anna", TODAY)
        nobody = my_pace(connection, "dora", TODAY)
    assert [count for _, count in pace.days] == [0, 0, 0, 0, 0, 0, 2]
    assert (nobody.today, nobody.seconds, len(nobody.days)) == (0, None, 7)


def test_seconds_are_of_recent_pairs(project: Project) -> None:
    with project.ledger.writing() as connection:
        for number, seconds in enumerate([5.0, 7.0, 60.0, None]):
            judge(connection, "anna", f"p{number}", "4", seconds=seconds)
        judge(connection, "anna", "dp1", "accept", unit="document_pair", seconds=0.5)
        judge(connection, "anna", "p9", "4", seconds=900.0, time=None)
        assert my_pace(connection, "anna", TODAY).seconds == 7.0
        for number in range(100):
            judge(connection, "anna", f"q{number}", "4", seconds=2.0, time="2024-05-10T09:00:00.000+00:00")
        assert my_pace(connection, "anna", TODAY).seconds == 2.0, "what is long ago says nothing about now"


def test_today_is_today(project: Project) -> None:
    with project.ledger.writing() as connection:
        before = datetime.now(UTC)
        judge(connection, "anna", "p1", "4", time=before.isoformat(timespec="milliseconds"))
        pace, people = my_pace(connection, "anna"), people_states(connection)
        if before.date() == datetime.now(UTC).date():
            assert (pace.days[-1][0], pace.today, people[0].today) == (before.date(), 1, 1)


def test_agreement_with_the_team(project: Project) -> None:
    with project.ledger.writing() as connection:
        for number, (mine, team) in enumerate([("4>", "4>"), ("4s", "4"), ("3", "4"), ("x", "x"), ("2", "2")]):
            judge(connection, "anna", f"p{number}", mine)
            agree(connection, f"p{number}", team)
        judge(connection, "anna", "alone", "4")
        agree(connection, "unseen", "4")
        judge(connection, "bo", "p0", "3")
        assert my_agreement(connection, "anna") == Agreement(5, 3 / 5, 4 / 5)
        assert my_agreement(connection, "bo") == Agreement(1, 0.0, 0.0)


def test_agreement_is_about_what_stands(project: Project) -> None:
    with project.ledger.writing() as connection:
        judge(connection, "anna", "p1", "3", supersedes=judge(connection, "anna", "p1", "4"))
        agree(connection, "p1", "3", supersedes=agree(connection, "p1", "4"))
        judge(connection, "anna", "p2", None, supersedes=judge(connection, "anna", "p2", "4"))
        agree(connection, "p2", "4")
        judge(connection, "anna", "p3", "4")
        agree(connection, "p3", None, supersedes=agree(connection, "p3", "4"))
        assert my_agreement(connection, "anna") == Agreement(1, 1.0, 1.0)


def test_what_is_not_compared(project: Project) -> None:
    with project.ledger.writing() as connection:
        agree(connection, "p1", "4")
        agree(connection, "dp1", "accept", unit="document_pair", scheme="triage")
        judge(connection, "anna", "p1", "yes", scheme="binary")
        judge(connection, "anna", "p1", "3", kind="vote")
        judge(connection, "anna", "p1", "3", kind="simulated")
        judge(connection, "anna", "dp1", "reject", unit="document_pair", scheme="triage")
        judge(connection, None, "p1", "4")
        told = my_agreement(connection, "anna")
        assert (told.compared, told.full, told.base) == (0, None, None)
        assert "was judged by this person before" in str(told.reason)


def test_nobody_has_agreed_on_anything(project: Project) -> None:
    with project.ledger.writing() as connection:
        judge(connection, "anna", "p1", "4")
        assert my_agreement(connection, "anna") == Agreement(0, reason="the team has not decided about any pair yet")


def test_answers_of_other_schemes_are_compared_as_they_are(project: Project) -> None:
    both = {"well_formed": "yes", "paraphrase": "no"}
    with project.ledger.writing() as connection:
        for pair, mine, team in (("p1", both, both), ("p2", {**both, "paraphrase": "yes"}, both), ("p3", "no", "yes")):
            judge(connection, "anna", pair, mine, scheme="rupaws")
            agree(connection, pair, team, scheme="rupaws")
        assert my_agreement(connection, "anna") == Agreement(3, 1 / 3, 1 / 3)


def test_many_pairs_are_compared_a_few_at_a_time(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consensus, "PAIRS_A_QUERY", 3)
    with project.ledger.writing() as connection:
        for number in range(10):
            judge(connection, "anna", f"p{number}", "4" if number % 2 else "3")
            agree(connection, f"p{number}", "4")
        assert my_agreement(connection, "anna") == Agreement(10, 0.5, 0.5)


def answer(connection: Connection, batch: str, annotator: str, number: int) -> None:
    """Answer as many slots as somebody holds, as the site does."""
    taken = take(connection, batch, annotator, number)
    for one in taken:
        done = {"judgement": f"{annotator}-{one.slot}"}
        connection.execute(schema.slots.update().where(schema.slots.c.seq == one.slot).values(**done))
    mine = (schema.takers.c.batch == batch, schema.takers.c.annotator == annotator)
    connection.execute(schema.takers.update().where(*mine).values(done=schema.takers.c.done + len(taken)))


def test_batches(project: Project) -> None:
    with project.ledger.writing() as connection:
        assert batch_states(connection) == []
        made = make(connection, "double", [Wanted(f"p{n}") for n in range(5)], scheme="turku", asked=2)
        other = make(connection, "check", [Wanted("q1")], scheme="binary", purpose="check")
        answer(connection, "double", "anna", 4)
        answer(connection, "double", "bo", 1)
        take(connection, "double", "bo", 2)
        take(connection, "check", "bo", 1)
        assert batch_states(connection) == [
            BatchState(
                id="double",
                scheme="turku",
                purpose="production",
                asked=2,
                items=5,
                slots=10,
                done=5,
                held=2,
                people=(("anna", 4), ("bo", 1)),
                state="open",
                opened=made.time,
            ),
            BatchState("check", "binary", "check", 1, 1, 1, 0, 1, (("bo", 0),), "open", other.time),
        ]


def test_what_was_taken_out_or_has_run_out(project: Project) -> None:
    with project.ledger.writing() as connection:
        make(connection, "single", [Wanted(f"p{n}") for n in range(5)], scheme="turku")
        answer(connection, "single", "anna", 1)
        take(connection, "single", "anna", 2)
        take_out(connection, ["p0", "p4"])
        (told,) = batch_states(connection)
        assert (told.items, told.slots, told.done, told.held) == (4, 4, 1, 2), "what was answered stays"
        connection.execute(schema.slots.update().values(until=time.time() - 1))
        (told,) = batch_states(connection)
        assert told.held == 0


def test_people(project: Project) -> None:
    with project.ledger.writing() as connection:
        assert people_states(connection) == []
        first = judge(connection, "anna", "p1", "4", time="2024-05-08T08:00:00.000+00:00", seconds=9.0)
        judge(connection, "anna", "p1", "3", time="2024-05-10T07:00:00.000+00:00", seconds=3.0, supersedes=first)
        judge(connection, "anna", "p2", "4", time="2024-05-09T08:00:00.000+00:00", seconds=5.0)
        judge(connection, "bo", "p3", None, supersedes=judge(connection, "bo", "p3", "4"))
        judge(connection, "bo", "p1", "4", time=None)
        judge(connection, None, "p1", "4")
        agree(connection, "p1", "3")
        anna, bo, cleo = people_states(connection, TODAY)
    assert (anna.name, anna.judged, anna.today, anna.seconds) == ("anna", 2, 1, 5.0)
    assert anna.last == "2024-05-10T07:00:00.000+00:00"
    assert anna.agreement == Agreement(1, 1.0, 1.0)
    assert (bo.name, bo.judged, bo.today, bo.seconds) == ("bo", 1, 0, None)
    assert bo.agreement == Agreement(1, 0.0, 0.0)
    assert (cleo.name, cleo.judged, cleo.decided, cleo.agreement.compared) == ("cleo", 0, 1, 0)


def test_judgements_are_counted_where_they_stand(project: Project) -> None:
    """Whoever replaces somebody else's judgement does not lose one of their own."""
    with project.ledger.writing() as connection:
        first = judge(connection, "anna", "p1", "4")
        second = judge(connection, "bo", "p1", "3", supersedes=first)
        judge(connection, "bo", "p1", "2", supersedes=second)
        twice = judge(connection, "anna", "p2", "4")
        judge(connection, "anna", "p2", "3", supersedes=twice)
        judge(connection, "bo", "p2", "3", supersedes=twice)
        put(connection, Judgement(id="self", pair="p3", annotator="anna", value="4", supersedes="self"))
        again = judge(connection, "dora", "p4", None, supersedes=judge(connection, "dora", "p4", "4"))
        judge(connection, "dora", "p4", "4", supersedes=again)
        told = people_states(connection, TODAY)
    assert {one.name: one.judged for one in told} == {"anna": 2, "bo": 2, "dora": 1}


def test_each_kind_of_work_is_counted_by_itself(project: Project) -> None:
    """What somebody judged is what batches count: a rewrite, a test, a document or a decision is not one more."""
    with project.ledger.writing() as connection:
        for number in range(3):
            judge(connection, "anna", f"p{number}", "3", batch="first")
        judge(connection, "anna", "g1", "4", batch="first", unit="group")
        for name, state in (("r1", None), ("r2", "removed")):
            put(connection, Pair(id=name, text1="…", text2="…", rewrite_of="p0"), state=state)
            judge(connection, "anna", name, "4", batch="first", time=None, meta={"rewrite": True})
        judge(connection, "anna", "t1", "4", batch="first", purpose="gold", meta={"test": {"right": True}})
        counts = {"batch": "first", "annotator": "anna", "position": 4, "done": 5, "tests": 1, "right": 1}
        connection.execute(insert(schema.takers).values(**counts))
        first = judge(connection, "anna", "dp1", "finished", unit="document_pair", scheme="extract")
        judge(connection, "anna", "dp1", "empty", unit="document_pair", scheme="extract", supersedes=first)
        judge(connection, "anna", "g2", "seed", unit="group", scheme="seeds")
        judge(connection, "anna", "p9", "4", kind="consensus", batch="double")
        (anna,) = people_states(connection, TODAY)
    assert (anna.judged, anna.rewritten, anna.documents, anna.decided, anna.today) == (4, 1, 2, 1, 7)


def test_sources(project: Project) -> None:
    with project.ledger.writing() as connection:
        assert source_states(connection) == []
        for name, source in {"a": "news", "b": "news", "c": "forum", "d": "forum", "e": None, "f": None}.items():
            put(connection, Document(id=name, text="…", source=source))
        statuses = {"ab": "finished", "ba": "empty", "aa": None, "bb": "candidate", "cd": "rejected", "ef": "finished"}
        for name, status in statuses.items():
            put(connection, DocumentPair(id=name, doc1=name[0], doc2=name[1], status=status))
        for name, source, state in (
            ("p1", "news", None),
            ("p2", "news", None),
            ("p3", "news", None),
            ("p4", "news", "removed"),
            ("h1", "headings", None),
        ):
            put(connection, Pair(id=name, text1="…", text2="…", source=source), state=state)
        put(connection, Pair(id="r1", text1="…", text2="…", source="news", rewrite_of="p1"))
        for name in ("p1", "p1", "p4"):
            judge(connection, "anna", name, "4")
        judge(connection, "anna", "p2", None, supersedes=judge(connection, "anna", "p2", "4"))
        judge(connection, "anna", "p3", "accept", unit="document_pair")
        assert source_states(connection) == [
            SourceState("forum", {"rejected": 1}, 0, 0, 0),
            SourceState("headings", {}, 1, 0, 0),
            SourceState("news", {"candidate": 2, "empty": 1, "finished": 1}, 4, 1, 1),
            SourceState(None, {"finished": 1}, 0, 0, 0),
        ]
