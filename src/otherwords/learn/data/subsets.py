"""Smaller and smaller training parts, for learning curves: each holds the smaller ones whole.

Pairs are taken by group, as in Figure 4 of Dou et al. (2022), or by unit (pairs that share a sentence): a curve over
single pairs would rise only because a model meets the same sentences again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import DataError, UsageError
from otherwords.learn.data.examples import Examples

SubsetUnit = Literal["unit", "group"]
SHARES = (10, 25, 50, 75, 100)  # per cent


def nested_subsets(
    examples: Examples, shares: Sequence[int] = SHARES, *, by: SubsetUnit = "unit", seed: int = 0
) -> list[Examples]:
    """Parts with these shares of the units or groups, in per cent; a random order decides which come first."""
    if not all(0 < share <= 100 for share in shares):
        raise UsageError(f"shares of training pairs are between 1 and 100 per cent, not {shares}", code="bad-share")
    keys = examples.units if by == "unit" else _groups(examples)
    names = np.unique(keys)
    rank = np.empty(len(names), np.int64)
    rank[np.random.default_rng(seed).permutation(len(names))] = np.arange(len(names))
    ranks = rank[np.searchsorted(names, keys)]
    return [
        examples.take(np.flatnonzero(ranks < max(1, round(len(names) * share / 100))), f"{examples.name} {share}%")
        for share in shares
    ]


def _groups(examples: Examples) -> NDArray[np.str_]:
    groups = [pair.group for pair in examples.pairs]
    if missing := groups.count(None):
        message = f"{missing:,} of {len(groups):,} training pairs have no group, so there is no curve by group"
        raise DataError(message, code="no-groups")
    return np.array(groups, np.str_)
