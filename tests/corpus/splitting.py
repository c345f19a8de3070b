"""Corpora made up for the tests of splits and leaks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import insert

from otherwords.corpus.split import Split, split_of
from otherwords.corpus.split_columns import of_pairs
from otherwords.corpus.split_kept import NOTHING, Kept
from otherwords.corpus.split_wishes import Wishes
from otherwords.project import Project, schema
from otherwords.project.rows import row_of
from otherwords.records import Pair, Passage

VERBS = ("opened", "closed", "painted", "sold", "mended", "forgot")


def pair(id: str, text1: str | None = None, text2: str | None = None, **told: Any) -> Pair:
    """A pair whose texts no other pair has, where none are given."""
    for side in ("doc1", "doc2"):
        if isinstance(told.get(side), str):
            told[side] = Passage(id=told[side], start=0, end=1)
    one, two = text1 or f"Somebody {id} a gate.", text2 or f"A gate was {id} by somebody."
    return Pair(id=id, text1=one, text2=two, **told)


def grouped(groups: Mapping[str, int], labels: str = "4") -> list[Pair]:
    """So many pairs in each group, the labels in turn."""
    made: list[Pair] = []
    for group, count in groups.items():
        made += [pair(f"{group}-{n}", group=group, label=labels[n % len(labels)]) for n in range(count)]
    return made


def split(pairs: list[Pair], kept: Kept = NOTHING, **wishes: Any) -> Split:
    return split_of(of_pairs(lambda: pairs), Wishes(**wishes), kept)


def parts(made: Split) -> dict[str, str | None]:
    """The part of each pair by its id."""
    return dict(zip(made.table["id"].to_pylist(), made.table["part"].to_pylist(), strict=True))


def sizes(made: Split) -> dict[str, int]:
    return {one["part"]: one["pairs"] for one in made.summary["sizes"]}


def stored(project: Project, pairs: Iterable[Pair]) -> None:
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs), [row_of(one) for one in pairs])


def released(project: Project, version: str, time: str, places: Mapping[str, str | None], **meta: Any) -> None:
    """Note a release as the ledger has it."""
    row = {"version": version, "time": time, "licence": "CC0-1.0", "meta": meta}
    rows = [{"version": version, "pair": one, "part": part} for one, part in places.items()]
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.releases), [row])
        connection.execute(insert(schema.released_pairs), rows)
