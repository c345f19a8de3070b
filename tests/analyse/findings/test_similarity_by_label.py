"""Lexical similarity by label: strata, means, and no dependence on order."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from otherwords.measures import measure
from otherwords.records import Pair
from tests.analyse.corpora import cells, checked_finding, corpus, run_analysis, shuffled

SENTENCES = ["The harbour is closed.", "The harbour was closed.", "A gull took my bread.", "My bread was stolen!"]
PAIRS = [
    Pair(id=f"p{place}-{other}", text1=text1, text2=text2, label="4" if place == other else "3" if other < 2 else "2")
    for place, text1 in enumerate(SENTENCES)
    for other, text2 in enumerate(SENTENCES)
]
REWRITE = Pair(id="r", text1="Same.", text2="Same.", label="4", rewrite_of="p0-0")


def scores() -> dict[str, list[float]]:
    by_label: dict[str, list[float]] = {}
    values = measure("char-cosine").scores([pair.text1 for pair in PAIRS], [pair.text2 for pair in PAIRS])
    for pair, value in zip(PAIRS, values.tolist(), strict=True):
        by_label.setdefault(str(pair.label), []).append(value)
    return by_label


def test_means_by_label(tmp_path: Path) -> None:
    finding = checked_finding("similarity", corpus(tmp_path / "c.jsonl", [*PAIRS, REWRITE]))
    by_label = scores()
    rows = {row["label"]: row for row in cells(finding, "means")}
    assert list(rows) == ["4", "3", "2", "(positives)", "(negatives)", "(all)"]
    assert {label: rows[label]["pairs"] for label in by_label} == {
        label: len(values) for label, values in by_label.items()
    }
    positives = by_label["4"] + by_label["3"]
    assert rows["(positives)"]["mean"] == math.fsum(positives) / len(positives)
    assert rows["4"]["mean"] == pytest.approx(1.0)
    assert rows["(all)"]["pairs"] == len(PAIRS), "a rewrite is not counted"


def test_strata_hold_every_pair_once(tmp_path: Path) -> None:
    finding = checked_finding("similarity", corpus(tmp_path / "c.jsonl", PAIRS))
    strata = cells(finding, "strata")
    assert len(strata) == 20
    assert (strata[0]["from"], strata[-1]["to"]) == (0.0, 1.0)
    assert sum(row["pairs"] for row in strata) == len(PAIRS)
    assert strata[-1]["label 4"] == 4, "a similarity of 1 is in the last stratum"
    for row in cells(finding, "shares"):
        shares = [value for name, value in row.items() if name.startswith("share")]
        assert shares == [None] * 3 or sum(shares) == pytest.approx(1.0)


def test_order_does_not_matter(tmp_path: Path) -> None:
    first = run_analysis("similarity", corpus(tmp_path / "c.jsonl", PAIRS))
    assert first is not None
    assert first == run_analysis("similarity", corpus(tmp_path / "c.jsonl", shuffled(PAIRS)))


def test_rewrites_alone_give_no_finding(tmp_path: Path) -> None:
    for name in ("similarity", "lengths", "mapping", "overlap", "ngrams"):
        assert run_analysis(name, corpus(tmp_path / "c.jsonl", [REWRITE])) is None, name


@pytest.mark.parametrize("name", ["similarity", "lengths", "mapping", "overlap", "ngrams"])
@pytest.mark.parametrize("labels", [[None], ["1"], ["0"], [f"{number / 10}" for number in range(25)]])
def test_corpora_with_few_or_many_labels(tmp_path: Path, name: str, labels: list[str | None]) -> None:
    texts = ("Two boats, one pier.", "Two boats and one pier.")
    pairs = [Pair(id=str(place), text1=texts[0], text2=texts[1], label=label) for place, label in enumerate(labels)]
    assert checked_finding(name, corpus(tmp_path / "c.jsonl", pairs)).tables


@pytest.mark.parametrize("name", ["similarity", "lengths", "mapping", "overlap", "ngrams"])
@pytest.mark.parametrize("texts", [("", ""), ("", "a"), ("...", "!"), ("\n", "🙂")])
def test_texts_without_words(tmp_path: Path, name: str, texts: tuple[str, str]) -> None:
    assert checked_finding(
        name, corpus(tmp_path / "c.jsonl", [Pair(id="1", text1=texts[0], text2=texts[1], label="1")])
    ).tables
