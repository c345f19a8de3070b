"""Hidden tests: one in so many pairs, which look like other pairs until they are answered, on both databases."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, select, update

from otherwords.annotate.batches.batch import BatchItem, BatchRules, HiddenTests, load_batch
from otherwords.annotate.batches.rule_checks import check_crowd_rules
from otherwords.annotate.crowd.slot_handles import FIRST_HANDLE, SlotHandles, is_handle
from otherwords.annotate.labels.pair_labels import labels_of_pairs
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers, undo
from otherwords.annotate.work.open_batches import open_batches_for
from otherwords.annotate.work.reservations import release_reservation, renew_reservation, reserve
from otherwords.annotate.work.tasks import batch_progress, build_tasks, recent_tasks
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.withdrawal.pseudonyms import release_slots
from otherwords.records import Judgement
from tests.annotate.crowd_batch import TESTS, crowd_batch, fill, gold_of, send, work
from tests.errors import raises


def test_handles_are_unpredictable_numbers_that_lead_back(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    first, second = SlotHandles(tmp_path / "one"), SlotHandles(tmp_path / "two")
    slots = [*range(2000), 2**31, 2**52 - 1]
    handles = [first.handle(slot) for slot in slots]
    assert [first.slot(handle) for handle in handles] == slots
    assert len(set(handles)) == len(slots)
    assert all(is_handle(handle) and FIRST_HANDLE <= handle < 2**53 for handle in handles)  # JavaScript keeps these
    assert handles != sorted(handles)
    assert [second.handle(slot) for slot in slots] != handles
    assert (tmp_path / "one" / "secrets" / "tests.key").stat().st_mode & 0o777 == 0o600


def test_each_test_comes_once_among_all_pairs(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 80)
    judgements = work(connection, handles, "wim", lambda taken: gold_of(taken.item) or "3")
    assert sorted(judgement.pair for judgement in judgements if judgement.purpose == "gold") == sorted(TESTS)
    assert sorted(judgement.pair for judgement in judgements if judgement.purpose != "gold") == sorted(
        f"p{n}" for n in range(80)
    )
    taker = connection.execute(select(schema.takers)).one()
    assert (taker.done, taker.tests, taker.right) == (88, 8, 8)


def test_everybody_gets_tests_in_an_order_of_their_own(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 80, asked=2)
    orders = {
        name: [
            judgement.pair
            for judgement in work(connection, handles, name, lambda taken: "3")
            if judgement.purpose == "gold"
        ]
        for name in ("wim", "zoe")
    }
    assert orders["wim"] != orders["zoe"]
    assert set(orders["wim"]) == set(orders["zoe"]) == set(TESTS)


def test_a_task_looks_the_same_if_it_is_a_test(connection: Connection, handles: SlotHandles) -> None:
    crowd = crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=2))
    assert (crowd.rules.undo, crowd.rules.context, crowd.rules.blind) == (False, False, True)
    taken = reserve(connection, crowd, "wim", 10, handles)
    shown = [asdict(task) for task in build_tasks(connection, crowd, taken, handles)]
    assert {held.item[0] for held in taken} == {"p", "t"}
    assert [task["slot"] for task in shown] == sorted(task["slot"] for task in shown)
    assert [task["position"] for task in shown] == list(range(10))
    assert {(task["pair"], task["context"], task["until"], task["judgement"]) for task in shown} == {
        (None, False, taken[0].until, None)
    }
    again = reserve(connection, crowd, "wim", 10, handles)
    assert [held.slot for held in again] == [held.slot for held in taken]


def test_whether_an_answer_was_right_is_known_after_it_is_given(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=2))
    taken = reserve(connection, "crowd", "wim", 10, handles)
    results: dict[str, Any] = {}
    for reservation in taken:
        value = "x" if reservation.item == "t3" else "3"
        judgement = send(connection, handles, "wim", reservation, value)
        assert isinstance(judgement, Judgement)
        assert send(connection, handles, "wim", reservation, value) == judgement  # sent again, it is the same answer
        assert judgement.meta["slot"] == reservation.slot
        results[reservation.item] = judgement.meta.get("test")
    assert {name for name, test in results.items() if test} == {item for item in results if item.startswith("t")}
    for name, test in results.items():
        if test:
            number = int(name[1:])
            right = bool(number % 2) and name != "t3"  # a 3 is as much a paraphrase as a 4; a skip is never right
            label = "4" if number % 2 else "1"
            assert test == {"right": right, "label": label, "explanation": f"Look at the {number} coins."}


def test_an_answered_test_is_final_and_never_comes_again(connection: Connection, handles: SlotHandles) -> None:
    crowd = crowd_batch(connection, 30, tests=HiddenTests(pairs=TESTS[:2], every=2))
    first = work(connection, handles, "wim", lambda taken: "3", 16)
    tests = [judgement for judgement in first if judgement.purpose == "gold"]
    assert len(tests) == 2
    with raises("answers-final"):
        undo(connection, "wim", tests[0].id, "u")
    with raises("answers-final"):
        undo(connection, "wim", first[0].id, "u")
    shown = recent_tasks(connection, crowd, "wim", 50, handles)
    assert not {task.text1 for task in shown} & {"The lamp cost 0 coins."}
    assert len(shown) == 14
    assert all(is_handle(task.slot) and task.pair is None for task in shown)
    rest = work(connection, handles, "wim", lambda taken: "3")
    assert [judgement.pair for judgement in rest if judgement.purpose == "gold"] == []


def test_slots_cannot_be_asked_for_by_number(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 10)
    (taken,) = reserve(connection, "crowd", "wim", 1, handles)
    by_number = AnswerBody(key="n", slot=taken.slot, value="4")
    for known in (handles, None):
        (result,) = save_answers(connection, [("wim", by_number)], load_scheme, lambda *_: True, known)
        assert isinstance(result, Refused)
        assert result.code == "no-such-reservation"
    with raises("no-such-reservation"):
        renew_reservation(connection, taken.slot, "wim", handles)
    renewed = renew_reservation(connection, handles.handle(taken.slot), "wim", handles)
    assert (renewed.slot, renewed.position, renewed.item) == (handles.handle(taken.slot), 0, "")
    with raises("not-returnable"):
        release_reservation(connection, handles.handle(taken.slot), "wim", handles)
    release_reservation(connection, taken.slot, "wim", handles)
    assert [reservation.slot for reservation in reserve(connection, "crowd", "wim", 1, handles)] == [taken.slot]
    with raises("site-only"):
        reserve(connection, "crowd", "wim", 1)


def test_a_handle_in_a_batch_without_tests_is_nothing(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 10, tests=None)
    (taken,) = reserve(connection, "crowd", "wim", 1, handles)
    by_handle = AnswerBody(key="n", slot=handles.handle(taken.slot), value="4")
    (result,) = save_answers(connection, [("wim", by_handle)], load_scheme, lambda *_: True, handles)
    assert isinstance(result, Refused)
    assert result.code == "no-such-reservation"
    with raises("no-such-reservation"):
        renew_reservation(connection, handles.handle(taken.slot), "wim", handles)


def test_expired_tasks_are_released_whether_test_or_not(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=2))
    before = reserve(connection, "crowd", "wim", 6, handles)
    connection.execute(update(schema.slots).values(until=time.time() - 1))
    after = reserve(connection, "crowd", "wim", 6, handles)
    assert {held.item[0] for held in before} == {held.item[0] for held in after} == {"p", "t"}
    assert not {held.item for held in before} & {held.item for held in after}
    result = send(connection, handles, "wim", before[0], "3")
    assert isinstance(result, Refused)
    assert result.code == "not-reserved"
    with raises("reservation-lost"):
        renew_reservation(connection, handles.handle(before[0].slot), "wim", handles)
    judgements = work(connection, handles, "wim", lambda taken: "3")
    assert {judgement.pair for judgement in judgements} >= {held.item for held in before}  # in the end they come


def test_answers_to_tests_are_no_labels_of_pairs(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=2))
    work(connection, handles, "wim", lambda taken: "2")
    standings = labels_of_pairs(connection, ["p0", "t0", "t1"], "turku")
    assert standings["p0"].label == "2"
    assert [(standings[name].label, standings[name].judgements) for name in ("t0", "t1")] == [(None, 0), (None, 0)]


def test_progress_counts_tests_among_the_rest(connection: Connection, handles: SlotHandles) -> None:
    crowd = crowd_batch(connection, 20, tests=HiddenTests(pairs=TESTS, every=5))
    assert batch_progress(connection, crowd, "wim").for_me == 25
    assert [waiting.left for waiting in open_batches_for(connection, "wim")] == [20]
    work(connection, handles, "wim", lambda taken: "2", 10)
    assert batch_progress(connection, crowd, "wim").mine == 10
    work(connection, handles, "wim", lambda taken: "2")
    assert open_batches_for(connection, "wim") == []


def test_tests_stay_with_the_person_who_got_them(connection: Connection, handles: SlotHandles) -> None:
    crowd_batch(connection, 12, tests=HiddenTests(pairs=TESTS, every=2))
    work(connection, handles, "wim", lambda taken: "2", 4)
    release_slots(connection, "wim")
    judgements = work(connection, handles, "zoe", lambda taken: "2")
    assert sorted(judgement.pair for judgement in judgements if judgement.purpose == "gold") == sorted(TESTS)
    assert all(judgement.pair.startswith("t") or judgement.annotator == "zoe" for judgement in judgements)


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        (BatchRules(tests=HiddenTests(pairs=[])), "no-test-pairs"),
        (BatchRules(tests=HiddenTests(pairs=["t0"], every=1)), "bad-test-rate"),
        (BatchRules(tests=HiddenTests(pairs=["t0", "t0"])), "duplicate-test-pair"),
        (BatchRules(tests=HiddenTests(pairs=["p1"])), "test-pair-in-batch"),
        (BatchRules(tests=HiddenTests(pairs=["p9"])), "no-gold-label"),
        (BatchRules(tests=HiddenTests(pairs=["nowhere"])), "no-gold-label"),
        (BatchRules(tests=HiddenTests(pairs=["t0"]), assigned=True, people=["wim"]), "assigned-slots"),
        (BatchRules(tests=HiddenTests(pairs=["t0"]), second_sees=["4"]), "second-annotator-with-tests"),
    ],
)
def test_impossible_tests_are_refused(connection: Connection, rules: BatchRules, code: str) -> None:
    fill(connection, 10)
    with raises(code):
        check_crowd_rules(connection, rules, [BatchItem("p0"), BatchItem("p1")], 1, load_scheme("turku"))


def test_a_gold_label_of_another_scheme_is_refused(connection: Connection) -> None:
    fill(connection, 2)
    rules = BatchRules(tests=HiddenTests(pairs=["t0"]))
    with raises("bad-gold-label", match="t0"):
        check_crowd_rules(connection, rules, [BatchItem("p0")], 1, load_scheme("binary-loose"))


def test_a_batch_without_tests_has_no_key(connection: Connection, folder: Path) -> None:
    crowd_batch(connection, 4, tests=None)
    reserve(connection, load_batch(connection, "crowd"), "wim", 2, SlotHandles(folder))
    assert not (folder / "secrets" / "tests.key").exists()


def test_a_plain_batch_costs_no_query_more(connection: Connection, handles: SlotHandles) -> None:
    """A take asks for the batch, the place, what is held and what is free, and writes twice; a save takes five."""
    crowd_batch(connection, 10, tests=None)
    reserve(connection, "crowd", "wim", 1, handles)
    queries: list[str] = []
    event.listen(connection, "before_cursor_execute", lambda *arguments: queries.append(arguments[2]))
    (reservation, _) = reserve(connection, "crowd", "wim", 2, handles)
    taking, queries[:] = len(queries), []
    save_answers(
        connection,
        [("wim", AnswerBody(key="k", slot=reservation.slot, value="4"))],
        load_scheme,
        lambda *arguments: True,
        handles,
    )
    assert (taking, len(queries)) == (6, 5)
