"""Working through a batch by the API, as a page does."""

from __future__ import annotations

from collections.abc import Callable

from starlette.testclient import TestClient

from tests.web.people import Person

PersonNamed = Callable[[str], Person]


def test_nobody_is_let_in(client: TestClient) -> None:
    assert client.post("/api/v1/batches/first/take").status_code == 401
    assert client.get("/classify/first", headers={"accept": "text/html"}).headers["location"].startswith("/login?next=")


def test_take_answer_and_take_back(person: PersonNamed) -> None:
    anna = person("anna")
    taken = anna.post("/api/v1/batches/first/take?count=2").json()
    assert [task["pair"] for task in taken] == ["p0", "p1"]
    body = {"key": "k1", "slot": taken[0]["slot"], "value": "4s", "seconds": 1.5, "guideline": "turku@0"}
    saved = anna.post("/api/v1/judgements", json=body)
    assert saved.status_code == 201
    assert anna.post("/api/v1/judgements", json=body).json() == saved.json()
    recent = anna.get("/api/v1/batches/first/recent").json()
    assert [(task["pair"], task["judgement"]["value"]) for task in recent] == [("p0", "4s")]
    assert anna.get("/api/v1/batches/first/progress").json() == {"mine": 1, "for_me": 8, "done": 1, "asked": 8}
    assert person("ben").get("/api/v1/batches/first/progress").json() == {"mine": 0, "for_me": 7, "done": 1, "asked": 8}
    back = anna.post(f"/api/v1/judgements/{saved.json()['id']}/undo?key=k2")
    assert back.json().get("value") is None
    assert anna.get("/api/v1/batches/first/recent").json() == []


def test_a_lying_client_changes_nothing(person: PersonNamed) -> None:
    anna, ben = person("anna"), person("ben")
    (task,) = anna.post("/api/v1/batches/first/take?count=1").json()
    lies = [
        ({"slot": task["slot"], "value": "5"}, 422),
        ({"slot": task["slot"], "value": "4", "supersedes": "j-none"}, 409),
        ({"slot": 10**12, "value": "4"}, 404),
        ({"slot": "one", "value": "4"}, 422),
        ({"slot": task["slot"]}, 422),
        ({"slot": 2**80, "value": "4"}, 404),
        ({"slot": -1, "value": "4"}, 404),
        ({"slot": task["slot"], "value": "4", "note": "a\0b"}, 422),
        ({"slot": task["slot"], "value": "4", "seconds": 1e300}, 422),
        ({"slot": task["slot"], "value": "4", "annotator": "ben"}, 422),
    ]
    for number, (lie, status) in enumerate(lies):
        answer = anna.post("/api/v1/judgements", json={"key": f"k{number}", **lie})
        assert answer.status_code == status, answer.text
        assert answer.json()["error"]
    assert ben.post("/api/v1/judgements", json={"key": "k", "slot": task["slot"], "value": "4"}).status_code == 403
    without = anna.ask("POST", "/api/v1/judgements", json={"key": "k"}, headers={"x-csrf-token": ""})
    assert without.status_code in (403, 422)
    elsewhere = {"origin": "https://evil.example"}
    body = {"key": "k", "slot": task["slot"], "value": "4"}
    assert anna.ask("POST", "/api/v1/judgements", json=body, headers=elsewhere).status_code == 403
    assert anna.post("/api/v1/judgements", content=b"x" * 2**21).status_code == 413
    assert anna.get("/api/v1/batches/first/recent").json() == []


def test_the_page_has_what_it_needs(person: PersonNamed) -> None:
    page = person("anna").get("/classify/first")
    assert page.status_code == 200
    assert "The ferry was late again" in page.text
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
