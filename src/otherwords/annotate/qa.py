"""Rounds of quality control: all pairs of a label or a flag, checked against the guideline as it is by now.

In goes a label, out comes a batch of the pairs that have it, what was judged first coming first (Kanerva et al. 2023,
§5.4). Whoever checks a pair has its label before them, accepts it or gives another, and that is its label from then
on. The round is told by how many pairs were inspected, and how many of them changed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Text, cast, func, or_, select

from otherwords.annotate.batches import Batch, Rules, Wanted
from otherwords.annotate.choosing import makers_of
from otherwords.annotate.making import DEFAULT_SCHEME, Plan
from otherwords.annotate.pair_labels import SAID, Standing, labels_of, standing
from otherwords.annotate.scheme import Question, Scheme
from otherwords.annotate.severity import base_of
from otherwords.annotate.standing import stands
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.rows import PRESENT, dicts
from otherwords.records import Purpose

PURPOSE: Purpose = "qa"
IDS_A_QUERY = 500
_one, _said = schema.pairs, schema.judgements


@dataclass(frozen=True, slots=True)
class Round:
    """How a round of quality control has come out so far."""

    pairs: int
    inspected: int
    changed: int
    changes: dict[str, int]  # "4s → 4": how often


def plan_qa(name: str, scheme: str | None, people: Sequence[str] = ()) -> Plan:
    """The rules of a round."""
    return Plan(name=name, scheme=scheme, purpose=PURPOSE, rules=Rules(people=list(people)))


def choose_qa(
    connection: Connection, project: Project, scheme: Scheme, label: str = "", flag: str = ""
) -> list[Wanted]:
    """The pairs whose label has that value and all its flags, or that flag; what was judged first comes first."""
    question = _asked(scheme)
    base, flags = _wanted(question, label, flag)
    own = scheme.name == (project.config.scheme or DEFAULT_SCHEME)  # pairs come with labels of that one
    found: list[tuple[int, str]] = []
    for names in _blocks(_candidates(connection, scheme.name, base or "", own=own)):
        for name, told in labels_of(connection, names, scheme.name).items():
            if (told.source != "import" or own) and _has(question, told, base, flags):
                found.append((told.since, name))
    names = [name for _, name in sorted(found)]
    makers = makers_of(connection, names)
    return [Wanted(name, makers[name]) for name in names]


def _asked(scheme: Scheme) -> Question:
    question = scheme.questions[0]
    if not scheme.single or question.several or question.counted or question.kind != "choice":
        raise Refused(f"a round of quality control goes by labels, and the scheme {scheme.name!r} has none")
    return question


def _wanted(question: Question, label: str, flag: str) -> tuple[str | None, set[str]]:
    """The value and the flags that are looked for."""
    if bool(label) == bool(flag):
        raise Refused("say which pairs to check, by a label or by a flag")
    known = {one.flag for one in question.flags}
    base = base_of(question, label) if label else None
    flags = set(label.removeprefix(base or "")) | set(flag)
    if base is not None and base not in {value.value for value in question.values}:
        raise Refused(f"{label!r} is no label of the scheme; it has {', '.join(one.value for one in question.values)}")
    if not flags <= known:
        raise Refused(f"{''.join(sorted(flags - known))!r} is no flag of the scheme; it has {' '.join(sorted(known))}")
    return base, flags


def _has(question: Question, told: Standing, base: str | None, flags: set[str]) -> bool:
    if told.label is None:
        return False
    value = base_of(question, told.label)
    return base in (None, value) and flags <= set(told.label.removeprefix(value))


def _candidates(connection: Connection, scheme: str, base: str, *, own: bool) -> list[str]:
    """Pairs that may have such a label: somebody said it, or they came with it."""
    begins = f'"{base}'
    about = (_said.c.pair == _one.c.id, _said.c.unit == "pair", _said.c.scheme == scheme, stands())
    text = func.substr(cast(_said.c.value, Text), 1, len(begins))
    said = select(_said.c.seq).where(*about, text == begins).correlate(_one).exists()
    came = [_one.c.label.is_not(None)] if own else []
    fits = (PRESENT, _one.c.text1 != "", or_(said, *came))
    return list(connection.execute(select(_one.c.id).where(*fits).order_by(_one.c.seq)).scalars())


def round_of(connection: Connection, of: Batch) -> Round:
    """How many pairs of a round were inspected, and what became of their labels."""
    slot = schema.slots
    rows = connection.execute(select(slot.c.item, slot.c.judgement).where(slot.c.batch == of.id)).all()
    inspected = sorted({row.item for row in rows if row.judgement is not None})
    changes: Counter[str] = Counter()
    for names in _blocks(inspected):
        for before, after in _compared(connection, of, names):
            if before != after:
                changes[f"{before or 'open'} → {after or 'open'}"] += 1
    pairs = len({row.item for row in rows})
    return Round(pairs, len(inspected), changes.total(), dict(changes.most_common()))


def _compared(connection: Connection, of: Batch, names: Sequence[str]) -> Iterator[tuple[str | None, str | None]]:
    """What each pair was before anybody looked at it in the round, and what they said of it."""
    columns = [_said.c[name] for name in ("id", "pair", "batch", "supersedes", *SAID)]
    about = (_said.c.pair.in_(names), _said.c.unit == "pair", _said.c.kind != "simulated")
    told: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in dicts(connection.execute(select(*columns).where(*about).order_by(_said.c.seq))):
        told[row["pair"]].append(row)
    rows = connection.execute(select(_one.c.id, _one.c.label).where(_one.c.id.in_(names)))
    came = {row.id: row.label for row in rows}
    for name in names:
        first = next(row["seq"] for row in told[name] if row["batch"] == of.id)
        earlier = [row for row in told[name] if row["seq"] < first]
        later = [row for row in told[name] if row["batch"] == of.id and row["kind"] == "individual"]
        before = standing(came.get(name), _that_stand(earlier), of.scheme).label
        yield before, standing(None, _that_stand(later), of.scheme).label


def _that_stand(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    superseded = {row["supersedes"] for row in rows}
    return [row for row in rows if row["value"] is not None and row["id"] not in superseded]


def _blocks(names: Iterable[str]) -> Iterator[list[str]]:
    every = list(names)
    yield from (every[start : start + IDS_A_QUERY] for start in range(0, len(every), IDS_A_QUERY))
