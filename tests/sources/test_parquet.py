"""Parquet with our columns."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import DataError
from otherwords.records import Pair, Record
from otherwords.sources import write
from tests.sources import anything
from tests.sources.laws import pairs, read, rejected


@pytest.mark.parametrize("noun", list(anything.NOUNS))
def test_nothing_is_lost(noun: str) -> None:
    @settings(max_examples=40, deadline=None)
    @given(st.lists(anything.NOUNS[noun], min_size=1, max_size=3))
    def law(records: list[Record]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "x.parquet"
            write(records, file)
            assert read(file, noun=noun)[0] == records

    law()


def table(tmp_path: Path, **columns: list[Any]) -> Path:
    file = tmp_path / "x.parquet"
    pq.write_table(pa.table(columns), file)
    return file


def test_a_table_of_others(tmp_path: Path) -> None:
    file = table(tmp_path, sentence1=["a", "c"], sentence2=["b", "d"], label=[1.0, 0.0], tags=[["x"], None])
    assert pairs(file) == [
        Pair(id="x:1", text1="a", text2="b", label="1", meta={"tags": ["x"]}),
        Pair(id="x:2", text1="c", text2="d", label="0"),
    ]


def test_nested_columns(tmp_path: Path) -> None:
    file = table(tmp_path, text1=["a"], text2=["b"], scores=[{"bleu": 0.5}], doc1=[{"id": "d", "start": 0, "end": 1}])
    (pair,) = pairs(file)
    assert pair.scores == {"bleu": 0.5}
    assert pair.doc1 is not None
    assert pair.doc1.end == 1


def test_rejects(tmp_path: Path) -> None:
    file = table(tmp_path, text1=["a", None, "c"], text2=["b", "b", "d"], bleu=[{"x": 1}, None, None])
    assert rejected(file, "parquet", tmp_path) == [(1, "bleu: {'x': 1} is not a number"), (2, "no field text1")]


def test_missing_text_columns(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no columns for the two texts among: left, right"):
        read(table(tmp_path, left=["a"], right=["b"]))


def test_what_is_not_parquet(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    file.write_bytes(b"PAR1 and then nothing of the kind")
    with pytest.raises(DataError, match=r"x\.parquet: cannot be read as Parquet"):
        read(file)


def test_several_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherwords.sources.formats.parquet.ROWS_A_GROUP", 7)
    file = tmp_path / "x.parquet"
    records = [Pair(id=str(n), text1="a", text2="b", scores={f"s{n // 10}": n / 3}) for n in range(20)]
    write(records, file)
    assert pq.ParquetFile(file).num_row_groups == 3
    assert pairs(file) == records
