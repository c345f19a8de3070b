"""How a crowd does, and what it says: each worker's figures, and labels by vote, by majority and by Dawid and Skene.

In goes a batch, out comes one record that the command line and the curator's page show. Answers to hidden tests say
something of people and nothing of pairs; a skip is no vote. Where experts have judged the same pairs in another batch,
F1 says how far the crowd comes up to them (Dou et al. 2022, §2.4).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import msgspec
import numpy as np
from sqlalchemy import Connection, select

from otherwords.annotate.batches import Batch
from otherwords.annotate.crowd_events import PAUSED, decisions
from otherwords.annotate.gate import kappa, majority
from otherwords.annotate.hidden_tests import PURPOSE
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.standing import stands
from otherwords.errors import Refused
from otherwords.measures import votes
from otherwords.measures.votes import F1, NONE, Answers, Numbers
from otherwords.project import schema

NO, YES = "no", "yes"
SHOWN = 50  # pairs on which the ways differ
WAYS = ("threshold", "majority", "dawid_skene")
_said = schema.judgements


@dataclass(frozen=True, slots=True)
class WorkerState:
    """How somebody does: all their answers, and not only those that the gate looks at."""

    name: str
    answers: int
    tests: int
    accuracy: float | None
    kappa: float | None  # with the majority of the others
    shared: int
    seconds: float | None
    state: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Labelled:
    """What a pair is by each of the three ways; None where a way does not say."""

    pair: str
    votes: dict[str, int]
    threshold: str | None
    majority: str | None
    dawid_skene: str | None
    probability: float  # of what Dawid and Skene's model says


@dataclass(frozen=True, slots=True)
class CrowdState:
    """A crowd and what it has said by now."""

    batch: str
    workers: list[WorkerState]
    pairs: int
    judgements: int
    threshold: int | None
    labels: dict[str, dict[str, int]]  # by way: how many pairs have each label
    differ: list[Labelled]
    differing: int
    experts: dict[str, F1] | None


@dataclass(frozen=True, slots=True)
class _Voted:
    """The votes of a batch as arrays, with what the numbers stand for."""

    pairs: list[str]
    names: list[str]
    labels: list[str]
    answers: Answers


def crowd_state(
    connection: Connection, of: Batch, scheme: Scheme, threshold: int | None = None, experts: Batch | None = None
) -> CrowdState:
    """How a crowd does, and what it says."""
    rows = _rows(connection, of.id)
    binary = bool(scheme.positive)
    if (threshold is not None or experts is not None) and not binary:
        raise Refused(f"the scheme {scheme.name!r} does not say which answers are positive; it has no threshold or F1")
    least = (of.asked // 2 if threshold is None else threshold) if binary else None
    voted = _voted([row for row in rows if row.purpose != PURPOSE], _label_of(scheme))
    found, labelled = _labelled(voted, least)
    differ = [
        one for one in labelled if len({one.threshold if binary else one.majority, one.majority, one.dawid_skene}) > 1
    ]
    return CrowdState(
        batch=of.id,
        workers=_workers(connection, of, rows, voted),
        pairs=len(voted.pairs),
        judgements=len(voted.answers.items),
        threshold=least,
        labels={way: _counts(labelled, way, voted.labels) for way in (WAYS if binary else WAYS[1:])},
        differ=differ[:SHOWN],
        differing=len(differ),
        experts=_against(connection, voted, found, experts, scheme) if experts is not None else None,
    )


def _rows(connection: Connection, batch: str) -> list[Any]:
    """What the batch asked for and got; that somebody calls their own rewrite a paraphrase is no vote."""
    about = (_said.c.batch == batch, _said.c.kind == "individual", _said.c.annotator.is_not(None), stands())
    columns = (_said.c.pair, _said.c.annotator, _said.c.value, _said.c.purpose, _said.c.seconds, _said.c.meta)
    rows = connection.execute(select(*columns).where(*about).order_by(_said.c.seq))
    return [row for row in rows if not row.meta.get("rewrite")]


def _label_of(scheme: Scheme) -> Callable[[Any], str | None]:
    """An answer as a vote: yes or no where the scheme has these, else what was said; None of a skip."""

    def label(value: Any) -> str | None:
        if scheme.positive:
            said = scheme.positive_of(value)
            return None if said is None else YES if said else NO
        return value if isinstance(value, str) else msgspec.json.encode(value, order="sorted").decode()

    return label


def _voted(rows: Sequence[Any], label_of: Callable[[Any], str | None]) -> _Voted:
    told = [(row.pair, row.annotator, label) for row in rows if (label := label_of(row.value)) is not None]
    pairs, names = list(dict.fromkeys(one[0] for one in told)), sorted({one[1] for one in told})
    labels = sorted({one[2] for one in told} | ({NO, YES} if {one[2] for one in told} <= {NO, YES} else set()))
    numbered = [{name: number for number, name in enumerate(of)} for of in (pairs, names, labels)]
    items, workers, given = ([numbered[place][one[place]] for one in told] for place in range(3))
    return _Voted(pairs, names, labels, Answers.of(items, workers, given, (len(pairs), len(names), len(labels))))


def _labelled(voted: _Voted, threshold: int | None) -> tuple[dict[str, Numbers], list[Labelled]]:
    """The labels of all pairs by each way, as numbers and as records."""
    counted = votes.votes(voted.answers)
    believed = votes.dawid_skene(voted.answers)
    found = {"majority": votes.majority(voted.answers), "dawid_skene": believed.labels}
    if threshold is not None:
        found["threshold"] = votes.by_threshold(counted[:, voted.labels.index(YES)], threshold)
    told = {
        way: [voted.labels[one] if one != NONE else None for one in numbers.tolist()] for way, numbers in found.items()
    }
    nothing = [None] * len(voted.pairs)
    return found, [
        Labelled(
            pair,
            {label: int(count) for label, count in zip(voted.labels, counted[place], strict=True) if count},
            told.get("threshold", nothing)[place],
            told["majority"][place],
            told["dawid_skene"][place],
            round(float(believed.shares[place].max()), 4),
        )
        for place, pair in enumerate(voted.pairs)
    ]


def _counts(labelled: Sequence[Labelled], way: str, labels: Sequence[str]) -> dict[str, int]:
    given = [getattr(one, way) for one in labelled]
    return {label: given.count(label) for label in labels} | {"none": given.count(None)}


def _workers(connection: Connection, of: Batch, rows: Sequence[Any], voted: _Voted) -> list[WorkerState]:
    taker = schema.takers
    takers = connection.execute(select(taker).where(taker.c.batch == of.id).order_by(taker.c.annotator)).all()
    shared = _shared(voted)
    seconds: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.seconds is not None:
            seconds[row.annotator].append(row.seconds)
    why = {one.worker: one.detail for one in decisions(connection, of.id) if one.action == PAUSED}
    return [
        WorkerState(
            name=one.annotator,
            answers=one.done - one.tests,
            tests=one.tests,
            accuracy=one.right / one.tests if one.tests else None,
            kappa=kappa(shared[one.annotator]) if shared[one.annotator] else None,
            shared=len(shared[one.annotator]),
            seconds=median(seconds[one.annotator]) if seconds[one.annotator] else None,
            state=one.state,
            reasons=_reasons(why.get(one.annotator, {})) if one.state == "paused" else (),
        )
        for one in takers
    ]


def _reasons(detail: dict[str, Any]) -> tuple[str, ...]:
    """Why somebody was paused: by the gate, or by a curator who may have said why."""
    return tuple(detail.get("reasons", [])) or (detail.get("reason") or "by a curator",)


def _shared(voted: _Voted) -> dict[str, list[tuple[Hashable, Hashable]]]:
    """What each worker says beside what most others say of the same pairs."""
    of_pair: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for pair, worker, label in zip(
        voted.answers.items.tolist(), voted.answers.workers.tolist(), voted.answers.labels.tolist(), strict=True
    ):
        of_pair[pair].append((worker, label))
    told: dict[str, list[tuple[Hashable, Hashable]]] = defaultdict(list)
    for said in of_pair.values():
        for worker, label in said:
            most = majority(other for name, other in said if name != worker)
            if most is not None:
                told[voted.names[worker]].append((label, most))
    return told


def _against(
    connection: Connection, voted: _Voted, found: dict[str, Numbers], experts: Batch, scheme: Scheme
) -> dict[str, F1]:
    """F1 of each way against what experts said: the consensus where there is one, else what most of them said."""
    about = (_said.c.batch == experts.id, _said.c.purpose != PURPOSE, stands())
    rows = connection.execute(
        select(_said.c.pair, _said.c.kind, _said.c.value).where(*about).order_by(_said.c.seq)
    ).all()
    agreed = {row.pair: scheme.positive_of(row.value) for row in rows if row.kind == "consensus"}
    alone: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if row.kind == "individual" and (said := scheme.positive_of(row.value)) is not None:
            alone[row.pair].append(said)
    told = [agreed.get(pair, majority(alone[pair])) for pair in voted.pairs]
    theirs = np.array([NONE if one is None else int(bool(one)) for one in told], np.int64)
    yes = voted.labels.index(YES)
    return {
        way: votes.f1(np.where(numbers == NONE, NONE, numbers == yes).astype(np.int64), theirs)
        for way, numbers in sorted(found.items(), key=lambda one: WAYS.index(one[0]))
    }
