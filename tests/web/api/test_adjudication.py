"""Adjudication over the API and its pages: who sees what, deciding, two at once, bad input."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.people import Person

PersonNamed = Callable[[str], Person]
API = "/api/v1"
DOUBLE = f"{API}/batches/double/disagreements"


def judge(person: Person, values: dict[str, Any], batch: str = "double", **fields: Any) -> None:
    for task in person.post(f"{API}/batches/{batch}/take?count=8").json():
        if task["pair"] in values:
            body = {"key": f"{batch}-{task['slot']}", "slot": task["slot"], "value": values[task["pair"]], **fields}
            assert person.post(f"{API}/judgements", json=body).status_code == 201


def disputed(person: PersonNamed) -> list[dict[str, Any]]:
    """Anna and Ben disagree about both pairs of the double batch."""
    judge(person("anna"), {"p0": "4>", "p1": "2"})
    judge(person("ben"), {"p0": "4", "p1": "4"}, note="so it is")
    queue: list[dict[str, Any]] = person("carl").get(DOUBLE).json()["cases"]
    return queue


def decision(case: dict[str, Any], value: Any, key: str = "k", **fields: Any) -> dict[str, Any]:
    return {
        "key": key,
        "batch": "double",
        "value": value,
        "made_from": [opinion["id"] for opinion in case["opinions"]],
        **fields,
    }


def test_the_worst_first_and_nobody_by_name(person: PersonNamed) -> None:
    cases = disputed(person)
    assert [(case["pair"], case["severity"]) for case in cases] == [("p1", 0.6667), ("p0", 0.0417)]
    assert "anna" not in person("carl").get(DOUBLE).text
    named = person("carl").get(f"{DOUBLE}?named=1").json()
    assert {opinion["annotator"] for opinion in named["cases"][0]["opinions"]} == {"anna", "ben"}
    counts = {"pairs": 2, "complete": 2, "agreed": 0, "disagreeing": 2, "decided": 0, "waiting": 2, "unsure": 0}
    assert named["settled"] == counts
    assert person("anna").get(f"{DOUBLE}?named=1").status_code == 403
    assert person("anna").get(DOUBLE).status_code == 200


def test_before_all_are_in_there_is_nothing_to_see(person: PersonNamed) -> None:
    judge(person("anna"), {"p0": "4", "p1": "4"})
    assert person("carl").get(DOUBLE).json()["cases"] == []
    assert person("ben").get(DOUBLE).status_code == 403
    judge(person("ben"), {"p0": "1"})
    queue = person("anna").get(DOUBLE).json()
    assert [case["pair"] for case in queue["cases"]] == ["p0"]
    assert person("wim").get(DOUBLE).status_code == 403


def test_deciding_changing_and_taking_back(person: PersonNamed) -> None:
    case, carl = disputed(person)[0], person("carl")
    adopted = next(opinion for opinion in case["opinions"] if opinion["value"] == "4")
    path = f"{API}/pairs/{case['pair']}/consensus"
    first = carl.post(path, json=decision(case, "4", adopted=adopted["id"], note="yes", seconds=3.5))
    assert (first.status_code, first.json()["value"], first.json()["adopted"]) == (201, "4", adopted["id"])
    again = carl.post(path, json=decision(case, "4", adopted=adopted["id"], note="yes", seconds=3.5))
    assert again.json() == first.json()
    late = person("ada").post(path, json=decision(case, "3"))
    assert late.status_code == 409
    assert "somebody else has decided" in late.json()["error"]
    second = person("ada").post(path, json=decision(case, "3", supersedes=first.json()["id"]))
    assert second.status_code == 201
    assert not re.search(r"\bada\b", carl.get(f"{DOUBLE}?show=decided").text)  # ids may have "ada" in them
    (decided,) = carl.get(f"{DOUBLE}?show=decided&named=1").json()["cases"]
    assert (decided["decision"]["value"], decided["decision"]["annotator"]) == ("3", "ada")
    back = carl.post(path, json=decision(case, None, "undo", supersedes=second.json()["id"]))
    assert (back.status_code, back.json()["value"]) == (201, None)
    assert len(carl.get(DOUBLE).json()["cases"]) == 2
    history = carl.get(f"{API}/pairs/{case['pair']}/history").json()["judgements"]
    assert [judgement["value"] for judgement in history if judgement["kind"] == "consensus"] == ["4", "3", None]


DEEP: Any = []
for _ in range(50):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"value": "5"}, 422),
        ({"value": 7.5}, 422),
        ({"value": {"a": "\0"}}, 422),
        ({"value": "\ud800"}, 422),
        ({"value": DEEP}, 422),
        ({"value": 2**70}, 422),
        ({"value": None}, 422),
        ({"note": "\0"}, 422),
        ({"key": ""}, 422),
        ({"seconds": -1}, 422),
        ({"seconds": 1e300}, 422),
        ({"made_from": ["x"] * 101}, 422),
        ({"made_from": "p0"}, 422),
        ({"made_from": ["x"]}, 409),
        ({"supersedes": "x"}, 409),
        ({"adopted": "x"}, 422),
        ({"batch": "none"}, 404),
        ({"batch": "first"}, 409),
        ({"kind": "individual"}, 422),
    ],
)
def test_bad_input(person: PersonNamed, change: dict[str, Any], status: int) -> None:
    case = disputed(person)[0]
    body = json.dumps(decision(case, "3") | change).encode()
    headers = {"content-type": "application/json"}
    answer = person("carl").post(f"{API}/pairs/{case['pair']}/consensus", content=body, headers=headers)
    assert answer.status_code == status, answer.text
    assert person("carl").get(DOUBLE).json()["settled"]["decided"] == 0


def test_a_pair_that_is_not_there(person: PersonNamed) -> None:
    case = disputed(person)[0]
    assert person("carl").post(f"{API}/pairs/none/consensus", json=decision(case, "3")).status_code == 404
    assert person("carl").get(f"{API}/batches/none/disagreements").status_code == 404
    assert person("carl").get(f"{DOUBLE}?show=everything").status_code == 422


def test_the_pages_and_their_twins(person: PersonNamed) -> None:
    carl = person("carl")
    disputed(person)
    page = carl.get("/adjudicate").text
    assert 'href="/adjudicate/double"' in page
    assert "/adjudicate/first" not in page, "it asks for one judgement of each pair"
    (row,) = carl.get("/adjudicate.json").json()
    assert (row["batch"], row["settled"]["waiting"]) == ("double", 2)
    lines = carl.get("/adjudicate.csv").text.splitlines()
    assert lines == ["batch,pairs,complete,agreed,disagreeing,decided,waiting,unsure", "double,2,2,0,2,0,2,0"]
    assert person("ben").get("/adjudicate.json").json() == [row]
    for name, named in (("carl", True), ("anna", False)):
        shown = person(name).get("/adjudicate/double?named=1").text
        assert ('"ben"' in shown) is named
    assert person("wim").get("/adjudicate").status_code == 403


def test_a_batch_tells_what_came_of_it(person: PersonNamed) -> None:
    disputed(person)
    page = person("carl").get("/batches/double").text
    assert "How far people agree" in page
    assert 'href="/adjudicate/double"' in page
    rules = {"second_sees": ["4"], "keep": {"label": ["4", "3"]}, "agree_on": ["label"]}
    answer = person("carl").post(f"{API}/batches", json={"key": "k", "name": "ruled", "times": 2, **rules})
    assert answer.status_code == 201, answer.text
    reply = answer.json()["rules"]
    assert reply["second_sees"] == ["4"]
    assert reply["keep"] == {"all_say": {"label": ["4", "3"]}, "agree_on": ["label"]}
    shown = person("carl").get("/batches/ruled").text
    assert "Which pairs are kept" in shown
    assert "the second annotator sees only what the first called 4" in shown
    wrong = {"key": "l", "name": "wrong", "times": 2, "second_sees": ["5"]}
    assert person("carl").post(f"{API}/batches", json=wrong).status_code == 422


def test_quality_control_shows_the_label_and_counts_what_changed(person: PersonNamed) -> None:
    judge(person("anna"), {"p2": "4", "p3": "4s"}, "first")
    body = {"key": "k", "name": "round", "purpose": "qa", "filter": {"label": "4", "projection": "base"}}
    assert person("carl").post(f"{API}/batches", json=body).status_code == 201
    first, second = person("ben").post(f"{API}/batches/round/take?count=5").json()
    assert [(task["pair"], task["present"]) for task in (first, second)] == [("p2", "4"), ("p3", "4s")]
    judge(person("ben"), {"p2": "4", "p3": "4"}, "round")
    page = person("carl").get("/batches/round").text
    assert "2 of 2 pairs inspected, 1 changed" in page
    assert "4s → 4" in page
