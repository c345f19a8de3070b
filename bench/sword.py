"""Verses of Bibles that Debian packages in the SWORD project's format zText: an index of verses into compressed blocks.

Of the two files of indexes, ``.bzs`` has the place and size of every block in ``.bzz``, and ``.bzv`` the block, place
and length of every entry. Entries are introductions, chapters and verses in the order of the books; a chapter names
itself and its verses follow, so that verses of Bibles with different books can be set side by side.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

TEXTS = Path("/usr/share/sword/modules/texts/ztext")
PACKAGES = {"engKJV2006eb": "sword-text-kjv", "engWEB2015eb": "sword-text-web"}
TESTAMENTS = ("ot", "nt")
CHAPTER = re.compile(r'<chapter [^>]*sID="([^"]+)"')
APART = re.compile(r"<(note|title|speaker)\b[^>]*>.*?</\1>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")
BEFORE_POINT = re.compile(r" (?=[,.;:?!)’”])")  # where a note was


def missing_packages(folder: Path = TEXTS) -> list[str]:
    """The Debian packages that are not installed."""
    return [package for name, package in PACKAGES.items() if not (folder / name).is_dir()]


def verses(folder: Path) -> dict[str, str]:
    """The text of every verse of a Bible by its name, such as Gen.1.1."""
    found: dict[str, str] = {}
    chapter, number = "", 0
    for entry in _entries(folder):
        if named := CHAPTER.search(entry):
            chapter, number = named[1], 0
            continue
        number += 1
        text = BEFORE_POINT.sub("", " ".join(TAG.sub("", APART.sub(" ", entry)).split()))
        if chapter and text:
            found[f"{chapter}.{number}"] = text
    return found


def _entries(folder: Path) -> Iterator[str]:
    for testament in TESTAMENTS:
        blocks, index, entries = ((folder / f"{testament}.{end}").read_bytes() for end in ("bzz", "bzs", "bzv"))
        books = [zlib.decompress(blocks[at : at + size]) for at, size, _ in struct.iter_unpack("<III", index)]
        for book, start, length in struct.iter_unpack("<IIH", entries):
            yield books[book][start : start + length].decode("utf-8") if length else ""
