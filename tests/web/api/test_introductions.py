"""The introduction of a batch through the site: it comes before the first pair, and a code at the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherwords.web.app import API
from tests.web.api.test_crowd import answer, right, work
from tests.web.crowds import add_crowd
from tests.web.people import Person

PersonNamed = Callable[[str], Person]
BATCH = f"{API}/batches/harbour"
TEXT = "# About ferries\n\nYou compare *two* sentences. <b>It takes an hour.</b>"


@pytest.fixture
def introduced(person: PersonNamed, filled: Path) -> Callable[..., dict[str, Any]]:
    """Publish an introduction of the crowd's batch as a curator."""
    add_crowd(filled, every=2)

    def publish(text: str = TEXT, **fields: Any) -> dict[str, Any]:
        reply = person("carl").ask("PUT", f"{BATCH}/introduction", json={"key": "k", "text": text, **fields})
        assert reply.status_code == 200, reply.text
        body: dict[str, Any] = reply.json()
        return body

    return publish


def test_take_is_refused_until_somebody_agrees(person: PersonNamed, introduced: Callable[..., dict[str, Any]]) -> None:
    assert introduced()["version"] == 1
    wim = person("wim")
    for path in (f"{BATCH}/take?count=3", f"{BATCH}/take?most=3&count=3"):  # the short way and the framework's
        refused = wim.post(path)
        assert (refused.status_code, refused.json()["code"]) == (403, "consent-needed")
    shown = wim.get(f"{BATCH}/introduction").json()
    assert shown["html"].startswith("<h2>About ferries</h2>")
    assert "<b>" not in shown["html"]
    assert shown["agreed"] is None
    consent = wim.post(f"{BATCH}/consent", json={"key": "k", "version": 1})
    assert consent.status_code == 201
    assert (consent.json()["annotator"], consent.json()["version"]) == ("wim", 1)
    assert wim.get(f"{BATCH}/introduction").json()["agreed"] == consent.json()["time"]
    assert len(wim.post(f"{BATCH}/take?count=3").json()) == 3


def test_a_batch_without_one_has_no_page_in_between(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled, every=2)
    wim = person("wim")
    assert wim.get("/classify/harbour").status_code == 200
    assert wim.get("/introduction/harbour").headers["location"] == "/classify/harbour"
    assert wim.get(f"{BATCH}/introduction").status_code == 404
    assert "ompletion" not in wim.get("/classify/harbour").text.replace("completion.js", "")
    assert "ompletion" not in wim.get("/").text


def test_the_page_records_the_version_that_was_read(
    person: PersonNamed, introduced: Callable[..., dict[str, Any]]
) -> None:
    introduced()
    wim = person("wim")
    assert wim.get("/classify/harbour").headers["location"] == "/introduction/harbour"
    page = wim.get("/introduction/harbour").text
    assert 'name="version" value="1"' in page
    introduced("Another text.")
    sent = wim.post("/introduction/harbour", data={"csrf": wim.csrf, "version": "1"})
    assert (sent.status_code, sent.headers["location"]) == (303, "/classify/harbour")
    assert wim.get("/classify/harbour").headers["location"] == "/introduction/harbour"  # the new one was not read yet
    wim.post("/introduction/harbour", data={"csrf": wim.csrf, "version": "2"})
    assert wim.get("/classify/harbour").status_code == 200
    consents = person("carl").get(f"{API}/crowd/harbour/consents").json()
    assert [(consent["worker"], consent["version"]) for consent in consents] == [("wim", 1), ("wim", 2)]
    for version in ("", "0", "x", "99999999999"):
        assert wim.post("/introduction/harbour", data={"csrf": wim.csrf, "version": version}).status_code == 422
    assert wim.post("/introduction/harbour", data={"csrf": wim.csrf, "version": "3"}).status_code == 404


def test_a_code_at_the_end_that_a_curator_can_check(
    person: PersonNamed, introduced: Callable[..., dict[str, Any]]
) -> None:
    introduced(code_after=0)
    wim, carl = person("wim"), person("carl")
    wim.post(f"{BATCH}/consent", json={"key": "k", "version": 1})
    assert wim.post(f"{BATCH}/completion").json()["code"] == "not-finished"
    assert "Not yet" in wim.get("/completion/harbour").text
    done = len(work(wim, right))
    code = wim.post(f"{BATCH}/completion").json()
    assert (code["annotator"], code["answers"]) == ("wim", done)
    assert code["code"] in wim.get("/completion/harbour").text
    assert '<a href="/completion/harbour">harbour</a>' in wim.get("/").text
    checked = carl.get(f"{API}/crowd/harbour/code", params={"code": code["code"].lower()}).json()
    assert (checked["worker"], checked["answers"], checked["state"]) == ("wim", done, "active")
    assert carl.get(f"{API}/crowd/harbour/code", params={"code": "nonsense"}).json()["code"] == "no-such-code"
    page = carl.get("/crowd/harbour", params={"code": code["code"]}).text
    assert f"{code['code']} is the code of" in page
    assert "There is no such code in this batch" in carl.get("/crowd/harbour", params={"code": "nonsense"}).text


def test_the_code_of_a_batch_for_others_is_not_given(
    person: PersonNamed, introduced: Callable[..., dict[str, Any]]
) -> None:
    introduced(code_after=1)
    anna = person("anna")
    anna.post(f"{BATCH}/consent", json={"key": "k", "version": 1})
    [task] = anna.post(f"{BATCH}/take?count=1").json()
    answer(anna, task, right(task))
    assert anna.post(f"{BATCH}/completion").status_code == 200
    assert person("ben").post(f"{BATCH}/completion").json()["code"] == "not-finished"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"text": " ", "code": ""}, "needs a text"),
        ({"text": "Hello.", "code": "some", "answers": ""}, "fter how many"),
        ({"text": "Hello.", "code": "some", "answers": "0"}, "not a whole number"),
        ({"text": "Hello.", "after": "7"}, "Somebody else published"),
    ],
)
def test_the_editor_keeps_what_was_typed(
    person: PersonNamed, filled: Path, fields: dict[str, str], problem: str
) -> None:
    add_crowd(filled)
    carl = person("carl")
    reply = carl.post("/crowd/harbour/introduction", data={"csrf": carl.csrf, **fields})
    assert reply.status_code in (409, 422)
    assert problem in reply.text
    assert fields["text"].strip() in reply.text


def test_what_somebody_else_published_is_read_first(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled)
    carl = person("carl")
    fields = {"csrf": carl.csrf, "after": "0"}
    assert carl.post("/crowd/harbour/introduction", data={**fields, "text": "First."}).status_code == 303
    refused = carl.post("/crowd/harbour/introduction", data={**fields, "text": "Mine."})
    assert refused.status_code == 409
    assert 'name="after" value="1"' in refused.text
    assert carl.post("/crowd/harbour/introduction", data={**fields, "text": "Mine.", "after": "1"}).status_code == 303
    assert carl.get(f"{BATCH}/introduction").json()["text"] == "Mine."


def test_the_editor_publishes_and_shows(person: PersonNamed, filled: Path) -> None:
    add_crowd(filled)
    carl = person("carl")
    assert "none yet" in carl.get("/crowd/harbour/introduction").text
    fields = {"csrf": carl.csrf, "text": "Hello, *you*.", "code": "some", "answers": "12", "after": "0"}
    preview = carl.post("/crowd/harbour/introduction/preview", data=fields).text
    assert "<em>you</em>" in preview
    assert 'value="12"' in preview
    sent = carl.post("/crowd/harbour/introduction", data=fields)
    assert (sent.status_code, sent.headers["location"]) == (303, "/crowd/harbour#published")
    shown = carl.get(f"{BATCH}/introduction").json()
    assert (shown["version"], shown["code_after"], shown["author"]) == (1, 12, "carl")
    page = carl.get("/crowd/harbour").text
    assert "0 people have agreed to it" in page
    assert "after 12 answers" in page
    assert carl.get("/crowd/nowhere/introduction").status_code == 404
