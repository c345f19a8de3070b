"""Groups of posts that share an address, read from the newest table that the alignment of posts wrote.

The table may have millions of rows: it is read once, in batches, and only the sentences that a page can show stay in
memory, in Arrow's compact form. A table that was rewritten, by a step or by a withdrawal, is read again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import Connection, desc, select

from otherwords.errors import NotFound
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import MANIFEST, open_dataset
from otherwords.project.project import Project

TOP_SENTENCES = 11  # MultiPIT §2.3: the seed is one of the top 11 sentences
MIN_SENTENCES = 4  # a seed and the 3 paraphrases that it must have at least
ROWS_PER_BATCH = 65_536
_SHOWN = ("rank", "document", "start", "end", "text", "probability")


@dataclass(frozen=True, slots=True)
class SeedSentence:
    """A sentence of a post that may be a seed; rank 1 has the greatest mean word probability in its group."""

    rank: int
    document: str
    start: int
    end: int
    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class PostGroup:
    """A group of posts: its best sentences, and how many of all its sentences may be paired."""

    name: str
    sentences: list[SeedSentence]
    size: int


@dataclass(frozen=True, slots=True)
class PostGroups:
    """The groups with enough sentences, in the order of the table; ``places``: first row and rows in ``top``, size."""

    top: Any
    places: dict[str, tuple[int, int, int]]

    def group(self, name: str) -> PostGroup:
        """A group by its name."""
        if name not in self.places:
            raise NotFound(f"there is no group {name!r} with at least {MIN_SENTENCES} sentences", code="no-such-group")
        first, count, size = self.places[name]
        rows = self.top.slice(first, count).select(_SHOWN).to_pylist()
        return PostGroup(name, sorted((SeedSentence(**row) for row in rows), key=lambda sentence: sentence.rank), size)


def url_groups(connection: Connection, project: Project) -> PostGroups | None:
    """The groups of the last finished alignment of posts by address; None if there is none."""
    steps = schema.steps
    finished = (steps.c.kind == "align-posts", steps.c.state == "done", steps.c.output.is_not(None))
    for step in connection.execute(select(steps).where(*finished).order_by(desc(steps.c.seq))).mappings():
        if step["parameters"].get("by") == "url":
            folder = project.folder / step["output"]
            try:
                status = (folder / MANIFEST).stat()
            except FileNotFoundError:
                message = "the dataset of the posts is missing; run its step again"
                raise NotFound(message, code="missing-dataset") from None
            return _read_cached(folder.resolve(), status.st_mtime_ns, status.st_size)
    return None


@lru_cache(maxsize=2)
def _read_cached(folder: Path, modified: int, size: int) -> PostGroups:
    """The groups of a dataset; the time of change and the size of its manifest are part of the cache key."""
    sizes: Counter[str] = Counter()
    parts = []
    for rows in open_dataset(folder).batches(["group", "kept", *_SHOWN], ROWS_PER_BATCH):
        usable = pc.and_(rows.column("kept"), pc.not_equal(pc.fill_null(rows.column("text"), ""), ""))
        rows = rows.filter(pc.and_(usable, pc.is_valid(rows.column("group"))))
        for count in pc.value_counts(rows.column("group")).to_pylist():
            sizes[count["values"]] += count["counts"]
        parts.append(rows.filter(pc.less_equal(rows.column("rank"), TOP_SENTENCES)).select(["group", *_SHOWN]))
    top = pa.Table.from_batches(parts).combine_chunks() if parts else pa.table({"group": pa.array([], pa.string())})
    return PostGroups(top, _places(top, sizes))


def _places(top: Any, sizes: Mapping[str, int]) -> dict[str, tuple[int, int, int]]:
    """Where the rows of each group are, which are consecutive in the table."""
    places: dict[str, tuple[int, int, int]] = {}
    runs = pc.run_end_encode(top["group"].combine_chunks()) if len(top) else None
    first = 0
    for name, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True) if runs is not None else ():
        if sizes[name] >= MIN_SENTENCES:
            places[name] = (first, end - first, sizes[name])
        first = end
    return places
