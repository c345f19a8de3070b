"""The teacher: how probable the label of each training pair is to a model that has not learnt from that pair.

Either a model that was trained on other pairs, such as those of a stricter definition (Dou et al. 2022, §3.2), or one
model for each fold, trained on the others. Folds are whole components: no sentence is in two of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from otherwords.corpus.splits.columns import columns_of_pairs
from otherwords.corpus.splits.options import SplitOptions
from otherwords.corpus.splits.split import split_corpus
from otherwords.errors import DataError
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.parts import labelled_pairs, shares_sentence
from otherwords.learn.data.task import LabelTask, Probabilities
from otherwords.learn.ladder import LADDER, TrainingContext
from otherwords.learn.predictions import head_probabilities
from otherwords.learn.runs.run import Run

FOLDS = 5


def by_teacher(run: Run, train: LabelledPairs, context: TrainingContext) -> Probabilities:
    """The probability of every label of each training pair, by a model that was trained on other pairs."""
    task = run.record.task
    if unknown := set(train.labels) - set(task.labels):
        message = f"the teacher knows no label {', '.join(sorted(unknown))}; train it for the same labels"
        raise DataError(message, run.folder, code="other-labels")
    if count := int(run.shares_sentence(train).sum()):
        message = (
            f"the teacher was trained on sentences of {count:,} of these {len(train):,} pairs, so it has learnt their "
            "labels; name one that was trained on other pairs, or leave out --teacher"
        )
        raise DataError(message, run.folder, code="teacher-knows-pairs")
    heads = run.record.decision.calibrated(head_probabilities(run.classifier(context.device), *train.texts))
    return task.joint(heads)


def out_of_fold(
    task: LabelTask,
    train: LabelledPairs,
    model: str,
    settings: Mapping[str, Any],
    context: TrainingContext,
    folds: int = FOLDS,
    taught: LabelledPairs | None = None,
) -> Probabilities:
    """The probability of every label of each training pair, by models that were trained on the other folds.

    Or on what they are ``taught``, such as labels of a stricter definition, without the sentences of the fold.
    """
    kind = LADDER.get(model)
    options = kind.decode(settings)
    split = SplitOptions(by=None, components=True, folds=folds, seed=context.seed)
    parts = split_corpus(columns_of_pairs(lambda: labelled_pairs(train)), split).table["part"].to_pylist()
    numbers = np.array([int(part) for part in parts])
    joint = np.zeros((len(train), len(task.labels)))
    for fold in range(folds):
        rows, others = np.flatnonzero(numbers == fold), np.flatnonzero(numbers != fold)
        if not len(rows):
            continue
        held_out, rest = train.take(rows), train.take(others)
        if taught is not None:
            rest = taught.take(np.flatnonzero(~shares_sentence(taught, held_out)))
            _check_taught(rest, task)
        assert not shares_sentence(held_out, rest).any()
        own = replace(context, checkpoints=None, progress=lambda done, total: None)
        classifier = kind.train(task, rest, rest, options, own)
        joint[rows] = task.joint(head_probabilities(classifier, *held_out.texts))
        context.progress(fold + 1, folds)
    return joint


def _check_taught(rest: LabelledPairs, task: LabelTask) -> None:
    """Refuse a teacher that would learn from one label alone."""
    if len({*rest.labels} & {*task.labels}) < 2:
        message = (
            f"without the sentences of the pairs in question, {len(rest):,} pairs are left for the teacher to learn "
            "from, and a teacher needs two labels; judge more groups"
        )
        raise DataError(message, code="too-few-for-teacher")
