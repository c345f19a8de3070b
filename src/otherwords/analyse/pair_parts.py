"""The part of a split that each pair of a corpus is in: of a file as its rows say, of a project as it was split last.

A project that was never split has no parts; looking at it splits nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import select

from otherwords.corpus.corpora import Corpus
from otherwords.corpus.parts import STEP, parts_table, read_parts
from otherwords.project import schema
from otherwords.project.project import Project, opened
from otherwords.records import Pair

PartOf = Callable[[Pair], str | None]


def parts_of(corpus: Corpus) -> PartOf:
    """A function that tells the part of a pair; it is to be asked for all pairs in the order of the corpus."""
    if corpus.kind != "project":
        return told_part
    with opened(corpus.path) as project:
        if not _was_split(project):
            return told_part
        rows = read_parts(parts_table(project))

    def part(pair: Pair) -> str | None:
        """Both tables have the order of the ledger, so what lies between is of pairs that are not looked at."""
        return next((row.part for row in rows if row.id == pair.id), None)

    return part


def told_part(pair: Pair) -> str | None:
    """The part that a pair itself says it is in."""
    told = pair.meta.get("part") or pair.meta.get("split")
    return told if isinstance(told, str) else None


def _was_split(project: Project) -> bool:
    steps = schema.steps
    done = select(steps.c.seq).where(steps.c.name == STEP, steps.c.state == "done").limit(1)
    with project.ledger.reading() as connection:
        return connection.execute(done).first() is not None
