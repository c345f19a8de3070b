"""Read one large JSON value piece by piece: the elements of a list, or the members of an object.

Each part comes with the line on which it starts. Only one is in memory at a time, and none may be larger than the limit
for lines. A part with matching brackets that is not valid JSON is rejected like any bad row; a broken list or object is
an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import msgspec

from otherwords.sources.format import Head
from otherwords.sources.io.files import MAX_LINE
from otherwords.sources.source import BLOCK, Source

_TEXT = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PLAIN = r'[^"\[\]{}]*+'
_NESTED = rf"{_PLAIN}(?:{_TEXT}{_PLAIN})*+"
for _ in range(3):
    _NESTED = rf"{_PLAIN}(?:(?:{_TEXT}|[\[{{]{_NESTED}[\]}}]){_PLAIN})*+"
_NOT_BLANK = re.compile(rb"[^ \t\r\n]")
_STRING = re.compile(_TEXT.encode(), re.DOTALL)
_TO_BRACKET = re.compile(rf"{_PLAIN}(?:{_TEXT}{_PLAIN})*+[\[\]{{}}]".encode(), re.DOTALL)
# The usual element: not nested deeply, and followed by another.
_USUAL = re.compile(rf"[ \t\r\n]*+([\[{{]{_NESTED}[\]}}])[ \t\r\n]*+,".encode(), re.DOTALL)
_SCALAR = re.compile(rb"[^\s,:\[\]{}\"]+(?=[\s,\]}])")
_CLOSING = {"[": "]", "{": "}"}
_decode = msgspec.json.Decoder().decode


def elements(source: Source) -> Iterator[tuple[int, Any]]:
    """The elements of a top-level list, each with its line."""
    for line, _, value in _parts(source, "["):
        yield line, value


def members(source: Source) -> Iterator[tuple[int, str, Any]]:
    """The members of a top-level object: line, name and value; names may repeat."""
    yield from _parts(source, "{")


def first_character(head: Head) -> str:
    """The first character that is not blank."""
    return head.text.lstrip()[:1]


def first_element(head: Head) -> Any:
    """The first element of a list or the first (name, value) of an object; None if the start does not show one."""
    text = head.text.lstrip()
    decoder = json.JSONDecoder()
    try:
        value, end = decoder.raw_decode(text, _after_blanks(text, 1))
        if text[:1] == "[":
            return value
        colon = _after_blanks(text, end)
        if text[:1] == "{" and isinstance(value, str) and text[colon : colon + 1] == ":":
            return value, decoder.raw_decode(text, _after_blanks(text, colon + 1))[0]
    except (ValueError, RecursionError, IndexError):
        pass
    return None


def _after_blanks(text: str, start: int) -> int:
    return len(text) - len(text[start:].lstrip())


def _parts(source: Source, bracket: str) -> Iterator[tuple[int, str, Any]]:
    scanner = _Scanner(source, source.utf8_blocks())
    if (first := scanner.next()) != bracket:
        kind = {"[": "list", "{": "object"}[bracket]
        message = f"a JSON {kind} is expected, which starts with {bracket}; found {first!r}"
        raise source.error(message, scanner.line, code="not-json")
    scanner.skip()
    if scanner.next() == _CLOSING[bracket]:
        scanner.skip()
    else:
        yield from _parts_inside(source, scanner, bracket)
    if left := scanner.next():
        message = f"the end of the file is expected after the JSON value, found {left!r}"
        raise source.error(message, scanner.line, code="not-json")


def _parts_inside(source: Source, scanner: _Scanner, bracket: str) -> Iterator[tuple[int, str, Any]]:
    while True:
        for line, raw_value in scanner.usual() if bracket == "[" else ():
            try:
                yield line, "", _decode(raw_value)
            except (ValueError, RecursionError) as problem:
                source.reject(line, f"not JSON: {problem}", raw_value.decode("utf-8", "replace"))
        scanner.next()
        line = scanner.line
        raw = [scanner.value()]
        if bracket == "{":
            scanner.expect(":", "between a name and its value")
            raw.append(scanner.value())
        try:
            name = _decode(raw[0]) if bracket == "{" else ""
            if not isinstance(name, str):
                raise source.error(f"the name of a member must be in quotes, found {name!r}", line, code="not-json")
            value = _decode(raw[-1])
        except (ValueError, RecursionError) as problem:
            source.reject(line, f"not JSON: {problem}", b": ".join(raw).decode("utf-8", "replace"))
        else:
            yield line, name, value
        if scanner.expect("," + _CLOSING[bracket], "after an element") != ",":
            return


class _Scanner:
    """The bytes ahead, no more than the next element needs, and the line on which they start."""

    def __init__(self, source: Source, blocks: Iterator[bytes]) -> None:
        self._source, self._blocks = source, blocks
        self._bytes, self._at, self.line = b"", 0, 1

    def next(self) -> str:
        """Look at the next character that is not blank, without taking it; empty at the end."""
        while True:
            match = _NOT_BLANK.search(self._bytes, self._at)
            self._take(match.start() if match else len(self._bytes))
            if match:
                return chr(self._bytes[self._at])
            if not self._more():
                return ""

    def skip(self) -> None:
        """Take the character that next() returned."""
        self._take(self._at + 1)

    def expect(self, characters: str, where: str) -> str:
        """Take one of these characters; any other is an error."""
        found = self.next()
        if not found:
            raise self._cut_short()
        if found not in characters:
            message = f"not JSON: {' or '.join(characters)} is expected {where}, found {found!r}"
            raise self._source.error(message, self.line, code="not-json")
        self.skip()
        return found

    def value(self) -> bytes:
        """Take the bytes of the next value."""
        first = self.next()
        if first and first in ",:]}":
            raise self._source.error(f"not JSON: a value is expected, found {first!r}", self.line, code="not-json")
        if first and first in "[{":
            end = self._end_of_brackets()
        else:
            pattern = _STRING if first == '"' else _SCALAR
            while (match := pattern.match(self._bytes, self._at)) is None:
                self._need_more()
            end = match.end()
        taken = self._bytes[self._at : end]
        self._take(end)
        return taken

    def usual(self) -> Iterator[tuple[int, bytes]]:
        """Take elements while they are complete, usual and followed by another; much faster than one by one."""
        while match := _USUAL.match(self._bytes, self._at):
            self._take(match.start(1))
            line = self.line
            self._take(match.end())
            yield line, match.group(1)

    def _end_of_brackets(self) -> int:
        depth, at = 0, self._at
        while True:
            match = _TO_BRACKET.match(self._bytes, at)
            if match is None:
                at -= self._at
                self._need_more()
                at += self._at
                continue
            at = match.end()
            depth += 1 if self._bytes[at - 1] in b"[{" else -1
            if depth == 0:
                return at

    def _take(self, end: int) -> None:
        if end > self._at:
            self.line += self._bytes.count(b"\n", self._at, end)
            self._at = end

    def _need_more(self) -> None:
        if len(self._bytes) - self._at > MAX_LINE:
            message = f"an element is larger than {MAX_LINE // 2**20} MB; is this the right format?"
            raise self._source.error(message, self.line, code="element-too-large")
        if not self._more():
            raise self._cut_short()

    def _more(self) -> bool:
        """Read more; at least double the remaining bytes, so that scanning a large element again stays linear."""
        left = self._bytes[self._at :]
        target = max(BLOCK, 2 * len(left))
        parts = [left]
        size = len(left)
        while size < target and (block := next(self._blocks, None)) is not None:
            parts.append(block)
            size += len(block)
        self._bytes, self._at = b"".join(parts), 0
        return size > len(left)

    def _cut_short(self) -> Exception:
        message = "the JSON is cut short: the file ends inside a value"
        return self._source.error(message, self.line, code="cut-short")


def write_list(values: Iterable[Any], stream: BinaryIO) -> None:
    """Write a JSON list."""
    _write((msgspec.json.encode(value) for value in values), stream, b"[", b"]")


def write_object(members: Iterable[tuple[str, Any]], stream: BinaryIO) -> None:
    """Write a JSON object of names and values."""
    encode = msgspec.json.encode
    _write((encode(name) + b": " + encode(value) for name, value in members), stream, b"{", b"}")


def _write(pieces: Iterable[bytes], stream: BinaryIO, start: bytes, end: bytes) -> None:
    stream.write(start)
    for number, piece in enumerate(pieces):
        stream.write((b",\n" if number else b"\n") + piece)
    stream.write(b"\n" + end + b"\n")
