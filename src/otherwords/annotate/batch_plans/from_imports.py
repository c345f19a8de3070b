"""A batch of pairs that were judged elsewhere and imported, so that a team can decide where people differ.

It is made of the judgements that no batch asked for: a closed batch of the pairs that several people judged, every
slot of which is already answered. Adjudication treats it like any other batch, and nobody is asked again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from otherwords.annotate.batch_plans.create import BatchPlan, record_creation, refuse_reserved, resolve_scheme_name
from otherwords.annotate.batches.batch import Batch, BatchItem, BatchRules, insert_batch, set_state
from otherwords.annotate.current_judgements import is_current
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.left_out import NOT_LEFT_OUT
from otherwords.project.project import Project

FEWEST = 2  # judgements of a pair
_judgements, _slots, _pairs = schema.judgements, schema.slots, schema.pairs
_PLACE = [_slots.c[name] == bindparam(f"of_{name}") for name in ("batch", "position", "number")]
_ANSWER = update(_slots).where(*_PLACE).values(judgement=bindparam("of_judgement"), holder=bindparam("of_annotator"))


@dataclass(frozen=True, slots=True)
class ImportedPair:
    """A pair that several people judged elsewhere: each annotator, if known, with the id of their judgement."""

    pair: str
    judgements: tuple[tuple[str | None, str], ...]


def create_from_imports(
    connection: Connection, project: Project, name: str, scheme: str | None = None
) -> tuple[Batch, int]:
    """Create a batch of the pairs that several people judged elsewhere and nobody has decided about; how many."""
    refuse_reserved(name)
    chosen = resolve_scheme_name(project, scheme)
    imported = _imported_pairs(connection, chosen, is_own=chosen == resolve_scheme_name(project, None))
    if not imported:
        message = f"no pair has {FEWEST} imported judgements of the scheme {chosen!r} that are still to be compared"
        raise Refused(message, code="nothing-imported")
    asked = max(len(pair.judgements) for pair in imported)
    plan = BatchPlan(name=name, scheme=chosen, asked=asked, rules=BatchRules(undo=False))
    items = [BatchItem(pair.pair) for pair in imported]
    insert_batch(connection, name, items, scheme=chosen, asked=asked, rules=plan.rules)
    _fill_slots(connection, name, imported)
    record_creation(connection, plan, None, None, len(imported))
    return set_state(connection, name, "closed"), len(imported)


def _imported_pairs(connection: Connection, scheme: str, *, is_own: bool) -> list[ImportedPair]:
    """The pairs in the order in which they were judged; if somebody judged one twice, their later judgement."""
    by_pair: dict[str, dict[str, tuple[str | None, str]]] = {}
    for pair, annotator, judgement in _outside_batches(connection, scheme, is_own=is_own):
        by_pair.setdefault(pair, {})[annotator or judgement] = (annotator, judgement)
    consensus = (_judgements.c.kind == "consensus", _judgements.c.unit == "pair", is_current())
    decided = set(connection.execute(select(_judgements.c.pair).where(*consensus)).scalars())
    chosen = [pair for pair, judgements in by_pair.items() if len(judgements) >= FEWEST and pair not in decided]
    return [ImportedPair(pair, tuple(by_pair[pair].values())) for pair in chosen]


def _outside_batches(connection: Connection, scheme: str, *, is_own: bool) -> list[tuple[str, str | None, str]]:
    """Pair, annotator and id of judgements outside all batches; one without a scheme is of the project's own."""
    columns = _judgements.c
    of_scheme = [columns.scheme == scheme, *([columns.scheme.is_(None)] if is_own else [])]
    in_batch = select(_slots.c.seq).where(_slots.c.item == columns.pair, _slots.c.judgement == columns.id).exists()
    usable = (_pairs.c.id == columns.pair, _pairs.c.text1 != "", _pairs.c.state.is_(None), NOT_LEFT_OUT)
    about = (columns.unit == "pair", columns.kind == "individual", columns.purpose.in_(("production", "agreement")))
    conditions = (*about, or_(*of_scheme), ~in_batch, is_current(), select(_pairs.c.seq).where(*usable).exists())
    query = select(columns.pair, columns.annotator, columns.id).where(*conditions)
    return [(row[0], row[1], row[2]) for row in connection.execute(query.order_by(columns.seq))]


def _fill_slots(connection: Connection, name: str, imported: Sequence[ImportedPair]) -> None:
    """Put the judgements into the slots, and delete the slots that pairs with fewer judgements leave empty."""
    answers, done, last = [], Counter[str](), dict[str, int]()
    for position, pair in enumerate(imported):
        for number, (annotator, judgement) in enumerate(pair.judgements):
            place = {"of_batch": name, "of_position": position, "of_number": number}
            answers.append(place | {"of_judgement": judgement, "of_annotator": annotator})
            if annotator is not None:
                done[annotator] += 1
                last[annotator] = position
    connection.execute(_ANSWER, answers)
    connection.execute(delete(_slots).where(_slots.c.batch == name, _slots.c.judgement.is_(None)))
    takers = [{"batch": name, "annotator": who, "position": last[who], "done": done[who]} for who in done]
    if takers:
        connection.execute(insert(schema.takers), takers)
