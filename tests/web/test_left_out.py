"""Curators leave a pair out of the corpus on its page, and take it back."""

from __future__ import annotations

from collections.abc import Callable

import httpx2 as httpx

from tests.web.people import Person

PersonNamed = Callable[[str], Person]
PAGE = {"accept": "text/html"}


def send(person: Person, path: str, reason: str = "") -> httpx.Response:
    return person.post(path, data={"csrf": person.csrf, "reason": reason}, headers=PAGE)


def test_a_curator_leaves_a_pair_out_and_takes_it_back(person: PersonNamed) -> None:
    curator, annotator = person("carl"), person("ben")
    assert "Leave it out" in curator.get("/pairs/p6", headers=PAGE).text
    assert "Leave it out" not in annotator.get("/pairs/p6", headers=PAGE).text
    refused = send(curator, "/pairs/p6/leave-out", " ")
    assert refused.status_code == 422
    assert "say why" in refused.text
    assert send(curator, "/pairs/p6/leave-out", "not a <b>sentence</b>").status_code == 303
    shown = curator.get("/pairs/p6", headers=PAGE).text
    assert "Left out of the corpus by carl" in shown
    assert "not a &lt;b&gt;sentence&lt;/b&gt;" in shown
    assert "Take it back" in shown
    assert "sentence" not in annotator.get("/pairs/p6", headers=PAGE).text, "whoever may still judge it is not told why"
    assert send(curator, "/pairs/p6/take-back").status_code == 303
    assert "Leave it out" in curator.get("/pairs/p6", headers=PAGE).text


def test_the_api_does_the_same(person: PersonNamed) -> None:
    curator = person("carl")
    out = curator.post("/api/v1/pairs/p6/leave-out", json={"key": "k1", "reason": "spam"}).json()
    assert (out["row"]["left_out"], out["left_out"]["author"]) == ("spam", curator.name)
    back = curator.post("/api/v1/pairs/p6/take-back", json={"key": "k2"}).json()
    assert (back["row"]["left_out"], back["left_out"]) == (None, None)
    again = curator.post("/api/v1/pairs/p6/leave-out", json={"key": "k1", "reason": "spam"})
    assert again.json()["left_out"] is None, "the same request, sent again"
    assert curator.post("/api/v1/pairs/none/leave-out", json={"key": "k3", "reason": "spam"}).status_code == 404
    no_reason = curator.post("/api/v1/pairs/p6/leave-out", json={"key": "k4"})
    assert (no_reason.status_code, no_reason.json()["code"]) == (422, "no-reason")
