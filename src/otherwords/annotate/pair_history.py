"""All that was ever said of a pair, as far as somebody may know: their own judgements always, others' in their time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from otherwords.annotate.hidden_tests import WITH_TESTS
from otherwords.annotate.opening import opens_when, refuse_absent
from otherwords.annotate.working import history
from otherwords.errors import NotFound
from otherwords.project import schema
from otherwords.records import Judgement


@dataclass(frozen=True, slots=True)
class Said:
    """A judgement as the history of a pair shows it."""

    id: str
    annotator: str | None
    kind: str
    scheme: str | None
    value: Any
    unsure: bool
    note: str | None
    rewrites: list[tuple[str, str]]
    time: str | None
    guideline: str | None
    supersedes: str | None
    stands: bool


@dataclass(frozen=True, slots=True)
class History:
    """Judgements, the first first, and what is still to come."""

    judgements: list[Said]
    note: str | None


def history_for(connection: Connection, viewer: str, role: str, pair: str) -> History:
    """The history of a pair; one who works for the corpus from outside has only their own part of it."""
    if role == "worker":
        _refuse_unheld(connection, viewer, pair)
        return History(_told(history(connection, pair, [viewer])), None)
    refuse_absent(connection, pair)
    when = opens_when(connection, viewer, role, pair)
    judgements = history(connection, pair, [viewer] if when else None)
    return History(_told(judgements), f"Others' judgements are shown {when}." if when else None)


def _refuse_unheld(connection: Connection, viewer: str, pair: str) -> None:
    one = schema.slots
    mine = (one.c.item == pair, one.c.holder == viewer, one.c.batch.not_in(WITH_TESTS))
    if connection.execute(select(one.c.seq).where(*mine).limit(1)).first() is None:
        raise NotFound(f"there is no pair {pair!r} among those that you took")


def _told(judgements: list[Judgement]) -> list[Said]:
    replaced = {one.supersedes for one in judgements}
    shown = [name for name in Said.__slots__ if name != "stands"]
    return [
        Said(**{name: getattr(one, name) for name in shown}, stands=one.value is not None and one.id not in replaced)
        for one in judgements
    ]
