"""What is left of a batch when nothing more of it is left for somebody, so that a page can say why."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from otherwords.annotate.batches.batch import Batch
from otherwords.annotate.work.open_batches import count_with_others
from otherwords.annotate.work.tasks import Progress, batch_progress


@dataclass(frozen=True, slots=True)
class BatchRest:
    """Whether a batch is closed, how far it has come, and how many of its units others hold at the moment.

    Only units count that would come to the viewer if they were given back.
    """

    closed: bool
    progress: Progress
    with_others: int


def batch_rest(connection: Connection, batch: Batch, annotator: str) -> BatchRest:
    """What is left of a batch, as somebody who works on it may know."""
    progress = batch_progress(connection, batch, annotator)
    return BatchRest(batch.state != "open", progress, count_with_others(connection, batch, annotator))
