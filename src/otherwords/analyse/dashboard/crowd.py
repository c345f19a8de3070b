"""The state of a crowd: figures of each worker, and labels by threshold, by majority and by Dawid and Skene.

The command line and the curator's page show the same record. Answers to hidden tests say something about workers and
nothing about pairs; a skip is not a vote. The threshold is applied by the engine that labels the corpus
(:mod:`otherwords.annotate.labels.engine`), which also says which pairs are open: those whose votes are not all in, as
long as the missing ones can change the label. No method labels an open pair. If experts have judged the same pairs in
another batch, F1 says how close the crowd comes to them (Dou et al. 2022, §2.4).

A crowd gives hundreds of thousands of answers, and this is a page: they are read once, row by row, into arrays of
numbers, and what is worked out for an answer or a combination of answers is worked out once.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Text, cast, select

from otherwords.annotate.batches.batch import Batch, item_count
from otherwords.annotate.crowd.events import PAUSED, worker_decisions
from otherwords.annotate.crowd.expected_tests import ExpectedTests, expected_tests
from otherwords.annotate.crowd.gate import cohens_kappa, gate_gaps, majority
from otherwords.annotate.crowd.hidden_tests import TEST_PURPOSE
from otherwords.annotate.crowd.platforms import worker_ids
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.labels.engine import LabelEngine
from otherwords.annotate.schemes.scheme import Scheme, View
from otherwords.errors import Refused
from otherwords.measures import votes
from otherwords.measures.votes import F1, NO_LABEL, Numbers, VoteTable
from otherwords.project.ledger import schema

NO, YES, OPEN = "no", "yes", "open"
SHOWN = 50  # pairs on which the methods differ
METHODS = ("threshold", "majority", "dawid_skene")
ROWS_AT_A_TIME = 10_000
Codes = NDArray[np.int32]  # half the memory of longer numbers
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
class _Answers:
    """The answers to a batch in their order, as numbers, with the names that the numbers stand for."""

    pairs: list[str]
    workers: list[str]
    values: list[str]  # JSON
    purposes: list[str]
    pair: Codes
    worker: Codes
    value: Codes
    purpose: Codes
    seconds: NDArray[np.float64]  # NaN where nobody measured them

    def where(self, chosen: NDArray[np.bool_]) -> _Answers:
        """Some of the answers, with the same numbers."""
        if chosen.all():
            return self
        numbers = {name: getattr(self, name)[chosen] for name in ("pair", "worker", "value", "purpose", "seconds")}
        return replace(self, **numbers)


@dataclass(frozen=True, slots=True)
class _Votes:
    """The votes of a batch as arrays, with the names that the numbers stand for."""

    pairs: list[str]
    numbers: Codes  # of the pairs, among all that were answered
    workers: list[str]
    labels: list[str]
    table: VoteTable


@dataclass(frozen=True, slots=True)
class _Outcomes:
    """What the label engine makes of the votes on each pair."""

    is_open: NDArray[np.bool_]
    labels: Numbers


@dataclass(frozen=True, slots=True)
class _Methods:
    """The labels of all pairs by each method, how often each label was given, and how probable the model calls it."""

    numbers: dict[str, Numbers]
    counts: Numbers
    shares: votes.Shares


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
    answers = _answers(connection, batch.id)
    is_test = np.array([purpose == TEST_PURPOSE for purpose in answers.purposes], bool)[answers.purpose]
    ordinary = answers.where(~is_test)
    voted = _votes(ordinary, scheme)
    outcomes = _by_threshold(connection, batch, rule, ordinary, voted) if rule is not None else None
    open_pairs = _open_pairs(batch, ordinary, voted, outcomes)
    methods = _methods(voted, outcomes, open_pairs)
    complete = ~open_pairs
    first, *others = methods.numbers.values()
    differ = np.flatnonzero(complete & np.logical_or.reduce([first != other for other in others]))
    not_labels = {OPEN: int(open_pairs.sum())}
    return CrowdState(
        batch=batch.id,
        workers=_worker_states(connection, batch.id, answers, voted),
        pairs=len(voted.pairs),
        judgements=len(voted.table.items),
        threshold=next(iter(rule.views.values())).threshold if rule is not None else None,
        labels={
            method: _label_counts(voted.labels, labels[complete]) | not_labels
            for method, labels in methods.numbers.items()
        },
        differ=[_crowd_label(voted, methods, place) for place in differ[:SHOWN].tolist()],
        differing=len(differ),
        experts=_compare_with_experts(connection, voted, methods, experts, scheme) if experts is not None else None,
        expected_tests=expected_tests(tests, items) if tests is not None else None,
        gate_gaps=gate_gaps(batch.rules, items, batch.asked),
    )


def _answers(connection: Connection, batch: str) -> _Answers:
    """All answers to a batch, with those to hidden tests; what somebody thinks of their own rewrite is none."""
    column = _judgements.c
    is_rewrite = column.meta["rewrite"].as_string()
    of_batch = (column.batch == batch, column.kind == "individual", column.annotator.is_not(None), is_current())
    columns = (column.pair, column.annotator, cast(column.value, Text), column.purpose, column.seconds)
    names: tuple[dict[str, int], ...] = ({}, {}, {}, {})
    numbers, seconds = tuple(array("i") for _ in names), array("d")
    for row in _streamed(connection, *columns, where=(*of_batch, is_rewrite.is_(None))):
        for known, column_numbers, name in zip(names, numbers, row[:-1], strict=True):
            column_numbers.append(known.setdefault(name, len(known)))
        seconds.append(np.nan if row[-1] is None else row[-1])
    pairs, workers, values, purposes = (list(known) for known in names)
    pair, worker, value, purpose = (np.asarray(column_numbers) for column_numbers in numbers)  # not copied
    return _Answers(pairs, workers, values, purposes, pair, worker, value, purpose, np.asarray(seconds))


def _streamed(
    connection: Connection, *columns: ColumnElement[Any], where: tuple[ColumnElement[bool], ...]
) -> Iterator[Any]:
    """Columns of judgements in their order, some rows at a time."""
    statement = select(*columns).where(*where).order_by(_judgements.c.seq)
    with connection.execute(statement.execution_options(yield_per=ROWS_AT_A_TIME)) as rows:
        yield from rows


def _votes(answers: _Answers, scheme: Scheme) -> _Votes:
    """Answers as votes: yes or no if the scheme says which answers are positive; a skip is none."""
    votes_of_values = [_vote(msgspec.json.decode(value), scheme) for value in answers.values]
    used = {vote for at in np.unique(answers.value).tolist() if (vote := votes_of_values[at]) is not None}
    labels = sorted(used | {NO, YES} if used <= {NO, YES} else used)
    number_of = {vote: number for number, vote in enumerate(labels)}
    label_numbers = [NO_LABEL if vote is None else number_of.get(vote, NO_LABEL) for vote in votes_of_values]
    labels_given = np.array(label_numbers, np.int64)[answers.value]
    is_vote = labels_given != NO_LABEL
    cast_votes, labels_given = answers.where(is_vote), labels_given[is_vote]
    pairs, items = _in_order(cast_votes.pair)
    by_name = sorted(set(cast_votes.worker.tolist()), key=answers.workers.__getitem__)
    places = np.zeros(len(answers.workers), np.int64)
    places[by_name] = np.arange(len(by_name))
    table = VoteTable(
        items,
        places[cast_votes.worker],
        labels_given,
        (len(pairs), len(by_name), len(labels)),
    )
    names = [answers.pairs[number] for number in pairs.tolist()]
    return _Votes(names, pairs, [answers.workers[number] for number in by_name], labels, table)


def _vote(value: Any, scheme: Scheme) -> str | None:
    if scheme.positive:
        positive = scheme.positive_of(value)
        return None if positive is None else YES if positive else NO
    return value if isinstance(value, str) else msgspec.json.encode(value, order="sorted").decode()


def _in_order(numbers: Codes) -> tuple[Codes, Numbers]:
    """The different numbers in the order in which they first occur, and the place of each number among them."""
    distinct, first, places = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order))
    return distinct[order], ranks[places]


def _votes_scheme(batch: Batch, scheme: Scheme, threshold: int | None) -> Scheme:
    """The scheme with one view, which counts as many votes as the batch asks for: by its own threshold, or by half."""
    view = next(iter(scheme.views.values()), View())
    if threshold is None and (view.rule, view.expected) == ("votes", batch.asked):
        threshold = view.threshold
    half = batch.asked // 2 if threshold is None else threshold
    counted = msgspec.structs.replace(view, rule="votes", threshold=half, expected=batch.asked)
    return msgspec.structs.replace(scheme, views={"votes": counted})


def _by_threshold(connection: Connection, batch: Batch, rule: Scheme, answers: _Answers, voted: _Votes) -> _Outcomes:
    """What the label engine makes of the votes on each pair; it is asked once for each combination of answers."""
    engine = LabelEngine(connection, rule, own=True, simulated=False)
    values = [msgspec.json.encode(msgspec.json.decode(value)).decode() for value in answers.values]
    order = np.argsort(answers.pair, kind="stable")
    codes = (answers.purpose * len(values) + answers.value)[order]
    ends = np.cumsum(np.bincount(answers.pair, minlength=len(answers.pairs)))
    sides = {True: voted.labels.index(YES), False: voted.labels.index(NO), None: NO_LABEL}
    known: dict[bytes, tuple[bool, int]] = {}
    is_open, labels = np.zeros(len(voted.pairs), bool), np.zeros(len(voted.pairs), np.int64)
    for place, pair in enumerate(voted.numbers.tolist()):
        of_pair = codes[ends[pair - 1] if pair else 0 : ends[pair]]
        outcome = known.get(of_pair.tobytes())
        if outcome is None:
            given = [divmod(code, len(values)) for code in of_pair.tolist()]
            judgements = tuple(
                ("individual", answers.purposes[purpose], batch.id, values[value]) for purpose, value in given
            )
            found = engine.outcome((judgements, None, False))
            outcome = known[of_pair.tobytes()] = (found.state == OPEN, sides[found.positive])
        is_open[place], labels[place] = outcome
    return _Outcomes(is_open, labels)


def _open_pairs(batch: Batch, answers: _Answers, voted: _Votes, outcomes: _Outcomes | None) -> NDArray[np.bool_]:
    """Which pairs are open: as the label engine says, or where it has no threshold, those with answers missing."""
    if outcomes is not None:
        return outcomes.is_open
    counts = np.bincount(answers.pair, minlength=len(answers.pairs))
    return counts[voted.numbers] < batch.asked


def _methods(voted: _Votes, outcomes: _Outcomes | None, open_pairs: NDArray[np.bool_]) -> _Methods:
    """The labels of all pairs by each method; open pairs have none."""
    model = votes.dawid_skene(voted.table)
    numbers = {} if outcomes is None else {"threshold": outcomes.labels}
    numbers |= {"majority": votes.majority(voted.table), "dawid_skene": model.labels}
    closed = {method: np.where(open_pairs, NO_LABEL, labels) for method, labels in numbers.items()}
    return _Methods(closed, votes.vote_counts(voted.table), model.shares)


def _label_counts(names: list[str], labels: Numbers) -> dict[str, int]:
    """How many pairs have each label, and how many have none."""
    none, *counts = np.bincount(labels - NO_LABEL, minlength=len(names) + 1).tolist()
    return dict(zip(names, counts, strict=True)) | {"none": none}


def _crowd_label(voted: _Votes, methods: _Methods, place: int) -> CrowdLabel:
    names: dict[str, str | None] = dict.fromkeys(METHODS)
    for method, labels in methods.numbers.items():
        names[method] = voted.labels[labels[place]] if labels[place] != NO_LABEL else None
    counts = zip(voted.labels, methods.counts[place].tolist(), strict=True)
    cast_votes = {label: count for label, count in counts if count}
    return CrowdLabel(voted.pairs[place], cast_votes, **names, probability=round(float(methods.shares[place].max()), 4))


def _worker_states(connection: Connection, batch: str, answers: _Answers, voted: _Votes) -> list[WorkerState]:
    takers = schema.takers
    workers = connection.execute(select(takers).where(takers.c.batch == batch).order_by(takers.c.annotator)).all()
    shared = _votes_beside_majority(voted)
    seconds = _median_seconds(answers)
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
            shared=shared[worker.annotator].total(),
            seconds=seconds.get(worker.annotator),
            state=worker.state,
            platform_id=ids.get(worker.annotator),
            reasons=reasons.get(worker.annotator, ("by a curator",)) if worker.state == "paused" else (),
        )
        for worker in workers
    ]


def _votes_beside_majority(voted: _Votes) -> dict[str, Counter[tuple[Hashable, Hashable]]]:
    """For each worker, how often they gave which vote beside which majority vote of the others on the same pair."""
    table, of_others = voted.table, votes.majority_of_others(voted.table)
    labels = len(voted.labels)
    shared = of_others != NO_LABEL
    places = (table.workers[shared] * labels + table.labels[shared]) * labels + of_others[shared]
    compared: dict[str, Counter[tuple[Hashable, Hashable]]] = defaultdict(Counter)
    for place, count in zip(*(column.tolist() for column in np.unique(places, return_counts=True)), strict=True):
        vote, other = divmod(place, labels)
        worker, own = divmod(vote, labels)
        compared[voted.workers[worker]][own, other] = count
    return compared


def _median_seconds(answers: _Answers) -> dict[str, float]:
    """The median seconds of an answer, of each worker whose seconds are known."""
    is_known = ~np.isnan(answers.seconds)
    workers, seconds = answers.worker[is_known], answers.seconds[is_known]
    order = np.argsort(workers, kind="stable")
    numbers, starts = np.unique(workers[order], return_index=True)
    parts = np.split(seconds[order], starts[1:])
    return {answers.workers[at]: float(np.median(part)) for at, part in zip(numbers.tolist(), parts, strict=False)}


def _compare_with_experts(
    connection: Connection, voted: _Votes, methods: _Methods, experts: Batch, scheme: Scheme
) -> dict[str, F1]:
    """F1 of each method against the experts: their consensus if there is one, otherwise their majority."""
    columns = (_judgements.c.pair, _judgements.c.kind, cast(_judgements.c.value, Text))
    kinds = _judgements.c.kind.in_(("consensus", "individual"))
    of_experts = (_judgements.c.batch == experts.id, _judgements.c.purpose != TEST_PURPOSE, kinds, is_current())
    consensus: dict[str, bool | None] = {}
    individual: dict[str, list[bool]] = defaultdict(list)
    sides: dict[str, bool | None] = {}  # by value
    for pair, kind, value in _streamed(connection, *columns, where=of_experts):
        if value not in sides:
            sides[value] = scheme.positive_of(msgspec.json.decode(value))
        positive = sides[value]
        if kind == "consensus":
            consensus[pair] = positive
        elif positive is not None:
            individual[pair].append(positive)
    expert_labels = [consensus.get(pair, majority(individual[pair])) for pair in voted.pairs]
    truth = np.array([NO_LABEL if label is None else int(bool(label)) for label in expert_labels], np.int64)
    yes = voted.labels.index(YES)
    return {
        method: votes.f1(np.where(labels == NO_LABEL, NO_LABEL, labels == yes).astype(np.int64), truth)
        for method, labels in methods.numbers.items()
    }
