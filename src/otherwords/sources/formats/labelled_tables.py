"""Corpora that are one table of two texts and a label: MRPC, QQP, PAWS, RuPAWS, PARADE and TMUP.

- MRPC, the Microsoft Research Paraphrase Corpus: TSV with byte order mark and header, without quoting.
- QQP, Quora Question Pairs: TSV or CSV with header, in which a quoted question may hold line breaks.
- PAWS (Zhang et al. 2019) and PAWS-X: TSV of id, two sentences and label, with or without header.
- RuPAWS (Martynov et al. 2022): CSV with semicolons, sometimes with an unnamed first column of row numbers.
- PARADE (He et al. 2020), definitions of computer-science terms: TSV with four-class and binary labels.
- TMUP (Suzuki et al. 2017), Japanese pairs from several MT systems: TSV that is tokenised by blanks. The English source
  sentence is empty for pairs of random sentences from Wikipedia (§3.3), which an older file labels −1. They are
  negatives, so their label is 0 here for both files.
"""

from __future__ import annotations

import codecs
import csv
import dataclasses
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import BinaryIO

from msgspec.structs import replace

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.tabular import (
    plain_rows,
    quoted_rows,
    read_header,
    rows_by_header,
    write_plain_rows,
    write_rows,
)
from otherwords.sources.rows.layout import BINARY, Layout, has_labels
from otherwords.sources.source import Source


def write_tsv(layout: Layout, records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the pairs with the header, without quoting; pairs from elsewhere lack the columns of this corpus."""
    write_plain_rows(layout.table(records), stream)


def has_header(layout: Layout, head: Head) -> bool:
    """Whether a file starts with exactly these columns."""
    return bool(head.lines) and head.lines[0].rstrip().split("\t") == list(layout.columns)


MRPC_LAYOUT = Layout(
    "mrpc",
    {"Quality": "label", "#1 ID": "meta.id1", "#2 ID": "meta.id2", "#1 String": "text1", "#2 String": "text2"},
    lang="en",
)


def read_mrpc(source: Source) -> Iterator[Record]:
    """The pairs; the id of a pair is made of the ids of its sentences."""
    for pair in MRPC_LAYOUT.pairs(source, rows_by_header(plain_rows(source), source)):
        sentences = [pair.meta[name] for name in ("id1", "id2") if name in pair.meta]
        yield replace(pair, id="-".join(sentences)) if len(sentences) == 2 else pair


def write_mrpc(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the released layout; sentences of pairs from elsewhere get ids made of the id of the pair."""

    def with_sentence_ids(record: Record) -> Record:
        if not isinstance(record, Pair) or {"id1", "id2"} <= record.meta.keys():
            return record
        return replace(record, meta={**record.meta, "id1": f"{record.id}.1", "id2": f"{record.id}.2"})

    stream.write(codecs.BOM_UTF8)
    write_tsv(MRPC_LAYOUT, map(with_sentence_ids, records), stream)


MRPC = Format(
    "mrpc",
    "Microsoft Research Paraphrase Corpus",
    read_mrpc,
    write_mrpc,
    partial(has_header, MRPC_LAYOUT),
    suffix=".txt",
)

_QQP_COLUMNS = {
    "id": "id",
    "qid1": "meta.qid1",
    "qid2": "meta.qid2",
    "question1": "text1",
    "question2": "text2",
    "is_duplicate": "label",
}
QQP_LAYOUT = Layout("qqp", _QQP_COLUMNS, lang="en")


def read_qqp(source: Source) -> Iterator[Record]:
    """The pairs; the header decides whether the delimiter is a tab or a comma."""
    tabs = len(read_header(source, "\t"))
    rows = quoted_rows(source, "\t", tabs) if tabs > 1 else quoted_rows(source)
    yield from QQP_LAYOUT.pairs(source, rows_by_header(rows, source))


def write_qqp(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the TSV file that Quora released."""
    write_rows(QQP_LAYOUT.table(records), stream, "\t")


def sniff_qqp(head: Head) -> bool:
    """The header, with either delimiter."""
    first = head.lines[0].replace('"', "").rstrip() if head.lines else ""
    return any(first.split(delimiter) == list(QQP_LAYOUT.columns) for delimiter in "\t,")


QQP = Format("qqp", "Quora Question Pairs", read_qqp, write_qqp, sniff_qqp, suffix=".tsv")

_SENTENCES = {"sentence1": "text1", "sentence2": "text2", "label": "label"}
PAWS_LAYOUT = Layout("paws", {"id": "id", **_SENTENCES}, lang="en", generic_names=True)
_NOISY = "noisy_label"  # the name of the label in the silver files of PAWS-Wiki
_PAWS_ROW = re.compile(r"\d+\t[^\t]+\t[^\t]+\t[01]\t?")


def _is_paws_header(cells: list[str]) -> bool:
    names = [cell.strip() for cell in cells if cell.strip()]
    return names[:-1] == list(PAWS_LAYOUT.columns)[:-1] and names[-1] in ("label", _NOISY)


def read_paws(source: Source) -> Iterator[Record]:
    """The pairs. If the user named the format, they are English unless another language is named, as for PAWS-X."""
    rows = plain_rows(source)
    first = [row for row in islice(rows, 1) if not _is_paws_header(row[1])]
    yield from PAWS_LAYOUT.pairs(source, rows_by_header(chain(first, rows), source, list(PAWS_LAYOUT.columns)))


def sniff_paws(head: Head) -> bool:
    """The header with labels 0 and 1; or every row is a number, two texts and 0 or 1."""
    lines = head.lines
    if lines and _is_paws_header(lines[0].split("\t")):
        return has_labels((line.rstrip("\t").split("\t") for line in lines), BINARY)
    return bool(lines) and all(_PAWS_ROW.fullmatch(line) for line in lines)


PAWS = Format(
    "paws",
    "PAWS and PAWS-X, pairs with high overlap",
    read_paws,
    partial(write_tsv, PAWS_LAYOUT),
    sniff_paws,
    suffix=".tsv",
)

RUPAWS_LAYOUT = Layout("rupaws", _SENTENCES, lang="ru", generic_names=True)
NUMBERED_RUPAWS_LAYOUT = dataclasses.replace(RUPAWS_LAYOUT, columns={"": "meta.index", **_SENTENCES})


def read_rupaws(source: Source) -> Iterator[Record]:
    """The pairs; the row number in an unnamed first column is kept as ``meta.index``."""
    yield from NUMBERED_RUPAWS_LAYOUT.pairs(source, rows_by_header(quoted_rows(source, ";"), source))


def write_rupaws(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the pairs, with row numbers if the first pair has one."""
    rows = iter(records)
    first = list(islice(rows, 1))
    numbered = any(isinstance(record, Pair) and "index" in record.meta for record in first)
    layout = NUMBERED_RUPAWS_LAYOUT if numbered else RUPAWS_LAYOUT
    write_rows(layout.table(chain(first, rows)), stream, ";")


def sniff_rupaws(head: Head) -> bool:
    """The header with labels 0 and 1."""
    header = head.lines[0].replace('"', "").rstrip().removeprefix(";") if head.lines else ""
    return header == ";".join(_SENTENCES) and has_labels(csv.reader(head.lines, delimiter=";"), BINARY)


RUPAWS = Format("rupaws", "RuPAWS, adversarial pairs in Russian", read_rupaws, write_rupaws, sniff_rupaws)

_FOUR_CLASS = "Four-class labels"
_CLASSES = ("0", "1", "2", "3")
_PARADE_COLUMNS = {
    _FOUR_CLASS: "meta.four_class",
    "Binary labels": "label",
    "Entity": "group",
    "Definition1": "text1",
    "Definition2": "text2",
}
PARADE_LAYOUT = Layout("parade", _PARADE_COLUMNS, lang="en")


def read_parade(source: Source) -> Iterator[Record]:
    """The pairs with their binary labels; the four-class label is ``meta.four_class``, the entity is the group."""

    def rows() -> Iterator[tuple[int, dict[str, str]]]:
        for number, row in rows_by_header(plain_rows(source), source):
            found = row.get(_FOUR_CLASS, "").strip()
            if found and found not in _CLASSES:
                reason = f"four-class label: one of {', '.join(_CLASSES)} is expected, found {found!r}"
                source.reject(number, reason, row)
            else:
                yield number, row

    yield from PARADE_LAYOUT.pairs(source, rows())


def sniff_parade(head: Head) -> bool:
    """The header, which may go on."""
    return bool(head.lines) and [name.strip() for name in head.lines[0].split("\t")][:5] == list(_PARADE_COLUMNS)


PARADE = Format(
    "parade",
    "PARADE, definitions in computer science",
    read_parade,
    partial(write_tsv, PARADE_LAYOUT),
    sniff_parade,
    suffix=".txt",
)

TMUP_LAYOUT = Layout(
    "tmup",
    {
        "label": "label",
        "sentence_A_ja": "text1",
        "sentence_B_ja": "text2",
        "source_sentence_en": "meta.source_sentence",
    },
    lang="ja",
    labels=("-1", *BINARY),
    meta={"tokeniser": "blank"},
)


def read_tmup(source: Source) -> Iterator[Record]:
    """The pairs with their ``meta.origin``: machine translations of a source sentence, or drawn at random."""
    for pair in TMUP_LAYOUT.pairs(source, rows_by_header(plain_rows(source), source)):
        random = {**pair.meta, "origin": "random"}
        if pair.label == "-1":
            source.mark("label -1, read as 0")
            yield replace(pair, label="0", meta={**random, "label": "-1"})
        elif pair.meta.get("source_sentence", "").strip():
            yield replace(pair, meta={**pair.meta, "origin": "machine-translated"})
        else:
            yield replace(pair, meta=random)


TMUP = Format(
    "tmup",
    "Japanese pairs from several MT systems (Suzuki et al.)",
    read_tmup,
    partial(write_tsv, dataclasses.replace(TMUP_LAYOUT, labels=BINARY)),  # the older label is not written again
    partial(has_header, TMUP_LAYOUT),
)
