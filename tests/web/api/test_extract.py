"""Extraction by the API: exact passages of any script, who may change what, and what a lying client gets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherwords.project import Project, open_project
from otherwords.project.ledger import schema
from otherwords.records import DocumentPair, Judgement, Part
from tests.annotate.reading import put, row, rows
from tests.web.people import Person, corpus

PersonNamed = Callable[[str], Person]
DOCUMENTS = "/api/v1/document-pairs/dp2"
TEXT = {document.id: document.text for document in corpus()[0]}
JSON = {"content-type": "application/json"}


def spans(passage1: str, passage2: str, doc1: str = "d5a", doc2: str = "d5b") -> dict[str, int]:
    start1, start2 = TEXT[doc1].index(passage1), TEXT[doc2].index(passage2)
    return {"start1": start1, "end1": start1 + len(passage1), "start2": start2, "end2": start2 + len(passage2)}


DANCE = ("They danced 👨‍👩‍👧‍👦", "The dancing went on")
DOORS = ("until the café closed", "till the cafe\u0301 shut its doors 🇫🇮")


def add_pair(person: Person, passages: tuple[str, str] = DANCE, key: str = "k1", **more: Any) -> Any:
    return person.post(f"{DOCUMENTS}/pairs", json={"key": key, **spans(*passages), **more})


@pytest.fixture
def anna(person: PersonNamed) -> Person:
    """Anna, who has the document pair of news open."""
    anna = person("anna")
    assert anna.post("/api/v1/extract/take").json()["id"] == "dp2"
    return anna


def pairs(filled: Path) -> list[dict[str, Any]]:
    with open_project(filled) as project:
        return [pair for pair in rows(project, schema.pairs) if pair["method"] == "extract"]


def test_from_the_first_look_to_the_end(filled: Path, anna: Person) -> None:
    view = anna.get(DOCUMENTS).json()
    assert (view["mine"], view["one"]["text"], view["two"]["title"]) == (True, TEXT["d5a"], "A long evening")
    assert view["part"] == {"start1": 0, "end1": len(TEXT["d5a"]), "start2": 0, "end2": len(TEXT["d5b"])}
    answer = add_pair(anna, seconds=4.5)
    assert answer.status_code == 201
    assert (answer.json()["text1"], answer.json()["text2"], answer.json()["locked"]) == (*DANCE, False)
    assert add_pair(anna, seconds=4.5).json() == answer.json()
    changed = anna.ask("PUT", f"{DOCUMENTS}/pairs/{answer.json()['id']}", json={"key": "k2", **spans(*DOORS)}).json()
    assert (changed["text1"], changed["text2"]) == DOORS
    back = anna.post(f"{DOCUMENTS}/pairs/{answer.json()['id']}/restore?key=k3").json()
    assert back == answer.json()
    assert anna.ask("DELETE", f"{DOCUMENTS}/pairs/{back['id']}?key=k4").status_code == 204
    assert anna.get(DOCUMENTS).json()["pairs"] == []
    assert anna.post(f"{DOCUMENTS}/pairs/{back['id']}/restore?key=k5").status_code == 200
    assert [pair["text1"] for pair in anna.get(DOCUMENTS).json()["pairs"]] == [DANCE[0]]
    end = anna.post(f"{DOCUMENTS}/finish", json={"key": "k6", "outcome": "finished", "seconds": 61.5})
    assert (end.status_code, end.json()["value"]) == (201, "finished")
    (stored,) = [pair for pair in pairs(filled) if pair["state"] is None]
    assert TEXT["d5a"][stored["start1"] : stored["end1"]] == stored["text1"] == DANCE[0]
    assert TEXT["d5b"][stored["start2"] : stored["end2"]] == stored["text2"] == DANCE[1]
    (task,) = anna.post("/api/v1/batches/extracted/take").json()
    assert task["text1"] == DANCE[0]
    assert anna.post("/api/v1/extract/take").json() is None


def test_edges_inside_a_character_are_moved_out_of_it(anna: Person) -> None:
    whole = spans("👨‍👩‍👧‍👦", "cafe")
    cut = whole | {"start1": whole["start1"] + 1, "end1": whole["end1"] - 1}
    pair = anna.post(f"{DOCUMENTS}/pairs", json={"key": "k", **cut}).json()
    assert (pair["text1"], pair["text2"]) == ("👨‍👩‍👧‍👦", "cafe\u0301")
    assert (pair["start1"], pair["end1"]) == (whole["start1"], whole["end1"])


def test_finished_and_opened_again(anna: Person, person: PersonNamed) -> None:
    assert anna.post(f"{DOCUMENTS}/finish", json={"key": "k", "outcome": "finished"}).status_code == 409
    assert anna.post(f"{DOCUMENTS}/finish", json={"key": "k", "outcome": "empty", "seconds": 3}).status_code == 201
    assert add_pair(anna).status_code == 409
    assert person("ben").post(f"{DOCUMENTS}/reopen", json={"key": "k"}).status_code == 403
    assert person("ben").post(f"{DOCUMENTS}/reopen", json={"key": "k", "annotator": "anna"}).status_code == 403
    again = person("carl").post(f"{DOCUMENTS}/reopen", json={"key": "k", "annotator": "anna"})
    assert again.status_code == 201
    assert anna.get(DOCUMENTS).json()["mine"]
    assert add_pair(anna, key="k9").status_code == 201


def test_one_person_at_a_time(anna: Person, person: PersonNamed) -> None:
    ben = person("ben")
    assert ben.post("/api/v1/extract/take").json() is None
    assert ben.post(f"{DOCUMENTS}/open").status_code == 409
    assert not ben.get(DOCUMENTS).json()["mine"]
    assert add_pair(ben).status_code == 409
    pair = add_pair(anna).json()
    for method, path in (("PUT", ""), ("DELETE", "?key=k"), ("POST", "/restore?key=k")):
        body = {"key": "k", **spans(*DOORS)}
        answer = ben.ask(method, f"{DOCUMENTS}/pairs/{pair['id']}{path}", **({"json": body} if method == "PUT" else {}))
        assert answer.status_code == 409
    assert ben.post(f"{DOCUMENTS}/finish", json={"key": "k", "outcome": "finished"}).status_code == 409
    page = ben.get("/extract/dp2")
    assert "somebody else works on this until" in page.text
    assert "anna" not in page.text


def test_earlier_rounds_and_judged_pairs_are_locked(filled: Path, anna: Person) -> None:
    pair = add_pair(anna).json()
    with open_project(filled) as project:
        put(project, Judgement(id="j", pair=pair["id"], value="4", annotator="carl", scheme="turku"))
        part = Part(start1=5, end1=40, start2=5, end2=40)
        put(
            project,
            DocumentPair(id="dp3", doc1="d5a", doc2="d5b", method="news", status="candidate", round=2, part=part),
        )
    (locked,) = anna.get(DOCUMENTS).json()["pairs"]
    assert (locked["locked"], locked["why"]) == (True, "it was judged already")
    assert anna.ask("DELETE", f"{DOCUMENTS}/pairs/{pair['id']}?key=k").status_code == 409
    assert anna.post("/api/v1/document-pairs/dp3/open").status_code == 204
    (earlier,) = anna.get("/api/v1/document-pairs/dp3").json()["pairs"]
    assert (earlier["locked"], earlier["why"]) == (True, "it was extracted in an earlier round")
    outside = {"key": "k", **spans(*DOORS)}
    assert anna.post("/api/v1/document-pairs/dp3/pairs", json=outside).status_code == 422


def test_a_lying_annachanges_nothing(filled: Path, anna: Person) -> None:
    good = spans(*DANCE)
    lies: list[tuple[str, dict[str, Any], int]] = [
        ("pairs", good | {"end1": good["start1"]}, 422),
        ("pairs", good | {"end2": 10_000}, 422),
        ("pairs", good | {"start1": -1}, 422),
        ("pairs", good | {"start1": 10**30}, 422),
        ("pairs", good | {"start1": 1.5}, 422),
        ("pairs", good | {"start1": "3"}, 422),
        ("pairs", good | {"start1": True}, 422),
        ("pairs", good | {"annotator": "ben"}, 422),
        ("pairs", good | {"seconds": float("nan")}, 422),
        ("pairs", {"start1": 0}, 422),
        ("finish", {"outcome": "done"}, 422),
        ("finish", {"outcome": "finished", "seconds": 1e9}, 422),
        ("finish", {"outcome": "finished"}, 409),
        ("reopen", {}, 409),
        ("reopen", {"annotator": "an\0na"}, 422),
        ("pairs/none/restore?key=k", {}, 404),
    ]
    for number, (path, lie, status) in enumerate(lies):
        answer = anna.post(f"{DOCUMENTS}/{path}", content=json.dumps({"key": f"k{number}", **lie}), headers=JSON)
        assert (answer.status_code, bool(answer.json()["error"])) == (status, True), (path, lie, answer.text)
    for name, status in (("none", 404), ("a%00b", 422)):
        assert anna.post(f"/api/v1/document-pairs/{name}/pairs", json={"key": "k", **good}).status_code == status
        assert anna.get(f"/api/v1/document-pairs/{name}").status_code == status
        assert anna.get(f"/extract/{name}").status_code == status
    for path in (f"{DOCUMENTS}/pairs/none?key=", f"{DOCUMENTS}/pairs/none", f"{DOCUMENTS}/pairs/%00?key=k"):
        assert anna.ask("DELETE", path).status_code == 422, path
    assert pairs(filled) == []
    add_pair(anna)
    assert add_pair(anna, DOORS).status_code == 409  # another pair under the same key
    assert len(pairs(filled)) == 1


def test_the_pages(person: PersonNamed, filled: Path, project: Project) -> None:
    anna = person("anna")
    redirect = anna.get("/extract")
    assert (redirect.status_code, redirect.headers["location"]) == (303, "/extract/dp2")
    page = anna.get(redirect.headers["location"] + "?after=dp1%22%3E")
    assert page.status_code == 200
    assert "Midsummer" in page.text
    assert "Extracting pairs" in page.text
    assert 'dp1">' not in page.text
    anna.post(f"{DOCUMENTS}/finish", json={"key": "k", "outcome": "empty"})
    assert row(project, DocumentPair, "dp2")["status"] == "empty"
    nothing = anna.get("/extract?after=dp2")
    assert "waits for a quick yes or no" in nothing.text
    assert 'href="/extract/dp2"' in nothing.text
    assert "this document pair is finished" in anna.get("/extract/dp2").text
