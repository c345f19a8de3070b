"""Completion codes: what people of a crowd show where they are paid, and how curators check it.

A code is random and given once: when somebody has given the answers that the introduction of a batch asks for, or when
nothing of the batch is left for them. It says nothing of which answers were tests.
"""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, insert, select

from otherwords.annotate.batches.batch import load_batch
from otherwords.annotate.batches.slots import lock_taker
from otherwords.annotate.crowd.introduction import introduction_of, require_consent
from otherwords.annotate.crowd.platforms import worker_ids
from otherwords.annotate.crowd.slot_handles import SlotHandles
from otherwords.annotate.work.reservations import require_active, require_member, reserve
from otherwords.errors import Conflict, NotFound
from otherwords.project.ledger import schema
from otherwords.project.project import now

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no letter that reads like a digit
GROUP, GROUPS = 5, 2  # 50 bits: nobody guesses one
_READ_AS = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
_codes, _consents, _takers = schema.completion_codes, schema.consents, schema.takers
_COLUMNS = (_codes.c.batch, _codes.c.annotator, _codes.c.code, _codes.c.answers, _codes.c.time)


@dataclass(frozen=True, slots=True)
class CompletionCode:
    """The code of somebody in a batch; ``answers`` is how many they had given when they got it."""

    batch: str
    annotator: str
    code: str
    answers: int
    time: str


@dataclass(frozen=True, slots=True)
class CheckedCode:
    """A code that somebody handed in: whose it is, how many answers they have given by now, and their state."""

    code: str
    batch: str
    worker: str
    time: str
    answers: int
    state: str
    platform_id: str | None = None  # by which they are paid, with the name of the platform


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody who agreed to the introduction of a batch: version and time, and their completion code if they have it.

    Who agreed to several versions is listed once for each.
    """

    worker: str
    version: int
    agreed: str
    code: str | None = None
    completed: str | None = None
    platform_id: str | None = None


def completion_code(
    connection: Connection, name: str, annotator: str, handles: SlotHandles | None = None
) -> CompletionCode:
    """The code of somebody who has done what the introduction asks for; the same each time."""
    batch = load_batch(connection, name)
    require_member(batch, annotator)
    introduction = introduction_of(connection, name)
    taker = lock_taker(connection, name, annotator)
    own = (_codes.c.annotator == annotator, _codes.c.batch == name)
    known = connection.execute(select(*_COLUMNS).where(*own).order_by(_codes.c.seq).limit(1)).mappings().first()
    if known is not None:
        return CompletionCode(**known)
    if introduction.code_after is None:
        raise NotFound(f"the batch {name!r} gives no completion codes", code="no-completion-code")
    if taker is None or not taker.done:
        raise Conflict("answer something first; the completion code comes at the end", code="not-finished")
    require_active(taker.state)
    require_consent(taker, name)
    if introduction.code_after and taker.done < introduction.code_after:
        message = f"the completion code comes after {introduction.code_after:,} answers; you have given {taker.done:,}"
        raise Conflict(message, code="not-finished")
    if not introduction.code_after and reserve(connection, batch, annotator, 1, handles):
        message = "the completion code comes when nothing is left for you; there is more to do"
        raise Conflict(message, code="not-finished")
    code = CompletionCode(name, annotator, _new_code(), taker.done, now())
    connection.execute(insert(_codes).values(**asdict(code)))
    return code


def check_code(connection: Connection, name: str, code: str) -> CheckedCode:
    """Whose completion code of a batch this is, however it was typed."""
    load_batch(connection, name)
    spelled = spell(code)
    same = (_codes.c.code == spelled, _codes.c.batch == name)
    taker = (_takers.c.batch == _codes.c.batch) & (_takers.c.annotator == _codes.c.annotator)
    query = select(*_COLUMNS, _takers.c.done, _takers.c.state).join_from(_codes, _takers, taker, isouter=True)
    row = connection.execute(query.where(*same)).first()
    if row is None:
        message = f"{code.strip()[:40]!r} is not a completion code of the batch {name!r}"
        raise NotFound(message, "code", code="no-such-code")
    answers, state = (row.done, row.state) if row.done is not None else (row.answers, "active")
    platform_id = worker_ids(connection, name).get(row.annotator)
    return CheckedCode(row.code, name, row.annotator, row.time, answers, state, platform_id)


def spell(code: str) -> str:
    """A code as it is stored: capitals in groups, with digits for the letters that look like them."""
    plain = code.upper().translate(_READ_AS)
    return "-".join(plain[start : start + GROUP] for start in range(0, len(plain), GROUP))


def participants(connection: Connection, name: str) -> list[Participant]:
    """Everybody who agreed to the introduction of a batch, the first first."""
    load_batch(connection, name)
    has_code = (_codes.c.batch == _consents.c.batch) & (_codes.c.annotator == _consents.c.annotator)
    columns = (_consents.c.annotator, _consents.c.version, _consents.c.time, _codes.c.code, _codes.c.time)
    query = select(*columns).join_from(_consents, _codes, has_code, isouter=True).where(_consents.c.batch == name)
    ids = worker_ids(connection, name)
    return [Participant(*row, ids.get(row.annotator)) for row in connection.execute(query.order_by(_consents.c.seq))]


def batches_with_code(connection: Connection, annotator: str) -> list[str]:
    """The batches in which somebody agreed to an introduction that promises a completion code."""
    introductions = schema.introductions
    same = (introductions.c.batch == _consents.c.batch) & (introductions.c.version == _consents.c.version)
    promised = (_consents.c.annotator == annotator, introductions.c.code_after.is_not(None))
    query = select(_consents.c.batch, _consents.c.seq).join_from(_consents, introductions, same).where(*promised)
    return list(dict.fromkeys(row.batch for row in connection.execute(query.order_by(_consents.c.seq))))


def _new_code() -> str:
    return spell("".join(secrets.choice(ALPHABET) for _ in range(GROUP * GROUPS)))
