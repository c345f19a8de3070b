"""When what others said of a pair opens to somebody, in words.

:mod:`~otherwords.annotate.sight` says whether it is hidden; a page also has to say what to wait for.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from otherwords.annotate.pair_conditions import others
from otherwords.annotate.pair_filter import EVERYTHING
from otherwords.annotate.sight import hidden
from otherwords.annotate.standing import stands
from otherwords.errors import NotFound
from otherwords.project import schema

AFTER_MINE = "when you have judged this pair"
AFTER_ALL = "when all judgements are in"


def opens_when(connection: Connection, viewer: str, role: str, pair: str) -> str | None:
    """What the viewer has to wait for; nothing, where they may see what others said."""
    if pair not in hidden(connection, viewer, role, [pair]):
        return None
    one = schema.judgements
    mine = (one.c.pair == pair, one.c.unit == "pair", one.c.annotator == viewer, stands())
    judged = connection.execute(select(one.c.seq).where(*mine).limit(1)).first()
    return AFTER_ALL if judged else AFTER_MINE


def refuse_absent(connection: Connection, pair: str) -> None:
    """A pair that was removed or withdrawn is as good as none."""
    one = schema.pairs
    there = select(one.c.seq).where(one.c.id == pair, *others(EVERYTHING))
    if connection.execute(there).first() is None:
        raise NotFound(f"there is no pair {pair!r}, or it was removed")
