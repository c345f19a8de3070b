"""Parquet with our columns."""

from __future__ import annotations

import math
import tempfile
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.records import Pair, Record
from otherwords.sources import write_records
from otherwords.sources.io.files import atomic_write
from tests.errors import raises
from tests.sources import anything
from tests.sources.laws import pairs, read, rejected


@pytest.mark.parametrize("noun", list(anything.NOUNS))
def test_nothing_is_lost(noun: str) -> None:
    @settings(max_examples=40)
    @given(st.lists(anything.NOUNS[noun], min_size=1, max_size=3))
    def law(records: list[Record]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "x.parquet"
            write_records(records, file)
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
    file = table(tmp_path, text1=["a", None, "c"], text2=["b", "b", "d"], bleu=[math.inf, None, math.nan])
    assert rejected(file, "parquet", tmp_path) == [(1, "bleu: inf is not a finite number"), (2, "no field text1")]
    file = table(tmp_path, text1=["a"], text2=["b"], label=[math.inf])
    assert rejected(file, "parquet", tmp_path) == [(1, "label: inf is not a finite number")]


def test_missing_numbers(tmp_path: Path) -> None:
    file = table(tmp_path, text1=["a", "c"], text2=["b", "d"], label=[1.0, math.nan], x=[math.nan, math.inf])
    assert pairs(file) == [
        Pair(id="x:1", text1="a", text2="b", label="1"),
        Pair(id="x:2", text1="c", text2="d", meta={"x": "inf"}),
    ]


def test_columns_of_others_under_our_names(tmp_path: Path) -> None:
    when = datetime(2024, 5, 6, 7, 8, 9)
    file = table(
        tmp_path,
        text1=["a"],
        text2=["b"],
        time=[when],
        gold=[3],
        edit=["late"],
        doc1=["abc"],
        seen=[[when.date(), None]],
        rates=[[0.5, math.nan, math.inf]],
        raw=[b"\xff!"],
        price=[Decimal("1.50")],
    )
    records, log = read(file)
    kept = {"gold": 3, "edit": "late", "doc1": "abc"}
    meta = {"seen": ["2024-05-06", None], "rates": [0.5, None, "inf"], "raw": "\\xff!", "price": "1.50", **kept}
    assert records == [Pair(id="x:1", text1="a", text2="b", time="2024-05-06T07:08:09", meta=meta)]
    assert log.marked == {f"{name}: not what our field {name} holds, kept in meta": 1 for name in kept}


def test_a_flag_in_another_order(tmp_path: Path) -> None:
    assert [pair.label for pair in pairs(table(tmp_path, text1=["a"], text2=["b"], label=["4si>"]))] == ["4>is"]


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst"])
def test_compressed_once_more(suffix: str, tmp_path: Path) -> None:
    records = [Pair(id="1", text1="a", text2="b")]
    target = tmp_path / f"x.parquet{suffix}"
    with raises("unsupported-compression", match=r"Parquet is compressed already; name a file that ends in \.parquet"):
        write_records(records, target)
    assert list(tmp_path.iterdir()) == []
    write_records(records, tmp_path / "x.parquet")
    with atomic_write(target) as stream:
        stream.write((tmp_path / "x.parquet").read_bytes())
    assert pairs(target) == pairs(target, "parquet") == records


def test_missing_text_columns(tmp_path: Path) -> None:
    with raises("missing-column"):
        read(table(tmp_path, left=["a"], right=["b"]))


def test_what_is_not_parquet(tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    file.write_bytes(b"PAR1 and then nothing of the kind")
    with raises("damaged-file", match=r"x\.parquet: cannot be read as Parquet"):
        read(file)


def test_several_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherwords.sources.formats.parquet.ROWS_PER_GROUP", 7)
    file = tmp_path / "x.parquet"
    records = [Pair(id=str(n), text1="a", text2="b", scores={f"s{n // 10}": n / 3}) for n in range(20)]
    write_records(records, file)
    assert pq.ParquetFile(file).num_row_groups == 3
    assert pairs(file) == records
