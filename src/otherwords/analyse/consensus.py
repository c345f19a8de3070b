"""How often people say alone what the team agrees on later: accuracy against the consensus (Kanerva et al. 2023, §6.1).

In goes the ledger, out come one person's judgements, or everybody's, each beside the consensus on the same pair. Only
what stands is compared. A consensus is what the team decided and wrote down: a pair on which all said the same is
compared where a recipe wrote that down too, and not otherwise. The cost grows with the pairs that were decided about,
not with those that were judged.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, literal, select

from otherwords.annotate.standing import stands
from otherwords.errors import LabelError
from otherwords.labels import parse
from otherwords.project import schema

PAIRS_A_QUERY = 500
Agreed = dict[tuple[str, str | None], Any]  # by pair and scheme
Compared = tuple[Any, Any]  # what one person said, and what the team agreed on


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often somebody said what the team agreed on; without anything to compare, why there is no figure."""

    compared: int
    full: float | None = None
    base: float | None = None
    reason: str | None = None


def agreed_on(connection: Connection) -> Agreed:
    """What the team agreed on, by pair and scheme. The kind is spelled out for the sake of a partial index."""
    said = schema.judgements
    consensus = (said.c.kind == literal("consensus", literal_execute=True), said.c.unit == "pair", stands())
    rows = connection.execute(select(said.c.pair, said.c.scheme, said.c.value).where(*consensus).order_by(said.c.seq))
    return {(row.pair, row.scheme): row.value for row in rows}


def compared_with(
    connection: Connection, agreed: Agreed, annotator: str | None = None
) -> Iterator[tuple[str, Compared]]:
    """Everybody's own judgements of those pairs, or those of one person, each beside what the team agreed on."""
    said = schema.judgements
    alone = [said.c.unit == "pair", said.c.kind == "individual", said.c.annotator.is_not(None), stands()]
    if annotator is not None:
        alone.append(func.coalesce(said.c.annotator, "") == annotator)  # by pair: somebody may have judged everything
    pairs = sorted({pair for pair, _ in agreed})
    for start in range(0, len(pairs), PAIRS_A_QUERY):
        of_these = said.c.pair.in_(pairs[start : start + PAIRS_A_QUERY])
        columns = (said.c.annotator, said.c.pair, said.c.scheme, said.c.value)
        for row in connection.execute(select(*columns).where(of_these, *alone)):
            if (row.pair, row.scheme) in agreed:
                yield row.annotator, (row.value, agreed[row.pair, row.scheme])


def agreement(agreed: Agreed, compared: list[Compared]) -> Agreement:
    if not agreed:
        return Agreement(0, reason="the team has not decided about any pair yet")
    if not compared:
        return Agreement(0, reason="none of the pairs that the team decided about was judged by this person before")
    full = sum(mine == team for mine, team in compared)
    base = sum(_base(mine) == _base(team) for mine, team in compared)
    return Agreement(len(compared), full / len(compared), base / len(compared))


def _base(answer: Any) -> Any:
    """A label without its flags; an answer of another scheme as it is."""
    return _without_flags(answer) if isinstance(answer, str) else answer


@functools.lru_cache(maxsize=256)
def _without_flags(answer: str) -> str:
    try:
        return parse(answer).base
    except LabelError:
        return answer
