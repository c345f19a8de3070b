"""Threads: discussions of a pair or a document pair, open until somebody resolves them.

A thread is all remarks about one unit, in their order. Nothing in it is changed: resolving and reopening are remarks
too. ``@anna`` mentions whoever has that account, in upper or lower case; the note of a judgement that does so is a
remark as well.

The discussion of a pair is hidden as long as its judgements are: ``visible_thread``, ``act_on_thread`` and
``load_visible_threads`` check who may see it, the other functions leave that to their callers. Document pairs, which
nobody judges blindly, may be discussed by the whole team at once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, get_args

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, Select, Table, Text, and_, case, cast, desc, func, or_, select

from otherwords.annotate.browse.conditions import row_conditions
from otherwords.annotate.browse.filter import NO_FILTER
from otherwords.annotate.schemes.guidelines import control_character
from otherwords.annotate.visibility import hidden_items, opens_when, require_pair
from otherwords.digests import keyed_id
from otherwords.errors import Conflict, NotAllowed, NotFound, Refused
from otherwords.project.ledger import insert_new, schema
from otherwords.project.project import now

Unit = Literal["pair", "document_pair"]
Action = Literal["say", "resolve", "reopen"]
MAX_CHARACTERS = 4000
_remarks = schema.remarks
TABLES: dict[str, Table] = {"pair": schema.pairs, "document_pair": schema.document_pairs}
MAX_SNIPPET = 140
THREADS_AT_A_TIME = 200
MAX_PAGE_THREADS = 200
Hidden = Callable[[list[str]], set[str]]  # those of the pairs that somebody may not see yet
_COMPARED = ("unit", "item", "author", "action", "text")


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody wrote in a thread, or did with it."""

    id: str
    unit: Unit
    item: str
    author: str | None
    action: Action
    text: str
    mentions: tuple[str, ...]
    time: str


@dataclass(frozen=True, slots=True)
class Discussion:
    """All remarks about a unit, the earliest first."""

    unit: Unit
    item: str
    remarks: tuple[Remark, ...]

    @property
    def open(self) -> bool:
        """Whether somebody has begun it and nobody has resolved it since."""
        actions = [remark.action for remark in self.remarks if remark.action != "say"]
        return bool(self.remarks) and actions[-1:] != ["resolve"]


def add_remark(connection: Connection, author: str, unit: Unit, item: str, text: str, key: str) -> Remark:
    """Add a remark to the thread of a unit."""
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise Refused("the remark is empty", code="empty-text")
    if len(text) > MAX_CHARACTERS:
        raise Refused(f"a remark has at most {MAX_CHARACTERS:,} characters, not {len(text):,}", code="text-too-long")
    if control := control_character(text):
        raise Refused(f"the remark has the control character {control}; remove it", code="control-character")
    _refuse_unknown(connection, unit, item)
    mentions = tuple(mentioned(connection, text))
    return _add(connection, Remark(keyed_id("remark", author, key), unit, item, author, "say", text, mentions, now()))


def discuss_note(connection: Connection, author: str, unit: str, item: str, note: str) -> Remark | None:
    """Add a note that mentions somebody to the thread of its unit, once however often its judgement is changed.

    Notes of workers stay notes: discussions are for the team of the corpus.
    """
    text = note.replace("\r\n", "\n").strip()
    mentions = tuple(mentioned(connection, text))
    if not mentions or unit not in TABLES or control_character(text):
        return None
    accounts = schema.accounts.c
    if connection.execute(select(accounts.role).where(accounts.name == author)).scalar() == "worker":
        return None
    name = keyed_id("remark", author, f"note\0{unit}\0{item}\0{text}")
    return _add(connection, Remark(name, unit, item, author, "say", text, mentions, now()))  # type: ignore[arg-type]


def load_thread(connection: Connection, unit: Unit, item: str) -> Discussion:
    """The thread of a unit; it has no remarks if nobody has begun it."""
    _refuse_unknown(connection, unit, item)
    own = select(_remarks).where(_remarks.c.unit == unit, _remarks.c.item == item).order_by(_remarks.c.seq)
    return Discussion(unit, item, tuple(_remark(row) for row in connection.execute(own).mappings()))


def _refuse_unknown(connection: Connection, unit: str, item: str) -> None:
    if unit not in TABLES:
        raise Refused(f"people discuss a {' or a '.join(get_args(Unit))}, not a {unit!r}", code="unknown-unit")
    table = TABLES[unit]
    if connection.execute(select(table.c.seq).where(table.c.id == item)).first() is None:
        noun = unit.replace("_", " ")
        raise NotFound(f"there is no {noun} {item!r}", code=f"no-such-{noun.replace(' ', '-')}")


def settle(
    connection: Connection, author: str, unit: Unit, item: str, action: Literal["resolve", "reopen"], key: str
) -> Remark:
    """Resolve a thread, or reopen it."""
    discussion = load_thread(connection, unit, item)
    remark = Remark(keyed_id("remark", author, key), unit, item, author, action, "", (), now())
    if sent := _find_sent(connection, remark):
        return sent
    if not discussion.remarks:
        raise NotFound(f"nobody has discussed the {unit.replace('_', ' ')} {item!r} yet", code="no-such-thread")
    if action == "resolve" and not discussion.open:
        raise Conflict("somebody else has resolved it already", code="already-resolved")
    if action == "reopen" and discussion.open:
        raise Conflict("it is open already", code="already-open")
    return _add(connection, remark)


def _add(connection: Connection, remark: Remark) -> Remark:
    """Add a remark to its thread; the same remark sent again is stored once."""
    row = {name: getattr(remark, name) for name in Remark.__slots__} | {"mentions": list(remark.mentions)}
    return remark if insert_new(connection, _remarks, [row]) else _find_sent(connection, remark) or remark


def _find_sent(connection: Connection, remark: Remark) -> Remark | None:
    """The same remark, if it was sent before; another one under its key is a mistake of the page."""
    row = connection.execute(select(_remarks).where(_remarks.c.id == remark.id)).mappings().first()
    if row is None:
        return None
    if any(row[name] != getattr(remark, name) for name in _COMPARED):
        raise Conflict("another remark was sent under this key; send this one under its own key", code="key-reused")
    return _remark(row)


def _remark(row: Any) -> Remark:
    return Remark(**{name: row[name] for name in Remark.__slots__} | {"mentions": tuple(row["mentions"])})


def mentioned(connection: Connection, text: str) -> list[str]:
    """The accounts whose names follow an @ in a text, each once; the longer name if two fit."""
    if "@" not in text:
        return []
    names = {_folded(name): name for name in connection.execute(select(schema.accounts.c.name)).scalars()}
    longest = max(map(len, [*names, *names.values()]), default=0)
    composed = unicodedata.normalize("NFC", text)
    starts = [place + 1 for place, char in enumerate(composed) if char == "@" and not _in_word(composed, place - 1)]
    found: dict[str, None] = {}
    for start in starts:
        for end in range(min(start + longest, len(composed)), start, -1):
            name = names.get(_folded(composed[start:end]))
            if name and not _in_word(composed, end):
                found[name] = None
                break
    return list(found)


def _in_word(text: str, place: int) -> bool:
    """Whether a name would continue at this place: ``@annabel`` is not ``@anna``, and a@b.example mentions nobody."""
    char = text[place] if 0 <= place < len(text) else " "
    return char.isalnum() or char == "_" or unicodedata.category(char).startswith("M")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.casefold())


@dataclass(frozen=True, slots=True)
class OpenThread:
    """An open thread in somebody's queue."""

    unit: Unit
    item: str
    remarks: int
    snippet: str  # of the last remark
    author: str | None
    time: str
    mentions_me: bool
    unanswered: bool  # I was mentioned after my last remark there
    place: str  # in the queue; the next page begins after it


def load_open_threads(
    connection: Connection, viewer: str, most: int = 50, after: str | None = None, hidden: Hidden | None = None
) -> list[OpenThread]:
    """Open threads: those that mention the viewer first, then by their newest remark."""
    threads = _open_threads(viewer).subquery()
    statement = select(threads).order_by(desc(threads.c.mentions_me), desc(threads.c.last))
    if after is not None:
        first, dot, second = after.partition(".")
        if first not in ("0", "1") or not dot or not (second.isascii() and second.isdigit()) or len(second) > 18:
            raise Refused(f"not a place in the queue: {after!r}", code="bad-place")
        later = and_(threads.c.mentions_me == int(first), threads.c.last < int(second))
        statement = statement.where(or_(threads.c.mentions_me < int(first), later))
    rows = list(islice(_visible(connection, statement, hidden), most))
    last = select(_remarks).where(_remarks.c.seq.in_([row.last_said for row in rows]))
    remarks = {remark.seq: remark for remark in connection.execute(last)}
    return [_open_thread(row, remarks[row.last_said]) for row in rows]


def mentions_waiting(connection: Connection, viewer: str, hidden: Hidden | None = None) -> int:
    """How many open threads mention somebody who has not answered there since."""
    items = select(_remarks.c.item).where(_mentions(viewer))
    threads = _open_threads(viewer).where(_remarks.c.item.in_(items)).subquery()
    waiting = select(threads).where(threads.c.unanswered == 1)
    return sum(1 for _ in _visible(connection, waiting, hidden))


def _open_threads(viewer: str) -> Select[Any]:
    """A row for each open thread: its size, its last remarks, and whether it mentions the viewer."""
    resolved, reopened = _last(_remarks.c.action == "resolve"), _last(_remarks.c.action == "reopen")
    mention, answer = _last(_mentions(viewer)), _last(_remarks.c.author == viewer)
    return (
        select(_remarks.c.unit, _remarks.c.item, func.count().label("remarks"), func.max(_remarks.c.seq).label("last"))
        .add_columns(_last(_remarks.c.action == "say").label("last_said"))
        .add_columns(case((mention > 0, 1), else_=0).label("mentions_me"))
        .add_columns(case((mention > answer, 1), else_=0).label("unanswered"))
        .group_by(_remarks.c.unit, _remarks.c.item)
        .having(resolved <= reopened)
    )


def _last(condition: ColumnElement[bool]) -> ColumnElement[int]:
    """The number of the last remark that fits; 0 if none does."""
    return func.max(case((condition, _remarks.c.seq), else_=0))


def _mentions(viewer: str) -> ColumnElement[bool]:
    """Whether a remark mentions somebody, by a JSON string in a list; LIKE ignores case in SQLite."""
    names, name = cast(_remarks.c.mentions, Text), msgspec.json.encode(viewer).decode()
    return and_(func.replace(names, name, "") != names, _remarks.c.author.is_distinct_from(viewer))


def _visible(connection: Connection, statement: Select[Any], hidden: Hidden | None) -> Iterator[Row[Any]]:
    """The threads that may be seen; ``hidden`` is called for many at a time, and no more than needed."""
    with connection.execute(statement.execution_options(yield_per=THREADS_AT_A_TIME)) as result:
        for rows in result.partitions():
            hidden_pairs = hidden([row.item for row in rows if row.unit == "pair"]) if hidden else ()
            yield from (row for row in rows if row.unit != "pair" or row.item not in hidden_pairs)


def _open_thread(row: Row[Any], last: Row[Any]) -> OpenThread:
    words = " ".join(last.text.split())
    return OpenThread(
        unit=row.unit,
        item=row.item,
        remarks=row.remarks,
        snippet=words if len(words) <= MAX_SNIPPET else words[: MAX_SNIPPET - 1].rstrip() + "…",
        author=last.author,
        time=last.time,
        mentions_me=bool(row.mentions_me),
        unanswered=bool(row.unanswered),
        place=f"{row.mentions_me}.{row.last}",
    )


def visible_thread(connection: Connection, viewer: str, role: str, unit: Unit, item: str) -> Discussion:
    """The thread of a unit, for somebody who may see it."""
    _refuse_hidden(connection, viewer, role, unit, item)
    return load_thread(connection, unit, item)


def act_on_thread(
    connection: Connection, viewer: str, role: str, unit: Unit, item: str, action: Action, text: str, key: str
) -> Remark:
    """Add a remark to the thread of a unit, resolve the thread or reopen it."""
    _refuse_hidden(connection, viewer, role, unit, item)
    if action == "say":
        return add_remark(connection, viewer, unit, item, text, key)
    if text.strip():
        raise Refused("only a remark has a text; say it first, then resolve or reopen", code="text-not-allowed")
    return settle(connection, viewer, unit, item, action, key)


def load_visible_threads(
    connection: Connection, viewer: str, role: str, most: int, after: str | None = None
) -> list[OpenThread]:
    """The open threads that somebody may see, those that mention them first."""
    pairs = schema.pairs

    def hidden_or_absent(names: list[str]) -> set[str]:
        present = select(pairs.c.id).where(pairs.c.id.in_(names), *row_conditions(NO_FILTER))
        absent = set(names) - set(connection.execute(present).scalars()) if names else set()
        return hidden_items(connection, viewer, role, names) | absent

    return load_open_threads(connection, viewer, min(most, MAX_PAGE_THREADS), after, hidden_or_absent)


def _refuse_hidden(connection: Connection, viewer: str, role: str, unit: Unit, item: str) -> None:
    if role == "worker":
        raise NotAllowed("discussions are for the team of the corpus", code="team-only")
    if unit == "pair":
        require_pair(connection, item)
        if when := opens_when(connection, viewer, role, item):
            raise NotAllowed(f"The discussion opens {when}", code="discussion-hidden")
