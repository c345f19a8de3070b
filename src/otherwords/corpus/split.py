"""Splits: which pair is for training, which for development and which for the test (or in which fold).

In go the columns of a corpus, the wishes and what was released before, out comes a :class:`Split`: for each pair its
part or the reason why it has none. Whole units stay together; what was released keeps its part, and a new pair that
hangs together with pairs of two parts belongs to neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.corpus.split_columns import Gathered
from otherwords.corpus.split_deal import NOWHERE, Floats, counts_of, dealt
from otherwords.corpus.split_kept import NOTHING, Kept
from otherwords.corpus.split_summary import summary_of
from otherwords.corpus.split_times import cut_offs, latest, moments_of, places_in_time
from otherwords.corpus.split_wishes import By, Wishes
from otherwords.corpus.units import Numbers, Units, units_of
from otherwords.errors import DataError, UsageError

NEEDED = ("id", "rewrite_of", "group", "label", "source")
NEEDED_BY = {"document": ("doc1", "doc2"), "time": ("time",)}
NO_TIME = "it has no time"
BRIDGE = "it joins pairs that were released in different parts"


@dataclass(frozen=True, slots=True)
class Split:
    """A row a pair, in the order of the corpus; ``summary`` is the account of it, fit for JSON."""

    table: pa.Table  # id, part, unit, reason
    summary: dict[str, Any]


def split_of(corpus: Gathered, wishes: Wishes, kept: Kept = NOTHING) -> Split:
    """Split a corpus."""
    chosen = cast("By", wishes.by) if wishes.by else corpus.usual()
    taking = corpus.taking(*NEEDED, *NEEDED_BY.get(chosen, ()))
    if not len(taking):
        raise DataError("no pair has a label, so there is nothing to split; judge or import some first")
    components = wishes.components or (wishes.by is None and chosen == "pair")
    _check_columns(taking, chosen)
    sentences = None
    if components:
        rows = np.asarray(pc.is_null(corpus.table["excuse"]))
        one, two = corpus.sentences()
        sentences = one[rows], two[rows]
    units = units_of(taking, chosen, sentences)
    names = list(wishes.shares())
    held = _held(taking, names, wishes, kept)
    placed = _Placing(taking, units, wishes, held, kept).placed(chosen)
    told = wishes.as_dict() | {"by": chosen, "chosen": wishes.by is None, "components": components}
    table = _table(corpus.table, taking, units, names, placed)
    return Split(table, summary_of(taking, units, wishes.shares(), placed.places, told, placed.dates, table["reason"]))


def _check_columns(taking: pa.Table, by: By) -> None:
    needed = {"group": "group", "document": "doc1", "time": "time"}.get(by)
    if needed and taking[needed].null_count == len(taking):
        noun = {"group": "a group", "document": "a document", "time": "a time"}[by]
        raise DataError(f"no pair has {noun}; split --by pair --components, which keeps shared sentences together")


def _held(taking: pa.Table, names: list[str], wishes: Wishes, kept: Kept) -> Numbers:
    """The part in which each pair was released, NOWHERE for new ones. Folds are numbered anew."""
    if wishes.folds or not len(kept.ids):
        return np.full(len(taking), NOWHERE)
    if unknown := [name for name in kept.names() if name not in names]:
        raise UsageError(
            f"release {kept.version} has pairs in {', '.join(unknown)}, which --parts {wishes.parts} does not have; "
            "name the parts that there were"
        )
    found = pc.index_in(taking["id"], kept.ids)
    parts = pc.index_in(kept.parts.take(found.combine_chunks()), pa.array(names, pa.large_string()))
    return np.asarray(parts.fill_null(NOWHERE)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Placed:
    places: Numbers  # of each pair that takes part
    bridges: Numbers  # rows
    timeless: Numbers
    dates: list[str]


@dataclass(frozen=True, slots=True)
class _Placing:
    taking: pa.Table
    units: Units
    wishes: Wishes
    held: Numbers
    kept: Kept

    def placed(self, by: By) -> _Placed:
        """The part of every pair."""
        torn, fixed = self._fixed()
        shares: Floats = np.array(list(self.wishes.shares().values()))
        self._check_many(len(shares), by)
        dates: list[str] = []
        if by == "time":
            by_unit, dates = self._in_time(shares, fixed)
        else:
            strata = (self.taking["label"].combine_chunks(), self.taking["source"].combine_chunks())
            by_unit = dealt(self.units, counts_of(self.units, *strata), shares, fixed, self.wishes.seed)
        new = self.held == NOWHERE
        bridges = torn[self.units.of] & new
        places = np.where(new, by_unit[self.units.of], self.held)
        places[bridges] = NOWHERE
        timeless = (places == NOWHERE) & ~bridges
        return _Placed(places, np.flatnonzero(bridges), np.flatnonzero(timeless), dates)

    def _fixed(self) -> tuple[Numbers, Numbers]:
        """Which units were released in several parts, and where the others were; NOWHERE for new ones."""
        low, high = np.full(len(self.units), np.iinfo(np.int64).max), np.full(len(self.units), NOWHERE)
        there = self.held != NOWHERE
        np.minimum.at(low, self.units.of[there], self.held[there])
        np.maximum.at(high, self.units.of[there], self.held[there])
        return (high != NOWHERE) & (low != high), high

    def _check_many(self, parts: int, by: By) -> None:
        if len(self.units) < parts:
            raise DataError(
                f"{parts} parts cannot be made of {len(self.units)} units by {by}, which stay whole; "
                "ask for fewer parts, or split by something smaller"
            )

    def _in_time(self, shares: Floats, fixed: Numbers) -> tuple[Numbers, list[str]]:
        dates = list(self.wishes.before)
        if self.kept.cut_offs:
            if dates and dates != list(self.kept.cut_offs):
                raise UsageError(
                    f"--before {','.join(dates)}: release {self.kept.version} was cut at "
                    f"{','.join(self.kept.cut_offs)}, and that stays; leave --before away"
                )
            dates = list(self.kept.cut_offs)
        last = latest(self.units.of, moments_of(self.taking["time"]), len(self.units))
        dates = dates or cut_offs(last, np.bincount(self.units.of), shares)
        by_time = places_in_time(last, dates, NOWHERE)
        return np.where(fixed == NOWHERE, by_time, fixed), dates


def _table(whole: pa.Table, taking: pa.Table, units: Units, names: list[str], placed: _Placed) -> pa.Table:
    """A row for every pair of the corpus, those that take no part among them."""
    rows = np.flatnonzero(np.asarray(pc.is_null(whole["excuse"])))
    where = np.full(len(whole), -1)
    where[rows] = np.arange(len(rows))
    at = pa.array(where, mask=where < 0)
    reasons = np.zeros(len(taking), np.int64)
    reasons[placed.bridges], reasons[placed.timeless] = 1, 2
    reason = pa.array([None, BRIDGE, NO_TIME], pa.large_string()).take(pa.array(reasons)).take(at)
    places = pa.array(placed.places, mask=placed.places == NOWHERE)
    columns: Mapping[str, Any] = {
        "id": whole["id"],
        "part": pa.array(names, pa.large_string()).take(places).take(at),
        "unit": units.names.take(pa.array(units.of)).take(at),
        "reason": pc.coalesce(whole["excuse"], reason),
    }
    return pa.table(columns)
