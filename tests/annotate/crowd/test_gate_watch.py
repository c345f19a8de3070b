"""The gate, the decisions of curators about workers, and deployment, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select

from otherwords.analyse.dashboard.crowd import crowd_state
from otherwords.analyse.dashboard.progress import batch_states
from otherwords.annotate.batch_plans.selection import first_items
from otherwords.annotate.batches.batch import (
    BatchItem,
    BatchRules,
    Deployment,
    Gate,
    HiddenTests,
    insert_batch,
    load_batch,
)
from otherwords.annotate.batches.rule_checks import check_crowd_rules
from otherwords.annotate.crowd.curator_decisions import decide_on_worker
from otherwords.annotate.crowd.deployment import TABLE, deploy_pairs, plan_deployment
from otherwords.annotate.crowd.events import worker_decisions
from otherwords.annotate.crowd.gate import GateFigures, cohens_kappa, gate_figures, majority, shortfalls
from otherwords.annotate.crowd.slot_handles import SlotHandles
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers
from otherwords.annotate.work.reservations import Reservation, WorkerPaused, reserve
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair
from tests.annotate.crowd_batch import TESTS, crowd_batch, events, gold_of, send, work
from tests.errors import raises

SMALL = Gate(window=8, fewest_tests=4, fewest_shared=6)


@pytest.mark.parametrize(
    ("pairs", "value"),
    [
        ([("y", "y"), ("n", "n")], 1.0),
        ([("y", "n"), ("n", "y")], -1.0),
        ([("y", "y"), ("y", "n"), ("n", "y"), ("n", "n")], 0.0),
        ([("y", "y")] * 3, None),  # chance explains it all
        ([("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15, 0.4),
    ],
)
def test_kappa(pairs: list[tuple[str, str]], value: float | None) -> None:
    assert cohens_kappa(pairs) == (pytest.approx(value) if value is not None else None)


@pytest.mark.parametrize(
    ("answers", "most"), [("", None), ("a", "a"), ("ab", None), ("abb", "b"), ("aabb", None), ("aabbc", None)]
)
def test_majority(answers: str, most: str | None) -> None:
    assert majority(answers) == most


@pytest.mark.parametrize(
    ("right", "wrong", "stopped"),
    [(3, 0, False), (0, 3, False), (4, 0, False), (3, 1, True), (17, 3, True), (18, 2, False), (17, 2, False)],
)
def test_accuracy_has_to_be_more_than_the_gate_says_once_there_are_enough(
    right: int, wrong: int, stopped: bool
) -> None:
    gate = Gate(window=20, fewest_tests=4)
    assert bool(shortfalls(gate, gate_figures(gate, [False] * wrong + [True] * right, []))) is stopped


def test_only_the_last_answers_count() -> None:
    gate = Gate(window=8, fewest_tests=4, fewest_shared=4)
    shared = [("y", "n")] * 20 + [("y", "y"), ("n", "n")] * 4
    assert gate_figures(gate, [False] * 50 + [True] * 8, shared) == GateFigures(8, 1.0, 8, 1.0)
    reasons = shortfalls(gate, gate_figures(gate, [True] * 8, [("y", "y"), ("y", "n")] * 4))
    assert reasons == ["kappa 0.00 with the majority of the others on the last 8 pairs, not more than 0.20"]


@pytest.mark.parametrize(
    ("rules", "asked", "code"),
    [
        (BatchRules(gate=Gate(accuracy=1.0)), 2, "bad-gate-threshold"),
        (BatchRules(gate=Gate(kappa=1.5)), 2, "bad-gate-threshold"),
        (BatchRules(gate=Gate(window=4)), 2, "bad-gate-window"),
        (BatchRules(gate=Gate(fewest_tests=0)), 2, "bad-gate-window"),
        (BatchRules(gate=Gate(window=5000)), 2, "bad-gate-window"),
        (BatchRules(gate=Gate()), 1, "too-few-judgements"),
        (
            BatchRules(deployment=[Deployment(fewest=4, most=6, more=5), Deployment(fewest=6, most=9, more=5)]),
            2,
            "bad-deployment-table",
        ),
        (BatchRules(deployment=[Deployment(fewest=4, most=21, more=5)]), 2, "bad-deployment-table"),
    ],
)
def test_impossible_rules_are_refused(connection: Connection, rules: BatchRules, asked: int, code: str) -> None:
    with raises(code):
        check_crowd_rules(connection, rules, [BatchItem("p0")], asked, load_scheme("turku"))


@pytest.mark.parametrize(("scheme", "code"), [("topic", "not-about-pairs"), ("suzuki-changes", "no-positives")])
def test_deployment_needs_a_scheme_with_paraphrases(connection: Connection, scheme: str, code: str) -> None:
    with raises(code, match=scheme):
        check_crowd_rules(connection, BatchRules(deployment=TABLE), [BatchItem("p0")], 2, load_scheme(scheme))


def truth(taken: Reservation) -> str:
    return gold_of(taken.item) or ("4" if int(taken.item[1:]) % 3 else "1")


def wrong(taken: Reservation) -> str:
    return "1" if truth(taken) == "4" else "4"


def until_paused(connection: Connection, handles: SlotHandles, name: str, answer: Any) -> list[Judgement]:
    """Work until the gate closes."""
    judgements: list[Judgement] = []
    try:
        while taken := reserve(connection, "crowd", name, 1, handles):
            judgement = send(connection, handles, name, taken[0], answer(taken[0]))
            assert isinstance(judgement, Judgement)
            judgements.append(judgement)
    except WorkerPaused:
        return judgements
    pytest.fail("nobody was paused")


def test_a_worker_who_fails_tests_is_paused(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 40, tests=HiddenTests(pairs=TESTS, every=2), gate=SMALL)
    judgements = until_paused(connection, handles, "zoe", wrong)
    assert sum(judgement.purpose == "gold" for judgement in judgements) == 4
    ((actor, action, detail),) = events(connection)
    assert (actor, action, detail["batch"], detail["worker"]) == (None, "crowd paused", "crowd", "zoe")
    assert detail["reasons"] == ["0 % of the last 4 tests right, not more than 85 %"]
    assert detail["figures"] == {"tests": 4, "accuracy": 0.0, "shared": 0, "kappa": None}
    assert len(work(connection, handles, "wim", truth, 10)) == 10  # nobody else is


def test_a_worker_who_contradicts_the_others_is_paused(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 20, asked=3, tests=None, gate=SMALL)

    def judged(name: str, answer: Any) -> int:
        count = 0
        while taken := reserve(connection, "crowd", name, 1):
            body = AnswerBody(key=f"{name}-{taken[0].slot}", slot=taken[0].slot, value=answer(taken[0]))
            (result,) = save_answers(connection, [(name, body)], load_scheme, lambda *result: True)
            assert isinstance(result, Judgement)
            count += 1
        return count

    assert (judged("wim", truth), judged("ben", truth)) == (20, 20)
    with pytest.raises(WorkerPaused):
        judged("zoe", wrong)
    assert [detail["figures"]["kappa"] for _, _, detail in events(connection)] == [pytest.approx(-0.8)]


def standing(connection: Connection, name: str) -> int:
    table = schema.judgements
    about = (table.c.annotator == name, table.c.purpose != "gold", is_current())
    return connection.execute(select(func.count()).select_from(table).where(*about)).scalar_one()


def test_a_resumed_worker_is_weighed_from_there_on(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 40, tests=HiddenTests(pairs=TESTS, every=2), gate=SMALL)
    until_paused(connection, handles, "zoe", wrong)
    decision = decide_on_worker(connection, "crowd", "zoe", "resumed", "carl", "k", "they asked nicely")
    assert decide_on_worker(connection, "crowd", "zoe", "resumed", "carl", "k") == decision
    with raises("key-reused"):
        decide_on_worker(connection, "crowd", "zoe", "paused", "carl", "k")
    with raises("state-unchanged", match="zoe .* active"):
        decide_on_worker(connection, "crowd", "zoe", "resumed", "carl", "k2")
    judgements = work(connection, handles, "zoe", truth)
    assert sum(judgement.purpose == "gold" for judgement in judgements) == 4  # all that were left, and no pause
    decide_on_worker(connection, "crowd", "zoe", "paused", "carl", "k3", "enough")
    with pytest.raises(WorkerPaused):
        reserve(connection, "crowd", "zoe", 1, handles)
    assert [(past.actor, past.action) for past in worker_decisions(connection, "crowd")] == [
        (None, "paused"),
        ("carl", "resumed"),
        ("carl", "paused"),
    ]
    (state,) = crowd_state(connection, load_batch(connection, "crowd"), load_scheme("turku")).workers
    assert (state.state, state.reasons, state.tests, state.accuracy) == ("paused", ("enough",), 8, 0.5)


def test_pairs_of_voided_work_are_open_for_others(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 12, tests=HiddenTests(pairs=TESTS[:3], every=4), gate=SMALL)
    judgements = work(connection, handles, "zoe", wrong)
    ordinary = [judgement for judgement in judgements if judgement.purpose != "gold"]
    assert len(ordinary) == 12
    voided = decide_on_worker(connection, "crowd", "zoe", "voided", "carl", "k")
    assert (voided["judgements"], standing(connection, "zoe")) == (12, 0)
    with raises("nothing-to-void"):
        decide_on_worker(connection, "crowd", "zoe", "voided", "carl", "k2")
    assert [state.done for state in batch_states(connection)] == [0]
    assert reserve(connection, "crowd", "zoe", 5, handles) == []  # not for the one whose work it was
    rows = connection.execute(select(schema.judgements).where(schema.judgements.c.supersedes.is_not(None))).all()
    assert {(row.value, row.meta["void"]) for row in rows} == {(None, voided["id"])}
    again = work(connection, handles, "wim", truth, 6)
    redone = sum(judgement.purpose != "gold" for judgement in again)
    back = decide_on_worker(connection, "crowd", "zoe", "unvoided", "carl", "k3")
    assert (back["judgements"], back["redone"]) == (12 - redone, redone)
    assert standing(connection, "zoe") == 12 - redone
    assert [(state.done, state.slots) for state in batch_states(connection)] == [(12, 12)]
    restored = {row.pair: row.value for row in connection.execute(select(schema.judgements).where(is_current())).all()}
    judged_again = {judgement.pair for judgement in again}
    assert all(restored[old.pair] == old.value for old in ordinary if old.pair not in judged_again)
    with raises("nothing-to-restore"):
        decide_on_worker(connection, "crowd", "wim", "unvoided", "carl", "k4")


def test_kept_work_stays(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 12, gate=SMALL)
    judgements = work(connection, handles, "zoe", truth)
    decision = decide_on_worker(connection, "crowd", "zoe", "kept", "carl", "k", "good enough")
    assert (
        decision["judgements"]
        == standing(connection, "zoe")
        == sum(judgement.purpose != "gold" for judgement in judgements)
    )


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"worker": "nobody"}, "no-such-worker"),
        ({"name": "nowhere"}, "no-such-batch"),
        ({"decision": "fired"}, "no-such-decision"),
        ({"reason": "r" * 1001}, "text-too-long"),
    ],
)
def test_impossible_decisions_are_refused(
    connection: Connection, handles: SlotHandles, changes: dict[str, str], code: str
) -> None:
    crowd_batch(connection, 4)
    work(connection, handles, "zoe", truth, 1)
    request = {"name": "crowd", "worker": "zoe", "decision": "kept", "reason": ""} | changes
    with raises(code):
        decide_on_worker(
            connection, request["name"], request["worker"], request["decision"], "carl", "k", request["reason"]
        )
    assert events(connection) == []


def grouped(connection: Connection, sizes: dict[str, int]) -> list[BatchItem]:
    pairs = [
        Pair(id=f"{group}{number:02}", text1=f"Bell {group} rang.", text2=f"One heard it {number} times.", group=group)
        for group, size in sizes.items()
        for number in range(size)
    ]
    pairs.append(Pair(id="z", text1="The bell hung alone.", text2="There was one bell."))
    rows = [row_of(pair, import_id=None, step=None, step_key=None, state=None) for pair in pairs]
    connection.execute(insert(schema.pairs), rows)
    return [BatchItem(pair.id) for pair in pairs]


def test_a_batch_grows_where_its_first_pairs_were_paraphrases(connection: Connection) -> None:
    rules = BatchRules(deployment=TABLE)
    first = first_items(connection, rules, grouped(connection, {"a": 60, "b": 60, "c": 22, "d": 30}))
    assert len(first) == 80
    assert "z" not in {item.item for item in first}
    growing = insert_batch(connection, "grow", first, scheme="turku", asked=2, rules=rules)
    yes = {"a": 3, "b": 8, "c": 20, "d": 20}  # of the first twenty

    def answer(item: str) -> str:
        return "4" if int(item[1:]) < yes[item[0]] else "2"

    for name in ("wim", "zoe"):
        while taken := reserve(connection, growing, name, 20):
            for held in taken:
                if name == "zoe" and held.item == "d19":
                    continue
                body = AnswerBody(key=f"{name}{held.slot}", slot=held.slot, value=answer(held.item))
                save_answers(connection, [(name, body)], load_scheme, lambda *_: True)
            if [held.item for held in taken] == ["d19"]:
                break
    planned = plan_deployment(connection, growing, load_scheme("turku"))
    figures_of_groups = [(group.group, group.positive, group.more, group.added) for group in planned]
    assert figures_of_groups == [("a", 3, 0, 0), ("b", 8, 30, 30), ("c", 20, 50, 2)]  # of d one judgement is missing
    assert (
        plan_deployment(connection, growing, load_scheme("turku"), 2)[1].positive == 0
    )  # nobody can have more than two votes
    assert deploy_pairs(connection, growing, load_scheme("turku"), "carl") == planned
    assert deploy_pairs(connection, growing, load_scheme("turku"), "carl") == []
    items = connection.execute(select(schema.slots.c.item).order_by(schema.slots.c.position)).scalars().all()
    assert items[160::2] == [f"b{number:02}" for number in range(20, 50)] + ["c20", "c21"]
    ((actor, action, detail),) = events(connection)
    assert (actor, action, [group["added"] for group in detail["groups"]]) == ("carl", "crowd deployed", [0, 30, 2])


def test_a_batch_without_a_table_does_not_grow(connection: Connection) -> None:
    plain = insert_batch(connection, "grow", grouped(connection, {"a": 3}), scheme="turku")
    with raises("no-deployment-table", match="'grow'"):
        plan_deployment(connection, plain, load_scheme("turku"))
