"""Pairs of news articles: who may meet whom, which band, and that nothing depends on order or threads."""

from __future__ import annotations

import random

import pytest

from otherwords.align.candidates import SCHEMA, TOO_HIGH, TOO_LOW, TWICE, Band, document_pair_id
from otherwords.align.news import COMPARED, METHOD, NO_OUTLET, NO_TIME, news_pairs
from otherwords.align.window import DAY, firsts_within, parse_moment
from otherwords.measures import measure
from tests.align.articles import BAKER, FERRY, FERRY_TOO, MARKET, article
from tests.errors import raises

ANY = Band()


def met(documents: list, **options: object) -> list[tuple[str, str]]:  # type: ignore[type-arg]
    pairs, _, _ = news_pairs(documents, ANY, **options)  # type: ignore[arg-type]
    return [(pair.doc1, pair.doc2) for pair in pairs]


def test_a_pair_says_all_about_itself() -> None:
    documents = [article("b", FERRY_TOO, "Courier", "2021-03-02"), article("a", FERRY), article("c", BAKER, "Herald")]
    pairs, candidates, counts = news_pairs(documents, Band(0.3, 0.99))
    similarity = measure("char-cosine-tfidf")
    similarity.fit([[FERRY, FERRY_TOO, BAKER]])
    assert [(pair.doc1, pair.doc2, pair.method, pair.round) for pair in pairs] == [("a", "b", METHOD, 1)]
    assert pairs[0].id == document_pair_id("news", "a", "b")
    assert pairs[0].similarity == pytest.approx(similarity.scores([FERRY], [FERRY_TOO])[0], abs=1e-14)
    assert candidates.schema == SCHEMA
    assert counts == {COMPARED: 3}


def test_only_articles_of_different_outlets_meet_unless_asked_for() -> None:
    documents = [article("a"), article("b"), article("c", outlet="Courier")]
    assert met(documents) == [("a", "c"), ("b", "c")]
    assert met(documents, within=True) == [("a", "b"), ("a", "c"), ("b", "c")]


@pytest.mark.parametrize(
    ("time", "meets"),
    [
        ("2021-03-08T09:30:00Z", True),  # seven days to the second
        ("2021-03-08T09:30:01Z", False),
        ("2021-03-08T11:30:00+02:00", True),
        ("2021-03-08T09:30:00", True),  # no zone: UTC
        ("2021-03-08", True),  # no time of day: midnight
        ("2021-02-22T09:30:00Z", True),
        ("2021-02-22T09:29:59.999999Z", False),
    ],
)
def test_the_window_is_seven_times_24_hours_and_both_ends_belong_to_it(time: str, meets: bool) -> None:
    documents = [article("a", time="2021-03-01T09:30:00Z"), article("b", outlet="Courier", time=time)]
    assert bool(met(documents)) is meets


def test_days_can_be_chosen() -> None:
    documents = [article("a"), article("b", outlet="Courier", time="2021-03-02")]
    assert met(documents, days=0.5) == []
    assert met(documents, days=1) == [("a", "b")]
    with raises("wrong-window", match="-1"):
        met(documents, days=-1)


def test_the_earlier_comes_first_and_at_the_same_moment_the_lower_id() -> None:
    documents = [
        article("a", outlet="Courier", time="2021-03-03"),
        article("c", outlet="Herald", time="2021-03-01T00:00:00Z"),
        article("b", time="2021-03-01"),
    ]
    assert met(documents) == [("b", "c"), ("b", "a"), ("c", "a")]


def test_articles_that_cannot_be_placed_are_left_out_and_counted() -> None:
    documents = [
        article("a"),
        article("b", outlet="Courier"),
        article("b", outlet="Courier"),
        article("c", outlet=None),
        article("d", time=None),
        article("e", time="last Monday"),
    ]
    pairs, _, counts = news_pairs(documents, ANY)
    assert len(pairs) == 1
    assert counts == {TWICE: 1, NO_OUTLET: 1, NO_TIME: 2, COMPARED: 1}
    assert news_pairs(documents, ANY, within=True).counts == {TWICE: 1, NO_TIME: 2, COMPARED: 3}


def test_what_is_outside_the_band_stays_in_the_table_with_the_reason() -> None:
    documents = [
        article("a", FERRY),
        article("b", FERRY_TOO, "Courier"),
        article("c", FERRY, "Herald"),
        article("d", MARKET, "Post"),
    ]
    pairs, candidates, counts = news_pairs(documents, Band(0.5, 0.95), floor=0.0)
    rows = {(row["doc1"], row["doc2"]): (row["kept"], row["reason"]) for row in candidates.to_pylist()}
    assert rows == {
        ("a", "b"): (True, None),
        ("a", "c"): (False, TOO_HIGH),
        ("a", "d"): (False, TOO_LOW),
        ("b", "c"): (True, None),
        ("b", "d"): (False, TOO_LOW),
        ("c", "d"): (False, TOO_LOW),
    }
    assert len(pairs) == 2
    assert counts[COMPARED] == 6
    assert news_pairs(documents, Band(0.5, 0.95)).candidates.num_rows == 3


def test_both_ends_of_the_band_belong_to_it() -> None:
    documents = [article("a", FERRY), article("b", FERRY_TOO, "Courier"), article("c", BAKER, "Gazette")]
    similarity = news_pairs(documents, ANY).pairs[0].similarity
    assert similarity is not None
    assert len(news_pairs(documents, Band(similarity, similarity)).pairs) == 1


def newspaper() -> list:  # type: ignore[type-arg]
    rng = random.Random(11)
    words = (FERRY + " " + BAKER + " " + MARKET).split()
    return [
        article(
            f"n{number:03}",
            " ".join(rng.choices(words, k=30)),
            rng.choice(["Gazette", "Courier", "Herald"]),
            f"2021-03-{rng.randint(1, 28):02}",
        )
        for number in range(120)
    ]


def test_neither_order_nor_threads_change_anything() -> None:
    documents = newspaper()
    whole = news_pairs(documents, Band(0.3, 0.9), floor=0.1, threads=1)
    random.Random(2).shuffle(documents)
    again = news_pairs(iter(documents), Band(0.3, 0.9), floor=0.1, threads=4)
    assert again.pairs == whole.pairs
    assert again.candidates.equals(whole.candidates)
    assert 0 < len(whole.pairs) < whole.candidates.num_rows


def test_a_sample_has_the_very_pairs_of_its_articles() -> None:
    documents = newspaper()
    whole = {pair.id: pair for pair in news_pairs(documents, ANY).pairs}
    some = news_pairs(documents, ANY, sample=10, seed=4)
    assert 0 < len(some.pairs) < len(whole) / 4
    assert all(whole[pair.id] == pair for pair in some.pairs)
    assert len({pair.doc2 for pair in some.pairs}) <= 10
    assert some.counts[COMPARED] == len(some.pairs)
    assert news_pairs(documents, ANY, sample=10, seed=5).pairs != some.pairs
    assert news_pairs(documents, ANY, sample=500).pairs == list(whole.values())


def test_no_articles_make_no_pairs() -> None:
    pairs, candidates, counts = news_pairs([], ANY)
    assert (pairs, candidates.num_rows, counts) == ([], 0, {COMPARED: 0})


@pytest.mark.parametrize(("low", "high"), [(-0.1, 0.5), (0.6, 0.5), (0.5, 1.1), (float("nan"), 1.0)])
def test_an_impossible_band_is_refused(low: float, high: float) -> None:
    with raises("impossible-band"):
        Band(low, high)


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("1970-01-02", DAY),
        ("1970-01-01T02:00:00+02:00", 0),
        ("1969-12-31T23:59:59.999999Z", -1),
        (None, None),
        ("", None),
        ("yesterday", None),
    ],
)
def test_moments(time: str | None, expected: int | None) -> None:
    assert parse_moment(time) == expected


def test_firsts_within_a_window() -> None:
    assert firsts_within([0, DAY, DAY, 2 * DAY + 1, 9 * DAY], 1).tolist() == [0, 0, 0, 3, 4]


def test_the_id_of_a_document_pair_depends_on_method_and_order() -> None:
    ids = {document_pair_id("news", "a", "b"), document_pair_id("news", "b", "a"), document_pair_id("forum", "a", "b")}
    assert len(ids) == 3
    assert document_pair_id("news", "a", "b") == "news-08738191e3c16dc3363a"
