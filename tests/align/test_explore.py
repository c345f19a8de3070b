"""Histogram, examples and the proposal of a band."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from otherwords.align.candidates import SCHEMA, Band
from otherwords.align.explore import Proposal, explore, histogram, propose_band
from otherwords.align.news import news_pairs
from otherwords.records import Document
from tests.conftest import EXAMPLES
from tests.errors import raises
from tests.sources.documents.reading_documents import read

SIMILARITIES = [0.1, 0.32, 0.38, 0.4, 0.41, 0.6, 0.88, 0.9, 0.97]


def documents() -> list[Document]:
    text = "Dr. Lind opened the gate. It was late! Nobody came. The rest is of no interest."
    return [Document(id=f"d{number}", text=f"{number}: {text}", lang="en") for number in range(10)]


def candidates(similarities: list[float]) -> pa.Table:
    count = len(similarities)
    columns = [
        [f"d{number}" for number in range(count)],
        [f"d{number + 1}" for number in range(count)],
        [None] * count,
        similarities,
        [True] * count,
        [None] * count,
    ]
    return pa.table(columns, schema=SCHEMA)


def test_bins_are_closed_on_the_left_and_the_last_on_both_sides() -> None:
    counts = [row["count"] for row in histogram([0.0, 0.049, 0.05, 0.15, 0.1 + 0.2, 0.95, 1.0])]
    assert counts[:7] == [2, 1, 0, 1, 0, 0, 1]
    assert counts[19] == 2
    assert sum(counts) == 7
    rows = histogram([])
    assert (rows[3], len(rows)) == ({"from": 0.15, "to": 0.2, "count": 0}, 20)


def test_examples_are_the_nearest_on_either_side() -> None:
    shown = explore(candidates(SIMILARITIES[::-1]), documents(), 0.4, 0.9, examples=2)
    low, high = shown["thresholds"]
    assert [row["similarity"] for row in low["below"]] == [0.38, 0.32]
    assert [row["similarity"] for row in low["above"]] == [0.4, 0.41]
    assert [row["similarity"] for row in high["below"]] == [0.88, 0.6]
    assert [row["similarity"] for row in high["above"]] == [0.9, 0.97]
    assert shown["pairs"] == 9
    assert json.loads(json.dumps(shown)) == shown


def test_examples_show_how_both_documents_begin() -> None:
    shown = explore(candidates([0.5]), documents(), 0.4, 0.9)
    assert shown["thresholds"][0]["above"] == [
        {
            "doc1": "d0",
            "doc2": "d1",
            "similarity": 0.5,
            "begins1": "0: Dr. Lind opened the gate. It was late!",
            "begins2": "1: Dr. Lind opened the gate. It was late!",
        }
    ]


def test_a_long_beginning_is_cut_and_an_empty_one_shown_as_it_is() -> None:
    long = [Document(id="d0", text="word " * 500), Document(id="d1", text="  ")]
    example = explore(candidates([0.5]), long, 0.4, 0.9)["thresholds"][0]["above"][0]
    assert len(example["begins1"]) <= 300
    assert example["begins1"].endswith("word…")
    assert example["begins2"] == ""


def test_equal_similarities_are_shown_in_the_order_of_their_ids() -> None:
    table = candidates([0.5] * 6)
    shown = explore(table.take([3, 1, 5, 0, 2, 4]), documents(), 0.5, 0.9, examples=3)
    assert [row["doc1"] for row in shown["thresholds"][0]["above"]] == ["d0", "d1", "d2"]


def test_what_cannot_be_shown_is_said() -> None:
    with raises("no-such-document", match="'d1'"):
        explore(candidates([0.5]), documents()[:1], 0.4, 0.9)
    with raises("impossible-band"):
        explore(candidates([0.5]), documents(), 0.9, 0.4)


def of_counts(counts: dict[int, int]) -> list[float]:
    """So many similarities in the middle of these bins."""
    return [(place + 0.5) / 20 for place, count in counts.items() for _ in range(count)]


@pytest.mark.parametrize(
    ("counts", "band"),
    [
        # unrelated texts around 0.3, events from 0.5, copies at the end
        ({5: 90, 6: 200, 7: 60, 8: 9, 9: 3, 10: 8, 12: 12, 15: 7, 16: 4, 17: 2, 18: 6, 19: 30}, (0.45, 0.9)),
        # two peaks, unrelated and copies, and nothing between
        ({5: 90, 6: 200, 18: 6, 19: 30}, (0.35, 0.9)),
        # no second peak
        ({5: 90, 6: 200, 7: 60, 8: 20, 9: 19, 10: 3}, (0.45, 0.95)),
    ],
)
def test_a_band_goes_from_valley_to_valley(counts: dict[int, int], band: tuple[float, float]) -> None:
    proposal = propose_band(of_counts(counts))
    assert isinstance(proposal, Proposal)
    assert proposal.band == Band(*band)
    assert propose_band(of_counts(counts)[::-1]) == proposal
    assert proposal.low_because
    assert proposal.high_because


@pytest.mark.parametrize(
    "counts",
    [
        {19: 40},  # all copies
        {12: 2, 14: 6, 15: 12, 16: 20, 17: 4, 18: 8},  # versions of films, all good
        {6: 40, 7: 30, 8: 20, 9: 15, 10: 12, 11: 9, 12: 7, 13: 5},  # a slope that goes on into good pairs
    ],
)
def test_no_band_is_proposed_that_leaves_out_good_pairs(counts: dict[int, int]) -> None:
    with raises("no-clear-band"):
        propose_band(of_counts(counts))


@pytest.mark.parametrize("folder", ["sources", "ar", "es", "fi", "ja", "ru"])
def test_proposals_keep_known_good_articles_in_six_languages(folder: str) -> None:
    files = sorted((EXAMPLES / folder / "news").iterdir())
    articles = [article for file in files for article in read("news", file)[0]]
    similarities = news_pairs(articles, Band(0.5, 0.8), floor=0.05).candidates["similarity"].to_numpy()
    good = similarities[similarities >= 0.5]  # the examples have as many articles on one event, and none in between
    if len(similarities) < 20:  # articles in Japanese have hardly anything in common
        with raises("too-few-similarities"):
            propose_band(similarities)
        return
    band = propose_band(similarities).band
    assert len(good)
    assert ((good >= band.low) & (good <= band.high)).all()


def test_few_similarities_have_no_shape() -> None:
    with raises("too-few-similarities", match="19"):
        propose_band([0.5] * 19)
