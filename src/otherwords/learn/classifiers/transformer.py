"""A transformer that reads both texts together, with one head over all labels: BERT and everything like it.

By default the head is the one that transformers has for the architecture, mostly on the first token, so the saved model
is loaded by ``AutoModelForSequenceClassification``. The mean of all tokens, which small encoders learn more from, is
saved as an encoder with a head beside it, for transformers has no class for that; its card has the lines that load it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import LabelTask
from otherwords.learn.ladder import ClassifierKind, PairClassifier, TrainingContext
from otherwords.learn.neural.options import TransformerOptions, base_files
from otherwords.models.hugging_face import EXTRA, require

if TYPE_CHECKING:
    from otherwords.learn.neural.trained import NeuralClassifier

TITLE = "an encoder that reads both texts, with one head"


def _train(
    task: LabelTask, train: LabelledPairs, dev: LabelledPairs, options: TransformerOptions, context: TrainingContext
) -> PairClassifier:
    require("the classifier transformer")
    from otherwords.learn.neural.base_models import base_folder
    from otherwords.learn.neural.trained import train_classifier

    folder = base_folder(options.base)
    make = _on_the_mean if options.pooling == "mean" else _on_the_first_token
    return train_classifier(make(folder, task, options, context, task.labels), train, dev, options, context)


def _load(folder: Path, task: LabelTask, options: TransformerOptions, context: TrainingContext) -> PairClassifier:
    require("the classifier transformer")
    from otherwords.learn.neural.saving import load_heads

    if options.pooling == "first":
        return _on_the_first_token(folder, task, options, context, ())
    classifier = _on_the_mean(folder, task, options, context, task.labels)
    load_heads(classifier.network, folder)
    return classifier


def _on_the_mean(
    folder: Path, task: LabelTask, options: TransformerOptions, context: TrainingContext, labels: tuple[str, ...]
) -> NeuralClassifier:
    from otherwords.learn.neural.trained import pooled_classifier

    return pooled_classifier(folder, task, "mean", {"label": labels}, TITLE, options, context, complete=True)


def _on_the_first_token(
    folder: Path, task: LabelTask, options: TransformerOptions, context: TrainingContext, labels: tuple[str, ...]
) -> NeuralClassifier:
    """A model of transformers; ``labels`` are those of a new head."""
    from otherwords.learn.neural.base_models import load_sequence_classifier, load_tokenizer, longest_input
    from otherwords.learn.neural.devices import chosen_device, seeded
    from otherwords.learn.neural.networks import SequenceClassifier
    from otherwords.learn.neural.pair_tokens import TokenReader, frame_of
    from otherwords.learn.neural.saving import SEQUENCE_CLASSIFIER, write_card
    from otherwords.learn.neural.trained import NeuralClassifier

    device = chosen_device(context.device)
    tokenizer = load_tokenizer(folder)
    with seeded(context.seed):
        model = load_sequence_classifier(folder, labels)
    length = longest_input(tokenizer, model, options.length)

    def write(classifier: Any, target: Path) -> None:
        classifier.network.model.save_pretrained(target)
        tokenizer.save_pretrained(target)
        write_card(target, TITLE, task, options.base, SEQUENCE_CLASSIFIER.format(length=length))

    reader = TokenReader(tokenizer, frame_of(tokenizer, folder), length)
    return NeuralClassifier(task, SequenceClassifier(model).to(device), reader, write, True, device)


TRANSFORMER = ClassifierKind(
    "transformer", TITLE, TransformerOptions, _train, _load, extra=EXTRA, begins_with=base_files
)
