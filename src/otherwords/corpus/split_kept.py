"""What was released keeps its part: each pair that of the latest release that has it, and the dates stay too."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa
from sqlalchemy import Connection, func, select

from otherwords.project import schema

ROWS_AT_A_TIME = 10_000


@dataclass(frozen=True, slots=True)
class Kept:
    """Released pairs with their parts, and the cut-offs of the latest release by time."""

    ids: pa.Array = field(default_factory=lambda: pa.array([], pa.large_string()))
    parts: pa.Array = field(default_factory=lambda: pa.array([], pa.large_string()))
    cut_offs: tuple[str, ...] = ()
    version: str | None = None  # the latest release

    def names(self) -> list[str]:
        """The parts that there were."""
        return sorted(self.parts.unique().to_pylist())


NOTHING = Kept()


def kept(connection: Connection) -> Kept:
    """What has been released so far. A pair that was released without a part is as free as a new one."""
    releases, released = schema.releases, schema.released_pairs
    told = connection.execute(select(releases.c.version, releases.c.meta).order_by(releases.c.time, releases.c.version))
    versions = told.all()
    if not versions:
        return NOTHING
    dates = [meta["cut_offs"] for _, meta in versions if meta.get("cut_offs")]
    statement = (
        select(released.c.pair, released.c.part)
        .join(releases, releases.c.version == released.c.version)
        .where(released.c.part.is_not(None))
        .order_by(releases.c.time, releases.c.version)
        .execution_options(yield_per=ROWS_AT_A_TIME)
    )
    parts: dict[str, str] = {}  # later ones overrule
    for rows in connection.execute(statement).partitions():
        parts.update((pair, part) for pair, part in rows)
    ids, names = pa.array(parts.keys(), pa.large_string()), pa.array(parts.values(), pa.large_string())
    return Kept(ids, names, tuple(dates[-1]) if dates else (), versions[-1][0])


def released_so_far(connection: Connection) -> list[int | str | None]:
    """Something that changes with every release."""
    releases, released = schema.releases, schema.released_pairs
    count, last = connection.execute(select(func.count(), func.max(releases.c.time)).select_from(releases)).one()
    pairs = connection.execute(select(func.count()).select_from(released)).scalar_one()
    return [count, last, pairs]
