"""The text of a Word document (.docx), one paragraph per line, read safely.

A .docx file is an archive of XML files. Only the main one is opened, as a stream, with the limits of all our readers:
no entities, limited depth and size, no implausible compression. Text boxes and tables are read in the order of the
file; deleted and moved text of tracked changes, field codes, footnotes, headers and comments are left out.
"""

from __future__ import annotations

import contextlib
import re
import zipfile
from collections.abc import Iterator
from typing import BinaryIO, cast
from xml.etree.ElementTree import Element

from otherwords.sources.io.files import MAX_RATIO, RATIO_FREE, UNPACKING_ERRORS
from otherwords.sources.io.xml_stream import elements
from otherwords.sources.source import Source

_MAIN = re.compile(r"word/document\d*\.xml")  # some editors add a number
_LEFT_OUT = frozenset({"del", "moveFrom", "Fallback", "instrText", "delText", "pPr", "rPr"})
_CHARACTERS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}
_ENCRYPTED = 1  # bit 0 of the flags of a member


def docx_text(source: Source) -> str:
    """The paragraphs of the document, one per line."""
    rows = elements(_MainPart(source.path, source.account), frozenset({"p"}))
    next(rows)  # the root
    return "\n".join("".join(_text_parts(paragraph)) for _, paragraph in rows)


class _MainPart(Source):
    """The main file inside the archive, for the XML reader."""

    __slots__ = ()

    @contextlib.contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        assert self.path is not None
        with contextlib.ExitStack() as stack:
            try:
                archive = stack.enter_context(zipfile.ZipFile(self.path))
                stream = stack.enter_context(archive.open(self._member(archive)))
            except UNPACKING_ERRORS as problem:
                message = f"not a usable .docx file ({problem}); save it again with a word processor"
                raise self.error(message, code="damaged-archive") from None
            yield cast("BinaryIO", _DamageReporter(stream, self))

    def _member(self, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
        member = next((info for info in archive.infolist() if _MAIN.fullmatch(info.filename)), None)
        if member is None:
            raise self.error("word/document.xml is expected in a Word document, and is not there", code="not-a-docx")
        if member.flag_bits & _ENCRYPTED:
            raise self.error("the document is encrypted; save it without a password", code="encrypted-archive")
        # zipfile never returns more than the size that the archive declares, so that size is a limit
        if member.file_size > max(RATIO_FREE, member.compress_size * MAX_RATIO):
            message = f"the document unpacks to more than {MAX_RATIO} times its size, which no text does"
            raise self.error(message, code="implausible-compression")
        return member


class _DamageReporter:
    """A stream that reports damage as an error of the document."""

    def __init__(self, stream: object, part: _MainPart) -> None:
        self._stream, self._part = cast("BinaryIO", stream), part

    def read(self, size: int = -1) -> bytes:
        try:
            return self._stream.read(size)
        except UNPACKING_ERRORS as problem:
            message = f"the document is damaged or cut short ({problem})"
            raise self._part.error(message, code="damaged-archive") from None


def _text_parts(element: Element) -> Iterator[str]:
    """The text of a paragraph in order; a paragraph inside it (of a text box) gets its own line."""
    for child in element:
        if child.tag in _LEFT_OUT:
            continue
        if child.tag == "t":
            yield child.text or ""
        elif child.tag in _CHARACTERS:
            yield _CHARACTERS[child.tag]
        else:
            yield from _text_parts(child)
            if child.tag == "p":
                yield "\n"
