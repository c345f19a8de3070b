"""The table of labels gives back what was put into it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.corpus.labelled import Labelled, read_table, write_table
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


@settings(deadline=None)
@given(rows=st.lists(ROWS, max_size=8))
def test_what_is_written_is_read(rows: list[Labelled]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deep" / "labels.parquet"
        assert write_table(rows, path) == len(rows)
        assert list(read_table(path)) == rows


def test_two_tables_of_the_same_rows_are_the_same_bytes(tmp_path: Path) -> None:
    rows = [Labelled(id=f"p{n}", text1="The tide is out.", text2="It is low tide.", label="4") for n in range(50)]
    for name in ("one", "two"):
        write_table(rows, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_table_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[Labelled]:
        yield Labelled(id="p1", text1="a", text2="b")
        raise RuntimeError("the ledger went away")

    with pytest.raises(RuntimeError):
        write_table(broken(), tmp_path / "labels.parquet")
    assert list(tmp_path.iterdir()) == []
