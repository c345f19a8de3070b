"""The blind check of rewrites: are they the plain paraphrases that they are meant to be (Kanerva et al. 2023, §6.1.1)?

Rewrites and ordinary pairs, half and half and shuffled, are judged twice, without their documents, by people who have
nothing to do with them. Nothing that an annotator sees tells them apart: no original stands beside its rewrite, nor
two rewrites of one original, and nobody gets a rewrite of a pair that they judged. The ordinary ones are pairs that
somebody judged before, as in the paper, and others only if these do not suffice.

The result is the share of plain paraphrases in both halves (78 % in the paper). A pair counts when it is settled: by
the consensus if people disagreed and the team resolved it, else by both saying the same. For the pairs that are still
open, the lowest and the highest value that the share can reach are given beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from otherwords.annotate.batch_plans.create import BatchPlan, account_names
from otherwords.annotate.batch_plans.selection import shuffle
from otherwords.annotate.batches.batch import Batch, BatchItem, BatchRules, load_batch
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.judges import judges_of
from otherwords.annotate.rewrites import REWRITE_METHOD
from otherwords.annotate.schemes import load_scheme
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, in_blocks
from otherwords.project.left_out import NOT_LEFT_OUT
from otherwords.project.project import Project

JUDGED = 2  # times
CHECK_SIZE = 200  # the paper has 1,000: 500 rewrites among as many others
_pairs, _judgements, _slots = schema.pairs, schema.judgements, schema.slots


@dataclass(frozen=True, slots=True)
class _Candidate:
    id: str
    original: str | None
    people: frozenset[str]  # who extracted, wrote or judged it, or its original
    judged: bool

    def known_to(self, team: frozenset[str]) -> frozenset[str]:
        return self.people & team if team else self.people

    def is_usable(self, team: frozenset[str]) -> bool:
        """Whether it can be kept from everybody who knows it, as a slot excludes one person, and enough are left."""
        known = self.known_to(team)
        return len(known) <= 1 and (not team or len(team - known) >= JUDGED)


def plan_check(name: str, seed: int, people: Sequence[str], size: int) -> BatchPlan:
    """The plan of a check."""
    rules = BatchRules(people=list(people), context=False, own=False)
    return BatchPlan(name=name, sample=size, seed=seed, order="shuffled", asked=JUDGED, purpose="check", rules=rules)


def choose_check(connection: Connection, size: int, seed: int, people: Sequence[str]) -> list[BatchItem]:
    """Half rewrites and half others, in a random order, each with the one person who must not get it."""
    if size < 2 or size % 2:
        raise Refused(f"half of the pairs are rewrites: give an even number, not {size}", code="odd-check-size")
    half, team = size // 2, frozenset(account_names(connection, people))
    rewrites = list(islice(_rewrites(connection, seed, team), half))
    _require(half, len(rewrites), "only {} rewrites are fit for a check, and {} are needed", team)
    ordinary = _ordinary(connection, seed, team, {rewrite.original for rewrite in rewrites}, half)
    _require(half, len(ordinary), "only {} other pairs are fit for a check, and {} are needed", team)
    items = {pair.id: BatchItem(pair.id, next(iter(pair.known_to(team)), None)) for pair in [*rewrites, *ordinary]}
    return [items[name] for name in shuffle(items, seed, "order")]


def _require(needed: int, usable: int, message: str, team: Collection[str]) -> None:
    if usable < needed:
        message = message.format(usable, needed)
        counted = message.replace("s are", " is", 1) if usable == 1 else message
        rule = "each may be known to one person at most, who extracted, wrote or judged it"
        team_rule = f"each has to be new to {JUDGED} of these people, and known to at most one"
        raise Refused(f"{counted}; {team_rule if team else rule}", code="too-few-pairs")


def _rewrites(connection: Connection, seed: int, team: frozenset[str]) -> Iterator[_Candidate]:
    """Rewrites that can be checked, in a random order, one of each original."""
    seen: set[str | None] = set()
    is_rewrite = _pairs.c.rewrite_of.is_not(None) & (_pairs.c.method == REWRITE_METHOD)
    for candidate in _candidates(connection, seed, is_rewrite):
        if candidate.original not in seen and candidate.is_usable(team):
            seen.add(candidate.original)
            yield candidate


def _ordinary(
    connection: Connection, seed: int, team: frozenset[str], originals: Collection[str | None], most: int
) -> list[_Candidate]:
    """Random pairs that are not rewrites, those that were judged before first."""
    judged: list[_Candidate] = []
    fresh: list[_Candidate] = []
    for candidate in _candidates(connection, seed, _pairs.c.rewrite_of.is_(None)):
        if candidate.id not in originals and candidate.is_usable(team):
            (judged if candidate.judged else fresh).append(candidate)
        if len(judged) == most:
            break
    return [*judged, *fresh][:most]


def _candidates(connection: Connection, seed: int, condition: ColumnElement[bool]) -> Iterator[_Candidate]:
    """Pairs in a random order, each with the people who know it, who are looked up when they are needed."""
    maker = _pairs.c.meta["annotator"].as_string()
    there = (condition, PRESENT, NOT_LEFT_OUT, _pairs.c.text1 != "", _pairs.c.text2 != "")
    rows = {row[0]: row for row in connection.execute(select(_pairs.c.id, _pairs.c.rewrite_of, maker).where(*there))}
    for names in in_blocks(shuffle(rows, seed, "sample")):
        block = [rows[name] for name in names]
        judges = judges_of(connection, {name for row in block for name in row[:2] if name is not None})
        for name, original, made_by in block:
            people = judges.get(name, set()) | judges.get(original, set()) | ({made_by} if made_by else set())
            yield _Candidate(name, original, frozenset(people), name in judges)


@dataclass(frozen=True, slots=True)
class CheckHalf:
    """One half of a check. Shares are of settled pairs; None if there are none."""

    pairs: int
    judged: int  # at least once
    complete: int
    agreed: int  # both said the same, and nobody had to resolve it
    adjudicated: int
    open: int  # both have judged it, and differ
    plain: int
    share: float | None
    least: float | None
    most: float | None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Both halves of a check, and the label that a rewrite is meant to have."""

    batch: str
    label: str
    rewrites: CheckHalf
    others: CheckHalf


@dataclass(slots=True)
class _CheckedPair:
    is_rewrite: bool
    asked: int = 0
    values: list[Any] = field(default_factory=list)
    first: int = 0  # the number of its first judgement in the check
    consensus: Any = None


def check_result(connection: Connection, project: Project, name: str) -> CheckResult:
    """The result of a check of rewrites so far."""
    batch = load_batch(connection, name)
    rewrite = load_scheme(batch.scheme, project.folder).rewrite
    if batch.purpose != "check" or rewrite is None:
        raise Refused(f"the batch {name!r} is no check of rewrites", code="not-a-rewrite-check")
    checked = _checked_pairs(connection, batch).values()
    rewrites = _half([pair for pair in checked if pair.is_rewrite], rewrite.label)
    others = _half([pair for pair in checked if not pair.is_rewrite], rewrite.label)
    return CheckResult(name, rewrite.label, rewrites, others)


def _checked_pairs(connection: Connection, batch: Batch) -> dict[str, _CheckedPair]:
    """Every pair of a check with the answers to it there, and the consensus reached since."""
    columns = (_slots.c.item, _pairs.c.rewrite_of, _judgements.c.seq, _judgements.c.value)
    tables = _slots.join(_pairs, _pairs.c.id == _slots.c.item)
    tables = tables.outerjoin(_judgements, _judgements.c.id == _slots.c.judgement)
    query = select(*columns).where(_slots.c.batch == batch.id).select_from(tables).order_by(_slots.c.position)
    checked: dict[str, _CheckedPair] = {}
    for item, original, seq, value in connection.execute(query):
        pair = checked.setdefault(item, _CheckedPair(original is not None))
        pair.asked += 1
        if seq is not None:
            pair.values.append(value)
            pair.first = min(pair.first or seq, seq)
    of_team = (_judgements.c.kind == "consensus", _judgements.c.scheme == batch.scheme, is_current())
    for block in in_blocks(list(checked)):
        about = (_judgements.c.pair.in_(block), _judgements.c.unit == "pair", *of_team)
        for row in connection.execute(select(_judgements).where(*about).order_by(_judgements.c.seq)):
            if checked[row.pair].first and row.seq > checked[row.pair].first:  # an older one is not about this check
                checked[row.pair].consensus = row.value
    return checked


def _half(checked: Sequence[_CheckedPair], label: str) -> CheckHalf:
    complete = [pair for pair in checked if pair.values and len(pair.values) == pair.asked]
    adjudicated = [pair.consensus for pair in checked if pair.consensus is not None]
    alone = [pair.values for pair in complete if pair.consensus is None]
    agreed = [values[0] for values in alone if all(value == values[0] for value in values)]
    settled, undecided = [*adjudicated, *agreed], len(alone) - len(agreed)
    plain, possible = sum(value == label for value in settled), len(settled) + undecided
    return CheckHalf(
        pairs=len(checked),
        judged=sum(bool(pair.values) for pair in checked),
        complete=len(complete),
        agreed=len(agreed),
        adjudicated=len(adjudicated),
        open=undecided,
        plain=plain,
        share=plain / len(settled) if settled else None,
        least=plain / possible if possible else None,
        most=(plain + undecided) / possible if possible else None,
    )
