"""Lexical similarity of several corpora, measured on equal samples (Kanerva et al. 2023, Figure 4).

One set of weights, fitted to all samples together, is used for all of them;
:mod:`otherwords.analyse.findings.samples` says how they are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from otherwords.acquire import batches
from otherwords.analyse.averages import mean, median
from otherwords.analyse.bins import STRATA, strata_of, stratum_edges
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import FEWEST_IN_LINE, FigureLine, named_lines
from otherwords.analyse.finding import PAIRS, Cell, Column, Figure, Finding, Table, plain_columns, quantity
from otherwords.analyse.findings.samples import Sample, draw_samples
from otherwords.corpus.corpus import Corpus
from otherwords.measures import measure, score_columns

MEASURE = "char-cosine-tfidf"
FEW = 100  # pairs; a distribution of fewer is mostly noise
Floats = NDArray[np.float64]


def distributions(corpora: Sequence[Corpus], options: AnalysisOptions) -> Finding | None:
    """Lexical similarity of several corpora on equal samples, one set of weights for all."""
    drawn = draw_samples(corpora, options.sample, options.seed)
    size = len(drawn[0].pairs)
    if not size:
        empty = next(sample.corpus.name for sample in drawn if not sample.eligible)
        remark = f"there are no pairs in {empty} that could be compared, so equal samples cannot be drawn"
        return Finding("distributions", "Lexical similarity of corpora", "Nothing was compared.", remarks=[remark])
    names = unique_names([sample.corpus.name for sample in drawn])
    scorer = measure(MEASURE)
    texts = [batches.text_columns(sample.pairs) for sample in drawn]
    scorer.fit(side for sides in texts for side in sides)
    similarities = [score_columns([scorer], *sides)[MEASURE] for sides in texts]
    shares = {name: _shares(values) for name, values in zip(names, similarities, strict=True)}
    remarks = [f"the samples are small: {quantity(size, 'pair')} of each corpus"] if size < FEW else []
    for name, sample in zip(names, drawn, strict=True):
        if sample.sets:
            remarks.append(f"in {name}: one pair of each set of paraphrases ({quantity(sample.sets, 'set')})")
    tables = [_samples(names, drawn, similarities), _strata(shares)]
    lines = [_line(name, of_corpus, size) for name, of_corpus in shares.items()]
    if size < FEWEST_IN_LINE:
        remarks.append(
            f"no lines are drawn: fewer than {FEWEST_IN_LINE} pairs of each corpus are too few to show a shape"
        )
    signed = f"{scorer.signature()}|sample:{size}|seed:{options.seed}"
    return Finding(
        "distributions",
        "Lexical similarity of corpora",
        "Cosine of character 2–4-grams weighted by tf-idf, fitted to all samples together; the same number of pairs of "
        "each corpus, positives only where labels say so (Kanerva et al. 2023, Figure 4).",
        tables,
        [_figure(lines)] if size >= FEWEST_IN_LINE else [],
        remarks=remarks,
        signatures={table.name: signed for table in tables},
    )


def unique_names(names: Sequence[str]) -> list[str]:
    """The names of corpora, numbered where several have the same."""
    unique: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in unique:
            number += 1
            candidate = f"{name} ({number})"
        unique.append(candidate)
    return unique


def _samples(names: Sequence[str], drawn: Sequence[Sample], similarities: Sequence[Floats]) -> Table:
    columns = [
        Column("corpus", "corpus"),
        PAIRS,
        Column("eligible", "could be drawn", "count"),
        Column("sample", "sample", "count"),
        Column("chosen", "chosen"),
        Column("mean", "mean", "number", 3),
        Column("median", "median", "number", 3),
    ]
    rows: list[list[Cell]] = [
        [name, sample.all_pairs, sample.eligible, len(sample.pairs), sample.chosen, mean(values), median(values)]
        for name, sample, values in zip(names, drawn, similarities, strict=True)
    ]
    return Table("samples", "Samples", columns, rows)


def _shares(values: Floats) -> list[float]:
    """The share of the pairs in each stratum."""
    shares: list[float] = (np.bincount(strata_of(values), minlength=STRATA) / len(values)).tolist()
    return shares


def _strata(shares: Mapping[str, Sequence[float]]) -> Table:
    columns = [*plain_columns("number", "from", "to"), *(Column(f"share {name}", name, "share") for name in shares)]
    by_stratum = enumerate(zip(*shares.values(), strict=True))
    rows: list[list[Cell]] = [[*stratum_edges(stratum), *cells] for stratum, cells in by_stratum]
    return Table("strata", "Share of pairs by similarity", columns, rows)


def _line(name: str, shares: Sequence[float], size: int) -> FigureLine:
    return FigureLine(name, [((stratum + 0.5) / STRATA, share) for stratum, share in enumerate(shares)], size)


def _figure(lines: Sequence[FigureLine]) -> Figure:
    title = "Lexical similarity on equal samples"
    spec = named_lines(title, lines, "cosine of character 2–4-grams, tf-idf", "share of pairs", {"format": "%"})
    return Figure("strata", title, spec, "For each stratum of 0.05, the share of the sample that falls into it.")
