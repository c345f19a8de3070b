"""Readers of wordnets: tab files of the Open Multilingual Wordnet, and WordNet's own database files.

Both give pairs of synset and lemma. The first line of a tab file is ``# name ⇥ language ⇥ address ⇥ licence``; the
others are ``synset ⇥ lang:lemma ⇥ lemma``, mixed with lines of other kinds (``lang:def``, ``lang:exe``). These, and
the empty lemmas that released files contain, are skipped. A line of ``data.noun`` and its three siblings is ``offset
file type count word id word id … | gloss``, with the count in hexadecimal; the licence comes first, in lines that
start with two blanks (wndb(5WN)). A line of any other shape is a DataError.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from otherwords.errors import DataError

Sense = tuple[str, str]  # synset, lemma
WORDNET_FILES = ("data.noun", "data.verb", "data.adj", "data.adv")

_OMW_SYNSET = re.compile(r"\d{8}-[nvasr]")
_OMW_KIND = re.compile(r"(?:[a-z]{2,3}(?:[-_][A-Za-z0-9]+)*:)?([a-z]+)(?::[a-z]+)?")  # als:lemma, lemma, arb:lemma:root
_LICENCE_LINE = "  "
_WORDNET_SYNSET = re.compile(r"(\d{8}) \d\d ([nvasr]) ([0-9a-f]{2}) (.*)")
_SYNTACTIC_MARKER = re.compile(r"\((?:a|p|ip)\)$")  # where an adjective may stand: galore(ip)
_WORDNET_VERSION = re.compile(r"WordNet (\d+(?:\.\d+)*)")


def omw_header(path: Path) -> tuple[str, str]:
    """Name and licence of a tab file; without a header, the name of the file."""
    _, first = next(numbered_lines(path), (1, ""))
    if not first.startswith("#"):
        return path.stem, ""
    fields = [field.strip() for field in first.removeprefix("#").split("\t")]
    name, lang, _, licence = (fields + [""] * 4)[:4]
    return "-".join(part for part in (name, lang) if part) or path.stem, licence


def omw_senses(path: Path) -> Iterator[Sense]:
    """The senses of a tab file: one for each lemma line."""
    for number, line in numbered_lines(path):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        kind = _OMW_KIND.fullmatch(fields[1]) if len(fields) >= 3 else None
        if kind is None or not _OMW_SYNSET.fullmatch(fields[0]):
            message = (
                "is not a line of an OMW tab file; expected synset ⇥ lang:lemma ⇥ lemma, "
                f"such as 00002098-a ⇥ fin:lemma ⇥ …, found {line[:60]!r}"
            )
            raise DataError(message, path, number, code="not-an-omw-line")
        if kind[1] == "lemma" and fields[2].strip():
            yield fields[0], fields[2]


def wordnet_name(folder: Path) -> str:
    """``WordNet-3.0``, by the version that the licence names."""
    for _, line in numbered_lines(wordnet_files(folder)[0]):
        if version := _WORDNET_VERSION.search(line):
            return f"WordNet-{version[1]}"
        if not line.startswith(_LICENCE_LINE):
            break
    return "WordNet"


def wordnet_senses(folder: Path) -> Iterator[Sense]:
    """The senses of a WordNet database: one for each word of each synset."""
    for file in wordnet_files(folder):
        for number, line in numbered_lines(file):
            if not line.startswith(_LICENCE_LINE):
                yield from _wordnet_synset(line, file, number)


def wordnet_files(folder: Path) -> list[Path]:
    """The files of a WordNet database that a folder has; none is an error."""
    files = [folder / file for file in WORDNET_FILES if (folder / file).is_file()]
    if not files:
        reason = f"has no WordNet database ({', '.join(WORDNET_FILES)}); give such a folder or an OMW tab file"
        raise DataError(reason, folder, code="not-a-wordnet")
    return files


def _wordnet_synset(line: str, file: Path, number: int) -> Iterator[Sense]:
    match = _WORDNET_SYNSET.fullmatch(line.partition(" | ")[0])
    if match is None:
        message = (
            "is not a synset; expected 'offset file type count word id … | gloss', "
            f"found {line[:60]!r}; reinstall the database"
        )
        raise DataError(message, file, number, code="not-a-synset")
    offset, part_of_speech, count, rest = match.groups()
    words = rest.split(" ")[: 2 * int(count, 16) : 2]
    if not words or len(words) != int(count, 16) or not all(words):
        reason = f"announces {int(count, 16)} words and has fewer; reinstall the database"
        raise DataError(reason, file, number, code="incomplete-synset")
    for word in words:
        yield f"{offset}-{part_of_speech}", _SYNTACTIC_MARKER.sub("", word)


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file, numbered from 1."""
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, start=1):
                yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except OSError as problem:
        raise DataError(f"cannot be read: {problem.strerror}", path, code="file-unreadable") from problem
    except UnicodeDecodeError as problem:
        raise DataError("is not UTF-8; convert the file first", path, number, code="not-utf8") from problem
