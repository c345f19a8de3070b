"""XML read element by element, safely: no entities, nothing fetched, bounded depth and size.

In goes a source and the names of the elements that make up its rows, out come those elements whole,
each with its line, and nothing of the file stays in memory behind them. Encoding names that Python
knows but XML does not, such as ``UTF8``, are understood. Names are given without their namespace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from otherwords.errors import DataError
from otherwords.sources.blocks import utf8_blocks
from otherwords.sources.files import MAX_LINE
from otherwords.sources.source import Source

MAX_DEPTH = 50
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._:-]+)[\"']")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
Numbered = tuple[int, Element]


def elements(source: Source, names: frozenset[str] | None) -> Iterator[Numbered]:
    """First the root, bare, for its attributes; then every outermost element of these names (None: below the root)."""
    with source.binary() as stream:
        rows = _Rows(source, names)
        for block in utf8_blocks(source, stream, _declared):
            yield from rows.feed(block)
        yield from rows.feed(b"", last=True)


def value(element: Element, name: str) -> str | None:
    """The text of a child; None if there is no such child or nothing in it."""
    child = element.find(name)
    return None if child is None else child.text


def written(text: object) -> str:
    """Text as XML has it between tags; control characters, which no XML can hold, become blanks."""
    return escape(_FORBIDDEN.sub(" ", str(text)), {"\r": "&#13;"})


def quoted(text: object) -> str:
    """Text as the value of an attribute, with its quotes."""
    return quoteattr(_FORBIDDEN.sub(" ", str(text)))


def _declared(start: bytes) -> str | None:
    found = _DECLARED.match(start)
    name = found.group(1).decode() if found else None
    # without a byte order mark a file whose declaration can be read as ASCII is not UTF-16, whatever it says
    return None if name is None or name.lower().replace("-", "").startswith(("utf16", "utf32", "ucs")) else name


class _Rows:
    """Collects the wanted elements while expat walks through the file."""

    def __init__(self, source: Source, names: frozenset[str] | None) -> None:
        self._source, self._names = source, names
        self._depth = self._inside = self._fed = self._started = self._line = 0
        self._builder = TreeBuilder()
        self._ready: list[Numbered] = []
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._entity

    def feed(self, block: bytes, last: bool = False) -> list[Numbered]:
        """The elements that this block completes."""
        self._ready = []
        self._fed += len(block)
        try:
            self._parser.Parse(block, last)
        except expat.ExpatError as problem:
            raise self._error(_reason(problem), problem.lineno) from None
        if self._fed - max(self._parser.CurrentByteIndex, 0) > MAX_LINE:
            raise self._error(f"a tag or comment is larger than {MAX_LINE // 2**20} MB")
        return self._ready

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._error(f"elements are nested more than {MAX_DEPTH} deep")
        name, attributes = _local(name), {_local(key): text for key, text in attributes.items()}
        if self._depth == 1:
            self._ready.append((self._parser.CurrentLineNumber, Element(name, attributes)))
        elif self._inside or self._names is None or name in self._names:
            if not self._inside:
                self._builder = TreeBuilder()
                self._line, self._started = self._parser.CurrentLineNumber, self._parser.CurrentByteIndex
            self._inside += 1
            self._builder.start(name, attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        if self._inside:
            self._inside -= 1
            self._builder.end(_local(name))
            if not self._inside:
                self._ready.append((self._line, self._builder.close()))

    def _text(self, text: str) -> None:
        if self._inside:
            if self._parser.CurrentByteIndex - self._started > MAX_LINE:
                raise self._error(f"an element is larger than {MAX_LINE // 2**20} MB; is this the right format?")
            self._builder.data(text)

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        if system or public:
            raise self._error("the document type refers to another file, which is not fetched; delete that line")

    def _entity(self, *_: object) -> int:
        raise self._error("declares entities, which are refused because they can hide other files or explode")

    def _error(self, reason: str, line: int | None = None) -> DataError:
        return self._source.error(reason, line or self._parser.CurrentLineNumber)


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _reason(problem: expat.ExpatError) -> str:
    said = expat.ErrorString(problem.code)
    if problem.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]:
        return "the XML is cut short: the file ends before its elements do"
    if problem.code == expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]:
        return f"not well-formed XML: {said}; if the file is not UTF-8, name its encoding with --encoding"
    return f"not well-formed XML: {said}"
