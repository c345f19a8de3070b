"""The shares of labels among the pairs that a batch was chosen from, estimated from its random share alone.

Pairs that were chosen because a model is unsure of them, or because models disagree, have other labels than the rest:
their shares say nothing about a corpus. A share of such a batch is drawn at random from all that fitted, and only these
pairs are counted here, with intervals by Wilson.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from otherwords.analyse.finding import LABEL, Column, Table, plain_columns
from otherwords.annotate.batches.batch import Batch, load_batches
from otherwords.annotate.labels.pair_labels import labels_of_pairs
from otherwords.annotate.schemes import load_scheme
from otherwords.measures.intervals import wilson
from otherwords.project.ledger import schema
from otherwords.project.project import Project

NO_LABEL = "(none)"  # judged, but people differ and nobody has decided, or its label is none
TITLE = "Labels in what batches were chosen from, estimated from their random shares"
_slots = schema.slots


@dataclass(frozen=True, slots=True)
class LabelEstimate:
    """The share of a label, with its interval of 95 %."""

    batch: str
    label: str
    pairs: int  # with the label, of those drawn at random
    judged: int  # drawn at random and judged by now
    share: float
    low: float
    high: float


def estimates_of(connection: Connection, project: Project, batch: Batch) -> list[LabelEstimate]:
    """The estimates of a batch, the most frequent label first; none if nothing in it was drawn at random."""
    if batch.unit != "pair":
        return []
    drawn = (_slots.c.batch == batch.id, _slots.c.chance > 0, _slots.c.number == 0)
    names = list(connection.execute(select(_slots.c.item).where(*drawn)).scalars())
    scheme = load_scheme(batch.scheme, project.folder) if names else None
    labels = labels_of_pairs(connection, names, batch.scheme, scheme) if names else {}
    counts = Counter(found.label or NO_LABEL for found in labels.values() if found.judgements)
    total = counts.total()
    return [
        LabelEstimate(batch.id, label, count, total, *wilson(count, total)) for label, count in counts.most_common()
    ]


def all_estimates(connection: Connection, project: Project) -> list[LabelEstimate]:
    """The estimates of every batch that has a random share."""
    drawn = set(connection.execute(select(_slots.c.batch).where(_slots.c.chance > 0).distinct()).scalars())
    found: list[LabelEstimate] = []
    for batch in load_batches(connection):
        if batch.id in drawn:
            found += estimates_of(connection, project, batch)
    return found


def estimates_table(estimates: Sequence[LabelEstimate]) -> Table:
    """The estimates as a table of a finding."""
    columns = [*plain_columns("text", "batch"), LABEL, *plain_columns("count", "pairs", "judged")]
    columns += [Column(name, name, "share") for name in ("share", "low", "high")]
    rows = [(row.batch, row.label, row.pairs, row.judged, row.share, row.low, row.high) for row in estimates]
    return Table("estimates", TITLE, columns, rows)
