"""Triage and seeds by the API, as their pages use it: who may, what is saved once, and what a lying client gets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherwords.project import Project, open_project
from otherwords.records import Document, DocumentPair
from tests.annotate.posts_dataset import posts_dataset
from tests.annotate.reading import put, row
from tests.web.people import Person

PersonNamed = Callable[[str], Person]
TAKE = "/api/v1/triage/take"
JSON = {"content-type": "application/json"}


def forum(filled: Path, *names: str) -> None:
    """More document pairs that wait for a yes or no, after the one of the people's corpus."""
    with open_project(filled) as project:
        for name in names:
            put(project, DocumentPair(id=name, doc1="d1a", doc2="d1b", method="forum", status="candidate"))


def state(filled: Path, name: str) -> tuple[Any, ...]:
    with open_project(filled) as project:
        stored = row(project, DocumentPair, name)
    return stored["status"], stored["reason"], stored["seconds"]


def decide(person: Person, name: str, decision: str, key: str, **more: Any) -> Any:
    return person.post(f"/api/v1/triage/{name}", json={"key": key, "decision": decision, **more})


def test_take_decide_and_take_back(filled: Path, person: PersonNamed) -> None:
    anna = person("anna")
    (first,) = anna.post(TAKE + "?count=3").json()
    assert (first["id"], first["similarity"], first["one"]["title"]) == ("dp1", 0.5, "Island diary")
    assert first["one"]["text"].startswith("It rained from first light 🌧. The ferry was late")
    answer = decide(anna, "dp1", "reject", "k1", reason="only a topic", seconds=2.5)
    assert answer.status_code == 201
    assert (answer.json()["document_pair"], answer.json()["value"], answer.json()["reason"]) == (
        "dp1",
        "reject",
        "only a topic",
    )
    assert decide(anna, "dp1", "reject", "k1", reason="only a topic", seconds=2.5).json() == answer.json()
    assert state(filled, "dp1") == ("rejected", "only a topic", 2.5)
    assert anna.post(TAKE).json() == []
    back = decide(anna, "dp1", "undo", "k2").json()
    assert (back["value"], back["supersedes"]) == (None, answer.json()["id"])
    assert state(filled, "dp1") == ("candidate", None, None)
    assert [documents["id"] for documents in anna.post(TAKE).json()] == ["dp1"]


def test_documents_that_somebody_must_not_see_yet_come_later(filled: Path, person: PersonNamed) -> None:
    """A batch without documents hides how they begin as well, also from somebody who gave its pair back."""
    forum(filled, "f1")  # of the documents of p1
    with open_project(filled) as project:
        put(project, DocumentPair(id="f5", doc1="d5a", doc2="d5b", method="forum", status="candidate"))
    anna = person("anna")
    slots = {task["pair"]: task["slot"] for task in anna.post("/api/v1/batches/double/take?count=2").json()}
    assert [documents["id"] for documents in anna.post(TAKE + "?count=9").json()] == ["f5"]
    assert anna.post(f"/api/v1/slots/{slots['p1']}/release").status_code == 204
    assert [documents["id"] for documents in anna.post(TAKE + "?count=9").json()] == ["f5"]
    page = anna.get("/triage", headers={"accept": "text/html"}).text
    assert "The band had come from the city" in page  # of f5
    assert "It rained from first light" not in page  # of dp1
    body = {"key": "k", "slot": slots["p0"], "value": "4"}
    assert anna.post("/api/v1/judgements", json=body).status_code == 201
    assert [documents["id"] for documents in anna.post(TAKE + "?count=9").json()] == ["dp1", "f5"]
    assert [documents["id"] for documents in person("ben").post(TAKE + "?count=9").json()] == ["f1"]


def test_extraction_goes_on_with_other_documents(filled: Path, person: PersonNamed) -> None:
    with open_project(filled) as project:
        put(project, DocumentPair(id="a", doc1="d0a", doc2="d0b", method="news", status="candidate", round=0))
    anna = person("anna")
    assert anna.post("/api/v1/batches/double/take?count=2").status_code == 200
    taken = anna.post("/api/v1/extract/take")
    assert (taken.status_code, taken.json()["id"]) == (200, "dp2")


def test_two_people_get_different_ones(filled: Path, person: PersonNamed) -> None:
    forum(filled, "f1", "f2", "f3")
    anna, ben = person("anna"), person("ben")
    hers = [documents["id"] for documents in anna.post(TAKE + "?count=2").json()]
    his = [documents["id"] for documents in ben.post(TAKE + "?count=9&method=forum").json()]
    assert (hers, his) == (["dp1", "f1"], ["f2", "f3"])
    assert decide(ben, "dp1", "accept", "k").status_code == 409


def test_names_with_strokes_and_blanks(filled: Path, person: PersonNamed) -> None:
    forum(filled, "forum/boats 1ä")
    anna = person("anna")
    assert decide(anna, "forum%2Fboats%201%C3%A4", "accept", "k").status_code == 201
    assert state(filled, "forum/boats 1ä")[0] == "accepted"


LIES = [
    ("/api/v1/triage/dp1", {"decision": "perhaps"}, 422),
    ("/api/v1/triage/dp1", {}, 422),
    ("/api/v1/triage/dp1", {"decision": "accept", "annotator": "ben"}, 422),
    ("/api/v1/triage/dp1", {"decision": "reject", "reason": "x" * 4001}, 422),
    ("/api/v1/triage/dp1", {"decision": "reject", "reason": "a\0b"}, 422),
    ("/api/v1/triage/dp1", {"decision": "reject", "reason": "\ud800"}, 422),
    ("/api/v1/triage/dp1", {"decision": "accept", "seconds": -1}, 422),
    ("/api/v1/triage/dp1", {"decision": "accept", "seconds": 1e300}, 422),
    ("/api/v1/triage/dp1", {"decision": "undo"}, 409),
    ("/api/v1/triage/none", {"decision": "accept"}, 404),
    ("/api/v1/triage/a%00b", {"decision": "accept"}, 422),
    ("/api/v1/seeds", {"group": "none", "choice": 1}, 404),
    ("/api/v1/seeds", {"group": "boats", "choice": 12}, 422),
    ("/api/v1/seeds", {"group": "boats", "choice": 5}, 422),
    ("/api/v1/seeds", {"group": "boats", "choice": 10**30}, 422),
    ("/api/v1/seeds", {"group": "boats", "choice": True}, 422),
    ("/api/v1/seeds", {"group": "boats", "choice": "first"}, 422),
    ("/api/v1/seeds", {"group": "boats"}, 422),
    ("/api/v1/seeds", {"group": "b\0", "choice": 1}, 422),
    ("/api/v1/seeds", {"group": "boats", "choice": None}, 409),
]


def test_a_lying_client_changes_nothing(filled: Path, person: PersonNamed) -> None:
    with open_project(filled) as project:
        posts_dataset(project, {"boats": 4})
    anna = person("anna")
    for number, (path, lie, status) in enumerate(LIES):
        answer = anna.post(path, content=json.dumps({"key": f"k{number}", **lie}), headers=JSON)
        assert (answer.status_code, bool(answer.json()["error"])) == (status, True), (lie, answer.text)
    for key in ("", "x" * 201, "a\nb"):
        assert decide(anna, "dp1", "accept", key).status_code == 422
    for query in ("?count=0", "?count=51", "?count=x", "?method=news", "?method=%00"):
        assert anna.post(TAKE + query).status_code == 422, query
    assert state(filled, "dp1") == ("candidate", None, None)
    assert [group["name"] for group in anna.post("/api/v1/seeds/take").json()] == ["boats"]


def test_seeds(filled: Path, person: PersonNamed) -> None:
    with open_project(filled) as project:
        posts_dataset(project, {"boats": 12, "storms": 5, "few": 3})
    anna, ben = person("anna"), person("ben")
    (boats,) = anna.post("/api/v1/seeds/take?count=1").json()
    assert (boats["name"], boats["size"], [sentence["rank"] for sentence in boats["sentences"]]) == (
        "boats",
        12,
        [*range(1, 12)],
    )
    assert [group["name"] for group in ben.post("/api/v1/seeds/take").json()] == ["storms"]
    body = {"key": "k1", "group": "boats", "choice": 2, "seconds": 9.5}
    answer = anna.post("/api/v1/seeds", json=body)
    assert answer.status_code == 201
    assert answer.json()["value"]["document"] == boats["sentences"][1]["document"]
    assert anna.post("/api/v1/seeds", json=body).json() == answer.json()
    assert anna.post("/api/v1/seeds", json=body | {"choice": "skip"}).status_code == 409
    back = anna.post("/api/v1/seeds", json={"key": "k2", "group": "boats", "choice": None}).json()
    assert (back["value"], back["supersedes"]) == (None, answer.json()["id"])
    assert anna.post("/api/v1/seeds", json={"key": "k3", "group": "boats", "choice": "skip"}).json()["value"] == "skip"
    assert anna.post("/api/v1/seeds/take").json() == []


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/triage"),
        ("GET", "/seeds"),
        ("GET", "/extract"),
        ("GET", "/extract/dp2"),
        ("POST", TAKE),
        ("POST", "/api/v1/triage/dp1"),
        ("POST", "/api/v1/seeds/take"),
        ("POST", "/api/v1/seeds"),
        ("POST", "/api/v1/extract/take"),
        ("GET", "/api/v1/document-pairs/dp2"),
        ("POST", "/api/v1/document-pairs/dp2/open"),
        ("POST", "/api/v1/document-pairs/dp2/pairs"),
        ("PUT", "/api/v1/document-pairs/dp2/pairs/p"),
        ("DELETE", "/api/v1/document-pairs/dp2/pairs/p?key=k"),
        ("POST", "/api/v1/document-pairs/dp2/pairs/p/restore?key=k"),
        ("POST", "/api/v1/document-pairs/dp2/finish"),
        ("POST", "/api/v1/document-pairs/dp2/reopen"),
    ],
)
def test_for_annotators_and_up(person: PersonNamed, method: str, path: str) -> None:
    assert person("wim").client.request(method, path).status_code == 401
    assert person("wim").ask(method, path).status_code == 403
    if method != "GET":
        assert person("anna").ask(method, path, headers={"x-csrf-token": "wrong"}).status_code == 403
    assert person("carl").ask(method, path).status_code not in (401, 403, 500)


def test_the_pages_hold_what_they_show(filled: Path, person: PersonNamed, project: Project) -> None:
    put(project, Document(id="x", text="</script><script>alert(1)</script> " * 3, meta={"title": "<b>bold</b>"}))
    put(project, DocumentPair(id="xss", doc1="x", doc2="x", method="forum", status="candidate"))
    page = person("anna").get("/triage").text
    assert "Island diary" in page
    assert "<script>alert" not in page
    assert "<b>bold" not in page
    assert person("ben").post(TAKE).json() == []
    empty = person("ben").get("/triage").text
    assert f"otherwords align {project.folder.name} forum" in empty or "Go to extraction" in empty
    assert "--set by=url" in person("ben").get("/seeds").text
    posts_dataset(project, {"boats": 4})
    assert "Sentence 3 of boats" in person("ben").get("/seeds").text
