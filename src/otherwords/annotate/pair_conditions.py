"""A filter as conditions on the ledger's pairs.

Those on a source or a group have an index and bound what is looked at. The others are tried on each row. What SQL can
only say roughly (a label follows from several judgements, a type is inside of JSON) lets some rows too many through,
never too few; whoever shows them looks again.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Select, Text, and_, cast, or_, select

from otherwords import labels
from otherwords.annotate.pair_filter import Filter, Has, Similarity, turku_label
from otherwords.annotate.standing import stands
from otherwords.labels import Projection
from otherwords.project import schema
from otherwords.project.rows import PRESENT, REMOVED

Condition = ColumnElement[bool]
INDEXED = ("source", "group")
_one, _said = schema.pairs, schema.judgements


def indexed(wanted: Filter) -> list[Condition]:
    """What an index answers."""
    return [_one.c[name] == getattr(wanted, name) for name in INDEXED if getattr(wanted, name) is not None]


def others(wanted: Filter) -> list[Condition]:
    """What is tried on each row; removed and withdrawn pairs are out of sight."""
    told = [PRESENT, ~_withdrawn()]
    told += [_one.c[name] == getattr(wanted, name) for name in ("method", "lang") if getattr(wanted, name) is not None]
    if wanted.label is not None:
        told.append(_labelled(wanted.label, wanted.projection))
    if wanted.type is not None:
        told.append(_judged(cast(_said.c.value, Text).contains(_json(wanted.type), autoescape=True)))
    if wanted.annotator is not None:
        told.append(_judged(_said.c.annotator == wanted.annotator))
    if wanted.batch is not None:
        told.append(_in_batch(wanted.batch))
    if wanted.similarity is not None:
        told.append(_scored(wanted.similarity))
    if wanted.has is not None:
        told.append(_having(wanted.has))
    return told


def in_release(version: str) -> Condition:
    """Whether a pair is in a release."""
    held = schema.released_pairs
    return _any(select(held.c.pair).where(held.c.version == version, held.c.pair == _one.c.id))


def _withdrawn() -> Condition:
    stone = schema.tombstones
    return _any(select(stone.c.seq).where(stone.c.noun == "pair", stone.c.target == _one.c.id))


def _judged(*conditions: Any) -> Condition:
    """Whether a judgement of that kind stands."""
    about = (_said.c.pair == _one.c.id, _said.c.unit == "pair", _said.c.kind != "simulated", *conditions)
    return _any(select(_said.c.seq).where(*about, stands()))


def _labelled(label: str, projection: Projection) -> Condition:
    """Whether somebody said it, or it came with the pair."""
    if projection == "full" and not turku_label(label):
        question, equals, _ = label.partition("=")  # an answer may have its own spelling, the question has not
        within = _json(question if equals else label)[1:-1]
        return or_(_one.c.label == label, _judged(cast(_said.c.value, Text).contains(within, autoescape=True)))
    spellings = [str(each) for each in labels.all_labels() if each.project(projection) == label]
    said = _judged(cast(_said.c.value, Text).in_([_json(spelling) for spelling in spellings]))
    return or_(_one.c.label.in_(spellings), said)


def _in_batch(batch: str) -> Condition:
    slot = schema.slots
    asked = _any(select(slot.c.seq).where(slot.c.item == _one.c.id, slot.c.batch == batch))
    return or_(asked, _judged(_said.c.batch == batch))


def _scored(similarity: Similarity) -> Condition:
    score = _one.c.scores[similarity.measure].as_float()
    told: list[Condition] = [score.is_not(None)]
    if similarity.low is not None:
        told.append(score >= similarity.low)
    if similarity.high is not None:
        told.append(score <= similarity.high)
    return and_(*told)


def _having(has: Has) -> Condition:
    match has:
        case "judgement":
            return _judged()
        case "none":
            return ~_judged()
        case "note":
            return _judged(_said.c.note != "")
        case "unsure":
            return _judged(_said.c.unsure)
        case "rewrite":
            other = schema.pairs.alias()
            present = other.c.state.is_distinct_from(REMOVED)
            return _any(select(other.c.seq).where(other.c.rewrite_of == _one.c.id, present))
        case "discussion":
            remark = schema.remarks
            return _any(select(remark.c.seq).where(remark.c.item == _one.c.id, remark.c.unit == "pair"))


def _any(rows: Select[Any]) -> Condition:
    """Whether there is such a row. Said as EXISTS, PostgreSQL may read a whole table for the few pairs of a block."""
    return rows.correlate(_one).limit(1).scalar_subquery().is_not(None)


def _json(text: str) -> str:
    return msgspec.json.encode(text).decode()
