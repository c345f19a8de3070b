"""Read XML element by element, safely: no entities, nothing fetched, limited depth and size.

The elements that make up the rows come whole, each with its line; nothing else of the file stays in memory. Encoding
names that Python knows but XML does not, such as ``UTF8``, are understood. Names come without their namespace.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from otherwords.errors import DataError
from otherwords.sources.io.files import MAX_LINE
from otherwords.sources.source import Source

MAX_DEPTH = 50
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._:-]+)[\"']")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
Numbered = tuple[int, Element]
Names = frozenset[str] | None


def elements(source: Source, names: Names) -> Iterator[Numbered]:
    """First the empty root, for its attributes; then the outermost elements of these names (None: below the root)."""

    def declared(start: bytes) -> str | None:
        match = _DECLARED.match(start)
        name = match.group(1).decode() if match else None
        # Without a byte order mark, a file whose declaration is readable as ASCII is not UTF-16, whatever it declares.
        return None if name is None or name.lower().replace("-", "").startswith(("utf16", "utf32", "ucs")) else name

    rows = _ElementCollector(source, names)
    for block in source.utf8_blocks(declared):
        yield from rows.feed(block)
    yield from rows.feed(b"", last=True)


def elements_below(source: Source, roots: Collection[str], names: Names) -> tuple[Element, Iterator[Numbered]]:
    """The root, which must have one of these names, and the elements below it."""
    rows = elements(source, names)
    _, root = next(rows)
    if root.tag not in roots:
        message = f"the root element {' or '.join(f'<{name}>' for name in roots)} is expected, found <{root.tag}>"
        raise source.error(message, code="wrong-root")
    return root, rows


def child_text(element: Element, name: str) -> str | None:
    """The text of a child; None if there is no such child or it is empty."""
    child = element.find(name)
    return None if child is None else child.text


def xml_text(text: object) -> str:
    """Escape a text for XML content; control characters, which XML cannot hold, become blanks."""
    return escape(_FORBIDDEN.sub(" ", str(text)), {"\r": "&#13;"})


def xml_attribute(text: object) -> str:
    """Escape a text as the value of an attribute, with quotes."""
    return quoteattr(_FORBIDDEN.sub(" ", str(text)))


class _ElementCollector:
    """Collects the elements while expat parses the file."""

    def __init__(self, source: Source, names: Names) -> None:
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
            source, line = self._source, problem.lineno
            if problem.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]:
                raise source.error("the XML is cut short: an element is not closed", line, code="cut-short") from None
            message = f"not well-formed XML: {expat.ErrorString(problem.code)}"
            if problem.code == expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]:
                message += "; if the file is not UTF-8, name its encoding with --encoding"
            raise source.error(message, line, code="not-xml") from None
        if self._fed - max(self._parser.CurrentByteIndex, 0) > MAX_LINE:
            raise self._error(f"a tag or comment is larger than {MAX_LINE // 2**20} MB", "element-too-large")
        return self._ready

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._error(f"elements are nested more than {MAX_DEPTH} deep", "nested-too-deeply")
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
                message = f"an element is larger than {MAX_LINE // 2**20} MB; is this the right format?"
                raise self._error(message, "element-too-large")
            self._builder.data(text)

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        if system or public:
            message = "the document type refers to another file, which is not fetched; delete that line"
            raise self._error(message, "external-document-type")

    def _entity(self, *_: object) -> int:
        message = "the file declares entities, which are not allowed because they can include files or explode"
        raise self._error(message, "xml-entities")

    def _error(self, reason: str, code: str) -> DataError:
        return self._source.error(reason, self._parser.CurrentLineNumber, code=code)


def _local(name: str) -> str:
    return name.rpartition(":")[2]
