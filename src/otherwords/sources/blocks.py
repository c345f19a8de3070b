"""A file as blocks of UTF-8, whatever encoding it is in: what the streaming readers of JSON and XML eat.

The encoding is the one the user named, else what a byte order mark tells, else what the file
declares about itself, else UTF-8, whose bytes are passed on untouched.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from typing import BinaryIO

from otherwords.sources.source import MARKS, Source

BLOCK = 2**20
_NO_ENCODINGS_OF_FILES = frozenset({"unicode_escape", "raw_unicode_escape", "undefined", "idna", "punycode", "utf_7"})


def _nothing_declared(start: bytes) -> str | None:
    return None


def utf8_blocks(
    source: Source, stream: BinaryIO, declared: Callable[[bytes], str | None] = _nothing_declared
) -> Iterator[bytes]:
    """Blocks of UTF-8 without byte order mark; an encoding that does not fit ends the reading."""
    block = stream.read(BLOCK)
    marked = next((name for mark, name in MARKS if block.startswith(mark)), None)
    encoding = _known(source, source.encoding or marked or declared(block) or "utf-8")
    if encoding == "utf-8":
        block = block.removeprefix(codecs.BOM_UTF8)
        while block:
            yield block
            block = stream.read(BLOCK)
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    first = True
    try:
        while block:
            text = decoder.decode(block)
            yield (text.removeprefix("\ufeff") if first else text).encode()
            first, block = False, stream.read(BLOCK)
        decoder.decode(b"", final=True)
    except UnicodeError as problem:
        raise source.error(f"is not {encoding}: {problem}; name its encoding with --encoding") from None


def _known(source: Source, encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
        b"".decode(name)
    except (LookupError, ValueError):
        name = "undefined"
    if name.replace("-", "_") in _NO_ENCODINGS_OF_FILES:
        raise source.error(f"no such encoding: {encoding!r}; name the right one with --encoding")
    return name
