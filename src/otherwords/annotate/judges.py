"""Who has judged a unit, and which units have been judged enough.

A batch can keep pairs from the people who know them. Whoever judged a pair knows it, whatever the batch was for: the
corpus, training, agreement, a check, a hidden test. Judgements that were taken back count too: their annotators have
seen the pair. A team's decision is nobody's own judgement, and a model is nobody.

A unit is judged enough in a scheme when a team has decided about it, or two people have judged it. Random samples
leave such units out unless they are asked for: another judgement of one could change a label that was decided.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import BindParameter, ColumnElement, Connection, FromClause, Select, func, or_, select
from sqlalchemy.sql.functions import coalesce

from otherwords.annotate.current_judgements import is_current
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks
from otherwords.records import MODEL, Unit

ENOUGH_PEOPLE = 2
_judgements = schema.judgements
_OWN_JUDGEMENT = (_judgements.c.kind.not_in(("consensus", MODEL)), _judgements.c.annotator.is_not(None))


def judges_of(connection: Connection, items: Collection[str], outside: str | None = None) -> dict[str, set[str]]:
    """Who has judged each of these pairs, for any purpose; ``outside`` is a batch that does not count."""
    judges: dict[str, set[str]] = {}
    elsewhere = () if outside is None else (_made_outside(outside),)
    conditions = (_judgements.c.unit == "pair", *_OWN_JUDGEMENT, *elsewhere)
    query = select(_judgements.c.pair, _judgements.c.annotator).where(*conditions).distinct()
    for block in in_blocks(sorted(items)):
        for pair, annotator in connection.execute(query.where(_judgements.c.pair.in_(block))):
            judges.setdefault(pair, set()).add(annotator)
    return judges


def judged_before(slot: FromClause, annotator: str | BindParameter[str]) -> Select[tuple[int]]:
    """The judgements by somebody of the pair of a slot, made outside the slot's batch."""
    own = (_judgements.c.pair == slot.c.item, _judgements.c.annotator == annotator, _judgements.c.unit == "pair")
    conditions = (*own, *_OWN_JUDGEMENT, _made_outside(slot.c.batch))
    return select(_judgements.c.seq).where(*conditions).correlate(slot)


def judged_enough(connection: Connection, unit: Unit, scheme: str, items: Collection[str]) -> set[str]:
    """Those of these units that a team has decided about, or at least two people have judged, in a scheme."""
    columns = _judgements.c
    of_scheme = or_(columns.scheme == scheme, columns.scheme.is_(None))
    in_scheme = (columns.unit == unit, of_scheme, columns.kind != MODEL, is_current())
    decisions = func.count().filter(or_(columns.kind == "consensus", columns.purpose == "qa"))
    people = func.count(coalesce(columns.annotator, columns.id).distinct())  # each anonymous vote is a person's
    query = select(columns.pair).where(*in_scheme).group_by(columns.pair)
    query = query.having(or_(decisions > 0, people >= ENOUGH_PEOPLE))
    enough: set[str] = set()
    for block in in_blocks(sorted(items)):
        enough.update(connection.execute(query.where(columns.pair.in_(block))).scalars())
    return enough


def _made_outside(batch: str | ColumnElement[str]) -> ColumnElement[bool]:
    return or_(_judgements.c.batch.is_(None), _judgements.c.batch != batch)
