"""Scores for pairs: a stream of pairs in, the same pairs in the same order with their scores out.

From file to file, pairs travel in blocks (:mod:`otherwords.sources.blocks`), which are scored on all cores while the
next are being read; only a few are in memory, so memory does not grow with the file. Scoring never drops a pair.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from otherwords.acquire.batches import BlockPart, SelectedMeasures, pair_blocks
from otherwords.engine import Engine
from otherwords.records import Pair
from otherwords.sources.blocks.block import Floats, PairBlock, RecordBlock
from otherwords.sources.blocks.reading import read_pair_blocks, write_pair_blocks
from otherwords.sources.io.files import atomic_write, is_stream, readable_twice
from otherwords.sources.reading import RecordReader, WithProgress, format_for, open_records, without_progress


@dataclass(frozen=True, slots=True)
class ScoreResult:
    """What was read, and the signature of every score that was added."""

    reading: RecordReader
    signatures: dict[str, str]


def score_file(
    path: str | Path,
    out: str | Path,
    specs: Sequence[str],
    *,
    to: str | None = None,
    lang: str | None = None,
    tokeniser: str | None = None,
    threads: int | None = None,
    watch: WithProgress = without_progress,
    **options: Any,
) -> ScoreResult:
    """Score a corpus into a new file. The signatures are written beside it as ``OUT.signatures.json``."""
    target = format_for(out, to)
    chosen = SelectedMeasures(specs, lang, tokeniser)
    with fitted_reading(path, chosen, lang=lang, watch=watch, **options) as corpus:
        blocks = watch(read_pair_blocks(corpus, target), corpus, "scoring")
        write_pair_blocks(score_blocks(blocks, chosen, threads), out, to)
        signatures = chosen.signatures()
        if str(out) != "-" and not is_stream(Path(out)):
            with atomic_write(Path(f"{out}.signatures.json")) as stream:
                stream.write(msgspec.json.format(msgspec.json.encode(signatures), indent=2) + b"\n")
        return ScoreResult(corpus, signatures)


@contextlib.contextmanager
def fitted_reading(
    path: str | Path, chosen: SelectedMeasures, *, watch: WithProgress = without_progress, **options: Any
) -> Iterator[RecordReader]:
    """Open a corpus, with the measures that need it already fitted to all texts."""
    if not chosen.needs_fit:
        with open_records(path, **options) as corpus:
            yield corpus
        return
    name = "standard input" if str(path) == "-" else None
    with readable_twice(path) as readable:
        fit_options = {**options, "quarantine": None}
        if fit_options.get("on_error") == "quarantine":
            fit_options["on_error"] = "skip"
        with open_records(readable, called=name, **fit_options) as corpus:
            chosen.fit(watch(corpus.pairs(), corpus, "fitting"))
        with open_records(readable, called=name, **options) as corpus:
            yield corpus


def score_pairs(pairs: Iterable[Pair], chosen: SelectedMeasures, threads: int | None = None) -> Iterator[Pair]:
    """The pairs with their scores added, in order."""
    for block in score_blocks(map(RecordBlock, pair_blocks(pairs)), chosen, threads):
        yield from block.pairs()


def score_blocks(
    blocks: Iterable[PairBlock], chosen: SelectedMeasures, threads: int | None = None
) -> Iterator[PairBlock]:
    """The blocks with scores added, in order."""
    yield from Engine(threads).map(_score, ((block, chosen.parts(block)) for block in blocks))


def _score(task: tuple[PairBlock, list[BlockPart]]) -> PairBlock:
    return task[0].with_scores(block_scores(*task))


def block_scores(block: PairBlock, parts: Sequence[BlockPart]) -> dict[str, Floats]:
    """The scores of a block by measure; its parts are measured alike."""
    texts1, texts2 = block.texts()
    if len(parts) == 1:
        return {name: chosen.scores(texts1, texts2) for name, chosen in parts[0].measures.items()}
    scores: dict[str, Floats] = {}
    for part in parts:
        rows = pa.array(part.rows)
        for name, chosen in part.measures.items():
            column = scores.setdefault(name, np.empty(len(block)))
            column[part.rows] = chosen.scores(texts1.take(rows), texts2.take(rows))
    return scores
