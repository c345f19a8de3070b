"""Pairs within groups of texts that say the same: several translations of one text, several answers to one question.

In go documents with a group, out come all pairs within each group (Kanerva et al. 2023, §3.4, §3.5) up
to a cap, which keeps a text that many have translated from filling the corpus. Which pairs stay under
the cap is drawn by the seed and the ids alone. All pairs are candidates; their similarity decides only
if a band is given. Groups of one name in two sources are two groups.

Within a group the first document of a pair is the earlier one, or that whose id comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from otherwords.align.candidates import Aligned, Band, Candidate, aligned, in_band, unique
from otherwords.align.draw import draw
from otherwords.align.pair_id import pair_id
from otherwords.align.similarity import Meetings, similar
from otherwords.align.window import moment
from otherwords.errors import UsageError
from otherwords.records import Document

METHOD = "groups"
MOST_PAIRS: Mapping[str, int] = {"translations": 3}  # Kanerva et al. 2023, §3.4; answers have no limit (§3.5)
NO_GROUP = "left out: no group"
ALONE = "left out: alone in its group"

Key = tuple[str, str]


def group_pairs(
    documents: Iterable[Document],
    band: Band | None = None,
    *,
    most: Mapping[str, int] = MOST_PAIRS,
    seed: int = 0,
    threads: int | None = None,
) -> Aligned:
    """Pairs within groups; ``most`` says for a source how many a group may have, where there is a limit."""
    if any(limit < 1 for limit in most.values()):
        raise UsageError(f"a group must be allowed at least one pair: {dict(most)}")
    counts: dict[str, int] = {}
    ordered, meetings = in_groups(unique(documents, counts), _group_of, counts)
    found = similar([document.text for document in ordered], meetings, 0.0, threads)
    candidates = in_band(ordered, found, band or Band(), lambda document: document.group)
    return aligned(METHOD, _capped(candidates, most, seed), counts)


def in_groups(
    documents: Iterable[Document], key: Callable[[Document], Key | None], counts: dict[str, int]
) -> tuple[list[Document], Meetings]:
    """Documents group by group, each to meet the others of its own; those without others are left out and counted."""
    keyed = [(key(document), document) for document in documents]
    sizes = Counter(name for name, _ in keyed)
    for reason, left in ((NO_GROUP, sizes[None]), (ALONE, sum(sizes[name] == 1 for name in sizes if name is not None))):
        if left:
            counts[reason] = left
    grouped = [(name, document) for name, document in keyed if name is not None and sizes[name] > 1]
    grouped.sort(key=lambda member: (member[0], *_order(member[1])))
    starts: dict[Key, int] = {}
    firsts = np.array([starts.setdefault(name, place) for place, (name, _) in enumerate(grouped)], np.int64)
    return [document for _, document in grouped], Meetings(firsts)


def _order(document: Document) -> tuple[bool, int, str]:
    when = moment(document.time)
    return when is None, when or 0, document.id


def _group_of(document: Document) -> Key | None:
    return (document.source or "", document.group) if document.group else None


def _capped(candidates: Sequence[Candidate], most: Mapping[str, int], seed: int) -> list[Candidate]:
    """The candidates with no more of a group kept than its source allows."""
    of_group: dict[Key, list[str]] = {}
    for each in candidates:
        if each.reason is None and (each.one.source or "") in most:
            of_group.setdefault((each.one.source or "", each.group or ""), []).append(_name(each))
    drawn = {
        name
        for (source, group), names in of_group.items()
        for name in draw(names, most[source], seed, METHOD, source, group)
    }
    return [
        replace(each, reason=f"the group has its {most[each.one.source or '']} pairs")
        if each.reason is None and (each.one.source or "") in most and _name(each) not in drawn
        else each
        for each in candidates
    ]


def _name(candidate: Candidate) -> str:
    return pair_id(METHOD, candidate.one.id, candidate.two.id)
