"""Practice rounds: pairs with known answers and explanations that people answer before a batch opens for them.

After each answer they learn whether it was right, and why. A round has all practice pairs of the batch, in an order of
its own; who gets a large enough share of them right may begin, anybody else may practise again, as often as they like.
These answers have a table of their own: they are never judgements, so no label and no figure can count them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from otherwords.annotate.batches.batch import Batch, Practice, golds_of
from otherwords.annotate.crowd.hidden_tests import AssessedAnswer, assess
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.digests import digest_hex
from otherwords.errors import Conflict, LabelError, NotAllowed, NotFound, Refused
from otherwords.project.ledger import insert_new, schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.project.project import now

_answers, _pairs = schema.practice_answers, schema.pairs


class PracticeNeeded(NotAllowed):
    """Somebody has not passed the practice round of a batch yet."""


@dataclass(frozen=True, slots=True)
class PracticeState:
    """How somebody does in the practice round that they are in, or were in last."""

    round: int
    answered: int
    right: int
    pairs: int
    needed: int  # right answers that are enough
    passed: bool  # in this round or an earlier one

    @property
    def is_over(self) -> bool:
        return self.answered >= self.pairs


@dataclass(frozen=True, slots=True)
class PracticePair:
    """A pair to practise with; its answer comes when it is answered."""

    pair: str
    text1: str
    text2: str
    lang: str | None


@dataclass(frozen=True, slots=True)
class PracticeReply:
    """How somebody does, and the pairs that are left of the round."""

    state: PracticeState
    pairs: list[PracticePair]


@dataclass(frozen=True, slots=True)
class PracticeFeedback:
    """What somebody learns from an answer, and how they do so far."""

    right: bool
    label: str
    explanation: str | None
    state: PracticeState


def practice_state(connection: Connection, batch: Batch, annotator: str) -> PracticeState:
    """How somebody does; in the first round before they have answered anything."""
    practice = _practice(batch)
    present = _present(connection, practice)
    right = func.count().filter(_answers.c.right)
    own = (_answers.c.batch == batch.id, _answers.c.annotator == annotator, _answers.c.pair.in_(present))
    query = select(_answers.c.round, func.count().label("answered"), right.label("right")).where(*own)
    rows = connection.execute(query.group_by(_answers.c.round).order_by(_answers.c.round)).all()
    needed = math.ceil(practice.share * len(present))
    passed = not present or any(row.answered >= len(present) and row.right >= needed for row in rows)
    last = rows[-1] if rows else None
    if last is None:
        return PracticeState(1, 0, 0, len(present), needed, passed)
    return PracticeState(last.round, last.answered, last.right, len(present), needed, passed)


def require_practice(connection: Connection, batch: Batch, annotator: str) -> None:
    """Refuse somebody who has to practise first."""
    if batch.rules.practice is not None and not practice_state(connection, batch, annotator).passed:
        raise PracticeNeeded(
            f"practise first: the batch {batch.id!r} opens after its practice round", code="practice-needed"
        )


def practice_pairs(connection: Connection, batch: Batch, annotator: str) -> list[PracticePair]:
    """The pairs that are left of the round that somebody is in, or all of the next one if that is over."""
    state = practice_state(connection, batch, annotator)
    number = _current(state)
    same = (_answers.c.batch == batch.id, _answers.c.annotator == annotator, _answers.c.round == number)
    done = set(connection.execute(select(_answers.c.pair).where(*same)).scalars())
    columns = (_pairs.c.id, _pairs.c.text1, _pairs.c.text2, _pairs.c.lang)
    named = (_pairs.c.id.in_(_practice(batch).pairs), PRESENT, _pairs.c.text1 != "")
    pairs = [PracticePair(*row) for row in connection.execute(select(*columns).where(*named)) if row.id not in done]
    return sorted(pairs, key=lambda pair: digest_hex(batch.id, annotator, str(number), pair.pair))


def answer_practice(
    connection: Connection, batch: Batch, annotator: str, pair: str, value: Any, scheme: Scheme
) -> PracticeFeedback:
    """Answer a pair of the current round; sent again, the first answer stays."""
    practice = _practice(batch)
    if batch.state != "open":
        raise Conflict(f"the batch {batch.id!r} was closed", code="batch-closed")
    golds = golds_of(connection, [pair]) if pair in practice.pairs else {}
    if pair not in golds:
        raise NotFound("there is no such practice pair; load the page again", code="no-practice-pair")
    try:
        normal = scheme.normalise(value)
    except LabelError as problem:
        raise Refused(str(problem), code=problem.code) from None
    assessed: AssessedAnswer = assess(scheme, normal, golds[pair])
    number = _current(practice_state(connection, batch, annotator))
    row = {"batch": batch.id, "annotator": annotator, "round": number, "pair": pair, "value": normal, "time": now()}
    insert_new(connection, _answers, [row | {"right": assessed["right"]}])
    return PracticeFeedback(**assessed, state=practice_state(connection, batch, annotator))


def _current(state: PracticeState) -> int:
    return state.round + 1 if state.is_over and not state.passed else state.round


def _present(connection: Connection, practice: Practice) -> list[str]:
    """Practice pairs that are still there: one that was withdrawn must not keep everybody out."""
    named = (_pairs.c.id.in_(practice.pairs), PRESENT, _pairs.c.text1 != "")
    return list(connection.execute(select(_pairs.c.id).where(*named)).scalars())


def _practice(batch: Batch) -> Practice:
    if batch.rules.practice is None:
        raise NotFound(f"the batch {batch.id!r} has no practice round", code="no-practice")
    return batch.rules.practice
