"""The label that a pair has by now, out of all that was said about it.

A consensus that stands is the label. Without one, it is what everybody said, if they said the same; if not, the pair
is open. A pair that nobody judged has the label that it came with, if any. In go ids of pairs, out comes what is
known of each, by one query.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, select

from otherwords.annotate.standing import stands
from otherwords.project import schema

IDS_A_QUERY = 500


@dataclass(frozen=True, slots=True)
class Standing:
    """The label of a pair, the different ones that people gave it, and what else their judgements hold."""

    label: str | None = None
    labels: tuple[str, ...] = ()
    open: bool = False
    judgements: int = 0
    types: frozenset[str] = frozenset()


def labels_of(connection: Connection, ids: Collection[str], scheme: str | None = None) -> dict[str, Standing]:
    """What each pair is by now; of a scheme, where judgements of others are no labels."""
    one, said = schema.pairs, schema.judgements
    about = and_(said.c.pair == one.c.id, said.c.unit == "pair", said.c.kind != "simulated", stands())
    columns = (one.c.id, one.c.label, said.c.kind, said.c.scheme, said.c.value)
    statement = select(*columns).select_from(one.outerjoin(said, about)).order_by(one.c.seq, said.c.seq)
    wanted, told = sorted(ids), dict[str, tuple[str | None, list[Mapping[str, Any]]]]()
    for start in range(0, len(wanted), IDS_A_QUERY):
        block = one.c.id.in_(wanted[start : start + IDS_A_QUERY])
        for row in connection.execute(statement.where(block)).mappings():
            _, judgements = told.setdefault(row[one.c.id], (row[one.c.label], []))
            if row[said.c.kind] is not None:
                judgements.append({name: row[said.c[name]] for name in ("kind", "scheme", "value")})
    return {name: standing(imported, judgements, scheme) for name, (imported, judgements) in told.items()}


def standing(imported: str | None, judgements: Sequence[Mapping[str, Any]], scheme: str | None) -> Standing:
    """What follows from the standing judgements of a pair, the last one said last, and the label it came with."""
    told: dict[str, list[str]] = {"consensus": [], "individual": [], "vote": []}
    for one in judgements:
        label = _spelled(one["value"])
        if label is not None and (scheme is None or one["scheme"] in (None, scheme)):
            told[one["kind"]].append(label)
    different = tuple(sorted(set(told["individual"])))
    label = different[0] if len(different) == 1 else None if different else imported
    is_open = len(different) > 1 and not told["consensus"]
    types = frozenset(name for one in judgements for name in _types(one["value"]))
    return Standing([label, *told["consensus"]][-1], different, is_open, len(judgements), types)


def _spelled(value: Any) -> str | None:
    """A plain answer as a label; what says more than one thing is none."""
    if value is None or isinstance(value, list | dict):
        return None
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _types(value: Any) -> list[str]:
    """The types of the phenomena that a judgement lists."""
    if not isinstance(value, list):
        return []
    return [one["type"] for one in value if isinstance(one, dict) and isinstance(one.get("type"), str)]
