"""A look at similarities before a band is chosen.

The paper finds its bands by "a simple grid search and human judgment" (Kanerva et al. 2023, §3.2).
In go candidates and their documents, out comes what JSON can hold: a histogram, and around each end of
the band the pairs just below and just above it with how both documents begin. :func:`propose_band`
suggests a band from the shape of the histogram; it is a suggestion to look at, never applied by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from otherwords.align.candidates import Band
from otherwords.errors import DataError
from otherwords.measures.bins import bin_of_score
from otherwords.measures.columns import Floats, Integers
from otherwords.records import Document
from otherwords.text.packs import pack

BINS = 20  # of 0.05
EXAMPLES = 3
SENTENCES = 2  # Kanerva et al. 2023, §3.3: documents are judged by their "first few sentences"
LONGEST = 300  # characters of a beginning
FEWEST = 20  # similarities; fewer have no shape
HIGHEST = 0.95  # of a proposal where identical texts make no peak of their own


@dataclass(frozen=True, slots=True)
class Proposal:
    """A band, and how each end came about."""

    band: Band
    low_because: str
    high_because: str


def explore(
    candidates: pa.Table, documents: Iterable[Document], low: float, high: float, *, examples: int = EXAMPLES
) -> dict[str, Any]:
    """Histogram and examples of candidates, which should reach a little beyond the band on both sides."""
    known = {document.id: document for document in documents}
    rows = sorted(candidates.select(["doc1", "doc2", "similarity"]).to_pylist(), key=_order)
    similarities = np.array([row["similarity"] for row in rows], np.float64)
    band = Band(low, high)
    return {
        "pairs": len(rows),
        "histogram": histogram(similarities),
        "thresholds": [_around(end, rows, similarities, known, examples) for end in (band.low, band.high)],
    }


def _order(row: Mapping[str, Any]) -> tuple[float, str, str]:
    return row["similarity"], row["doc1"], row["doc2"]


def histogram(similarities: npt.ArrayLike) -> list[dict[str, float | int]]:
    """How many similarities fall into each bin of 0.05, closed on the left; the last one holds 1.0 too."""
    counts = _counts(similarities)
    return [
        {"from": place / BINS, "to": (place + 1) / BINS, "count": count} for place, count in enumerate(counts.tolist())
    ]


def _counts(similarities: npt.ArrayLike) -> Integers:
    places = bin_of_score(similarities, BINS).clip(0, BINS - 1)
    counts: Integers = np.bincount(places, minlength=BINS)
    return counts


def _around(
    threshold: float,
    rows: Sequence[Mapping[str, Any]],
    similarities: Floats,
    known: Mapping[str, Document],
    examples: int,
) -> dict[str, Any]:
    """The pairs nearest to a threshold on either side; one exactly on it counts as above."""
    cut = int(np.searchsorted(similarities, threshold, side="left"))
    below, above = rows[max(0, cut - examples) : cut], rows[cut : cut + examples]
    return {
        "threshold": threshold,
        "below": [_example(row, known) for row in reversed(below)],
        "above": [_example(row, known) for row in above],
    }


def _example(row: Mapping[str, Any], known: Mapping[str, Document]) -> dict[str, Any]:
    return {**row, "begins1": _beginning(row["doc1"], known), "begins2": _beginning(row["doc2"], known)}


def _beginning(name: str, known: Mapping[str, Document]) -> str:
    if name not in known:
        raise DataError(f"the document {name!r} of the candidates is not among the documents; align them again")
    document = known[name]
    head = document.text[: 20 * LONGEST]  # sentences of a whole book are not needed
    spans = pack(document.lang).sentences(head)[:SENTENCES]
    begins = head[spans[0][0] : spans[-1][1]] if spans else ""
    return begins if len(begins) <= LONGEST else begins[: LONGEST - 1].rstrip() + "…"


def propose_band(similarities: npt.ArrayLike) -> Proposal:
    """A band from the valleys of the histogram.

    Unrelated texts make the highest peak. ``low`` is the left edge of the emptiest bin between that peak and
    the next rise to its right; without a rise it is the right edge of the last bin that holds a tenth of
    the peak. ``high`` keeps off nearly identical texts: if the counts rise towards 1.0, it is the right
    edge of the emptiest bin before that rise, else 0.95.
    """
    counts = _counts(similarities)
    if counts.sum() < FEWEST:
        raise DataError(f"{counts.sum()} similarities are too few to propose a band from; {FEWEST} are needed")
    low, low_because = _low(counts.tolist())
    high, high_because = _high(counts.tolist(), low)
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
    return min(
        last + 1, BINS - 1
    ), f"right of the peak at {peak / BINS:.2f} no second one; up to here a bin holds a tenth of it"


def _high(counts: list[int], low: int) -> tuple[int, str]:
    rise = BINS - 1
    while rise > low + 1 and counts[rise - 1] < counts[rise]:
        rise -= 1
    highest = round(HIGHEST * BINS)
    if rise == BINS - 1 or rise <= low + 1:
        return max(highest, low + 1), f"no peak of nearly identical texts below 1.00, so {HIGHEST}"
    return rise + 1, f"from {(rise + 1) / BINS:.2f} on the counts rise towards identical texts"
