"""A block of rows as a table of distinct texts, with how many each stands for; the rest is counted by reason.

Two digests of eight bytes decide what is a copy: one of the text in its normal form, and one of what it has in common
with its near copies. Two texts of 400 million have the same digest by accident with a probability of 0.4 %.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from otherwords.digests import digest_bytes
from otherwords.errors import UsageError
from otherwords.mining.pool.options import CopyRule, PoolOptions
from otherwords.mining.pool.rows import PoolRow
from otherwords.text.identification import LEAST_LETTERS, LEAST_PROBABILITY, identify
from otherwords.text.languages import UNDETERMINED, language
from otherwords.text.normalise import clean_text, normalise, plain

TOO_SHORT, TOO_LONG = "too short", "too long"
OTHER_LANGUAGE = "another language"
SAMPLE = 256  # texts at a time whose language is identified
_DIGITS = re.compile(r"\d+")
DISTINCT = pa.schema(
    {
        "key": pa.uint64(),  # of what near copies have in common
        "form": pa.uint64(),  # of the text itself
        "order": pa.int64(),  # the number of the row among all
        "copies": pa.int64(),
        **{name: pa.string() for name in ("text", "source", "group", "name", "place")},
    }
)


@dataclass(frozen=True, slots=True)
class CleanedBlock:
    """The distinct texts of a block in the order of their keys, and how many rows were left out for which reason."""

    table: pa.Table
    rows: int
    reasons: Counter[str]


def clean_block(rows: Sequence[PoolRow], first: int, options: PoolOptions) -> CleanedBlock:
    """The texts of rows that are kept; ``first`` is the number of the first row among all."""
    reasons: Counter[str] = Counter()
    kept: list[tuple[int, str, PoolRow]] = []
    for number, row in enumerate(rows, first):
        if len(row.text) > 4 * options.longest:  # so that a sentence of a megabyte is not normalised in vain
            reasons[TOO_LONG] += 1
            continue
        text = normalise(row.text if row.text.isprintable() else clean_text(row.text))
        reason = _unsuitable(text, row, options)
        if reason is None:
            kept.append((number, text, row))
        else:
            reasons[reason] += 1
    if options.check_language and options.lang:
        foreign = set(_foreign([text for _, text, _ in kept], options.lang))
        reasons[OTHER_LANGUAGE] += len(foreign)
        kept = [entry for place, entry in enumerate(kept) if place not in foreign]
    return CleanedBlock(_distinct(kept, options.copies), len(rows), +reasons)


def near_form(text: str, rule: CopyRule) -> str:
    """What a text in its normal form has in common with its copies."""
    if rule == "exact":
        return text
    form = plain(text)
    return _DIGITS.sub("0", form) if rule == "digits" else form


def _unsuitable(text: str, row: PoolRow, options: PoolOptions) -> str | None:
    if len(text) < options.shortest:
        return TOO_SHORT
    if len(text) > options.longest:
        return TOO_LONG
    if row.lang and options.lang and _code(row.lang) not in (options.lang, UNDETERMINED):
        return OTHER_LANGUAGE
    return None


def _code(tag: str) -> str:
    try:
        return language(tag)
    except UsageError:
        return UNDETERMINED


def _foreign(texts: Sequence[str], lang: str) -> Iterator[int]:
    """The texts that are improbable in the language; texts with few letters are not judged."""
    judged = [place for place, text in enumerate(texts) if sum(map(str.isalpha, text)) >= LEAST_LETTERS]
    for start in range(0, len(judged), SAMPLE):
        places = judged[start : start + SAMPLE]
        for place, found in zip(places, identify([texts[place] for place in places]), strict=True):
            if found.get(lang, 0.0) < LEAST_PROBABILITY:
                yield place


def _distinct(kept: Sequence[tuple[int, str, PoolRow]], rule: CopyRule) -> pa.Table:
    """One row for each text, the first that has it."""
    form = _digests([text for _, text, _ in kept])
    key = form if rule == "exact" else _digests([near_form(text, rule) for _, text, _ in kept])
    order = np.fromiter((number for number, _, _ in kept), np.int64, len(kept))
    columns = [key, form, order, np.ones(len(kept), np.int64), [text for _, text, _ in kept]]
    columns += [[getattr(row, name) for _, _, row in kept] for name in ("source", "group", "name", "place")]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, DISTINCT, strict=True)]
    return merged(pa.Table.from_arrays(arrays, schema=DISTINCT))


def merged(table: pa.Table) -> pa.Table:
    """The rows of each form as one, the first of them, which stands for all; ordered by key, form and order."""
    key, form, order = (table[name].to_numpy() for name in ("key", "form", "order"))
    ranks = np.lexsort((order, form, key))
    starts = group_starts(key[ranks], form[ranks])
    copies = table["copies"].to_numpy()[ranks]
    sums = np.add.reduceat(copies, starts) if len(starts) else copies
    firsts = table.take(pa.array(ranks[starts]))
    return firsts.set_column(DISTINCT.get_field_index("copies"), "copies", pa.array(sums, pa.int64()))


def group_starts(*columns: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Where the groups of equal rows in sorted columns begin."""
    size = len(columns[0])
    changed = np.ones(size, bool)
    for column in columns:
        changed[1:] &= column[1:] == column[:-1]
    changed[1:] = ~changed[1:]
    return np.flatnonzero(changed)


def _digests(texts: Sequence[str]) -> npt.NDArray[np.uint64]:
    return np.frombuffer(b"".join(map(digest_bytes, texts)), "<u8").astype(np.uint64)
