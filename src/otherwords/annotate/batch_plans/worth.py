"""Batches by worth: the pairs from which a person's judgement teaches most, and a random share beside them.

What a pair is worth a later room says, which knows models: it hands over a ranking. Pairs that were chosen for their
worth are no sample of anything, so a share of the batch is drawn at random from all that fit, and the ledger keeps with
which chance: the share of a label in the corpus is estimated from these alone. Where a batch is a sample, its pairs are
shuffled, so that nobody can tell by its place why a pair is there; a batch of all that fits begins with the most
worthwhile, with random ones in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, get_args

from sqlalchemy import Connection

from otherwords.annotate.batch_plans.selection import items_of, shuffle
from otherwords.annotate.batches.batch import BatchItem

WorthOrder = Literal["disagreement", "uncertainty", "diverse"]
WORTH_ORDERS: tuple[str, ...] = get_args(WorthOrder)
RANDOM_SHARE = 0.2
# Of some pairs by their ids, as many as are wanted, those that are worth most first.
Ranking = Callable[[Connection, Sequence[str], int], list[str]]


def choose_by_worth(
    connection: Connection, names: Sequence[str], sample: int | None, seed: int, share: float, rank: Ranking
) -> list[BatchItem]:
    """The pairs of a batch: a random share of all, each with the chance that it had, and the best of the others."""
    size = len(names) if sample is None else min(sample, len(names))
    drawn = shuffle(names, seed, "random share")[: min(size, round(share * size))]
    random = set(drawn)
    best = rank(connection, [name for name in names if name not in random], size - len(drawn))
    if sample is not None:
        order = shuffle([*drawn, *best], seed, "order")
    else:
        places = set(shuffle(map(str, range(size)), seed, "places")[: len(drawn)])
        waiting, others = iter(drawn), iter(best)
        order = [next(waiting) if str(place) in places else next(others) for place in range(size)]
    chance = len(drawn) / len(names) if names else 0.0
    makers = {item.item: item.maker for item in items_of(connection, order)}
    return [BatchItem(name, makers[name], chance if name in random else 0.0) for name in order]
