"""The table of labels: every pair of a project with its label and what made it, in the order of the ledger.

``label`` writes the table; splits, analyses and releases read it a few thousand rows at a time. A row without a label
says why it has none.

The columns of a pair are derived from its record: a passage becomes three columns, nested values become JSON (None
where they are empty). The answer to a hidden test (``gold``) stays in the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import pyarrow as pa

from otherwords.annotate.labels.engine import State
from otherwords.annotate.labels.views import MadeBy
from otherwords.project.pipeline.dataset import Dataset
from otherwords.records import Pair, Passage
from otherwords.sources.reading import write_records

P = TypeVar("P", bound=Pair)
ROWS_PER_GROUP = 20_000
Columns = Mapping[str, Sequence[Any]]  # by name, as in SCHEMA
SIDES = ("1", "2")
JSON_COLUMNS = frozenset({"scores", "meta", "views"})
META = "labelling"
_ORDER = (
    *("state", "reason", "made_by", "positive", "judgements", "views", "votes", "positive_votes"),
    *("simulated", "by_model"),
)


def passage_columns(side: str) -> tuple[str, str, str]:
    """The columns of the passage that the first or the second text comes from."""
    return f"doc{side}", f"start{side}", f"end{side}"


PAIR_FIELDS = tuple(name for name in Pair.__struct_fields__ if name != "gold")
PAIR_COLUMNS = tuple(
    column for name in PAIR_FIELDS for column in (passage_columns(name[-1]) if name in ("doc1", "doc2") else (name,))
)


class LabelledPair(Pair, frozen=True, gc=False):
    """A pair whose ``label`` follows from its judgements."""

    positive: bool | None = None
    state: State = "labelled"
    reason: str | None = None  # why it has no label, in a few words; equal reasons are counted together
    made_by: MadeBy | None = None
    judgements: list[str] = msgspec.field(default_factory=list)  # the ids of those that made the label
    views: dict[str, str | None] = msgspec.field(default_factory=dict)  # its label in every view of the scheme
    simulated: bool = False  # whether a simulated judgement contributed to the label
    by_model: bool = False  # whether a model's judgement contributed to the label
    votes: int | None = None  # how many people said yes or no independently
    positive_votes: int | None = None  # … and how many of them yes


OUTCOME_COLUMNS = LabelledPair.__struct_fields__[len(Pair.__struct_fields__) :]
_TYPES = {
    **dict.fromkeys(("id", "text1", "text2"), pa.large_string()),
    **dict.fromkeys(("start1", "end1", "start2", "end2"), pa.int64()),
    **dict.fromkeys(("positive", "simulated", "by_model"), pa.bool_()),
    **dict.fromkeys(("votes", "positive_votes"), pa.int32()),
    "judgements": pa.list_(pa.string()),
}
SCHEMA = pa.schema([(name, _TYPES.get(name, pa.string())) for name in (*PAIR_COLUMNS, *OUTCOME_COLUMNS)])


def read_table(labels: Dataset) -> Iterator[LabelledPair]:
    """All rows, in order."""
    for batch in labels.batches(rows=ROWS_PER_GROUP // 4):
        cells = (column.to_pylist() for column in batch.columns)
        yield from read_records(LabelledPair, dict(zip(batch.schema.names, cells, strict=True)))


def read_records(kind: type[P], columns: dict[str, list[Any]]) -> Iterator[P]:
    """The rows of some columns as records; ``columns`` is used up."""
    for side in SIDES:
        columns[f"doc{side}"] = passages(*(columns.pop(name) for name in passage_columns(side)))
    for name in JSON_COLUMNS & columns.keys():
        columns[name] = [msgspec.json.decode(cell) if cell else {} for cell in columns[name]]
    names = list(columns)
    for cells in zip(*columns.values(), strict=True):
        yield kind(**dict(zip(names, cells, strict=True)))


def passages(
    ids: Iterable[str | None], starts: Iterable[int | None], ends: Iterable[int | None]
) -> list[Passage | None]:
    """The passages of three columns."""
    spans = zip(ids, starts, ends, strict=True)
    return [None if id is None else Passage(id=id, start=start, end=end) for id, start, end in spans]


def save_labels(table: Dataset, path: str) -> None:
    """Write all pairs of a table; the file appears when it is complete."""

    def pairs() -> Iterator[Pair]:
        for row in read_table(table):
            values = ((name, getattr(row, name)) for name in _ORDER)
            labelling = {
                name: value for name, value in values if value not in (None, [], {}, False) or name == "positive"
            }
            fields = {name: getattr(row, name) for name in Pair.__struct_fields__}
            yield Pair(**fields | {"meta": {**row.meta, META: labelling}})

    write_records(pairs(), path)
