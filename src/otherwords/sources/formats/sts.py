"""Semantic textual similarity, a score from 0 to 5: JSON Lines, or the TSV file of the SemEval benchmark.

The score is the label, spelled as in the file. The TSV file has no quoting and no header: genre, file, year, number,
score and two sentences, and in some rows the sources of the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, BinaryIO

import msgspec

from otherwords.errors import LabelError
from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.json_stream import first_character
from otherwords.sources.io.tabular import column_count, plain_rows, write_plain_rows
from otherwords.sources.rows.layout import mark_empty_texts, unwritable_label
from otherwords.sources.rows.records import JsonObject, explain_json_error
from otherwords.sources.source import Source

LOWEST, HIGHEST = 0.0, 5.0
BEFORE = ("genre", "file", "year", "number")
AFTER = ("source1", "source2")
_OURS = frozenset({"id", "lang", "text1", "text2"})
_ROW = re.compile(r"(?:[^\t]*\t){2}[^\t]*\d{4}[^\t]*\t[^\t]*\t[0-5](?:\.\d+)?\t[^\t]+\t[^\t]+(?:\t[^\t]*){0,2}")


def read(source: Source) -> Iterator[Record]:
    """The pairs of either layout, which the first character decides."""
    yield from _read_jsonl(source) if first_character(Head("", source.head())) == "{" else _read_tsv(source)


def _read_tsv(source: Source) -> Iterator[Pair]:
    for number, cells in plain_rows(source):
        while len(cells) > 7 and not cells[-1].strip():
            cells.pop()
        if not 7 <= len(cells) <= 9:
            source.reject(number, f"{column_count(cells)} found, 7 to 9 expected", cells)
            continue
        named = zip((*BEFORE, *AFTER), (*cells[:4], *cells[7:]), strict=False)
        try:
            label = _check_score(source, cells[4].strip())
        except LabelError as problem:
            source.reject(number, str(problem), cells)
            continue
        yield _pair(source, number, cells[5], cells[6], label, {name: cell for name, cell in named if cell})


def _read_jsonl(source: Source) -> Iterator[Pair]:
    decoder = msgspec.json.Decoder(JsonObject)
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            row = decoder.decode(line)
            text1, text2 = (row.pop(name, None) for name in ("sentence1", "sentence2"))
            for name, text in (("sentence1", text1), ("sentence2", text2)):
                if not isinstance(text, str):
                    raise ValueError(f"{name}: a text is expected, found {text!r}")
            label = _check_score(source, row.pop("label", None))
        except (ValueError, RecursionError) as problem:
            source.reject(number, explain_json_error(problem, line.encode()), line)
            continue
        yield _pair(source, number, text1, text2, label, row)


def _check_score(source: Source, score: object) -> str | None:
    """The score as the file spells it; LabelError if it is not a score."""
    if score is None or score == "":
        source.mark("no label")
        return None
    if isinstance(score, str | int | float) and not isinstance(score, bool) and _in_range(score):
        return score if isinstance(score, str) else repr(score)
    message = f"score: a number from {LOWEST:g} to {HIGHEST:g} is expected, found {score!r}"
    raise LabelError(message, code="bad-label")


def _in_range(score: Any) -> bool:
    try:
        return LOWEST <= float(score) <= HIGHEST
    except (TypeError, ValueError, OverflowError):
        return False


def _pair(source: Source, number: int, text1: str, text2: str, label: str | None, meta: JsonObject) -> Pair:
    mark_empty_texts(source, text1, text2)
    return Pair(id=f"{source.stem}:{number}", text1=text1, text2=text2, lang=source.lang, label=label, meta=meta)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the TSV file if the first pair came from one, else JSON Lines."""
    pairs = (record for record in records if isinstance(record, Pair))
    first = list(islice(pairs, 1))

    def cells(pair: Pair) -> list[str]:
        before, after = ([str(pair.meta.get(name, "")) for name in names] for names in (BEFORE, AFTER))
        _score(pair)
        return [*before, pair.label or "", pair.text1, pair.text2, *(after if any(after) else [])]

    if any("genre" in pair.meta for pair in first):
        write_plain_rows(map(cells, chain(first, pairs)), stream)
        return
    for pair in chain(first, pairs):
        row = {"sentence1": pair.text1, "sentence2": pair.text2, "label": _score(pair)}
        stream.write(msgspec.json.encode(row | {k: v for k, v in pair.meta.items() if k not in row}) + b"\n")


def _score(pair: Pair) -> float | int | None:
    """The label as a number; WriteError if it is not a score."""
    if pair.label is None:
        return None
    if not _in_range(pair.label):
        raise unwritable_label(pair.id, pair.label, "sts", f"scores from {LOWEST:g} to {HIGHEST:g}")
    return int(pair.label) if pair.label.strip().isdecimal() else float(pair.label)


def sniff(head: Head) -> bool:
    """JSON Lines of scores, at least one with decimals; or every row is one of the TSV file.

    A row with an id, a language or texts under our names is not from this corpus.
    """
    if first_character(head) != "{":
        return bool(head.lines) and all(_ROW.fullmatch(line) for line in head.lines)
    rows = [Head("", line.encode()).row for line in head.lines]
    scores = [row.get("label") for row in rows]
    named = all({"sentence1", "sentence2", "label"} <= row.keys() and row.keys().isdisjoint(_OURS) for row in rows)
    fitting = all(score is None or (not isinstance(score, bool | str) and _in_range(score)) for score in scores)
    return named and fitting and any(isinstance(score, float) and not score.is_integer() for score in scores)


FORMAT = Format("sts", "semantic textual similarity, scores 0-5", read, write, sniff)
