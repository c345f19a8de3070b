"""Blocks give the bytes that records give, whatever the rows look like."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.acquire.batches import SelectedMeasures
from otherwords.acquire.score import score_file, score_pairs
from otherwords.errors import DataError, UsageError
from otherwords.records import Pair
from otherwords.sources.blocks import parquet_columns, parquet_groups
from otherwords.sources.blocks.block import ColumnBlock, RecordBlock, string_array
from otherwords.sources.blocks.reading import read_pair_blocks
from otherwords.sources.formats import parquet
from otherwords.sources.reading import format_for, open_records, write_records

MEASURES = ["jaccard", "bleu"]
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
LABEL = st.sampled_from(["1", "0", "4>s", "4s>", "1.0", "nan", "", "4<>", "Unnatural"])
SCORE = st.floats(0, 1) | st.sampled_from([float("nan"), float("inf")])
# Rows of a table, most of them plain: a row with anything odd sends its whole block the other way.
ROWS = st.lists(
    st.fixed_dictionaries(
        {"text1": TEXT, "text2": TEXT},
        optional={
            "id": TEXT,
            "lang": st.sampled_from(["en", "fi", "ja", ""]),
            "label": LABEL,
            "group": TEXT,
            "jaccard": SCORE,
            "scores.quality": SCORE,
            "scores": st.sampled_from(["", '{"old": 0.5}', '{"old": null}', "[]"]),
            "meta": st.sampled_from(["", '{"tokeniser": "blank"}', '{"n": 1.50}', "{"]),
            "doc1": st.sampled_from(["", '{"id": "d"}']),
            "url": TEXT,
        },
    ),
    min_size=1,
    max_size=9,
)


def by_records(source: Path, target: Path, lang: str | None, on_error: Any) -> object:
    """What scoring record by record writes, or the reason why it does not."""
    chosen = SelectedMeasures(MEASURES, lang)
    try:
        with open_records(source, lang=lang, on_error=on_error) as corpus:
            write_records(score_pairs(corpus.pairs(), chosen, 1), target)
            return target.read_bytes(), corpus.account.rows, corpus.account.skipped, corpus.account.marked
    except (DataError, UsageError) as problem:
        return str(problem)


def by_blocks(source: Path, target: Path, lang: str | None, on_error: Any) -> object:
    try:
        reading = score_file(source, target, MEASURES, lang=lang, on_error=on_error, threads=2).reading
        return target.read_bytes(), reading.account.rows, reading.account.skipped, reading.account.marked
    except (DataError, UsageError) as problem:
        return str(problem)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_columns, "ROWS_PER_BLOCK", 2)
    for module in (parquet, parquet_groups):
        monkeypatch.setattr(module, "ROWS_PER_GROUP", 3)


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_odd_rows(tmp_path_factory: pytest.TempPathFactory, suffix: str) -> None:
    @settings(max_examples=150, deadline=None)
    @given(ROWS, st.sampled_from([None, "en"]), st.sampled_from(["stop", "skip"]))
    def check(rows: list[dict[str, Any]], lang: str | None, on_error: str) -> None:
        folder = tmp_path_factory.mktemp("rows")
        source = folder / f"in.{suffix}"
        if suffix == "parquet":
            names = list(dict.fromkeys(name for row in rows for name in row))
            pq.write_table(pa.table({name: [row.get(name) for row in rows] for name in names}), source)
        else:
            source.write_text("".join(json.dumps(row, ensure_ascii=len(row) > 3) + "\n" for row in rows), "utf-8")
        expected = by_records(source, folder / f"records.{suffix}", lang, on_error)
        assert by_blocks(source, folder / f"blocks.{suffix}", lang, on_error) == expected

    check()


def test_a_plain_table_stays_columns(tmp_path: Path) -> None:
    rows = [Pair(id=str(n), text1="a b", text2="b c", lang="en", label="1", scores={"dice": 0.5}) for n in range(5)]
    write_records(rows, tmp_path / "in.parquet")
    with open_records(tmp_path / "in.parquet") as corpus:
        blocks = list(read_pair_blocks(corpus, format_for("out.parquet")))
        assert corpus.account.rows == 5
    assert [type(block) for block in blocks] == [ColumnBlock] * 3
    assert [pair for block in blocks for pair in block.pairs()] == rows


def test_a_block_with_an_odd_row_becomes_records_and_the_others_stay_columns(tmp_path: Path) -> None:
    rows = [Pair(id=str(n), text1="a", text2="b", meta={"n": 1} if n == 2 else {}) for n in range(5)]
    write_records(rows, tmp_path / "in.parquet")
    with open_records(tmp_path / "in.parquet") as corpus:
        blocks = list(read_pair_blocks(corpus, format_for("out.parquet")))
    assert [type(block) for block in blocks] == [ColumnBlock, RecordBlock, ColumnBlock]
    assert [pair for block in blocks for pair in block.pairs()] == rows


@pytest.mark.parametrize("empty", ["text1", "id", "lang", "meta", "scores.quality", "sentence1"])
def test_columns_without_any_value(tmp_path: Path, empty: str) -> None:
    names = ["id", "text1", "text2"] if empty != "sentence1" else ["id", "sentence1", "sentence2"]
    columns: dict[str, pa.Array] = {name: pa.array([f"{name} {n}" for n in range(5)]) for name in names}
    kind = pa.float64() if empty == "scores.quality" else pa.string()
    pq.write_table(pa.table({**columns, empty: pa.nulls(5, kind)}), tmp_path / "in.parquet")
    expected = by_records(tmp_path / "in.parquet", tmp_path / "a.parquet", None, "skip")
    assert by_blocks(tmp_path / "in.parquet", tmp_path / "b.parquet", None, "skip") == expected


def test_what_was_read_does_not_stay_in_memory(tmp_path: Path) -> None:
    rng = random.Random(1)
    rows = [Pair(id=str(n), text1=rng.randbytes(20_000).hex(), text2="b") for n in range(100)]
    write_records(rows, tmp_path / "in.parquet")
    before = pa.total_allocated_bytes()
    with open_records(tmp_path / "in.parquet") as corpus:
        for _block in read_pair_blocks(corpus, format_for("out.parquet")):
            held = pa.total_allocated_bytes() - before
    assert held < (tmp_path / "in.parquet").stat().st_size / 4


@given(st.lists(TEXT))
def test_texts_of_records_as_a_column(texts: list[str]) -> None:
    made = string_array(texts)
    made.validate(full=True)
    assert made.equals(pa.array(texts, pa.large_string()))


def test_what_is_no_text_makes_no_column() -> None:
    with pytest.raises(TypeError, match="text 1 is not a string"):
        string_array(["a", None])  # type: ignore[list-item]
    with pytest.raises(UnicodeEncodeError):
        string_array(["\ud800"])


def test_a_score_that_comes_later_is_json_as_ever(tmp_path: Path) -> None:
    rows = [Pair(id=str(n), text1="a", text2="b", scores={"dice": 0.5} if n > 3 else {}) for n in range(8)]
    source = tmp_path / "in.jsonl"
    write_records(rows, source)
    assert by_blocks(source, tmp_path / "a.parquet", None, "stop") == by_records(
        source, tmp_path / "b.parquet", None, "stop"
    )


def test_blocks_of_every_other_format_are_records(tmp_path: Path) -> None:
    rows = [Pair(id=str(n), text1="a", text2="b") for n in range(3)]
    write_records(rows, tmp_path / "in.csv")
    with open_records(tmp_path / "in.csv") as corpus:
        [block] = read_pair_blocks(corpus)
        assert block.pairs() == rows
        assert corpus.account.rows == 3


def test_a_json_list_and_another_encoding_come_in_blocks_too(tmp_path: Path) -> None:
    rows = [{"id": str(n), "text1": "ä", "text2": "ö"} for n in range(3)]
    (tmp_path / "list.json").write_text(json.dumps(rows), "utf-8")
    (tmp_path / "wide.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-16")
    for name in ("list.json", "wide.jsonl"):
        with open_records(tmp_path / name, "jsonl") as corpus:
            [block] = read_pair_blocks(corpus)
            assert [pair.id for pair in block.pairs()] == ["0", "1", "2"]
