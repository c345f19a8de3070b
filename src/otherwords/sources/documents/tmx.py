"""Translation memories (TMX 1.1 to 1.4): a unit at a time, its segments by language.

In goes a source, out come the units: their line and a list of (language, text). Native codes inside
a segment (``bpt``, ``ept``, ``ph``, ``it``, ``ut``) are markup of some editor and left out; what is
merely highlighted (``hi``) is text. The document type that most tools write names a DTD beside the
file: it is ignored, never fetched.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import BinaryIO, cast
from xml.etree.ElementTree import Element

from otherwords.sources.source import MARKS, Source
from otherwords.sources.xml_stream import elements

_UNITS = frozenset({"tu"})
_CODES = frozenset({"bpt", "ept", "ph", "it", "ut", "sub"})
Unit = tuple[int, list[tuple[str, str]]]


def units(source: Source) -> Iterator[Unit]:
    """The translation units of a file, each with its line."""
    rows = elements(_WithoutDocumentType(source.path, source.account, encoding=source.encoding), _UNITS)
    _, root = next(rows)
    if root.tag != "tmx":
        raise source.error(f"the root element is <{root.tag}>, not <tmx>")
    for line, unit in rows:
        yield line, [(_language(variant), _segment(variant)) for variant in unit.iter("tuv")]


def _language(variant: Element) -> str:
    return variant.get("lang", "").strip()


def _segment(variant: Element) -> str:
    segment = variant.find("seg")
    return "" if segment is None else "".join(_text(segment))


def _text(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag not in _CODES:
            yield from _text(child)
        yield child.tail or ""


class _WithoutDocumentType(Source):
    """The file with blanks in place of a document type that only refers to a DTD."""

    __slots__ = ()

    @contextlib.contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        with Source.binary(self) as stream:
            yield cast("BinaryIO", _Blanked(stream, self.encoding))


class _Blanked:
    """A stream whose first block has lost its document type; its lines stay as they are."""

    def __init__(self, stream: BinaryIO, encoding: str | None) -> None:
        self._stream, self._encoding, self._first = stream, encoding, True

    def read(self, size: int = -1) -> bytes:
        block = self._stream.read(size)
        if not self._first:
            return block
        self._first = False
        marked = next((name for mark, name in MARKS if block.startswith(mark)), None)
        try:
            return _blanked(block, marked or self._encoding or "utf-8")
        except (LookupError, UnicodeError):  # no encoding of text: the reader of XML says so
            return block


def _blanked(block: bytes, encoding: str) -> bytes:
    """A document type with declarations of its own, in brackets, stays: the reader of XML judges those."""
    closing = ">".encode(encoding)
    start = block.find("<!DOCTYPE".encode(encoding))
    end = block.find(closing, start) + len(closing)
    declared = block[start:end].decode(encoding, "replace")
    if start < 0 or end < start or "[" in declared:
        return block
    return block[:start] + re.sub(r"[^\n]", " ", declared).encode(encoding) + block[end:]
