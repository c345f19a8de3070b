"""Mining as steps: neighbours among sentences, a stratified sample of them for people, and a harvest.

``mine`` writes all pairs of neighbours as its dataset, ``mine-sample`` draws from that into a batch, and ``harvest``,
when the batch is judged, takes the pairs of a region. A classifier of the project says how confident it is, where one
is named.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from sqlalchemy import Connection

from otherwords.corpus.harvest.annotated import project_sample
from otherwords.corpus.harvest.columns import BY, PairStream, mined_pairs
from otherwords.corpus.harvest.draw import draw_strata, group_near, has_batch, sample_batch
from otherwords.corpus.harvest.harvest import Harvest, HarvestRequest, pool_digest
from otherwords.corpus.labels.step import label_step
from otherwords.corpus.splits.step import split_step
from otherwords.learn.predicting import Predictor
from otherwords.learn.runs.run import open_run
from otherwords.mining.mine import MineRequest, mine_pairs
from otherwords.mining.neighbours.options import Scope
from otherwords.mining.pool.folder import open_pool
from otherwords.mining.pool.options import PoolOptions
from otherwords.project.document_pairs import record_pairs
from otherwords.project.file_digests import file_digest
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import (
    Cost,
    Input,
    StepContext,
    StepCounts,
    StepFacts,
    StepKind,
    StepResult,
    make_step,
)
from otherwords.project.pipeline.parameters import Parameters, Seed, Share
from otherwords.project.project import MODELS, Project
from otherwords.project.simulated import is_simulated
from otherwords.records import Pair, Passage
from otherwords.sources.reading import write_records
from otherwords.sources.source import open_read_log
from otherwords.steps.batches import AUTHOR
from otherwords.steps.candidates.pool import SENTENCES, TEXTS_OF_PAIRS, pair_table, pool, pool_facts

METHOD = "mine"
SCORES = ("cosine", "margin")
HARVEST_COLUMNS = ("label", "precision", "low", "high")
Wanted = Annotated[int, msgspec.Meta(ge=1)]


class MineParameters(Parameters, frozen=True, kw_only=True):
    """A pool of the project's sentences of a source, or of ``files`` in the project's folder, and its neighbours."""

    source: str = SENTENCES
    files: tuple[str, ...] = ()
    encoder: str = ""  # the best of the language
    k: Wanted = 5
    scope: Scope = "all"
    least: Share = 0.0
    recall: Share = 0.95
    seed: Seed = 0


def _mine_facts(project: Project, parameters: MineParameters) -> StepFacts:
    if not parameters.files:
        return pool_facts(project, parameters)  # type: ignore[arg-type]  # of which it reads the source
    files = {name: file_digest(project.folder / name) for name in parameters.files}
    return StepFacts(0, {"files": files})


def _mine(context: StepContext[MineParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        paths = [str(project.folder / name) for name in chosen.files]
        if not paths:
            write_records(pool(context), work / "sentences.jsonl")
            paths = [str(work / "sentences.jsonl")]
        request = MineRequest(
            paths=tuple(paths),
            out=str(work / "mined"),
            pool=PoolOptions(lang=project.config.lang),
            encoder=chosen.encoder or None,
            k=chosen.k,
            scope=chosen.scope,
            least=chosen.least,
            recall=chosen.recall,
            seed=chosen.seed,
        )
        with open_read_log("stop", None) as log:
            summary = mine_pairs(request, log)
        documents = {} if chosen.files else _document_ids(work / "mined" / "pool")
        found = (_of_documents(pair, documents) for pair in mined_pairs(work / "mined")())
        table = pair_table(found, SCORES)
        output = context.write(table.schema, [table], lambda: {"signature": summary.signature})
    counts = {"sentences": summary.sentences, "dropped": summary.left_out, "trivial": summary.trivial}
    return StepResult(summary.read, summary.pairs, counts, output)


def _document_ids(folder: Path) -> dict[str, str]:
    """The document of each sentence of a pool."""
    opened = open_pool(folder)
    batches = opened.batches(["id", "name"], 0, opened.rows)
    return {
        id: name
        for batch in batches
        for id, name in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    }


def _of_documents(pair: Pair, documents: dict[str, str]) -> Pair:
    """The same pair; its sentences are documents of the project, or of none."""
    sides = {
        name: Passage(id=documents[place.id], start=place.start, end=place.end)
        if (place := getattr(pair, name)) is not None and place.id in documents
        else None
        for name in ("doc1", "doc2")
    }
    return msgspec.structs.replace(pair, **sides)


def mined_stream(mined: Dataset, lang: str | None) -> PairStream:
    """The pairs of the dataset of ``mine``."""

    def read() -> Iterator[Pair]:
        for batch in mined.batches():
            for row in batch.to_pylist():
                if row["text1"] and row["text2"]:  # what was withdrawn has no texts
                    yield _pair(row, lang)

    return read


def _pair(row: dict[str, Any], lang: str | None) -> Pair:
    return Pair(
        id=row["pair"],
        text1=row["text1"],
        text2=row["text2"],
        lang=lang,
        source=METHOD,
        doc1=_whole(row["doc1"], row["text1"]),
        doc2=_whole(row["doc2"], row["text2"]),
        method=METHOD,
        scores={name: row[name] for name in SCORES if row[name] is not None},
    )


def _whole(document: str | None, text: str) -> Passage | None:
    return None if document is None else Passage(id=document, start=0, end=len(text))


class MineSampleParameters(Parameters, frozen=True, kw_only=True):
    """So many pairs of each stratum of similarity, in a batch that is called like the step."""

    per_stratum: Wanted = 25
    by: str = BY
    asked: Wanted = 1
    scheme: str = ""
    seed: Seed = 0


def _sample(context: StepContext[MineSampleParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    lang = project.config.lang
    draw = draw_strata(mined_stream(context.inputs["pairs"], lang)(), chosen.per_stratum, chosen.by, chosen.seed, lang)
    pairs, strata = group_near(draw.pairs()), draw.strata()
    short = {row.name: row.reason for row in strata if row.reason}
    table = pair_table(pairs, [chosen.by])

    def record(connection: Connection) -> None:
        record_pairs(connection, context, pairs)
        if not has_batch(connection, context.name):
            scheme, ids = chosen.scheme or None, [pair.id for pair in pairs]
            times, name = chosen.asked, context.name
            sample_batch(connection, project, name, ids, seed=chosen.seed, times=times, scheme=scheme, author=AUTHOR)

    return StepResult(
        rows_in=draw.digest.pairs,
        rows_out=len(pairs),
        counts={"fewer than wanted": short} if short else {},
        output=context.write(table.schema, [table]),
        record=record,
    )


class HarvestParameters(Parameters, frozen=True, kw_only=True):
    """A side and either a region or a wanted precision; ``model`` is a classifier of the project."""

    side: Literal["negative", "positive"] = "negative"
    region: str = ""
    precision: Share = 0.0
    confidence: str = ""
    model: str = ""

    def problem(self) -> str | None:
        return None if bool(self.region) != bool(self.precision) else "name either a region or a precision"


def _harvest(context: StepContext[HarvestParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    stream = mined_stream(context.inputs["pairs"], project.config.lang)
    if chosen.model:
        stream = _predicted(stream, project.folder / MODELS / chosen.model)
    request = HarvestRequest(
        side=chosen.side,
        region=chosen.region or None,
        precision=chosen.precision or None,
        confidence=chosen.confidence or None,
    )
    sample = project_sample(project, simulated=_simulated(project), pool=pool_digest(stream))
    harvest = Harvest(stream, sample, request)
    summary, pairs = harvest.summary, list(harvest.pairs())
    estimate = [[value] * len(pairs) for value in (summary.side, *msgspec.structs.astuple(summary.precision))]
    table = pair_table(pairs, [*SCORES, sample.by], dict(zip(HARVEST_COLUMNS, estimate, strict=True)))
    counts: StepCounts = {
        "region": summary.region,
        "precision": str(summary.precision),
        "dropped": summary.left_out,
    }
    output = context.write(table.schema, [table], lambda: msgspec.to_builtins(summary))
    return StepResult(summary.pairs, summary.harvested, counts, output)


def _predicted(stream: PairStream, run: Path) -> PairStream:
    """The same pairs with what a classifier of the project says about them."""
    return lambda: Predictor(open_run(run)).pairs(stream())


def _simulated(project: Project) -> bool:
    with project.ledger.reading() as connection:
        return is_simulated(connection)


MINE: StepKind[MineParameters] = StepKind(
    name="mine",
    version=1,
    parameters=MineParameters,
    facts=_mine_facts,
    run=_mine,
    cost=Cost(rows_per_second=2000.0, megabytes_per_million_rows=2000.0),
    derived=TEXTS_OF_PAIRS,
)
MINED: Input[Any] = Input(lambda project, chosen: make_step(MINE))
MINE_SAMPLE = StepKind(
    name="mine-sample",
    version=1,
    parameters=MineSampleParameters,
    inputs={"pairs": MINED},
    run=_sample,
    cost=Cost(rows_per_second=50_000.0),
    derived=TEXTS_OF_PAIRS,
)
HARVEST = StepKind(
    name="harvest",
    version=1,
    parameters=HarvestParameters,
    inputs={
        "pairs": MINED,
        "labels": Input(lambda project, chosen: label_step(project, simulated=_simulated(project))),
        "parts": Input(lambda project, chosen: split_step(project, simulated=_simulated(project))),
    },
    run=_harvest,
    cost=Cost(rows_per_second=20_000.0),
    derived=TEXTS_OF_PAIRS,
)
