"""Pairs of headings: ranked by how differently they announce the same article."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from otherwords.align.candidates import SCHEMA, Band, document_pair_id
from otherwords.align.headings import (
    BEYOND,
    BODY,
    HEADING,
    NO_HEADING,
    SAME_HEADING,
    SAME_PAIR,
    TOO_LOW,
    heading_pairs,
)
from otherwords.align.news import news_pairs
from otherwords.measures import measure
from otherwords.records import Document, Pair, Passage
from tests.align.articles import FERRY, FERRY_TOO, article
from tests.errors import raises

TITLES = {
    "a": "Storm stops the night ferry",
    "b": "Islanders stay at home after Monday's gale",
    "c": "Storm stops night ferry to islands",
    "d": "STORM  stops the night ferry",
    "e": None,
    "f": "Islanders stay at home after Monday's gale",
}


def articles() -> list[Document]:
    return [
        article(name, title=title, time=f"2021-03-0{place + 1}") for place, (name, title) in enumerate(TITLES.items())
    ]


def candidates(*rows: tuple[str, str, float]) -> pa.Table:
    columns = zip(*((doc1, doc2, None, similarity, True, None) for doc1, doc2, similarity in rows), strict=True)
    return pa.table([list(column) for column in columns], schema=SCHEMA)


def documents_of(pair: Pair) -> tuple[str, str]:
    """The articles that a pair of headings is from: none is in the text of its article."""
    assert pair.doc1 is not None
    assert pair.doc2 is not None
    assert (pair.doc1.start, pair.doc1.end, pair.doc2.start, pair.doc2.end) == (None,) * 4
    return pair.doc1.id, pair.doc2.id


def test_the_least_similar_headings_come_first() -> None:
    pairs, table = heading_pairs(articles(), candidates(("a", "c", 0.9), ("a", "b", 0.8)), low=0.7)
    assert [(pair.text1, pair.text2) for pair in pairs] == [(TITLES["a"], TITLES["b"]), (TITLES["a"], TITLES["c"])]
    assert table["kept"].to_pylist() == [True, True]
    similarity = measure("char-cosine-tfidf")
    similarity.fit([sorted({title for title in TITLES.values() if title})])
    expected = float(similarity.scores([TITLES["a"]], [TITLES["b"]])[0])
    first = pairs[0]
    assert first.scores == {BODY: 0.8, HEADING: pytest.approx(expected, abs=1e-15)}
    assert (first.id, first.method, first.source) == (document_pair_id("headings", "a", "b"), "headings", "headings")
    assert (documents_of(first), first.time) == (("a", "b"), "2021-03-01")


def test_of_equal_headings_the_more_similar_bodies_come_first() -> None:
    documents = [*articles(), article("g", title="Storm stops the night ferry")]
    pairs, table = heading_pairs(documents, candidates(("a", "b", 0.8), ("f", "g", 0.9)), low=0.5)
    assert [documents_of(pair) for pair in pairs] == [("f", "g")]
    assert table["reason"].to_pylist() == [None, SAME_PAIR]


def test_what_is_dropped_has_a_reason() -> None:
    rows = candidates(
        ("a", "b", 0.8), ("a", "c", 0.9), ("a", "d", 1.0), ("a", "e", 0.9), ("a", "f", 0.8), ("b", "c", 0.6)
    )
    pairs, table = heading_pairs(articles(), rows, low=0.7, most=1)
    reasons = {(row["doc1"], row["doc2"]): row["reason"] for row in table.to_pylist()}
    assert reasons == {
        ("a", "b"): None,
        ("a", "c"): BEYOND,
        ("a", "d"): SAME_HEADING,
        ("a", "e"): NO_HEADING,
        ("a", "f"): SAME_PAIR,
        ("b", "c"): TOO_LOW,
    }
    assert len(pairs) == 1


def test_the_order_of_rows_and_documents_does_not_matter() -> None:
    rows = [("a", "b", 0.8), ("a", "c", 0.9), ("b", "c", 0.6), ("c", "f", 0.6)]
    whole = heading_pairs(articles(), candidates(*rows), low=0.5)
    documents = articles()
    random.Random(1).shuffle(documents)
    again = heading_pairs(documents, candidates(*reversed(rows)), low=0.5)
    assert again.pairs == whole.pairs
    assert again.candidates.equals(whole.candidates)


def test_from_articles_to_headings_bodies_above_the_band_included() -> None:
    documents = [
        article("a", FERRY, title="Storm stops the night ferry"),
        article("b", FERRY, "Courier", title="Islanders stay at home after the gale"),
        article("c", FERRY_TOO, "Herald", title="No ferry on Monday"),
    ]
    news = news_pairs(documents, Band(0.4, 0.9))
    pairs, _ = heading_pairs(documents, news.candidates, low=0.4)
    assert {documents_of(pair) for pair in pairs} == {("a", "b"), ("a", "c"), ("b", "c")}


def test_languages_are_kept_where_they_agree() -> None:
    first = Document(id="a", text="x", lang="en", meta={"title": "Storm over the bay"})
    second = Document(id="b", text="x", lang="en", meta={"title": "Gale at sea"})
    other = Document(id="c", text="x", lang="sv", meta={"title": "Oväder"})
    pairs, _ = heading_pairs([first, second, other], candidates(("a", "b", 0.9), ("a", "c", 0.9)), low=0.1)
    assert {pair.text2: pair.lang for pair in pairs} == {"Gale at sea": "en", "Oväder": None}


def test_no_candidates_make_no_pairs() -> None:
    pairs, table = heading_pairs(articles(), SCHEMA.empty_table(), low=0.5)
    assert (pairs, table.num_rows) == ([], 0)


def test_a_missing_article_and_an_impossible_limit_are_refused() -> None:
    with raises("no-such-document", match="'z'"):
        heading_pairs(articles(), candidates(("a", "z", 0.9)), low=0.5)
    with raises("wrong-limit", match="-1"):
        heading_pairs(articles(), candidates(("a", "b", 0.9)), low=0.5, most=-1)


def test_a_heading_that_begins_its_article_is_a_passage_of_it() -> None:
    begun = Document(id="b", text="\n Gale hits isles\nIt blew.", meta={"title": "Gale hits isles"})
    [pair] = heading_pairs([article("a", title="Storm"), begun], candidates(("a", "b", 0.9)), low=0.5).pairs
    assert (pair.doc1, pair.doc2) == (Passage(id="a"), Passage(id="b", start=2, end=17))
    assert begun.text[2:17] == pair.text2
