"""WordNet's own database files, ``data.noun`` and its three siblings.

A line is ``offset file type count word id word id … | gloss``, with the count in hexadecimal; the
licence stands before them in lines that start with two blanks (wndb(5WN)). In goes the folder, out
come pairs of synset and lemma; a line that does not hold what its count says is a DataError.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from otherwords.errors import DataError
from otherwords.text.lines import numbered_lines

FILES = ("data.noun", "data.verb", "data.adj", "data.adv")

_LICENCE_LINE = "  "
_SYNSET = re.compile(r"(\d{8}) \d\d ([nvasr]) ([0-9a-f]{2}) (.*)")
_SYNTACTIC_MARKER = re.compile(r"\((?:a|p|ip)\)$")  # where an adjective may stand: galore(ip)
_VERSION = re.compile(r"WordNet (\d+(?:\.\d+)*)")


def senses(folder: Path) -> Iterator[tuple[str, str]]:
    """Synset and lemma of every word in the database."""
    for file in _files(folder):
        for number, line in numbered_lines(file):
            if not line.startswith(_LICENCE_LINE):
                yield from _synset(line, file, number)


def name(folder: Path) -> str:
    """``WordNet-3.0``, by the version that the licence names."""
    for _, line in numbered_lines(_files(folder)[0]):
        if version := _VERSION.search(line):
            return f"WordNet-{version[1]}"
        if not line.startswith(_LICENCE_LINE):
            break
    return "WordNet"


def _files(folder: Path) -> list[Path]:
    found = [folder / file for file in FILES if (folder / file).is_file()]
    if not found:
        raise DataError(
            f"holds no WordNet database ({', '.join(FILES)}); give such a folder or an OMW tab file", folder
        )
    return found


def _synset(line: str, file: Path, number: int) -> Iterator[tuple[str, str]]:
    match = _SYNSET.fullmatch(line.partition(" | ")[0])
    if match is None:
        raise DataError(
            "is not a synset; expected 'offset file type count word id … | gloss', "
            f"found {line[:60]!r}; reinstall the database",
            file,
            number,
        )
    offset, part_of_speech, count, rest = match.groups()
    words = rest.split(" ")[: 2 * int(count, 16) : 2]
    if not words or len(words) != int(count, 16) or not all(words):
        raise DataError(f"promises {int(count, 16)} words and holds fewer; reinstall the database", file, number)
    for word in words:
        yield f"{offset}-{part_of_speech}", _SYNTACTIC_MARKER.sub("", word)
