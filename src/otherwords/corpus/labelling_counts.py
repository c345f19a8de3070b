"""How many pairs are in which state, have which label in which view, and why others have none.

What follows for each pair goes in, out comes what the command prints. What pairs have in common is counted once for
all of it, since a million of them say only so many different things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from otherwords.corpus.labelling_outcomes import Outcome

NONE = "none"  # how a view spells that a pair has no label in it


class Counts:
    """Counts on their way."""

    def __init__(self, scheme: str) -> None:
        self.scheme = scheme
        self.pairs = 0
        self._alike: Counter[tuple[Any, ...]] = Counter()

    def add(self, outcomes: Collection[Outcome]) -> None:
        """Count some more pairs."""
        self.pairs += len(outcomes)
        for one, count in Counter(outcomes).items():
            views = tuple(one.views.items())
            self._alike[one.state, one.label, one.made_by, one.reason, one.simulated, views] += count

    def as_dict(self) -> dict[str, Any]:
        """All counts as plain values, the most frequent first."""
        told: dict[str, Counter[str]] = {name: Counter() for name in ("states", "labels", "made_by", "reasons")}
        views: dict[str, Counter[str]] = {}
        together: Counter[tuple[str, ...]] = Counter()
        simulated = 0
        for (state, label, made_by, reason, is_simulated, seen), count in self._alike.items():
            told["states"][state] += count
            told["labels"][label or NONE] += count if state == "labelled" else 0
            told["made_by"][made_by or NONE] += count if state == "labelled" else 0
            told["reasons"][reason or NONE] += count if state != "labelled" else 0
            simulated += count if is_simulated else 0
            if seen and state != "unjudged":
                for name, one in seen:
                    views.setdefault(name, Counter())[one or NONE] += count
                together[tuple(one or NONE for _, one in seen)] += count
        return {
            "scheme": self.scheme,
            "pairs": self.pairs,
            "simulated": simulated,
            **{name: _frequent(counted) for name, counted in told.items()},
            "views": {name: _frequent(counted) for name, counted in views.items()},
            "side_by_side": [
                {"labels": dict(zip(views, labels, strict=True)), "pairs": count}
                for labels, count in sorted(together.items(), key=lambda one: (-one[1], one[0]))
            ],
        }


def _frequent(counted: Counter[str]) -> dict[str, int]:
    return {name: count for name, count in sorted(counted.items(), key=lambda one: (-one[1], one[0])) if count}
