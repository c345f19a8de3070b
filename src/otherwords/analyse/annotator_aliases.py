"""Aliases of annotators, so that no finding in a report names anybody."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from otherwords.annotate.current_judgements import is_current
from otherwords.digests import digest_bytes
from otherwords.project.ledger import schema

BY_PEOPLE = ("individual", "vote")
LETTER, DIGITS = "a", 2


def annotator_aliases(connection: Connection) -> dict[str, str]:
    """Aliases by name of everybody who has a current judgement.

    Whoever has judged most is a01; among those who have judged equally much the order says nothing about their names.
    """
    annotator, kind = schema.judgements.c.annotator, schema.judgements.c.kind
    by_people = (annotator.is_not(None), kind.in_(BY_PEOPLE), is_current())
    counts = connection.execute(select(annotator, func.count()).where(*by_people).group_by(annotator))
    people = {name: int(count) for name, count in counts}
    order = sorted(people, key=lambda name: (-people[name], digest_bytes(name, size=64)))
    digits = max(DIGITS, len(str(len(order))))
    return {name: f"{LETTER}{place:0{digits}}" for place, name in enumerate(order, 1)}
