"""A small project that can be released."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Table, insert

from otherwords.corpus.release.build import release
from otherwords.corpus.release.metadata_files import front_matter
from otherwords.corpus.release.model import ReleaseModel
from otherwords.corpus.release.options import ReleaseOptions
from otherwords.corpus.verify.verify import problems_before_release
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import TABLES, row_of
from otherwords.records import Document, Judgement, Pair, Passage, Record

LABELS = ("4", "4>", "4<s", "3", "2", "4i", "1", "x")
NAMES = ("anna", "bertil")
TEXT = "The tide turned at dusk. Nobody on the quay had noticed. The tide changed in the evening."


def plain_readme(release: ReleaseModel) -> Mapping[str, bytes]:
    """The shortest description of a release."""
    return {"README.md": f"{front_matter(release)}\n# {release.name}\n".encode()}


def release_options(**options: Any) -> ReleaseOptions:
    return ReleaseOptions(**{"version": "1.0", "licence": "CC-BY-SA-4.0", "date": "2024-05-01", **options})


def released(project: Project, **options: Any) -> ReleaseModel:
    return release(project, release_options(**options), plain_readme, problems_before_release)


def add(project: Project, *records: Record) -> None:
    """Put records into the ledger, as an import would: in one transaction, and those of a table together."""
    by_table: dict[Table, list[dict[str, Any]]] = {}
    for record in records:
        table = next(TABLES[kind] for kind in type(record).__mro__ if kind in TABLES)
        by_table.setdefault(table, []).append(row_of(record))
    with project.ledger.writing() as connection:
        for table, table_rows in by_table.items():
            connection.execute(insert(table), table_rows)


def pair(number: int, **fields: Any) -> Pair:
    """A pair of a group of four; no two pairs have a text in common."""
    defaults = {"text1": f"Boat {_word(number)} left.", "text2": f"Ship {_word(number)} has sailed."}
    defaults |= {"id": f"p{number:02}", "lang": "en", "source": "harbour", "group": f"g{number // 4}"}
    defaults |= {"licence": "CC-BY-SA-4.0"}
    return Pair(**defaults | fields)


def _word(number: int) -> str:
    """A word that has little in common with that of any other number."""
    letters = random.Random(number)
    return "".join(letters.choice("bdfgklmnprstvz") + letters.choice("aeiouy") for _ in range(8))


def judgement(pair_id: str, value: Any, annotator: str | None = "anna", **fields: Any) -> Judgement:
    defaults = {"id": f"{pair_id}:{annotator}", "pair": pair_id, "value": value, "annotator": annotator}
    return Judgement(**defaults | {"scheme": "turku"} | fields)


def fill(project: Project, count: int = 40) -> None:
    """Add pairs with two judgements each, one pair from a document, and a rewrite."""
    records: list[Record] = [Document(id="open", text=TEXT, lang="en", source="harbour", licence="CC-BY-SA-4.0")]
    for number in range(count):
        new, label = pair(number), LABELS[number % len(LABELS)]
        records += [new, *(judgement(new.id, label, name) for name in NAMES)]
    spans = {"doc1": Passage(id="open", start=0, end=24), "doc2": Passage(id="open", start=57, end=len(TEXT))}
    records += [pair(90, text1=TEXT[0:24], text2=TEXT[57:], group="g0", **spans), judgement("p90", "3")]
    rewrite = pair(91, text1="Boat zu is gone.", text2="Ship zu has gone.", group="g0", rewrite_of="p01")
    add(project, *records, rewrite, judgement("p91", "4"))


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows(project: Project, name: str) -> list[Any]:
    with project.ledger.reading() as connection:
        return list(connection.execute(schema.metadata.tables[name].select()))
