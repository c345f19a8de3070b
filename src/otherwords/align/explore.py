"""A look at similarities before a band is chosen.

The paper finds its bands by "a simple grid search and human judgment" (Kanerva et al. 2023, §3.2). :func:`explore`
gives a histogram of the candidates and, around each end of the band, the pairs just below and just above it with the
beginnings of both documents. :func:`propose_band` suggests a band from the shape of the histogram, if unrelated texts
make a peak of their own; it is a suggestion to look at and never applied by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NotRequired, TypedDict

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from otherwords.align.candidates import Band
from otherwords.errors import DataError
from otherwords.measures.bins import bin_of_score
from otherwords.measures.columns import Floats
from otherwords.records import Document
from otherwords.text.packs import pack

BINS = 20  # of 0.05
EXAMPLES = 3
SENTENCES = 2  # Kanerva et al. 2023, §3.3: documents are judged by their "first few sentences"
LONGEST = 300  # characters of a beginning
FEWEST = 20  # similarities; fewer have no shape
KNOWN_GOOD = 0.5  # from here on: articles on one event in Arabic, English, Finnish, Japanese, Russian and Spanish
HIGHEST = 0.95  # of a proposal if there is no separate peak of identical texts


@dataclass(frozen=True, slots=True)
class Proposal:
    """A band, and the reason for each end."""

    band: Band
    low_because: str
    high_because: str


class CandidateRow(TypedDict):
    """Two documents and their similarity."""

    doc1: str
    doc2: str
    similarity: float


class CandidateExample(CandidateRow):
    """A candidate with the beginnings of its documents."""

    begins1: str
    begins2: str


class ThresholdExamples(TypedDict):
    """The candidates nearest to a threshold, the nearest first."""

    threshold: float
    below: list[CandidateExample]
    above: list[CandidateExample]


class Exploration(TypedDict):
    """A look at candidates: how many there are, their histogram, and examples around each end of the band.

    There may be a proposal too, with both ends and the reason for each, or the reason why there is none.
    """

    pairs: int
    histogram: list[dict[str, float | int]]
    thresholds: list[ThresholdExamples]
    proposal: NotRequired[dict[str, float | str] | None]
    why_not: NotRequired[str]


def explore(
    candidates: pa.Table, documents: Iterable[Document], low: float, high: float, *, examples: int = EXAMPLES
) -> Exploration:
    """Histogram and examples of candidates, which should reach a little beyond the band on both sides."""
    known = {document.id: document for document in documents}
    columns = candidates.select(["doc1", "doc2", "similarity"])
    rows: list[CandidateRow] = sorted(columns.to_pylist(), key=itemgetter("similarity", "doc1", "doc2"))
    similarities = np.array([row["similarity"] for row in rows], np.float64)
    band = Band(low, high)
    return {
        "pairs": len(rows),
        "histogram": histogram(similarities),
        "thresholds": [_examples_around(end, rows, similarities, known, examples) for end in (band.low, band.high)],
    }


def histogram(similarities: npt.ArrayLike) -> list[dict[str, float | int]]:
    """How many similarities fall into each bin of 0.05, closed on the left; the last bin includes 1.0."""
    counts = np.bincount(bin_of_score(similarities, BINS).clip(0, BINS - 1), minlength=BINS)
    return [
        {"from": place / BINS, "to": (place + 1) / BINS, "count": count} for place, count in enumerate(counts.tolist())
    ]


def _examples_around(
    threshold: float, rows: Sequence[CandidateRow], similarities: Floats, known: Mapping[str, Document], examples: int
) -> ThresholdExamples:
    """The pairs nearest to a threshold on either side; one exactly on it counts as above."""

    def example(row: CandidateRow) -> CandidateExample:
        return {**row, "begins1": _beginning(row["doc1"], known), "begins2": _beginning(row["doc2"], known)}

    cut = int(np.searchsorted(similarities, threshold, side="left"))
    below, above = rows[max(0, cut - examples) : cut], rows[cut : cut + examples]
    return {
        "threshold": threshold,
        "below": [example(row) for row in reversed(below)],
        "above": [example(row) for row in above],
    }


def _beginning(name: str, known: Mapping[str, Document]) -> str:
    if name not in known:
        message = f"the document {name!r} of the candidates is not among the documents; align them again"
        raise DataError(message, code="no-such-document")
    document = known[name]
    head = document.text[: 20 * LONGEST]  # enough for the first sentences, also of a book
    spans = pack(document.lang).sentences(head)[:SENTENCES]
    begins = head[spans[0][0] : spans[-1][1]] if spans else ""
    return begins if len(begins) <= LONGEST else begins[: LONGEST - 1].rstrip() + "…"


def propose_band(similarities: npt.ArrayLike) -> Proposal:
    """A band from the valleys of the histogram.

    Unrelated texts make the highest peak. ``low`` is the left edge of the emptiest bin between that peak and
    the next rise to its right; without a rise it is the right edge of the last bin that holds a tenth of
    the peak. ``high`` keeps off nearly identical texts: if the counts rise towards 1.0, it is the right
    edge of the emptiest bin before that rise, otherwise 0.95. There is no proposal where the peak is not of unrelated
    texts, or where ``low`` would leave out pairs as similar as those that are known to be good.
    """
    counts = [int(place["count"]) for place in histogram(similarities)]
    if sum(counts) < FEWEST:
        message = f"{sum(counts)} similarities are too few to propose a band from; {FEWEST} are needed"
        raise DataError(message, code="too-few-similarities")
    low, low_because = _low(counts)
    peak = counts.index(max(counts)) / BINS
    if peak >= KNOWN_GOOD or low / BINS > KNOWN_GOOD:
        message = (
            f"most pairs have a similarity of about {peak:.2f} and others reach {low / BINS:.2f}; good pairs begin at "
            f"about {KNOWN_GOOD}, so the shape does not tell them from unrelated ones: choose by the examples"
        )
        raise DataError(message, code="no-clear-band")
    rise = BINS - 1
    while rise > low + 1 and counts[rise - 1] < counts[rise]:
        rise -= 1
    if rise == BINS - 1 or rise <= low + 1:
        high = max(round(HIGHEST * BINS), low + 1)
        high_because = f"no peak of nearly identical texts below 1.00, so {HIGHEST}"
    else:
        high = rise + 1
        high_because = f"from {high / BINS:.2f} on the counts rise towards identical texts"
    return Proposal(Band(low / BINS, high / BINS), low_because, high_because)


def _low(counts: list[int]) -> tuple[int, str]:
    peak = counts.index(max(counts))
    valley = peak
    while valley + 1 < BINS and counts[valley + 1] <= counts[valley]:
        valley += 1
    if valley + 1 < BINS:
        emptiest = counts.index(counts[valley], peak)
        return emptiest, f"the emptiest bin right of the peak at {peak / BINS:.2f}"
    last = max(place for place in range(peak, BINS) if 10 * counts[place] >= counts[peak])
    reason = f"right of the peak at {peak / BINS:.2f} no second one; up to here a bin holds a tenth of it"
    return min(last + 1, BINS - 1), reason
