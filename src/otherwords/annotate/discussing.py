"""Discussing: a thread about a pair or a document pair, open until somebody resolves it.

A thread is all that was said about one unit, in its order. Nothing in it is changed: that it was resolved or opened
again is a remark too. ``@anna`` calls somebody to it. Whoever shows a thread decides before who may see it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, get_args

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, Table, Text, and_, case, cast, desc, func, or_, select

from otherwords.annotate import once
from otherwords.annotate.mentions import mentioned
from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project import schema
from otherwords.project.ledger import insert_new
from otherwords.project.project import now

Unit = Literal["pair", "document_pair"]
Action = Literal["say", "resolve", "reopen"]
MOST_CHARACTERS = 4000
TABLES: dict[str, Table] = {"pair": schema.pairs, "document_pair": schema.document_pairs}
SNIPPET = 140
THREADS_AT_A_TIME = 200
Hidden = Callable[[list[str]], set[str]]  # of these pairs, those that somebody may not see yet
_SAID = ("unit", "item", "author", "action", "text")


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody said, or did with a thread."""

    id: str
    unit: Unit
    item: str
    author: str | None
    action: Action
    text: str
    mentions: tuple[str, ...]
    time: str


@dataclass(frozen=True, slots=True)
class Thread:
    """All that was said about a unit, the first remark first."""

    unit: Unit
    item: str
    remarks: tuple[Remark, ...]

    @property
    def open(self) -> bool:
        """Whether there is something to talk about: somebody said something, and nobody resolved it since."""
        settled = [remark.action for remark in self.remarks if remark.action != "say"]
        return bool(self.remarks) and settled[-1:] != ["resolve"]


def say(connection: Connection, author: str, unit: Unit, item: str, text: str, key: str) -> Remark:
    """Add a remark to the thread of a unit."""
    told = _checked(text)
    _refuse_unknown(connection, unit, item)
    return _add(connection, author, unit, item, "say", told, key)


def resolve(connection: Connection, author: str, unit: Unit, item: str, key: str) -> Remark:
    """Close a thread: what was asked is answered."""
    return _settle(connection, author, unit, item, "resolve", key)


def reopen(connection: Connection, author: str, unit: Unit, item: str, key: str) -> Remark:
    """Open a thread again."""
    return _settle(connection, author, unit, item, "reopen", key)


def thread(connection: Connection, unit: Unit, item: str) -> Thread:
    """The thread of a unit; one that nobody has begun has no remarks."""
    _refuse_unknown(connection, unit, item)
    one = schema.remarks
    about = select(one).where(one.c.unit == unit, one.c.item == item).order_by(one.c.seq)
    return Thread(unit, item, tuple(_remark(row) for row in connection.execute(about).mappings()))


def _checked(text: str) -> str:
    told = text.replace("\r\n", "\n").strip()
    if not told:
        raise Refused("there is nothing in this remark")
    if len(told) > MOST_CHARACTERS:
        raise Refused(f"a remark has at most {MOST_CHARACTERS:,} characters, this one has {len(told):,}")
    odd = next((char for char in told if char not in "\n\t" and unicodedata.category(char) in ("Cc", "Cs")), None)
    if odd:
        raise Refused(f"the remark holds the control character U+{ord(odd):04X}; take it out")
    return told


def _refuse_unknown(connection: Connection, unit: str, item: str) -> None:
    if unit not in TABLES:
        raise Refused(f"people discuss a {' or a '.join(get_args(Unit))}, not a {unit!r}")
    one = TABLES[unit]
    if connection.execute(select(one.c.seq).where(one.c.id == item)).first() is None:
        raise NotFound(f"there is no {unit.replace('_', ' ')} {item!r}")


def _settle(connection: Connection, author: str, unit: Unit, item: str, action: Action, key: str) -> Remark:
    about = thread(connection, unit, item)
    if again := _sent(connection, author, key):
        return _same(again, Remark(again.id, unit, item, author, action, "", (), again.time))
    if not about.remarks:
        raise NotFound(f"nobody has said anything about the {unit.replace('_', ' ')} {item!r} yet")
    if about.open != (action == "resolve"):
        raise Conflict("somebody else has resolved it already" if action == "resolve" else "it is open already")
    return _add(connection, author, unit, item, action, "", key)


def _add(connection: Connection, author: str, unit: Unit, item: str, action: Action, text: str, key: str) -> Remark:
    """Put a remark at the end of its thread; the same one sent again is the one that is there."""
    mentions = mentioned(connection, text)
    said = Remark(once.id_of("remark", author, key), unit, item, author, action, text, tuple(mentions), now())
    row = {name: getattr(said, name) for name in Remark.__slots__} | {"mentions": mentions}
    if insert_new(connection, schema.remarks, [row]):
        return said
    earlier = _sent(connection, author, key)
    return _same(earlier, said) if earlier else said


def _sent(connection: Connection, author: str, key: str) -> Remark | None:
    """What somebody sent under a key before."""
    one = schema.remarks
    known = connection.execute(select(one).where(one.c.id == once.id_of("remark", author, key))).mappings().first()
    return _remark(known) if known else None


def _same(earlier: Remark, again: Remark) -> Remark:
    if any(getattr(earlier, name) != getattr(again, name) for name in _SAID):
        raise Conflict("another remark was sent under this key; send this one under a key of its own")
    return earlier


def _remark(row: Any) -> Remark:
    return Remark(**{name: row[name] for name in Remark.__slots__} | {"mentions": tuple(row["mentions"])})


@dataclass(frozen=True, slots=True)
class Waiting:
    """An open thread in somebody's queue."""

    unit: Unit
    item: str
    remarks: int
    snippet: str  # of what was said last
    author: str | None
    time: str
    mentions_me: bool
    unanswered: bool  # I am called since I last said something there
    place: str  # in the queue; the next page comes after it


def nothing_hidden(pairs: list[str]) -> set[str]:
    """For somebody who may see everything."""
    return set()


def queue(
    connection: Connection, viewer: str, most: int = 50, after: str | None = None, hidden: Hidden = nothing_hidden
) -> list[Waiting]:
    """Open threads, those that mention the viewer first, and of both the one with the newest remark first."""
    threads = _open_threads(viewer).subquery()
    statement = select(threads).order_by(desc(threads.c.mentions_me), desc(threads.c.last))
    if after is not None:
        statement = statement.where(_behind(threads.c.mentions_me, threads.c.last, after))
    rows = list(islice(_visible(connection, statement, hidden), most))
    said = _last_said(connection, [row.said for row in rows])
    return [_waiting(row, said[row.said]) for row in rows]


def mentions_waiting(connection: Connection, viewer: str, hidden: Hidden = nothing_hidden) -> int:
    """How many open threads call somebody who has not said anything there since."""
    one = schema.remarks
    calling = _open_threads(viewer).where(one.c.item.in_(select(one.c.item).where(_calls(viewer)))).subquery()
    waiting = select(calling).where(calling.c.unanswered == 1)
    return sum(1 for _ in _visible(connection, waiting, hidden))


def _open_threads(viewer: str) -> Select[Any]:
    """A row for each open thread: its size, its last remarks, and what it has to do with the viewer."""
    one = schema.remarks
    resolved, reopened = _last(one.c.action == "resolve"), _last(one.c.action == "reopen")
    called, answered = _last(_calls(viewer)), _last(one.c.author == viewer)
    return (
        select(one.c.unit, one.c.item, func.count().label("remarks"), func.max(one.c.seq).label("last"))
        .add_columns(_last(one.c.action == "say").label("said"))
        .add_columns(case((called > 0, 1), else_=0).label("mentions_me"))
        .add_columns(case((called > answered, 1), else_=0).label("unanswered"))
        .group_by(one.c.unit, one.c.item)
        .having(resolved <= reopened)
    )


def _last(condition: ColumnElement[bool]) -> ColumnElement[int]:
    """The number of the last remark that fits; 0 where none does."""
    return func.max(case((condition, schema.remarks.c.seq), else_=0))


def _calls(viewer: str) -> ColumnElement[bool]:
    """Whether a remark calls somebody, whose name is a JSON string in a list; LIKE would not see capitals in SQLite."""
    one = schema.remarks
    names, name = cast(one.c.mentions, Text), msgspec.json.encode(viewer).decode()
    return and_(func.replace(names, name, "") != names, one.c.author.is_distinct_from(viewer))


def _behind(mentions_me: ColumnElement[int], last: ColumnElement[int], place: str) -> ColumnElement[bool]:
    first, dot, second = place.partition(".")
    if first not in ("0", "1") or not dot or not (second.isascii() and second.isdigit()) or len(second) > 18:
        raise Refused(f"not a place in the queue: {place!r}")
    return or_(mentions_me < int(first), and_(mentions_me == int(first), last < int(second)))


def _visible(connection: Connection, statement: Select[Any], hidden: Hidden) -> Iterator[Row[Any]]:
    """The threads that may be seen; what hides is asked about many at a time, and no more than needed."""
    with connection.execute(statement.execution_options(yield_per=THREADS_AT_A_TIME)) as found:
        for rows in found.partitions():
            out_of_sight = hidden([row.item for row in rows if row.unit == "pair"])
            yield from (row for row in rows if row.unit != "pair" or row.item not in out_of_sight)


def _last_said(connection: Connection, numbers: Iterable[int]) -> dict[int, Any]:
    one = schema.remarks
    return {row.seq: row for row in connection.execute(select(one).where(one.c.seq.in_(list(numbers))))}


def _waiting(row: Row[Any], said: Any) -> Waiting:
    words = " ".join(said.text.split())
    return Waiting(
        unit=row.unit,
        item=row.item,
        remarks=row.remarks,
        snippet=words if len(words) <= SNIPPET else words[: SNIPPET - 1].rstrip() + "…",
        author=said.author,
        time=said.time,
        mentions_me=bool(row.mentions_me),
        unanswered=bool(row.unanswered),
        place=f"{row.mentions_me}.{row.last}",
    )
