"""Threads for those who may see them: what is said of a pair is out of sight as long as its judgements are.

In go who asks and what about, out come the threads of :mod:`~otherwords.annotate.discussing`, or the reason why not
yet. About document pairs, which nobody judges blindly, everybody of the team may talk at once.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from otherwords.annotate import discussing
from otherwords.annotate.discussing import Action, Remark, Thread, Unit, Waiting
from otherwords.annotate.opening import opens_when, refuse_absent
from otherwords.annotate.pair_conditions import others
from otherwords.annotate.pair_filter import EVERYTHING
from otherwords.annotate.sight import hidden
from otherwords.errors import NotAllowed, Refused
from otherwords.project import schema

MOST_ON_A_PAGE = 200


def thread(connection: Connection, viewer: str, role: str, unit: Unit, item: str) -> Thread:
    """The thread of a unit."""
    _refuse_hidden(connection, viewer, role, unit, item)
    return discussing.thread(connection, unit, item)


def take_part(
    connection: Connection, viewer: str, role: str, unit: Unit, item: str, action: Action, text: str, key: str
) -> Remark:
    """Say something about a unit, resolve its thread or open it again."""
    _refuse_hidden(connection, viewer, role, unit, item)
    if action == "say":
        return discussing.say(connection, viewer, unit, item, text, key)
    if text.strip():
        raise Refused("only a remark has a text; say it first, then resolve or reopen the thread")
    settle = discussing.resolve if action == "resolve" else discussing.reopen
    return settle(connection, viewer, unit, item, key)


def queue(connection: Connection, viewer: str, role: str, most: int, after: str | None = None) -> list[Waiting]:
    """The open threads that somebody may see, those that mention them first."""

    def out_of_sight(pairs: list[str]) -> set[str]:
        return hidden(connection, viewer, role, pairs) | _absent(connection, pairs)

    return discussing.queue(connection, viewer, min(most, MOST_ON_A_PAGE), after, out_of_sight)


def _refuse_hidden(connection: Connection, viewer: str, role: str, unit: Unit, item: str) -> None:
    if role == "worker":
        raise NotAllowed("discussions are for the team of the corpus")
    if unit == "pair":
        refuse_absent(connection, item)
        if when := opens_when(connection, viewer, role, item):
            raise NotAllowed(f"The discussion opens {when}")


def _absent(connection: Connection, pairs: list[str]) -> set[str]:
    one = schema.pairs
    there = select(one.c.id).where(one.c.id.in_(pairs), *others(EVERYTHING))
    return set(pairs) - set(connection.execute(there).scalars()) if pairs else set()
