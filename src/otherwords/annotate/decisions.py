"""Decisions about document pairs and groups: judgements that carry a key and supersede the one before.

In goes what somebody decided, out comes the judgement of the ledger: a new one, or where the same decision came
before under the same key, that one. Nothing is ever changed; ``that_stand`` tells what holds by now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from otherwords.annotate.guidelines import current, reference
from otherwords.annotate.once import id_of
from otherwords.annotate.standing import stands
from otherwords.errors import Conflict, Refused
from otherwords.project import schema
from otherwords.project.rows import record_of_row, records, row_of
from otherwords.records import Judgement, Unit

NOUN = "j"
MOST_NOTE = 4000
ITEMS_A_QUERY = 2000


def said_before(
    connection: Connection, annotator: str, key: str, scheme: str, item: str, value: Any, note: str | None = None
) -> Judgement | None:
    """What was said under the key, if it is the same; something else under it is a mistake of the page."""
    one = schema.judgements
    row = connection.execute(select(one).where(one.c.id == id_of(NOUN, annotator, key))).mappings().first()
    if row is None:
        return None
    if (row["scheme"], row["pair"], row["value"], row["note"]) != (scheme, item, value, note):
        raise Conflict("something else was saved under this key; reload the page")
    return record_of_row(Judgement, dict(row))


def check_saying(seconds: float | None, note: str | None = None) -> None:
    """Refuse what cannot be put down."""
    if seconds is not None and not 0 <= seconds < 1e6:
        raise Refused(f"{seconds} is not a number of seconds")
    if note is not None and (len(note) > MOST_NOTE or "\0" in note):
        raise Refused(
            f"a reason has at most {MOST_NOTE:,} characters, this one {len(note):,}, and none of them is a null"
        )


def say(connection: Connection, judgement: Judgement) -> Judgement:
    """Put a decision down, with the guideline that held for it."""
    told = reference(current(connection, judgement.scheme or ""))
    stored = msgspec.structs.replace(judgement, guideline=told)
    connection.execute(insert(schema.judgements).values(**row_of(stored)))
    return stored


def decisions(connection: Connection, unit: Unit, item: str, scheme: str) -> list[Judgement]:
    """Everything that was decided about one unit in a scheme, the first first."""
    one = schema.judgements
    return list(records(connection, Judgement, one.c.pair == item, one.c.unit == unit, one.c.scheme == scheme))


def that_stand(told: Iterable[Judgement]) -> list[Judgement]:
    """Those that were neither superseded nor taken back."""
    kept = list(told)
    superseded = {one.supersedes for one in kept}
    return [one for one in kept if one.value is not None and one.id not in superseded]


def decided(connection: Connection, unit: Unit, items: Collection[str], scheme: str | None = None) -> set[str]:
    """Which of these units have a judgement that stands, in one scheme or in any."""
    one, wanted = schema.judgements, sorted(items)
    conditions = [one.c.unit == unit, stands(), *([one.c.scheme == scheme] if scheme is not None else [])]
    found: set[str] = set()
    for start in range(0, len(wanted), ITEMS_A_QUERY):
        some = one.c.pair.in_(wanted[start : start + ITEMS_A_QUERY])
        found |= set(connection.execute(select(one.c.pair).where(some, *conditions)).scalars())
    return found
