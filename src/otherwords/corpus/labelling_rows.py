"""The pairs of a project with what their judgements make of them, in the order of the ledger, as columns.

Some thousand pairs are read at a time, and the judgements of just these; so a corpus of any size takes the same room.
Removed and withdrawn pairs are left out. What the ledger keeps as JSON goes into the table as it is written there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import JSON, Connection, Text, cast, func, or_, select

from otherwords.annotate.pair_conditions import others
from otherwords.annotate.pair_filter import EVERYTHING
from otherwords.annotate.pair_labels import NO_TEST
from otherwords.annotate.standing import stands
from otherwords.corpus.labelled import ROWS_A_GROUP, Columns
from otherwords.corpus.labelling_outcomes import Judged, Making, Outcome
from otherwords.corpus.views import AS_FOUND
from otherwords.project import schema

PAIRS_AT_A_TIME = ROWS_A_GROUP
_one, _said = schema.pairs, schema.judgements
_SPANS = ("doc1", "start1", "end1", "doc2", "start2", "end2")
_STORED = ("id", "text1", "text2", "lang", "source", "group", "time", *_SPANS, "method", "rewrite_of", "scores", "meta")
_FOLLOWS = ("state", "reason", "label", "positive", "made_by", "simulated", "votes", "positive_votes")


@dataclass(frozen=True, slots=True)
class Block:
    """Some pairs as columns of the table of labels, and what follows for each."""

    columns: Columns
    outcomes: Sequence[Outcome]


def labelled_blocks(connection: Connection, by: Making) -> Iterator[Block]:
    """All pairs, each with its label or the reason why it has none."""
    stored = [func.nullif(cast(one, Text), "{}") if isinstance(one.type, JSON) else one for one in _columns()]
    statement = select(_one.c.seq, _one.c.label, *stored).where(*others(EVERYTHING)).order_by(_one.c.seq)
    after = 0
    while rows := connection.execute(statement.where(_one.c.seq > after).limit(PAIRS_AT_A_TIME)).all():
        seqs, came, *cells = zip(*rows, strict=True)
        said = _judgements(connection, by, after, seqs[-1])
        yield _block(dict(zip(_STORED, cells, strict=True)), came, [said.get(seq, ()) for seq in seqs], by)
        after = seqs[-1]


def _columns() -> Iterator[Any]:
    return (_one.c[name] for name in _STORED)


def _block(stored: dict[str, Any], came: Sequence[str | None], said: Sequence[Sequence[Any]], by: Making) -> Block:
    about = zip(said, came, stored["rewrite_of"], strict=True)
    outcomes = [by.outcome((tuple([one[2:] for one in judged]), was, of is not None)) for judged, was, of in about]
    told: dict[str, Any] = {name: [getattr(one, name) for one in outcomes] for name in _FOLLOWS}
    told["judgements"] = [[judged[place][1] for place in one.used] for judged, one in zip(said, outcomes, strict=True)]
    spelled = {one: _spelled(one.views) for one in set(outcomes)}
    told["views"] = [spelled[one] for one in outcomes]
    return Block(stored | told, outcomes)


def _spelled(views: Mapping[str, str | None]) -> str | None:
    return msgspec.json.encode(views).decode() if views else None


def _judgements(connection: Connection, by: Making, after: int, last: int) -> dict[int, list[Any]]:
    """What was said of the pairs between two numbers, by pair, the first said first."""
    mine = [_said.c.scheme == by.scheme.name, *([_said.c.scheme.is_(None)] if by.own else [])]
    which = [or_(*mine)] if by.scheme.name != AS_FOUND else []
    about = (_said.c.unit == "pair", NO_TEST, stands(), *which)
    columns = (_one.c.seq, *(_said.c[name] for name in ("id", *Judged._fields[:-1])), cast(_said.c.value, Text))
    between = (_one.c.seq > after, _one.c.seq <= last)
    # In this order SQLite begins with the pairs; by itself it would read all judgements for every block of pairs.
    statement = select(*columns).join_from(_one, _said, _said.c.pair == _one.c.id).order_by(_one.c.seq, _said.c.seq)
    told: dict[int, list[Any]] = {}
    for row in connection.execute(statement.where(*between, *about)).all():
        told.setdefault(row[0], []).append(row)
    return told
