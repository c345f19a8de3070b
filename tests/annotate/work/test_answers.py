"""Batches, reservations, answers and undoing them, on both databases."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select, update

from otherwords.annotate.batches.batch import (
    BatchItem,
    BatchRules,
    assign_to_extractors,
    insert_batch,
    remove_unanswered,
    set_state,
)
from otherwords.annotate.crowd.gate_watch import set_worker_state
from otherwords.annotate.discussion.threads import load_thread, mentions_waiting
from otherwords.annotate.rewrites import Rewrite
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.visibility import hidden_items
from otherwords.annotate.work.answers import AnswerBody, save_answers, undo
from otherwords.annotate.work.reservations import Reservation, release_reservation, renew_reservation, reserve
from otherwords.errors import LabelError, Refused
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.withdrawal.pseudonyms import erase_annotator, release_slots
from otherwords.records import Judgement, Pair
from tests.errors import raises

PAIRS = [
    Pair(
        id=f"p{number}",
        text1=f"The kettle boiled {number} times.",
        text2=f"{number} times the water boiled.",
        lang="en",
    )
    for number in range(6)
]


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        rows = [row_of(pair, import_id=None, step=None, step_key=None, state=None) for pair in PAIRS]
        connection.execute(insert(schema.pairs), rows)
        yield connection


def items(count: int = 6, maker: str | None = None) -> list[BatchItem]:
    return [BatchItem(pair.id, maker) for pair in PAIRS[:count]]


def send(connection: Connection, annotator: str, taken: Reservation, value: Any, **others: Any) -> Judgement | Refused:
    body = AnswerBody(**{"key": f"{annotator}-{taken.slot}", "slot": taken.slot, "value": value, **others})
    return save_answers(connection, [(annotator, body)], load_scheme, lambda connection, name, version: version <= 2)[0]


def save(connection: Connection, *args: Any, **others: Any) -> Judgement:
    result = send(connection, *args, **others)
    assert isinstance(result, Judgement), result
    return result


def refusal(connection: Connection, *args: Any, **others: Any) -> str:
    """The code of the refusal of an answer, which leaves nothing in the ledger."""
    before = count(connection)
    result = send(connection, *args, **others)
    assert isinstance(result, Refused)
    assert count(connection) == before
    return result.code


def count(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(schema.judgements)).scalar() or 0


def test_a_single_batch_gives_every_pair_to_one_person(connection: Connection) -> None:
    insert_batch(connection, "first", items(), scheme="turku")
    taken = {name: reserve(connection, "first", name, 2) for name in ("anna", "ben", "cleo")}
    assert [[held.item for held in reservations] for reservations in taken.values()] == [
        ["p0", "p1"],
        ["p2", "p3"],
        ["p4", "p5"],
    ]
    assert reserve(connection, "first", "dora", 2) == []
    judgement = save(connection, "anna", taken["anna"][0], "4s>", seconds=2.5, guideline="turku@1")
    assert (judgement.value, judgement.pair, judgement.batch, judgement.scheme) == ("4>s", "p0", "first", "turku")
    assert [held.item for held in reserve(connection, "first", "anna", 2)] == ["p1"]


def test_a_double_batch_gives_a_pair_to_two_people_once_each(connection: Connection) -> None:
    insert_batch(connection, "double", items(2), scheme="turku", asked=2)
    for name in ("anna", "ben"):
        for taken in reserve(connection, "double", name, 5):
            save(connection, name, taken, "3")
    assert reserve(connection, "double", "anna", 5) == reserve(connection, "double", "cleo", 5) == []
    assert count(connection) == 4


def test_held_units_come_first_and_expired_ones_go_to_others(connection: Connection) -> None:
    insert_batch(connection, "first", items(2), scheme="turku")
    (first,) = reserve(connection, "first", "anna")
    assert reserve(connection, "first", "anna")[0].slot == first.slot
    expire(connection, first.slot)
    assert refusal(connection, "anna", first, "4") == "reservation-expired"
    assert renew_reservation(connection, first.slot, "anna").slot == first.slot
    save(connection, "anna", first, "4")
    (second,) = reserve(connection, "first", "anna")
    expire(connection, second.slot)
    assert [held.slot for held in reserve(connection, "first", "ben", 9)] == [second.slot]
    assert refusal(connection, "anna", second, "4") == "not-reserved"
    with raises("reservation-lost"):
        renew_reservation(connection, second.slot, "anna")


def expire(connection: Connection, slot: int) -> None:
    connection.execute(update(schema.slots).where(schema.slots.c.seq == slot).values(until=time.time() - 1))


def test_a_pair_before_the_last_one_reserved_is_found_when_it_becomes_free(connection: Connection) -> None:
    insert_batch(connection, "first", items(2), scheme="turku")
    (first,), (second,) = reserve(connection, "first", "anna"), reserve(connection, "first", "ben")
    expire(connection, first.slot)
    save(connection, "ben", second, "2")
    assert [held.item for held in reserve(connection, "first", "ben")] == ["p0"]


def test_nobody_judges_their_own_pairs_if_the_batch_says_so(connection: Connection) -> None:
    insert_batch(
        connection, "check", [*items(2, "anna"), BatchItem("p2", "ben")], scheme="turku", rules=BatchRules(own=False)
    )
    assert [held.item for held in reserve(connection, "check", "anna", 9)] == ["p2"]
    assert [held.item for held in reserve(connection, "check", "ben", 9)] == ["p0", "p1"]


def test_slots_are_assigned_in_turns(connection: Connection) -> None:
    rules = BatchRules(assigned=True, people=["anna", "ben", "cleo"])
    insert_batch(connection, "dealt", items(), scheme="turku", asked=2, rules=rules)
    dealt = {name: [held.item for held in reserve(connection, "dealt", name, 9)] for name in rules.people}
    assert [len(reservations) for reservations in dealt.values()] == [4, 4, 4]
    assert sorted(item for reservations in dealt.values() for item in reservations) == sorted(
        [pair.id for pair in PAIRS] * 2
    )
    with raises("not-your-batch"):
        reserve(connection, "dealt", "dora")


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"name": "../x"}, "bad-name"),
        ({"items": []}, "empty-batch"),
        ({"asked": 0}, "bad-judgement-count"),
        ({"asked": 101}, "bad-judgement-count"),
        ({"rules": BatchRules(assigned=True)}, "no-people"),
        ({"rules": BatchRules(assigned=True, people=["anna"], again=False)}, "assigned-slots"),
        ({"asked": 3, "rules": BatchRules(people=["anna", "ben"])}, "too-few-people"),
        (
            {"asked": 2, "rules": BatchRules(people=["anna", "ben"], own=False), "items": items(1, "ben")},
            "too-few-people",
        ),
    ],
)
def test_impossible_batches_are_refused(connection: Connection, settings: dict[str, Any], code: str) -> None:
    arguments = {"name": "new", "items": items(), "scheme": "turku"} | settings
    with raises(code):
        insert_batch(connection, arguments.pop("name"), arguments.pop("items"), **arguments)


def test_a_name_is_taken_once(connection: Connection) -> None:
    insert_batch(connection, "first", items(), scheme="turku")
    with raises("duplicate-batch", match="'first'"):
        insert_batch(connection, "first", items(), scheme="turku")
    with raises("no-such-batch", match="'second'"):
        reserve(connection, "second", "anna")


def test_the_same_answer_twice_is_one_judgement(connection: Connection) -> None:
    insert_batch(connection, "first", items(), scheme="turku")
    (taken,) = reserve(connection, "first", "anna")
    first = save(connection, "anna", taken, "4is")
    assert save(connection, "anna", taken, "4si") == first
    assert count(connection) == 1
    assert refusal(connection, "anna", taken, "3") == "key-reused"


def test_two_windows_cannot_both_answer(connection: Connection) -> None:
    insert_batch(connection, "first", items(), scheme="turku")
    (taken,) = reserve(connection, "first", "anna")
    first = save(connection, "anna", taken, "4")
    assert refusal(connection, "anna", taken, "3", key="other window") == "judged-meanwhile"
    second = save(connection, "anna", taken, "3", key="on purpose", supersedes=first.id)
    assert second.supersedes == first.id
    assert refusal(connection, "anna", taken, "2", key="late", supersedes=first.id) == "judged-meanwhile"


def test_two_answers_to_one_slot_in_one_group(connection: Connection) -> None:
    insert_batch(connection, "first", items(), scheme="turku")
    (taken,) = reserve(connection, "first", "anna")
    bodies = [("anna", AnswerBody(key=key, slot=taken.slot, value="4")) for key in ("a", "b")]
    first, second = save_answers(connection, bodies, load_scheme, lambda connection, name, version: True)
    assert isinstance(first, Judgement)
    assert isinstance(second, Refused)
    assert second.code == "judged-meanwhile"
    assert count(connection) == 1


@pytest.mark.parametrize(
    ("others", "code"),
    [
        ({"note": "n" * 4001}, "note-too-long"),
        ({"seconds": -1.0}, "bad-seconds"),
        ({"guideline": "turku@3"}, "no-such-guideline"),
        ({"guideline": "turku"}, "no-such-guideline"),
        ({"guideline": "other@1"}, "no-such-guideline"),
        ({"context_shown": True}, "context-hidden"),
        ({"rewrites": [Rewrite("a", "b", "4")]}, "not-rewritable"),
        ({"value": "2", "rewrites": [Rewrite("a", "b", "4")] * 6}, "too-many-rewrites"),
        ({"value": "2", "rewrites": [Rewrite("a" * 20_001, "b", "4")]}, "text-too-long"),
        ({"value": "2", "rewrites": [Rewrite("a", "b", "3")]}, "bad-rewrite-label"),
        ({"value": "2", "rewrites": [Rewrite("a", " ", "4")]}, "empty-text"),
        ({"value": "2", "rewrites": [Rewrite(PAIRS[0].text1, PAIRS[0].text2, "4")]}, "unchanged-rewrite"),
    ],
)
def test_answers_that_are_refused(connection: Connection, others: dict[str, Any], code: str) -> None:
    insert_batch(connection, "first", items(), scheme="turku", rules=BatchRules(context=False))
    (taken,) = reserve(connection, "first", "anna")
    fields = {"value": "4"} | others
    assert refusal(connection, "anna", taken, fields.pop("value"), **fields) == code


@pytest.mark.parametrize("value", ["5", "3s", None, {"a": 1}])
def test_answers_outside_the_scheme_are_refused(connection: Connection, value: Any) -> None:
    with pytest.raises(LabelError) as caught:
        load_scheme("turku").normalise(value)
    insert_batch(connection, "first", items(), scheme="turku")
    (taken,) = reserve(connection, "first", "anna")
    result = send(connection, "anna", taken, value)
    assert isinstance(result, Refused)
    assert (str(result), result.code) == (str(caught.value), caught.value.code)
    assert count(connection) == 0


def test_slots_of_others_and_of_nobody(connection: Connection) -> None:
    insert_batch(connection, "first", items(), scheme="turku")
    (taken,) = reserve(connection, "first", "anna")
    assert refusal(connection, "ben", taken, "4") == "not-reserved"
    nowhere = Reservation(10**9, "first", 0, "p0", 0.0)
    assert refusal(connection, "ben", nowhere, "4") == "no-such-reservation"
    set_state(connection, "first", "closed")
    assert refusal(connection, "anna", taken, "4") == "batch-closed"


def test_a_rewrite_is_a_pair_of_its_own(connection: Connection) -> None:
    insert_batch(connection, "first", items(), scheme="turku")
    (taken,) = reserve(connection, "first", "anna")
    first = save(connection, "anna", taken, "2", rewrites=[Rewrite("It boiled.", "It was boiling.", "4")])
    (row,) = connection.execute(select(schema.pairs).where(schema.pairs.c.rewrite_of == "p0")).mappings().all()
    assert (row["text1"], row["lang"], row["method"], row["state"]) == ("It boiled.", "en", "rewrite", None)
    own = select(schema.judgements.c.value).where(schema.judgements.c.pair == row["id"])
    assert connection.execute(own).scalar() == "4"
    save(connection, "anna", taken, "3", key="again", supersedes=first.id)
    (row,) = connection.execute(select(schema.pairs).where(schema.pairs.c.rewrite_of == "p0")).mappings().all()
    assert row["state"] == "removed"


def test_a_note_that_calls_somebody_is_a_remark_that_they_see_when_they_have_judged_the_pair(
    connection: Connection,
) -> None:
    for name, role in (("anna", "annotator"), ("ben", "annotator"), ("wim", "worker")):
        account = {"name": name, "role": role, "state": "active", "settings": {}, "created": "2024"}
        connection.execute(insert(schema.accounts).values(**account))
    insert_batch(connection, "double", items(1), scheme="turku", asked=3)
    taken = {name: reserve(connection, "double", name)[0] for name in ("anna", "ben", "wim")}
    first = save(connection, "anna", taken["anna"], "4", unsure=True, note="A 4 or a 3, @Ben?")
    again = {"key": "again", "supersedes": first.id, "note": "A 4 or a 3, @Ben?"}
    save(connection, "anna", taken["anna"], "3", **again)
    save(connection, "wim", taken["wim"], "3", note="@ben, too")
    remarks = load_thread(connection, "pair", "p0").remarks
    assert [(remark.author, remark.text, remark.mentions) for remark in remarks] == [
        ("anna", "A 4 or a 3, @Ben?", ("ben",))
    ]

    def waiting() -> int:
        return mentions_waiting(connection, "ben", lambda names: hidden_items(connection, "ben", "annotator", names))

    assert waiting() == 0
    judged = save(connection, "ben", taken["ben"], "2", note="He is called ben@example.org and @nobody.")
    assert waiting() == 1
    assert len(load_thread(connection, "pair", "p0").remarks) == 1
    save(connection, "ben", taken["ben"], "2", key="more", supersedes=judged.id, note="@anna \u0007")
    assert len(load_thread(connection, "pair", "p0").remarks) == 1, "what no remark may have stays in the note"


def test_undo(connection: Connection) -> None:
    insert_batch(connection, "first", items(1), scheme="turku")
    (taken,) = reserve(connection, "first", "anna")
    first = save(connection, "anna", taken, "4", note="sure?")
    with raises("no-such-judgement"):
        undo(connection, "ben", first.id, "u")
    back = undo(connection, "anna", first.id, "u")
    assert (back.value, back.supersedes, back.note) == (None, first.id, None)
    assert undo(connection, "anna", first.id, "u") == back
    with raises("judgement-changed"):
        undo(connection, "anna", first.id, "u2")
    assert [held.slot for held in reserve(connection, "first", "anna")] == [taken.slot]
    save(connection, "anna", taken, "3", key="anew")
    assert count(connection) == 3


def test_answers_can_be_final(connection: Connection) -> None:
    insert_batch(connection, "first", items(1), scheme="turku", rules=BatchRules(undo=False))
    (taken,) = reserve(connection, "first", "anna")
    first = save(connection, "anna", taken, "4")
    with raises("answers-final"):
        undo(connection, "anna", first.id, "u")
    assert refusal(connection, "anna", taken, "3", key="k", supersedes=first.id) == "answers-final"


def test_extracted_pairs_go_to_their_maker(connection: Connection) -> None:
    assign_to_extractors(connection, [("p0", "anna"), ("p1", "ben")], "turku")
    assign_to_extractors(connection, [("p0", "anna"), ("p2", "anna")], "turku")
    remove_unanswered(connection, ["p1"])
    assert [held.item for held in reserve(connection, "extracted", "anna", 9)] == ["p0", "p2"]
    assert reserve(connection, "extracted", "ben", 9) == []


def test_slots_of_somebody_who_left_go_to_others(connection: Connection) -> None:
    rules = BatchRules(assigned=True, people=["anna", "ben"])
    insert_batch(connection, "dealt", items(4), scheme="turku", rules=rules)
    (first, _) = reserve(connection, "dealt", "anna", 2)
    save(connection, "anna", first, "4")
    release_slots(connection, "anna")
    assert sorted(held.item for held in reserve(connection, "dealt", "ben", 9)) == ["p1", "p2", "p3"]


def test_slots_of_somebody_who_withdrew_go_to_others(connection: Connection) -> None:
    rules = BatchRules(assigned=True, people=["anna", "ben"])
    insert_batch(connection, "dealt", items(4), scheme="turku", rules=rules)
    reserve(connection, "dealt", "anna", 1)
    erase_annotator(connection, "anna", "2026", None)
    connection.execute(update(schema.slots).values(until=time.time() - 1))
    assert sorted(held.item for held in reserve(connection, "dealt", "ben", 9)) == ["p0", "p1", "p2", "p3"]


def test_judgements_are_hidden_until_all_are_in(connection: Connection) -> None:
    insert_batch(connection, "double", items(1), scheme="turku", asked=2)
    reservations = {name: reserve(connection, "double", name)[0] for name in ("anna", "ben")}
    assert hidden_items(connection, "anna", "annotator", ["p0", "p1"]) == {"p0", "p1"}
    save(connection, "anna", reservations["anna"], "4")
    assert hidden_items(connection, "anna", "annotator", ["p0"]) == {"p0"}
    assert hidden_items(connection, "ben", "curator", ["p0"]) == {"p0"}
    assert hidden_items(connection, "cleo", "curator", ["p0"]) == set()
    set_state(connection, "double", "closed")  # nothing more will come
    assert hidden_items(connection, "anna", "annotator", ["p0"]) == set()
    set_state(connection, "double", "open")
    save(connection, "ben", reservations["ben"], "4")
    assert hidden_items(connection, "anna", "annotator", ["p0"]) == set()
    assert hidden_items(connection, "cleo", "annotator", ["p0"]) == {"p0"}


def seen_by_curator(connection: Connection, name: str = "cleo") -> bool:
    return hidden_items(connection, name, "curator", ["p0"]) == set()


def test_who_gave_a_pair_back_does_not_see_what_others_said_of_it(connection: Connection) -> None:
    insert_batch(connection, "double", items(1), scheme="turku", asked=2)
    held = reserve(connection, "double", "cleo")[0]
    save(connection, "anna", reserve(connection, "double", "anna")[0], "4")
    release_reservation(connection, held.slot, "cleo")
    assert not seen_by_curator(connection)
    assert seen_by_curator(connection, "carl")
    set_state(connection, "double", "closed")
    assert seen_by_curator(connection)
    set_state(connection, "double", "open")
    assert not seen_by_curator(connection)
    save(connection, "cleo", reserve(connection, "double", "cleo")[0], "3")
    assert seen_by_curator(connection)


def test_who_let_a_pair_run_out_does_not_see_what_others_said_of_it(connection: Connection) -> None:
    insert_batch(connection, "double", items(1), scheme="turku", asked=2)
    reserve(connection, "double", "cleo")
    connection.execute(update(schema.slots).values(until=time.time() - 1))
    save(connection, "anna", reserve(connection, "double", "anna")[0], "4")
    ben = reserve(connection, "double", "ben")[0]
    assert not seen_by_curator(connection)
    save(connection, "ben", ben, "4")  # nothing is left that cleo could get
    assert seen_by_curator(connection)


def test_who_was_paused_does_not_see_what_others_said(connection: Connection) -> None:
    insert_batch(connection, "double", items(2), scheme="turku", asked=2)
    reserve(connection, "double", "cleo")
    set_worker_state(connection, "double", "cleo", "paused")
    assert not seen_by_curator(connection)
    erase_annotator(connection, "cleo", "2026", None)
    assert connection.execute(select(schema.past_holders)).all() == []
