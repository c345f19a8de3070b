"""Everybody sees the pairs of the latest release whose licences allow it, and nothing of the work on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from sqlalchemy import Connection, insert, update

from otherwords.annotate import pair_pages
from otherwords.annotate.pair_filter import EVERYTHING, Filter, parse
from otherwords.annotate.public_browsing import PublicRow, public_cells, public_one, public_page
from otherwords.errors import NotAllowed, NotFound
from otherwords.project import Project, schema, search
from otherwords.records import Pair, Passage
from tests.annotate.browsed import PAIRS, put, put_pairs

UNRELEASED = ("open", "bare")


def from_documents(name: str, doc1: str | None, doc2: str | None, rewrite_of: str | None = None) -> Pair:
    passages = {
        side: Passage(id=doc, start=0, end=1) for side, doc in (("doc1", doc1), ("doc2", doc2)) if doc is not None
    }
    return Pair(id=name, text1=f"{name} one", text2=f"{name} two", rewrite_of=rewrite_of, **passages)


LICENSED = [
    from_documents("both-open", "d1", "d2"),
    from_documents("one-closed", "d1", "d3"),
    from_documents("one-untold", "d4", "d1"),
    from_documents("one-unknown", "d1", "lost"),
    from_documents("one-document", "d1", None),
    from_documents("rewrite-of-closed", None, None, "one-closed"),
    from_documents("rewrite-of-that", None, None, "rewrite-of-closed"),
    from_documents("rewrite-of-open", None, None, "both-open"),
    from_documents("rewrite-of-lost", None, None, "nowhere"),
    from_documents("rewrite-of-itself", None, None, "rewrite-of-itself"),
]
SHOWN_LICENSED = ["both-open", "one-document", "rewrite-of-open"]


def release(connection: Connection, version: str, time: str, licence: str | None, pairs: list[str]) -> None:
    told: dict[str, Any] = {"version": version, "time": time, "licence": licence, "meta": {}}
    connection.execute(insert(schema.releases).values(**told))
    rows = [{"version": version, "pair": name, "part": "train"} for name in pairs]
    connection.execute(insert(schema.released_pairs), rows)


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        put(connection)
        put_pairs(connection, *LICENSED)
        everything = [pair.id for pair in [*PAIRS, *LICENSED]]
        release(connection, "2.0", "2026-01-01", "CC0", everything)
        released = [name for name in everything if name not in UNRELEASED]
        release(connection, "1.9", "2026-02-01", "CC BY 4.0", released)
    search.catch_up(project)
    with project.ledger.writing() as connection:
        yield connection


PLAIN = ["agreed", "settled", "taken-back", "imported", "changed", "typed", "foreign", "rewritten", "placed"]


def ids(connection: Connection, project: Project, **params: str) -> list[str]:
    rows, after = public_page(connection, project, parse(params))
    assert after is None
    return [row.id for row in rows]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, [*PLAIN, *SHOWN_LICENSED]),
        ({"query": "harbour"}, ["agreed"]),
        ({"label": "4", "projection": "base"}, ["agreed", "settled", "rewritten"]),
        ({"type": "syn"}, ["typed"]),
        ({"source": "news"}, ["agreed", "changed"]),
        ({"method": "rewrite"}, ["rewritten"]),
        ({"measure": "bleu"}, ["typed"]),
        ({"query": "closed"}, []),
    ],
)
def test_the_latest_release_as_far_as_licences_allow(
    connection: Connection, project: Project, params: dict[str, str], expected: list[str]
) -> None:
    assert ids(connection, project, **params) == expected


def test_what_has_no_documents_stands_under_the_licence_of_the_release(
    connection: Connection, project: Project
) -> None:
    for licence in (None, "all rights reserved"):
        connection.execute(update(schema.releases).values(licence=licence))
        assert ids(connection, project) == ["placed", "both-open", "rewrite-of-open"]


def test_nothing_is_public_before_a_release(project: Project) -> None:
    with project.ledger.writing() as connection:
        put(connection)
        assert public_page(connection, project, EVERYTHING) == ([], None)
        with pytest.raises(NotFound):
            public_one(connection, project, "agreed")


@pytest.mark.parametrize("params", [{"annotator": "anna"}, {"batch": "double"}, {"has": "note"}, {"has": "none"}])
def test_the_work_is_not_public(connection: Connection, project: Project, params: dict[str, str]) -> None:
    with pytest.raises(NotAllowed):
        public_page(connection, project, parse(params))


def test_a_row_has_no_place_for_people(connection: Connection, project: Project) -> None:
    row = public_one(connection, project, "agreed")
    assert row == PublicRow(
        seq=1,
        id="agreed",
        text1="Rain fell on the harbour.",
        text2="It rained at the port.",
        lang="en",
        source="news",
        group=None,
        method=None,
        label="4>s",
        types=(),
        scores={},
        part="train",
        licences=("CC BY 4.0",),
        version="1.9",
    )
    names = {field.name for field in fields(PublicRow)}
    work = {"annotator", "note", "remarks", "discussion", "batch", "seconds", "judgements", "meta", "gold"}
    assert not names & work
    assert public_one(connection, project, "one-document").licences == ("CC BY 4.0", "CC BY-SA 4.0")
    assert (
        public_one(connection, project, "rewrite-of-open").licences
        == public_one(connection, project, "both-open").licences
    )


HIDDEN = [*UNRELEASED, "removed", "withdrawn", "one-closed", "rewrite-of-closed", "rewrite-of-that", "rewrite-of-lost"]


@pytest.mark.parametrize("name", [*HIDDEN, "nothing", ""])
def test_what_is_not_public_is_not_found(connection: Connection, project: Project, name: str) -> None:
    with pytest.raises(NotFound):
        public_one(connection, project, name)


def test_the_cells_of_a_row(connection: Connection, project: Project) -> None:
    told = public_cells(public_one(connection, project, "taken-back"))
    assert list(told) == [field.name for field in fields(PublicRow)]
    assert (told["text1"], told["licences"], told["scores"]) == ("'=1+1 is what he wrote.", "CC BY 4.0", "")
    assert public_cells(public_one(connection, project, "one-document"))["licences"] == "CC BY 4.0; CC BY-SA 4.0"


@pytest.mark.parametrize("most", [1, 2, 5, 50])
def test_pages_of_any_size_hold_the_same_rows(
    connection: Connection, project: Project, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_pages, "MOST_LOOKED_AT", 4)
    told: list[str] = []
    after: int | None = None
    while True:
        rows, after = public_page(connection, project, Filter(), after, most)
        assert len(rows) <= most
        told += [row.id for row in rows]
        if after is None:
            break
    assert told == [*PLAIN, *SHOWN_LICENSED]
