"""Unique pairs of neighbours as a table of candidates: texts, cosine, margin, and where both sentences are from.

Two rows are a pair if one is among the nearest of the other (Kanerva et al. 2023, §7.3). The margin is the cosine over
the mean cosine of both rows to their neighbours (Artetxe & Schwenk 2019, §3, ratio): a sentence that is near to
everything is near to nothing in particular. Trivial pairs are kept and marked, because whether they are wanted is not
for mining to say.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.digests import digest_hex
from otherwords.engine import Progress
from otherwords.mining.neighbours.lists import NeighbourLists
from otherwords.mining.neighbours.pairs import NeighbourPairs, mean_scores, unique_pairs
from otherwords.mining.pool.cleaning import near_form
from otherwords.mining.pool.folder import Pool
from otherwords.mining.pool.lookup import SentenceLookup, sentence_lookup
from otherwords.records import Pair
from otherwords.sources.formats.parquet import column_type
from otherwords.sources.io.files import atomic_write
from otherwords.text.normalise import plain

METHOD = "mine"
COSINE, MARGIN = "scores.cosine", "scores.margin"
SCHEMA = pa.schema([(name, column_type(Pair, name)) for name in (*Pair.__struct_fields__, COSINE, MARGIN)])
ROWS_PER_BLOCK = 20_000
SAME_WORDS, SAME_BUT_DIGITS, CONTAINED = "same words", "same but for digits", "contained"
USED = ("id", "text", "source", "group", "copies", "place")


def write_pairs(
    pool: Pool,
    lists: NeighbourLists,
    path: Path,
    least: float = -1.0,
    progress: Progress = lambda done, total: None,
) -> tuple[int, Counter[str]]:
    """Write the unique pairs as Parquet with the columns of our tables; their number, and trivial ones by kind."""
    count, marks, done = 0, Counter[str](), 0
    with (
        sentence_lookup(pool, USED, path.parent) as sentences,
        atomic_write(path) as stream,
        pq.ParquetWriter(stream, SCHEMA, compression="zstd") as writer,
    ):
        for block in unique_pairs(lists, mean_scores(lists), ROWS_PER_BLOCK):
            near = block.at_least(least)
            if len(near):
                writer.write_table(_table(near, sentences, pool.manifest.options.lang, marks))
            count += len(near)
            done = min(done + ROWS_PER_BLOCK, pool.rows)
            progress(done, pool.rows)
    return count, marks


def _table(block: NeighbourPairs, sentences: SentenceLookup, lang: str | None, marks: Counter[str]) -> pa.Table:
    sides = [sentences.take(rows).to_pydict() for rows in (block.rows1, block.rows2)]
    size = len(block.rows1)
    texts = list(zip(sides[0]["text"], sides[1]["text"], strict=True))
    columns: dict[str, object] = {
        "id": [f"{METHOD}-{digest_hex(*ids, size=10)}" for ids in zip(sides[0]["id"], sides[1]["id"], strict=True)],
        "text1": sides[0]["text"],
        "text2": sides[1]["text"],
        "lang": [lang] * size,
        "source": _shared(sides, "source", METHOD),
        "group": _shared(sides, "group", None),
        "doc1": [_passage(*end) for end in zip(sides[0]["id"], sides[0]["text"], strict=True)],
        "doc2": [_passage(*end) for end in zip(sides[1]["id"], sides[1]["text"], strict=True)],
        "method": [METHOD] * size,
        "meta": [_made(sides, number, trivial(*texts[number]), marks) for number in range(size)],
        COSINE: block.scores.astype(np.float64),
        MARGIN: None if block.margins is None else block.margins.astype(np.float64),
    }
    arrays = [pa.array(columns.get(field.name, [None] * size), field.type) for field in SCHEMA]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def trivial(text1: str, text2: str) -> str | None:
    """Why a pair says nothing about meaning: the same words, other digits only, or one text within the other."""
    if near_form(text1, "digits") == near_form(text2, "digits"):
        return SAME_WORDS if near_form(text1, "plain") == near_form(text2, "plain") else SAME_BUT_DIGITS
    shorter, longer = sorted((f" {plain(text1)} ", f" {plain(text2)} "), key=len)
    return CONTAINED if shorter in longer else None


def _shared(sides: list[dict[str, list[str | None]]], name: str, otherwise: str | None) -> list[str | None]:
    both = zip(sides[0][name], sides[1][name], strict=True)
    return [first if first == second else otherwise for first, second in both]


def _passage(document: str, text: str) -> str:
    return f'{{"id":"{document}","start":0,"end":{len(text)}}}'


def _made(sides: list[dict[str, list[object]]], number: int, pattern: str | None, marks: Counter[str]) -> str:
    made: dict[str, object] = {name: [side[name][number] for side in sides] for name in ("place", "copies")}
    if pattern is not None:
        made["pattern"] = pattern
        marks[pattern] += 1
    return msgspec.json.encode({"made": made}).decode()
