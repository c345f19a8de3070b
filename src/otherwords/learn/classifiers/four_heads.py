"""The four-head model of Kanerva et al. (2023, §7.1): base, arrow, s and i, each by a head over five vectors.

A pair is read as ``[CLS] A [SEP] B [SEP]``; the vectors of the three special tokens and the means of both texts are put
one after the other. Flags are learnt from pairs whose base is 4 only. A task with one choice has one head over the same
five vectors.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import LabelTask
from otherwords.learn.ladder import ClassifierKind, PairClassifier, TrainingContext
from otherwords.learn.neural.options import PairEncoderOptions, base_files
from otherwords.models.hugging_face import EXTRA, require

if TYPE_CHECKING:
    from otherwords.learn.neural.trained import NeuralClassifier

TITLE = "heads for base, arrow, s and i on an encoder"


def _train(
    task: LabelTask, train: LabelledPairs, dev: LabelledPairs, options: PairEncoderOptions, context: TrainingContext
) -> PairClassifier:
    require("the classifier four-heads")
    from otherwords.learn.neural.base_models import base_folder
    from otherwords.learn.neural.trained import train_classifier

    return train_classifier(
        _classifier(base_folder(options.base), task, options, context), train, dev, options, context
    )


def _load(folder: Path, task: LabelTask, options: PairEncoderOptions, context: TrainingContext) -> PairClassifier:
    require("the classifier four-heads")
    from otherwords.learn.neural.saving import load_heads

    classifier = _classifier(folder, task, options, context)
    load_heads(classifier.network, folder)
    return classifier


def _classifier(
    folder: Path, task: LabelTask, options: PairEncoderOptions, context: TrainingContext
) -> NeuralClassifier:
    from otherwords.learn.neural.trained import pooled_classifier

    heads = {head.name: head.classes for head in task.heads}
    return pooled_classifier(folder, task, "five", heads, TITLE, options, context)


FOUR_HEADS = ClassifierKind("four-heads", TITLE, PairEncoderOptions, _train, _load, extra=EXTRA, begins_with=base_files)
