"""Opusparcus (Creutz 2018), pairs from subtitles in six languages: a TSV without header, cut into tokens by blanks.

Development and test files have the mean of two annotators' scores, from 1 to 4; it is the label.
Training files are ranked by machine and have four measures instead (README of the release, §4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from otherwords.errors import WriteError
from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import note_empty_texts
from otherwords.sources.source import Source
from otherwords.sources.tabular import plain_rows, write_plain_rows

MEASURES = ("pmi", "expected_frequency", "pivot_languages", "edit_distance")
OTHERS = "columns"
LOWEST, HIGHEST = 1.0, 4.0
_ID = re.compile(r"(de|en|fi|fr|ru|sv)-([NDT])\d+")
_ROW = re.compile(rf"{_ID.pattern}\t[^\t]+\t[^\t]+(?:\t-?\d[^\t]*)+\t?")


def read(source: Source) -> Iterator[Record]:
    """The pairs of a training, development or test file; every further column is kept in ``meta``."""
    for number, cells in plain_rows(source):
        while len(cells) > 3 and not cells[-1].strip():
            cells.pop()
        if len(cells) < 3:
            source.reject(number, f"{len(cells)} columns where at least 3 are expected", cells)
            continue
        identity, text1, text2, *others = cells
        meta: dict[str, Any] = {"tokeniser": "blank"}
        label = None
        form = _ID.fullmatch(identity.strip())
        if _is_ranked(form, others):
            meta |= dict(zip(MEASURES, others, strict=False))
            others = others[len(MEASURES) :]
        elif others:
            label, *others = others
            if not _is_mean(label):
                source.reject(number, f"score {label!r} is not a number from {LOWEST:g} to {HIGHEST:g}", cells)
                continue
        else:
            source.mark("no label")
        if others:
            meta[OTHERS] = others
        note_empty_texts(source, text1, text2)
        yield Pair(
            id=identity.strip() or f"{source.stem}:{number}",
            text1=text1,
            text2=text2,
            lang=form[1] if form else source.lang,
            label=label and label.strip(),
            meta=meta,
        )


def _is_ranked(form: re.Match[str] | None, others: list[str]) -> bool:
    """Whether a row is of a training file, by its id or by having exactly the four measures."""
    return form[2] == "N" if form else len(others) == len(MEASURES)


def _is_mean(score: str) -> bool:
    try:
        return LOWEST <= float(score) <= HIGHEST
    except ValueError:
        return False


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Each pair as its kind of file has it: with its label, or with the measures it was ranked by."""
    write_plain_rows((_cells(record) for record in records if isinstance(record, Pair)), stream)


def _cells(pair: Pair) -> list[str]:
    if pair.label is not None and not _is_mean(pair.label):
        raise WriteError(
            f"pair {pair.id}: label {pair.label!r} cannot be written as opusparcus, "
            f"whose labels are numbers from {LOWEST:g} to {HIGHEST:g}; jsonl, csv and parquet take any"
        )
    measures = [str(pair.meta[name]) for name in MEASURES if name in pair.meta]
    scores = [pair.label] if pair.label is not None else measures
    return [pair.id, pair.text1, pair.text2, *scores, *map(str, pair.meta.get(OTHERS, []))]


def sniff(head: Head) -> bool:
    """Ids of the corpus, two texts and numbers in every row."""
    return bool(head.lines) and all(_ROW.fullmatch(line) for line in head.lines)


FORMAT = Format(
    name="opusparcus", title="Opusparcus, pairs from subtitles in six languages", read=read, write=write, sniff=sniff
)
