"""MSRP-A by tokens: three parallel files (source, reference, alignment), one pair a line.

An alignment line is ``2_3-8-lex_same_polarity,1_2-11_12-order,``: token numbers from 1 in the
source, in the reference, and the type. Any of the three files or their folder may be named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from otherwords.errors import WriteError
from otherwords.records import Judgement, Pair, Record, phenomena_in
from otherwords.sources.format import Format, Head, folder_only
from otherwords.sources.source import Source
from otherwords.sources.token_ranges import numbers_of, ranges_of, token_spans

ROLES = ("source", "reference", "alignment")
_ENTRY = re.compile(r"(\d*(?:_\d+)*)-(\d*(?:_\d+)*)-([A-Za-z][A-Za-z_|/ ]*)", re.ASCII)


def read(source: Source) -> Iterator[Record]:
    """Pairs, or a judgement a line with the typed phenomena."""
    files = [source.beside(path) for path in _three_files(source)]
    stem = files[2].stem
    for rows in zip_longest(*(file.lines() for file in files)):
        if any(row is None for row in rows):
            lengths = ", ".join(ROLES[n] for n, row in enumerate(rows) if row is None)
            raise source.error(f"the three files are not parallel: {lengths} ends before the others")
        (number, text1), (number2, text2), (number3, alignment) = rows
        if not number == number2 == number3:
            raise source.error("a line of one of the three files was left out; the rest is no longer parallel", number)
        try:
            phenomena = _phenomena(alignment, text1, text2)
        except ValueError as problem:
            files[2].reject(number, str(problem), alignment)
            continue
        id = f"{stem}:{number}"
        if source.wants_judgements:
            kept = {"text1": text1, "text2": text2, "tokeniser": "blank"}
            yield Judgement(id=f"{id}:types", pair=id, scheme="vila", value=phenomena, meta=kept)
        else:
            meta = {"tokeniser": "blank", "alignment": alignment}
            yield Pair(id=id, text1=text1, text2=text2, lang=source.lang or "en", meta=meta)


def _three_files(source: Source) -> list[Path]:
    """The files of the three roles, told by the word for the role in their names."""
    path = source.path
    if path is None:
        raise source.error("three parallel files cannot be read from standard input; name one of them")
    if path.is_dir():
        found = [sorted(p for p in path.iterdir() if p.is_file() and role in p.name.lower()) for role in ROLES]
        if any(len(files) != 1 for files in found):
            raise source.error(f"one file each is expected whose name has {', '.join(ROLES)} in it")
        return [files[0] for files in found]
    role = next((role for role in ROLES if role in path.name.lower()), None)
    if role is None:
        raise source.error(f"the name of the file has none of {', '.join(ROLES)} in it; name their folder")
    start = path.name.lower().index(role)
    files = [path.with_name(path.name[:start] + other + path.name[start + len(role) :]) for other in ROLES]
    for file in files:
        if not file.is_file():
            raise source.error(f"{file.name} is expected beside it")
    return files


def _phenomena(alignment: str, text1: str, text2: str) -> list[dict[str, Any]]:
    phenomena = []
    spans = (token_spans(text1), token_spans(text2))
    for entry in filter(None, (part.strip() for part in alignment.split(","))):
        found = _ENTRY.fullmatch(entry)
        if found is None:
            raise ValueError(f"{entry[:60]!r} is not tokens-tokens-type, as in 2_3-8-order")
        phenomenon: dict[str, Any] = {"type": found.group(3)}
        for side in (1, 2):
            numbers = [int(number[:12]) - 1 for number in found.group(side).split("_") if number]
            if numbers:
                phenomenon[f"scope{side}"] = ranges_of(numbers, spans[side - 1])
        phenomena.append(phenomenon)
    return phenomena


def write_folder(records: Iterable[Record], folder: Path) -> None:
    """The three files."""
    streams = [(folder / f"msrp-a.{role}").open("wb") for role in ROLES]
    try:
        for record in records:
            for stream, line in zip(streams, _lines(record), strict=True):
                stream.write(" ".join(line.split("\n")).encode() + b"\n")
    finally:
        for stream in streams:
            stream.close()


def _lines(record: Record) -> tuple[str, str, str]:
    if isinstance(record, Pair):
        return record.text1, record.text2, str(record.meta.get("alignment", ""))
    if not isinstance(record, Judgement) or not {"text1", "text2"} <= record.meta.keys():
        raise WriteError("MSRP-A: only pairs, and judgements that carry their texts in meta, can be written")
    texts = str(record.meta["text1"]), str(record.meta["text2"])
    entries = [_entry(phenomenon, texts, record.pair) for phenomenon in phenomena_in(record.value) or []]
    return *texts, "".join(f"{entry}," for entry in entries)


def _entry(phenomenon: dict[str, Any], texts: tuple[str, str], pair: str) -> str:
    if lost := [name for name in ("projection", "key1", "key2") if phenomenon.get(name)]:
        raise WriteError(
            f"MSRP-A by tokens: pair {pair}: its {phenomenon['type']} has a {lost[0]}, which has no place in an "
            "alignment; write p4p, the XML of the same corpus"
        )
    sides = [
        "_".join(str(number + 1) for number in numbers_of(phenomenon.get(f"scope{side}") or [], token_spans(text)))
        for side, text in enumerate(texts, 1)
    ]
    entry = f"{sides[0]}-{sides[1]}-{phenomenon['type']}"
    if not _ENTRY.fullmatch(entry):
        raise WriteError(f"MSRP-A by tokens: pair {pair}: a type is of letters and _, not {phenomenon['type']!r}")
    return entry


def sniff(head: Head) -> bool:
    """A folder of the three files, or the file of alignments."""
    if head.suffix == "/":
        return len(head.lines) >= 3 and all(sum(role in name.lower() for name in head.lines) == 1 for role in ROLES)
    entries = [entry for line in head.lines[:20] for entry in line.split(",") if entry.strip()]
    return bool(entries) and all(_ENTRY.fullmatch(entry.strip()) for entry in entries)


FORMAT = Format(
    name="msrp-a",
    title="MSRP-A by tokens (three parallel files)",
    read=read,
    write=folder_only("msrp-a"),
    write_folder=write_folder,
    sniff=sniff,
    folder=True,
    nouns=(Pair, Judgement),
)
