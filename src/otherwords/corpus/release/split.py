"""The labels of a project and the part of each pair, in the same order.

A version that was released before is split as it was then, whatever was tried since; a new one by the options given,
or as the project was split last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.release.model import WHOLE
from otherwords.corpus.release.options import UNSPLIT, ReleaseOptions
from otherwords.corpus.release.pairs import PlacedId
from otherwords.corpus.splits.step import parts_table
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.project import Project

ROWS_AT_A_TIME = 20_000
OPTIONS = ("by", "components", "parts", "folds", "seed", "before")  # of a split


@dataclass(frozen=True, slots=True)
class ReleaseTables:
    """The tables that a release is read from, and how they were made."""

    labels: Dataset
    parts: Dataset | None = None  # None where nothing is split
    names: tuple[str, ...] = (WHOLE,)  # of the parts, in order
    options: dict[str, object] = field(default_factory=lambda: {"by": UNSPLIT})
    cut_offs: tuple[str, ...] = ()


def split_release(project: Project, options: ReleaseOptions, earlier: Mapping[str, object]) -> ReleaseTables:
    """Label and split a project; ``earlier`` are the options of the split that this version was released with."""
    named = {name: getattr(options, name) for name in ("by", "parts", "seed")}
    split_options = {**earlier, **{name: value for name, value in named.items() if value is not None}}
    scheme = options.scheme if options.scheme != project.config.scheme else None
    labels = labels_table(project, simulated=options.simulated, scheme=scheme)
    if split_options.get("by") == UNSPLIT:
        return ReleaseTables(labels)
    parts = parts_table(project, simulated=options.simulated, scheme=scheme or "", **split_options)
    summary = parts.summary
    names = tuple(part["part"] for part in summary["sizes"])
    used = {name: summary[name] for name in OPTIONS}
    return ReleaseTables(labels, parts, names, used, tuple(summary["cut_offs"]))


def read_places(tables: ReleaseTables) -> Iterator[PlacedId]:
    """The part of each row of the labels, or the reason why it has none."""
    if tables.parts is None:
        for batch in tables.labels.batches(["id"], ROWS_AT_A_TIME):
            yield from ((id, WHOLE, None) for id in batch.column("id").to_pylist())
        return
    for batch in tables.parts.batches(["id", "part", "reason"], ROWS_AT_A_TIME):
        yield from zip(*(batch.column(name).to_pylist() for name in ("id", "part", "reason")), strict=True)
