"""What holds for every measure: its range, symmetry, and that it does not matter how the columns come."""

from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings

from otherwords.measures import Measure, complete_measures, measure, score_columns
from tests.errors import raises
from tests.measures.texts import AWKWARD, PAIRS

SPECS = [
    *complete_measures(),
    "char-cosine:n=1-6,case=mixed",
    "bleu:tok=intl,smooth=add-k",
    "overlap:tok=char,n=1-5",
    "jaccard:case=lc",
]


def all_measures(*texts: object) -> list[Measure]:
    measures = [measure(spec) for spec in SPECS]
    for chosen in measures:
        chosen.fit(texts)
    return measures


@given(PAIRS)
@settings(max_examples=40)
def test_ranges_and_symmetry(pairs: list[tuple[str, str]]) -> None:
    texts1, texts2 = (list(side) for side in zip(*pairs, strict=True))
    for chosen in all_measures(texts1, texts2):
        scores = chosen.scores(texts1, texts2)
        low, high = chosen.range
        assert scores.dtype == np.float64
        assert ((low <= scores) & (scores <= high)).all(), chosen.name
        if chosen.symmetric:
            assert chosen.scores(texts2, texts1) == pytest.approx(scores, abs=1e-12), chosen.name


def test_equal_texts_have_the_best_score() -> None:
    texts = [text for text in AWKWARD if text.split() and any(char.isalnum() for char in text)]
    for chosen in all_measures(texts):
        best = chosen.range[0] if chosen.name in ("edit", "pinc") else chosen.range[1]
        assert chosen.scores(texts, texts) == pytest.approx(np.full(len(texts), best), abs=1e-9), chosen.name


COLUMNS = {
    "string": lambda texts: pa.array(texts, pa.string()),
    "large_string": lambda texts: pa.array(texts, pa.large_string()),
    "string_view": lambda texts: pa.array(texts, pa.string()).cast(pa.string_view()),
    "dictionary": lambda texts: pa.array(texts, pa.string()).dictionary_encode(),
    "sliced": lambda texts: pa.array(["before", *texts, "after"]).slice(1, len(texts)),
    "sliced large": lambda texts: pa.array(["before", *texts, "after"], pa.large_string()).slice(1, len(texts)),
    "chunked": lambda texts: pa.chunked_array([texts[:3], [], texts[3:]], pa.string()),
    "tuple": tuple,
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_the_kind_of_column_does_not_matter(kind: str) -> None:
    texts1, texts2 = AWKWARD, AWKWARD[::-1]
    for chosen in all_measures(texts1, texts2):
        expected = chosen.scores(texts1, texts2)
        assert np.array_equal(chosen.scores(COLUMNS[kind](texts1), COLUMNS[kind](texts2)), expected), chosen.name


def test_a_null_counts_as_the_empty_text() -> None:
    holes, filled = [None, "a b", None, "c"], ["", "a b", "", "c"]
    other = ["x", "a c", "", None]
    for column in (
        pa.array(holes),
        pa.array(["y", *holes]).slice(1),
        pa.chunked_array([holes[:1], holes[1:]], pa.string()),
    ):
        for chosen in all_measures(filled):
            expected = chosen.scores(filled, ["x", "a c", "", ""])
            assert np.array_equal(chosen.scores(column, pa.array(other)), expected), chosen.name


def test_a_null_with_bytes_under_it_is_still_empty() -> None:
    offsets, data = np.array([0, 3, 6], np.int32), b"abcdef"
    valid = pa.py_buffer(b"\x02")
    column = pa.Array.from_buffers(pa.string(), 2, [valid, pa.py_buffer(offsets.tobytes()), pa.py_buffer(data)])
    assert measure("jaccard").scores(column, ["", "def"]).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("empty", [[], pa.array([], pa.string()), pa.chunked_array([], pa.string())])
def test_no_rows(empty: object) -> None:
    for chosen in all_measures(["some text"]):
        assert chosen.scores(empty, empty).tolist() == []
        assert score_columns([chosen], empty, empty)[chosen.name].tolist() == []


def test_parallel_equals_serial_bit_for_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["otherwords.measures"], "ROWS_PER_BLOCK", 7)
    texts1, texts2 = AWKWARD * 12, (AWKWARD[5:] + AWKWARD[:5]) * 12
    measures = all_measures(texts1, texts2)
    serial = {chosen.name: chosen.scores(texts1, texts2) for chosen in measures}
    for threads in (1, 2, 5):
        for name, scores in score_columns(measures, pa.array(texts1), pa.array(texts2), threads).items():
            assert scores.tobytes() == serial[name].tobytes(), name


def test_scores_are_named_as_the_measures_were_spelled() -> None:
    measures = [measure("bleu"), measure("bleu:tok=intl")]
    assert list(score_columns(measures, ["a b."], ["a c."])) == ["bleu", "bleu:tok=intl"]
    with raises("repeated-measure"):
        score_columns([measure("bleu"), measure("bleu")], ["a"], ["a"])


def test_wrong_columns_are_refused() -> None:
    with raises("unequal-columns", match="2 first texts but 1 second texts"):
        score_columns([measure("bleu")], ["a", "b"], ["a"])
    with raises("not-a-text-column", match="list<"):
        measure("bleu").scores(pa.array([["a"]]), pa.array([["a"]]))
    with raises("lone-surrogate"):
        measure("bleu").scores(["\ud800"], ["a"])


def test_a_megabyte_of_text() -> None:
    long = "the quick brown fox 𐐀 " * 45_000
    texts1, texts2 = [long, long, "", "fox"], ["fox the " * 500, "", long, long]
    for chosen in (measure(spec) for spec in complete_measures()):
        chosen.fit([texts1])
        scores = chosen.scores(texts1, texts2)
        assert ((chosen.range[0] <= scores) & (scores <= chosen.range[1])).all(), chosen.name
