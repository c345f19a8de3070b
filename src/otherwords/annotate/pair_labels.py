"""The label that a pair has by now, out of all that was said about it.

A consensus that stands is the label, unless somebody has checked the pair in a round of quality control since: then
it is what they said (Kanerva et al. 2023, §5.4). Without either, it is what everybody said, if they said the same; if
not, the pair is open. A pair that nobody judged has the label that it came with, if any. In go ids of pairs, out comes
what is known of each, by one query.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, and_, select

from otherwords.annotate.standing import stands
from otherwords.measures.agreement.iapta_values import phenomena_in
from otherwords.project import schema

IDS_A_QUERY = 500
Source = Literal["consensus", "qa", "judgements", "import"]
NO_TEST = schema.judgements.c.purpose != "gold"  # an answer to a hidden test says something of who gave it alone
SAID = ("seq", "kind", "scheme", "purpose", "value")  # what has to be known of a judgement


@dataclass(frozen=True, slots=True)
class Standing:
    """The label of a pair, the different ones that people gave it, and what else their judgements hold."""

    label: str | None = None
    labels: tuple[str, ...] = ()
    open: bool = False
    judgements: int = 0
    types: frozenset[str] = frozenset()
    source: Source | None = None  # of the label
    since: int = 0  # the number of the judgement that the label is from; of several, the first
    said: frozenset[str] = frozenset()  # what answers of other schemes or to several questions say, part by part


def labels_of(connection: Connection, ids: Collection[str], scheme: str | None = None) -> dict[str, Standing]:
    """What each pair is by now; of a scheme, where judgements of others are no labels."""
    one, said = schema.pairs, schema.judgements
    about = and_(said.c.pair == one.c.id, said.c.unit == "pair", said.c.kind != "simulated", NO_TEST, stands())
    columns = (one.c.id, one.c.label, *(said.c[name] for name in SAID))
    statement = select(*columns).select_from(one.outerjoin(said, about)).order_by(one.c.seq, said.c.seq)
    wanted, told = sorted(ids), dict[str, tuple[str | None, list[Mapping[str, Any]]]]()
    for start in range(0, len(wanted), IDS_A_QUERY):
        block = one.c.id.in_(wanted[start : start + IDS_A_QUERY])
        for row in connection.execute(statement.where(block)).mappings():
            _, judgements = told.setdefault(row[one.c.id], (row[one.c.label], []))
            if row[said.c.kind] is not None:
                judgements.append({name: row[said.c[name]] for name in SAID})
    return {name: standing(imported, judgements, scheme) for name, (imported, judgements) in told.items()}


def standing(imported: str | None, judgements: Sequence[Mapping[str, Any]], scheme: str | None) -> Standing:
    """What follows from the standing judgements of a pair, the last one said last, and the label it came with."""
    alone: dict[str, int] = {}  # by label, the number of its first judgement
    settled: tuple[str, Source, int] | None = None
    said: set[str] = set()
    for one in judgements:
        label = _spelled(one["value"])
        if label is None or not (scheme is None or one["scheme"] in (None, scheme)):
            said.update(_parts(one["value"]))
            continue
        if one["kind"] == "consensus":
            settled = (label, "consensus", one["seq"])
        elif one["kind"] == "individual" and one["purpose"] == "qa":
            settled = (label, "qa", one["seq"])
        elif one["kind"] == "individual":
            alone.setdefault(label, one["seq"])
    told = settled or _without_a_decision(imported, alone)
    types = frozenset(name for one in judgements for name in _types(one["value"]))
    is_open = len(alone) > 1 and settled is None
    label, source, since = told or (None, None, 0)
    return Standing(label, tuple(sorted(alone)), is_open, len(judgements), types, source, since, frozenset(said))


def _without_a_decision(imported: str | None, alone: Mapping[str, int]) -> tuple[str, Source, int] | None:
    """What everybody said, or with what the pair came."""
    if len(alone) == 1:
        return next((label, "judgements", seq) for label, seq in alone.items())
    return (imported, "import", 0) if imported is not None and not alone else None


def _spelled(value: Any) -> str | None:
    """A plain answer as a label; what says more than one thing is none."""
    if value is None or isinstance(value, list | dict):
        return None
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _parts(value: Any, question: str = "") -> Iterator[str]:
    """What an answer says, as :meth:`otherwords.annotate.scheme.Scheme.parts` does, whatever its scheme."""
    before = f"{question}=" if question else ""
    if isinstance(value, bool):
        yield from (before + word for word in (("yes", "true") if value else ("no", "false")))
    elif isinstance(value, str | int):
        yield f"{before}{value}"
        if question and isinstance(value, int):
            yield question  # a number of times
    elif isinstance(value, list):
        yield from (f"{before}{one}" for one in value if isinstance(one, str))
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _parts(one, name if not question else f"{question}={name}")


def _types(value: Any) -> list[str]:
    """The types of the phenomena that a judgement lists."""
    return [one["type"] for one in phenomena_in(value) or [] if isinstance(one["type"], str)]
