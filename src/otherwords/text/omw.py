"""Tab files of the Open Multilingual Wordnet.

The first line is ``# name ⇥ language ⇥ address ⇥ licence``; the others are ``synset ⇥ lang:lemma ⇥
lemma``, between lines of other kinds (``lang:def``, ``lang:exe``). In goes such a file, out come pairs
of synset and lemma. Other kinds and the empty lemmas that released files hold are passed over; a line
of another shape is a DataError.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from otherwords.errors import DataError
from otherwords.text.lines import numbered_lines

_SYNSET = re.compile(r"\d{8}-[nvasr]")
_KIND = re.compile(r"(?:[a-z]{2,3}(?:[-_][A-Za-z0-9]+)*:)?([a-z]+)(?::[a-z]+)?")  # als:lemma, lemma, arb:lemma:root
_LEMMA = "lemma"


@dataclass(frozen=True, slots=True)
class Header:
    """Which wordnet a file is, and on what terms."""

    name: str
    licence: str


def header(path: Path) -> Header:
    """The header, or the file's name where it has none."""
    _, first = next(numbered_lines(path), (1, ""))
    if not first.startswith("#"):
        return Header(path.stem, "")
    fields = [field.strip() for field in first.removeprefix("#").split("\t")]
    name, lang, _, licence = (fields + [""] * 4)[:4]
    return Header("-".join(part for part in (name, lang) if part) or path.stem, licence)


def senses(path: Path) -> Iterator[tuple[str, str]]:
    """Synset and lemma of every lemma line."""
    for number, line in numbered_lines(path):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        kind = _KIND.fullmatch(fields[1]) if len(fields) >= 3 else None
        if kind is None or not _SYNSET.fullmatch(fields[0]):
            raise DataError(
                "is not a line of an OMW tab file; expected synset ⇥ lang:lemma ⇥ lemma, "
                f"such as 00002098-a ⇥ fin:lemma ⇥ …, found {line[:60]!r}",
                path,
                number,
            )
        if kind[1] == _LEMMA and fields[2].strip():
            yield fields[0], fields[2]
