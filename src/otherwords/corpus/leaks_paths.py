"""Leaks between what a user names: two corpora, parts of them, or all parts of one with each other.

``CORPUS:PART`` is a part of a project, of a release, or of a file whose pairs say theirs under ``meta``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from otherwords.corpus.corpora import corpus_of
from otherwords.corpus.labelled import read_table
from otherwords.corpus.labelling import labels_table
from otherwords.corpus.leaks import KINDS, NEAR, Leaks, leaks_between
from otherwords.corpus.parts import parts_table, read_parts
from otherwords.corpus.split_files import is_project, plain_pair
from otherwords.corpus.split_wishes import KNOWN
from otherwords.errors import DataError
from otherwords.project.project import opened
from otherwords.records import Pair
from otherwords.registry import suggest

Placed = tuple[Pair, str | None]
Read = Callable[[], Iterator[Placed]]


def leaks_of_paths(a: str, b: str | None = None, *, near: float | None = NEAR, **reading: Any) -> list[Leaks]:
    """What two corpora have in common or, where one is named, every two parts of it."""
    if b is not None:
        (one, pairs1), (two, pairs2) = _named(a, reading), _named(b, reading)
        names = (one, two) if one != two else (f"{one} (1)", f"{two} (2)")
        return list(leaks_between(dict(zip(names, (pairs1, pairs2), strict=True)), near).values())
    read = _placed(a, reading)
    names_of_parts = _parts(read)
    if len(names_of_parts) < 2:
        raise DataError("its pairs are not in several parts; split it first, or name two corpora", a)
    return list(leaks_between({part: _of_part(read, part) for part in names_of_parts}, near).values())


def told(found: Sequence[Leaks]) -> dict[str, Any]:
    """All of them, fit for JSON: for each kind its rows, and which were compared with how many of each."""
    compared = [{"between": one.between, "counts": one.counts} for one in found]
    total = {kind: sum(one.counts[kind] for one in found) for kind in KINDS}
    rows = {kind: [{**row, "between": one.between} for one in found for row in one.rows(kind)] for kind in KINDS}
    return {"compared": compared, "counts": total, **rows, "signature": found[0].signature}


def rows_of(found: Iterable[Leaks]) -> Iterator[dict[str, Any]]:
    """Every row with its kind, for a file of lines."""
    for one in found:
        for kind in KINDS:
            yield from ({"kind": kind, "between": one.between, **row} for row in one.rows(kind))


def _named(path: str, reading: dict[str, Any]) -> tuple[str, Iterable[Pair]]:
    """A corpus, or a part of one, with a name for it."""
    whole, colon, part = path.rpartition(":")
    if not colon or Path(path).exists() or not Path(whole).exists():
        return path, corpus_of(path, **reading).pairs()
    read = _placed(whole, reading)
    known = _parts(read)
    if part not in known:
        hint = suggest(part, known) if known else "; its pairs are in no part"
        raise DataError(f"no part is called {part!r}{hint}", whole)
    return path, _of_part(read, part)


def _placed(path: str, reading: dict[str, Any]) -> Read:
    """The pairs of a corpus, as often as they are asked for, each with its part."""
    if is_project(path):
        with opened(path) as project:
            parts, labels = parts_table(project), labels_table(project)
        return lambda: (
            (plain_pair(row), place.part) for row, place in zip(read_table(labels), read_parts(parts), strict=True)
        )
    corpus = corpus_of(path, **reading)
    return lambda: ((pair, _part_of(pair)) for pair in corpus.pairs())


def _part_of(pair: Pair) -> str | None:
    told = pair.meta.get("part", pair.meta.get("fold"))
    return None if told is None else str(told)


def _parts(read: Read) -> list[str]:
    """The parts that there are: train, dev and test, then others by name and folds by number."""
    found = {part for _, part in read() if part is not None}
    return [*(name for name in KNOWN if name in found), *sorted(found - set(KNOWN), key=lambda one: (len(one), one))]


def _of_part(read: Read, part: str) -> Iterator[Pair]:
    return (pair for pair, place in read() if place == part)
