"""A text-to-text model (T5, Raffel et al. 2020): both texts go into a prompt, and the label is written.

The probability of a label is that of its tokens among all labels, so nothing else can come out. Paraphrase or not is
written as T5 has learnt it from MRPC, any other label as it is spelled.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import NEGATIVE, POSITIVE, LabelTask
from otherwords.learn.ladder import ClassifierKind, PairClassifier, TrainingContext
from otherwords.learn.neural.options import TextToTextOptions, base_files
from otherwords.models.hugging_face import EXTRA, require

if TYPE_CHECKING:
    from otherwords.learn.neural.trained import NeuralClassifier

TITLE = "an encoder-decoder that writes the label"
WRITTEN = {POSITIVE: "equivalent", NEGATIVE: "not_equivalent"}  # Raffel et al. 2020, appendix D


def _train(
    task: LabelTask, train: LabelledPairs, dev: LabelledPairs, options: TextToTextOptions, context: TrainingContext
) -> PairClassifier:
    require("the classifier text-to-text")
    from otherwords.learn.neural.base_models import base_folder
    from otherwords.learn.neural.trained import train_classifier

    return train_classifier(
        _classifier(base_folder(options.base), task, options, context), train, dev, options, context
    )


def _load(folder: Path, task: LabelTask, options: TextToTextOptions, context: TrainingContext) -> PairClassifier:
    require("the classifier text-to-text")
    return _classifier(folder, task, options, context)


def _classifier(
    folder: Path, task: LabelTask, options: TextToTextOptions, context: TrainingContext
) -> NeuralClassifier:
    from otherwords.learn.neural.devices import chosen_device
    from otherwords.learn.neural.networks import LabelWriter
    from otherwords.learn.neural.prompts import PromptReader, label_tokens
    from otherwords.learn.neural.saving import WRITER, write_card
    from otherwords.learn.neural.trained import NeuralClassifier
    from otherwords.models.hugging_face import load_model

    device = chosen_device(context.device)
    tokenizer, model = load_model(folder, "seq2seq", context.device)
    labels = label_tokens(tokenizer, [WRITTEN.get(label, label) for label in task.labels], folder)
    reader = PromptReader(tokenizer, options.prompt, min(options.length, tokenizer.model_max_length))

    def write(classifier: Any, target: Path) -> None:
        classifier.network.model.save_pretrained(target)
        tokenizer.save_pretrained(target)
        code = WRITER.format(prompt=options.prompt, length=reader.longest)
        write_card(target, TITLE, task, options.base, code)

    return NeuralClassifier(task, LabelWriter(model, labels).to(device), reader, write, True, device)


TEXT_TO_TEXT = ClassifierKind(
    "text-to-text", TITLE, TextToTextOptions, _train, _load, extra=EXTRA, begins_with=base_files
)
