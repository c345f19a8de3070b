"""Who has judged a pair before, outside a batch: one that asks for others is kept from them.

Only what was said for the corpus itself counts, also where it was taken back: who said it has seen the pair.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, FromClause, ScalarSelect, or_, select

from otherwords.project import schema

IDS_A_QUERY = 500
_said = schema.judgements


def judged_before(slot: FromClause, annotator: Any) -> ScalarSelect[int]:
    """A judgement of the unit of a slot by somebody, from outside the slot's batch; nothing where there is none."""
    mine = (_said.c.pair == slot.c.item, _said.c.annotator == annotator)
    elsewhere = or_(_said.c.batch.is_(None), _said.c.batch != slot.c.batch)
    return select(_said.c.seq).where(*mine, elsewhere, *_counting()).limit(1).correlate(slot).scalar_subquery()


def earlier_judges(connection: Connection, batch: str, items: Collection[str]) -> dict[str, set[str]]:
    """Who has judged these units outside a batch."""
    told: dict[str, set[str]] = {}
    elsewhere = or_(_said.c.batch.is_(None), _said.c.batch != batch)
    names = sorted(items)
    for start in range(0, len(names), IDS_A_QUERY):
        about = (_said.c.pair.in_(names[start : start + IDS_A_QUERY]), _said.c.annotator.is_not(None))
        found = select(_said.c.pair, _said.c.annotator).where(*about, elsewhere, *_counting()).distinct()
        for pair, annotator in connection.execute(found):
            told.setdefault(pair, set()).add(annotator)
    return told


def _counting() -> tuple[Any, ...]:
    return _said.c.unit == "pair", _said.c.purpose == "production", _said.c.kind != "consensus"
