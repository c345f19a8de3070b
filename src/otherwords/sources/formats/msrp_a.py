"""MSRP-A by tokens: three parallel files (source, reference, alignment), one pair per line.

An alignment line is ``2_3-8-lex_same_polarity,1_2-11_12-order,``: token numbers (from 1) in the source, in the
reference, and the type. The input may be any of the three files or their folder.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from otherwords.errors import WriteError
from otherwords.records import Judgement, Pair, Record, phenomena_in
from otherwords.sources.format import Format, Head, refuse_stream
from otherwords.sources.io.parallel_files import aligned_lines
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.rows.token_ranges import char_ranges, mark_numbers_outside, token_numbers, token_spans
from otherwords.sources.source import Source

ROLES = ("source", "reference", "alignment")
_ENTRY = re.compile(r"(\d*(?:_\d+)*)-(\d*(?:_\d+)*)-([A-Za-z][A-Za-z_|/ ]*)", re.ASCII)


def read(source: Source) -> Iterator[Record]:
    """Pairs, or one judgement per line with the typed phenomena."""
    files = [source.sibling(path) for path in _find_three_files(source)]
    stem = files[2].stem
    for number, (text1, text2, alignment) in aligned_lines(files):
        files[2].note_place(number)
        id = f"{stem}:{number}"
        if not source.wants_judgements:
            meta = {"tokeniser": "blank", "alignment": alignment}
            yield Pair(id=id, text1=text1, text2=text2, lang=source.lang or "en", meta=meta)
            continue
        try:
            phenomena = _phenomena(alignment, text1, text2, source)
        except ValueError as problem:
            files[2].reject(number, str(problem), alignment)
            continue
        meta = {"text1": text1, "text2": text2, "tokeniser": "blank"}
        yield Judgement(id=f"{id}:types", pair=id, scheme="vila", value=phenomena, meta=meta)


def _find_three_files(source: Source) -> list[Path]:
    """The three files, recognised by the names of their roles in the file names."""
    path = source.require_path("MSRP-A")
    if path.is_dir():
        by_role = [sorted(p for p in path.iterdir() if p.is_file() and role in p.name.lower()) for role in ROLES]
        if any(len(files) != 1 for files in by_role):
            counts = ", ".join(f"{len(files)} with {role}" for role, files in zip(ROLES, by_role, strict=True))
            message = f"1 file is expected for each of {', '.join(ROLES)} in its name; found {counts}"
            raise source.error(message, code="missing-file")
        return [files[0] for files in by_role]
    role = next((role for role in ROLES if role in path.name.lower()), None)
    if role is None:
        message = f"the file name must contain one of {', '.join(ROLES)}; rename it or name the folder of the files"
        raise source.error(message, code="missing-file")
    start = path.name.lower().index(role)
    files = [path.with_name(path.name[:start] + other + path.name[start + len(role) :]) for other in ROLES]
    for file in files:
        if not file.is_file():
            raise source.error(f"the file {file.name} is expected beside it", code="missing-file")
    return files


def _phenomena(alignment: str, text1: str, text2: str, source: Source) -> list[JsonObject]:
    """The typed phenomena of a line. An entry with a token number outside the text is kept in ``meta``."""
    phenomena = []
    spans = (token_spans(text1), token_spans(text2))
    for entry in filter(None, (part.strip() for part in alignment.split(","))):
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise ValueError(f"tokens-tokens-type such as 2_3-8-order is expected, found {entry[:60]!r}")
        phenomenon: JsonObject = {"type": match.group(3)}
        for side in (1, 2):
            numbers = [int(number[:12]) - 1 for number in match.group(side).split("_") if number]
            if mark_numbers_outside(source, numbers, spans[side - 1]):
                phenomenon["meta"] = {"entry": entry}
            if ranges := char_ranges(numbers, spans[side - 1]):
                phenomenon[f"scope{side}"] = ranges
        phenomena.append(phenomenon)
    return phenomena


def write_folder(records: Iterable[Record], folder: Path) -> None:
    """Write the three files."""
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context((folder / f"msrp-a.{role}").open("wb")) for role in ROLES]
        for record in records:
            for stream, line in zip(streams, _lines(record), strict=True):
                stream.write(line.replace("\n", " ").encode() + b"\n")


def _lines(record: Record) -> tuple[str, str, str]:
    if isinstance(record, Pair):
        return record.text1, record.text2, str(record.meta.get("alignment", ""))
    if not isinstance(record, Judgement) or not {"text1", "text2"} <= record.meta.keys():
        message = "msrp-a can hold pairs, and judgements with their texts in meta.text1 and meta.text2"
        raise WriteError(message, code="texts-missing")
    texts = str(record.meta["text1"]), str(record.meta["text2"])
    entries = [_entry(phenomenon, texts, record.pair) for phenomenon in phenomena_in(record.value) or []]
    return *texts, "".join(f"{entry}," for entry in entries)


def _entry(phenomenon: JsonObject, texts: tuple[str, str], pair: str) -> str:
    if lost := [name for name in ("projection", "key1", "key2") if phenomenon.get(name)]:
        raise WriteError(
            f"pair {pair}: its {phenomenon['type']} has a {lost[0]}, which msrp-a cannot hold; "
            "write p4p, the XML format of the same corpus",
            code="cannot-be-written",
        )
    sides = [
        "_".join(str(number + 1) for number in token_numbers(phenomenon.get(f"scope{side}") or [], token_spans(text)))
        for side, text in enumerate(texts, 1)
    ]
    entry = str((phenomenon.get("meta") or {}).get("entry") or f"{sides[0]}-{sides[1]}-{phenomenon['type']}")
    if not _ENTRY.fullmatch(entry):
        message = f"pair {pair}: a type in msrp-a has only letters and _, found {phenomenon['type']!r}"
        raise WriteError(message, code="cannot-be-written")
    return entry


def sniff(head: Head) -> bool:
    """A folder with the three files, or the file of alignments."""
    if head.suffix == "/":
        return len(head.lines) >= 3 and all(sum(role in name.lower() for name in head.lines) == 1 for role in ROLES)
    entries = [entry for line in head.lines[:20] for entry in line.split(",") if entry.strip()]
    return bool(entries) and all(_ENTRY.fullmatch(entry.strip()) for entry in entries)


FORMAT = Format(
    "msrp-a",
    "MSRP-A by tokens (three parallel files)",
    read,
    refuse_stream("msrp-a"),
    sniff,
    folder=True,
    write_folder=write_folder,
    nouns=(Pair, Judgement),
)
