"""The history of a pair as far as somebody may see it: their own judgements always, others' when they are open.

What models say is shown to nobody who has not judged the pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from otherwords.annotate.crowd.hidden_tests import BATCHES_WITH_TESTS
from otherwords.annotate.visibility import hides_models, opens_when, require_pair
from otherwords.errors import NotFound
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.records import MODEL, Judgement


@dataclass(frozen=True, slots=True)
class HistoryEntry:
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
    """Judgements, the earliest first, and a note on what is not shown yet."""

    judgements: list[HistoryEntry]
    note: str | None


def history_for(connection: Connection, viewer: str, role: str, pair: str) -> History:
    """The history of a pair; crowd workers see their own part of it only."""
    slots, columns, when = schema.slots, schema.judgements.c, None
    if role == "worker":
        own = (slots.c.item == pair, slots.c.holder == viewer, slots.c.batch.not_in(BATCHES_WITH_TESTS))
        if connection.execute(select(slots.c.seq).where(*own).limit(1)).first() is None:
            raise NotFound(f"there is no pair {pair!r} among those that you took", code="no-such-pair")
    else:
        require_pair(connection, pair)
        when = opens_when(connection, viewer, role, pair)
    visible = [columns.annotator == viewer] if role == "worker" or when else []
    if hides_models(connection, viewer, pair):
        visible.append(columns.kind != MODEL)
    judgements = list(read_records(connection, Judgement, columns.unit == "pair", columns.pair == pair, *visible))
    replaced = {judgement.supersedes for judgement in judgements}
    shared = [name for name in HistoryEntry.__slots__ if name != "stands"]
    entries = []
    for judgement in judgements:
        stands = judgement.value is not None and judgement.id not in replaced
        entries.append(HistoryEntry(**{name: getattr(judgement, name) for name in shared}, stands=stands))
    return History(entries, f"Others' judgements are shown {when}." if when else None)
