"""Curators say on the site who made the corpus; it goes into the settings, and into the audit trail."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path

import httpx2 as httpx
from sqlalchemy import select
from starlette.testclient import TestClient

from otherwords.project.about import CorpusAuthor, read_about
from otherwords.project.ledger import schema
from tests.web.people import Person

PersonNamed = Callable[[str], Person]
PAGE = {"accept": "text/html"}


def send(person: Person, after: str, **fields: str) -> httpx.Response:
    data = {"csrf": person.csrf, "after": after} | {name.replace("__", "."): value for name, value in fields.items()}
    return person.post("/about", data=data, headers=PAGE)


def version(person: Person) -> str:
    match = re.search(r'name="after" value="(\w+)"', person.get("/about", headers=PAGE).text)
    assert match is not None
    return match[1]


def test_a_curator_says_who_made_the_corpus(person: PersonNamed, client: TestClient, filled: Path) -> None:
    carl = person("carl")
    before = version(carl)
    authors = "Byron, Ada; 0000-0002-1825-0097; Institute; of Engines\r\nGrace Hopper"
    answer = send(carl, before, title="Harbour <talk>", authors=authors, annotators__pay="12 euros an hour")
    assert answer.status_code == 303, answer.text
    about = read_about(filled)
    assert about.authors[0] == CorpusAuthor("Byron, Ada", "0000-0002-1825-0097", "Institute; of Engines")
    assert (about.title, about.annotators.pay) == ("Harbour <talk>", "12 euros an hour")
    assert about.authors[1].name == "Grace Hopper"
    shown = html.unescape(carl.get("/about", headers=PAGE).text)
    assert "Byron, Ada; 0000-0002-1825-0097; Institute; of Engines\nGrace Hopper</textarea>" in shown
    with client.app.state.site.ledger.reading() as connection:  # type: ignore[attr-defined]
        events = connection.execute(select(schema.events).where(schema.events.c.action == "about changed")).all()
    assert [(event.actor, event.detail) for event in events] == [
        ("carl", {"changed": ["title", "authors", "annotators.pay"]})
    ]
    late = send(person("ada"), before, title="Another")
    assert late.status_code == 409
    assert read_about(filled).title == "Harbour <talk>"


def test_a_mistake_is_shown_with_what_was_typed(person: PersonNamed, filled: Path) -> None:
    carl = person("carl")
    answer = send(carl, version(carl), title="Harbour", contact="ask anybody")
    assert answer.status_code == 422
    assert "neither an e-mail address nor a web address" in html.unescape(answer.text)
    assert 'value="ask anybody"' in answer.text
    assert read_about(filled).title == ""
