"""News articles of different outlets about one event (Kanerva et al. 2023, §3.2).

Articles of different outlets (``meta["outlet"]``), published within a window of days, are paired if the similarity of
their bodies is inside the band. All pairs with at least that similarity are found.

The first document of a pair is the earlier one; of two at the same moment, the one whose id comes first. Articles
without a time, or without an outlet where outlets matter, are left out and counted. Candidates are the pairs of
similarity ``floor`` and above, by default the low end of the band; the others are only counted as compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from otherwords.align.candidates import Alignment, Band, band_candidates, build_alignment, draw, unique_documents
from otherwords.align.similarity import ComparedPairs, similar_pairs
from otherwords.align.window import firsts_within, parse_moment
from otherwords.records import Document

METHOD = "news"
DAYS = 7.0  # Kanerva et al. 2023, §3.2: "a 7-day sliding window on time of publication"
NO_TIME = "left out: no time of publication"
NO_OUTLET = "left out: no outlet"
COMPARED = "pairs compared"


def news_pairs(
    documents: Iterable[Document],
    band: Band,
    *,
    days: float = DAYS,
    within: bool = False,
    floor: float | None = None,
    sample: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Alignment:
    """Pairs of articles inside the band. ``within`` also pairs articles of the same outlet.

    With a ``sample``, only that many articles, drawn by the seed, are compared with all in their windows
    before them: enough to look for a band in a large collection.
    """
    counts: dict[str, int] = {}
    dated = _dated_articles(unique_documents(documents, counts), within, counts)
    articles = [article for _, article in dated]
    selected = None
    if sample is not None and sample < len(articles):
        drawn = set(draw([article.id for article in articles], sample, seed, METHOD, "sample"))
        selected = np.array([article.id in drawn for article in articles])
    numbers: dict[str, int] = {}
    outlets = [numbers.setdefault(str(article.meta.get("outlet")), len(numbers)) for article in articles]
    sides = None if within else np.array(outlets, np.int64)
    compared = ComparedPairs(firsts_within([when for when, _ in dated], days), sides, selected)
    floor = band.low if floor is None else min(floor, band.low)
    similar = similar_pairs([article.text for article in articles], compared, floor, threads)
    counts[COMPARED] = compared.count()
    return build_alignment(METHOD, band_candidates(articles, similar, band), counts)


def _dated_articles(documents: Iterable[Document], within: bool, counts: dict[str, int]) -> list[tuple[int, Document]]:
    """Articles with their moments, in order of time and id."""
    left_out: Counter[str] = Counter()
    dated = []
    for document in documents:
        when = parse_moment(document.time)
        if when is None:
            left_out[NO_TIME] += 1
        elif not within and not document.meta.get("outlet"):
            left_out[NO_OUTLET] += 1
        else:
            dated.append((when, document))
    counts.update(left_out)
    return sorted(dated, key=lambda article: (article[0], article[1].id))
