"""Scores for pairs: a stream of pairs in, the same pairs in the same order with their scores out.

Blocks are scored on all cores while the next are being read; only a few are in memory, so memory does not grow with
the file. Scoring never drops a pair.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from otherwords.acquire.batches import SelectedMeasures, pair_blocks, text_columns
from otherwords.engine import Engine
from otherwords.measures import Measure
from otherwords.records import Pair
from otherwords.sources.io.files import atomic_write, is_stream, readable_twice
from otherwords.sources.reading import (
    RecordReader,
    WithProgress,
    format_for,
    open_records,
    without_progress,
    write_records,
)


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
    format_for(out, to)
    chosen = SelectedMeasures(specs, lang, tokeniser)
    with fitted_reading(path, chosen, lang=lang, watch=watch, **options) as corpus:
        write_records(score_pairs(watch(corpus.pairs(), corpus, "scoring"), chosen, threads), out, to)
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
    blocks = ((block, chosen.parted(block)) for block in pair_blocks(pairs))
    for scored in Engine(threads).map(_score, blocks):
        yield from scored


def _score(task: tuple[list[Pair], list[tuple[list[int], dict[str, Measure]]]]) -> list[Pair]:
    """The pairs of a block with their scores; its parts are measured alike."""
    block, parts = task
    rows: list[dict[str, float]] = [{}] * len(block)
    for numbers, measures in parts:
        texts = text_columns([block[number] for number in numbers])
        values = [chosen.scores(*texts).tolist() for chosen in measures.values()]
        for number, row in zip(numbers, zip(*values, strict=True), strict=True):
            rows[number] = dict(zip(measures, row, strict=True))
    return [
        msgspec.structs.replace(pair, scores={**pair.scores, **added} if pair.scores else added)
        for pair, added in zip(block, rows, strict=True)
    ]
