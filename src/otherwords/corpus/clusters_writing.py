"""Clusters into files: a line each, or as sets of references, or as pairs that are to be judged next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from otherwords.corpus.clusters_told import Clusters, references, seed_pairs
from otherwords.errors import DataError
from otherwords.sources.files import replacing
from otherwords.sources.json_writing import write_object
from otherwords.sources.reading import format_for, write

Made = Literal["clusters", "references", "seeds"]
T = TypeVar("T")


def save(found: Clusters, path: str, made: Made, fewest: int = 1) -> int:
    """Write what is made of clusters; how many lines, sets or pairs. Where there are none, nothing is written."""
    target = None if path == "-" else Path(path)
    if made == "seeds":
        format_for(path)
        pairs = _some(list(seed_pairs(found.clusters)), "no positive pair has a group; name groups to have seeds")
        write(pairs, path)
        return len(pairs)
    if made == "references":
        sets = list(references(found.clusters, fewest))
        _some(sets, f"no text has {fewest} references; ask for fewer, or judge more pairs of it")
        with replacing(target) as stream:
            write_object(sets, stream)
        return len(sets)
    with replacing(target) as stream:
        for line in _lines(found):
            stream.write(line)
    return len(found.clusters)


def _some(made: list[T], otherwise: str) -> list[T]:
    if not made:
        raise DataError(otherwise)
    return made


def _lines(found: Clusters) -> Iterator[bytes]:
    encoded: Iterable[bytes] = (msgspec.json.encode(one.as_dict()) for one in found.clusters)
    return (line + b"\n" for line in encoded)
