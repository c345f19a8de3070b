"""Pairs within groups of texts with the same content: translations of one text, answers to one question.

All pairs within each group are candidates (Kanerva et al. 2023, §3.4, §3.5) up to a cap, which keeps a text with many
translations from filling the corpus. Which pairs stay under the cap is drawn by the seed and the ids alone.
Similarity decides only if there is a band. Groups of the same name in two sources are two groups.

Within a group the first document of a pair is the earlier one, or the one whose id comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from otherwords.align.candidates import (
    Alignment,
    Band,
    DocumentCandidate,
    band_candidates,
    build_alignment,
    document_pair_id,
    draw,
    unique_documents,
)
from otherwords.align.similarity import ComparedPairs, similar_pairs
from otherwords.align.window import parse_moment
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
) -> Alignment:
    """Pairs within groups; ``most`` limits the pairs per group, by source."""
    if any(limit < 1 for limit in most.values()):
        raise UsageError(f"a group must be allowed at least one pair: {dict(most)}", code="wrong-limit")
    counts: dict[str, int] = {}
    ordered, compared = group_documents(
        unique_documents(documents, counts),
        lambda document: (document.source or "", document.group) if document.group else None,
        counts,
    )
    similar = similar_pairs([document.text for document in ordered], compared, 0.0, threads)
    candidates = band_candidates(ordered, similar, band or Band(), lambda document: document.group)
    return build_alignment(METHOD, _cap(candidates, most, seed), counts)


def group_documents(
    documents: Iterable[Document], key: Callable[[Document], Key | None], counts: dict[str, int]
) -> tuple[list[Document], ComparedPairs]:
    """Documents group by group, each compared with the others of its group; those alone are left out and counted."""
    keyed = [(key(document), document) for document in documents]
    sizes = Counter(name for name, _ in keyed)
    for reason, left in ((NO_GROUP, sizes[None]), (ALONE, sum(sizes[name] == 1 for name in sizes if name is not None))):
        if left:
            counts[reason] = left
    grouped = []
    for name, document in keyed:
        if name is not None and sizes[name] > 1:
            when = parse_moment(document.time)
            grouped.append((name, (when is None, when or 0, document.id), document))
    grouped.sort(key=lambda member: member[:2])
    starts: dict[Key, int] = {}
    firsts = np.array([starts.setdefault(name, place) for place, (name, _, _) in enumerate(grouped)], np.int64)
    return [document for _, _, document in grouped], ComparedPairs(firsts)


def _cap(candidates: Sequence[DocumentCandidate], most: Mapping[str, int], seed: int) -> list[DocumentCandidate]:
    """The candidates, with no more kept per group than its source allows."""
    by_group: dict[Key, dict[str, int]] = {}  # the places of the candidates of a group, by the ids of their pairs
    for place, candidate in enumerate(candidates):
        if candidate.reason is None and (candidate.first.source or "") in most:
            name = document_pair_id(METHOD, candidate.first.id, candidate.second.id)
            by_group.setdefault((candidate.first.source or "", candidate.group or ""), {})[name] = place
    capped = list(candidates)
    for (source, group), places in by_group.items():
        drawn = set(draw(places, most[source], seed, METHOD, source, group))
        for name, place in places.items():
            if name not in drawn:
                capped[place] = replace(capped[place], reason=f"the group has its {most[source]} pairs")
    return capped
