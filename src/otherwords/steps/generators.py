"""Generators as steps: one is trained, systems write for the sources of references, and what they wrote is measured.

What is written here is for evaluation (Dou et al. 2022, §4): it is no candidate, and no pair of the corpus. Sources are
those of the step ``references``; a generator learns from no pair that shares a sentence with them or their references.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
import pyarrow as pa

from otherwords.corpus.labels.step import label_step
from otherwords.corpus.splits.step import split_step
from otherwords.errors import DataError, NotInstalled, UsageError
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import POSITIVE
from otherwords.learn.generation.evaluate import GenerationEvaluation, chosen_metrics, evaluate_outputs
from otherwords.learn.generation.generate import GenerateOptions, systems_of, write_paraphrases
from otherwords.learn.generation.outputs import GeneratedOutputs, ReferenceSet
from otherwords.learn.generation.systems import SearchOptions, WritingSystem
from otherwords.learn.generation.training.options import MAX_BLEU, SMOLLM2, GeneratorKind
from otherwords.learn.generation.training.run import is_generator_run
from otherwords.learn.generation.training.train import GeneratorRequest, generator_options, train_generator
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.project.answer_cache import answer_cache
from otherwords.project.pipeline.dataset import ALL_TEXT, Dataset
from otherwords.project.pipeline.kind import Cost, Input, StepContext, StepFacts, StepKind, StepResult, make_step
from otherwords.project.pipeline.parameters import Count, Parameters, Seed
from otherwords.project.project import MODELS, Project
from otherwords.project.simulated import is_simulated
from otherwords.records import Pair
from otherwords.steps.candidates.clusters import REFERENCE_SETS, read_reference_sets
from otherwords.steps.learn import TURNED_OFF, refuse_turned_off, training_facts
from otherwords.text.normalise import normalise

GENERATOR = f"{MODELS}/generator"
ROUND_TRIP = "apertium:en-es>apertium:es-en"
NOT_TRAINED, ONLY_ENGLISH = "no generator was trained there", "it writes English"
OF_REFERENCES = "references"
RESAMPLES = 1000


class TrainGeneratorParameters(Parameters, frozen=True, kw_only=True):
    """The model that the training begins with, and how it learns; ``settings`` are further ones of generators."""

    base: str = SMOLLM2  # none: nothing is trained
    out: str = "generator"  # its folder in the project's folder of models
    kind: GeneratorKind = "causal"
    lora: bool = True
    max_bleu: Annotated[float, msgspec.Meta(ge=0, le=100)] = MAX_BLEU
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    seed: Seed = 0

    def problem(self) -> str | None:
        if self.base != TURNED_OFF:
            try:
                generator_options(self.options())
            except UsageError as problem:
                return str(problem)
        return None

    def options(self) -> dict[str, Any]:
        """What the training is asked for."""
        return {"base": self.base, "kind": self.kind, "lora": self.lora, "max_bleu": self.max_bleu} | self.settings


def _train(context: StepContext[TrainGeneratorParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    refuse_turned_off(context.name, "base", chosen.base)
    request = GeneratorRequest(
        paths=(str(project.folder),),
        out=project.folder / MODELS / chosen.out,
        settings=chosen.options(),
        tests=_reference_pairs(context.inputs["references"]),
        seed=chosen.seed,
        simulated=_simulated(project),
        again=True,
    )
    run = train_generator(request, context.progress)
    record = run.record
    counts = {"dev": record.dev.pairs, "dropped": record.train.left_out, "perplexity": round(record.perplexity, 3)}
    read = record.train.pairs + sum(record.train.left_out.values())
    return StepResult(read, record.train.pairs, counts, output=run.folder)


def _reference_pairs(dataset: Dataset) -> LabelledPairs | None:
    rows = [row for rows in read_reference_sets(dataset).values() for row in rows]
    pairs = [Pair(id=row.pair, text1=row.source, text2=row.reference) for row in rows]
    return LabelledPairs(OF_REFERENCES, pairs, [POSITIVE] * len(pairs)) if pairs else None


class WriteParameters(Parameters, frozen=True, kw_only=True):
    """Which systems write; those that are not here, or are for another language, are left out.

    ``most`` is the number of sources, 0 being all; ``prompt`` a file in the project; ``beam`` the number of beams, 0
    being what the systems have by default.
    """

    systems: tuple[str, ...] = (GENERATOR, SMOLLM2, ROUND_TRIP)
    prompt: str = ""
    beam: Count = 0
    most: Count = 0

    def problem(self) -> str | None:
        return None if self.systems else f'name a system: systems = ["{SMOLLM2}"]'


def _options(project: Project, chosen: WriteParameters) -> GenerateOptions:
    return GenerateOptions(
        prompt=project.folder / chosen.prompt if chosen.prompt else None,
        search=SearchOptions(beam=chosen.beam or None),
        lang=project.config.lang,
        folder=project.folder,
    )


def _systems(project: Project, chosen: WriteParameters) -> tuple[list[list[WritingSystem]], dict[str, str]]:
    """The systems that can write here, and why the others cannot; none at all is an error."""
    found: list[list[WritingSystem]] = []
    left_out: dict[str, str] = {}
    for name in dict.fromkeys(chosen.systems):
        if reason := _unusable(project, name):
            left_out[name] = reason
            continue
        try:
            found += systems_of([name], _options(project, chosen))[0]
        except UsageError as problem:
            if not isinstance(problem, NotInstalled) and problem.code != "wrong-language":
                raise
            left_out[name] = str(problem)
    if not found:
        reasons = "; ".join(
            reason if reason.startswith(name) else f"{name}: {reason}" for name, reason in left_out.items()
        )
        raise DataError(f"no system can write here ({reasons})", project.folder, code="no-system-here")
    return found, left_out


def _unusable(project: Project, name: str) -> str | None:
    if name.startswith(MODELS) and not is_generator_run(project.folder / name.partition("?")[0]):
        return NOT_TRAINED
    if name.partition(":")[0] == SMOLLM2 and project.config.lang not in (None, "en"):
        return ONLY_ENGLISH
    return None


def _write_facts(project: Project, chosen: WriteParameters) -> StepFacts:
    """Everything that what is written depends on besides the sources."""
    groups, left_out = _systems(project, chosen)
    systems = [system for group in groups for system in group]
    for system in systems:
        system.edge.close()
    return StepFacts(0, {"systems": [system.signature for system in systems], "left out": sorted(left_out)})


_TEXT = pa.string()
OUTPUTS = pa.schema(
    [
        *((name, _TEXT) for name in ("source", "system", "output", "reason", "pair", "document")),
        ("train_pairs", pa.int64()),
    ]
)


def _write(context: StepContext[WriteParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    sets = {normalise(source): rows[0] for source, rows in read_reference_sets(context.inputs["references"]).items()}
    sources = sorted(sets)[: chosen.most or None]
    if not sources:
        raise DataError("there is no source with references", project.folder, code="no-sources")
    groups, left_out = _systems(project, chosen)

    def progress(system: str, now: int, total: int | None) -> None:
        context.progress(now, total)

    with answer_cache(project) as cache:
        pairs, summary = write_paraphrases(sources, groups, _options(project, chosen), cache, progress)
    rows = [_output_row(pair, sets[pair.text1].pair, sets[pair.text1].doc1) for pair in pairs]
    counts = {
        "sources": len(sources),
        "written": {system.system: system.written for system in summary.systems},
        "left out": left_out,
    }
    output = context.write(OUTPUTS, [pa.Table.from_pylist(rows, OUTPUTS)])
    return StepResult(len(sources), len(rows), counts, output)


def _output_row(pair: Pair, original: str, document: str | None) -> dict[str, Any]:
    facts = {name: pair.meta["made"].get(name) for name in ("system", "reason", "train_pairs")}
    return {"source": pair.text1, "output": pair.text2, "pair": original, "document": document, **facts}


def read_generated(dataset: Dataset) -> list[GeneratedOutputs]:
    """What each system wrote, in the order in which they are named."""
    systems: dict[str, GeneratedOutputs] = {}
    for row in dataset.table().to_pylist():
        name = row["system"]
        system = systems.setdefault(name, GeneratedOutputs(name, train_pairs=row["train_pairs"]))
        system.add(row["source"], row["output"], row["reason"])
    return list(systems.values())


def known_references(dataset: Dataset) -> dict[str, tuple[str, ...]]:
    """The references of every source, both in their normal form."""
    return {
        normalise(source): tuple(sorted({normalise(row.reference) for row in rows}))
        for source, rows in read_reference_sets(dataset).items()
    }


class EvaluateParameters(Parameters, frozen=True, kw_only=True):
    """Which measures, all that need no language model where none is named, and how intervals are drawn."""

    metrics: tuple[str, ...] = ()
    encoder: str = ""
    resamples: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = RESAMPLES
    seed: Seed = 0


def _evaluate(context: StepContext[EvaluateParameters]) -> StepResult:
    chosen, lang = context.parameters, context.project.config.lang
    systems = read_generated(context.inputs["outputs"])
    references = known_references(context.inputs["references"])
    asked = {source: texts for source, texts in references.items() if any(source in each.outputs for each in systems)}
    metrics, notes = chosen_metrics(chosen.metrics, lang, chosen.encoder or None)
    test, bootstrap = ReferenceSet(OF_REFERENCES, asked), Bootstrap(chosen.resamples, chosen.seed)
    evaluation = evaluate_outputs(systems, [test], metrics, lang, bootstrap, context.progress)
    table = pa.Table.from_pylist(list(_score_rows(evaluation)), SCORES)
    notes = [*evaluation.notes, *notes]
    signatures = {name: score.signature for row in evaluation.rows for name, score in row.scores.items()}
    output = context.write(SCORES, [table], lambda: {"notes": notes, "signatures": signatures})
    counts = {"systems": len(systems), "sources": len(asked)} | ({"notes": notes} if notes else {})
    return StepResult(context.inputs["outputs"].rows, len(table), counts, output)


_NUMBERS, _COUNTS = ("value", "low", "high", "difference_low", "difference_high"), ("empty", "copies", "repeating")
SCORES = pa.schema(
    [*((name, _TEXT) for name in ("system", "measure", "better", "against"))]
    + [(name, pa.float64()) for name in _NUMBERS]
    + [(name, pa.int64()) for name in ("n", *_COUNTS, "other_language", "missing", "train_pairs")]
)


def _score_rows(evaluation: GenerationEvaluation) -> Sequence[dict[str, Any]]:
    """A row for every system and measure, after those of how far the references are from their sources."""
    rows: list[dict[str, Any]] = []
    for references in evaluation.reference_rows:
        for which, score in references.self_bleu.items():
            values = {name: getattr(score, name) for name in (*_NUMBERS, "better", "n")}
            rows.append({"system": f"{OF_REFERENCES} ({which})", "measure": "self-bleu", **values})
    for row in evaluation.rows:
        facts = {name: getattr(row, name) for name in (*_COUNTS, "other_language", "missing", "train_pairs", "against")}
        for measure, score in row.scores.items():
            values = {name: getattr(score, name) for name in (*_NUMBERS, "better", "n")}
            rows.append({"system": row.system, "measure": measure, **values, **facts})
    return rows


def _simulated(project: Project) -> bool:
    with project.ledger.reading() as connection:
        return is_simulated(connection)


REFERENCES: Input[Any] = Input(lambda project, chosen: make_step(REFERENCE_SETS))
TRAIN_GENERATOR = StepKind(
    name="train-generator",
    version=1,
    parameters=TrainGeneratorParameters,
    inputs={
        "labels": Input(lambda project, chosen: label_step(project, simulated=_simulated(project))),
        "parts": Input(lambda project, chosen: split_step(project, simulated=_simulated(project)), in_key=False),
        "references": REFERENCES,
    },
    facts=lambda project, chosen: training_facts(project, ()),
    run=_train,
    cost=Cost(rows_per_second=None, megabytes=2500.0),
)
WRITE_OUTPUTS = StepKind(
    name="write-outputs",
    version=1,
    parameters=WriteParameters,
    inputs={"references": REFERENCES},
    facts=_write_facts,
    run=_write,
    cost=Cost(rows_per_second=None, megabytes=1500.0),
    derived=ALL_TEXT,  # a source may be in many documents; answers are kept, so nothing is written twice
)
WRITTEN: Input[Any] = Input(lambda project, chosen: make_step(WRITE_OUTPUTS))
EVALUATE_GENERATION = StepKind(
    name="evaluate-generation",
    version=1,
    parameters=EvaluateParameters,
    inputs={"outputs": WRITTEN, "references": REFERENCES},
    run=_evaluate,
    cost=Cost(rows_per_second=20.0, megabytes=1000.0),
)
