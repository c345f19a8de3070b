"""The text of a Word document (.docx), a paragraph a line, read safely.

A .docx is an archive of XML files; only its main one is opened, as a stream, with the limits of all
our reading: no entities, bounded depth and size, no archive that unpacks to implausibly much. Text
boxes and tables are read in the order of the file; deleted and moved-away text of tracked changes,
field codes, footnotes, headers and comments are left out.
"""

from __future__ import annotations

import contextlib
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast
from xml.etree.ElementTree import Element

from otherwords.sources.files import MAX_RATIO, RATIO_FREE
from otherwords.sources.source import Source
from otherwords.sources.xml_stream import elements

_MAIN = re.compile(r"word/document\d*\.xml")  # some editors number it
_LEFT_OUT = frozenset({"del", "moveFrom", "Fallback", "instrText", "delText", "pPr", "rPr"})
_WRITTEN = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}
_ENCRYPTED = 1  # bit 0 of the flags of a member
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    OSError,
    EOFError,
    ValueError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    OverflowError,
)


def docx_text(source: Source) -> str:
    """The paragraphs of the document, one a line."""
    rows = elements(_MainPart(source.path, source.account), frozenset({"p"}))
    next(rows)  # the root
    return "\n".join("".join(_written(paragraph)) for _, paragraph in rows)


class _MainPart(Source):
    """The main file inside the archive, for the reader of XML."""

    __slots__ = ()

    @contextlib.contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        assert self.path is not None
        with contextlib.ExitStack() as stack:
            try:
                archive = stack.enter_context(zipfile.ZipFile(self.path))
                stream = stack.enter_context(archive.open(self._member(archive)))
            except _DAMAGED as problem:
                raise self.error(f"is not usable as .docx ({problem}); save it again with a word processor") from None
            yield cast("BinaryIO", _Checked(stream, self))

    def _member(self, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
        member = next((info for info in archive.infolist() if _MAIN.fullmatch(info.filename)), None)
        if member is None:
            raise self.error("is not a Word document: there is no word/document.xml in it")
        if member.flag_bits & _ENCRYPTED:
            raise self.error("is encrypted; save it without a password")
        # zipfile gives out no more than the size that the archive declares, so the declaration is a bound
        if member.file_size > max(RATIO_FREE, member.compress_size * MAX_RATIO):
            raise self.error(f"unpacks to more than {MAX_RATIO} times its size, which no text does")
        return member


class _Checked:
    """A stream whose damage is reported as that of the document."""

    def __init__(self, stream: object, part: _MainPart) -> None:
        self._stream, self._part = cast("BinaryIO", stream), part

    def read(self, size: int = -1) -> bytes:
        try:
            return self._stream.read(size)
        except _DAMAGED as problem:
            raise self._part.error(f"is damaged or cut short ({problem})") from None


def _written(element: Element) -> Iterator[str]:
    """The text of a paragraph in order; a paragraph inside it (of a text box) is on a line of its own."""
    for child in element:
        if child.tag in _LEFT_OUT:
            continue
        if child.tag == "t":
            yield child.text or ""
        elif child.tag in _WRITTEN:
            yield _WRITTEN[child.tag]
        else:
            yield from _written(child)
            if child.tag == "p":
                yield "\n"
