"""The gate, the decisions of curators about workers, and the pairs that follow, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select

from otherwords.analyse.crowd import crowd_state
from otherwords.analyse.progress import batch_states
from otherwords.annotate.batches import Deployment, Gate, HiddenTests, Rules, Wanted, batch, make
from otherwords.annotate.concealing import Concealing
from otherwords.annotate.crowd_decisions import decide
from otherwords.annotate.crowd_events import decisions
from otherwords.annotate.crowd_rules import begun_with, check_crowd
from otherwords.annotate.deployment import TABLE, deploy, plan
from otherwords.annotate.gate import Figures, figures, kappa, majority, shortfalls
from otherwords.annotate.judging import Said, judge
from otherwords.annotate.schemes import scheme
from otherwords.annotate.standing import stands
from otherwords.annotate.taking import Paused, Taken, take
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project import schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair
from tests.annotate.crowd import TESTS, crowd_batch, events, gold_of, says, work

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
    assert kappa(pairs) == (pytest.approx(value) if value is not None else None)


@pytest.mark.parametrize(
    ("said", "most"), [("", None), ("a", "a"), ("ab", None), ("abb", "b"), ("aabb", None), ("aabbc", None)]
)
def test_majority(said: str, most: str | None) -> None:
    assert majority(said) == most


@pytest.mark.parametrize(
    ("right", "wrong", "stopped"),
    [(3, 0, False), (0, 3, False), (4, 0, False), (3, 1, True), (17, 3, True), (18, 2, False), (17, 2, False)],
)
def test_accuracy_has_to_be_more_than_the_gate_says_once_there_are_enough(
    right: int, wrong: int, stopped: bool
) -> None:
    gate = Gate(window=20, fewest_tests=4)
    assert bool(shortfalls(gate, figures(gate, [False] * wrong + [True] * right, []))) is stopped


def test_only_the_last_answers_count() -> None:
    gate = Gate(window=8, fewest_tests=4, fewest_shared=4)
    shared = [("y", "n")] * 20 + [("y", "y"), ("n", "n")] * 4
    assert figures(gate, [False] * 50 + [True] * 8, shared) == Figures(8, 1.0, 8, 1.0)
    told = shortfalls(gate, figures(gate, [True] * 8, [("y", "y"), ("y", "n")] * 4))
    assert told == ["kappa 0.00 with the majority of the others on the last 8 pairs, not more than 0.20"]


@pytest.mark.parametrize(
    ("rules", "asked", "reason"),
    [
        (Rules(gate=Gate(accuracy=1.0)), 2, "accuracy"),
        (Rules(gate=Gate(kappa=1.5)), 2, "kappa"),
        (Rules(gate=Gate(window=4)), 2, "no fewer"),
        (Rules(gate=Gate(fewest_tests=0)), 2, "no fewer"),
        (Rules(gate=Gate(window=5000)), 2, "up to 500"),
        (Rules(gate=Gate()), 1, "something to weigh"),
        (Rules(deployment=[Deployment(fewest=4, most=6, more=5), Deployment(fewest=6, most=9, more=5)]), 2, "overlap"),
        (Rules(deployment=[Deployment(fewest=4, most=21, more=5)]), 2, "up to 20"),
    ],
)
def test_rules_that_cannot_be(connection: Connection, rules: Rules, asked: int, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        check_crowd(connection, rules, [Wanted("p0")], asked, scheme("turku"))


def truth(taken: Taken) -> str:
    return gold_of(taken.item) or ("4" if int(taken.item[1:]) % 3 else "1")


def wrong(taken: Taken) -> str:
    return "1" if truth(taken) == "4" else "4"


def until_paused(connection: Connection, of: Concealing, name: str, answer: Any) -> list[Judgement]:
    """Work until the gate closes."""
    made: list[Judgement] = []
    try:
        while taken := take(connection, "crowd", name, 1, of):
            told = says(connection, of, name, taken[0], answer(taken[0]))
            assert isinstance(told, Judgement)
            made.append(told)
    except Paused:
        return made
    pytest.fail("nobody was paused")


def test_who_misses_tests_is_paused_and_told_so(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 40, tests=HiddenTests(pairs=TESTS, every=2), gate=SMALL)
    made = until_paused(connection, of, "zoe", wrong)
    assert sum(one.purpose == "gold" for one in made) == 4
    ((actor, action, detail),) = events(connection)
    assert (actor, action, detail["batch"], detail["worker"]) == (None, "crowd paused", "crowd", "zoe")
    assert detail["reasons"] == ["0 % of the last 4 tests right, not more than 85 %"]
    assert detail["figures"] == {"tests": 4, "accuracy": 0.0, "shared": 0, "kappa": None}
    assert len(work(connection, of, "wim", truth, 10)) == 10  # nobody else is


def test_who_contradicts_the_others_is_paused(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 20, asked=3, tests=None, gate=SMALL)

    def judged(name: str, answer: Any) -> int:
        count = 0
        while taken := take(connection, "crowd", name, 1):
            said = Said(key=f"{name}-{taken[0].slot}", slot=taken[0].slot, value=answer(taken[0]))
            (told,) = judge(connection, [(name, said)], scheme, lambda *told: True)
            assert isinstance(told, Judgement)
            count += 1
        return count

    assert (judged("wim", truth), judged("ben", truth)) == (20, 20)
    with pytest.raises(Paused):
        judged("zoe", wrong)
    assert [detail["figures"]["kappa"] for _, _, detail in events(connection)] == [pytest.approx(-0.8)]


def standing(connection: Connection, name: str) -> int:
    said = schema.judgements
    about = (said.c.annotator == name, said.c.purpose != "gold", stands())
    return connection.execute(select(func.count()).select_from(said).where(*about)).scalar_one()


def test_a_curator_lets_somebody_go_on_and_they_are_weighed_from_there(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 40, tests=HiddenTests(pairs=TESTS, every=2), gate=SMALL)
    until_paused(connection, of, "zoe", wrong)
    told = decide(connection, "crowd", "zoe", "resumed", "carl", "k", "they asked nicely")
    assert decide(connection, "crowd", "zoe", "resumed", "carl", "k") == told
    with pytest.raises(Conflict, match="another decision"):
        decide(connection, "crowd", "zoe", "paused", "carl", "k")
    with pytest.raises(Conflict, match="active already"):
        decide(connection, "crowd", "zoe", "resumed", "carl", "k2")
    made = work(connection, of, "zoe", truth)
    assert sum(one.purpose == "gold" for one in made) == 4  # all that were left, and no pause
    decide(connection, "crowd", "zoe", "paused", "carl", "k3", "enough")
    with pytest.raises(Paused):
        take(connection, "crowd", "zoe", 1, of)
    assert [(one.actor, one.action) for one in decisions(connection, "crowd")] == [
        (None, "paused"),
        ("carl", "resumed"),
        ("carl", "paused"),
    ]
    (state,) = crowd_state(connection, batch(connection, "crowd"), scheme("turku")).workers
    assert (state.state, state.reasons, state.tests, state.accuracy) == ("paused", ("enough",), 8, 0.5)


def test_voided_work_opens_its_pairs_again_for_others(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 12, tests=HiddenTests(pairs=TESTS[:3], every=4), gate=SMALL)
    made = work(connection, of, "zoe", wrong)
    ordinary = [one for one in made if one.purpose != "gold"]
    assert len(ordinary) == 12
    told = decide(connection, "crowd", "zoe", "voided", "carl", "k")
    assert (told["judgements"], standing(connection, "zoe")) == (12, 0)
    with pytest.raises(Conflict, match="nothing to void"):
        decide(connection, "crowd", "zoe", "voided", "carl", "k2")
    assert [one.done for one in batch_states(connection)] == [0]
    assert take(connection, "crowd", "zoe", 5, of) == []  # not for the one whose work it was
    rows = connection.execute(select(schema.judgements).where(schema.judgements.c.supersedes.is_not(None))).all()
    assert {(row.value, row.meta["void"]) for row in rows} == {(None, told["id"])}
    again = work(connection, of, "wim", truth, 6)
    redone = sum(one.purpose != "gold" for one in again)
    back = decide(connection, "crowd", "zoe", "unvoided", "carl", "k3")
    assert (back["judgements"], back["redone"]) == (12 - redone, redone)
    assert standing(connection, "zoe") == 12 - redone
    assert [(one.done, one.slots) for one in batch_states(connection)] == [(12, 12)]
    restored = {row.pair: row.value for row in connection.execute(select(schema.judgements).where(stands())).all()}
    assert all(restored[one.pair] == one.value for one in ordinary if one.pair not in {this.pair for this in again})
    with pytest.raises(Conflict, match="is void"):
        decide(connection, "crowd", "wim", "unvoided", "carl", "k4")


def test_kept_work_stays(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 12, gate=SMALL)
    made = work(connection, of, "zoe", truth)
    told = decide(connection, "crowd", "zoe", "kept", "carl", "k", "good enough")
    assert told["judgements"] == standing(connection, "zoe") == sum(one.purpose != "gold" for one in made)


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"worker": "nobody"}, NotFound),
        ({"name": "nowhere"}, NotFound),
        ({"decision": "fired"}, Refused),
        ({"reason": "r" * 1001}, Refused),
    ],
)
def test_decisions_that_cannot_be(
    connection: Connection, of: Concealing, asked: dict[str, str], problem: type[Refused]
) -> None:
    crowd_batch(connection, 4)
    work(connection, of, "zoe", truth, 1)
    told = {"name": "crowd", "worker": "zoe", "decision": "kept", "reason": ""} | asked
    with pytest.raises(problem):
        decide(connection, told["name"], told["worker"], told["decision"], "carl", "k", told["reason"])
    assert events(connection) == []


def grouped(connection: Connection, sizes: dict[str, int]) -> list[Wanted]:
    pairs = [
        Pair(id=f"{group}{number:02}", text1=f"Bell {group} rang.", text2=f"One heard it {number} times.", group=group)
        for group, size in sizes.items()
        for number in range(size)
    ]
    pairs.append(Pair(id="z", text1="The bell hung alone.", text2="There was one bell."))
    rows = [row_of(pair, import_id=None, step=None, step_key=None, state=None) for pair in pairs]
    connection.execute(insert(schema.pairs), rows)
    return [Wanted(pair.id) for pair in pairs]


def test_a_batch_grows_where_its_first_pairs_were_paraphrases(connection: Connection) -> None:
    rules = Rules(deployment=TABLE)
    wanted = begun_with(connection, rules, grouped(connection, {"a": 60, "b": 60, "c": 22, "d": 30}))
    assert len(wanted) == 80
    assert "z" not in {one.item for one in wanted}
    of = make(connection, "grow", wanted, scheme="turku", asked=2, rules=rules)
    yes = {"a": 3, "b": 8, "c": 20, "d": 20}  # of the first twenty

    def answer(item: str) -> str:
        return "4" if int(item[1:]) < yes[item[0]] else "2"

    for name in ("wim", "zoe"):
        while taken := take(connection, of, name, 20):
            for one in taken:
                if name == "zoe" and one.item == "d19":
                    continue
                said = Said(key=f"{name}{one.slot}", slot=one.slot, value=answer(one.item))
                judge(connection, [(name, said)], scheme, lambda *told: True)
            if [one.item for one in taken] == ["d19"]:
                break
    planned = plan(connection, of, scheme("turku"))
    told = [(one.group, one.positive, one.more, one.added) for one in planned]
    assert told == [("a", 3, 0, 0), ("b", 8, 30, 30), ("c", 20, 50, 2)]  # of d one judgement is missing
    assert plan(connection, of, scheme("turku"), 2)[1].positive == 0  # nobody can have more than two votes
    assert deploy(connection, of, scheme("turku"), "carl") == planned
    assert deploy(connection, of, scheme("turku"), "carl") == []
    items = connection.execute(select(schema.slots.c.item).order_by(schema.slots.c.position)).scalars().all()
    assert items[160::2] == [f"b{number:02}" for number in range(20, 50)] + ["c20", "c21"]
    ((actor, action, detail),) = events(connection)
    assert (actor, action, [one["added"] for one in detail["groups"]]) == ("carl", "crowd deployed", [0, 30, 2])


def test_a_batch_without_a_table_does_not_grow(connection: Connection) -> None:
    of = make(connection, "grow", grouped(connection, {"a": 3}), scheme="turku")
    with pytest.raises(Refused, match="no table"):
        plan(connection, of, scheme("turku"))
