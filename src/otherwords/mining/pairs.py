"""Unique pairs of neighbours as a table of candidates: texts, cosine, margin, and where both sentences are from.

Two rows are a pair if one is among the nearest of the other (Kanerva et al. 2023, §7.3). The margin is the cosine over
the mean cosine of both rows to their neighbours (Artetxe & Schwenk 2019, §3, ratio): a sentence that is near to
everything is near to nothing in particular. Trivial pairs are kept and marked, because whether they are wanted is not
for mining to say. The pairs of some rows are a part, written wherever the engine has a worker; the parts become one
table, and a run that was stopped goes on with the parts that are missing.
"""

from __future__ import annotations

import shutil
from collections import Counter
from functools import lru_cache, partial
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.digests import digest_hex
from otherwords.engine import Progress, ShardEngine
from otherwords.errors import DataError
from otherwords.mining.neighbours.lists import NeighbourLists, NeighbourManifest, open_neighbours
from otherwords.mining.neighbours.pairs import NeighbourPairs, unique_pairs
from otherwords.mining.pool.cleaning import near_form
from otherwords.mining.pool.folder import Pool
from otherwords.mining.pool.lookup import SentenceLookup, open_lookup, write_lookup
from otherwords.records import Pair
from otherwords.sources.formats.parquet import column_type
from otherwords.sources.io.files import atomic_write
from otherwords.text.normalise import plain

METHOD = "mine"
COSINE, MARGIN = "scores.cosine", "scores.margin"
SCHEMA = pa.schema([(name, column_type(Pair, name)) for name in (*Pair.__struct_fields__, COSINE, MARGIN)])
ROWS_PER_BLOCK = 20_000
ROWS_PER_PART = 100_000
SAME_WORDS, SAME_BUT_DIGITS, CONTAINED = "same words", "same but for digits", "contained"
USED = ("id", "text", "source", "group", "copies", "place")
PLAN, LOOKUP, PART = "plan.json", "sentences.arrow", "part-{:05}.parquet"
COUNTS = b"otherwords.pairs"  # the plan and the counts, in the table itself


class PairPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What pairs are made of; those of another plan are not kept."""

    lists: NeighbourManifest
    lang: str | None
    least: float  # cosine
    rows_per_part: int

    def rows(self, number: int) -> range:
        """The rows of a part."""
        return range(number * self.rows_per_part, min((number + 1) * self.rows_per_part, self.lists.rows))


class PairCounts(msgspec.Struct, frozen=True):
    """How many pairs there are, and of trivial ones how many of each kind; ``plan`` is what they are made of."""

    pairs: int
    trivial: dict[str, int]
    plan: PairPlan


def write_pairs(
    pool: Pool,
    lists: NeighbourLists,
    path: Path,
    engine: ShardEngine,
    least: float = -1.0,
    progress: Progress = lambda done, total: None,
) -> PairCounts:
    """Write the unique pairs as Parquet with the columns of our tables, unless they are there.

    The parts are in a folder beside the table until it is whole.
    """
    plan = PairPlan(lists=lists.manifest, lang=pool.manifest.options.lang, least=least, rows_per_part=ROWS_PER_PART)
    folder = path.with_suffix("")
    counts = table_counts(path)
    if counts is None or counts.plan != plan:
        _keep_or_clear(folder, plan)
        if not (folder / LOOKUP).is_file():
            write_lookup(pool, USED, folder / LOOKUP)
        parts = range(-(-pool.rows // plan.rows_per_part))
        trivial: Counter[str] = Counter()
        for number, part in enumerate(engine.map(partial(write_part, folder, lists.folder, plan), parts)):
            trivial += Counter(part.trivial)
            progress(plan.rows(number).stop, pool.rows)
        counts = _join_parts([folder / PART.format(number) for number in parts], path, trivial, plan)
    shutil.rmtree(folder, ignore_errors=True)
    return counts


def table_counts(path: Path) -> PairCounts | None:
    """What a table of pairs says of itself; None if it is not there or not ours."""
    try:
        stored = pq.read_metadata(path).metadata or {}
        return msgspec.json.decode(stored.get(COUNTS, b""), type=PairCounts)
    except (OSError, pa.ArrowException, msgspec.MsgspecError):
        return None


def write_part(folder: Path, lists_folder: Path, plan: PairPlan, number: int) -> PairCounts:
    """Write the pairs found at the rows of a part, unless they are there; a function of files, for any worker."""
    path = folder / PART.format(number)
    counts = table_counts(path)
    if counts is not None and counts.plan == plan:
        return counts
    sentences = _sentences(folder / LOOKUP, (folder / LOOKUP).stat().st_mtime_ns)
    lists = open_neighbours(lists_folder)
    if lists.manifest != plan.lists:
        raise DataError("has other lists than those that pairs are made of", lists_folder, code="neighbours-changed")
    marks: Counter[str] = Counter()
    found = 0
    with atomic_write(path) as stream, pq.ParquetWriter(stream, SCHEMA, compression="lz4") as writer:
        for block in unique_pairs(lists, plan.rows(number), ROWS_PER_BLOCK):
            near = block.at_least(plan.least)
            if len(near):
                writer.write_table(_table(near, sentences, plan.lang, marks))
            found += len(near)
        counts = PairCounts(found, dict(marks), plan)
        writer.add_key_value_metadata({COUNTS: msgspec.json.encode(counts)})
    return counts


@lru_cache(maxsize=1)
def _sentences(path: Path, modified: int) -> SentenceLookup:
    """The lookup of a run, kept open in this process; the time tells runs apart that had the same place."""
    return open_lookup(path)


def _keep_or_clear(folder: Path, plan: PairPlan) -> None:
    """Make the folder of parts, and remove those of another plan from it."""
    encoded = msgspec.json.encode(plan)
    if not (folder / PLAN).is_file() or (folder / PLAN).read_bytes() != encoded:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / PLAN) as stream:
        stream.write(encoded)


def _join_parts(paths: list[Path], path: Path, trivial: Counter[str], plan: PairPlan) -> PairCounts:
    """Parts as one table, with the blocks of rows that they have."""
    pairs = 0
    with atomic_write(path) as stream, pq.ParquetWriter(stream, SCHEMA, compression="zstd") as writer:
        for part in paths:
            try:
                with pq.ParquetFile(part) as file:
                    for number in range(file.num_row_groups):
                        writer.write_table(file.read_row_group(number))
                    pairs += file.metadata.num_rows
            except (OSError, pa.ArrowException) as problem:
                message = f"cannot be read ({problem}); delete it, and the same command makes it again"
                raise DataError(message, part, code="pairs-damaged-part") from None
        counts = PairCounts(pairs, dict(trivial.most_common()), plan)
        writer.add_key_value_metadata({COUNTS: msgspec.json.encode(counts)})
    return counts


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
