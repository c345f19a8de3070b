"""Training pairs with labels that a teacher has cleaned, as a dataset: one row for every pair, also for those left out.

A recipe's step writes it, and a training adds its pairs to its own (Dou et al. 2022, §3.2: the strict set together with
the cleaned one). A row without a label is a pair that was left out; ``was`` is the label before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import pyarrow as pa

from otherwords.errors import DataError
from otherwords.learn.data.examples import LabelledPairs
from otherwords.project.pipeline.dataset import TextColumns, open_dataset
from otherwords.records import Pair

CLEANED = pa.schema(
    [
        *((name, pa.string()) for name in ("pair", "doc1", "doc2", "text1", "text2", "label", "was")),
        ("probability", pa.float64()),
    ]
)
CLEANED_TEXTS = TextColumns(ids=["pair", "doc1", "doc2"], texts=["text1", "text2"])


class Cleaning(msgspec.Struct, frozen=True):
    """How labels were cleaned: the summary of a dataset."""

    rule: str
    least: float | None  # λ
    teacher: str
    pairs: int
    changed: int


class CleanedRow(NamedTuple):
    """A pair of the training part after cleaning."""

    pair: Pair
    label: str | None
    was: str
    probability: float | None = None  # of the label before, where the teacher doubts it


def cleaned_table(rows: Sequence[CleanedRow]) -> pa.Table:
    """Rows as the dataset has them."""
    pairs = [row.pair for row in rows]
    columns = {
        "pair": [pair.id for pair in pairs],
        "doc1": [pair.doc1.id if pair.doc1 else None for pair in pairs],
        "doc2": [pair.doc2.id if pair.doc2 else None for pair in pairs],
        "text1": [pair.text1 for pair in pairs],
        "text2": [pair.text2 for pair in pairs],
        **{name: [getattr(row, name) for row in rows] for name in ("label", "was", "probability")},
    }
    return pa.table(columns, CLEANED)


def add_cleaned(
    train: LabelledPairs, others: Sequence[LabelledPairs], folders: Sequence[str | Path], notes: list[str]
) -> LabelledPairs:
    """The training pairs and those of cleaned datasets that are not among them; none shares a sentence with a test."""
    known = {frozenset((pair.text1, pair.text2)) for pair in train.pairs}
    pairs, labels = list(train.pairs), list(train.labels)
    for folder in folders:
        cleaning = msgspec.convert(open_dataset(Path(folder)).summary, Cleaning)
        rows = [row for row in _rows(Path(folder)) if frozenset((row.pair.text1, row.pair.text2)) not in known]
        if rows:
            found = LabelledPairs("cleaned", [row.pair for row in rows], [row.label or "" for row in rows])
            shared = np.zeros(len(found), np.bool_)
            for other in others:
                shared |= np.isin(found.sentences, np.concatenate(other.sentences)).any(axis=0)
            rows = [row for row, leaks in zip(rows, shared.tolist(), strict=True) if not leaks]
        if not rows:
            message = "none of its pairs can be used: all are in training already, or share a sentence with a test"
            raise DataError(message, folder, code="nothing-cleaned")
        changed = sum(row.label != row.was for row in rows)
        at = "" if cleaning.least is None else f" at {cleaning.least:g}"
        notes.append(
            f"{len(rows):,} pairs with denoised labels were added to training, {changed:,} of them with another label "
            f"than people gave them ({cleaning.rule}{at}; teacher: {cleaning.teacher})"
        )
        known |= {frozenset((row.pair.text1, row.pair.text2)) for row in rows}
        pairs += [row.pair for row in rows]
        labels += [row.label or "" for row in rows]
    return LabelledPairs(train.name, pairs, labels, train.left_out)


def _rows(folder: Path) -> Iterator[CleanedRow]:
    """The rows that have a label, and whose texts were not withdrawn since."""
    for batch in open_dataset(folder).batches():
        for row in batch.to_pylist():
            if row["label"] is not None and row["text1"].strip() and row["text2"].strip():
                pair = Pair(id=row["pair"], text1=row["text1"], text2=row["text2"], label=row["label"])
                yield CleanedRow(pair, row["label"], row["was"], row["probability"])
