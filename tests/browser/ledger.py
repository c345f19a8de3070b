"""What the ledger of a served project has, asked past the site."""

from __future__ import annotations

from pathlib import Path

from otherwords.annotate.standing import stands
from otherwords.project import opened, schema
from otherwords.project.rows import records
from otherwords.records import Judgement, Pair


def judgements(folder: Path, annotator: str) -> list[Judgement]:
    """All that somebody ever said, in its order."""
    with opened(folder) as project, project.ledger.reading() as connection:
        return list(records(connection, Judgement, schema.judgements.c.annotator == annotator))


def standing(folder: Path, annotator: str) -> dict[str, object]:
    """What somebody's judgements say now, by pair; rewrites' own are left out."""
    with opened(folder) as project, project.ledger.reading() as connection:
        found = records(connection, Judgement, schema.judgements.c.annotator == annotator, stands())
        return {one.pair: one.value for one in found if not one.meta.get("rewrite")}


def pairs(folder: Path, method: str) -> list[Pair]:
    """The pairs that came about in some way and were not removed."""
    with opened(folder) as project, project.ledger.reading() as connection:
        there = (schema.pairs.c.method == method, schema.pairs.c.state.is_(None))
        return list(records(connection, Pair, *there))
