"""Candidates: pairs of a project that are there to be judged and that nobody has judged yet.

Rewrites, test pairs with a gold label and pairs that came with a label are no candidates.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from otherwords.annotate.browse.conditions import row_conditions
from otherwords.annotate.browse.filter import Filter
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, read_records
from otherwords.project.left_out import NOT_LEFT_OUT
from otherwords.records import Pair

_pairs = schema.pairs
_WITH_TEXTS = (_pairs.c.text1 != "", _pairs.c.text2 != "", _pairs.c.rewrite_of.is_(None), NOT_LEFT_OUT)


def unjudged_pairs(connection: Connection, *, labelled: bool = False) -> Iterator[Pair]:
    """The candidates in their order of arrival; with ``labelled``, also those that came with a label."""
    label = () if labelled else (_pairs.c.label.is_(None),)
    conditions = (*row_conditions(Filter(has="none")), *_WITH_TEXTS, *label)
    return (pair for pair in read_records(connection, Pair, *conditions) if pair.gold is None)


def pairs_in_corpus(connection: Connection) -> int:
    """How many pairs there are that are not left out."""
    return int(connection.execute(select(func.count()).select_from(_pairs).where(PRESENT, *_WITH_TEXTS)).scalar_one())
