"""The labels of a project and the part of each pair, in the same order.

A release that was made before is split as it was then, whatever was tried since; a new one as it is wished for, or as
the project was split last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from otherwords.corpus.labelling import labels_table
from otherwords.corpus.parts import parts_summary, parts_table
from otherwords.corpus.release_pairs import Placed
from otherwords.corpus.release_wishes import UNSPLIT, Wishes
from otherwords.corpus.released import WHOLE
from otherwords.project.project import Project

ROWS_AT_A_TIME = 20_000
WISHES = ("by", "components", "parts", "folds", "seed", "before")  # of a split


@dataclass(frozen=True, slots=True)
class Split:
    """The tables that a release is read from, and how they were made."""

    labels: Path
    parts: Path | None = None  # None where nothing is split
    names: tuple[str, ...] = (WHOLE,)  # the parts in their order
    wishes: dict[str, Any] = field(default_factory=lambda: {"by": UNSPLIT})
    cut_offs: tuple[str, ...] = ()

    def ordered(self, parts: Collection[str]) -> list[str]:
        """The parts that have pairs, in their order."""
        return [name for name in self.names if name in parts]


def split_of(project: Project, wishes: Wishes, before: Mapping[str, Any]) -> Split:
    """Label and split a project; ``before`` are the wishes of the split that this version was released with."""
    given = {name: getattr(wishes, name) for name in ("by", "parts", "seed")}
    asked = {**before, **{name: value for name, value in given.items() if value is not None}}
    labels = labels_table(project, simulated=wishes.simulated)
    if asked.get("by") == UNSPLIT:
        return Split(labels)
    parts = parts_table(project, simulated=wishes.simulated, **asked)
    told = parts_summary(parts)
    names = tuple(one["part"] for one in told["sizes"])
    return Split(labels, parts, names, {name: told[name] for name in WISHES}, tuple(told["cut_offs"]))


def placed(split: Split) -> Iterator[Placed]:
    """The part of each row of the labels, or the reason why it has none."""
    if split.parts is None:
        with pq.ParquetFile(split.labels) as labels:
            for batch in labels.iter_batches(ROWS_AT_A_TIME, columns=["id"]):
                yield from ((id, WHOLE, None) for id in batch.column("id").to_pylist())
        return
    with pq.ParquetFile(split.parts) as parts:
        for batch in parts.iter_batches(ROWS_AT_A_TIME, columns=["id", "part", "reason"]):
            yield from zip(*(batch.column(name).to_pylist() for name in ("id", "part", "reason")), strict=True)
