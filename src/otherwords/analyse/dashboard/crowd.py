"""The state of a crowd: figures of each worker, and labels by threshold, by majority and by Dawid and Skene.

The command line and the curator's page show the same record. Answers to hidden tests say something about workers and
nothing about pairs; a skip is not a vote. The threshold is applied by the engine that labels the corpus
(:mod:`otherwords.annotate.labels.engine`), which also says which pairs are open: those whose votes are not all in, as
long as the missing ones can change the label. No method labels an open pair. If experts have judged the same pairs in
another batch, F1 says how close the crowd comes to them (Dou et al. 2022, §2.4).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from otherwords.annotate.batches.batch import Batch, item_count
from otherwords.annotate.crowd.events import PAUSED, worker_decisions
from otherwords.annotate.crowd.expected_tests import ExpectedTests, expected_tests
from otherwords.annotate.crowd.gate import cohens_kappa, gate_gaps, majority
from otherwords.annotate.crowd.hidden_tests import TEST_PURPOSE
from otherwords.annotate.crowd.platforms import worker_ids
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.labels.engine import LabelEngine, LabelOutcome
from otherwords.annotate.schemes.scheme import Scheme, View
from otherwords.errors import Refused
from otherwords.measures import votes
from otherwords.measures.votes import F1, NO_LABEL, Numbers, VoteTable
from otherwords.project.ledger import schema

NO, YES, OPEN = "no", "yes", "open"
SHOWN = 50  # pairs on which the methods differ
METHODS = ("threshold", "majority", "dawid_skene")
_judgements = schema.judgements


@dataclass(frozen=True, slots=True)
class WorkerState:
    """The figures of a worker over all their answers, not only those that the gate examines."""

    name: str
    answers: int
    tests: int
    accuracy: float | None
    kappa: float | None  # with the majority of the others
    shared: int
    seconds: float | None
    state: str
    reasons: tuple[str, ...] = ()
    platform_id: str | None = None  # by which they are paid, with the name of the platform


@dataclass(frozen=True, slots=True)
class CrowdLabel:
    """The label of a pair by each of the three methods; None if a method gives none."""

    pair: str
    votes: dict[str, int]
    threshold: str | None
    majority: str | None
    dawid_skene: str | None
    probability: float  # of the label by Dawid and Skene's model


@dataclass(frozen=True, slots=True)
class CrowdState:
    """The workers of a crowd, and the labels that follow from their votes."""

    batch: str
    workers: list[WorkerState]
    pairs: int
    judgements: int
    threshold: int | None
    labels: dict[str, dict[str, int]]  # by method: the number of pairs by label, of those without one, of open ones
    differ: list[CrowdLabel]
    differing: int
    experts: dict[str, F1] | None
    expected_tests: ExpectedTests | None  # of somebody who judges every pair; None without hidden tests
    gate_gaps: list[str]  # what the gate finds never or seldom


@dataclass(frozen=True, slots=True)
class _Votes:
    """The votes of a batch as arrays, with the names that the numbers stand for."""

    pairs: list[str]
    workers: list[str]
    labels: list[str]
    table: VoteTable


def crowd_state(
    connection: Connection, batch: Batch, scheme: Scheme, threshold: int | None = None, experts: Batch | None = None
) -> CrowdState:
    """The state of the crowd that works on a batch; a worker's label of their own rewrite is not a vote."""
    binary = bool(scheme.positive)
    if (threshold is not None or experts is not None) and not binary:
        message = f"the scheme {scheme.name!r} does not say which answers are positive, so it has no threshold or F1"
        raise Refused(message, code="no-positive-answers")
    rule = _votes_scheme(batch, scheme, threshold) if binary else None
    items, tests = item_count(connection, batch.id), batch.rules.tests
    column = _judgements.c
    columns = (column.pair, column.annotator, column.value, column.purpose, column.seconds, column.meta)
    of_batch = (column.batch == batch.id, column.kind == "individual", column.annotator.is_not(None), is_current())
    answers = connection.execute(select(*columns).where(*of_batch).order_by(column.seq))
    rows = [row for row in answers if not row.meta.get("rewrite")]
    ordinary = [row for row in rows if row.purpose != TEST_PURPOSE]
    voted = _votes(ordinary, scheme)
    outcomes = _by_threshold(connection, batch, rule, ordinary, voted) if rule is not None else None
    open_pairs = np.array(_open_pairs(batch, ordinary, voted, outcomes), bool)
    numbers, labels = _labels(voted, outcomes, open_pairs)
    methods = METHODS if binary else METHODS[1:]
    complete = [label for label, is_open in zip(labels, open_pairs, strict=True) if not is_open]
    differ = [label for label in complete if len({getattr(label, method) for method in methods}) > 1]
    by_method = {method: [getattr(label, method) for label in complete] for method in methods}
    not_labels = {OPEN: len(labels) - len(complete)}
    return CrowdState(
        batch=batch.id,
        workers=_worker_states(connection, batch.id, rows, voted),
        pairs=len(voted.pairs),
        judgements=len(voted.table.items),
        threshold=next(iter(rule.views.values())).threshold if rule is not None else None,
        labels={
            method: {name: names.count(name) for name in voted.labels} | {"none": names.count(None)} | not_labels
            for method, names in by_method.items()
        },
        differ=differ[:SHOWN],
        differing=len(differ),
        experts=_compare_with_experts(connection, voted, numbers, experts, scheme) if experts is not None else None,
        expected_tests=expected_tests(tests, items) if tests is not None else None,
        gate_gaps=gate_gaps(batch.rules, items, batch.asked),
    )


def _votes(rows: Sequence[Any], scheme: Scheme) -> _Votes:
    """Answers as votes: yes or no if the scheme says which answers are positive; a skip is none."""
    cast: list[tuple[str, str, str]] = []
    for row in rows:
        if not scheme.positive:
            vote = row.value if isinstance(row.value, str) else msgspec.json.encode(row.value, order="sorted").decode()
            cast.append((row.pair, row.annotator, vote))
        elif (positive := scheme.positive_of(row.value)) is not None:
            cast.append((row.pair, row.annotator, YES if positive else NO))
    pairs, workers = list(dict.fromkeys(pair for pair, _, _ in cast)), sorted({worker for _, worker, _ in cast})
    used = {label for _, _, label in cast}
    labels = sorted(used | {NO, YES} if used <= {NO, YES} else used)
    indexes = [{name: index for index, name in enumerate(names)} for names in (pairs, workers, labels)]
    columns = [np.array([index[vote[place]] for vote in cast], np.int64) for place, index in enumerate(indexes)]
    size = (len(pairs), len(workers), len(labels))
    return _Votes(pairs, workers, labels, VoteTable(columns[0], columns[1], columns[2], size))


def _votes_scheme(batch: Batch, scheme: Scheme, threshold: int | None) -> Scheme:
    """The scheme with one view, which counts as many votes as the batch asks for: by its own threshold, or by half."""
    view = next(iter(scheme.views.values()), View())
    if threshold is None and (view.rule, view.expected) == ("votes", batch.asked):
        threshold = view.threshold
    half = batch.asked // 2 if threshold is None else threshold
    counted = msgspec.structs.replace(view, rule="votes", threshold=half, expected=batch.asked)
    return msgspec.structs.replace(scheme, views={"votes": counted})


def _by_threshold(
    connection: Connection, batch: Batch, rule: Scheme, rows: Sequence[Any], voted: _Votes
) -> list[LabelOutcome]:
    """What the label engine makes of the votes on each pair."""
    engine = LabelEngine(connection, rule, own=True, simulated=False)
    judgements: dict[str, list[tuple[str, str, str, str]]] = defaultdict(list)
    for row in rows:
        value = msgspec.json.encode(row.value).decode()
        judgements[row.pair].append(("individual", row.purpose, batch.id, value))
    return [engine.outcome((tuple(judgements[pair]), None, False)) for pair in voted.pairs]


def _open_pairs(
    batch: Batch, rows: Sequence[Any], voted: _Votes, outcomes: Sequence[LabelOutcome] | None
) -> list[bool]:
    """Which pairs are open: as the label engine says, or where it has no threshold, those with answers missing."""
    if outcomes is not None:
        return [outcome.state == OPEN for outcome in outcomes]
    answers = Counter(row.pair for row in rows)
    return [answers[pair] < batch.asked for pair in voted.pairs]


def _labels(
    voted: _Votes, outcomes: Sequence[LabelOutcome] | None, open_pairs: NDArray[np.bool_]
) -> tuple[dict[str, Numbers], list[CrowdLabel]]:
    """The labels of all pairs by each method, as numbers and as records; open pairs have none."""
    counts = votes.vote_counts(voted.table)
    model = votes.dawid_skene(voted.table)
    numbers = {"majority": votes.majority(voted.table), "dawid_skene": model.labels}
    if outcomes is not None:
        sides = {True: voted.labels.index(YES), False: voted.labels.index(NO), None: NO_LABEL}
        numbers["threshold"] = np.array([sides[outcome.positive] for outcome in outcomes], np.int64)
    numbers = {method: np.where(open_pairs, NO_LABEL, of_pairs) for method, of_pairs in numbers.items()}
    names: dict[str, list[str | None]] = dict.fromkeys(METHODS, [None] * len(voted.pairs))
    for method, of_pairs in numbers.items():
        names[method] = [voted.labels[number] if number != NO_LABEL else None for number in of_pairs.tolist()]
    return numbers, [
        CrowdLabel(
            pair,
            {label: int(count) for label, count in zip(voted.labels, counts[place], strict=True) if count},
            names["threshold"][place],
            names["majority"][place],
            names["dawid_skene"][place],
            round(float(model.shares[place].max()), 4),
        )
        for place, pair in enumerate(voted.pairs)
    ]


def _worker_states(connection: Connection, batch: str, rows: Sequence[Any], voted: _Votes) -> list[WorkerState]:
    takers = schema.takers
    workers = connection.execute(select(takers).where(takers.c.batch == batch).order_by(takers.c.annotator)).all()
    shared = _votes_beside_majority(voted)
    seconds: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.seconds is not None:
            seconds[row.annotator].append(row.seconds)
    reasons: dict[str, tuple[str, ...]] = {}  # of the gate, or of a curator, who need not have given one
    for event in worker_decisions(connection, batch):
        if event.action == PAUSED:
            by_curator = event.detail.get("reason") or "by a curator"
            reasons[event.worker] = tuple(event.detail.get("reasons", [])) or (by_curator,)
    ids = worker_ids(connection, batch)
    return [
        WorkerState(
            name=worker.annotator,
            answers=worker.done - worker.tests,
            tests=worker.tests,
            accuracy=worker.right / worker.tests if worker.tests else None,
            kappa=cohens_kappa(shared[worker.annotator]) if shared[worker.annotator] else None,
            shared=len(shared[worker.annotator]),
            seconds=median(seconds[worker.annotator]) if seconds[worker.annotator] else None,
            state=worker.state,
            platform_id=ids.get(worker.annotator),
            reasons=reasons.get(worker.annotator, ("by a curator",)) if worker.state == "paused" else (),
        )
        for worker in workers
    ]


def _votes_beside_majority(voted: _Votes) -> dict[str, list[tuple[Hashable, Hashable]]]:
    """For each worker, their votes beside the majority vote of the others on the same pair."""
    table = voted.table
    by_pair: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for pair, worker, label in zip(table.items.tolist(), table.workers.tolist(), table.labels.tolist(), strict=True):
        by_pair[pair].append((worker, label))
    compared: dict[str, list[tuple[Hashable, Hashable]]] = defaultdict(list)
    for votes_of_pair in by_pair.values():
        for worker, label in votes_of_pair:
            of_others = majority(vote for other, vote in votes_of_pair if other != worker)
            if of_others is not None:
                compared[voted.workers[worker]].append((label, of_others))
    return compared


def _compare_with_experts(
    connection: Connection, voted: _Votes, numbers: dict[str, Numbers], experts: Batch, scheme: Scheme
) -> dict[str, F1]:
    """F1 of each method against the experts: their consensus if there is one, otherwise their majority."""
    columns = (_judgements.c.pair, _judgements.c.kind, _judgements.c.value)
    kinds = _judgements.c.kind.in_(("consensus", "individual"))
    of_experts = (_judgements.c.batch == experts.id, _judgements.c.purpose != TEST_PURPOSE, kinds, is_current())
    consensus: dict[str, bool | None] = {}
    individual: dict[str, list[bool]] = defaultdict(list)
    for row in connection.execute(select(*columns).where(*of_experts).order_by(_judgements.c.seq)):
        positive = scheme.positive_of(row.value)
        if row.kind == "consensus":
            consensus[row.pair] = positive
        elif positive is not None:
            individual[row.pair].append(positive)
    expert_labels = [consensus.get(pair, majority(individual[pair])) for pair in voted.pairs]
    truth = np.array([NO_LABEL if label is None else int(bool(label)) for label in expert_labels], np.int64)
    yes = voted.labels.index(YES)
    return {
        method: votes.f1(
            np.where(numbers[method] == NO_LABEL, NO_LABEL, numbers[method] == yes).astype(np.int64), truth
        )
        for method in METHODS
        if method in numbers
    }
