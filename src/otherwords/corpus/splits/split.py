"""Splits: which pairs are for training, for development and for testing (or in which fold they are).

Whole units stay together. Released pairs keep their part, that of the latest release that has them, and released
cut-off dates stay too. A new pair that connects pairs of two parts belongs to neither. A pair whose label rests on the
judgement of a model is in no test part and in no fold, which is a test part in its turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from otherwords.align.window import parse_moment
from otherwords.corpus.splits.columns import BY_MODEL, SplitColumns
from otherwords.corpus.splits.deal import NOWHERE, Floats, count_traits, deal_units
from otherwords.corpus.splits.options import By, SplitOptions
from otherwords.corpus.splits.summary import UsedOptions, summary_of
from otherwords.corpus.splits.units import Numbers, Units, units_of
from otherwords.errors import DataError, UsageError
from otherwords.project.ledger import schema

NEEDED = ("id", "rewrite_of", "group", "label", "source", "no_test")
NEEDED_BY = {"document": ("doc1", "doc2"), "time": ("time",)}
NO_TIME = "it has no time"
BRIDGE = "it joins pairs that were released in different parts"
TEST = "test"
NEVER = np.iinfo(np.int64).min  # the time of a unit none of whose pairs has one
ROWS_AT_A_TIME = 10_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ReleasedParts:
    """Released pairs with their parts, and the cut-offs of the latest release by time."""

    # not pa.array, which imports pandas where that is installed: this module is imported by the site
    ids: pa.Array = field(default_factory=lambda: pa.nulls(0, pa.large_string()))
    parts: pa.Array = field(default_factory=lambda: pa.nulls(0, pa.large_string()))
    cut_offs: tuple[str, ...] = ()
    version: str | None = None  # the latest release


NOTHING = ReleasedParts()


def read_released_parts(connection: Connection) -> ReleasedParts:
    """All that has been released so far. A pair that was released without a part counts as new."""
    releases, released = schema.releases, schema.released_pairs
    order = (releases.c.time, releases.c.version)
    versions = connection.execute(select(releases.c.version, releases.c.meta).order_by(*order)).all()
    if not versions:
        return NOTHING
    dates = [meta["cut_offs"] for _, meta in versions if meta.get("cut_offs")]
    statement = (
        select(released.c.pair, released.c.part)
        .join(releases, releases.c.version == released.c.version)
        .where(released.c.part.is_not(None))
        .order_by(*order)
        .execution_options(yield_per=ROWS_AT_A_TIME)
    )
    parts: dict[str, str] = {}  # later releases overrule earlier ones
    for rows in connection.execute(statement).partitions():
        parts.update((pair, part) for pair, part in rows)
    ids, names = pa.array(parts.keys(), pa.large_string()), pa.array(parts.values(), pa.large_string())
    return ReleasedParts(ids, names, tuple(dates[-1]) if dates else (), versions[-1][0])


@dataclass(frozen=True, slots=True)
class Split:
    """One row per pair, in the order of the corpus; ``summary`` is plain JSON."""

    table: pa.Table  # id, part, unit, reason
    summary: dict[str, Any]


def split_corpus(corpus: SplitColumns, options: SplitOptions, released: ReleasedParts = NOTHING) -> Split:
    """Split a corpus; what was released before keeps its part."""
    by = cast("By", options.by) if options.by else corpus.default_unit()
    table = corpus.included(*NEEDED, *NEEDED_BY.get(by, ()))
    if not len(table):
        message = "no pair has a label, so there is nothing to split; judge or import some first"
        raise DataError(message, code="nothing-to-split")
    components = options.components or (options.by is None and by == "pair")
    column = {"group": "group", "document": "doc1", "time": "time"}.get(by)
    if column and table[column].null_count == len(table):
        message = f"no pair has a {by}; split --by pair --components, which keeps shared sentences together"
        raise DataError(message, code=f"no-{by}")
    sentences = None
    if components:
        rows = np.asarray(pc.is_null(corpus.table["excluded"]))
        first, second = corpus.sentences()
        sentences = first[rows], second[rows]
    units = units_of(table, by, sentences)
    names = list(options.shares())
    held = _released_places(table, names, options, released)
    placed = _without_test(_Placement(table, units, options, held, released).place(by), table, names, options)
    result = _output_table(corpus.table, units, names, placed)
    used = UsedOptions(replace(options, by=by, components=components), chosen=options.by is None)
    return Split(result, summary_of(table, units, used, placed.places, placed.dates, result["reason"]))


def _released_places(table: pa.Table, names: list[str], options: SplitOptions, released: ReleasedParts) -> Numbers:
    """The part in which each pair was released, NOWHERE for new ones. Folds are numbered anew."""
    if options.folds or not len(released.ids):
        return np.full(len(table), NOWHERE)
    if unknown := sorted(set(released.parts.unique().to_pylist()) - set(names)):
        message = (
            f"release {released.version} has pairs in {', '.join(unknown)}, which --parts {options.parts} does not "
            "have; name the parts of the release"
        )
        raise UsageError(message, code="released-part-missing")
    rows = pc.index_in(table["id"], released.ids)
    parts = pc.index_in(released.parts.take(rows.combine_chunks()), pa.array(names, pa.large_string()))
    return np.asarray(parts.fill_null(NOWHERE)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class _PlacedPairs:
    places: Numbers  # of each pair that takes part
    bridges: Numbers  # rows
    timeless: Numbers
    dates: list[str]
    untestable: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))


def _without_test(placed: _PlacedPairs, table: pa.Table, names: list[str], options: SplitOptions) -> _PlacedPairs:
    """The same without pairs in a test part that cannot be in one."""
    tests = [place for place, name in enumerate(names) if options.folds or name == TEST]
    removed = np.asarray(pc.is_valid(table["no_test"])) & np.isin(placed.places, tests)
    places = np.where(removed, NOWHERE, placed.places)
    return replace(placed, places=places, untestable=np.flatnonzero(removed))


@dataclass(frozen=True, slots=True)
class _Placement:
    """Finds the part of every pair of ``table``."""

    table: pa.Table
    units: Units
    options: SplitOptions
    held: Numbers
    released: ReleasedParts

    def place(self, by: By) -> _PlacedPairs:
        # Which units were released in several parts, and the part of the others; NOWHERE for new ones.
        low, fixed = np.full(len(self.units), np.iinfo(np.int64).max), np.full(len(self.units), NOWHERE)
        rows = self.held != NOWHERE
        np.minimum.at(low, self.units.of_row[rows], self.held[rows])
        np.maximum.at(fixed, self.units.of_row[rows], self.held[rows])
        torn = (fixed != NOWHERE) & (low != fixed)
        shares: Floats = np.array(list(self.options.shares().values()))
        if len(self.units) < len(shares):
            units = "1 unit" if len(self.units) == 1 else f"{len(self.units)} units"
            message = (
                f"{len(shares)} parts cannot be made of {units} by {by}, which stay whole; "
                "ask for fewer parts, or split by something smaller"
            )
            raise DataError(message, code="too-few-units")
        dates: list[str] = []
        if by == "time":
            by_unit, dates = self._by_time(shares, fixed)
        else:
            strata = (self.table["label"].combine_chunks(), self.table["source"].combine_chunks())
            by_unit = deal_units(self.units, count_traits(self.units, *strata), shares, fixed, self.options.seed)
        new = self.held == NOWHERE
        bridges = torn[self.units.of_row] & new
        places = np.where(new, by_unit[self.units.of_row], self.held)
        places[bridges] = NOWHERE
        timeless = (places == NOWHERE) & ~bridges
        return _PlacedPairs(places, np.flatnonzero(bridges), np.flatnonzero(timeless), dates)

    def _by_time(self, shares: Floats, fixed: Numbers) -> tuple[Numbers, list[str]]:
        """The part of every unit by its latest time, and the dates that the parts are cut at."""
        dates, released_dates = list(self.options.before), list(self.released.cut_offs)
        if dates and released_dates and dates != released_dates:
            message = (
                f"--before {','.join(dates)}: release {self.released.version} was cut at "
                f"{','.join(released_dates)}, and that stays; leave out --before"
            )
            raise UsageError(message, code="released-cut-offs")
        times = self.table["time"]
        known = {time: NEVER if (when := parse_moment(time)) is None else when for time in times.unique().to_pylist()}
        last = np.full(len(self.units), NEVER)  # in microseconds since 1970
        np.maximum.at(last, self.units.of_row, np.array([known[time] for time in times.to_pylist()], np.int64))
        dates = released_dates or dates or cut_offs(last, np.bincount(self.units.of_row), shares)
        edges = np.array([parse_moment(date) for date in dates], np.int64)
        by_time = np.where(last == NEVER, NOWHERE, np.searchsorted(edges, last, side="right"))
        return np.where(fixed == NOWHERE, by_time, fixed), dates


def _output_table(corpus: pa.Table, units: Units, names: list[str], placed: _PlacedPairs) -> pa.Table:
    """A row for every pair of the corpus, including those that take no part."""
    rows = np.flatnonzero(np.asarray(pc.is_null(corpus["excluded"])))
    position = np.full(len(corpus), -1)
    position[rows] = np.arange(len(rows))
    positions = pa.array(position, mask=position < 0)
    reasons = np.zeros(len(rows), np.int64)
    reasons[placed.bridges], reasons[placed.timeless], reasons[placed.untestable] = 1, 2, 3
    reason = pa.array([None, BRIDGE, NO_TIME, BY_MODEL], pa.large_string()).take(pa.array(reasons)).take(positions)
    places = pa.array(placed.places, mask=placed.places == NOWHERE)
    part = pa.array(names, pa.large_string()).take(places).take(positions)
    unit = units.names.take(pa.array(units.of_row)).take(positions)
    reason = pc.coalesce(corpus["excluded"], reason)
    return pa.table({"id": corpus["id"], "part": part, "unit": unit, "reason": reason})


def cut_offs(last: Numbers, sizes: Numbers, shares: NDArray[np.float64]) -> list[str]:
    """The dates that bring the parts as near to their shares as whole units and whole moments allow."""
    timed = last != NEVER
    different, place = np.unique(last[timed], return_inverse=True)
    if len(different) < len(shares):
        times = "1 time is" if len(different) == 1 else f"{len(different)} different times are"
        message = f"{times} too few for {len(shares)} parts; ask for fewer parts, or split by group"
        raise DataError(message, code="too-few-times")
    before = np.concatenate([[0.0], np.cumsum(np.bincount(place, sizes[timed]))])
    cuts: list[int] = []
    for part, aim in enumerate(np.cumsum(shares)[:-1] * before[-1]):
        first = (cuts[-1] if cuts else 0) + 1
        final = len(different) - (len(shares) - 2 - part)
        cuts.append(first + int(np.abs(before[first:final] - aim).argmin()))
    moments = [_EPOCH + timedelta(microseconds=int(different[cut])) for cut in cuts]
    return [when.date().isoformat() if when.time() == when.time().min else when.isoformat() for when in moments]
