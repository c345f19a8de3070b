"""Batches of groups and of document pairs: how they are chosen, shown and judged, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, insert, update

from otherwords.annotate.batch_plans.create import BatchPlan, choose_items, create_batch
from otherwords.annotate.batches.batch import Batch
from otherwords.annotate.browse.filter import parse_filter
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers
from otherwords.annotate.work.reservations import reserve
from otherwords.annotate.work.tasks import MOST_TEXTS, build_tasks, recent_tasks, shown_units
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Document, DocumentPair, Judgement, Pair, Part
from tests.errors import raises

LONG = "The storm came at night. " * 40
PAIRS = [
    Pair(id="p1", text1="The storm closed the port.", text2="No ship left the port.", group="storm", source="a"),
    Pair(id="p2", text1="The storm closed the port.", text2=LONG, group="storm", source="a"),
    Pair(id="p3", text1="Eleven goals were scored.", text2="It ended six to five.", group="match", source="b"),
    Pair(id="p4", text1="Nobody knows.", text2="Who knows?"),
]
DOCUMENTS = [
    Document(id="d1", text="Bread gets dearer. So does milk.", group="prices", source="b", lang="en"),
    Document(id="d2", text="A loaf costs more now.", group="prices", source="b", lang="en"),
    Document(id="d3", text="Seen at the match.", group="match", source="b"),
]
DOCUMENT_PAIRS = [
    DocumentPair(id="dp1", doc1="d1", doc2="d2", method="news"),
    DocumentPair(id="dp2", doc1="d1", doc2="d2", method="forum", part=Part(start1=0, end1=18, start2=2, end2=6)),
]
SAME = """
name = "same-story"
title = "One story?"
unit = "document_pair"
[[values]]
value = "yes"
key = "1"
name = "yes"
"""


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    (project.folder / "schemes").mkdir()
    (project.folder / "schemes" / "same-story.toml").write_text(SAME, encoding="utf-8")
    about = {"import_id": None, "step": None, "step_key": None}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs), [row_of(record, **about, state=None) for record in PAIRS])
        connection.execute(insert(schema.documents), [row_of(record, import_id=None) for record in DOCUMENTS])
        rows = [row_of(record, step=None, step_key=None) for record in DOCUMENT_PAIRS]
        connection.execute(insert(schema.document_pairs), rows)
        yield connection


def create(connection: Connection, project: Project, name: str, scheme: str, **settings: Any) -> Batch:
    wanted = parse_filter(settings.pop("filter", {}))
    plan = BatchPlan(name=name, scheme=scheme, wanted=wanted, **settings)
    return create_batch(connection, project, plan, choose_items(connection, project, plan))


def items(connection: Connection, batch: Batch) -> list[str]:
    return [reservation.item for reservation in reserve(connection, batch, "anna", 50)]


@pytest.mark.parametrize(
    ("scheme", "settings", "chosen"),
    [
        ("topic", {}, ["storm", "match", "prices"]),
        ("topic", {"filter": {"source": "b"}}, ["match", "prices"]),
        ("topic", {"filter": {"group": "storm"}}, ["storm"]),
        ("topic", {"filter": {"lang": "en"}}, ["prices"]),
        ("same-story", {}, ["dp1", "dp2"]),
        ("same-story", {"filter": {"method": "forum", "source": "b"}}, ["dp2"]),
        ("likert", {"filter": {"group": "storm"}}, ["p1", "p2"]),
    ],
)
def test_the_scheme_says_what_is_chosen(
    connection: Connection, project: Project, scheme: str, settings: dict[str, Any], chosen: list[str]
) -> None:
    batch = create(connection, project, "one", scheme, **settings)
    assert batch.unit == load_scheme(scheme, project.folder).unit
    assert items(connection, batch) == chosen


def test_samples_and_units_of_other_batches(connection: Connection, project: Project) -> None:
    first = create(connection, project, "first", "topic", sample=2, seed=3, order="shuffled")
    drawn = items(connection, first)
    assert len(drawn) == 2
    assert items(connection, create(connection, project, "again", "topic", sample=2, seed=3, order="shuffled")) == drawn
    rest = create(connection, project, "rest", "topic", not_in=("first",))
    assert set(items(connection, rest)) == {"storm", "match", "prices"} - set(drawn)


@pytest.mark.parametrize(
    ("settings", "code", "fact"),
    [
        ({"filter": {"label": "4"}}, "unusable-filter", "source, lang, method, group; leave 'label' out"),
        ({"filter": {"query": "storm"}}, "unusable-filter", "'query'"),
        ({"sample": 0}, "bad-sample-size", "not 0"),
        ({"not_in": ("nope",)}, "no-such-batch", "'nope'"),
    ],
)
def test_impossible_selections_are_refused(
    connection: Connection, project: Project, settings: dict[str, Any], code: str, fact: str
) -> None:
    with raises(code, match=fact):
        create(connection, project, "one", "topic", **settings)


def test_a_group_is_shown_by_its_sentences(connection: Connection) -> None:
    shown = shown_units(connection, "group", ["storm", "prices", "nobody"])
    assert set(shown) == {"storm", "prices"}
    assert shown["storm"].texts[:2] == ("The storm closed the port.", "No ship left the port.")
    assert len(shown["storm"].texts) == 3
    assert shown["storm"].texts[2].endswith("at night.…")
    assert len(shown["storm"].texts[2]) <= 281
    assert shown["prices"].texts == ("Bread gets dearer. So does milk.", "A loaf costs more now.")
    assert shown["prices"].lang == "en"


def test_some_sentences_of_a_large_group_are_shown(connection: Connection) -> None:
    many = [Document(id=f"m{number}", text=f"Post {number}.", group="many") for number in range(50)]
    connection.execute(insert(schema.documents), [row_of(document, import_id=None) for document in many])
    assert len(shown_units(connection, "group", ["many"])["many"].texts) == MOST_TEXTS


def test_a_document_pair_is_shown_by_how_its_documents_begin(connection: Connection) -> None:
    shown = shown_units(connection, "document_pair", ["dp1", "dp2", "dp3"])
    assert {name: (unit.text1, unit.text2) for name, unit in shown.items()} == {
        "dp1": (DOCUMENTS[0].text, DOCUMENTS[1].text),
        "dp2": ("Bread gets dearer.", "loaf"),
    }


def test_a_removed_pair_is_not_shown_in_its_group(connection: Connection) -> None:
    connection.execute(update(schema.pairs).where(schema.pairs.c.group == "match").values(state="removed"))
    assert shown_units(connection, "group", ["match"])["match"].texts == ("Seen at the match.",)


def test_a_group_is_judged(connection: Connection, project: Project) -> None:
    batch = create(connection, project, "topics", "topic")
    taken = reserve(connection, batch, "anna", 2)
    shown = build_tasks(connection, batch, taken)
    assert [(task.pair, task.text1, task.context, len(task.texts)) for task in shown] == [
        (None, "", False, 3),
        (None, "", False, 2),
    ]
    body = AnswerBody(key="k", slot=taken[0].slot, value="event")
    (judgement,) = save_answers(connection, [("anna", body)], load_scheme, lambda *_: True)
    assert isinstance(judgement, Judgement)
    assert (judgement.unit, judgement.pair, judgement.value) == ("group", "storm", "event")
    (last,) = recent_tasks(connection, batch, "anna", 5)
    assert last.judgement is not None
    assert (last.texts, last.judgement["value"]) == (shown[0].texts, "event")
