"""A filter as SQL conditions on the ledger's pairs.

Conditions on a source or a group have an index and bound the rows that are read. The others are tried on each row. What
SQL can only approximate (a label follows from several judgements, a type is inside of JSON) lets some rows too many
through, never too few; callers check the rows again.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Select, Text, cast, or_, select

from otherwords import labels
from otherwords.annotate.browse.filter import Filter, Has
from otherwords.annotate.current_judgements import is_by_people, is_current
from otherwords.annotate.labels.pair_labels import NOT_A_TEST
from otherwords.labels import Projection
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, REMOVED

Condition = ColumnElement[bool]
_pairs, _judgements = schema.pairs, schema.judgements


def index_conditions(wanted: Filter) -> list[Condition]:
    """Conditions that an index answers."""
    return [_pairs.c[name] == value for name in ("source", "group") if (value := getattr(wanted, name)) is not None]


def row_conditions(wanted: Filter) -> list[Condition]:
    """Conditions that are tried on each row; removed and withdrawn pairs are left out."""
    tombstones, slots = schema.tombstones, schema.slots
    withdrawn = _any(select(tombstones.c.seq).where(tombstones.c.noun == "pair", tombstones.c.target == _pairs.c.id))
    conditions = [PRESENT, ~withdrawn]
    for column, value in ((_pairs.c.method, wanted.method), (_pairs.c.lang, wanted.lang)):
        if value is not None:
            conditions.append(column == value)
    if wanted.label is not None:
        conditions.append(_labelled(wanted.label, wanted.projection))
    if wanted.type is not None:
        conditions.append(_judged(cast(_judgements.c.value, Text).contains(_json(wanted.type), autoescape=True)))
    if wanted.annotator is not None:
        conditions.append(_judged(_judgements.c.annotator == wanted.annotator))
    if wanted.batch is not None:
        listed = _any(select(slots.c.seq).where(slots.c.item == _pairs.c.id, slots.c.batch == wanted.batch))
        conditions.append(or_(listed, _judged(_judgements.c.batch == wanted.batch)))
    if (similarity := wanted.similarity) is not None:
        score = _pairs.c.scores[similarity.measure].as_float()
        conditions.append(score.is_not(None))
        if similarity.low is not None:
            conditions.append(score >= similarity.low)
        if similarity.high is not None:
            conditions.append(score <= similarity.high)
    if wanted.has is not None:
        conditions.append(_having(wanted.has))
    return conditions


def in_release(version: str, wanted: Filter) -> Condition:
    """Whether a pair is in a release with the label and the type of a filter, whatever was judged since."""
    released = schema.released_pairs
    conditions = [released.c.version == version, released.c.pair == _pairs.c.id]
    if wanted.label is not None:
        conditions.append(released.c.label.in_(_spellings(wanted.label, wanted.projection)))
    if wanted.type is not None:
        conditions.append(cast(released.c.types, Text).contains(_json(wanted.type), autoescape=True))
    return _any(select(released.c.pair).where(*conditions))


def _judged(*conditions: Any) -> Condition:
    """Whether there is such a current judgement by people."""
    own = (_judgements.c.pair == _pairs.c.id, _judgements.c.unit == "pair", is_by_people())
    return _any(select(_judgements.c.seq).where(*own, *conditions, is_current()))


def _labelled(label: str, projection: Projection) -> Condition:
    """Whether a judgement gives the label, or the pair was imported with it."""
    spellings = _spellings(label, projection)
    if projection == "full" and not labels.is_label(label):
        question, equals, _ = label.partition("=")  # answers have several spellings, questions have one
        within = _json(question if equals else label)[1:-1]
        return or_(_pairs.c.label == label, _judged(cast(_judgements.c.value, Text).contains(within, autoescape=True)))
    judged = _judged(cast(_judgements.c.value, Text).in_([_json(spelling) for spelling in spellings]))
    return or_(_pairs.c.label.in_(spellings), judged)


def _spellings(label: str, projection: Projection) -> list[str]:
    """The full labels that a projection makes this one; a label of another scheme is its own."""
    if projection == "full" and not labels.is_label(label):
        return [label]
    return [str(turku) for turku in labels.all_labels() if turku.project(projection) == label]


def _having(has: Has) -> Condition:
    match has:
        case "judgement":
            return _judged(NOT_A_TEST)
        case "none":
            return ~_judged(NOT_A_TEST)
        case "note":
            return _judged(_judgements.c.note != "")
        case "unsure":
            return _judged(_judgements.c.unsure)
        case "rewrite":
            other = schema.pairs.alias()
            present = other.c.state.is_distinct_from(REMOVED)
            return _any(select(other.c.seq).where(other.c.rewrite_of == _pairs.c.id, present))
        case "discussion":
            remarks = schema.remarks
            return _any(select(remarks.c.seq).where(remarks.c.item == _pairs.c.id, remarks.c.unit == "pair"))


def _any(rows: Select[Any]) -> Condition:
    """Whether there is such a row. With EXISTS, PostgreSQL may read a whole table for the few pairs of a block."""
    return rows.correlate(_pairs).limit(1).scalar_subquery().is_not(None)


def _json(text: str) -> str:
    return msgspec.json.encode(text).decode()
