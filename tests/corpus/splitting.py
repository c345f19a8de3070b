"""Small corpora for the tests of splits and leaks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import insert

from otherwords.corpus.splits.columns import columns_of_pairs
from otherwords.corpus.splits.options import SplitOptions
from otherwords.corpus.splits.split import NOTHING, ReleasedParts, Split, split_corpus
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Pair, Passage

VERBS = ("opened", "closed", "painted", "sold", "mended", "forgot")


def pair(id: str, text1: str | None = None, text2: str | None = None, **fields: Any) -> Pair:
    """A pair; unless texts are given, no other pair has the same."""
    for side in ("doc1", "doc2"):
        if isinstance(fields.get(side), str):
            fields[side] = Passage(id=fields[side], start=0, end=1)
    text1, text2 = text1 or f"Somebody {id} a gate.", text2 or f"A gate was {id} by somebody."
    return Pair(id=id, text1=text1, text2=text2, **fields)


def grouped(groups: Mapping[str, int], labels: str = "4") -> list[Pair]:
    """Pairs in groups of the given sizes, with the labels in turn."""
    return [
        pair(f"{group}-{n}", group=group, label=labels[n % len(labels)])
        for group, count in groups.items()
        for n in range(count)
    ]


def split(pairs: list[Pair], earlier: ReleasedParts = NOTHING, **options: Any) -> Split:
    return split_corpus(columns_of_pairs(lambda: pairs), SplitOptions(**options), earlier)


def parts(result: Split) -> dict[str, str | None]:
    """The part of each pair by its id."""
    return dict(zip(result.table["id"].to_pylist(), result.table["part"].to_pylist(), strict=True))


def sizes(result: Split) -> dict[str, int]:
    """The number of pairs of each part."""
    return {part["part"]: part["pairs"] for part in result.summary["sizes"]}


def stored(project: Project, pairs: Iterable[Pair]) -> None:
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs), [row_of(record) for record in pairs])


def released(project: Project, version: str, time: str, places: Mapping[str, str | None], **meta: Any) -> None:
    """Put a release into the ledger."""
    row = {"version": version, "time": time, "licence": "CC0-1.0", "meta": meta}
    rows = [{"version": version, "pair": id, "part": part} for id, part in places.items()]
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.releases), [row])
        connection.execute(insert(schema.released_pairs), rows)
