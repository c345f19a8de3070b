"""The pairs of a project with the outcome of their judgements, as columns, in the order of the ledger.

Pairs are read a few thousand at a time, with the judgements of just these, so that memory does not grow with the
corpus. Removed and withdrawn pairs are not in it, nor are outputs of systems that people rate; pairs that somebody left
out of the corpus are, without a label. JSON of the ledger goes into the table as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import JSON, Connection, Text, cast, func, or_, select

from otherwords.annotate.batches.output_pairs import NO_OUTPUT
from otherwords.annotate.browse.conditions import row_conditions
from otherwords.annotate.browse.filter import NO_FILTER
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.labels.engine import CurrentJudgement, LabelEngine, LabelOutcome
from otherwords.annotate.labels.pair_labels import NOT_A_TEST
from otherwords.annotate.labels.views import AS_FOUND
from otherwords.corpus.labels.table import OUTCOME_COLUMNS, PAIR_COLUMNS, ROWS_PER_GROUP, Columns
from otherwords.project.ledger import schema
from otherwords.project.left_out import left_out_pairs
from otherwords.records import MODEL

PAIRS_AT_A_TIME = ROWS_PER_GROUP
_pairs, _judgements = schema.pairs, schema.judgements
_STORED = tuple(name for name in PAIR_COLUMNS if name != "label")
_OUTCOME = ("label", *(name for name in OUTCOME_COLUMNS if name not in ("judgements", "views")))


@dataclass(frozen=True, slots=True)
class LabelBlock:
    """Some pairs as columns of the table of labels, and the outcome of each."""

    columns: Columns
    outcomes: Sequence[LabelOutcome]


def labelled_blocks(connection: Connection, engine: LabelEngine) -> Iterator[LabelBlock]:
    """All pairs, each with its label or the reason why it has none."""
    columns = (_pairs.c[name] for name in _STORED)
    stored = [func.nullif(cast(column, Text), "{}") if isinstance(column.type, JSON) else column for column in columns]
    statement = select(_pairs.c.seq, _pairs.c.label, *stored).where(*row_conditions(NO_FILTER), NO_OUTPUT)
    statement = statement.order_by(_pairs.c.seq)
    after, outcomes = 0, _left_out(connection)
    while rows := connection.execute(statement.where(_pairs.c.seq > after).limit(PAIRS_AT_A_TIME)).all():
        seqs, labels, *cells = zip(*rows, strict=True)
        judgements = _read_judgements(connection, engine, after, seqs[-1])
        by_pair = [judgements.get(seq, ()) for seq in seqs]
        yield _block(dict(zip(_STORED, cells, strict=True)), labels, by_pair, engine, outcomes)
        after = seqs[-1]


def _left_out(connection: Connection) -> dict[str, LabelOutcome]:
    """The outcome for the pairs that somebody left out, whatever their judgements say."""
    reasons = {pair: f"left out: {row.reason}" for pair, row in left_out_pairs(connection).items()}
    outcomes = {reason: LabelOutcome("left out", reason) for reason in set(reasons.values())}
    return {pair: outcomes[reason] for pair, reason in reasons.items()}


def _block(
    stored: Columns,
    labels: Sequence[str | None],
    judgements: Sequence[Sequence[Any]],
    engine: LabelEngine,
    left_out: Mapping[str, LabelOutcome],
) -> LabelBlock:
    pairs = zip(stored["id"], judgements, labels, stored["rewrite_of"], strict=True)
    outcomes = [
        left_out.get(id) or engine.outcome((tuple([row[2:] for row in rows]), label, original is not None))
        for id, rows, label, original in pairs
    ]
    columns: dict[str, Sequence[Any]] = {name: [getattr(outcome, name) for outcome in outcomes] for name in _OUTCOME}
    columns["judgements"] = [
        [rows[position][1] for position in outcome.used] for rows, outcome in zip(judgements, outcomes, strict=True)
    ]
    views = {
        outcome: msgspec.json.encode(outcome.views).decode() if outcome.views else None for outcome in set(outcomes)
    }
    columns["views"] = [views[outcome] for outcome in outcomes]
    return LabelBlock({**stored, **columns}, outcomes)


def _read_judgements(connection: Connection, engine: LabelEngine, after: int, last: int) -> dict[int, list[Any]]:
    """The judgements of the pairs between two numbers, by pair, the oldest first."""
    own = [_judgements.c.scheme == engine.scheme.name, *([_judgements.c.scheme.is_(None)] if engine.own else [])]
    of_scheme = [or_(*own)] if engine.scheme.name != AS_FOUND else []
    by_people = [] if engine.models else [_judgements.c.kind != MODEL]
    counted = (_judgements.c.unit == "pair", NOT_A_TEST, is_current(), *of_scheme, *by_people)
    columns = (
        _pairs.c.seq,
        *(_judgements.c[name] for name in ("id", *CurrentJudgement._fields[:-1])),
        cast(_judgements.c.value, Text),
    )
    between = (_pairs.c.seq > after, _pairs.c.seq <= last)
    # Joined in this order, SQLite begins with the pairs; otherwise it reads all judgements for every block of pairs.
    statement = select(*columns).join_from(_pairs, _judgements, _judgements.c.pair == _pairs.c.id)
    statement = statement.where(*between, *counted).order_by(_pairs.c.seq, _judgements.c.seq)
    by_pair: dict[int, list[Any]] = {}
    for row in connection.execute(statement).all():
        by_pair.setdefault(row[0], []).append(row)
    return by_pair
