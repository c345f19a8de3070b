"""The blind check of rewrites: are they the plain paraphrases that they are meant to be (Kanerva et al. 2023, §6.1.1)?

Rewrites and ordinary pairs, half and half and shuffled, are judged twice, without their documents, by people who have
nothing to do with them. Nothing that an annotator gets says which is which: so no original stands beside its rewrite,
nor two rewrites of one original, and nobody gets a rewrite of a pair that they judged. The ordinary ones are pairs
that somebody judged before, as in the paper, and others only where these do not suffice. Out comes a batch, and later
the share of plain paraphrases in both halves; the paper has 78 %.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import ColumnElement, Connection, select

from otherwords.annotate.batches import Batch, Rules, Wanted
from otherwords.annotate.choosing import by_chance
from otherwords.annotate.making import Plan, known_people, made_before, put_together
from otherwords.annotate.rewriting import METHOD
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.rows import PRESENT

JUDGED = 2  # times
SIZE = 200  # the paper has 1,000: 500 rewrites among as many others
IDS_A_QUERY = 500
_one = schema.pairs


@dataclass(frozen=True, slots=True)
class _Candidate:
    id: str
    original: str | None
    people: frozenset[str]  # who extracted, wrote or judged it, or its original
    judged: bool


def rewrite_check(
    connection: Connection,
    project: Project,
    name: str,
    size: int = SIZE,
    seed: int = 0,
    people: Sequence[str] = (),
    author: str | None = None,
    key: str | None = None,
) -> Batch:
    """Make the batch of a check: ``size`` pairs, half of them rewrites, for some people or for anybody."""
    plan = plan_check(name, seed, people, size)
    chosen = [] if made_before(connection, plan, author, key) else choose_check(connection, size, seed, people)
    return put_together(connection, project, plan, chosen, author, key)


def plan_check(name: str, seed: int, people: Sequence[str], size: int) -> Plan:
    """The rules of a check."""
    rules = Rules(people=list(people), context=False, own=False)
    return Plan(name=name, sample=size, seed=seed, order="shuffled", asked=JUDGED, purpose="check", rules=rules)


def choose_check(connection: Connection, size: int, seed: int, people: Sequence[str]) -> list[Wanted]:
    """Half rewrites and half others, in a random order, each with the one person who must not get it."""
    if size < 2 or size % 2:
        raise Refused(f"half of the pairs are rewrites: give an even number, not {size}")
    half, team = size // 2, frozenset(known_people(connection, people))
    rewrites = list(islice(_rewrites(connection, seed, team), half))
    if len(rewrites) < half:
        raise Refused(f"only {len(rewrites)} rewrites are fit for a check, and {half} are needed; {_why(team)}")
    others = _ordinary(connection, seed, team, {one.original for one in rewrites}, half)
    if len(others) < half:
        raise Refused(f"only {len(others)} other pairs are fit for a check, and {half} are needed; {_why(team)}")
    chosen = {one.id: Wanted(one.id, next(iter(_known_to(one, team)), None)) for one in [*rewrites, *others]}
    return [chosen[name] for name in by_chance(chosen, seed, "order")]


def _why(team: Collection[str]) -> str:
    return (
        f"each has to be new to {JUDGED} of these people, and known to at most one"
        if team
        else "each may be known to one person at most, who extracted, wrote or judged it"
    )


def _rewrites(connection: Connection, seed: int, team: frozenset[str]) -> Iterator[_Candidate]:
    """Rewrites that can be checked, by chance, one of each original."""
    seen: set[str | None] = set()
    for one in _candidates(connection, seed, _one.c.rewrite_of.is_not(None) & (_one.c.method == METHOD)):
        if one.original not in seen and _is_fit(one, team):
            seen.add(one.original)
            yield one


def _ordinary(
    connection: Connection, seed: int, team: frozenset[str], originals: Collection[str | None], most: int
) -> list[_Candidate]:
    """Pairs that are no rewrites, by chance, those that were judged before first."""
    judged: list[_Candidate] = []
    fresh: list[_Candidate] = []
    for one in _candidates(connection, seed, _one.c.rewrite_of.is_(None)):
        if one.id not in originals and _is_fit(one, team):
            (judged if one.judged else fresh).append(one)
        if len(judged) == most:
            break
    return [*judged, *fresh][:most]


def _candidates(connection: Connection, seed: int, which: ColumnElement[bool]) -> Iterator[_Candidate]:
    """Pairs by chance, each with the people who know it; they are looked up when they are needed."""
    maker = _one.c.meta["annotator"].as_string()
    there = (which, PRESENT, _one.c.text1 != "", _one.c.text2 != "")
    rows = {row[0]: row for row in connection.execute(select(_one.c.id, _one.c.rewrite_of, maker).where(*there))}
    names = by_chance(rows, seed, "sample")
    for start in range(0, len(names), IDS_A_QUERY):
        block = [rows[name] for name in names[start : start + IDS_A_QUERY]]
        judges = _judges(connection, {name for row in block for name in row[:2] if name is not None})
        for name, original, made_by in block:
            people = judges.get(name, set()) | judges.get(original, set()) | ({made_by} if made_by else set())
            yield _Candidate(name, original, frozenset(people), name in judges)


def _judges(connection: Connection, pairs: Collection[str]) -> dict[str, set[str]]:
    """Who ever judged these pairs, also those who took it back: they have seen them."""
    said = schema.judgements
    told: dict[str, set[str]] = {}
    about = (said.c.unit == "pair", said.c.kind == "individual", said.c.annotator.is_not(None))
    names = sorted(pairs)
    for start in range(0, len(names), IDS_A_QUERY):
        block = said.c.pair.in_(names[start : start + IDS_A_QUERY])
        for pair, annotator in connection.execute(select(said.c.pair, said.c.annotator).where(block, *about)):
            told.setdefault(pair, set()).add(annotator)
    return told


def _is_fit(one: _Candidate, team: frozenset[str]) -> bool:
    """Whether a slot can keep it from everybody who knows it, for it names one person, and enough others are left."""
    known = _known_to(one, team)
    return len(known) <= 1 and (not team or len(team - known) >= JUDGED)


def _known_to(one: _Candidate, team: frozenset[str]) -> frozenset[str]:
    return one.people & team if team else one.people
