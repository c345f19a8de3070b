"""The table of labels gives back what was put into it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from otherwords.corpus.labels.table import JSON_COLUMNS, SCHEMA, LabelledPair, read_table
from otherwords.project.pipeline.dataset import write_dataset
from otherwords.records import Passage

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
MAYBE = st.none() | TEXT
PASSAGES = st.none() | st.builds(Passage, id=TEXT, start=st.integers(0, 9), end=st.integers(9, 99))
ROWS = st.builds(
    LabelledPair,
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


def columns(rows: list[LabelledPair]) -> dict[str, list[Any]]:
    """Rows as the columns of the table."""
    cells = {name: [getattr(row, name) for row in rows] for name in LabelledPair.__struct_fields__ if name != "gold"}
    for side in "12":
        passages: list[Passage | None] = cells[f"doc{side}"]
        cells[f"doc{side}"] = [passage.id if passage else None for passage in passages]
        cells[f"start{side}"] = [passage.start if passage else None for passage in passages]
        cells[f"end{side}"] = [passage.end if passage else None for passage in passages]
    for name in JSON_COLUMNS:
        cells[name] = [msgspec.json.encode(value).decode() if value else None for value in cells[name]]
    return cells


def test_the_columns_are_those_of_the_record() -> None:
    spans = ["doc1", "start1", "end1", "doc2", "start2", "end2"]
    assert SCHEMA.names == [
        *(
            "id",
            "text1",
            "text2",
            "lang",
            "source",
            "group",
            "time",
            "licence",
            *spans,
            "method",
            "rewrite_of",
            "scores",
        ),
        *("label", "meta", "positive", "state", "reason", "made_by", "judgements", "views", "simulated", "by_model"),
        "votes",
        "positive_votes",
    ]
    assert {str(SCHEMA.field(name).type) for name in ("id", "text1", "text2")} == {"large_string"}
    assert {str(SCHEMA.field(name).type) for name in ("start1", "end2")} == {"int64"}
    assert {str(SCHEMA.field(name).type) for name in ("votes", "positive_votes")} == {"int32"}
    assert {str(SCHEMA.field(name).type) for name in ("positive", "simulated")} == {"bool"}


@given(rows=st.lists(ROWS, max_size=8))
def test_rows_survive_the_table(rows: list[LabelledPair]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        labels = write_dataset(Path(folder) / "labels", SCHEMA, [pa.Table.from_pydict(columns(rows), SCHEMA)])
        assert labels.rows == len(rows)
        assert list(read_table(labels)) == rows
