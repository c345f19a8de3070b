"""Finding paraphrases as steps: an encoder that is trained for it, and the ranks at which known pairs are found."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherwords.corpus.labels.step import label_step
from otherwords.corpus.labels.table import read_table
from otherwords.corpus.splits.step import read_parts, split_step
from otherwords.errors import DataError
from otherwords.learn.encoders.options import BATCH, EPOCHS, EncoderRequest, Mix, Objective
from otherwords.learn.encoders.run import is_encoder_run, train_encoder
from otherwords.learn.runs.folder import MODEL_FOLDER
from otherwords.mining.pool.build import build_pool
from otherwords.mining.pool.options import PoolOptions, WorkOptions
from otherwords.mining.rank import EncoderRanks, rank_pairs
from otherwords.mining.ranks import RankScores
from otherwords.project.pipeline.kind import Cost, Input, StepContext, StepCounts, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Count, Parameters, Seed
from otherwords.project.project import MODELS, Project
from otherwords.project.simulated import is_simulated
from otherwords.records import Pair
from otherwords.sources.reading import write_records
from otherwords.sources.source import open_read_log
from otherwords.steps.candidates.pool import PoolParameters, pool, pool_facts
from otherwords.steps.learn import harvested_files, refuse_turned_off, training_facts

TEST = "test"
ALL_LABELS = "all"


class EncoderParameters(Parameters, frozen=True, kw_only=True):
    """What the training begins with, and which pairs it learns from; harvests are named by their steps."""

    base: str = "minilm"  # none: nothing is trained
    out: str = "encoder"  # its folder in the project's folder of models
    objective: Objective = "contrastive"
    mix: Mix = "train"
    negatives: tuple[str, ...] = ()
    positives: tuple[str, ...] = ()
    epochs: Count = EPOCHS
    batch: Count = BATCH
    hard_negatives: Count = 0
    seed: Seed = 0


def _encoder_facts(project: Project, chosen: EncoderParameters) -> StepFacts:
    return training_facts(project, (*chosen.negatives, *chosen.positives))


def _train_encoder(context: StepContext[EncoderParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    refuse_turned_off(context.name, "base", chosen.base)
    request = EncoderRequest(
        paths=(str(project.folder),),
        out=str(project.folder / MODELS / chosen.out),
        base=chosen.base,
        objective=chosen.objective,
        mix=chosen.mix,
        negatives=harvested_files(project, chosen.negatives),
        positives=harvested_files(project, chosen.positives),
        leaks="drop",
        epochs=chosen.epochs,
        batch=chosen.batch,
        hard_negatives=chosen.hard_negatives,
        seed=chosen.seed,
        simulated=_simulated(project),
        again=True,
    )
    run = train_encoder(request, context.progress)
    counts = dict(run.record.train)
    return StepResult(sum(counts.values()), sum(counts.values()), counts, output=run.folder)


class RankParameters(PoolParameters, frozen=True, kw_only=True):
    """Encoders by name, or by their place in the project; one that was not trained there is left out."""

    encoders: tuple[str, ...] = ("tfidf", f"{MODELS}/encoder")


def _rank_facts(project: Project, chosen: RankParameters) -> StepFacts:
    facts = pool_facts(project, chosen)
    trained = {name: is_encoder_run(project.folder / name) for name in chosen.encoders if name.startswith(MODELS)}
    split = training_facts(project, ()).depends_on
    return StepFacts(facts.rows, {**facts.depends_on, **split, "trained": trained})


def _rank(context: StepContext[RankParameters]) -> StepResult:
    project = context.project
    encoders = [name for wanted in context.parameters.encoders if (name := _encoder(project, wanted))]
    with tempfile.TemporaryDirectory() as folder:
        sentences, place = Path(folder) / "sentences.jsonl", Path(folder) / "pool"
        write_records(pool(context), sentences)
        with open_read_log("stop", None) as log:
            build_pool([sentences], place, PoolOptions(lang=project.config.lang), WorkOptions(), log)
        summary = rank_pairs(place, _hidden(context), encoders)
    rows = [row for ranks in summary.rows for row in _rows(ranks)]
    table = pa.Table.from_pylist(rows)
    counts: StepCounts = {"sentences": summary.sentences, "dropped": summary.left_out}
    counts |= {f"found first by {ranks.encoder}, of 100": round(100 * ranks.top["1"]) for ranks in summary.rows}
    signatures = {ranks.encoder: ranks.signature for ranks in summary.rows}
    output = context.write(table.schema, [table], lambda: signatures)
    return StepResult(summary.sentences, summary.pairs, counts, output)


def _encoder(project: Project, name: str) -> str | None:
    """The name of an encoder; one of the project's models by its folder, None if it is not there."""
    if not name.startswith(MODELS):
        return name
    folder = project.folder / name
    return f"hf:{folder / MODEL_FOLDER}" if is_encoder_run(folder) else None


def _hidden(context: StepContext[RankParameters]) -> Iterator[tuple[Pair, bool]]:
    """The labelled pairs of the test part, each with whether it is a paraphrase."""
    found = False
    places = read_parts(context.inputs["parts"])
    for row, place in zip(read_table(context.inputs["labels"]), places, strict=True):
        if place.part == TEST and row.positive is not None:
            found = True
            yield row, row.positive
    if not found:
        message = "its split has no part for tests, or nothing in it has a label"
        raise DataError(message, context.project.folder, code="no-test-part")


def _rows(ranks: EncoderRanks) -> Iterator[dict[str, Any]]:
    """One row for all positive pairs, and one for each label."""
    whole = RankScores(ranks.n, ranks.top, ranks.mean_rank)
    for label, scores in {ALL_LABELS: whole, **ranks.labels}.items():
        tops = {f"top{first}": share for first, share in scores.top.items()}
        facts = {"encoder": ranks.encoder, "label": label, "n": scores.n, "candidates": ranks.candidates}
        yield {**facts, **tops, "mean_rank": scores.mean_rank}


def _simulated(project: Project) -> bool:
    with project.ledger.reading() as connection:
        return is_simulated(connection)


_LABELLED: dict[str, Input[Any]] = {
    "labels": Input(lambda project, chosen: label_step(project, simulated=_simulated(project))),
    "parts": Input(lambda project, chosen: split_step(project, simulated=_simulated(project)), in_key=False),
}
TRAIN_ENCODER = StepKind(
    name="train-encoder",
    version=1,
    parameters=EncoderParameters,
    inputs=_LABELLED,
    facts=_encoder_facts,
    run=_train_encoder,
    cost=Cost(rows_per_second=None, megabytes=1500.0),
)
MINE_RANK = StepKind(
    name="mine-rank",
    version=1,
    parameters=RankParameters,
    inputs=_LABELLED,
    facts=_rank_facts,
    run=_rank,
    cost=Cost(rows_per_second=2000.0),
)
