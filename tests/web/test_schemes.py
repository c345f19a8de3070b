"""Schemes on the site: batches of any of them, answers of every shape, and labels to look for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.people import Person

PersonNamed = Callable[[str], Person]
PAGE = {"accept": "text/html"}
HUMOUR = 'name = "humour"\ntitle = "Funny?"\n[[values]]\nvalue = "<b>"\nkey = "1"\nname = "<i>yes</i>"\n'


def make_slot(person: PersonNamed, scheme: str, **options: Any) -> int:
    """A batch of a scheme, and its first slot, taken."""
    plan = {"key": f"make-{scheme}", "name": scheme, "scheme": scheme, **options}
    answer = person("carl").post("/api/v1/batches", json=plan)
    assert answer.status_code == 201, answer.text
    return int(person("anna").post(f"/api/v1/batches/{scheme}/take?count=1").json()[0]["slot"])


@pytest.mark.parametrize(
    ("scheme", "sent", "stored"),
    [
        (
            "likert",
            {"fluency": 5, "similarity": 4, "diversity": 2},
            {"fluency": "5", "similarity": "4", "diversity": "2"},
        ),
        ("rupaws", {"well_formed": True, "paraphrase": False}, {"well_formed": "yes", "paraphrase": "no"}),
        ("good-poor", {"copy": 1, "word": 0}, {"copy": 1}),
        ("suzuki-changes", ["order"], ["order"]),
        ("binary-strict", True, "yes"),
    ],
)
def test_answers_of_every_shape(person: PersonNamed, scheme: str, sent: Any, stored: Any) -> None:
    slot = make_slot(person, scheme)
    anna = person("anna")
    answer = anna.post("/api/v1/judgements", json={"key": "k", "slot": slot, "value": sent})
    assert (answer.status_code, answer.json().get("value")) == (201, stored)
    again = anna.post("/api/v1/judgements", json={"key": "k", "slot": slot, "value": stored})
    assert again.json() == answer.json()
    assert anna.get(f"/classify/{scheme}", headers=PAGE).status_code == 200


@pytest.mark.parametrize(
    "sent",
    [None, "5", {}, {"fluency": 5}, {"fluency": 5, "similarity": 4, "diversity": 2**70}, [1], 1e300, {"": {}}, [[[]]]],
)
def test_nonsense_is_refused(person: PersonNamed, sent: Any) -> None:
    slot = make_slot(person, "likert")
    answer = person("anna").post("/api/v1/judgements", json={"key": "k", "slot": slot, "value": sent})
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_a_scheme_of_the_project(person: PersonNamed, filled: Path) -> None:
    (filled / "schemes").mkdir()
    (filled / "schemes" / "humour.toml").write_text(HUMOUR, encoding="utf-8")
    (filled / "schemes" / "humour.md").write_text("# How to laugh", encoding="utf-8")
    slot = make_slot(person, "humour")
    page = person("anna").get("/classify/humour", headers=PAGE).text
    assert "How to laugh" in page
    assert "<i>yes" not in page
    body = {"key": "k", "slot": slot, "value": "<b>", "guideline": "humour@0"}
    assert person("anna").post("/api/v1/judgements", json=body).status_code == 201
    matching = person("carl").get("/browse.json?label=%3Cb%3E").json()
    assert [row["id"] for row in matching["rows"]] == ["p0"]
    assert '<option value="&lt;b&gt;">' in person("carl").get("/browse", headers=PAGE).text


def test_a_file_that_was_broken_since(person: PersonNamed, filled: Path) -> None:
    (filled / "schemes").mkdir()
    path = filled / "schemes" / "humour.toml"
    path.write_text(HUMOUR, encoding="utf-8")
    slot = make_slot(person, "humour")
    path.write_text("name = ", encoding="utf-8")
    answer = person("anna").get("/classify/humour", headers=PAGE)
    assert answer.status_code < 500
    assert "not a scheme" in answer.text
    saved = person("anna").post("/api/v1/judgements", json={"key": "k", "slot": slot, "value": "<b>"})
    assert 400 <= saved.status_code < 500
    assert person("carl").get("/browse", headers=PAGE).status_code == 200
    assert person("carl").get("/batches", headers=PAGE).status_code == 200


def test_a_preview_counts_what_the_scheme_is_about(person: PersonNamed) -> None:
    assert "8 pairs fit" in person("carl").get("/batches/new?scheme=likert", headers=PAGE).text
    assert "0 groups fit" in person("carl").get("/batches/new?scheme=topic", headers=PAGE).text
    wrong = person("carl").get("/batches/new?scheme=topic&label=4", headers=PAGE)
    assert (wrong.status_code, "Groups are chosen by" in wrong.text) == (422, True)
    refused = person("carl").post("/api/v1/batches", json={"key": "k", "name": "n", "scheme": "nope"})
    assert 400 <= refused.status_code < 500
