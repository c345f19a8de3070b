"""Everybody sees the pairs of the latest release whose licences allow it, and nothing of the work on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from sqlalchemy import Connection, insert, update

from otherwords.annotate.browse import paging as pair_pages
from otherwords.annotate.browse.filter import NO_FILTER, Filter, parse_filter
from otherwords.annotate.browse.public import PublicRow, public_cells, public_page, public_pair
from otherwords.project import Project, search
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair, Passage
from tests.annotate.browsed import PAIRS, put, put_pairs
from tests.errors import raises

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
RELEASED_LABELS = {
    "agreed": "4>s",
    "settled": "4<i",
    "imported": "3",
    "changed": "x",
    "foreign": "yes",
    "rewritten": "4",
}
RELEASED_TYPES = {"typed": ["syn", 'odd "kind" 50%_']}
SHOWN_LICENSED = ["both-open", "one-document", "rewrite-of-open"]


def release(connection: Connection, version: str, time: str, licence: str | None, pairs: list[str]) -> None:
    release: dict[str, Any] = {"version": version, "time": time, "licence": licence, "meta": {}}
    connection.execute(insert(schema.releases).values(**release))
    rows = [
        {"version": version, "pair": name, "part": "train", "label": RELEASED_LABELS.get(name)}
        | {"types": RELEASED_TYPES.get(name, [])}
        for name in pairs
    ]
    connection.execute(insert(schema.released_pairs), rows)


def license_pairs(connection: Connection, licence: str | None) -> None:
    """Give a licence to all pairs but rewrites, which have that of their originals."""
    connection.execute(update(schema.pairs).where(schema.pairs.c.rewrite_of.is_(None)).values(licence=licence))


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        put(connection)
        put_pairs(connection, *LICENSED)
        license_pairs(connection, "CC BY 4.0")
        everything = [pair.id for pair in [*PAIRS, *LICENSED]]
        release(connection, "2.0", "2026-01-01", "CC0", everything)
        released = [name for name in everything if name not in UNRELEASED]
        release(connection, "1.9", "2026-02-01", "CC BY 4.0", released)
    search.update_index(project)
    with project.ledger.writing() as connection:
        yield connection


PLAIN = ["agreed", "settled", "taken-back", "imported", "changed", "typed", "foreign", "rewritten", "placed"]


def ids(connection: Connection, project: Project, **params: str) -> list[str]:
    rows, after = public_page(connection, project, parse_filter(params))
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


def test_pairs_without_documents_have_their_own_licence(connection: Connection, project: Project) -> None:
    for licence in (None, "all rights reserved"):
        license_pairs(connection, licence)
        assert ids(connection, project) == ["placed", "both-open", "rewrite-of-open"]


def test_what_is_judged_after_a_release_is_not_public(connection: Connection, project: Project) -> None:
    late = [
        Judgement(id="k1", pair="imported", value="2", annotator="anna", scheme="turku", batch="second look"),
        Judgement(id="k2", pair="agreed", value="1", kind="consensus", scheme="turku"),
        Judgement(id="k3", pair="settled", value=[{"type": "late"}], annotator="anna", scheme="vila"),
    ]
    connection.execute(insert(schema.judgements), [row_of(judgement) for judgement in late])
    labels = [public_pair(connection, name).label for name in ("imported", "agreed", "settled")]
    assert labels == ["3", "4>s", "4<i"]
    assert public_pair(connection, "settled").types == ()
    assert ids(connection, project, label="2") == ids(connection, project, label="1") == []
    assert ids(connection, project, type="late") == []
    assert ids(connection, project, label="3") == ["imported"]
    assert ids(connection, project, label="4>s") == ["agreed"]
    assert ids(connection, project, label="yes") == ["foreign"]


def test_nothing_is_public_before_a_release(project: Project) -> None:
    with project.ledger.writing() as connection:
        put(connection)
        assert public_page(connection, project, NO_FILTER) == ([], None)
        with raises("no-such-pair"):
            public_pair(connection, "agreed")


@pytest.mark.parametrize("params", [{"annotator": "anna"}, {"batch": "double"}, {"has": "note"}, {"has": "none"}])
def test_filters_on_annotation_work_are_not_public(
    connection: Connection, project: Project, params: dict[str, str]
) -> None:
    with raises("filter-not-public"):
        public_page(connection, project, parse_filter(params))


def test_a_public_row_has_no_fields_for_people(connection: Connection, project: Project) -> None:
    row = public_pair(connection, "agreed")
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
    assert public_pair(connection, "one-document").licences == ("CC BY 4.0", "CC BY-SA 4.0")
    assert public_pair(connection, "rewrite-of-open").licences == public_pair(connection, "both-open").licences


HIDDEN = [*UNRELEASED, "removed", "withdrawn", "one-closed", "rewrite-of-closed", "rewrite-of-that", "rewrite-of-lost"]


@pytest.mark.parametrize("name", [*HIDDEN, "nothing", ""])
def test_pairs_that_are_not_public_are_not_found(connection: Connection, project: Project, name: str) -> None:
    with raises("no-such-pair"):
        public_pair(connection, name)


def test_the_cells_of_a_row(connection: Connection, project: Project) -> None:
    shown = public_cells(public_pair(connection, "taken-back"))
    assert list(shown) == [field.name for field in fields(PublicRow)]
    assert (shown["text1"], shown["licences"], shown["scores"]) == ("'=1+1 is what he wrote.", "CC BY 4.0", "")
    assert public_cells(public_pair(connection, "one-document"))["licences"] == "CC BY 4.0; CC BY-SA 4.0"


@pytest.mark.parametrize("most", [1, 2, 5, 50])
def test_pages_of_any_size_hold_the_same_rows(
    connection: Connection, project: Project, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_pages, "MAX_ROWS_READ", 4)
    ids: list[str] = []
    after: int | None = None
    while True:
        rows, after = public_page(connection, project, Filter(), after, most)
        assert len(rows) <= most
        ids += [row.id for row in rows]
        if after is None:
            break
    assert ids == [*PLAIN, *SHOWN_LICENSED]
