"""What holds for every measure: its range, symmetry, and that it does not matter how the columns come."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings

from otherwords.errors import DataError, UsageError
from otherwords.measures import MEASURES, Measure, measure, parallel, score_columns
from tests.measures.texts import AWKWARD, PAIRS

SPECS = [
    *MEASURES,
    "char-cosine:n=1-6,case=mixed",
    "bleu:tok=intl,smooth=add-k",
    "overlap:tok=char,n=1-5",
    "jaccard:case=lc",
]


def all_measures(*texts: object) -> list[Measure]:
    chosen = [measure(spec) for spec in SPECS]
    for each in chosen:
        each.fit(texts)
    return chosen


@given(PAIRS)
@settings(max_examples=40, deadline=None)
def test_ranges_and_symmetry(pairs: list[tuple[str, str]]) -> None:
    one, two = (list(side) for side in zip(*pairs, strict=True))
    for each in all_measures(one, two):
        scores = each.scores(one, two)
        low, high = each.range
        assert scores.dtype == np.float64
        assert ((low <= scores) & (scores <= high)).all(), each.name
        if each.symmetric:
            assert each.scores(two, one) == pytest.approx(scores, abs=1e-12), each.name


def test_equal_texts_have_the_best_score() -> None:
    texts = [text for text in AWKWARD if text.split() and any(char.isalnum() for char in text)]
    for each in all_measures(texts):
        best = each.range[0] if each.name in ("edit", "pinc") else each.range[1]
        assert each.scores(texts, texts) == pytest.approx(np.full(len(texts), best), abs=1e-9), each.name


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
    one, two = AWKWARD, AWKWARD[::-1]
    for each in all_measures(one, two):
        expected = each.scores(one, two)
        assert np.array_equal(each.scores(COLUMNS[kind](one), COLUMNS[kind](two)), expected), each.name


def test_a_null_counts_as_the_empty_text() -> None:
    holes, filled = [None, "a b", None, "c"], ["", "a b", "", "c"]
    other = ["x", "a c", "", None]
    for column in (
        pa.array(holes),
        pa.array(["y", *holes]).slice(1),
        pa.chunked_array([holes[:1], holes[1:]], pa.string()),
    ):
        for each in all_measures(filled):
            expected = each.scores(filled, ["x", "a c", "", ""])
            assert np.array_equal(each.scores(column, pa.array(other)), expected), each.name


def test_a_null_with_bytes_under_it_is_still_empty() -> None:
    offsets, data = np.array([0, 3, 6], np.int32), b"abcdef"
    valid = pa.py_buffer(b"\x02")
    column = pa.Array.from_buffers(pa.string(), 2, [valid, pa.py_buffer(offsets.tobytes()), pa.py_buffer(data)])
    assert measure("jaccard").scores(column, ["", "def"]).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("empty", [[], pa.array([], pa.string()), pa.chunked_array([], pa.string())])
def test_no_rows(empty: object) -> None:
    for each in all_measures(["some text"]):
        assert each.scores(empty, empty).tolist() == []
        assert score_columns([each], empty, empty)[each.name].tolist() == []


def test_parallel_equals_serial_bit_for_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "ROWS_A_STRETCH", 7)
    one, two = AWKWARD * 12, (AWKWARD[5:] + AWKWARD[:5]) * 12
    chosen = all_measures(one, two)
    serial = {each.name: each.scores(one, two) for each in chosen}
    for threads in (1, 2, 5):
        for name, scores in score_columns(chosen, pa.array(one), pa.array(two), threads).items():
            assert scores.tobytes() == serial[name].tobytes(), name


def test_scores_come_under_the_names_asked_for() -> None:
    chosen = [measure("bleu"), measure("bleu:tok=intl")]
    assert list(score_columns(chosen, ["a b."], ["a c."])) == ["bleu", "bleu:tok=intl"]
    with pytest.raises(UsageError, match="named twice"):
        score_columns([measure("bleu"), measure("bleu")], ["a"], ["a"])


def test_wrong_columns_are_refused() -> None:
    with pytest.raises(DataError, match="2 first texts but 1 second texts"):
        score_columns([measure("bleu")], ["a", "b"], ["a"])
    with pytest.raises(DataError, match="holds list<"):
        measure("bleu").scores(pa.array([["a"]]), pa.array([["a"]]))
    with pytest.raises(DataError, match="half a character"):
        measure("bleu").scores(["\ud800"], ["a"])


def test_a_megabyte_of_text() -> None:
    long = "the quick brown fox 𐐀 " * 45_000
    one, two = [long, long, "", "fox"], ["fox the " * 500, "", long, long]
    for each in (measure(spec) for spec in MEASURES):
        each.fit([one])
        scores = each.scores(one, two)
        assert ((each.range[0] <= scores) & (scores <= each.range[1])).all(), each.name
