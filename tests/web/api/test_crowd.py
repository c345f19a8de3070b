"""A crowd through the site: what workers can know, the gate, decisions, links to a batch, the curator's page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from otherwords.annotate.batches.batch import Gate
from otherwords.annotate.work.answers import MOST_INVALID
from otherwords.web.app import API
from tests.web.crowds import ANSWERS, WHY, add_crowd
from tests.web.people import Person
from tests.web.windows import Window

PersonNamed = Callable[[str], Person]
TAKE = f"{API}/batches/harbour/take"
CROWD = f"{API}/crowd/harbour"
STRICT = Gate(window=4, fewest_tests=2, fewest_shared=4)


def right(task: dict[str, Any]) -> str:
    return ANSWERS[task["text1"] + task["text2"]]


def wrong(task: dict[str, Any]) -> str:
    return "no" if right(task) == "yes" else "yes"


def answer(who: Person, task: dict[str, Any], value: str) -> Any:
    body = {"key": f"{who.name}-{task['slot']}", "slot": task["slot"], "value": value, "seconds": 2.5}
    return who.post(f"{API}/judgements", json=body)


def work(who: Person, say: Callable[[dict[str, Any]], str], most: int = 100) -> list[dict[str, Any]]:
    """The reply to each answer, until nothing is left or the gate closes."""
    saved: list[dict[str, Any]] = []
    while len(saved) < most:
        taken = who.post(f"{TAKE}?count=1")
        if taken.status_code == 403 or not taken.json():
            break
        reply = answer(who, taken.json()[0], say(taken.json()[0]))
        assert reply.status_code == 201, reply.text
        saved.append(reply.json())
    return saved


def test_nothing_tells_a_test_before_it_is_answered(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, every=2)
    wim = person("wim")
    for path in (f"{TAKE}?count=6", f"{TAKE}?most=6&count=6"):  # the short way and the framework's
        tasks = wim.post(path).json()
        assert len(tasks) == 6
        differing = ("slot", "text1", "text2", "position")
        shapes = [{name: value for name, value in task.items() if name not in differing} for task in tasks]
        assert shapes == [shapes[0]] * 6
        assert all(task["pair"] is None and 2**52 <= task["slot"] < 2**53 for task in tasks)
        assert [task["slot"] for task in tasks] == sorted(task["slot"] for task in tasks)
    renewed = wim.post(f"{API}/slots/{tasks[0]['slot']}/renew").json()
    assert (renewed["slot"], renewed["item"], renewed["position"]) == (tasks[0]["slot"], "", 0)
    assert wim.post(f"{API}/slots/{tasks[0]['slot']}/release").status_code == 403
    for number in range(1, 40):
        assert wim.post(f"{API}/slots/{number}/renew").status_code in (404, 409)
    page = wim.get("/classify/harbour", headers={"accept": "text/html"}).text
    assert WHY not in page
    assert "gold" not in page
    assert '"g0"' not in page


def test_the_answer_to_a_test_says_so_and_an_ordinary_one_does_not(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, every=2)
    saved = work(person("wim"), lambda task: "yes")
    tests = [judgement["test"] for judgement in saved if "test" in judgement]
    assert len(saved) == 12
    assert sorted((test["right"], test["label"]) for test in tests) == [(False, "no")] * 2 + [(True, "yes")] * 2
    assert {test["explanation"] for test in tests} == {WHY}
    recent = person("wim").get(f"{API}/batches/harbour/recent").json()
    assert len(recent) == 8
    assert all(task["pair"] is None and task["slot"] >= 2**52 for task in recent)
    assert person("wim").post(f"{API}/judgements/{saved[0]['id']}/undo?key=u").status_code == 403


def test_the_gate_pauses_and_a_curator_decides(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, every=2, gate=STRICT)
    wim, carl = person("wim"), person("carl")
    count = len(work(wim, wrong))
    refused = wim.post(f"{TAKE}?count=1")
    assert (refused.status_code, "paused" in refused.json()["error"]) == (403, True)
    page = wim.get("/classify/harbour", headers={"accept": "text/html"})
    assert page.status_code == 200
    assert "a curator looks at it" in page.text
    home = wim.get(f"{API}/home").json()
    assert ("harbour" in {work["name"] for work in home["waiting"]}, home["paused"]) == (False, ["harbour"])
    assert "a curator looks at it" in wim.get("/", headers={"accept": "text/html"}).text
    (worker,) = carl.get(CROWD).json()["workers"]
    assert (worker["name"], worker["state"], worker["tests"], worker["accuracy"]) == ("wim", "paused", 2, 0.0)
    assert worker["seconds"] == 2.5
    assert worker["reasons"] == ["0 % of the last 2 tests right, not more than 85 %"]
    body = {"key": "k", "worker": "wim", "decision": "voided", "reason": "all wrong"}
    voided = carl.post(f"{CROWD}/decisions", json=body)
    assert (voided.status_code, voided.json()["judgements"]) == (201, count - 2)
    assert carl.post(f"{CROWD}/decisions", json=body).json() == voided.json()
    assert carl.get(CROWD).json()["judgements"] == 0
    back = carl.post(f"{CROWD}/decisions", json=body | {"key": "k2", "decision": "unvoided"}).json()
    assert (back["judgements"], back["redone"]) == (count - 2, 0)
    assert carl.post(f"{CROWD}/decisions", json=body | {"key": "k3", "decision": "resumed"}).status_code == 201
    assert wim.post(f"{TAKE}?count=1").status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"worker": "nobody"}, 404),
        ({"decision": "fired"}, 422),
        ({"key": ""}, 422),
        ({"reason": "r" * 2000}, 422),
        ({"reason": "null \0"}, 422),
        ({"more": 1}, 422),
        ({"decision": "unvoided"}, 409),
    ],
)
def test_decisions_that_are_refused(person: PersonNamed, filled: Path, body: dict[str, Any], status: int) -> None:
    add_crowd(filled)
    work(person("wim"), right, 1)
    full_body = {"key": "k", "worker": "wim", "decision": "kept"} | body
    assert person("carl").post(f"{CROWD}/decisions", json=full_body).status_code == status


def test_votes_side_by_side_and_against_experts(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled)
    for name, say in (("wim", right), ("anna", right), ("ben", lambda task: "yes")):
        work(person(name), say)
    state = person("carl").get(f"{CROWD}?threshold=1&experts=harbour").json()
    assert state["labels"]["majority"] == {"no": 3, "yes": 5, "none": 0, "open": 0}
    assert state["labels"]["threshold"] == {"no": 0, "yes": 5, "none": 3, "open": 0}  # of those three, one said yes
    assert state["labels"]["dawid_skene"] == {"no": 3, "yes": 5, "none": 0, "open": 0}
    assert (state["differing"], {difference["pair"] for difference in state["differ"]}) == (3, {"c2", "c4", "c6"})
    assert {way: scores["f1"] for way, scores in state["experts"].items()} == {
        "threshold": 1.0,
        "majority": 1.0,
        "dawid_skene": 1.0,
    }
    assert person("carl").get(f"{CROWD}?experts=nowhere").status_code == 404
    assert person("carl").get(f"{CROWD}?threshold=-1").status_code == 422
    assert person("carl").get(f"{API}/crowd/nowhere").status_code == 404
    rows = person("carl").get("/crowd/harbour.csv").text.splitlines()
    assert [row.split(",")[:3] for row in rows[1:]] == [["anna", "8", "4"], ["ben", "8", "4"], ["wim", "8", "4"]]


def test_a_curator_who_has_still_to_judge_a_pair_sees_no_votes_on_it(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, asked=4)
    for name, say in (("wim", right), ("anna", right), ("ben", lambda task: "yes")):
        work(person(name), say)
    before = person("ada").get(f"{CROWD}?threshold=0").json()
    differing = {difference["pair"] for difference in before["differ"]}
    assert differing
    carl = person("carl")
    assert carl.post(f"{TAKE}?count=20").status_code == 200
    for address in (f"{CROWD}?threshold=0", "/crowd/harbour.json?threshold=0"):
        held = carl.get(address).json()
        assert held["differing"] == before["differing"]
        assert len(held["differ"]) < len(differing)


def test_what_workers_can_expect_is_said(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled)
    carl = person("carl")
    expected = carl.get(CROWD).json()["expected_tests"]
    assert (expected["pairs"], expected["every"]) == (8, 2)
    assert 3 < expected["mean"] < 4, "of eight on average, but there are only four"
    assert "whoever judges all 8 pairs gets" in carl.get("/crowd/harbour").text


def test_the_pages_say_what_a_gate_can_never_find(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, gate=Gate())
    carl = person("carl")
    for page in ("/batches/harbour", "/crowd/harbour"):
        assert "The gate can never pause anybody for missed tests: it waits for 15 of them" in carl.get(page).text
    for address in (f"{API}/batches/harbour", CROWD):
        assert len(carl.get(address).json()["gate_gaps"]) == 2


def test_the_form_says_what_a_gate_could_never_find_before_the_batch_is_made(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled)
    carl = person("carl")
    form = "/batches/new?scheme=binary-loose&group=g&times=3&tests=all&every=2"
    page = carl.get(f"{form}&gate=yes").text
    assert "The gate can never pause anybody for missed tests: it waits for 15 of them" in page
    assert "it waits for" not in carl.get(form).text


def test_invalid_answers_are_limited(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled)
    wim = person("wim")
    (task,) = wim.post(f"{TAKE}?count=1").json()
    answers = [
        wim.post(f"{API}/judgements", json={"key": f"k{number}", "slot": task["slot"], "value": "maybe"})
        for number in range(MOST_INVALID + 1)
    ]
    assert [answer.status_code for answer in answers] == [422] * MOST_INVALID + [429]
    assert answers[-1].headers["Retry-After"]


def test_annotators_cannot_list_the_pairs_of_a_batch_with_tests(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled)
    work(person("anna"), right, 4)
    assert person("anna").get(f"{API}/pairs?batch=harbour").status_code == 403
    assert person("anna").get("/browse.json?batch=harbour").status_code == 403
    assert person("carl").get(f"{API}/pairs?batch=harbour").status_code == 200
    seen = person("anna").get("/browse.json").text + person("anna").get("/pairs/g0.json").text
    assert WHY not in seen
    assert "gold" not in seen


def test_many_join_by_one_link_and_land_in_the_batch(person: PersonNamed, client: TestClient, filled: Path) -> None:
    add_crowd(filled)
    invitation = person("carl").post(f"{CROWD}/invitations", json={"uses": 2})
    assert invitation.status_code == 201
    path = "/join/" + invitation.json()["link"].rpartition("/")[2]
    for name in ("zoe", "yan"):
        window = Window(client.app)  # type: ignore[arg-type]
        assert "to work on harbour" in window.open(path).text
        answer = window.send(window.form(path), name=name, password="seven plain words", again="seven plain words")
        assert (answer.status_code, answer.headers["location"]) == (303, "/classify/harbour")
        assert window.open("/classify/harbour").status_code == 200
        if name == "zoe":  # the link is still good, and leads who has joined by it back to the work
            assert "to work on harbour" not in window.open(path).text
        assert window.open("/classify/first").status_code == 403
        assert "harbour" in window.open("/").text
        assert "/classify/first" not in window.page.text
    assert Window(client.app).open(path).status_code == 409  # type: ignore[arg-type]
    assert person("anna").post(f"{CROWD}/invitations", json={}).status_code == 403
    for body in ({"uses": 0}, {"uses": 10**9}, {"days": 0}, {"days": 1e9}):
        assert person("carl").post(f"{CROWD}/invitations", json=body).status_code == 422
    assert person("carl").post(f"{API}/crowd/double/invitations", json={}).status_code == 409  # for others alone


def test_a_batch_of_a_crowd_is_made_through_the_api_and_the_form(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled)
    carl = person("carl")
    body = {
        "key": "k",
        "name": "more",
        "scheme": "binary-loose",
        "times": 3,
        "tests": "all",
        "every": 4,
        "gate": "usual",
    }
    answer = carl.post(f"{API}/batches", json=body)
    assert answer.status_code == 201, answer.text
    rules = answer.json()["rules"]
    assert (sorted(rules["tests"]), rules["every"], rules["undo"], rules["context"]) == (
        ["g0", "g1", "g2", "g3"],
        4,
        False,
        False,
    )
    assert rules["gate"]["accuracy"] == 0.85
    for options in ({"tests": "/etc/passwd"}, {"tests": "source=nowhere"}, {"gate": "accuracy=much"}, {"every": 1}):
        assert carl.post(f"{API}/batches", json=body | {"key": "k2", "name": "none"} | options).status_code == 422
    form = {"csrf": carl.csrf, "name": "formed", "scheme": "binary-loose", "times": "2", "tests": "all", "gate": "yes"}
    assert carl.post("/batches/new", data=form).status_code == 303
    assert carl.get(f"{API}/batches/formed").json()["rules"]["every"] == 5
    assert "hidden test" in carl.get("/batches/formed", headers={"accept": "text/html"}).text


def test_more_pairs_follow(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, asked=1, grows=True)
    work(person("wim"), right)
    groups = person("carl").post(f"{CROWD}/deploy").json()
    assert [(group["group"], group["positive"], group["added"]) for group in groups] == [("g", 3, 3)]
    assert person("carl").post(f"{CROWD}/deploy").json() == []
    assert person("wim").post(f"{TAKE}?count=1").json()
    assert person("carl").post(f"{API}/crowd/first/deploy").status_code == 422


def test_the_page_of_a_curator_works_without_a_script(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, grows=True, asked=1)
    carl = person("carl")
    assert "Nobody has begun" in carl.get("/crowd/harbour", headers={"accept": "text/html"}).text
    work(person("wim"), right, 4)
    send = {"csrf": carl.csrf, "key": "k", "do": "paused wim", "reason": "too fast"}
    assert carl.post("/crowd/harbour/decide", data=send).status_code == 303
    page = carl.get("/crowd/harbour", headers={"accept": "text/html"}).text
    assert "too fast" in page
    assert "Let go on" in page
    assert carl.post("/crowd/harbour/decide", data=send | {"key": "k2"}).status_code == 409
    assert carl.post("/crowd/harbour/decide", data=send | {"key": "k3", "do": "nonsense"}).status_code == 422
    assert "/join/" in carl.post("/crowd/harbour/invite", data={"csrf": carl.csrf, "uses": "5"}).text
    assert carl.post("/crowd/harbour/invite", data={"csrf": carl.csrf, "uses": "0"}).status_code == 422
    assert carl.post("/crowd/harbour/deploy", data={"csrf": carl.csrf}).status_code == 303
    assert carl.get("/crowd/harbour?threshold=none", headers={"accept": "text/html"}).status_code == 422
