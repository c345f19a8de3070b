"""News articles of different outlets about one event (Kanerva et al. 2023, §3.2).

In go articles with a time of publication and an outlet (``meta["outlet"]``), out come pairs of articles
of different outlets, published within a window of days, whose bodies' similarity is inside the band.
All pairs with at least that similarity are found: none is lost.

The first document of a pair is the earlier one; of two at the same moment, the one whose id comes
first. Articles without a time, or without an outlet where outlets matter, are left out and counted.
Candidates are the pairs of similarity ``floor`` and up, which is the low end of the band unless a
lower one is asked for; the others are counted as compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from otherwords.align.candidates import Aligned, Band, aligned, in_band, unique
from otherwords.align.draw import draw
from otherwords.align.similarity import Meetings, similar
from otherwords.align.window import firsts_within, moment
from otherwords.measures.columns import Integers
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
) -> Aligned:
    """Pairs of articles inside the band. ``within`` allows both to be of one outlet.

    With a ``sample`` only so many articles, drawn by the seed, are compared with all in their windows
    before them: enough to look for a band in a large collection.
    """
    counts: dict[str, int] = {}
    dated = _in_order(unique(documents, counts), within, counts)
    articles = [article for _, article in dated]
    asked = None
    if sample is not None and sample < len(articles):
        drawn = set(draw([article.id for article in articles], sample, seed, METHOD, "sample"))
        asked = np.array([article.id in drawn for article in articles])
    sides = None if within else _outlets(articles)
    meetings = Meetings(firsts_within([when for when, _ in dated], days), sides, asked)
    floor = band.low if floor is None else min(floor, band.low)
    found = similar([article.text for article in articles], meetings, floor, threads)
    counts[COMPARED] = meetings.count()
    return aligned(METHOD, in_band(articles, found, band), counts)


def _in_order(documents: Iterable[Document], within: bool, counts: dict[str, int]) -> list[tuple[int, Document]]:
    """Articles with their moments, by time and id."""
    left_out: Counter[str] = Counter()
    dated = []
    for document in documents:
        when = moment(document.time)
        if when is None:
            left_out[NO_TIME] += 1
        elif not within and not document.meta.get("outlet"):
            left_out[NO_OUTLET] += 1
        else:
            dated.append((when, document))
    counts.update(left_out)
    return sorted(dated, key=lambda article: (article[0], article[1].id))


def _outlets(articles: Iterable[Document]) -> Integers:
    """A number for the outlet of each article."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(str(each.meta["outlet"]), len(numbers)) for each in articles], np.int64)
