"""The work of a search in shards: functions of a folder and numbers that read files and write files.

Any of them may run in any process that sees the folder, and again if a process died: what it writes is the same. In the
order of a search, each for all its numbers before the next begins:

- ``assign_rows(folder, file, probes)``: the nearest pivots of the rows of a file, by id;
- ``place_rows(folder, file)``: the rows of a file in the order of the cells, in 8 bits, and the cells they probe;
- ``index_probes(folder, file, number)``: which rows of a file probe each cell, with more probes than before;
- ``join_group(folder, group)``: the rows of some cells with those that probe them, as updates of lists;
- ``merge_updates(folder, file, step, updates)``: the lists of a file with all updates of them;
- ``keep_snapshot(folder, file, step, number)``: the neighbours in the lists of a file before a round;
- ``refine_rows(folder, file, step, number, joined)``: neighbours of neighbours of its rows, as updates of lists;
- ``rescore_rows(folder, file, step)``: the lists of a file with ids and exact scores.

What is compared with what does not depend on how rows are divided, and a list is the best of all that was offered to
it; so the lists are those of a search in memory, to the last bit.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from otherwords import _kernels
from otherwords.mining.neighbours.cells import further_probes, probing_rows
from otherwords.mining.neighbours.partitioned import LOOKED_AT
from otherwords.mining.neighbours.quantised import CHUNK, NO_ID, Ints, Keys
from otherwords.mining.neighbours.work_folder import WorkFolder, open_work_folder, read_array, write_array

OLD = np.uint32(2**31)  # marks neighbours in a snapshot
NOBODY = np.uint32(NO_ID)


class CellGroup(msgspec.Struct, frozen=True):
    """Cells that are joined with the rows that probe them; of these a part, where they are too many for one cell."""

    number: int
    step: int
    first: int
    last: int
    start: int = 0
    stop: int | None = None


def assign_rows(folder: str, file: int, probes: int) -> None:
    """Find the nearest pivots of the rows of a file."""
    work = open_work_folder(folder)
    files = work.files("nearest")
    start, stop = files.span(file)
    out = np.empty((stop - start, probes), np.int32)
    for at in range(start, stop, CHUNK):
        block = work.quantised.bytes(np.arange(at, min(at + CHUNK, stop)), work.plan.scale)
        out[at - start : at - start + CHUNK] = work.pivots.nearest(block, probes)
    files.write(file, out)


def place_rows(folder: str, file: int) -> None:
    """Write the rows that have their places in a file, and the cells they probe."""
    work = open_work_folder(folder)
    start, stop = work.files("rows").span(file)
    ids = np.array(work.array("order")[start:stop])
    nearest = work.files("nearest").take(ids)
    work.files("probes").write(file, work.layout.cells(nearest, np.arange(start, stop)))
    chunks = [work.quantised.bytes(ids[at : at + CHUNK], work.plan.scale) for at in range(0, len(ids), CHUNK)]
    work.files("rows").write(file, np.concatenate(chunks))


def index_probes(folder: str, file: int, number: int) -> None:
    """Write which rows of a file have each cell among the probes that are to be joined."""
    work = open_work_folder(folder)
    files = work.files("rows")
    start, stop = files.span(file)
    probes = work.files("probes").read(file)
    limits = np.array(work.array(f"limits{number}")[start:stop])
    before = np.array(work.array(f"limits{number - 1}")[start:stop]) if number else np.zeros_like(limits)
    wanted, width = int(limits.max()), probes.shape[1]
    chosen = np.zeros((stop - start, max(wanted, width)), np.int32)
    chosen[:, :width] = probes
    deep = np.flatnonzero(limits > np.maximum(before, width))
    matrix = files.read(file)
    for at in range(0, len(deep), CHUNK):
        rows = deep[at : at + CHUNK]
        chosen[rows, :wanted] = further_probes(
            work.pivots, work.layout, matrix[rows], probes[rows], start + rows, wanted
        )
    starts, probing = probing_rows(chosen, before, limits, len(work.starts) - 1)
    work.write(f"index-starts-{file:05}", starts)
    work.write(f"index-rows-{file:05}", probing)


def join_group(folder: str, group: CellGroup) -> None:
    """Compare the rows of some cells with those that probe them."""
    work = open_work_folder(folder)
    first, last = (int(work.starts[cell]) for cell in (group.first, group.last))
    cells, probing = _probing(work, group)
    inside = (probing >= first) & (probing < last)
    others = np.unique(probing[~inside])
    places = np.concatenate([np.arange(first, last), others])
    rows = np.where(inside, probing - first, last - first + np.searchsorted(others, probing)).astype(np.int32)
    local = _LocalRows(work, places, group.step)
    starts = np.ascontiguousarray(work.starts[group.first : group.last + 1] - first)
    probe_starts = np.searchsorted(cells, np.arange(group.first, group.last + 1))
    within = int(group.stop is None)
    _kernels.join_cells(*local.shape, local.side(), starts, probe_starts, rows, 0, group.last - group.first, within)
    write_array(work.folder / update_name(group.step, group.number), local.updates())


def _probing(work: WorkFolder, group: CellGroup) -> tuple[Ints, Ints]:
    """The cells of a group that are probed, and the rows that probe them, cell by cell."""
    cells, rows = [], []
    for file in range(work.files("rows").count):
        starts = work.array(f"index-starts-{file:05}")[group.first : group.last + 1]
        found = work.array(f"index-rows-{file:05}")[starts[0] : starts[-1]]
        cells.append(np.repeat(np.arange(group.first, group.last), np.diff(starts)))
        rows.append(found.astype(np.int64) + work.files("rows").span(file)[0])
    all_cells = np.concatenate(cells)
    order = np.argsort(all_cells, kind="stable")[group.start : group.stop]
    return all_cells[order], np.concatenate(rows)[order]


class _LocalRows:
    """Some rows of the pool in memory, with the lists they had before a step."""

    def __init__(self, work: WorkFolder, places: Ints, step: int) -> None:
        rows, self.places = work.quantised, places
        self.shape = (rows.stride, work.plan.slots, rows.shift, rows.rule)
        self.matrix = work.files("rows").take(places)
        self.squares = rows.squares(self.matrix)
        self.groups = None if rows.groups is None else rows.groups[work.array("order")[places]]
        empty = np.zeros((len(places), work.plan.slots), np.uint64)
        self.before: Keys = work.files(f"lists{step - 1}").take(places) if step else empty
        self.lists = self.before.copy()
        self.locks = np.zeros(len(places), np.uint8)

    def side(self) -> _kernels.Side:
        return self.matrix, 0, len(self.places), self.places, self.squares, self.groups, self.lists, self.locks

    def updates(self) -> NDArray[np.uint64]:
        """What has come into the lists: places, which rise, and keys."""
        found: list[tuple[Ints, Keys]] = []
        for start in range(0, len(self.places), CHUNK):
            lists, before = self.lists[start : start + CHUNK], self.before[start : start + CHUNK]
            added = lists != 0
            for slot in range(before.shape[1]):
                added &= lists != before[:, slot, None]
            found.append((np.repeat(self.places[start : start + CHUNK], added.sum(axis=1)), lists[added]))
        places, keys = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.argsort(places, kind="stable")
        return np.stack([places[order].astype(np.uint64), keys[order]])


def update_name(step: int, number: int) -> str:
    """The file of the updates of a group or of a file of rows."""
    return f"updates{step}-{number:06}.npy"


def merge_updates(folder: str, file: int, step: int, updates: int) -> None:
    """Write the lists of a file after a step, from those before it and all updates."""
    work = open_work_folder(folder)
    start, stop = work.files("rows").span(file)
    slots = work.plan.slots
    before = work.files(f"lists{step - 1}").read(file) if step else np.zeros((stop - start, slots), np.uint64)
    lists = np.array(before)
    for number in range(updates):
        places, keys = read_array(work.folder / update_name(step, number))
        low, high = np.searchsorted(places, np.array([start, stop], np.uint64))
        rows = places[low:high].astype(np.int64) - start
        _kernels.offer_keys(lists, slots, rows, np.ascontiguousarray(keys[low:high]))
    work.files(f"lists{step}").write(file, lists)


def keep_snapshot(folder: str, file: int, step: int, number: int) -> None:
    """Write the neighbours in the lists of a file after a step; those of the snapshot before are marked."""
    work = open_work_folder(folder)
    lists = np.ascontiguousarray(work.files(f"lists{step}").read(file))
    before = np.array(work.files(f"snapshot{number - 1}").read(file)) if number else np.full(lists.shape, NOBODY)
    looked_at = min(LOOKED_AT, work.plan.slots)
    _kernels.snapshot_lists(lists, work.plan.slots, looked_at, 0, len(lists), before)
    work.files(f"snapshot{number}").write(file, before)


def refine_rows(folder: str, file: int, step: int, number: int, joined: int) -> None:
    """Compare the rows of a file with neighbours of their neighbours; ``joined`` counts the joins."""
    work = open_work_folder(folder)
    at, stop = work.files("rows").span(file)
    count, updates = stop - at, []
    while at < stop:
        end = min(at + count, stop)
        around = _around(work, at, end, number)
        if around is None:
            count = -(-count // 2)
            continue
        places, snapshot = around
        local = _LocalRows(work, places, step)
        probes = work.files("probes").take(places)
        done = np.array(work.array(f"limits{joined}")[places])
        slots, looked_at = work.plan.slots, min(LOOKED_AT, work.plan.slots)
        first = int(np.searchsorted(places, at))
        last = first + end - at
        side = local.side()
        _kernels.refine_lists(
            *local.shape, side, snapshot, slots, looked_at, looked_at, probes, probes.shape[1], done, first, last
        )
        updates.append(local.updates())
        at = end
    found = np.concatenate(updates, axis=1)
    write_array(work.folder / update_name(step, file), found[:, np.argsort(found[0], kind="stable")])


def _around(work: WorkFolder, at: int, end: int, number: int) -> tuple[Ints, NDArray[np.uint32]] | None:
    """Rows, their neighbours and those of these, with a snapshot of their own numbers; None if they are too many."""
    files, capacity = work.files(f"snapshot{number}"), work.plan.capacity
    if end - at > 1 and end - at > capacity // 8:
        return None
    own = files.take(np.arange(at, end))
    middle = np.union1d(np.arange(at, end), _ids(own))
    if end - at > 1 and len(middle) > capacity:
        return None
    lists = files.take(middle)
    places = np.union1d(middle, _ids(lists))
    if end - at > 1 and len(places) > capacity:
        return None
    snapshot: NDArray[Any] = np.full((len(places), lists.shape[1]), NOBODY)
    numbers = np.searchsorted(places, lists & ~OLD).clip(max=len(places) - 1).astype(np.uint32)
    snapshot[np.searchsorted(places, middle)] = np.where(lists == NOBODY, NOBODY, numbers | (lists & OLD))
    return places, snapshot


def _ids(snapshot: NDArray[np.uint32]) -> Ints:
    return np.unique(snapshot[snapshot != NOBODY] & ~OLD).astype(np.int64)


def rescore_rows(folder: str, file: int, step: int) -> None:
    """Write the lists of a file with ids and exact scores."""
    work = open_work_folder(folder)
    start, stop = work.files("rows").span(file)
    lists = np.array(work.files(f"lists{step}").read(file))
    rescore(work, lists, np.array(work.array("order")[start:stop]))
    work.files("exact").write(file, lists)


def rescore(work: WorkFolder, lists: Keys, owners: Ints) -> None:
    """Put ids and exact scores into lists of rows with these ids."""
    order = work.array("order")
    for start in range(0, len(owners), CHUNK):
        work.quantised.rescore(lists, order, owners, start, min(start + CHUNK, len(owners)))
