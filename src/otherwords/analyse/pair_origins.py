"""Where pairs come from, as a table separates negatives that machines made from those that were drawn at random.

Suzuki et al. 2017 (Table 1) count the two apart, because only the second kind fills the ranges of high overlap. The
origin of a pair is its ``meta.origin``, the method that made it, or its source: the first of these that the pair has
and that is not the same for all pairs of the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from otherwords.analyse.label_classes import UNLABELLED
from otherwords.records import Pair

PairOrigin = tuple[str | None, ...]  # meta.origin, method, source
MOST_ORIGINS = 8  # columns of a table; the rest are summed
OTHERS = "(others)"


def origin_of(pair: Pair) -> PairOrigin:
    """All that a pair says about its origin."""
    origin = pair.meta.get("origin")
    return (origin if isinstance(origin, str) else None, pair.method, pair.source)


def origin_names(counts: Mapping[PairOrigin, int]) -> dict[PairOrigin, str]:
    """The column in which a table counts each origin, the largest first; empty if all pairs have the same."""
    fields = [place for place, values in enumerate(zip(*counts, strict=True)) if len(set(values)) > 1]
    names = {origin: next(filter(None, (origin[place] for place in fields)), UNLABELLED) for origin in counts}
    totals: Counter[str] = Counter()
    for origin, name in names.items():
        totals[name] += counts[origin]
    order = sorted(totals, key=lambda name: (name == UNLABELLED, -totals[name], name))
    if len(order) < 2:
        return {}
    shown = order if len(order) <= MOST_ORIGINS else order[: MOST_ORIGINS - 1]
    places = {name: place for place, name in enumerate(shown)}
    kept = {origin: name if name in places else OTHERS for origin, name in names.items()}
    return dict(sorted(kept.items(), key=lambda item: places.get(item[1], len(shown))))
