"""Opusparcus (Creutz 2018), pairs from subtitles in six languages: a TSV file without header, tokenised by blanks.

In development and test files the label is the mean of two annotators' scores, from 1 to 4. Training files are ranked
automatically and have four measures instead (README of the release, §4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.tabular import column_count, plain_rows, write_plain_rows
from otherwords.sources.rows.layout import mark_empty_texts, unwritable_label
from otherwords.sources.source import Source

MEASURES = ("pmi", "expected_frequency", "pivot_languages", "edit_distance")
OTHERS = "columns"
LOWEST, HIGHEST = 1.0, 4.0
_ID = re.compile(r"(de|en|fi|fr|ru|sv)-([NDT])\d+")
_ROW = re.compile(rf"{_ID.pattern}\t[^\t]+\t[^\t]+(?:\t-?\d[^\t]*)+\t?")


def read(source: Source) -> Iterator[Record]:
    """The pairs of a training, development or test file; further columns are kept in ``meta``."""
    for number, cells in plain_rows(source):
        while len(cells) > 3 and not cells[-1].strip():
            cells.pop()
        if len(cells) < 3:
            source.reject(number, f"{column_count(cells)} found, at least 3 expected", cells)
            continue
        identity, text1, text2, *others = cells
        meta: dict[str, str | list[str]] = {"tokeniser": "blank"}
        label = None
        form = _ID.fullmatch(identity.strip())
        # A row belongs to a training file by its id, or because it has exactly the four measures.
        if form[2] == "N" if form else len(others) == len(MEASURES):
            meta |= dict(zip(MEASURES, others, strict=False))
            others = others[len(MEASURES) :]
        elif others:
            label, *others = others
            if not _is_mean(label):
                reason = f"score: a number from {LOWEST:g} to {HIGHEST:g} is expected, found {label!r}"
                source.reject(number, reason, cells)
                continue
        else:
            source.mark("no label")
        if others:
            meta[OTHERS] = others
        mark_empty_texts(source, text1, text2)
        yield Pair(
            id=identity.strip() or f"{source.stem}:{number}",
            text1=text1,
            text2=text2,
            lang=form[1] if form else source.lang,
            label=label and label.strip(),
            meta=meta,
        )


def _is_mean(score: str) -> bool:
    try:
        return LOWEST <= float(score) <= HIGHEST
    except ValueError:
        return False


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write each pair with its label or, as in training files, with its measures."""

    def cells(pair: Pair) -> list[str]:
        if pair.label is not None and not _is_mean(pair.label):
            raise unwritable_label(pair.id, pair.label, "opusparcus", f"numbers from {LOWEST:g} to {HIGHEST:g}")
        measures = [str(pair.meta[name]) for name in MEASURES if name in pair.meta]
        scores = [pair.label] if pair.label is not None else measures
        return [pair.id, pair.text1, pair.text2, *scores, *map(str, pair.meta.get(OTHERS, []))]

    write_plain_rows((cells(record) for record in records if isinstance(record, Pair)), stream)


def sniff(head: Head) -> bool:
    """Ids of the corpus, two texts and numbers in every row."""
    return bool(head.lines) and all(_ROW.fullmatch(line) for line in head.lines)


FORMAT = Format("opusparcus", "Opusparcus, pairs from subtitles in six languages", read, write, sniff)
