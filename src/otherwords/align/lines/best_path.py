"""The best monotone path through a table of rewards.

A row may leave out columns where nothing can be gained, so each has the column where it begins. The path leads from
the first corner to the last, goes forward on either side or on both at once and collects the greatest reward. So a
line may match several lines of the other side, and lines without a partner cost nothing. Rewards are whole numbers:
the way back is found by exact equality.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Rewards = npt.NDArray[np.int64]
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RewardRow:
    """The rewards of one row from the column ``first`` on; neither end of a row is before that of the previous one."""

    first: int
    rewards: Rewards

    @property
    def end(self) -> int:
        return self.first + len(self.rewards)


def best_path(rows: Sequence[RewardRow]) -> list[Cell]:
    """The cells of the best path that have a reward, in order."""
    totals = _totals(rows)
    cells = []
    row = len(rows) - 1
    column = rows[row].end - 1 if rows else 0
    while row >= 0 and column >= 0:
        here = rows[row]
        column = min(column, here.end - 1)
        if column < here.first:  # there is nothing to gain in the rest of this row
            row -= 1
            continue
        reward = int(here.rewards[column - here.first])
        if reward:
            cells.append((row, column))
        wanted = int(totals[row][column - here.first]) - reward
        # Diagonally where that is as good, because it keeps lines apart.
        steps = [(row - 1, column - 1), (row - 1, column)] if row else []
        best = (step for step in steps if _total_at(totals[step[0]], rows[step[0]], step[1]) == wanted)
        row, column = next(best, (row, column - 1))
    return cells[::-1]


def _totals(rows: Sequence[RewardRow]) -> list[Rewards]:
    """The greatest reward of any path that ends in each cell.

    A row depends on itself: total[j] = max(from above[j], total[j - 1]) + reward[j]. Minus the running
    sum of its rewards that is a running maximum, which numpy computes at once.
    """
    totals: list[Rewards] = []
    for number, row in enumerate(rows):
        columns = np.arange(row.first, row.end)
        if number:
            above = np.maximum(
                _totals_at(rows[number - 1], totals[-1], columns), _totals_at(rows[number - 1], totals[-1], columns - 1)
            )
        else:
            above = np.zeros(len(columns), np.int64)
        gathered = np.cumsum(row.rewards)
        totals.append(np.maximum.accumulate(above + row.rewards - gathered) + gathered)
    return totals


def _totals_at(row: RewardRow, totals: Rewards, columns: npt.NDArray[np.int64]) -> Rewards:
    """Totals of a row at any columns: constant after its end, 0 before its start."""
    if not len(totals):
        return np.zeros(len(columns), np.int64)
    values = totals[np.clip(columns - row.first, 0, len(totals) - 1)]
    return np.where(columns >= row.first, values, 0)


def _total_at(totals: Rewards, row: RewardRow, column: int) -> int:
    """The total of a row at any column: constant after its end, 0 before its start."""
    if column < row.first or not len(totals):
        return 0
    return int(totals[min(column, row.end - 1) - row.first])
