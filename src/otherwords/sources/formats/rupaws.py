"""RuPAWS (Martynov et al. 2022): a CSV with semicolons, in some files with an unnamed column of row numbers first."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import BinaryIO

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import BINARY, Layout, has_labels
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, quoted_rows, write_rows

_NAMED = {"sentence1": "text1", "sentence2": "text2", "label": "label"}
PLAIN = Layout("rupaws", columns=_NAMED, lang="ru", anyones=True)
NUMBERED = Layout("rupaws", columns={"": "meta.index", **_NAMED}, lang="ru", anyones=True)


def read(source: Source) -> Iterator[Record]:
    """The pairs; the number in an unnamed first column is kept as ``meta.index``."""
    yield from NUMBERED.pairs(source, headed(quoted_rows(source, ";"), source))


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """With the column of row numbers if the first pair has one."""
    rows = iter(records)
    first = list(islice(rows, 1))
    numbered = any(isinstance(record, Pair) and "index" in record.meta for record in first)
    write_rows((NUMBERED if numbered else PLAIN).table(chain(first, rows)), stream, ";")


def sniff(head: Head) -> bool:
    """The header over labels of 0 and 1."""
    header = head.lines[0].replace('"', "").rstrip().removeprefix(";") if head.lines else ""
    return header == ";".join(PLAIN.columns) and has_labels(csv.reader(head.lines, delimiter=";"), BINARY)


FORMAT = Format(name="rupaws", title="RuPAWS, adversarial pairs in Russian", read=read, write=write, sniff=sniff)
