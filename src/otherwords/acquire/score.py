"""Scores for pairs: a stream of pairs in, the same pairs in the same order with their scores out.

Batches are scored on all cores while the next are being read; no more than a few are in memory, so
memory does not grow with the file. Scoring never drops a pair.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from otherwords.acquire.batches import Chosen, batches, columns
from otherwords.measures import Measure
from otherwords.records import Pair
from otherwords.sources.files import is_stream, readable_twice, replacing
from otherwords.sources.reading import Reading, Watch, format_for, reading, unwatched, write

Scores = dict[str, float]


@dataclass(frozen=True, slots=True)
class Finished:
    """What was read, and the signature of every score that was added."""

    reading: Reading
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
    watch: Watch = unwatched,
    **wishes: Any,
) -> Finished:
    """Score a corpus into a new file. The signatures are written beside it as ``OUT.signatures.json``."""
    format_for(out, to)
    chosen = Chosen(specs, lang, tokeniser)
    with fitted_reading(path, chosen, lang=lang, watch=watch, **wishes) as corpus:
        write(scored(watch(corpus.pairs(), corpus, "scoring"), chosen, threads), out, to)
        signatures = chosen.signatures()
        if str(out) != "-" and not is_stream(Path(out)):
            beside = Path(out)
            with replacing(beside.with_name(beside.name + ".signatures.json")) as stream:
                stream.write(msgspec.json.format(msgspec.json.encode(signatures), indent=2) + b"\n")
        return Finished(corpus, signatures)


@contextlib.contextmanager
def fitted_reading(path: str | Path, chosen: Chosen, *, watch: Watch = unwatched, **wishes: Any) -> Iterator[Reading]:
    """Open a corpus to be measured; where a measure has to see all texts first, it has."""
    if not chosen.needs_fit:
        with reading(path, **wishes) as corpus:
            yield corpus
        return
    called = "standard input" if str(path) == "-" else None
    with readable_twice(path) as readable:
        first = {**wishes, "quarantine": None}
        if first.get("on_error") == "quarantine":
            first["on_error"] = "skip"
        with reading(readable, called=called, **first) as corpus:
            chosen.fit(watch(corpus.pairs(), corpus, "fitting"))
        with reading(readable, called=called, **wishes) as corpus:
            yield corpus


def scored(pairs: Iterable[Pair], chosen: Chosen, threads: int | None = None) -> Iterator[Pair]:
    """The pairs with their scores added, in order."""
    threads = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        under_way: deque[tuple[list[Pair], Future[list[Scores]]]] = deque()
        for batch in batches(pairs):
            under_way.append((batch, pool.submit(_score, batch, chosen.parted(batch))))
            if len(under_way) > threads:
                yield from _finished(*under_way.popleft())
        while under_way:
            yield from _finished(*under_way.popleft())


def _finished(batch: list[Pair], scores: Future[list[Scores]]) -> Iterator[Pair]:
    for pair, added in zip(batch, scores.result(), strict=True):
        yield msgspec.structs.replace(pair, scores={**pair.scores, **added} if pair.scores else added)


def _score(batch: list[Pair], parts: list[tuple[list[int], dict[str, Measure]]]) -> list[Scores]:
    rows: list[Scores] = [{}] * len(batch)
    for numbers, measures in parts:
        texts = columns([batch[number] for number in numbers])
        values = [one.scores(*texts).tolist() for one in measures.values()]
        for number, row in zip(numbers, zip(*values, strict=True), strict=True):
            rows[number] = dict(zip(measures, row, strict=True))
    return rows
