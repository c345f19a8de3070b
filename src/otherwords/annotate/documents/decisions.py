"""Decisions about document pairs and groups: judgements that carry a key and supersede the one before.

A decision that was sent before under the same key is stored once. Nothing is ever changed; ``in_force`` gives
those that still hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.schemes.guidelines import current_guideline, reference
from otherwords.digests import keyed_id
from otherwords.errors import Conflict, Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks, read_records, record_of_row, row_of
from otherwords.project.project import now
from otherwords.records import Judgement, Unit

MAX_REASON = 4000
ITEMS_PER_QUERY = 2000
_judgements = schema.judgements


def prepare(
    annotator: str,
    key: str,
    unit: Unit,
    item: str,
    scheme: str,
    value: Any,
    seconds: float | None = None,
    note: str | None = None,
) -> Judgement:
    """A decision as a page sends it, checked and not stored yet; a value of None takes the last one back."""
    check_seconds(seconds)
    if note is not None and (len(note) > MAX_REASON or "\0" in note):
        message = f"a reason has at most {MAX_REASON:,} characters, this one {len(note):,}, and no null character"
        raise Refused(message, code="bad-reason")
    return Judgement(
        id=keyed_id("j", annotator, key),
        unit=unit,
        pair=item,
        annotator=annotator,
        scheme=scheme,
        value=value,
        note=note,
        seconds=seconds,
        time=now(),
    )


def check_seconds(seconds: float | None) -> None:
    """Refuse an impossible working time."""
    if seconds is not None and not 0 <= seconds < 1e6:
        raise Refused(f"{seconds} is not a number of seconds", code="bad-seconds")


def find_sent(connection: Connection, decision: Judgement) -> Judgement | None:
    """The same decision, if it was stored before; a different one under its key is a mistake of the page."""
    row = connection.execute(select(_judgements).where(_judgements.c.id == decision.id)).mappings().first()
    if row is None:
        return None
    if any(row[name] != getattr(decision, name) for name in ("scheme", "pair", "value", "note")):
        raise Conflict("something else was saved under this key; reload the page", code="key-reused")
    return record_of_row(Judgement, dict(row))


def store(
    connection: Connection, decision: Judgement, supersedes: str | None, meta: dict[str, str | None] | None = None
) -> Judgement:
    """Store a decision with the guideline that was current."""
    guideline = reference(current_guideline(connection, decision.scheme or ""))
    stored = msgspec.structs.replace(decision, guideline=guideline, supersedes=supersedes, meta=meta or {})
    connection.execute(insert(_judgements).values(**row_of(stored)))
    return stored


def load_all(connection: Connection, unit: Unit, item: str, scheme: str) -> list[Judgement]:
    """All decisions about one unit in a scheme, the earliest first."""
    own = (_judgements.c.pair == item, _judgements.c.unit == unit, _judgements.c.scheme == scheme)
    return list(read_records(connection, Judgement, *own))


def in_force(earlier: Iterable[Judgement]) -> list[Judgement]:
    """Those that were neither superseded nor taken back."""
    known = list(earlier)
    superseded = {decision.supersedes for decision in known}
    return [decision for decision in known if decision.value is not None and decision.id not in superseded]


def last_of(annotator: str, earlier: Sequence[Judgement]) -> str | None:
    """The id of an annotator's last decision."""
    return next((decision.id for decision in reversed(earlier) if decision.annotator == annotator), None)


def decided_items(connection: Connection, unit: Unit, items: Collection[str], scheme: str | None = None) -> set[str]:
    """Which of these units have a current judgement, in one scheme or in any."""
    conditions = [_judgements.c.unit == unit, is_current()]
    if scheme is not None:
        conditions.append(_judgements.c.scheme == scheme)
    found: set[str] = set()
    for block in in_blocks(sorted(items), ITEMS_PER_QUERY):
        chosen = select(_judgements.c.pair).where(_judgements.c.pair.in_(block), *conditions)
        found.update(connection.execute(chosen).scalars())
    return found
