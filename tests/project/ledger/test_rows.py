"""A record that goes into the ledger comes out as it was, on either database."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert

from otherwords.project import Project
from otherwords.project.ledger.rows import TABLES, read_records, row_of
from otherwords.records import Document, DocumentPair, Gold, Judgement, Pair, Part, Passage, Record

NUMBERS = itertools.count()
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
maybe = st.none() | texts
# SQLite stores a bare number of a JSON column as its own type, of which only 15 digits are certain.
numbers = st.integers(-(10**12), 10**12).map(lambda number: number / 1000)
places = st.integers(0, 2**31 - 1)
json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | numbers | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
metas = st.dictionaries(texts, json, max_size=2)
passages = st.none() | st.builds(Passage, id=texts, start=places, end=places)
parts = st.none() | st.builds(Part, start1=places, end1=places, start2=places, end2=places)
ids = st.builds(lambda text: f"{next(NUMBERS)}{text}", texts)
KINDS: dict[type[Record], st.SearchStrategy[Any]] = {
    Document: st.builds(
        Document, id=ids, text=texts, lang=maybe, source=maybe, group=maybe, time=maybe, consent=maybe, meta=metas
    ),
    DocumentPair: st.builds(
        DocumentPair,
        id=ids,
        doc1=texts,
        doc2=texts,
        part=parts,
        similarity=st.none() | numbers,
        round=places,
        status=maybe,
        seconds=st.none() | numbers,
        meta=metas,
    ),
    Pair: st.builds(
        Pair,
        id=ids,
        text1=texts,
        text2=texts,
        doc1=passages,
        doc2=passages,
        rewrite_of=maybe,
        scores=st.dictionaries(texts, st.none() | numbers, max_size=2),
        label=maybe,
        gold=st.none() | st.builds(Gold, label=texts, explanation=maybe),
        meta=metas,
    ),
    Judgement: st.builds(
        Judgement,
        id=ids,
        pair=texts,
        value=json,
        unit=st.sampled_from(["pair", "document_pair", "group"]),
        annotator=maybe,
        round=places,
        unsure=st.booleans(),
        note=maybe,
        rewrites=st.lists(st.tuples(texts, texts), max_size=2),
        context_shown=st.none() | st.booleans(),
        seconds=st.none() | numbers,
        meta=metas,
    ),
}


@pytest.mark.parametrize("noun", KINDS, ids=lambda noun: noun.__name__)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_record_is_read_as_it_was_written(project: Project, noun: type[Record], data: st.DataObject) -> None:
    expected = data.draw(st.lists(KINDS[noun], min_size=1, max_size=6))
    table = TABLES[noun]
    with project.ledger.writing() as connection:
        connection.execute(table.delete())
        connection.execute(insert(table), [row_of(record) for record in expected])
    with project.ledger.reading() as connection:
        assert list(read_records(connection, noun)) == expected
        first = expected[0]
        assert list(read_records(connection, noun, table.c.id == first.id)) == [first]  # type: ignore[attr-defined]
