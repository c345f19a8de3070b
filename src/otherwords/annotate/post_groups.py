"""Groups of posts that share an address, read from the table that the alignment of posts wrote.

In goes the newest such table of a project, out come its groups, each with its best sentences. The table may have
millions of rows: it is read once in pieces, and only the sentences that a page can show stay in memory, in Arrow's
compact form. A table that was written anew, by a step or by a withdrawal, is read again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from sqlalchemy import Connection, desc, select

from otherwords.errors import NotFound
from otherwords.project import schema
from otherwords.project.project import Project

TOP = 11  # MultiPIT §2.3: the seed is one of the top 11 sentences
FEWEST = 4  # a seed and the 3 paraphrases that it must give at least
ROWS_A_PIECE = 65_536
_SHOWN = ("rank", "document", "start", "end", "text", "probability")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a post that may be a seed; rank 1 has the greatest mean word probability in its group."""

    rank: int
    document: str
    start: int
    end: int
    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Group:
    """A group of posts: its best sentences, and how many of all its sentences may be paired."""

    name: str
    sentences: list[Sentence]
    size: int


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups of a table that have enough sentences, in its order; ``places`` are rows of ``top`` and the size."""

    top: Any
    places: dict[str, tuple[int, int, int]]

    def group(self, name: str) -> Group:
        """A group by its name."""
        if name not in self.places:
            raise NotFound(f"there is no group {name!r} with at least {FEWEST} sentences")
        first, count, size = self.places[name]
        rows = self.top.slice(first, count).select(_SHOWN).to_pylist()
        return Group(name, sorted((Sentence(**row) for row in rows), key=lambda one: one.rank), size)


def url_groups(connection: Connection, project: Project) -> Groups | None:
    """The groups of the last alignment of posts by address that was finished; None if there was none."""
    one = schema.steps
    finished = (one.c.does == "align-posts", one.c.state == "done", one.c.table.is_not(None))
    for step in connection.execute(select(one).where(*finished).order_by(desc(one.c.seq))).mappings():
        if step["parameters"].get("by") == "url":
            return _of_file(project.folder / step["table"])
    return None


def _of_file(path: Path) -> Groups:
    try:
        found = path.stat()
    except FileNotFoundError:
        raise NotFound(f"the table {path.name} of the posts is missing; run its step again") from None
    return _read(path.resolve(), found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=2)
def _read(path: Path, written: int, size: int) -> Groups:
    """The groups of a file; when it was written and how long it is are there to be remembered by."""
    sizes: dict[str, int] = {}
    pieces = []
    with pq.ParquetFile(path) as table:
        for piece in table.iter_batches(ROWS_A_PIECE, columns=["group", "kept", *_SHOWN]):
            usable = pc.and_(piece.column("kept"), pc.not_equal(pc.fill_null(piece.column("text"), ""), ""))
            piece = piece.filter(pc.and_(usable, pc.is_valid(piece.column("group"))))
            for counted in pc.value_counts(piece.column("group")).to_pylist():
                sizes[counted["values"]] = sizes.get(counted["values"], 0) + counted["counts"]
            pieces.append(piece.filter(pc.less_equal(piece.column("rank"), TOP)).select(["group", *_SHOWN]))
    top = pa.Table.from_batches(pieces).combine_chunks() if pieces else pa.table({"group": pa.array([], pa.string())})
    return Groups(top, _places(top, sizes))


def _places(top: Any, sizes: dict[str, int]) -> dict[str, tuple[int, int, int]]:
    """Where the rows of each group stand, which the table has one after the other."""
    places: dict[str, tuple[int, int, int]] = {}
    runs = pc.run_end_encode(top["group"].combine_chunks()) if len(top) else None
    first = 0
    for name, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True) if runs is not None else ():
        if sizes[name] >= FEWEST:
            places[name] = (first, end - first, sizes[name])
        first = end
    return places
