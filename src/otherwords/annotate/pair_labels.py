"""The label that a pair has by now, out of all that was said about it.

A consensus that stands is the label, unless somebody has checked the pair in a round of quality control since: then
it is what they said (Kanerva et al. 2023, §5.4). Without either, it is what the rule of the scheme makes of what people
said: as a rule, what all say alike; if they do not, the pair is open. A pair that nobody judged has the label that it
came with, if any. In go ids of pairs, out comes what is known of each, by one query. What counts for what
(:func:`rank`) and which rule makes the label (:mod:`~otherwords.annotate.ruling`) is the same in the table of labels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, and_, select

from otherwords.annotate.ruling import Answers, Rule, Ruling, rules_of
from otherwords.annotate.schemes import scheme as scheme_of
from otherwords.annotate.standing import stands
from otherwords.measures.agreement.iapta_values import phenomena_in
from otherwords.project import schema
from otherwords.project.project import Project

IDS_A_QUERY = 500
Source = Literal["consensus", "qa", "judgements", "import"]
Rank = Literal["consensus", "qa", "alone", "vote"]
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


def rank(kind: str, purpose: str) -> Rank | None:
    """What a judgement counts for; None: it says something of people or of a check, and makes no label by itself.

    What a team decides about pairs of a training batch is kept (Vila et al. 2014); what its members said there is not.
    """
    if purpose in ("gold", "check"):
        return None
    if kind == "consensus":
        return "consensus"
    if kind == "vote":
        return "vote"
    if kind != "individual" or purpose == "training":
        return None
    return "qa" if purpose == "qa" else "alone"


def labels_in(connection: Connection, project: Project, ids: Collection[str]) -> dict[str, Standing]:
    """What each pair of a project is by now, by the main view of its scheme."""
    name = project.config.scheme
    rule = next(iter(rules_of(scheme_of(name, project.folder)).values())) if name else None
    return labels_of(connection, ids, name, rule)


def labels_of(
    connection: Connection, ids: Collection[str], scheme: str | None = None, rule: Rule | None = None
) -> dict[str, Standing]:
    """What each pair is by now; of a scheme, where judgements of others are no labels."""
    one, said = schema.pairs, schema.judgements
    about = and_(said.c.pair == one.c.id, said.c.unit == "pair", said.c.kind != "simulated", NO_TEST, stands())
    columns = (one.c.id, one.c.label, one.c.rewrite_of, said.c.batch, *(said.c[name] for name in SAID))
    statement = select(*columns).select_from(one.outerjoin(said, about)).order_by(one.c.seq, said.c.seq)
    wanted, told = sorted(ids), dict[str, tuple[str | None, list[Mapping[str, Any]]]]()
    asked = asked_in_batches(connection) if rule is not None and rule.view.rule == "votes" else {}
    for start in range(0, len(wanted), IDS_A_QUERY):
        block = one.c.id.in_(wanted[start : start + IDS_A_QUERY])
        for row in connection.execute(statement.where(block)).mappings():
            came = row[one.c.label] or (
                _of_rewrites(rule) if row[one.c.rewrite_of] and row[said.c.kind] is None else None
            )
            _, judgements = told.setdefault(row[one.c.id], (came, []))
            if row[said.c.kind] is not None:
                spoken = {name: row[said.c[name]] for name in SAID}
                judgements.append(spoken | {"asked": asked.get(row[said.c.batch], 0)})
    return {name: standing(imported, judgements, scheme, rule) for name, (imported, judgements) in told.items()}


def asked_in_batches(connection: Connection) -> dict[str | None, int]:
    """How many judgements of a pair each batch asks for."""
    return {row.id: row.asked for row in connection.execute(select(schema.batches.c.id, schema.batches.c.asked))}


def _of_rewrites(rule: Rule | None) -> str | None:
    """The label that a rewrite has for being one."""
    return rule.scheme.rewrite.label if rule is not None and rule.scheme.rewrite else None


def standing(
    imported: str | None, judgements: Sequence[Mapping[str, Any]], scheme: str | None, rule: Rule | None = None
) -> Standing:
    """What follows from the standing judgements of a pair, the last one said last, and the label it came with."""
    settled: Mapping[str, Any] | None = None
    alone: list[Mapping[str, Any]] = []
    said: set[str] = set()
    for one in judgements:
        own = scheme is None or one["scheme"] in (None, scheme)
        if _spelled(one["value"]) is None or not own:
            said.update(_parts(one["value"]))
        if not own or (_spelled(one["value"]) is None and rule is None):
            continue
        counts = rank(one["kind"], one["purpose"])
        if counts in ("consensus", "qa"):
            settled = one
        elif counts == "alone" or (counts == "vote" and rule is not None and rule.view.rule == "votes"):
            alone.append(one)
    label, source, since = _told(imported, settled, alone, rule)
    types = frozenset(name for one in judgements for name in _types(one["value"]))
    spelled = sorted({name for one in alone if (name := _spelled(one["value"])) is not None})
    is_open = label is None and len(spelled) > 1
    return Standing(label, tuple(spelled), is_open, len(judgements), types, source, since, frozenset(said))


def _told(
    imported: str | None, settled: Mapping[str, Any] | None, alone: Sequence[Mapping[str, Any]], rule: Rule | None
) -> tuple[str | None, Source | None, int]:
    """The label, where it is from and since when: by a decision, by the rule, or with what the pair came."""
    if settled is not None:
        plain, ruling = _spelled(settled["value"]), rule.of_decision(settled["value"]) if rule else None
        source: Source = "consensus" if settled["kind"] == "consensus" else "qa"
        return _found(ruling, plain), source, settled["seq"]
    if alone:
        values = [one["value"] for one in alone]
        spelled = {_spelled(value) for value in values}
        votes = any(one["kind"] == "vote" for one in alone)
        told = Answers(values, max(one.get("asked", 0) for one in alone), votes)
        label = _found(rule.of_answers(told) if rule else None, spelled.pop() if len(spelled) == 1 else None)
        return (label, "judgements", alone[0]["seq"]) if label is not None else (None, None, 0)
    if imported is None:
        return None, None, 0
    return _found(rule.of_import(imported) if rule else None, imported), "import", 0


def _found(ruling: Ruling | None, plain: str | None) -> str | None:
    """The label that a rule makes; what is outside the scheme is shown as it is, so that somebody finds it."""
    return plain if ruling is None or ruling.state == "left out" else ruling.label


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
