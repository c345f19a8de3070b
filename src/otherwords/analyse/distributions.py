"""Lexical similarity of several corpora beside each other, on equal samples (Kanerva et al. 2023, Figure 4).

One set of weights, fitted to all samples together, measures all of them; :mod:`otherwords.analyse.samples` says how
they are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from otherwords.acquire.batches import columns
from otherwords.analyse.analyses import Wishes
from otherwords.analyse.drawing import Line, named_lines
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.samples import Sample, samples
from otherwords.analyse.values_by_label import mean, median
from otherwords.corpus.corpora import Corpus
from otherwords.measures import measure, score_columns
from otherwords.measures.bins import bin_of_score

STRATA = 20  # of 0.05
MEASURE = "char-cosine-tfidf"
FEW = 100  # pairs; a distribution of fewer is mostly chance
Floats = NDArray[np.float64]


def distributions(corpora: Sequence[Corpus], wishes: Wishes) -> Finding | None:
    """Lexical similarity of several corpora on equal samples, one set of weights for all."""
    drawn = samples(corpora, wishes.sample, wishes.seed)
    size = len(drawn[0].pairs)
    if not size:
        return _nothing(drawn)
    names = unique_names([one.corpus.name for one in drawn])
    similar, signed = _similarities(drawn)
    signed = f"{signed}|sample:{size}|seed:{wishes.seed}"
    tables = [_table(names, drawn, similar), _strata(names, similar)]
    remarks = [f"the sample is small: {size} pairs of each corpus"] if size < FEW else []
    for name, one in zip(names, drawn, strict=True):
        if one.sets:
            remarks.append(f"in {name}: one pair of each set of paraphrases ({one.sets:,} sets)")
    return Finding(
        "distributions",
        "Lexical similarity of corpora",
        "Cosine of character 2–4-grams weighed by tf-idf, fitted to all samples together; the same number of pairs of "
        "each corpus, positives only where labels say so (Kanerva et al. 2023, Figure 4).",
        tables,
        [_figure(names, similar)],
        (),
        remarks,
        {table.name: signed for table in tables},
    )


def unique_names(names: Sequence[str]) -> list[str]:
    """The names of corpora, told apart where two have the same."""
    told: list[str] = []
    for name in names:
        again = told.count(name) + sum(one.startswith(f"{name} (") for one in told)
        told.append(f"{name} ({again + 1})" if again else name)
    return told


def _similarities(drawn: Sequence[Sample]) -> tuple[list[Floats], str]:
    one = measure(MEASURE)
    texts = [columns(sample.pairs) for sample in drawn]
    one.fit(side for both in texts for side in both)
    return [score_columns([one], *both)[MEASURE] for both in texts], one.signature()


def _nothing(drawn: Sequence[Sample]) -> Finding:
    empty = next(one.corpus.name for one in drawn if not one.eligible)
    why = f"there are no pairs in {empty} that could be compared, so no sample is the same size in all"
    return Finding("distributions", "Lexical similarity of corpora", "Nothing was compared.", remarks=[why])


def _table(names: Sequence[str], drawn: Sequence[Sample], similar: Sequence[Floats]) -> Table:
    table = [
        Column("corpus", "corpus"),
        Column("pairs", "pairs", "count"),
        Column("eligible", "could be drawn", "count"),
        Column("sample", "sample", "count"),
        Column("chosen", "chosen"),
        Column("mean", "mean", "number", 3),
        Column("median", "median", "number", 3),
    ]
    rows: list[list[Cell]] = [
        [name, one.all_pairs, one.eligible, len(one.pairs), one.chosen, mean(values), median(values)]
        for name, one, values in zip(names, drawn, similar, strict=True)
    ]
    return Table("samples", "Samples", table, rows)


def _shares(values: Floats) -> list[float]:
    places = np.minimum(bin_of_score(values, STRATA), STRATA - 1)
    shares: list[float] = (np.bincount(places, minlength=STRATA) / len(values)).tolist()
    return shares


def _strata(names: Sequence[str], similar: Sequence[Floats]) -> Table:
    table = [Column("from", "from", "number"), Column("to", "to", "number")]
    table += [Column(f"share {name}", name, "share") for name in names]
    shares = [_shares(values) for values in similar]
    rows: list[list[Cell]] = [
        [place / STRATA, (place + 1) / STRATA, *(one[place] for one in shares)] for place in range(STRATA)
    ]
    return Table("strata", "Share of pairs by similarity", table, rows)


def _figure(names: Sequence[str], similar: Sequence[Floats]) -> Figure:
    title = "Lexical similarity on equal samples"
    lines = [
        Line(name, [((place + 0.5) / STRATA, share) for place, share in enumerate(_shares(values))])
        for name, values in zip(names, similar, strict=True)
    ]
    spec = named_lines(title, lines, "cosine of character 2–4-grams, tf-idf", "share of pairs", {"format": "%"})
    return Figure("strata", title, spec)
