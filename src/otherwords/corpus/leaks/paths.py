"""Leaks between corpora named by paths: two corpora, parts of them, or all parts of one with each other.

``CORPUS:PART`` is a part of a project, of a release, or of a file whose pairs have their part under ``meta``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from otherwords.corpus.corpus import Corpus, open_corpus
from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import read_table
from otherwords.corpus.leaks.find import KINDS, NEAR, Leaks, compare_parts
from otherwords.corpus.splits.files import PlacedPair, is_project, plain_pair
from otherwords.corpus.splits.options import KNOWN
from otherwords.corpus.splits.step import parts_table, read_parts
from otherwords.errors import DataError
from otherwords.project.project import open_project
from otherwords.records import Pair
from otherwords.registry import suggest

Read = Callable[[], Iterator[PlacedPair]]
Note = Callable[[str], None]  # is called with a sentence for the user


def find_leaks(
    a: str, b: str | None = None, *, near: float | None = NEAR, note: Note = lambda message: None, **reading: Any
) -> list[Leaks]:
    """What two corpora, or every two parts of one, have in common; ``note`` gets sentences about rejected rows."""
    if b is not None:
        names = (a, b) if a != b else (f"{a} (1)", f"{b} (2)")
        sides = (_pairs_of(a, note, **reading), _pairs_of(b, note, **reading))
        return list(compare_parts(dict(zip(names, sides, strict=True)), near).values())
    read = _read_placed(a, note, **reading)
    parts = _part_names(read)
    if len(parts) < 2:
        raise DataError("its pairs are not in several parts; split it first, or name two corpora", a, code="no-parts")
    return list(compare_parts({part: _in_part(read, part) for part in parts}, near).values())


def leaks_as_json(comparisons: Sequence[Leaks]) -> dict[str, object]:
    """Comparisons as JSON: the leaks of each kind, their numbers, and the numbers of each comparison."""
    compared = [{"between": leaks.between, "counts": leaks.counts} for leaks in comparisons]
    total = {kind: sum(leaks.counts[kind] for leaks in comparisons) for kind in KINDS}
    rows = {
        kind: [{**row, "between": leaks.between} for leaks in comparisons for row in leaks.rows(kind)] for kind in KINDS
    }
    return {"compared": compared, "counts": total, **rows, "signature": comparisons[0].signature}


def leak_rows(comparisons: Iterable[Leaks]) -> Iterator[dict[str, object]]:
    """Every leak with its kind, for a file of lines."""
    for leaks in comparisons:
        for kind in KINDS:
            yield from ({"kind": kind, "between": leaks.between, **row} for row in leaks.rows(kind))


def _pairs_of(path: str, note: Note, **reading: Any) -> Iterable[Pair]:
    """The pairs of a corpus, or of a part of one."""
    whole, colon, part = path.rpartition(":")
    if not colon or Path(path).exists() or not Path(whole).exists():
        return _noted_corpus(path, note, **reading).pairs()
    read = _read_placed(whole, note, **reading)
    known = _part_names(read)
    if part not in known:
        hint = suggest(part, known) if known else "; its pairs are in no part"
        raise DataError(f"no part is called {part!r}{hint}", whole, code="no-such-part")
    return _in_part(read, part)


def _noted_corpus(path: str, note: Note, **reading: Any) -> Corpus:
    corpus = open_corpus(path, **reading)
    for message in corpus.notes:
        note(f"{path}: {message}")
    return corpus


def _read_placed(path: str, note: Note, **reading: Any) -> Read:
    """A function that reads the pairs of a corpus, each with its part."""
    if is_project(path):
        with open_project(path) as project:
            parts, labels = parts_table(project), labels_table(project)
        return lambda: (
            (plain_pair(row), place.part) for row, place in zip(read_table(labels), read_parts(parts), strict=True)
        )
    corpus = _noted_corpus(path, note, **reading)

    def read() -> Iterator[PlacedPair]:
        for pair in corpus.pairs():
            part = pair.meta.get("part", pair.meta.get("fold"))
            yield pair, None if part is None else str(part)

    return read


def _part_names(read: Read) -> list[str]:
    """The names of all parts: train, dev and test, then others by name and folds by number."""
    names = {part for _, part in read() if part is not None}
    return [*(name for name in KNOWN if name in names), *sorted(names - set(KNOWN), key=lambda name: (len(name), name))]


def _in_part(read: Read, part: str) -> Iterator[Pair]:
    return (pair for pair, place in read() if place == part)
