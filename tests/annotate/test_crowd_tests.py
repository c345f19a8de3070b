"""Hidden tests: one in so many, not to be told from other pairs before they are answered, on both databases."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, select, update

from otherwords.annotate.batches import HiddenTests, Rules, Wanted, batch
from otherwords.annotate.concealing import FIRST_HANDLE, Concealing, is_handle
from otherwords.annotate.crowd_rules import check_crowd
from otherwords.annotate.judging import Said, judge
from otherwords.annotate.pair_labels import labels_of
from otherwords.annotate.schemes import scheme
from otherwords.annotate.taking import release, renew, take
from otherwords.annotate.undoing import undo
from otherwords.annotate.waiting import batches_for
from otherwords.annotate.working import progress, recent, tasks
from otherwords.errors import Conflict, NotAllowed, NotFound, Refused
from otherwords.project import schema
from otherwords.project.pseudonyms import set_free
from otherwords.records import Judgement
from tests.annotate.crowd import TESTS, crowd_batch, fill, gold_of, says, work


def test_handles_are_numbers_that_say_nothing_and_lead_back(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, two = Concealing(tmp_path / "one"), Concealing(tmp_path / "two")
    slots = [*range(2000), 2**31, 2**52 - 1]
    handles = [one.handle(slot) for slot in slots]
    assert [one.slot(handle) for handle in handles] == slots
    assert len(set(handles)) == len(slots)
    assert all(is_handle(handle) and FIRST_HANDLE <= handle < 2**53 for handle in handles)  # JavaScript keeps these
    assert handles != sorted(handles)
    assert [two.handle(slot) for slot in slots] != handles
    assert (tmp_path / "one" / "secrets" / "tests.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("every", [2, 5, 10])
def test_one_of_every_block_is_a_test_at_a_place_of_its_own(tmp_path: Path, every: int) -> None:
    of = Concealing(tmp_path)
    blocks = [
        [place for place in range(every) if of.is_test("crowd", "wim", block * every + place, every)]
        for block in range(60)
    ]
    assert all(len(places) == 1 for places in blocks)
    assert {place for (place,) in blocks} == set(range(every))
    assert blocks != [
        [place for place in range(every) if of.is_test("crowd", "zoe", block * every + place, every)]
        for block in range(60)
    ]


def test_everybody_meets_every_fifth_time_a_test_and_each_test_once(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 40)
    made = work(connection, of, "wim", lambda taken: gold_of(taken.item) or "3")
    kinds = [one.purpose == "gold" for one in made]
    assert sum(kinds) == 8
    assert all(sum(kinds[start : start + 5]) <= 3 for start in range(0, 40, 5))  # some are fetched ahead
    assert sorted(one.pair for one in made if one.purpose == "gold") == sorted(TESTS)
    assert sorted(one.pair for one in made if one.purpose != "gold") == sorted(f"p{n}" for n in range(40))
    taker = connection.execute(select(schema.takers)).one()
    assert (taker.done, taker.tests, taker.right) == (48, 8, 8)


def test_people_meet_tests_in_orders_of_their_own(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 40, asked=2)
    orders = {
        name: [one.pair for one in work(connection, of, name, lambda taken: "3") if one.purpose == "gold"]
        for name in ("wim", "zoe")
    }
    assert orders["wim"] != orders["zoe"]
    assert set(orders["wim"]) == set(orders["zoe"]) == set(TESTS)


def test_what_is_told_of_a_task_is_the_same_for_a_test(connection: Connection, of: Concealing) -> None:
    made = crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=2))
    assert (made.rules.undo, made.rules.context, made.rules.blind) == (False, False, True)
    taken = take(connection, made, "wim", 10, of)
    shown = [asdict(one) for one in tasks(connection, made, taken, of)]
    assert {item.item[0] for item in taken} == {"p", "t"}
    assert [one["slot"] for one in shown] == sorted(one["slot"] for one in shown)
    assert [one["position"] for one in shown] == list(range(10))
    assert {(one["pair"], one["context"], one["until"], one["judgement"]) for one in shown} == {
        (None, False, taken[0].until, None)
    }
    held = take(connection, made, "wim", 10, of)
    assert [one.slot for one in held] == [one.slot for one in taken]


def test_a_test_says_whether_it_was_right_and_only_when_it_is_answered(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=2))
    taken = take(connection, "crowd", "wim", 10, of)
    told: dict[str, Any] = {}
    for one in taken:
        value = "x" if one.item == "t3" else "3"
        made = says(connection, of, "wim", one, value)
        assert isinstance(made, Judgement)
        assert says(connection, of, "wim", one, value) == made  # sent again, it is the same answer
        assert made.meta["slot"] == one.slot
        told[one.item] = made.meta.get("test")
    assert {name for name, test in told.items() if test} == {item for item in told if item.startswith("t")}
    for name, test in told.items():
        if test:
            number = int(name[1:])
            right = bool(number % 2) and name != "t3"  # a 3 is as much a paraphrase as a 4; a skip is never right
            label = "4" if number % 2 else "1"
            assert test == {"right": right, "label": label, "explanation": f"Look at the {number} coins."}


def test_an_answered_test_is_final_and_never_comes_again(connection: Connection, of: Concealing) -> None:
    made = crowd_batch(connection, 30, tests=HiddenTests(pairs=TESTS[:2], every=2))
    first = work(connection, of, "wim", lambda taken: "3", 8)
    tests = [one for one in first if one.purpose == "gold"]
    assert len(tests) == 2
    with pytest.raises(NotAllowed, match="final"):
        undo(connection, "wim", tests[0].id, "u")
    with pytest.raises(NotAllowed, match="final"):
        undo(connection, "wim", first[0].id, "u")
    assert not {one.text1 for one in recent(connection, made, "wim", 50, of)} & {"The lamp cost 0 coins."}
    assert len(recent(connection, made, "wim", 50, of)) == 6
    assert all(is_handle(one.slot) and one.pair is None for one in recent(connection, made, "wim", 50, of))
    rest = work(connection, of, "wim", lambda taken: "3")
    assert [one.pair for one in rest if one.purpose == "gold"] == []


def test_slots_cannot_be_asked_for_by_number(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 10)
    (taken,) = take(connection, "crowd", "wim", 1, of)
    by_number = Said(key="n", slot=taken.slot, value="4")
    assert isinstance(judge(connection, [("wim", by_number)], scheme, lambda *told: True, of)[0], NotFound)
    assert isinstance(judge(connection, [("wim", by_number)], scheme, lambda *told: True)[0], NotFound)
    with pytest.raises(NotFound):
        renew(connection, taken.slot, "wim", of)
    renewed = renew(connection, of.handle(taken.slot), "wim", of)
    assert (renewed.slot, renewed.position, renewed.item) == (of.handle(taken.slot), 0, "")
    with pytest.raises(NotAllowed, match="skip"):
        release(connection, of.handle(taken.slot), "wim", of)
    release(connection, taken.slot, "wim", of)
    assert [one.slot for one in take(connection, "crowd", "wim", 1, of)] == [taken.slot]
    with pytest.raises(NotAllowed, match="through the site"):
        take(connection, "crowd", "wim", 1)


def test_a_handle_in_a_batch_without_tests_is_nothing(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 10, tests=None)
    (taken,) = take(connection, "crowd", "wim", 1, of)
    by_handle = Said(key="n", slot=of.handle(taken.slot), value="4")
    assert isinstance(judge(connection, [("wim", by_handle)], scheme, lambda *told: True, of)[0], NotFound)
    with pytest.raises(NotFound):
        renew(connection, of.handle(taken.slot), "wim", of)


def test_what_ran_out_is_let_go_whether_test_or_not(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=2))
    before = take(connection, "crowd", "wim", 6, of)
    connection.execute(update(schema.slots).values(until=time.time() - 1))
    after = take(connection, "crowd", "wim", 6, of)
    assert {one.item[0] for one in before} == {one.item[0] for one in after} == {"p", "t"}
    assert not {one.item for one in before} & {one.item for one in after}
    assert isinstance(says(connection, of, "wim", before[0], "3"), NotAllowed)
    with pytest.raises(Conflict):
        renew(connection, of.handle(before[0].slot), "wim", of)
    made = work(connection, of, "wim", lambda taken: "3")
    assert {one.pair for one in made} >= {one.item for one in before}  # in the end they come


def test_answers_to_tests_are_no_labels_of_pairs(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=2))
    work(connection, of, "wim", lambda taken: "2")
    standings = labels_of(connection, ["p0", "t0", "t1"], "turku")
    assert standings["p0"].label == "2"
    assert [(standings[name].label, standings[name].judgements) for name in ("t0", "t1")] == [(None, 0), (None, 0)]


def test_progress_counts_tests_among_the_rest(connection: Connection, of: Concealing) -> None:
    made = crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=5))
    assert progress(connection, made, "wim").for_me == 25
    assert [one.left for one in batches_for(connection, "wim")] == [20]
    work(connection, of, "wim", lambda taken: "2", 10)
    assert progress(connection, made, "wim").mine == 10
    work(connection, of, "wim", lambda taken: "2")
    assert batches_for(connection, "wim") == []


def test_tests_stay_with_whom_they_were_dealt_to(connection: Connection, of: Concealing) -> None:
    crowd_batch(connection, 12, tests=HiddenTests(pairs=TESTS, every=2))
    work(connection, of, "wim", lambda taken: "2", 4)
    set_free(connection, "wim")
    made = work(connection, of, "zoe", lambda taken: "2")
    assert sorted(one.pair for one in made if one.purpose == "gold") == sorted(TESTS)
    assert all(one.pair.startswith("t") or one.annotator == "zoe" for one in made)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (Rules(tests=HiddenTests(pairs=[])), "needs test pairs"),
        (Rules(tests=HiddenTests(pairs=["t0"], every=1)), "one pair in 2 to 100"),
        (Rules(tests=HiddenTests(pairs=["t0", "t0"])), "twice"),
        (Rules(tests=HiddenTests(pairs=["p1"])), "cannot be asked about as well"),
        (Rules(tests=HiddenTests(pairs=["p9"])), "gold label"),
        (Rules(tests=HiddenTests(pairs=["nowhere"])), "in the project"),
        (Rules(tests=HiddenTests(pairs=["t0"]), assigned=True, people=["wim"]), "is a pool"),
        (Rules(tests=HiddenTests(pairs=["t0"]), second_sees=["4"]), "everybody the same"),
    ],
)
def test_tests_that_cannot_be(connection: Connection, rules: Rules, reason: str) -> None:
    fill(connection, 10)
    with pytest.raises(Refused, match=reason):
        check_crowd(connection, rules, [Wanted("p0"), Wanted("p1")], 1, scheme("turku"))


def test_a_gold_label_of_another_scheme_is_refused(connection: Connection) -> None:
    fill(connection, 2)
    with pytest.raises(Refused, match="does not fit the scheme"):
        check_crowd(connection, Rules(tests=HiddenTests(pairs=["t0"])), [Wanted("p0")], 1, scheme("binary-loose"))


def test_a_batch_without_tests_has_no_key(connection: Connection, of: Concealing, folder: Path) -> None:
    crowd_batch(connection, 4, tests=None)
    take(connection, batch(connection, "crowd"), "wim", 2, of)
    assert not (folder / "secrets" / "tests.key").exists()


def test_a_plain_batch_costs_no_query_more(connection: Connection, of: Concealing) -> None:
    """A take asks for the batch, the place, what is held and what is free, and writes twice; a save takes five."""
    crowd_batch(connection, 10, tests=None)
    take(connection, "crowd", "wim", 1, of)
    asked: list[str] = []
    event.listen(connection, "before_cursor_execute", lambda *told: asked.append(told[2]))
    (one, _) = take(connection, "crowd", "wim", 2, of)
    taking, asked[:] = len(asked), []
    judge(connection, [("wim", Said(key="k", slot=one.slot, value="4"))], scheme, lambda *told: True, of)
    assert (taking, len(asked)) == (6, 5)
