"""A batch of what was judged elsewhere and imported, so that a team can decide where people differ.

In go the judgements of the ledger that no batch asked for. Out comes a closed batch of the pairs that several people
judged, every slot of which is answered already: adjudication treats it like any other, and nobody is asked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from otherwords.annotate import batches
from otherwords.annotate.batches import Batch, Rules, Wanted
from otherwords.annotate.making import Plan, known_scheme, note_made, refuse_reserved
from otherwords.annotate.standing import stands
from otherwords.errors import Refused
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.rows import dicts

FEWEST = 2  # judgements of a pair
_said, _slot = schema.judgements, schema.slots
_ANSWERED = update(_slot).where(
    _slot.c.batch == bindparam("of_batch"),
    _slot.c.position == bindparam("of_position"),
    _slot.c.number == bindparam("of_number"),
)
_ANSWERED = _ANSWERED.values(judgement=bindparam("said"), holder=bindparam("who"))


@dataclass(frozen=True, slots=True)
class Gathered:
    """A pair that several people judged elsewhere: who, and which judgement of each."""

    pair: str
    said: tuple[tuple[str | None, str], ...]


def gather(connection: Connection, project: Project, name: str, scheme: str | None = None) -> tuple[Batch, int]:
    """Make a batch of the pairs that several people judged elsewhere and nobody has decided about; how many."""
    refuse_reserved(name)
    wanted = known_scheme(project, scheme)
    found = _gathered(connection, wanted, own=wanted == known_scheme(project, None))
    if not found:
        raise Refused(
            f"no pair has {FEWEST} imported judgements of the scheme {wanted!r} that are still to be compared"
        )
    asked = max(len(one.said) for one in found)
    plan = Plan(name=name, scheme=wanted, asked=asked, rules=Rules(undo=False))
    units = [Wanted(one.pair) for one in found]
    made = batches.make(connection, name, units, scheme=wanted, asked=asked, rules=plan.rules)
    _answer(connection, name, found)
    note_made(connection, plan, None, None, len(found))
    return batches.close(connection, made.id, "closed"), len(found)


def _gathered(connection: Connection, scheme: str, *, own: bool) -> list[Gathered]:
    """The pairs in the order in which they were judged; of somebody who judged one twice, the later judgement."""
    by_pair: dict[str, dict[str, tuple[str | None, str]]] = {}
    for row in _judgements(connection, scheme, own=own):
        by_pair.setdefault(row["pair"], {})[row["annotator"] or row["id"]] = (row["annotator"], row["id"])
    decided = select(_said.c.pair).where(_said.c.kind == "consensus", _said.c.unit == "pair", stands())
    settled = set(connection.execute(decided).scalars())
    return [
        Gathered(pair, tuple(said.values()))
        for pair, said in by_pair.items()
        if len(said) >= FEWEST and pair not in settled
    ]


def _judgements(connection: Connection, scheme: str, *, own: bool) -> list[dict[str, Any]]:
    """What people said of pairs outside all batches; without a scheme it is of the project's own."""
    one = schema.pairs
    of_scheme = [_said.c.scheme == scheme, *([_said.c.scheme.is_(None)] if own else [])]
    elsewhere = ~select(_slot.c.seq).where(_slot.c.item == _said.c.pair, _slot.c.judgement == _said.c.id).exists()
    about = (_said.c.unit == "pair", _said.c.kind == "individual", or_(*of_scheme), elsewhere, stands())
    usable = _said.c.purpose.in_(("production", "agreement"))
    there = (one.c.id == _said.c.pair, one.c.text1 != "", one.c.state.is_(None))
    query = select(_said.c.pair, _said.c.annotator, _said.c.id).where(
        *about, usable, select(one.c.seq).where(*there).exists()
    )
    return dicts(connection.execute(query.order_by(_said.c.seq)))


def _answer(connection: Connection, name: str, found: Sequence[Gathered]) -> None:
    """Put the judgements into the slots; what is left over of pairs with fewer of them goes."""
    answers, done, last = [], dict[str, int](), dict[str, int]()
    for position, one in enumerate(found):
        for number, (who, said) in enumerate(one.said):
            place = {"of_batch": name, "of_position": position, "of_number": number}
            answers.append(place | {"said": said, "who": who})
            if who is not None:
                done[who], last[who] = done.get(who, 0) + 1, position
    connection.execute(_ANSWERED, answers)
    connection.execute(delete(_slot).where(_slot.c.batch == name, _slot.c.judgement.is_(None)))
    takers = [{"batch": name, "annotator": who, "position": last[who], "done": done[who]} for who in done]
    if takers:
        connection.execute(insert(schema.takers), takers)
