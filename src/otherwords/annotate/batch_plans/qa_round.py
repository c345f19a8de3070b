"""Rounds of quality control: all pairs of a label or a flag, checked against the guideline as it is now.

A round is a batch of the pairs that have a label, those judged first coming first (Kanerva et al. 2023, §5.4). Whoever
checks a pair sees its label, accepts it or gives another, and that is its label from then on. The result is how many
pairs were inspected, and how many of them changed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Text, cast, func, or_, select

from otherwords.annotate.batch_plans.create import DEFAULT_SCHEME, BatchPlan
from otherwords.annotate.batch_plans.selection import items_of
from otherwords.annotate.batches.batch import Batch, BatchItem, BatchRules
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.labels.pair_labels import LABEL_COLUMNS, JudgementRow, PairLabeller, PairRows, labels_of_pairs
from otherwords.annotate.schemes.distance import base_value
from otherwords.annotate.schemes.scheme import Question, Scheme
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, in_blocks, row_dicts
from otherwords.project.left_out import NOT_LEFT_OUT
from otherwords.project.project import Project
from otherwords.records import Purpose

PURPOSE: Purpose = "qa"
_pairs, _judgements, _slots = schema.pairs, schema.judgements, schema.slots


@dataclass(frozen=True, slots=True)
class QaCounts:
    """The result of a round of quality control so far."""

    pairs: int
    inspected: int
    changed: int
    changes: dict[str, int]  # "4s → 4": how often


def plan_qa(name: str, scheme: str | None, people: Sequence[str] = ()) -> BatchPlan:
    """The plan of a round."""
    return BatchPlan(name=name, scheme=scheme, purpose=PURPOSE, rules=BatchRules(people=list(people)))


def choose_qa(
    connection: Connection, project: Project, scheme: Scheme, label: str = "", flag: str = ""
) -> list[BatchItem]:
    """The pairs whose label has that value and all its flags, or that flag; those judged first come first."""
    question = scheme.questions[0]
    if not scheme.single or not question.has_one_answer:
        message = f"a round of quality control goes by labels, and the scheme {scheme.name!r} has none"
        raise Refused(message, code="scheme-without-labels")
    base, flags = _parse_label(question, label, flag)
    is_own = scheme.name == (project.config.scheme or DEFAULT_SCHEME)  # imported labels are of that scheme
    found: list[tuple[int, str]] = []
    for names in in_blocks(_candidates(connection, scheme.name, base or "", is_own=is_own)):
        for name, current in labels_of_pairs(connection, names, scheme.name, scheme).items():
            if current.label is None or (current.source == "import" and not is_own):
                continue
            value = base_value(question, current.label)
            if base in (None, value) and flags <= set(current.label.removeprefix(value)):
                found.append((current.since, name))
    return items_of(connection, [name for _, name in sorted(found)])


def _parse_label(question: Question, label: str, flag: str) -> tuple[str | None, set[str]]:
    """The value and the flags that pairs have to have."""
    if bool(label) == bool(flag):
        raise Refused("say which pairs to check, either by a label or by a flag", code="label-or-flag")
    values, known = [value.value for value in question.values], {known.flag for known in question.flags}
    base = base_value(question, label) if label else None
    flags = set(label.removeprefix(base or "")) | set(flag)
    if base is not None and base not in values:
        raise Refused(f"{label!r} is not one of the labels {', '.join(values)}", code="no-such-label")
    if not flags <= known:
        unknown = "".join(sorted(flags - known))
        raise Refused(f"{unknown!r} is not one of the flags {' '.join(sorted(known))}", code="no-such-flag")
    return base, flags


def _candidates(connection: Connection, scheme: str, base: str, *, is_own: bool) -> list[str]:
    """Pairs that may have such a label: somebody gave it, or they were imported with it."""
    begins = f'"{base}'
    of_scheme = (_judgements.c.pair == _pairs.c.id, _judgements.c.unit == "pair", _judgements.c.scheme == scheme)
    value = func.substr(cast(_judgements.c.value, Text), 1, len(begins))
    judged = select(_judgements.c.seq).where(*of_scheme, is_current(), value == begins).correlate(_pairs).exists()
    imported = [_pairs.c.label.is_not(None)] if is_own else []
    fits = (PRESENT, NOT_LEFT_OUT, _pairs.c.text1 != "", or_(judged, *imported))
    return list(connection.execute(select(_pairs.c.id).where(*fits).order_by(_pairs.c.seq)).scalars())


def count_changes(connection: Connection, batch: Batch) -> QaCounts:
    """How many pairs of a round were inspected, and how their labels changed."""
    rows = connection.execute(select(_slots.c.item, _slots.c.judgement).where(_slots.c.batch == batch.id)).all()
    inspected = sorted({row.item for row in rows if row.judgement is not None})
    changes: Counter[str] = Counter()
    for names in in_blocks(inspected):
        for before, after in _labels_around(connection, batch, names):
            if before != after:
                changes[f"{before or 'open'} → {after or 'open'}"] += 1
    pairs = len({row.item for row in rows})
    return QaCounts(pairs, len(inspected), changes.total(), dict(changes.most_common()))


def _labels_around(
    connection: Connection, batch: Batch, names: Sequence[str]
) -> Iterator[tuple[str | None, str | None]]:
    """The label of each pair before anybody looked at it in the round, and the one it got there."""
    columns = [_judgements.c[name] for name in ("id", "pair", "supersedes", *LABEL_COLUMNS)]
    about = (_judgements.c.pair.in_(names), _judgements.c.unit == "pair", _judgements.c.kind != "simulated")
    by_pair: dict[str, list[JudgementRow]] = defaultdict(list)
    for row in row_dicts(connection.execute(select(*columns).where(*about).order_by(_judgements.c.seq))):
        by_pair[row["pair"]].append(row)
    rows = connection.execute(select(_pairs.c.id, _pairs.c.label).where(_pairs.c.id.in_(names)))
    imported = {row.id: row.label for row in rows}
    for name in names:
        first = next(row["seq"] for row in by_pair[name] if row["batch"] == batch.id)
        earlier = [row for row in by_pair[name] if row["seq"] < first]
        later = [row for row in by_pair[name] if row["batch"] == batch.id and row["kind"] == "individual"]
        pairs = (PairRows(imported.get(name), False, _current(earlier)), PairRows(None, False, _current(later)))
        labeller = PairLabeller(connection, pairs, batch.scheme)
        yield labeller.label(pairs[0]).label, labeller.label(pairs[1]).label


def _current(rows: list[JudgementRow]) -> list[JudgementRow]:
    """Those of some judgements that none of them supersedes or takes back."""
    superseded = {row["supersedes"] for row in rows}
    return [row for row in rows if row["value"] is not None and row["id"] not in superseded]
