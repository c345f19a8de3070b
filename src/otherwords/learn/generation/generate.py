"""Writing paraphrases of sources with one or several systems: for every source an output or a reason, by id.

Answers are kept as soon as they come, in a file beside the output, so that a killed run goes on where it was; the file
is removed when the output is whole. Of several outputs of one system, the one with the best score is the first; the
others follow with their ranks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.corpus.corpus import open_corpus
from otherwords.digests import digest_hex
from otherwords.errors import DataError, UsageError
from otherwords.learn.generation.prompts import ParaphrasePrompt, paraphrase_prompt
from otherwords.learn.generation.systems import SearchOptions, WritingSystem, Written, writing_systems
from otherwords.measures.generation.metric import GeneratedTexts, GenerationMetric, generation_metric
from otherwords.mining.pool.options import PoolOptions
from otherwords.mining.pool.rows import row_blocks
from otherwords.models.cache import AnswerCache
from otherwords.models.calls import BackendStopped
from otherwords.records import Pair
from otherwords.sources.reading import write_records
from otherwords.sources.source import ReadLog
from otherwords.text.normalise import normalise

METHOD = "generate"
CACHE_SUFFIX = ".answers"
CHOOSE = "bert-ibleu"
NOT_PAIRS = ("format-not-recognised", "noun-not-in-format", "empty-file")
SystemProgress = Callable[[str, int, int | None], None]  # the system, how many are done, of how many


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """How paraphrases are written; ``examples`` are sources with paraphrases that the prompt shows."""

    prompt: str | Path | None = None
    examples: Sequence[tuple[str, str]] = ()
    search: SearchOptions = field(default_factory=SearchOptions)
    choose: str = CHOOSE
    lang: str | None = None
    folder: Path = Path()  # in which relative paths of trained generators begin


@dataclass(frozen=True, slots=True)
class SystemSummary:
    """How a system fared."""

    system: str
    sources: int
    written: int
    reasons: dict[str, int]
    signature: str


@dataclass(slots=True)
class GenerateSummary:
    """What was written."""

    sources: int
    copies: int  # sources that came more than once
    systems: list[SystemSummary] = field(default_factory=list)
    prompt: str = ""  # its version


def read_sources(path: str | Path, limit: int | None = None, **reading: Any) -> tuple[list[str], int, str | None]:
    """The sources of a file, each once, how many came again, and their language if it is one.

    They are the first texts of pairs, or sentences: one a line, or in a column of a table.
    """
    texts, langs = [], set()
    for text, lang in _texts(path, **reading):
        texts.append(normalise(text))
        langs.update([lang] if lang else [])
    known = [text for text in dict.fromkeys(texts) if text]
    if not known:
        raise DataError("there is no sentence in it", path, code="no-sources")
    return known[:limit], len(texts) - len(known), langs.pop() if len(langs) == 1 else None


def _texts(path: str | Path, **reading: Any) -> Iterator[tuple[str, str | None]]:
    try:
        corpus = open_corpus(path, **reading)
    except DataError as problem:
        if problem.code not in NOT_PAIRS:
            raise
        options = PoolOptions(lang=reading.get("lang"), encoding=reading.get("encoding"))
        for block in row_blocks([path], options, ReadLog("stop"), 1000):
            yield from ((row.text, row.lang or options.lang) for row in block)
        return
    yield from ((pair.text1, pair.lang) for pair in corpus.pairs())


def generate_paraphrases(
    sources: Sequence[str],
    names: Sequence[str],
    out: Path,
    options: GenerateOptions,
    progress: SystemProgress = lambda system, done, total: None,
) -> GenerateSummary:
    """Write the paraphrases of all systems into one file."""
    cache_file = out.with_name(out.name + CACHE_SUFFIX)
    groups, prompt = systems_of(names, options)
    cache = AnswerCache(cache_file)
    try:
        pairs, summary = write_paraphrases(sources, groups, options, cache, progress)
        summary.prompt = prompt.version
        write_records(pairs, out)
    finally:
        cache.close()
    for file in (cache_file, *(cache_file.with_name(cache_file.name + end) for end in ("-wal", "-shm"))):
        file.unlink(missing_ok=True)
    return summary


def systems_of(names: Sequence[str], options: GenerateOptions) -> tuple[list[list[WritingSystem]], ParaphrasePrompt]:
    """The systems of these names, and the prompt of those that have none of their own."""
    if not names:
        raise UsageError(
            "name a system: --with smollm2, --with hf:PATH, --with RUN or two translators", code="no-system"
        )
    prompt = paraphrase_prompt(options.prompt, options.examples)
    found = writing_systems(list(dict.fromkeys(names)), prompt, options.search, options.lang, options.folder)
    return found, prompt


def write_paraphrases(
    sources: Sequence[str],
    groups: Sequence[Sequence[WritingSystem]],
    options: GenerateOptions,
    cache: AnswerCache,
    progress: SystemProgress = lambda system, done, total: None,
) -> tuple[list[Pair], GenerateSummary]:
    """The paraphrases of all systems; what has been answered is in the cache if a system stops."""
    chosen_by = generation_metric(options.choose, options.lang) if options.search.several else None
    summary = GenerateSummary(len(sources), 0)
    pairs: list[Pair] = []
    for group in groups:
        found, stopped = _written_by(group, sources, cache, progress)
        if stopped is not None:
            raise stopped
        pairs += _pairs_of(group, sources, found, chosen_by, options)
        summary.systems.append(_summary(group, found))
    if not any(system.written for system in summary.systems):
        reasons = Counter({reason: count for system in summary.systems for reason, count in system.reasons.items()})
        [(reason, _)] = reasons.most_common(1)
        raise DataError(f"nothing was written for {len(sources):,} sources: {reason}", code="nothing-generated")
    return pairs, summary


def _written_by(
    group: Sequence[WritingSystem], sources: Sequence[str], cache: AnswerCache, progress: SystemProgress
) -> tuple[list[list[Written]], BackendStopped | None]:
    """For each output of the systems of a group what they wrote."""
    found: list[list[Written]] = []

    def show(now: int, _: int | None) -> None:
        asked = len(found) // group[0].outputs * len(sources)
        progress(group[0].name, asked + now, len(group) * len(sources))

    for system in group:
        try:
            written, stopped = system.write(sources, cache, show)
        finally:
            system.edge.close()
        found += written
        if stopped is not None:
            return found, stopped
    return found, None


def _pairs_of(
    group: Sequence[WritingSystem],
    sources: Sequence[str],
    found: Sequence[Sequence[Written]],
    chosen_by: GenerationMetric | None,
    options: GenerateOptions,
) -> list[Pair]:
    """A pair for every source, and one for each further output, in the order of their ranks."""
    scores = _scores(sources, found, chosen_by) if chosen_by is not None else None
    systems = [system for system in group for _ in range(system.outputs)]
    pairs = []
    for row, source in enumerate(sources):
        outputs = [written[row] for written in found]
        values = [math.nan] * len(outputs) if scores is None else scores[:, row].tolist()
        goodness = [_goodness(value, chosen_by) for value in values]
        order = sorted(range(len(outputs)), key=lambda at: (outputs[at].reason is not None, -goodness[at], at))
        for rank, at in enumerate(order, 1):
            made: dict[str, Any] = {"system": systems[at].name, "signature": systems[at].signature, "rank": rank}
            if systems[at].prompt is not None:
                made["prompt"] = systems[at].prompt.version  # type: ignore[union-attr]
            if systems[at].train_pairs is not None:
                made["train_pairs"] = systems[at].train_pairs
            if outputs[at].reason is not None:
                made["reason"] = outputs[at].reason
            known: dict[str, float | None] = {}
            if chosen_by is not None and outputs[at].reason is None and math.isfinite(values[at]):
                known[chosen_by.name] = values[at]
            pairs.append(
                Pair(
                    id=f"{METHOD}-{digest_hex(systems[at].name, str(at), source, size=10)}",
                    text1=source,
                    text2="" if outputs[at].reason is not None else outputs[at].text,
                    lang=options.lang,
                    method=METHOD,
                    scores=known,
                    meta={"made": made},
                )
            )
    return pairs


def _scores(sources: Sequence[str], found: Sequence[Sequence[Written]], metric: GenerationMetric) -> Any:
    """What a measure that needs no reference says of each output: systems × sources."""
    if metric.needs_references:
        raise UsageError(f"{metric.name} needs references and cannot choose; try {CHOOSE}", code="needs-references")
    texts = [GeneratedTexts(sources, [output.text for output in written]) for written in found]
    return np.stack([metric.evidence(part).scores for part in texts])


def _goodness(score: float, metric: GenerationMetric | None) -> float:
    """The higher the better; an output without a score comes last."""
    if metric is None or math.isnan(score):
        return -math.inf
    return -score if metric.better == "lower" else score


def _summary(group: Sequence[WritingSystem], found: Sequence[Sequence[Written]]) -> SystemSummary:
    """A source counts as written if one of its outputs is."""
    firsts = [next((output for output in row if output.reason is None), row[0]) for row in zip(*found, strict=True)]
    reasons = Counter(output.reason for output in firsts if output.reason is not None)
    written = len(firsts) - reasons.total()
    return SystemSummary(group[0].name, len(firsts), written, dict(reasons.most_common()), group[0].signature)
