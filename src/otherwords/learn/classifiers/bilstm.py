"""The BiLSTM of RuPAWS (Martynov et al. 2022): frozen vectors of words, hidden size 64, last state, cosine > 0.5.

Both texts are read by one LSTM; a pair is a paraphrase if the cosine of the two last states is above 0.5. The
probability around that is logistic, ten times as steep as the cosine, which is our choice.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import LabelTask
from otherwords.learn.ladder import ClassifierKind, PairClassifier, TrainingContext
from otherwords.learn.neural.options import BilstmOptions, vector_file
from otherwords.models.hugging_face import EXTRA, require

if TYPE_CHECKING:
    from otherwords.learn.neural.trained import NeuralClassifier

FILE = "lstm.safetensors"
TITLE = "an LSTM over vectors of words reads each text"


def _train(
    task: LabelTask, train: LabelledPairs, dev: LabelledPairs, options: BilstmOptions, context: TrainingContext
) -> PairClassifier:
    require("the classifier bilstm")
    from otherwords.learn.neural.trained import train_classifier
    from otherwords.learn.neural.word_vectors import WordReader

    classifier = _classifier(task, options, context)
    texts = [text for column in train.texts for text in column.to_pylist()]
    assert isinstance(classifier.reader, WordReader)
    unknown, words = classifier.reader.unknown(texts)
    if unknown:
        context.note(f"{unknown:,} of {words:,} different words of the training part have no vector and count as zeros")
    return train_classifier(classifier, train, dev, options, context)


def _load(folder: Path, task: LabelTask, options: BilstmOptions, context: TrainingContext) -> PairClassifier:
    require("the classifier bilstm")
    from otherwords.learn.neural.saving import load_weights

    classifier = _classifier(task, options, context)
    load_weights(classifier.network, folder / FILE)
    return classifier


def _classifier(task: LabelTask, options: BilstmOptions, context: TrainingContext) -> NeuralClassifier:
    from safetensors.torch import save_file

    from otherwords.learn.neural.devices import chosen_device, seeded
    from otherwords.learn.neural.networks import SiameseLstm
    from otherwords.learn.neural.saving import LSTM, write_card
    from otherwords.learn.neural.trained import NeuralClassifier
    from otherwords.learn.neural.word_vectors import WordReader, lookup_by_name

    device = chosen_device(context.device)
    lookup = lookup_by_name(options.vectors, context.lang)
    dimension = lookup([""]).shape[1]
    with seeded(context.seed):
        network = SiameseLstm(dimension, options.hidden)

    def write(classifier: Any, target: Path) -> None:
        save_file(dict(classifier.network.state_dict()), target / FILE)
        vectors = options.vectors or f"vectors:{context.lang}"
        write_card(target, TITLE, task, vectors, LSTM.format(dimension=dimension, hidden=options.hidden))

    reader = WordReader(lookup, dimension, context.lang, options.length)
    return NeuralClassifier(task, network.to(device), reader, write, False, device)


BILSTM = ClassifierKind(
    "bilstm", TITLE, BilstmOptions, _train, _load, extra=EXTRA, binary_only=True, begins_with=vector_file
)
