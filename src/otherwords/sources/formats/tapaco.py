"""TaPaCo (Scherrer 2020), sets of paraphrases in 73 languages.

A TSV of set id, sentence id, sentence, lists, tags and language, of which lists and tags may be
missing. All sentences of a set are paraphrases of each other, so each two of them make a pair; the
set is the group. The rows of a set stand together, which lets the file be read as a stream.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Any, BinaryIO

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import note_empty_texts
from otherwords.sources.source import Source
from otherwords.sources.tabular import plain_rows, write_plain_rows

HEADER = ["paraphrase_set_id", "sentence_id", "paraphrase", "lists", "tags", "language"]
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_ROW = re.compile(rf"\d+\t\d+\t[^\t]+(?:\t[^\t]*){{0,2}}\t{_LANGUAGE.pattern}\t?")


@dataclass(frozen=True, slots=True)
class _Member:
    """One sentence of a set."""

    group: str
    id: str
    text: str
    between: list[str]
    lang: str | None


def read(source: Source) -> Iterator[Record]:
    """The pairs of every set."""
    closed: set[str] = set()
    for group, members in groupby(_members(source, closed), key=lambda member: member.group):
        sentences = list(members)
        closed.add(group)
        if len(sentences) == 1:
            source.mark("a set of one sentence, which makes no pair")
        for first, second in combinations(sentences, 2):
            yield _pair(source, first, second)


def _members(source: Source, closed: set[str]) -> Iterator[_Member]:
    for number, cells in plain_rows(source):
        if cells[0].strip() == HEADER[0]:
            continue
        while len(cells) > 3 and not cells[-1].strip():
            cells.pop()
        if len(cells) < 3:
            source.reject(number, f"{len(cells)} columns where at least 3 are expected", cells)
        elif not cells[0].strip():
            source.reject(number, "no set id", cells)
        elif cells[0].strip() in closed:
            source.reject(number, f"set {cells[0].strip()} was complete before; sort the file by set", cells)
        else:
            yield _member(number, cells)


def _member(number: int, cells: list[str]) -> _Member:
    lang = cells[-1].strip() if len(cells) > 3 and _LANGUAGE.fullmatch(cells[-1].strip()) else None
    between = cells[3:-1] if lang else cells[3:]
    return _Member(cells[0].strip(), cells[1].strip() or f"line {number}", cells[2], between, lang)


def _pair(source: Source, first: _Member, second: _Member) -> Pair:
    note_empty_texts(source, first.text, second.text)
    meta: dict[str, Any] = {"id1": first.id, "id2": second.id}
    meta |= {f"columns{n}": one.between for n, one in ((1, first), (2, second)) if any(one.between)}
    return Pair(
        id=f"{first.group}:{first.id}-{second.id}",
        text1=first.text,
        text2=second.text,
        lang=first.lang or source.lang,
        group=first.group,
        meta=meta,
    )


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Each sentence of a set once, in the order in which the pairs bring them."""
    pairs = (record for record in records if isinstance(record, Pair))
    rows = (row for _, of_set in groupby(pairs, key=_set_of) for row in _rows(of_set))
    write_plain_rows(rows, stream)


def _set_of(pair: Pair) -> str:
    return pair.group or pair.id


def _rows(pairs: Iterable[Pair]) -> Iterator[list[str]]:
    written: set[str] = set()
    for pair in pairs:
        for side, text in ((1, pair.text1), (2, pair.text2)):
            identity = str(pair.meta.get(f"id{side}") or f"{pair.id}.{side}")
            if identity not in written:
                written.add(identity)
                lists, tags = ([*map(str, pair.meta.get(f"columns{side}", [])), "", ""])[:2]
                yield [_set_of(pair), identity, text, lists, tags, pair.lang or ""]


def sniff(head: Head) -> bool:
    """The header, or numbers of set and sentence before the text and a language after it, in every row."""
    lines = head.lines
    return bool(lines) and (lines[0].split("\t") == HEADER or all(_ROW.fullmatch(line) for line in lines))


FORMAT = Format(
    name="tapaco",
    title="TaPaCo, sets of paraphrases in 73 languages",
    read=read,
    write=write,
    sniff=sniff,
    suffix=".txt",
)
