"""The progress of annotation, counted by hand on small ledgers."""

from __future__ import annotations

import itertools
import time
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from otherwords.analyse.agreement.agree import agree
from otherwords.analyse.dashboard import progress
from otherwords.analyse.dashboard.progress import (
    Agreement,
    BatchState,
    SourceState,
    agreement_headlines,
    batch_states,
    my_agreement,
    my_pace,
    people_states,
    source_states,
)
from otherwords.annotate.batches.batch import BatchItem, insert_batch, remove_unanswered
from otherwords.annotate.work.reservations import reserve
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.left_out import leave_out
from otherwords.records import Document, DocumentPair, Judgement, Pair
from tests.analyse.dashboard.ledger import put

TODAY = date(2024, 5, 10)
NUMBERS = itertools.count(1)


def judge(connection: Connection, annotator: str | None, pair: str, value: Any, **others: Any) -> str:
    name = f"j{next(NUMBERS)}"
    fields = {"time": "2024-05-10T08:00:00.000+00:00", "scheme": "turku", **others}
    put(connection, Judgement(id=name, pair=pair, annotator=annotator, value=value, **fields))
    return name


def decide(connection: Connection, pair: str, value: Any, **others: Any) -> str:
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


def test_pace_counts_current_judgements(project: Project) -> None:
    with project.ledger.writing() as connection:
        first = judge(connection, "anna", "p1", "4", time="2024-05-09T08:00:00.000+00:00")
        judge(connection, "anna", "p1", "3", supersedes=first)
        judge(connection, "anna", "p2", None, supersedes=judge(connection, "anna", "p2", "4"))
        judge(connection, "anna", "dp1", "accept", unit="document_pair", scheme="triage")
        pace = my_pace(connection, "anna", TODAY)
        nobody = my_pace(connection, "dora", TODAY)
    assert [count for _, count in pace.days] == [0, 0, 0, 0, 0, 0, 2]
    assert (nobody.today, nobody.seconds, len(nobody.days)) == (0, None, 7)


def test_median_seconds_of_recent_pairs(project: Project) -> None:
    with project.ledger.writing() as connection:
        for number, seconds in enumerate([5.0, 7.0, 60.0, None]):
            judge(connection, "anna", f"p{number}", "4", seconds=seconds)
        judge(connection, "anna", "dp1", "accept", unit="document_pair", seconds=0.5)
        judge(connection, "anna", "p9", "4", seconds=900.0, time=None)
        assert my_pace(connection, "anna", TODAY).seconds == 7.0
        for number in range(100):
            judge(connection, "anna", f"q{number}", "4", seconds=2.0, time="2024-05-10T09:00:00.000+00:00")
        assert my_pace(connection, "anna", TODAY).seconds == 2.0, "old judgements do not count"


def test_today_is_the_current_day(project: Project) -> None:
    with project.ledger.writing() as connection:
        before = datetime.now(UTC)
        judge(connection, "anna", "p1", "4", time=before.isoformat(timespec="milliseconds"))
        pace, people = my_pace(connection, "anna"), people_states(connection)
        if before.date() == datetime.now(UTC).date():
            assert (pace.days[-1][0], pace.today, people[0].today) == (before.date(), 1, 1)


def test_agreement_with_the_team(project: Project) -> None:
    with project.ledger.writing() as connection:
        for number, (own, team) in enumerate([("4>", "4>"), ("4s", "4"), ("3", "4"), ("x", "x"), ("2", "2")]):
            judge(connection, "anna", f"p{number}", own)
            decide(connection, f"p{number}", team)
        judge(connection, "anna", "alone", "4")
        decide(connection, "unseen", "4")
        judge(connection, "bo", "p0", "3")
        assert my_agreement(connection, "anna") == Agreement(5, 3 / 5, 4 / 5)
        assert my_agreement(connection, "bo") == Agreement(1, 0.0, 0.0)


def test_only_current_judgements_are_compared(project: Project) -> None:
    with project.ledger.writing() as connection:
        judge(connection, "anna", "p1", "3", supersedes=judge(connection, "anna", "p1", "4"))
        decide(connection, "p1", "3", supersedes=decide(connection, "p1", "4"))
        judge(connection, "anna", "p2", None, supersedes=judge(connection, "anna", "p2", "4"))
        decide(connection, "p2", "4")
        judge(connection, "anna", "p3", "4")
        decide(connection, "p3", None, supersedes=decide(connection, "p3", "4"))
        assert my_agreement(connection, "anna") == Agreement(1, 1.0, 1.0)


def test_judgements_that_are_not_compared(project: Project) -> None:
    with project.ledger.writing() as connection:
        decide(connection, "p1", "4")
        decide(connection, "dp1", "accept", unit="document_pair", scheme="triage")
        judge(connection, "anna", "p1", "yes", scheme="binary")
        judge(connection, "anna", "p1", "3", kind="vote")
        judge(connection, "anna", "p1", "3", kind="simulated")
        judge(connection, "anna", "dp1", "reject", unit="document_pair", scheme="triage")
        judge(connection, None, "p1", "4")
        result = my_agreement(connection, "anna")
        assert (result.compared, result.full, result.base) == (0, None, None)
        assert str(result.reason) == "none of the pairs judged so far has a consensus"


def test_the_team_has_decided_nothing(project: Project) -> None:
    with project.ledger.writing() as connection:
        judge(connection, "anna", "p1", "4")
        assert my_agreement(connection, "anna") == Agreement(0, reason="the team has not decided on any pair yet")


def test_answers_of_other_schemes_are_compared_as_they_are(project: Project) -> None:
    both = {"well_formed": "yes", "paraphrase": "no"}
    with project.ledger.writing() as connection:
        for pair, own, team in (("p1", both, both), ("p2", {**both, "paraphrase": "yes"}, both), ("p3", "no", "yes")):
            judge(connection, "anna", pair, own, scheme="rupaws")
            decide(connection, pair, team, scheme="rupaws")
        assert my_agreement(connection, "anna") == Agreement(3, 1 / 3, 1 / 3)


def test_the_consensus_is_the_decision_or_what_all_said(project: Project) -> None:
    """Two people agree on 17 of 28 pairs; of the other 11, the team decides 3 as anna did and 8 as bo did."""
    with project.ledger.writing() as connection:
        for number in range(28):
            agreed, as_anna = number < 17, number < 20
            judge(connection, "anna", f"p{number}", "4")
            judge(connection, "bo", f"p{number}", "4" if agreed else "3")
            if not agreed:
                decide(connection, f"p{number}", "4" if as_anna else "3")
        judge(connection, "anna", "disputed", "4")
        judge(connection, "bo", "disputed", "2")
        judge(connection, "anna", "alone", "4")
        for purpose in ("training", "check", "qa", "gold"):
            judge(connection, "anna", f"{purpose} pair", "1", purpose=purpose)
            judge(connection, "bo", f"{purpose} pair", "1", purpose=purpose)
        assert my_agreement(connection, "anna") == Agreement(28, 20 / 28, 20 / 28, undecided=1)
        assert my_agreement(connection, "bo") == Agreement(28, 25 / 28, 25 / 28, undecided=1)
        assert [state.agreement.compared for state in people_states(connection)] == [28, 28, 0]


def test_a_pair_that_waits_for_a_judgement_does_not_count_yet(project: Project) -> None:
    """Or somebody could find out what the others said by changing their own answer."""
    with project.ledger.writing() as connection:
        insert_batch(connection, "triple", [BatchItem("p1"), BatchItem("p2")], scheme="turku", asked=3)
        decide(connection, "p0", "4")
        for pair in ("p0", "p1"):
            judge(connection, "anna", pair, "4")
            judge(connection, "bo", pair, "4")
        assert my_agreement(connection, "anna").compared == 1
        connection.execute(schema.slots.update().values(judgement="answered"))
        assert my_agreement(connection, "anna").compared == 2


def test_what_to_quote_is_what_agree_prints(project: Project) -> None:
    with project.ledger.writing() as connection:
        for number in range(12):
            judge(connection, "anna", f"p{number}", "432x"[number % 4])
            judge(connection, "bo", f"p{number}", "4>" if number % 3 == 0 else "432x"[number % 4])
            judge(connection, "cleo", f"alone {number}", "1")
            judge(connection, "bo", f"p{number}", "1", purpose="training")
        quoted = agreement_headlines(connection, project)
    assert quoted == [headline.sentence for headline in agree([project.folder]).headlines]
    assert "over 9 pairs that were judged by both annotators for production (base labels)" in quoted[0]


def test_nothing_is_quoted_where_a_page_would_take_too_long(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "MOST_COMPARED", 1)
    with project.ledger.writing() as connection:
        judge(connection, "anna", "p1", "4")
        judge(connection, "bo", "p1", "4")
        assert agreement_headlines(connection, project) == []


def test_the_last_judgement_of_a_person_and_every_spelling_count(project: Project) -> None:
    with project.ledger.writing() as connection:
        decide(connection, "p0", "4")
        judge(connection, "anna", "p0", "4")
        judge(connection, "anna", "p1", "3")
        judge(connection, "anna", "p1", "4si>", purpose="agreement")
        judge(connection, "bo", "p1", "4>is")
        judge(connection, "anna", "p2", "4")
        judge(connection, "anna", "p2", "4", purpose="agreement")
        assert my_agreement(connection, "anna") == Agreement(2, 1.0, 1.0), "one person alone makes no consensus"


def answer(connection: Connection, batch: str, annotator: str, number: int) -> None:
    """Take and answer some slots, as the site does."""
    taken = reserve(connection, batch, annotator, number)
    for reservation in taken:
        answered = {"judgement": f"{annotator}-{reservation.slot}"}
        connection.execute(schema.slots.update().where(schema.slots.c.seq == reservation.slot).values(**answered))
    own = (schema.takers.c.batch == batch, schema.takers.c.annotator == annotator)
    connection.execute(schema.takers.update().where(*own).values(done=schema.takers.c.done + len(taken)))


def test_batches(project: Project) -> None:
    with project.ledger.writing() as connection:
        assert batch_states(connection) == []
        double = insert_batch(connection, "double", [BatchItem(f"p{n}") for n in range(5)], scheme="turku", asked=2)
        check = insert_batch(connection, "check", [BatchItem("q1")], scheme="binary", purpose="check")
        answer(connection, "double", "anna", 4)
        answer(connection, "double", "bo", 1)
        reserve(connection, "double", "bo", 2)
        reserve(connection, "check", "bo", 1)
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
                opened=double.time,
            ),
            BatchState("check", "binary", "check", 1, 1, 1, 0, 1, (("bo", 0),), "open", check.time),
        ]


def test_units_taken_out_and_expired_reservations(project: Project) -> None:
    with project.ledger.writing() as connection:
        insert_batch(connection, "single", [BatchItem(f"p{n}") for n in range(5)], scheme="turku")
        answer(connection, "single", "anna", 1)
        reserve(connection, "single", "anna", 2)
        remove_unanswered(connection, ["p0", "p4"])
        (state,) = batch_states(connection)
        assert (state.items, state.slots, state.done, state.held) == (4, 4, 1, 2), "answered units stay"
        connection.execute(schema.slots.update().values(until=time.time() - 1))
        (state,) = batch_states(connection)
        assert state.held == 0


def test_people(project: Project) -> None:
    with project.ledger.writing() as connection:
        assert people_states(connection) == []
        first = judge(connection, "anna", "p1", "4", time="2024-05-08T08:00:00.000+00:00", seconds=9.0)
        judge(connection, "anna", "p1", "3", time="2024-05-10T07:00:00.000+00:00", seconds=3.0, supersedes=first)
        judge(connection, "anna", "p2", "4", time="2024-05-09T08:00:00.000+00:00", seconds=5.0)
        judge(connection, "bo", "p3", None, supersedes=judge(connection, "bo", "p3", "4"))
        judge(connection, "bo", "p1", "4", time=None)
        judge(connection, None, "p1", "4")
        decide(connection, "p1", "3")
        anna, bo, cleo = people_states(connection, TODAY)
    assert (anna.name, anna.judged, anna.today, anna.seconds) == ("anna", 2, 1, 5.0)
    assert anna.last == "2024-05-10T07:00:00.000+00:00"
    assert anna.agreement == Agreement(1, 1.0, 1.0)
    assert (bo.name, bo.judged, bo.today, bo.seconds) == ("bo", 1, 0, None)
    assert bo.agreement == Agreement(1, 0.0, 0.0)
    assert (cleo.name, cleo.judged, cleo.decided, cleo.agreement.compared) == ("cleo", 0, 1, 0)


def test_replaced_judgements_are_not_counted(project: Project) -> None:
    """Somebody who replaces another person's judgement does not lose one of their own."""
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
        people = people_states(connection, TODAY)
    assert {person.name: person.judged for person in people} == {"anna": 2, "bo": 2, "dora": 1}


def test_each_kind_of_work_is_counted_separately(project: Project) -> None:
    """Judged is what batches count: rewrites, tests, documents and decisions are not included."""
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
        put(connection, Pair(id="o1", text1="…", text2="…", source="news"))
        leave_out(connection, ["o1"], "carried over to another language")
        for name in ("p1", "p1", "p4", "o1"):
            judge(connection, "anna", name, "4")
        judge(connection, "anna", "p2", None, supersedes=judge(connection, "anna", "p2", "4"))
        judge(connection, "anna", "p3", "accept", unit="document_pair")
        assert source_states(connection) == [
            SourceState("forum", {"rejected": 1}, 0, 0, 0),
            SourceState("headings", {}, 1, 0, 0),
            SourceState("news", {"candidate": 2, "empty": 1, "finished": 1}, 4, 1, 1),
            SourceState(None, {"finished": 1}, 0, 0, 0),
        ]
