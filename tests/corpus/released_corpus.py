"""A small project that can be released, and ways to make it unfit."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from otherwords.corpus.release import release
from otherwords.corpus.release_header import front_matter
from otherwords.corpus.release_wishes import Wishes
from otherwords.corpus.released import Released
from otherwords.project import Project, schema
from otherwords.project.rows import TABLES, row_of
from otherwords.records import Document, Judgement, Pair, Passage, Record

LABELS = ("4", "4>", "4<s", "3", "2", "4i", "1", "x")
NAMES = ("anna", "bertil")
TEXT = "The tide turned at dusk. Nobody on the quay had noticed. The tide changed in the evening."


def plain_readme(released: Released) -> Mapping[str, bytes]:
    """The least that a release has to say about itself."""
    return {"README.md": f"{front_matter(released)}\n# {released.name}\n".encode()}


def wishes(**others: Any) -> Wishes:
    return Wishes(**{"version": "1.0", "licence": "CC-BY-SA-4.0", "date": "2024-05-01", **others})


def released(project: Project, **others: Any) -> Released:
    return release(project, wishes(**others), plain_readme)


def add(project: Project, *records: Record) -> None:
    """Put records into the ledger, as an import would."""
    with project.ledger.writing() as connection:
        for record in records:
            table = next(TABLES[kind] for kind in type(record).__mro__ if kind in TABLES)
            connection.execute(insert(table), [row_of(record)])


def pair(number: int, **others: Any) -> Pair:
    """A pair of a group of four; no two have a text in common."""
    told = {"text1": f"Boat {_word(number)} left.", "text2": f"Ship {_word(number)} has sailed."}
    told |= {"id": f"p{number:02}", "lang": "en", "source": "harbour", "group": f"g{number // 4}"}
    return Pair(**told | others)


def _word(number: int) -> str:
    """A word that no other number has much of in common."""
    letters = random.Random(number)
    return "".join(letters.choice("bdfgklmnprstvz") + letters.choice("aeiouy") for _ in range(8))


def said(of: str, value: Any, by: str | None = "anna", **others: Any) -> Judgement:
    told = {"id": f"{of}:{by}", "pair": of, "value": value, "annotator": by, "scheme": "turku"}
    return Judgement(**told | others)


def fill(project: Project, count: int = 40) -> None:
    """Pairs with two judgements each, of two documents, one of them open, and a rewrite."""
    add(project, Document(id="open", text=TEXT, lang="en", source="harbour", licence="CC-BY-SA-4.0"))
    for number in range(count):
        one = pair(number)
        label = LABELS[number % len(LABELS)]
        add(project, one, *(said(one.id, label, by) for by in NAMES))
    spans = {"doc1": Passage(id="open", start=0, end=24), "doc2": Passage(id="open", start=57, end=len(TEXT))}
    add(project, pair(90, text1=TEXT[0:24], text2=TEXT[57:], group="g0", **spans), said("p90", "3"))
    add(
        project,
        pair(91, text1="Boat zu is gone.", text2="Ship zu has gone.", group="g0", rewrite_of="p01"),
        said("p91", "4"),
    )


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows(project: Project, name: str) -> list[Any]:
    with project.ledger.reading() as connection:
        return list(connection.execute(schema.metadata.tables[name].select()))
