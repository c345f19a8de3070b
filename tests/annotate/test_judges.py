"""Who has judged a pair counts for every purpose, and pairs that are judged enough are left out of samples."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, insert

from otherwords.annotate.batch_plans.create import BatchPlan, choose_items
from otherwords.annotate.batch_plans.request import decode_request
from otherwords.annotate.batches.batch import BatchItem, BatchRules, insert_batch
from otherwords.annotate.browse.filter import parse_filter
from otherwords.annotate.judges import judged_enough, judges_of
from otherwords.annotate.work.open_batches import open_batches_for
from otherwords.annotate.work.reservations import reserve
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement
from tests.annotate.crowd_batch import fill
from tests.errors import raises

PURPOSES = ("production", "training", "agreement", "check", "qa", "gold")


def judge(connection: Connection, pair: str, annotator: str | None, value: Any = "4", **others: Any) -> str:
    """A judgement of a pair by somebody, in the scheme turku unless it is said otherwise."""
    name = f"{pair} {annotator} {others}"
    fields = {"scheme": "turku", "batch": "earlier"} | others
    row = row_of(Judgement(id=name, pair=pair, annotator=annotator, value=value, **fields))
    connection.execute(insert(schema.judgements).values(**row))
    return name


@pytest.mark.parametrize("purpose", PURPOSES)
def test_nobody_gets_a_pair_again_whatever_they_judged_it_for(connection: Connection, purpose: str) -> None:
    fill(connection, 3)
    judge(connection, "p0", "anna", purpose=purpose)
    judge(connection, "p1", None, kind="vote")
    judge(connection, "p2", "anna", kind="consensus")  # a decision of the team is not her own judgement
    items = [BatchItem(name) for name in ("p0", "p1", "p2")]
    insert_batch(connection, "new", items, scheme="turku", rules=BatchRules(again=False))
    assert judges_of(connection, ["p0", "p1", "p2"]) == {"p0": {"anna"}}
    assert judges_of(connection, ["p0"], "earlier") == {}
    assert [waiting.left for waiting in open_batches_for(connection, "anna")] == [2]
    assert [held.item for held in reserve(connection, "new", "anna", 9)] == ["p1", "p2"]
    assert [held.item for held in reserve(connection, "new", "ben", 9)] == ["p0"]


def test_a_judgement_that_was_taken_back_was_one(connection: Connection) -> None:
    fill(connection, 1)
    first = judge(connection, "p0", "anna", purpose="training")
    judge(connection, "p0", "anna", None, purpose="training", supersedes=first)
    assert judges_of(connection, ["p0"]) == {"p0": {"anna"}}


def settle(connection: Connection) -> None:
    """Eight pairs, of which p2, p3, p4 and p6 are judged enough in the scheme turku."""
    fill(connection, 8)
    judge(connection, "p1", "anna")
    for annotator in ("anna", "ben"):
        judge(connection, "p2", annotator, purpose="training" if annotator == "ben" else "agreement")
        judge(connection, "p5", annotator, scheme="likert")
    judge(connection, "p3", "carl", kind="consensus")
    judge(connection, "p4", "anna", purpose="qa")
    for number in range(2):
        judge(connection, "p6", None, kind="vote", scheme=None, meta={"vote": number})
    judge(connection, "p7", "anna")
    first = judge(connection, "p7", "ben")
    judge(connection, "p7", "ben", None, supersedes=first)


def test_a_pair_is_judged_enough_when_it_is_decided_or_two_people_judged_it(connection: Connection) -> None:
    settle(connection)
    names = [f"p{number}" for number in range(8)]
    assert judged_enough(connection, "pair", "turku", names) == {"p2", "p3", "p4", "p6"}
    assert judged_enough(connection, "pair", "likert", names) == {"p5", "p6"}
    assert judged_enough(connection, "group", "turku", names) == set()


def chosen(connection: Connection, project: Project, **plan: Any) -> set[str]:
    items = choose_items(connection, project, BatchPlan(name="double", asked=2, scheme="turku", **plan))
    return {item.item for item in items}


def test_samples_leave_out_what_is_judged_enough(connection: Connection, project: Project) -> None:
    settle(connection)
    everything = chosen(connection, project)
    assert {f"p{number}" for number in range(8)} <= everything
    assert chosen(connection, project, sample=100) == everything - {"p2", "p3", "p4", "p6"}
    assert chosen(connection, project, sample=100, also_decided=True) == everything
    wanted = parse_filter({"batch": "nowhere"})
    with raises("empty-batch", match="--also-decided"):
        chosen(connection, project, sample=2, wanted=wanted)


def test_a_request_can_ask_for_decided_pairs(connection: Connection, project: Project) -> None:
    plan = decode_request({"name": "double", "sample": "5", "also_decided": "true"}).plan(connection, project)
    assert plan.also_decided
