"""Whether a pair or a sentence of one part of a release stands in another, too.

A pair that is in two parts, the same or nearly, stops a release. Sentences that two parts have in common are told:
short ones are in every corpus, and only a split that keeps shared sentences together is without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from otherwords.corpus.leaks import KINDS, NEAR, leaks_between
from otherwords.corpus.released import Check
from otherwords.records import Pair

EXAMPLES = 5
SHARED = "shared_texts"
MOST_PARTS, MOST_PAIRS = 10, 120_000  # among more, only copies are looked for and not what is similar: it takes hours


def leaks_checks(parts: Mapping[str, Iterable[Pair]], pairs: int) -> list[Check]:
    """What the parts of a release of so many pairs have in common; nothing where there is one part only."""
    near = NEAR if len(parts) <= MOST_PARTS and pairs <= MOST_PAIRS else None
    kinds: Counter[str] = Counter()
    copies: list[str] = []
    sentences: list[str] = []
    found = leaks_between(parts, near) if len(parts) > 1 else {}
    for (one, other), common in found.items():
        kinds.update(common.counts)
        for kind in KINDS:
            wanted = sentences if kind == SHARED else copies
            rows = islice(common.rows(kind), EXAMPLES - len(wanted))
            wanted.extend(f"{one} and {other}: {_told(row)}" for row in rows)
    shared = kinds.pop(SHARED, 0)
    told = ", ".join(f"{kind} {count:,}" for kind, count in kinds.items() if count)
    says = f"pairs of one part that are in another, too{', or nearly' if near else ''}" + (f" ({told})" if told else "")
    return [
        Check("leaks", says, kinds.total(), copies),
        Check("shared-texts", "sentences that two parts have in common", shared, sentences, stops=False),
    ]


def _told(row: dict[str, Any]) -> str:
    """A leak in a few words: the ids of two pairs, or a sentence and where it stands."""
    if "a" in row and isinstance(row["a"], dict) and "id" in row["a"]:
        return f"{row['a']['id']} = {row['b']['id']}"
    return repr(row.get("text", row))
