"""People who do not use the pages: what a client finds out by asking for what no page asks for, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from otherwords.annotate.batches.batch import BatchItem, BatchRules, Gate, HiddenTests, insert_batch
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.records import Gold, Pair
from tests.annotate.crowd_batch import with_known_key
from tests.annotate.reading import put
from tests.web.crowds import ANSWERED_PAIRS, TESTS, add_crowd
from tests.web.people import Person

PersonNamed = Callable[[str], Person]
API = "/api/v1"
TAKE = f"{API}/batches/harbour/take"
TEXTS = {text1 for text1, _, _ in TESTS}
STRICT = Gate(window=4, fewest_tests=1, fewest_shared=4)


def say(who: Person, task: dict[str, Any], value: Any, **fields: Any) -> Any:
    body = {"key": f"{who.name}-{task['slot']}", "slot": task["slot"], "value": value, **fields}
    return who.post(f"{API}/judgements", json=body)


def wrong(task: dict[str, Any]) -> str:
    return "no" if "not on time" in task["text2"] else "yes"


def test_who_is_paused_is_told_the_same_of_a_test_as_of_any_other_pair(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, every=2, gate=STRICT)
    wim = person("wim")
    tasks = wim.post(f"{TAKE}?count=8").json()
    tests = [task for task in tasks if task["text1"] in TEXTS]
    assert len(tests) == 4
    assert say(wim, tests[0], wrong(tests[0])).json()["test"]["right"] is False  # and with that they are paused
    rest = [task for task in tasks if task is not tests[0]]
    for ask in (lambda task: say(wim, task, "yes"), lambda task: wim.post(f"{API}/slots/{task['slot']}/renew")):
        answers = {(answer.status_code, answer.text) for answer in map(ask, rest)}
        assert len(answers) == 1
        assert answers.pop()[0] in (403, 409)
    with open_project(filled) as project, project.ledger.reading() as connection:
        judgements = schema.judgements
        assert len(connection.execute(select(judgements.c.id).where(judgements.c.annotator == "wim")).all()) == 1


def test_who_goes_on_meets_the_tests_that_they_had_to_leave(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, every=2, gate=STRICT)
    wim = person("wim")
    test = next(task for task in wim.post(f"{TAKE}?count=8").json() if task["text1"] in TEXTS)
    say(wim, test, wrong(test))
    body = {"key": "k", "worker": "wim", "decision": "resumed"}
    assert person("carl").post(f"{API}/crowd/harbour/decisions", json=body).status_code == 201
    seen = {task["text1"] for task in wim.post(f"{TAKE}?count=12").json()}
    assert seen & TEXTS == TEXTS - {test["text1"]}


def test_what_ran_out_is_gone_whether_others_took_it_or_not(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, every=2, asked=1)
    wim, anna = person("wim"), person("anna")
    tasks = wim.post(f"{TAKE}?count=8").json()
    with open_project(filled) as project, project.ledger.writing() as connection:
        connection.execute(update(schema.slots).where(schema.slots.c.holder == "wim").values(until=1.0))
    shared = {task["text1"] for task in anna.post(f"{TAKE}?count=6").json()} & {task["text1"] for task in tasks} - TEXTS
    assert 0 < len(shared) < len(tasks) - 4  # others have some of his pairs, and not all
    asks = (lambda task: say(wim, task, "yes"), lambda task: wim.post(f"{API}/slots/{task['slot']}/renew"))
    for ask in asks:
        assert len({(answer.status_code, answer.text) for answer in map(ask, tasks)}) == 1
    assert len(wim.post(f"{TAKE}?count=8").json()) > 4  # and he goes on


def test_the_number_of_a_slot_says_nothing_since_nothing_answers_to_it(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, every=2)
    for name in ("wim", "anna"):
        tasks = person(name).post(f"{TAKE}?count=6").json()
        assert len(tasks) == 6
        with open_project(filled) as project, project.ledger.reading() as connection:
            slot = schema.slots
            rows = connection.execute(select(slot.c.seq, slot.c.item).where(slot.c.holder == name)).all()
        answers = set()
        for seq, item in rows:
            context = person(name).get(f"{API}/pairs/{item}/context?slot={seq}")
            tokens = person(name).get(f"{API}/slots/{seq}/tokens")
            answers |= {(context.status_code, context.text), (tokens.status_code, tokens.text)}
        nowhere = person(name).get(f"{API}/slots/{2**40}/tokens")
        foreign = person(name).get(f"{API}/pairs/{rows[0].item}/context?slot={2**40}")
        assert answers == {(nowhere.status_code, nowhere.text), (foreign.status_code, foreign.text)}


def test_a_worker_cannot_ask_by_ids_which_pairs_they_hold(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, every=2)
    wim = person("wim")
    wim.post(f"{TAKE}?count=6")
    names = [f"c{number}" for number in range(8)] + [f"g{number}" for number in range(4)]
    answers = {wim.get(f"{API}/pairs/{name}/history").text.replace(name, "") for name in [*names, "nowhere"]}
    assert len(answers) == 1


def test_an_annotator_cannot_tell_the_tests_by_what_is_hidden_from_them(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, every=2)
    anna = person("anna")
    (task,) = anna.post(f"{TAKE}?count=1").json()
    texts = {f"c{number}": text1 for number, (text1, _, _) in enumerate(ANSWERED_PAIRS)}
    texts |= {f"g{number}": text1 for number, (text1, _, _) in enumerate(TESTS)}
    refused = [text for name, text in texts.items() if anna.get(f"{API}/pairs/{name}/context").status_code == 403]
    assert refused == [task["text1"]]


@pytest.mark.parametrize("gate", [None, Gate()])
def test_a_test_can_be_rewritten_as_any_other_pair(person: PersonNamed, filled: Path, gate: Gate | None) -> None:
    with open_project(filled) as project:
        gold = Gold(label="2", explanation="A lamp is no candle.")
        put(project, Pair(id="t0", text1="The lamp went out.", text2="The candle went out.", lang="en", gold=gold))
        with project.ledger.writing() as connection:
            rules = BatchRules(tests=HiddenTests(pairs=["t0"], every=2), gate=gate)
            items = [BatchItem("p0"), BatchItem("p1"), BatchItem("p6")]
            insert_batch(connection, "harbour", items, scheme="turku", asked=2, rules=rules, author="carl")
    with_known_key(filled)
    wim = person("wim")
    statuses = []
    while tasks := wim.post(f"{TAKE}?count=1").json():
        number = len(statuses)
        better = [{"text1": f"Mended {number}.", "text2": f"{number}, mended.", "label": "4"}]
        statuses.append(say(wim, tasks[0], "3", rewrites=better).status_code)
    assert statuses == [201] * 4
    state = person("carl").get(f"{API}/crowd/harbour").json()
    assert [(worker["tests"], worker["answers"]) for worker in state["workers"]] == [(1, 3)]
    assert (state["pairs"], state["judgements"]) == (3, 3)  # rewrites are no votes
