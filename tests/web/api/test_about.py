"""Who made the corpus, through the API: the rules and checks of the page, and nobody's change is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from otherwords.project.about import About, AnnotatorFacts, CorpusAuthor, read_about
from otherwords.project.ledger import schema
from otherwords.web.app import API
from tests.web.people import Person

PersonNamed = Callable[[str], Person]
ADDRESS = f"{API}/about"
ENTRIES = {
    "title": "Harbour talk",
    "contact": "ada@example.org",
    "authors": [{"name": "Byron, Ada", "orcid": "https://orcid.org/0000-0002-1825-0097"}],
    "annotators": {"pay": "12 euros an hour"},
}


def test_a_curator_reads_and_replaces_all_entries(person: PersonNamed, client: TestClient, filled: Path) -> None:
    carl = person("carl")
    before = carl.get(ADDRESS).json()
    assert (before["title"], before["authors"], before["texts"]["genre"]) == ("", [], "")
    assert "annotators.pay" in before["empty"]
    after = carl.put(ADDRESS, json=ENTRIES | {"after": before["version"]})
    assert after.status_code == 200, after.text
    assert after.json() == carl.get(ADDRESS).json()
    assert after.json()["authors"] == [{"name": "Byron, Ada", "orcid": "0000-0002-1825-0097", "affiliation": ""}]
    assert "annotators.pay" not in after.json()["empty"]
    about = read_about(filled)
    assert about.authors == (CorpusAuthor("Byron, Ada", "0000-0002-1825-0097"),)
    assert about.annotators == AnnotatorFacts(pay="12 euros an hour")
    again = carl.put(ADDRESS, json=ENTRIES | {"after": before["version"]})
    assert again.json() == after.json(), "sent again, it changes nothing"
    late = person("ada").put(ADDRESS, json={"title": "Another", "after": before["version"]})
    assert (late.status_code, late.json()["code"]) == (409, "newer-version")
    assert person("ada").put(ADDRESS, json={"title": "Another"}).json()["authors"] == []
    with client.app.state.site.ledger.reading() as connection:  # type: ignore[attr-defined]
        events = connection.execute(select(schema.events).where(schema.events.c.action == "about changed")).all()
    assert [(event.actor, event.detail["changed"]) for event in events] == [
        ("carl", ["title", "contact", "authors", "annotators.pay"]),
        ("ada", ["title", "contact", "authors", "annotators.pay"]),
    ]


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ({"contact": "ask anybody"}, "bad-contact"),
        ({"authors": [{"name": "Ada", "orcid": "0000-0002-1825-0098"}]}, "bad-orcid"),
        ({"authors": [{"name": " "}]}, "author-without-name"),
        ({"title": "a\x07b"}, "control-character"),
        ({"tittle": "Harbour"}, None),
        ({"title": 3}, None),
        ({"description": "d" * 10_001}, None),
    ],
)
def test_mistakes_change_nothing(person: PersonNamed, filled: Path, entries: dict[str, Any], code: str | None) -> None:
    answer = person("carl").put(ADDRESS, json=entries)
    assert answer.status_code == 422
    assert code is None or answer.json()["code"] == code
    assert read_about(filled) == About()


@pytest.mark.parametrize("name", ["anna", "wim"])
def test_it_is_for_curators(person: PersonNamed, filled: Path, name: str) -> None:
    assert person(name).get(ADDRESS).status_code == 403
    assert person(name).put(ADDRESS, json=ENTRIES).status_code == 403
    assert read_about(filled).title == ""
