"""Batches, reservations, answers and taking back, on both databases."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select, update

from otherwords.annotate.batches import Rules, Wanted, close, hand_over, make, take_out
from otherwords.annotate.judging import Said, judge
from otherwords.annotate.rewriting import Rewrite
from otherwords.annotate.schemes import scheme
from otherwords.annotate.sight import hidden
from otherwords.annotate.taking import Taken, renew, take
from otherwords.annotate.undoing import undo
from otherwords.errors import Conflict, NotAllowed, NotFound, Refused
from otherwords.project import Project, schema
from otherwords.project.pseudonyms import erase_annotator, set_free
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair

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


def wanted(count: int = 6, maker: str | None = None) -> list[Wanted]:
    return [Wanted(pair.id, maker) for pair in PAIRS[:count]]


def say(connection: Connection, annotator: str, taken: Taken, value: Any, **others: Any) -> Judgement | Refused:
    said = Said(**{"key": f"{annotator}-{taken.slot}", "slot": taken.slot, "value": value, **others})
    return judge(connection, [(annotator, said)], scheme, lambda connection, name, version: version <= 2)[0]


def said(connection: Connection, *args: Any, **others: Any) -> Judgement:
    told = say(connection, *args, **others)
    assert isinstance(told, Judgement), told
    return told


def refused(connection: Connection, *args: Any, **others: Any) -> Refused:
    before = count(connection)
    told = say(connection, *args, **others)
    assert isinstance(told, Refused)
    assert count(connection) == before
    return told


def count(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(schema.judgements)).scalar() or 0


def test_a_single_batch_gives_every_pair_to_one_person(connection: Connection) -> None:
    make(connection, "first", wanted(), scheme="turku")
    taken = {name: take(connection, "first", name, 2) for name in ("anna", "ben", "cleo")}
    assert [[one.item for one in of] for of in taken.values()] == [["p0", "p1"], ["p2", "p3"], ["p4", "p5"]]
    assert take(connection, "first", "dora", 2) == []
    judgement = said(connection, "anna", taken["anna"][0], "4s>", seconds=2.5, guideline="turku@1")
    assert (judgement.value, judgement.pair, judgement.batch, judgement.scheme) == ("4>s", "p0", "first", "turku")
    assert [one.item for one in take(connection, "first", "anna", 2)] == ["p1"]


def test_a_double_batch_gives_a_pair_to_two_people_once_each(connection: Connection) -> None:
    make(connection, "double", wanted(2), scheme="turku", asked=2)
    for name in ("anna", "ben"):
        for taken in take(connection, "double", name, 5):
            said(connection, name, taken, "3")
    assert take(connection, "double", "anna", 5) == take(connection, "double", "cleo", 5) == []
    assert count(connection) == 4


def test_what_was_held_comes_first_and_what_ran_out_goes_to_others(connection: Connection) -> None:
    make(connection, "first", wanted(2), scheme="turku")
    (first,) = take(connection, "first", "anna")
    assert take(connection, "first", "anna")[0].slot == first.slot
    expire(connection, first.slot)
    assert isinstance(refused(connection, "anna", first, "4"), Conflict)
    assert renew(connection, first.slot, "anna").slot == first.slot
    said(connection, "anna", first, "4")
    (second,) = take(connection, "first", "anna")
    expire(connection, second.slot)
    assert [one.slot for one in take(connection, "first", "ben", 9)] == [second.slot]
    assert isinstance(refused(connection, "anna", second, "4"), NotAllowed)
    with pytest.raises(Conflict, match="somebody else"):
        renew(connection, second.slot, "anna")


def expire(connection: Connection, slot: int) -> None:
    connection.execute(update(schema.slots).where(schema.slots.c.seq == slot).values(until=time.time() - 1))


def test_a_pair_before_the_last_one_taken_is_found_when_it_comes_free(connection: Connection) -> None:
    make(connection, "first", wanted(2), scheme="turku")
    (first,), (second,) = take(connection, "first", "anna"), take(connection, "first", "ben")
    expire(connection, first.slot)
    said(connection, "ben", second, "2")
    assert [one.item for one in take(connection, "first", "ben")] == ["p0"]


def test_nobody_judges_their_own_where_the_batch_says_so(connection: Connection) -> None:
    make(connection, "check", [*wanted(2, "anna"), Wanted("p2", "ben")], scheme="turku", rules=Rules(own=False))
    assert [one.item for one in take(connection, "check", "anna", 9)] == ["p2"]
    assert [one.item for one in take(connection, "check", "ben", 9)] == ["p0", "p1"]


def test_assigned_slots_are_dealt_in_turns(connection: Connection) -> None:
    rules = Rules(assigned=True, people=["anna", "ben", "cleo"])
    make(connection, "dealt", wanted(), scheme="turku", asked=2, rules=rules)
    dealt = {name: [one.item for one in take(connection, "dealt", name, 9)] for name in rules.people}
    assert [len(of) for of in dealt.values()] == [4, 4, 4]
    assert sorted(item for of in dealt.values() for item in of) == sorted([pair.id for pair in PAIRS] * 2)
    with pytest.raises(NotAllowed):
        take(connection, "dealt", "dora")


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        ({"name": "../x"}, "needs a name"),
        ({"wanted": []}, "would be empty"),
        ({"asked": 0}, "1 to 100 times"),
        ({"rules": Rules(assigned=True)}, "needs the names"),
        ({"asked": 3, "rules": Rules(people=["anna", "ben"])}, "as many people"),
        ({"asked": 2, "rules": Rules(people=["anna", "ben"], own=False), "wanted": wanted(1, "ben")}, "too few people"),
    ],
)
def test_batches_that_cannot_be(connection: Connection, wishes: dict[str, Any], reason: str) -> None:
    told = {"name": "new", "wanted": wanted(), "scheme": "turku"} | wishes
    with pytest.raises(Refused, match=reason):
        make(connection, told.pop("name"), told.pop("wanted"), **told)


def test_a_name_is_taken_once(connection: Connection) -> None:
    make(connection, "first", wanted(), scheme="turku")
    with pytest.raises(Conflict, match="another name"):
        make(connection, "first", wanted(), scheme="turku")
    with pytest.raises(NotFound):
        take(connection, "second", "anna")


def test_the_same_answer_twice_is_one_judgement(connection: Connection) -> None:
    make(connection, "first", wanted(), scheme="turku")
    (taken,) = take(connection, "first", "anna")
    first = said(connection, "anna", taken, "4is")
    assert said(connection, "anna", taken, "4si") == first
    assert count(connection) == 1
    assert isinstance(refused(connection, "anna", taken, "3"), Conflict)


def test_two_windows_cannot_both_answer(connection: Connection) -> None:
    make(connection, "first", wanted(), scheme="turku")
    (taken,) = take(connection, "first", "anna")
    first = said(connection, "anna", taken, "4")
    assert isinstance(refused(connection, "anna", taken, "3", key="other window"), Conflict)
    second = said(connection, "anna", taken, "3", key="on purpose", supersedes=first.id)
    assert second.supersedes == first.id
    assert isinstance(refused(connection, "anna", taken, "2", key="late", supersedes=first.id), Conflict)


def test_two_answers_to_one_slot_in_one_group(connection: Connection) -> None:
    make(connection, "first", wanted(), scheme="turku")
    (taken,) = take(connection, "first", "anna")
    both = [("anna", Said(key=key, slot=taken.slot, value="4")) for key in ("a", "b")]
    first, second = judge(connection, both, scheme, lambda connection, name, version: True)
    assert isinstance(first, Judgement)
    assert isinstance(second, Conflict)
    assert count(connection) == 1


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ({"value": "5"}, "is not one of"),
        ({"value": "3s"}, "goes with 4"),
        ({"value": None}, "is not one of"),
        ({"value": {"a": 1}}, "is not one of"),
        ({"note": "n" * 4001}, "4,000 characters"),
        ({"seconds": -1.0}, "number of seconds"),
        ({"guideline": "turku@3"}, "no guideline"),
        ({"guideline": "turku"}, "no guideline"),
        ({"context_shown": True}, "not shown"),
        ({"rewrites": [Rewrite("a", "b", "4")]}, "4 is not rewritten"),
        ({"value": "2", "rewrites": [Rewrite("a", "b", "3")]}, "has to be a 4"),
        ({"value": "2", "rewrites": [Rewrite("a", " ", "4")]}, "both texts"),
        ({"value": "2", "rewrites": [Rewrite(PAIRS[0].text1, PAIRS[0].text2, "4")]}, "same as the original"),
    ],
)
def test_answers_that_are_refused(connection: Connection, others: dict[str, Any], reason: str) -> None:
    make(connection, "first", wanted(), scheme="turku", rules=Rules(context=False))
    (taken,) = take(connection, "first", "anna")
    told = {"value": "4"} | others
    assert reason in str(refused(connection, "anna", taken, told.pop("value"), **told))


def test_slots_of_others_and_of_nobody(connection: Connection) -> None:
    make(connection, "first", wanted(), scheme="turku")
    (taken,) = take(connection, "first", "anna")
    assert isinstance(refused(connection, "ben", taken, "4"), NotAllowed)
    assert isinstance(refused(connection, "ben", Taken(10**9, "first", 0, "p0", 0.0), "4"), NotFound)
    close(connection, "first", "closed")
    assert isinstance(refused(connection, "anna", taken, "4"), Conflict)


def test_a_rewrite_is_a_pair_of_its_own(connection: Connection) -> None:
    make(connection, "first", wanted(), scheme="turku")
    (taken,) = take(connection, "first", "anna")
    first = said(connection, "anna", taken, "2", rewrites=[Rewrite("It boiled.", "It was boiling.", "4")])
    (row,) = connection.execute(select(schema.pairs).where(schema.pairs.c.rewrite_of == "p0")).mappings().all()
    assert (row["text1"], row["lang"], row["method"], row["state"]) == ("It boiled.", "en", "rewrite", None)
    own = select(schema.judgements.c.value).where(schema.judgements.c.pair == row["id"])
    assert connection.execute(own).scalar() == "4"
    said(connection, "anna", taken, "3", key="again", supersedes=first.id)
    (row,) = connection.execute(select(schema.pairs).where(schema.pairs.c.rewrite_of == "p0")).mappings().all()
    assert row["state"] == "removed"


def test_taking_back(connection: Connection) -> None:
    make(connection, "first", wanted(1), scheme="turku")
    (taken,) = take(connection, "first", "anna")
    first = said(connection, "anna", taken, "4", note="sure?")
    with pytest.raises(NotFound):
        undo(connection, "ben", first.id, "u")
    back = undo(connection, "anna", first.id, "u")
    assert (back.value, back.supersedes, back.note) == (None, first.id, None)
    assert undo(connection, "anna", first.id, "u") == back
    with pytest.raises(Conflict):
        undo(connection, "anna", first.id, "u2")
    assert [one.slot for one in take(connection, "first", "anna")] == [taken.slot]
    said(connection, "anna", taken, "3", key="anew")
    assert count(connection) == 3


def test_answers_can_be_final(connection: Connection) -> None:
    make(connection, "first", wanted(1), scheme="turku", rules=Rules(undo=False))
    (taken,) = take(connection, "first", "anna")
    first = said(connection, "anna", taken, "4")
    with pytest.raises(NotAllowed, match="final"):
        undo(connection, "anna", first.id, "u")
    assert isinstance(refused(connection, "anna", taken, "3", key="k", supersedes=first.id), NotAllowed)


def test_extracted_pairs_go_to_their_maker(connection: Connection) -> None:
    hand_over(connection, [("p0", "anna"), ("p1", "ben")], "turku")
    hand_over(connection, [("p0", "anna"), ("p2", "anna")], "turku")
    take_out(connection, ["p1"])
    assert [one.item for one in take(connection, "extracted", "anna", 9)] == ["p0", "p2"]
    assert take(connection, "extracted", "ben", 9) == []


def test_what_somebody_who_left_was_to_judge_goes_to_others(connection: Connection) -> None:
    rules = Rules(assigned=True, people=["anna", "ben"])
    make(connection, "dealt", wanted(4), scheme="turku", rules=rules)
    (first, _) = take(connection, "dealt", "anna", 2)
    said(connection, "anna", first, "4")
    set_free(connection, "anna")
    assert sorted(one.item for one in take(connection, "dealt", "ben", 9)) == ["p1", "p2", "p3"]


def test_what_was_for_somebody_who_withdrew_goes_to_others(connection: Connection) -> None:
    rules = Rules(assigned=True, people=["anna", "ben"])
    make(connection, "dealt", wanted(4), scheme="turku", rules=rules)
    take(connection, "dealt", "anna", 1)
    erase_annotator(connection, "anna", "2026", None)
    connection.execute(update(schema.slots).values(until=time.time() - 1))
    assert sorted(one.item for one in take(connection, "dealt", "ben", 9)) == ["p0", "p1", "p2", "p3"]


def test_nothing_is_seen_before_all_is_said(connection: Connection) -> None:
    make(connection, "double", wanted(1), scheme="turku", asked=2)
    both = {name: take(connection, "double", name)[0] for name in ("anna", "ben")}
    assert hidden(connection, "anna", "annotator", ["p0", "p1"]) == {"p0", "p1"}
    said(connection, "anna", both["anna"], "4")
    assert hidden(connection, "anna", "annotator", ["p0"]) == {"p0"}
    assert hidden(connection, "ben", "curator", ["p0"]) == {"p0"}
    assert hidden(connection, "cleo", "curator", ["p0"]) == set()
    close(connection, "double", "closed")  # nothing more will come
    assert hidden(connection, "anna", "annotator", ["p0"]) == set()
    close(connection, "double", "open")
    said(connection, "ben", both["ben"], "4")
    assert hidden(connection, "anna", "annotator", ["p0"]) == set()
    assert hidden(connection, "cleo", "annotator", ["p0"]) == {"p0"}
