"""Outputs of several MT systems for the same sentences: a folder with one file per system.

In one layout a file has blocks of two lines, two sentences of one engine, closed by ``===``; each block is a pair. In
the other a file has one sentence per line; there every two systems make a pair. The same place in every file is the
same source sentence, which becomes the group: the name of the folder and the number of the place, since the first
sentence of another folder is another one.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, islice
from pathlib import Path
from typing import BinaryIO

from otherwords.errors import WriteError
from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.files import bare_suffix
from otherwords.sources.io.parallel_files import aligned_lines
from otherwords.sources.io.tabular import one_line
from otherwords.sources.rows.layout import mark_empty_texts
from otherwords.sources.source import Source

RULE = "==="
_METHOD = re.compile(r"mt:([^+]+)\+([^+]+)")
_GROUP = re.compile(r"(?:.*:)?([0-9]{1,8})", re.DOTALL)
MAX_SYSTEMS = 200
_TEXT_SUFFIX = re.compile(r"\.(?:txt|mt|out|hyp|[a-z]{2}-[a-z]{2})")  # WMT ends in the languages, as in .en-de


def read(source: Source) -> Iterator[Record]:
    """The pairs of all engines, or of every two systems; a single file has blocks."""
    if source.path is None or not source.path.is_dir():
        yield from _read_blocks(source, source.stem)
        return
    paths = sorted(path for path in source.path.iterdir() if path.is_file() and not path.name.startswith("."))
    files = [source.sibling(path) for path in paths]
    ruled = [RULE in map(str.strip, Head("", file.head()).text.split("\n")) for file in files]
    if len(files) < 2:
        message = f"2 or more files are expected, one per system; found {len(files)}"
        raise source.error(message, code="missing-file")
    if not any(ruled):
        yield from _read_systems(source, files)
    elif all(ruled):
        for file in files:
            yield from _read_blocks(file, source.stem)
    else:
        odd = files[ruled.index(False)]
        message = f"a line {RULE} is expected, as in other files of the folder; remove this file or name a single file"
        raise odd.error(message, code="mixed-layouts")


def _read_blocks(source: Source, corpus: str) -> Iterator[Pair]:
    """The pairs of one engine, which is named after its file; ``corpus`` is the name in their groups."""
    lines: list[str] = []
    start, place = 1, 0
    for number, line in source.lines():
        if line.strip() != RULE:
            start = start if lines else number
            lines.append(line)
            continue
        place += 1
        yield from _block_pair(source, lines, start, f"{corpus}:{place}")
        lines = []
    if any(line.strip() for line in lines):
        yield from _block_pair(source, lines, start, f"{corpus}:{place + 1}")


def _block_pair(source: Source, lines: list[str], start: int, group: str) -> Iterator[Pair]:
    sentences = lines if len(lines) == 2 else [line for line in lines if line.strip()]
    if len(sentences) != 2:
        source.reject(start, f"2 lines are expected before {RULE}, found {len(sentences)}", lines)
        return
    mark_empty_texts(source, *sentences)
    engine, place = source.stem, group.rpartition(":")[2]
    yield Pair(id=f"{engine}:{place}", text1=sentences[0], text2=sentences[1], group=group, method=engine)


def _read_systems(source: Source, files: list[Source]) -> Iterator[Pair]:
    for file in files:
        start = Head("", file.head()).lines
        if start and all("\t" in line for line in start):
            message = "one sentence per line is expected, found columns; name the format of the file with --from"
            raise file.error(message, code="mixed-layouts")
    systems = [file.stem for file in files]
    if len(set(systems)) < len(systems):
        systems = [Path(file.name).name for file in files]
    for number, lines in aligned_lines(files):
        for (system1, text1), (system2, text2) in combinations(zip(systems, lines, strict=True), 2):
            if not text1.strip() and not text2.strip():
                source.mark("a blank line in both systems")
                continue
            mark_empty_texts(source, text1, text2)
            both, group = f"{system1}+{system2}", f"{source.stem}:{number}"
            id = f"{source.stem}:{number}:{both}"
            yield Pair(id=id, text1=text1, text2=text2, group=group, method=f"mt:{both}")


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the pairs as blocks of one file."""
    for record in records:
        if isinstance(record, Pair):
            stream.write(_encode_block(record))


def write_folder(records: Iterable[Record], folder: Path) -> None:
    """Write one file per system, in the layout that fits the method of the first pair."""
    pairs = (record for record in records if isinstance(record, Pair))
    first = list(islice(pairs, 1))
    with contextlib.ExitStack() as stack:
        files = _SystemFiles(folder, stack)
        if all(_systems_of(pair) for pair in first):
            _write_lines(chain(first, pairs), files)
        else:
            for pair in chain(first, pairs):
                files[pair.method or "pairs"].write(_encode_block(pair))


class _SystemFiles(dict[str, BinaryIO]):
    """The open files of a folder, by system."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack) -> None:
        super().__init__()
        self._folder, self._stack = folder, stack

    def __missing__(self, system: str) -> BinaryIO:
        if len(self) == MAX_SYSTEMS:
            message = f"the pairs have more than {MAX_SYSTEMS} methods, and multi-mt writes a file for each"
            raise WriteError(message, code="too-many-systems")
        path = self._folder / f"{system.replace('/', '_')}.txt"
        self[system] = self._stack.enter_context(path.open("wb"))
        return self[system]


def _encode_block(pair: Pair) -> bytes:
    return f"{one_line(pair.text1)}\n{one_line(pair.text2)}\n{RULE}\n".encode()


def _systems_of(pair: Pair) -> list[str]:
    """The names in ``mt:A+B``; empty for any other method."""
    names = _METHOD.fullmatch(pair.method or "")
    return list(names.groups()) if names and _GROUP.fullmatch(pair.group or "") else []


def _write_lines(pairs: Iterable[Pair], files: _SystemFiles) -> None:
    """Write one sentence per line. The group of a pair is its line; lines without a sentence are blank."""
    lines: dict[int, dict[str, str]] = {}
    for pair in pairs:
        systems = _systems_of(pair)
        if not systems:
            message = f"pair {pair.id}: a method mt:A+B is expected, as in the pairs before it; found {pair.method!r}"
            raise WriteError(message, code="cannot-be-written")
        place = _GROUP.fullmatch(pair.group or "")
        line = lines.setdefault(int(place[1]) if place else 0, {})
        line |= dict(zip(systems, (pair.text1, pair.text2), strict=True))
    systems_seen = sorted({system for line in lines.values() for system in line})
    for number in range(1, max(lines, default=0) + 1):
        for system in systems_seen:
            files[system].write(one_line(lines.get(number, {}).get(system, "")).encode() + b"\n")


def sniff(head: Head) -> bool:
    """A folder of plain-text files with the same suffix, or a file of blocks."""
    if head.suffix == "/":
        suffixes = [bare_suffix(Path(name)) for name in head.lines if not name.startswith(".")]
        return len(suffixes) > 1 and len(set(suffixes)) == 1 and bool(_TEXT_SUFFIX.fullmatch(suffixes[0]))
    rules = [number for number, line in enumerate(head.lines, 1) if line.strip() == RULE]
    return bool(rules) and rules == [3 * block for block in range(1, len(rules) + 1)]


_TITLE = "outputs of several MT systems, a folder with one file per system"
FORMAT = Format("multi-mt", _TITLE, read, write, sniff, suffix=".txt", folder=True, write_folder=write_folder)
