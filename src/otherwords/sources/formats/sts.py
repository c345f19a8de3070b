"""Semantic textual similarity, a score from 0 to 5: JSON Lines, or the TSV of the SemEval benchmark.

The score is the label, as the file spells it. The TSV has no quoting and no header: genre, file,
year, number, score and two sentences, then in some rows the sources of the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, BinaryIO

import msgspec

from otherwords.errors import LabelError, WriteError
from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import note_empty_texts
from otherwords.sources.rows import why_not_json
from otherwords.sources.source import Source
from otherwords.sources.tabular import plain_rows, write_plain_rows

LOWEST, HIGHEST = 0.0, 5.0
BEFORE = ("genre", "file", "year", "number")
AFTER = ("source1", "source2")
_OURS = frozenset({"id", "lang", "text1", "text2"})
_ROW = re.compile(r"(?:[^\t]*\t){2}[^\t]*\d{4}[^\t]*\t[^\t]*\t[0-5](?:\.\d+)?\t[^\t]+\t[^\t]+(?:\t[^\t]*){0,2}")


def read(source: Source) -> Iterator[Record]:
    """The pairs of either layout; the first character tells which it is."""
    yield from _read_jsonl(source) if _is_json(Head("", source.head())) else _read_tsv(source)


def _is_json(head: Head) -> bool:
    return bool(head.lines) and head.lines[0].lstrip().startswith("{")


def _read_tsv(source: Source) -> Iterator[Pair]:
    for number, cells in plain_rows(source):
        while len(cells) > 7 and not cells[-1].strip():
            cells.pop()
        if not 7 <= len(cells) <= 9:
            source.reject(number, f"{len(cells)} columns where 7 are expected", cells)
            continue
        named = zip((*BEFORE, *AFTER), (*cells[:4], *cells[7:]), strict=False)
        try:
            label = _checked(source, cells[4].strip())
        except LabelError as problem:
            source.reject(number, str(problem), cells)
            continue
        yield _pair(source, number, cells[5], cells[6], label, {name: cell for name, cell in named if cell})


def _read_jsonl(source: Source) -> Iterator[Pair]:
    decoder = msgspec.json.Decoder(dict[str, Any])
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            row = decoder.decode(line)
            text1, text2 = (_text(row, name) for name in ("sentence1", "sentence2"))
            label = _checked(source, row.pop("label", None))
        except (ValueError, RecursionError) as problem:
            source.reject(number, why_not_json(problem, line.encode()), line)
            continue
        yield _pair(source, number, text1, text2, label, row)


def _text(row: dict[str, Any], name: str) -> str:
    text = row.pop(name, None)
    if not isinstance(text, str):
        raise ValueError(f"no text {name!r}")
    return text


def _checked(source: Source, score: object) -> str | None:
    """The score as it is spelled, if it is one."""
    if score is None or score == "":
        source.mark("no label")
        return None
    if isinstance(score, str | int | float) and not isinstance(score, bool) and _in_range(score):
        return score if isinstance(score, str) else repr(score)
    raise LabelError(f"score {score!r} is not a number from {LOWEST:g} to {HIGHEST:g}")


def _in_range(score: Any) -> bool:
    try:
        return LOWEST <= float(score) <= HIGHEST
    except (TypeError, ValueError, OverflowError):
        return False


def _pair(source: Source, number: int, text1: str, text2: str, label: str | None, meta: dict[str, Any]) -> Pair:
    note_empty_texts(source, text1, text2)
    return Pair(id=f"{source.stem}:{number}", text1=text1, text2=text2, lang=source.lang, label=label, meta=meta)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """The TSV if the first pair came from it, else JSON Lines."""
    pairs = (record for record in records if isinstance(record, Pair))
    first = list(islice(pairs, 1))
    if any("genre" in pair.meta for pair in first):
        write_plain_rows(map(_cells, chain(first, pairs)), stream)
        return
    for pair in chain(first, pairs):
        row = {"sentence1": pair.text1, "sentence2": pair.text2, "label": _score(pair)}
        stream.write(msgspec.json.encode(row | {k: v for k, v in pair.meta.items() if k not in row}) + b"\n")


def _cells(pair: Pair) -> list[str]:
    before, after = ([str(pair.meta.get(name, "")) for name in names] for names in (BEFORE, AFTER))
    _score(pair)
    return [*before, pair.label or "", pair.text1, pair.text2, *(after if any(after) else [])]


def _score(pair: Pair) -> float | int | None:
    """The label as a number; WriteError if it is no score."""
    if pair.label is None:
        return None
    if not _in_range(pair.label):
        raise WriteError(f"pair {pair.id}: label {pair.label!r} is not a score from {LOWEST:g} to {HIGHEST:g}")
    return int(pair.label) if pair.label.strip().isdecimal() else float(pair.label)


def sniff(head: Head) -> bool:
    """JSON Lines with scores at the start, one of them no whole number, or the TSV in every row.

    A row that has an id or a language, or texts by our names, is not of this corpus but of anyone's.
    """
    if not _is_json(head):
        return bool(head.lines) and all(_ROW.fullmatch(line) for line in head.lines)
    rows = [Head("", line.encode()).row for line in head.lines]
    scores = [row.get("label") for row in rows]
    named = all({"sentence1", "sentence2", "label"} <= row.keys() and row.keys().isdisjoint(_OURS) for row in rows)
    fitting = all(score is None or (not isinstance(score, bool | str) and _in_range(score)) for score in scores)
    return named and fitting and any(isinstance(score, float) and not score.is_integer() for score in scores)


FORMAT = Format(name="sts", title="semantic textual similarity, scores 0-5", read=read, write=write, sniff=sniff)
