"""Columns of mined pairs: what a region may speak of."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from otherwords.corpus.harvest.columns import column_value, known_columns, mined_file, with_similarity
from otherwords.records import Pair
from tests.errors import raises

TURKU = {"neg": 0.5, "3": 0.1, "4": 0.25, "4>": 0.1, "4<s": 0.05}
PAIR = Pair(
    id="p",
    text1="The pier is long.",
    text2="A long pier.",
    scores={"cosine": 0.7, "margin": None, "char-cosine": 0.4},
    meta={"predicted": {"probabilities": TURKU}},
)
SCORED = Pair(id="q", text1="a", text2="b", scores={"model:features": 0.8})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("similarity", 0.4),
        ("cosine", 0.7),
        ("p_negative", 0.5),
        ("p_positive", 0.5),
        ("p_4", 0.4),
        ("p_3", 0.1),
        ("p_neg", 0.5),
        ("margin", math.nan),
        ("p_2", math.nan),
        ("unknown", math.nan),
    ],
)
def test_values(name: str, value: float) -> None:
    assert column_value(PAIR, name, "char-cosine") == pytest.approx(value, nan_ok=True)


def test_the_score_of_one_model_is_a_confidence_too() -> None:
    assert column_value(SCORED, "p_negative", "") == pytest.approx(0.2)
    assert column_value(SCORED, "p_positive", "") == 0.8
    assert math.isnan(column_value(SCORED, "p_4", ""))


def test_known_columns() -> None:
    assert known_columns(PAIR) == ["similarity", "cosine", "char-cosine", "p_negative", "p_positive", "p_3", "p_4"]


def test_measures_that_make_no_strata() -> None:
    with raises("measure-needs-fit"):
        with_similarity([PAIR], "char-cosine-tfidf")
    with raises("measure-not-a-share"):
        with_similarity([PAIR], "bleu")


def test_a_folder_without_pairs(tmp_path: Path) -> None:
    with raises("not-a-mining-run"):
        mined_file(tmp_path)
    assert mined_file(tmp_path / "pairs.jsonl") == tmp_path / "pairs.jsonl"
