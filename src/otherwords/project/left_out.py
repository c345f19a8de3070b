"""Pairs that are left out of the corpus, with a reason, and can be taken back.

Nothing is erased: a pair that is left out keeps its words and its judgements. It gets no label, is in no release that
is made from then on, and is not chosen for new batches. The table only grows: the last row of a pair says whether it is
left out, and the earlier ones who said so before, when and why.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Select, func, select

from otherwords.digests import keyed_id
from otherwords.errors import NotFound, Refused
from otherwords.project.ledger import insert_new, schema
from otherwords.project.ledger.rows import PRESENT, in_blocks
from otherwords.project.project import now

LEAVE_OUT, TAKE_BACK = "leave out", "take back"  # actions
DUPLICATE = "duplicate of another pair"  # the reason of those that were found, not named
MOST_REASON = 500  # characters
NAMED_IN_MESSAGE = 10
_table, _pairs, _tombstones = schema.left_out, schema.pairs, schema.tombstones
_last = select(_table.c.action).where(_table.c.pair == _pairs.c.id).order_by(_table.c.seq.desc()).limit(1)
# A condition on rows of the table of pairs.
NOT_LEFT_OUT: ColumnElement[bool] = _last.correlate(_pairs).scalar_subquery().is_distinct_from(LEAVE_OUT)


@dataclass(frozen=True, slots=True)
class LeftOutPair:
    """A pair that is left out: why, by whom (None: the command line), when, and for which duplicate."""

    pair: str
    reason: str
    author: str | None
    time: str
    kept: str | None = None


def left_out_pairs(connection: Connection, ids: Collection[str] | None = None) -> dict[str, LeftOutPair]:
    """The pairs that are left out at the moment, or those of them that are named, in the order of the decisions."""
    newest = select(func.max(_table.c.seq)).group_by(_table.c.pair)
    columns = [_table.c[name] for name in LeftOutPair.__slots__]
    blocks: Iterable[Select[tuple[int]]] = [newest]
    if ids is not None:
        blocks = (newest.where(_table.c.pair.in_(block)) for block in in_blocks(sorted(ids)))
    found: dict[str, LeftOutPair] = {}
    for block in blocks:
        current = select(*columns).where(_table.c.seq.in_(block), _table.c.action == LEAVE_OUT)
        found |= {row[0]: LeftOutPair(*row) for row in connection.execute(current.order_by(_table.c.seq))}
    return found


def leave_out(
    connection: Connection, pairs: Collection[str], reason: str, author: str | None = None, key: str | None = None
) -> list[str]:
    """Leave pairs out, and return those that were not left out before; the same ``key`` does nothing a second time."""
    words = " ".join(reason.split())
    if not words:
        message = "a pair is left out for a reason; say why"
        raise Refused(message, "reason", code="no-reason")
    if len(words) > MOST_REASON:
        message = f"a reason has at most {MOST_REASON} characters, and this one has {len(words):,}"
        raise Refused(message, "reason", code="reason-too-long")
    _refuse_unknown(connection, pairs)
    already = left_out_pairs(connection, pairs)
    return _add(connection, LEAVE_OUT, [pair for pair in pairs if pair not in already], words, author, key=key)


def leave_out_duplicates(connection: Connection, kept: Mapping[str, str], author: str | None = None) -> list[str]:
    """Leave out pairs of which another one is kept, given by the pair that is left out."""
    return _add(connection, LEAVE_OUT, list(kept), DUPLICATE, author, kept)


def take_back(
    connection: Connection, pairs: Collection[str], reason: str = "", author: str | None = None, key: str | None = None
) -> list[str]:
    """Take pairs back into the corpus, and return those that were left out until now."""
    _refuse_unknown(connection, pairs)
    out = left_out_pairs(connection, pairs)
    words = " ".join(reason.split())[:MOST_REASON]
    return _add(connection, TAKE_BACK, [pair for pair in pairs if pair in out], words, author, key=key)


def take_back_duplicates(connection: Connection, author: str | None = None) -> list[str]:
    """Take back all pairs that were left out as duplicates."""
    duplicates = [row.pair for row in left_out_pairs(connection).values() if row.kept is not None]
    return _add(connection, TAKE_BACK, duplicates, "", author)


def take_back_reason(connection: Connection, beginning: str, author: str | None = None) -> list[str]:
    """Take back all pairs that are left out for a reason that begins with these words."""
    pairs = [row.pair for row in left_out_pairs(connection).values() if row.reason.startswith(beginning)]
    return _add(connection, TAKE_BACK, pairs, "", author)


def _add(
    connection: Connection,
    action: str,
    pairs: Collection[str],
    reason: str,
    author: str | None,
    kept: Mapping[str, str] | None = None,
    key: str | None = None,
) -> list[str]:
    """Add a row for each pair, and return the pairs; without a key, an id follows from the time and the row before."""
    before, time = dict(_last_ids(connection, pairs)), now()
    rows = [
        {
            "id": keyed_id("left-out", author or "", f"{pair}\0{key or f'{time} {before.get(pair)}'}"),
            **{"pair": pair, "action": action, "reason": reason, "author": author, "time": time},
            "kept": kept[pair] if kept else None,
        }
        for pair in dict.fromkeys(pairs)
    ]
    return [str(row["pair"]) for row in rows] if insert_new(connection, _table, rows) else []


def _last_ids(connection: Connection, pairs: Collection[str]) -> Iterator[tuple[str, str]]:
    for block in in_blocks(sorted(pairs)):
        newest = select(func.max(_table.c.seq)).where(_table.c.pair.in_(block)).group_by(_table.c.pair)
        rows = connection.execute(select(_table.c.pair, _table.c.id).where(_table.c.seq.in_(newest)))
        yield from ((row.pair, row.id) for row in rows)


def _refuse_unknown(connection: Connection, pairs: Collection[str]) -> None:
    """Refuse pairs that are not in the project, were removed or are withdrawn."""
    known: set[str] = set()
    withdrawn = select(_tombstones.c.target).where(_tombstones.c.noun == "pair")
    for block in in_blocks(sorted(pairs)):
        there = select(_pairs.c.id).where(_pairs.c.id.in_(block), PRESENT, _pairs.c.id.not_in(withdrawn))
        known.update(connection.execute(there).scalars())
    if unknown := [pair for pair in pairs if pair not in known]:
        names = ", ".join(map(repr, unknown[:NAMED_IN_MESSAGE]))
        more = f" and {len(unknown) - NAMED_IN_MESSAGE:,} more" if len(unknown) > NAMED_IN_MESSAGE else ""
        raise NotFound(f"there is no pair {names}{more}", code="no-such-pair")
