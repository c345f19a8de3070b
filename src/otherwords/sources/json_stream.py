"""One large JSON value read piece by piece: the elements of a list, or the members of an object.

In goes a source, out come decoded elements with the line each starts on. Only one element is in
memory at a time, and none may be larger than a line of text may be. A piece that is bracketed like
JSON but is none is rejected like any bad row; what breaks the list itself ends the reading.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from otherwords.sources.blocks import BLOCK, utf8_blocks
from otherwords.sources.files import MAX_LINE
from otherwords.sources.format import Head
from otherwords.sources.source import Source

_TEXT = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PLAIN = r'[^"\[\]{}]*+'
_NESTED = rf"{_PLAIN}(?:{_TEXT}{_PLAIN})*+"
for _ in range(3):
    _NESTED = rf"{_PLAIN}(?:(?:{_TEXT}|[\[{{]{_NESTED}[\]}}]){_PLAIN})*+"
_NOT_BLANK = re.compile(rb"[^ \t\r\n]")
_STRING = re.compile(_TEXT.encode(), re.DOTALL)
_TO_BRACKET = re.compile(rf"{_PLAIN}(?:{_TEXT}{_PLAIN})*+[\[\]{{}}]".encode(), re.DOTALL)
# An element as nearly all are: not nested deeply, and another one after it.
_USUAL = re.compile(rf"[ \t\r\n]*+([\[{{]{_NESTED}[\]}}])[ \t\r\n]*+,".encode(), re.DOTALL)
_SCALAR = re.compile(rb"[^\s,:\[\]{}\"]+(?=[\s,\]}])")
_CLOSING = {"[": "]", "{": "}"}
_decode = msgspec.json.Decoder().decode


def elements(source: Source) -> Iterator[tuple[int, Any]]:
    """The elements of a top-level list, each with its line."""
    for line, _, value in _pieces(source, "["):
        yield line, value


def members(source: Source) -> Iterator[tuple[int, str, Any]]:
    """The members of a top-level object: line, name and value; a name may come twice."""
    yield from _pieces(source, "{")


def opening(head: Head) -> str:
    """The first character of the text that is not blank."""
    return head.text.lstrip()[:1]


def first_element(head: Head) -> Any:
    """The first element of a list or the first (name, value) of an object; None where the start shows none."""
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


def _pieces(source: Source, bracket: str) -> Iterator[tuple[int, str, Any]]:
    with source.binary() as stream:
        ahead = _Ahead(source, utf8_blocks(source, stream))
        if ahead.next() != bracket:
            kind = {"[": "list", "{": "object"}[bracket]
            raise source.error(f"a JSON {kind} is expected, which starts with {bracket}", ahead.line)
        ahead.skip()
        if ahead.next() == _CLOSING[bracket]:
            ahead.skip()
        else:
            yield from _inside(source, ahead, bracket)
        if left := ahead.next():
            raise source.error(f"{left!r} after the end of the JSON value", ahead.line)


def _inside(source: Source, ahead: _Ahead, bracket: str) -> Iterator[tuple[int, str, Any]]:
    while True:
        if bracket == "[":
            yield from _decoded(source, ahead.usual())
        ahead.next()
        line = ahead.line
        raw = [ahead.value()]
        if bracket == "{":
            ahead.expect(":", "between a name and its value")
            raw.append(ahead.value())
        try:
            name = _decode(raw[0]) if bracket == "{" else ""
            if not isinstance(name, str):
                raise source.error("the name of a member is a text in quotes", line)
            value = _decode(raw[-1])
        except (msgspec.DecodeError, ValueError, RecursionError) as problem:
            source.reject(line, f"not JSON: {problem}", b": ".join(raw).decode("utf-8", "replace"))
        else:
            yield line, name, value
        if ahead.expect("," + _CLOSING[bracket], "after an element") != ",":
            return


def _decoded(source: Source, values: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, str, Any]]:
    for line, raw in values:
        try:
            value = _decode(raw)
        except (msgspec.DecodeError, ValueError, RecursionError) as problem:
            source.reject(line, f"not JSON: {problem}", raw.decode("utf-8", "replace"))
        else:
            yield line, "", value


class _Ahead:
    """The bytes that lie ahead, as few of them as the next element needs, and the line they start on."""

    def __init__(self, source: Source, blocks: Iterator[bytes]) -> None:
        self._source, self._blocks = source, blocks
        self._bytes, self._at, self.line = b"", 0, 1

    def next(self) -> str:
        """The next character that is not blank, not yet taken; empty at the end."""
        while True:
            found = _NOT_BLANK.search(self._bytes, self._at)
            self._take(found.start() if found else len(self._bytes))
            if found:
                return chr(self._bytes[self._at])
            if not self._more():
                return ""

    def skip(self) -> None:
        """Take the character that next() showed."""
        self._take(self._at + 1)

    def expect(self, characters: str, where: str) -> str:
        """Take one of these characters, or say that the text is not JSON here."""
        found = self.next()
        if not found:
            raise self._cut_short()
        if found not in characters:
            wanted = " or ".join(characters)
            raise self._source.error(f"not JSON: {wanted} is expected {where}, found {found!r}", self.line)
        self.skip()
        return found

    def value(self) -> bytes:
        """Take the bytes of the next value."""
        first = self.next()
        if first and first in ",:]}":
            raise self._source.error(f"not JSON: a value is expected, found {first!r}", self.line)
        end = self._end_of_brackets() if first and first in "[{" else self._end_of_plain(first)
        taken = self._bytes[self._at : end]
        self._take(end)
        return taken

    def usual(self) -> Iterator[tuple[int, bytes]]:
        """Take elements as long as they are whole, usual and followed by another; much faster than one by one."""
        while found := _USUAL.match(self._bytes, self._at):
            start = found.start(1)
            self._take(start)
            line = self.line
            self._take(found.end())
            yield line, found.group(1)

    def _end_of_plain(self, first: str) -> int:
        pattern = _STRING if first == '"' else _SCALAR
        while (found := pattern.match(self._bytes, self._at)) is None:
            self._need_more()
        return found.end()

    def _end_of_brackets(self) -> int:
        depth, at = 0, self._at
        while True:
            found = _TO_BRACKET.match(self._bytes, at)
            if found is None:
                at -= self._at
                self._need_more()
                at += self._at
                continue
            at = found.end()
            depth += 1 if self._bytes[at - 1] in b"[{" else -1
            if depth == 0:
                return at

    def _take(self, end: int) -> None:
        if end > self._at:
            self.line += self._bytes.count(b"\n", self._at, end)
            self._at = end

    def _need_more(self) -> None:
        if len(self._bytes) - self._at > MAX_LINE:
            limit = f"{MAX_LINE // 2**20} MB"
            raise self._source.error(f"an element is larger than {limit}; is this the right format?", self.line)
        if not self._more():
            raise self._cut_short()

    def _more(self) -> bool:
        """At least double what is left of the bytes, so that reading a large element again stays linear."""
        left = self._bytes[self._at :]
        wanted = max(BLOCK, 2 * len(left))
        parts = [left]
        size = len(left)
        while size < wanted and (block := next(self._blocks, None)) is not None:
            parts.append(block)
            size += len(block)
        self._bytes, self._at = b"".join(parts), 0
        return size > len(left)

    def _cut_short(self) -> Exception:
        return self._source.error("the JSON is cut short: the file ends inside a value", self.line)
