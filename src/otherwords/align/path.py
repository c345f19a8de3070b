"""The best monotone way through a table of rewards.

In go the rows of a table, each with the column where it begins (a row may leave out columns where
nothing is to be gained), out come the cells of a way from the first corner to the last that goes
forward on either side or on both at once and gathers the greatest reward. A line may so meet several
lines of the other side, and lines without a partner cost nothing. Rewards are whole numbers: the way
back is found by exact equality.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Rewards = npt.NDArray[np.int64]
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """The rewards of one row from the column ``first`` on; neither end of a row lies before that of the last one."""

    first: int
    rewards: Rewards

    @property
    def end(self) -> int:
        return self.first + len(self.rewards)


def best_path(rows: Sequence[Row]) -> list[Cell]:
    """The cells of the best way that have a reward, in order."""
    totals = _totals(rows)
    cells = []
    row = len(rows) - 1
    column = rows[row].end - 1 if rows else 0
    while row >= 0 and column >= 0:
        here = rows[row]
        column = min(column, here.end - 1)
        if column < here.first:  # nothing is to be gained further down in this row
            row -= 1
            continue
        reward = int(here.rewards[column - here.first])
        if reward:
            cells.append((row, column))
        row, column = _step_back(totals, rows, row, column, int(totals[row][column - here.first]) - reward)
    return cells[::-1]


def _totals(rows: Sequence[Row]) -> list[Rewards]:
    """The greatest reward of any way that ends in each cell.

    A row depends on itself: total[j] = max(from above[j], total[j - 1]) + reward[j]. Less the running
    sum of its rewards that is a running maximum, which numpy does at once.
    """
    totals: list[Rewards] = []
    for number, row in enumerate(rows):
        columns = np.arange(row.first, row.end)
        if number:
            above = np.maximum(
                _looked_up(rows[number - 1], totals[-1], columns), _looked_up(rows[number - 1], totals[-1], columns - 1)
            )
        else:
            above = np.zeros(len(columns), np.int64)
        gathered = np.cumsum(row.rewards)
        totals.append(np.maximum.accumulate(above + row.rewards - gathered) + gathered)
    return totals


def _looked_up(row: Row, totals: Rewards, columns: npt.NDArray[np.int64]) -> Rewards:
    """Totals of a row at any columns: behind its end they stay what they are there, before its start there are none."""
    if not len(totals):
        return np.zeros(len(columns), np.int64)
    found = totals[np.clip(columns - row.first, 0, len(totals) - 1)]
    return np.where(columns >= row.first, found, 0)


def _step_back(totals: list[Rewards], rows: Sequence[Row], row: int, column: int, wanted: int) -> Cell:
    """The cell before: on both sides where that is as good, for it keeps lines apart."""
    for before in ((row - 1, column - 1), (row - 1, column)):
        if before[0] >= 0 and _total_at(totals, rows, before) == wanted:
            return before
    return row, column - 1


def _total_at(totals: list[Rewards], rows: Sequence[Row], cell: Cell) -> int:
    row = rows[cell[0]]
    if cell[1] < row.first or not len(row.rewards):
        return 0
    return int(totals[cell[0]][min(cell[1], row.end - 1) - row.first])
