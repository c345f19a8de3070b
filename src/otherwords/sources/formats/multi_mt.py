"""Outputs of several MT systems for the same sentences, as a folder with one file a system.

In one layout a file has blocks of two lines, two sentences of one engine, closed by ``===``; each
block is a pair. In the other a file has one line a sentence; there each two systems make a pair.
The same place in every file is the same source sentence, which becomes the group.
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
from otherwords.sources.files import bare_suffix
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import note_empty_texts
from otherwords.sources.parallel import aligned
from otherwords.sources.source import Source
from otherwords.sources.tabular import one_line

RULE = "==="
_METHOD = re.compile(r"mt:([^+]+)\+([^+]+)")
_LINE_NUMBER = re.compile(r"[0-9]{1,8}")
MAX_SYSTEMS = 200
_TEXT_SUFFIX = re.compile(r"\.(?:txt|mt|out|hyp|[a-z]{2}-[a-z]{2})")  # WMT ends in the languages, as in .en-de


def read(source: Source) -> Iterator[Record]:
    """The pairs of all engines, or of all pairs of systems; of a single file, its blocks."""
    if source.path is None or not source.path.is_dir():
        yield from _blocks(source)
        return
    files = [source.beside(path) for path in sorted(source.path.iterdir()) if _is_text(path)]
    ruled = [_has_blocks(file) for file in files]
    if len(files) < 2:
        raise source.error("needs a file for each of two or more systems")
    if not any(ruled):
        yield from _each_two_systems(source, files)
    elif all(ruled):
        for file in files:
            yield from _blocks(file)
    else:
        odd = files[ruled.index(False)]
        raise odd.error(f"has no line {RULE}, unlike other files of the folder; take it away or name one file")


def _is_text(path: Path) -> bool:
    return path.is_file() and not path.name.startswith(".")


def _has_blocks(source: Source) -> bool:
    return RULE in (line.strip() for line in Head("", source.head()).text.split("\n"))


def _blocks(source: Source) -> Iterator[Pair]:
    """Pairs of one engine, whose name is that of its file."""
    lines: list[str] = []
    start, place = 1, 0
    for number, line in source.lines():
        if line.strip() != RULE:
            start = start if lines else number
            lines.append(line)
            continue
        place += 1
        yield from _block(source, lines, start, place)
        lines = []
    if any(line.strip() for line in lines):
        yield from _block(source, lines, start, place + 1)


def _block(source: Source, lines: list[str], start: int, place: int) -> Iterator[Pair]:
    sentences = lines if len(lines) == 2 else [line for line in lines if line.strip()]
    if len(sentences) != 2:
        source.reject(start, f"{len(sentences)} lines before {RULE} where 2 are expected", lines)
        return
    note_empty_texts(source, *sentences)
    engine = source.stem
    yield Pair(id=f"{engine}:{place}", text1=sentences[0], text2=sentences[1], group=str(place), method=engine)


def _each_two_systems(source: Source, files: list[Source]) -> Iterator[Pair]:
    for file in files:
        start = Head("", file.head()).lines
        if start and all("\t" in line for line in start):
            raise file.error("has columns, not a sentence a line; name the format of the file with --from")
    systems = [file.stem for file in files]
    if len(set(systems)) < len(systems):
        systems = [Path(file.name).name for file in files]
    for number, lines in aligned(files):
        for (system1, text1), (system2, text2) in combinations(zip(systems, lines, strict=True), 2):
            if not text1.strip() and not text2.strip():
                source.mark("a blank line in both systems")
                continue
            note_empty_texts(source, text1, text2)
            both = f"{system1}+{system2}"
            yield Pair(
                id=f"{source.stem}:{number}:{both}",
                text1=text1,
                text2=text2,
                group=str(number),
                method=f"mt:{both}",
            )


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """The blocks of one file."""
    for record in records:
        if isinstance(record, Pair):
            stream.write(_as_block(record))


def write_folder(records: Iterable[Record], folder: Path) -> None:
    """A file a system, in the layout that the method of the first pair tells."""
    pairs = (record for record in records if isinstance(record, Pair))
    first = list(islice(pairs, 1))
    with contextlib.ExitStack() as stack:
        files = _Files(folder, stack)
        if all(_two_systems(pair) for pair in first):
            _write_lines(chain(first, pairs), files)
        else:
            for pair in chain(first, pairs):
                files[pair.method or "pairs"].write(_as_block(pair))


class _Files(dict[str, BinaryIO]):
    """The open files of a folder, by system."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack) -> None:
        super().__init__()
        self._folder, self._stack = folder, stack

    def __missing__(self, system: str) -> BinaryIO:
        if len(self) == MAX_SYSTEMS:
            raise WriteError(f"more than {MAX_SYSTEMS} systems; multi-mt has a file for each method of the pairs")
        path = self._folder / f"{system.replace('/', '_')}.txt"
        self[system] = self._stack.enter_context(path.open("wb"))
        return self[system]


def _as_block(pair: Pair) -> bytes:
    return f"{one_line(pair.text1)}\n{one_line(pair.text2)}\n{RULE}\n".encode()


def _two_systems(pair: Pair) -> list[str]:
    """The names in ``mt:A+B``; empty for any other method."""
    names = _METHOD.fullmatch(pair.method or "")
    return list(names.groups()) if names and _LINE_NUMBER.fullmatch(pair.group or "") else []


def _write_lines(pairs: Iterable[Pair], files: _Files) -> None:
    """One line a sentence, the number of the line being the group; a line of which nothing is known is blank."""
    lines: dict[int, dict[str, str]] = {}
    for pair in pairs:
        systems = _two_systems(pair)
        if not systems:
            raise WriteError(f"pair {pair.id}: is not of two systems, unlike the pairs before it")
        line = lines.setdefault(int(pair.group or 0), {})
        line |= dict(zip(systems, (pair.text1, pair.text2), strict=True))
    systems_seen = sorted({system for line in lines.values() for system in line})
    for number in range(1, max(lines, default=0) + 1):
        for system in systems_seen:
            files[system].write(one_line(lines.get(number, {}).get(system, "")).encode() + b"\n")


def sniff(head: Head) -> bool:
    """A folder of plain texts that are named alike, or a file of blocks."""
    if head.suffix == "/":
        suffixes = [bare_suffix(Path(name)) for name in head.lines if not name.startswith(".")]
        return len(suffixes) > 1 and len(set(suffixes)) == 1 and bool(_TEXT_SUFFIX.fullmatch(suffixes[0]))
    rules = [number for number, line in enumerate(head.lines, 1) if line.strip() == RULE]
    return bool(rules) and rules == [3 * block for block in range(1, len(rules) + 1)]


FORMAT = Format(
    name="multi-mt",
    title="outputs of several MT systems, a folder with one file a system",
    read=read,
    write=write,
    sniff=sniff,
    suffix=".txt",
    folder=True,
    write_folder=write_folder,
)
