"""The table of labels as a file of pairs that others can read.

What made a label, or why there is none, goes with each pair under ``meta.labelling``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from otherwords.corpus.labelled import Labelled, read_table
from otherwords.records import Pair
from otherwords.sources.reading import format_for, write

META = "labelling"
_TOLD = ("state", "reason", "made_by", "positive", "judgements", "views", "votes", "positive_votes", "simulated")


def check_target(path: str) -> None:
    """Refuse a file whose format cannot be told from its name, before anything is worked out."""
    format_for(path)


def save(table: Path, path: str) -> None:
    """Write all pairs of a table, the file appearing when it is whole."""
    write(_pairs(table), path)


def _pairs(table: Path) -> Iterator[Pair]:
    for row in read_table(table):
        fields = {name: getattr(row, name) for name in Pair.__struct_fields__}
        yield Pair(**fields | {"meta": {**row.meta, META: _told(row)}})


def _told(row: Labelled) -> dict[str, Any]:
    told = {name: getattr(row, name) for name in _TOLD}
    return {name: value for name, value in told.items() if value not in (None, [], {}, False) or name == "positive"}
