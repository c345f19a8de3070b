"""Scores for pairs: a stream of pairs in, the same pairs in the same order with their scores out.

Batches are scored on all cores while the next are being read; no more than a few are in memory, so
memory does not grow with the file. Scoring never drops a pair.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from otherwords.measures import MEASURES, Measure, measure
from otherwords.records import Pair
from otherwords.sources.files import readable_twice, replacing
from otherwords.sources.reading import Reading, Watch, format_for, reading, unwatched, write

PAIRS_A_BATCH = 4096

Scores = dict[str, list[float]]


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
    with readable_twice(path) as readable, reading(readable, lang=lang, **wishes) as corpus:
        first, pairs = corpus.peeked()
        measures = chosen_measures(list(MEASURES) if "all" in specs else specs, first, lang, tokeniser)
        if any(one.needs_fit for one in measures.values()):
            looked = {**wishes, "on_error": "skip" if wishes.get("on_error", "stop") != "stop" else "stop"}
            with reading(readable, lang=lang, **{**looked, "quarantine": None}) as again:
                fit(measures.values(), watch(again.pairs(), again, "fitting"))
        write(scored(watch(pairs, corpus, "scoring"), measures, threads), out, to)
        signatures = {name: one.signature() for name, one in measures.items()}
        if str(out) != "-":
            beside = Path(out)
            with replacing(beside.with_name(beside.name + ".signatures.json")) as stream:
                stream.write(msgspec.json.format(msgspec.json.encode(signatures), indent=2) + b"\n")
        return Finished(corpus, signatures)


def chosen_measures(
    specs: Sequence[str], first: Pair | None, lang: str | None = None, tokeniser: str | None = None
) -> dict[str, Measure]:
    """The measures to use, by the name under which their scores are kept.

    What the user does not say comes from the first pair: its language, and whether its texts are
    already cut into tokens.
    """
    if first is not None:
        lang = lang or first.lang
        tokeniser = tokeniser or first.meta.get("tokeniser")
    return {spec: measure(spec, lang=lang, tokeniser=tokeniser) for spec in specs}


def fit(measures: Iterable[Measure], pairs: Iterable[Pair]) -> None:
    """Give the measures that weigh n-grams by their rarity a first look at all texts."""
    waiting = [one for one in measures if one.needs_fit]
    if waiting:
        for batch in _batches(pairs):
            for one in waiting:
                one.fit(_columns(batch))


def scored(pairs: Iterable[Pair], measures: dict[str, Measure], threads: int | None = None) -> Iterator[Pair]:
    """The pairs with their scores added, in order."""
    threads = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        under_way: deque[tuple[list[Pair], Future[Scores]]] = deque()
        for batch in _batches(pairs):
            under_way.append((batch, pool.submit(_score, batch, measures)))
            if len(under_way) > threads:
                yield from _finished(*under_way.popleft())
        while under_way:
            yield from _finished(*under_way.popleft())


def _finished(batch: list[Pair], scores: Future[Scores]) -> Iterator[Pair]:
    columns = scores.result()
    for pair, values in zip(batch, zip(*columns.values(), strict=True), strict=True):
        added = dict(zip(columns, values, strict=True))
        yield msgspec.structs.replace(pair, scores={**pair.scores, **added} if pair.scores else added)


def _score(batch: list[Pair], measures: dict[str, Measure]) -> Scores:
    texts1, texts2 = _columns(batch)
    return {name: one.scores(texts1, texts2).tolist() for name, one in measures.items()}


def _columns(batch: list[Pair]) -> tuple[pa.Array, pa.Array]:
    return (
        pa.array([pair.text1 for pair in batch], pa.large_string()),
        pa.array([pair.text2 for pair in batch], pa.large_string()),
    )


def _batches(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    stream = iter(pairs)
    while batch := list(islice(stream, PAIRS_A_BATCH)):
        yield batch
