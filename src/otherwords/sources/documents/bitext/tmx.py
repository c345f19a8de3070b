"""Translation memories (TMX 1.1 to 1.4), read unit by unit.

A unit is its line and a list of (language, text). Native codes inside a segment (``bpt``, ``ept``, ``ph``, ``it``,
``ut``) are markup of an editor and left out; highlighted parts (``hi``) are text. The document type that most tools
write refers to a DTD beside the file, which is ignored and never fetched.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import BinaryIO, cast
from xml.etree.ElementTree import Element

from otherwords.sources.io.xml_stream import elements_below
from otherwords.sources.source import BYTE_ORDER_MARKS, Source

_UNITS = frozenset({"tu"})
_CODES = frozenset({"bpt", "ept", "ph", "it", "ut", "sub"})
Unit = tuple[int, list[tuple[str, str]]]


def units(source: Source) -> Iterator[Unit]:
    """The translation units of a file, each with its line."""
    file = _WithoutDocumentType(source.path, source.account, encoding=source.encoding)
    _, rows = elements_below(file, ("tmx",), _UNITS)
    for line, unit in rows:
        variants = []
        for variant in unit.iter("tuv"):
            segment = variant.find("seg")
            text = "" if segment is None else "".join(_text(segment))
            variants.append((variant.get("lang", "").strip(), text))
        yield line, variants


def _text(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag not in _CODES:
            yield from _text(child)
        yield child.tail or ""


class _WithoutDocumentType(Source):
    """The file with blanks instead of a document type that only refers to a DTD."""

    __slots__ = ()

    @contextlib.contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        with Source.binary(self) as stream:
            yield cast("BinaryIO", _Blanked(stream, self.encoding))


class _Blanked:
    """A stream with blanks for the document type in its first block, so that line numbers stay the same."""

    def __init__(self, stream: BinaryIO, encoding: str | None) -> None:
        self._stream, self._encoding, self._first = stream, encoding, True

    def read(self, size: int = -1) -> bytes:
        block = self._stream.read(size)
        if not self._first:
            return block
        self._first = False
        marked = next((name for mark, name in BYTE_ORDER_MARKS if block.startswith(mark)), None)
        try:
            return _blanked(block, marked or self._encoding or "utf-8")
        except (LookupError, UnicodeError):  # not an encoding of text: the XML reader reports it
            return block


def _blanked(block: bytes, encoding: str) -> bytes:
    """Blank out the document type. One with its own declarations, in brackets, stays for the XML reader to check."""
    closing = ">".encode(encoding)
    start = block.find("<!DOCTYPE".encode(encoding))
    end = block.find(closing, start) + len(closing)
    declared = block[start:end].decode(encoding, "replace")
    if start < 0 or end < start or "[" in declared:
        return block
    return block[:start] + re.sub(r"[^\n]", " ", declared).encode(encoding) + block[end:]
