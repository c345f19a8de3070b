"""What the ledger of a served project has, asked past the site."""

from __future__ import annotations

from pathlib import Path

from otherwords.annotate.current_judgements import is_current
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.records import Judgement, Pair


def judgements(folder: Path, annotator: str) -> list[Judgement]:
    """All that somebody ever said, in its order."""
    with open_project(folder) as project, project.ledger.reading() as connection:
        return list(read_records(connection, Judgement, schema.judgements.c.annotator == annotator))


def standing(folder: Path, annotator: str) -> dict[str, object]:
    """What somebody's judgements say now, by pair; rewrites' own are left out."""
    with open_project(folder) as project, project.ledger.reading() as connection:
        valid = read_records(connection, Judgement, schema.judgements.c.annotator == annotator, is_current())
        return {judgement.pair: judgement.value for judgement in valid if not judgement.meta.get("rewrite")}


def pairs(folder: Path, method: str) -> list[Pair]:
    """The pairs that came about in some way and were not removed."""
    with open_project(folder) as project, project.ledger.reading() as connection:
        conditions = (schema.pairs.c.method == method, schema.pairs.c.state.is_(None))
        return list(read_records(connection, Pair, *conditions))
