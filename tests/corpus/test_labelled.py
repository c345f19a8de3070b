"""The table of labels gives back what was put into it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.corpus.labelled import JSON_COLUMNS, Labelled, read_table, write_columns
from otherwords.records import Passage

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
MAYBE = st.none() | TEXT
PASSAGES = st.none() | st.builds(Passage, id=TEXT, start=st.integers(0, 9), end=st.integers(9, 99))
ROWS = st.builds(
    Labelled,
    id=TEXT,
    text1=TEXT,
    text2=TEXT,
    lang=MAYBE,
    source=MAYBE,
    group=MAYBE,
    time=MAYBE,
    doc1=PASSAGES,
    doc2=PASSAGES,
    rewrite_of=MAYBE,
    scores=st.dictionaries(TEXT, st.none() | st.floats(0, 1), max_size=2),
    label=MAYBE,
    meta=st.dictionaries(TEXT, TEXT | st.integers(0, 5) | st.lists(TEXT, max_size=2), max_size=2),
    positive=st.none() | st.booleans(),
    state=st.sampled_from(["labelled", "open", "tied", "unjudged", "left out"]),
    reason=MAYBE,
    made_by=st.none() | st.sampled_from(["consensus", "votes", "rewrite"]),
    judgements=st.lists(TEXT, max_size=3),
    views=st.dictionaries(TEXT, MAYBE, max_size=2),
    simulated=st.booleans(),
)


def columns(rows: list[Labelled]) -> dict[str, list[Any]]:
    """Rows as the columns of the table."""
    told = {name: [getattr(row, name) for row in rows] for name in Labelled.__struct_fields__ if name != "gold"}
    for side in "12":
        passages: list[Passage | None] = told[f"doc{side}"]
        told[f"doc{side}"] = [one.id if one else None for one in passages]
        told[f"start{side}"] = [one.start if one else None for one in passages]
        told[f"end{side}"] = [one.end if one else None for one in passages]
    for name in JSON_COLUMNS:
        told[name] = [msgspec.json.encode(one).decode() if one else None for one in told[name]]
    return told


@settings(deadline=None)
@given(rows=st.lists(ROWS, max_size=8))
def test_what_is_written_is_read(rows: list[Labelled]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deep" / "labels.parquet"
        assert write_columns([columns(rows)], path) == len(rows)
        assert list(read_table(path)) == rows


def test_two_tables_of_the_same_rows_are_the_same_bytes(tmp_path: Path) -> None:
    rows = [Labelled(id=f"p{n}", text1="The tide is out.", text2="It is low tide.", label="4") for n in range(50)]
    for name in ("one", "two"):
        write_columns([columns(rows)], tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_table_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[dict[str, list[Any]]]:
        yield columns([Labelled(id="p1", text1="a", text2="b")])
        raise RuntimeError("the ledger went away")

    with pytest.raises(RuntimeError):
        write_columns(broken(), tmp_path / "labels.parquet")
    assert list(tmp_path.iterdir()) == []
