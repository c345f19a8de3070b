"""Batches of groups and of document pairs: how they are chosen, shown and judged, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, insert, update

from otherwords.annotate.batches import Batch
from otherwords.annotate.judging import Said, judge
from otherwords.annotate.making import Plan, make_batch
from otherwords.annotate.pair_filter import parse
from otherwords.annotate.schemes import scheme
from otherwords.annotate.taking import take
from otherwords.annotate.units import MOST_TEXTS, shown_units
from otherwords.annotate.working import recent, tasks
from otherwords.errors import NotFound, Refused
from otherwords.project import Project, schema
from otherwords.project.rows import row_of
from otherwords.records import Document, DocumentPair, Judgement, Pair, Part

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
        connection.execute(insert(schema.pairs), [row_of(one, **about, state=None) for one in PAIRS])
        connection.execute(insert(schema.documents), [row_of(one, import_id=None) for one in DOCUMENTS])
        rows = [row_of(one, step=None, step_key=None) for one in DOCUMENT_PAIRS]
        connection.execute(insert(schema.document_pairs), rows)
        yield connection


def made(connection: Connection, project: Project, name: str, of: str, **wishes: Any) -> Batch:
    wanted = parse(wishes.pop("filter", {}))
    return make_batch(connection, project, Plan(name=name, scheme=of, wanted=wanted, **wishes))


def items(connection: Connection, batch: Batch) -> list[str]:
    return [one.item for one in take(connection, batch, "anna", 50)]


@pytest.mark.parametrize(
    ("of", "wishes", "chosen"),
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
    connection: Connection, project: Project, of: str, wishes: dict[str, Any], chosen: list[str]
) -> None:
    batch = made(connection, project, "one", of, **wishes)
    assert batch.unit == scheme(of, project.folder).unit
    assert items(connection, batch) == chosen


def test_samples_and_what_other_batches_have(connection: Connection, project: Project) -> None:
    first = made(connection, project, "first", "topic", sample=2, seed=3, order="shuffled")
    drawn = items(connection, first)
    assert len(drawn) == 2
    assert items(connection, made(connection, project, "again", "topic", sample=2, seed=3, order="shuffled")) == drawn
    rest = made(connection, project, "rest", "topic", not_in=("first",))
    assert set(items(connection, rest)) == {"storm", "match", "prices"} - set(drawn)


@pytest.mark.parametrize(
    ("wishes", "error", "reason"),
    [
        ({"filter": {"label": "4"}}, Refused, "groups are chosen by source, lang, method, group; leave 'label' out"),
        ({"filter": {"query": "storm"}}, Refused, "leave 'query' out"),
        ({"sample": 0}, Refused, "at least one"),
        ({"not_in": ("nope",)}, NotFound, "no batch 'nope'"),
    ],
)
def test_what_cannot_be_chosen(
    connection: Connection, project: Project, wishes: dict[str, Any], error: type[Refused], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        made(connection, project, "one", "topic", **wishes)


def test_a_group_is_shown_by_its_sentences(connection: Connection) -> None:
    shown = shown_units(connection, "group", ["storm", "prices", "nobody"])
    assert set(shown) == {"storm", "prices"}
    assert shown["storm"].texts[:2] == ("The storm closed the port.", "No ship left the port.")
    assert len(shown["storm"].texts) == 3
    assert shown["storm"].texts[2].endswith("at night.…")
    assert len(shown["storm"].texts[2]) <= 281
    assert shown["prices"].texts == ("Bread gets dearer. So does milk.", "A loaf costs more now.")
    assert shown["prices"].lang == "en"


def test_of_a_large_group_some_sentences_are_shown(connection: Connection) -> None:
    many = [Document(id=f"m{number}", text=f"Post {number}.", group="many") for number in range(50)]
    connection.execute(insert(schema.documents), [row_of(one, import_id=None) for one in many])
    assert len(shown_units(connection, "group", ["many"])["many"].texts) == MOST_TEXTS


def test_a_document_pair_is_shown_by_its_beginnings(connection: Connection) -> None:
    shown = shown_units(connection, "document_pair", ["dp1", "dp2", "dp3"])
    assert {name: (one.text1, one.text2) for name, one in shown.items()} == {
        "dp1": (DOCUMENTS[0].text, DOCUMENTS[1].text),
        "dp2": ("Bread gets dearer.", "loaf"),
    }


def test_a_removed_pair_is_out_of_its_group(connection: Connection) -> None:
    connection.execute(update(schema.pairs).where(schema.pairs.c.group == "match").values(state="removed"))
    assert shown_units(connection, "group", ["match"])["match"].texts == ("Seen at the match.",)


def test_a_group_is_judged(connection: Connection, project: Project) -> None:
    batch = made(connection, project, "topics", "topic")
    taken = take(connection, batch, "anna", 2)
    told = tasks(connection, batch, taken)
    assert [(one.pair, one.text1, one.context, len(one.texts)) for one in told] == [
        (None, "", False, 3),
        (None, "", False, 2),
    ]
    said = Said(key="k", slot=taken[0].slot, value="event")
    (judgement,) = judge(connection, [("anna", said)], scheme, lambda *_: True)
    assert isinstance(judgement, Judgement)
    assert (judgement.unit, judgement.pair, judgement.value) == ("group", "storm", "event")
    (last,) = recent(connection, batch, "anna", 5)
    assert last.judgement is not None
    assert (last.texts, last.judgement["value"]) == (told[0].texts, "event")
