"""How far metrics rank outputs as people do: Spearman's correlation of every metric with every scale.

Scores stand with the outputs (``scores.*`` of their files) or are computed here by measures of generated texts. An
output that several systems wrote counts once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from otherwords.analyse.finding import Cell, Column, Table
from otherwords.analyse.ratings.judged import JudgedOutput, RatedBatch
from otherwords.learn.generation.evaluate import metric_label
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.columns import Floats
from otherwords.measures.correlation import spearman
from otherwords.measures.generation.metric import GeneratedTexts, GenerationMetric
from otherwords.text.normalise import normalise

COLUMNS = (
    *(Column("metric", "metric"), Column("scale", "scale"), Column("outputs", "outputs", "count")),
    *(Column("sources", "sources", "count"), Column("spearman", "Spearman", "number", 3)),
    *(Column("low", "from", "number", 3), Column("high", "to", "number", 3), Column("note", "note")),
)
FEWEST = 3  # outputs: of two, the correlation is always 1 or -1
TOO_FEW, ALL_TIED, ALL_RATED_ALIKE = (
    "too few outputs have both",
    "all outputs have the same score",
    "all are rated alike",
)
Scores = Mapping[str, Mapping[str, float | None]]  # by metric and output


def stored_scores(judged: RatedBatch) -> dict[str, dict[str, float | None]]:
    """The scores that came with the outputs."""
    scores: dict[str, dict[str, float | None]] = {}
    for output in judged.outputs.values():
        for name, score in output.scores.items():
            scores.setdefault(name, {})[output.id] = score
    return dict(sorted(scores.items()))


def computed_scores(
    judged: RatedBatch,
    metrics: Sequence[GenerationMetric],
    references: Mapping[str, tuple[str, ...]],
    lang: str | None,
) -> dict[str, dict[str, float | None]]:
    """The scores of outputs by measures; those that need references are of the outputs that have some."""
    scores: dict[str, dict[str, float | None]] = {}
    for metric in metrics:
        usable = [
            output
            for output in judged.outputs.values()
            if not metric.needs_references or references.get(normalise(output.source))
        ]
        if usable:  # otherwise the finding says that it is missing
            found = metric.evidence(_texts(usable, references, lang)).scores
            scores[metric_label(metric)] = {
                output.id: float(score) for output, score in zip(usable, found, strict=True)
            }
    return scores


def _texts(
    outputs: Sequence[JudgedOutput], references: Mapping[str, tuple[str, ...]], lang: str | None
) -> GeneratedTexts:
    sources = [output.source for output in outputs]
    sets = [references.get(normalise(source), ()) for source in sources]
    return GeneratedTexts(sources, [output.text for output in outputs], sets, lang)


def correlation_table(
    judged: RatedBatch, scores: Scores, means: Mapping[str, Mapping[str, float]], bootstrap: Bootstrap
) -> Table:
    """A row for each metric and scale; intervals are over resampled sources."""
    place_of = {source: place for place, source in enumerate(judged.sources)}
    rows: list[list[Cell]] = []
    for metric, by_output in scores.items():
        for scale, rated in means.items():
            names = [name for name in rated if _is_number(by_output.get(name))]
            clusters = np.array([place_of[judged.outputs[name].source] for name in names], np.int64)
            values = np.array([by_output[name] for name in names], np.float64)
            ratings = np.array([rated[name] for name in names], np.float64)
            found = spearman(values, ratings, clusters, bootstrap) if len(names) >= FEWEST else None
            note = TOO_FEW if found is None else None
            if found is not None and found.value is None:
                note = ALL_TIED if _all_equal(values) else ALL_RATED_ALIKE
            figures = (found.value, found.low, found.high) if found is not None else (None, None, None)
            rows.append([metric, scale, len(names), len(set(clusters.tolist())), *figures, note])
    return Table("correlation", "Metrics and people", COLUMNS, rows)


def _is_number(score: float | None) -> bool:
    return score is not None and bool(np.isfinite(score))


def _all_equal(values: Floats) -> bool:
    return len(np.unique(values)) < 2
