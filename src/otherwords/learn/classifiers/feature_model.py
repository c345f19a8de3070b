"""Gradient boosting or logistic regression on features of pairs, one model for each head of the task.

The features are in :mod:`otherwords.learn.features`: measures, rarity of what differs, word order and, where an encoder
of the language is installed, its vectors. Every training pair is learnt from twice, the second time with its texts
swapped and its arrow turned round; a prediction is the mean of both directions, so that the swapped pair gets the
mirrored label. A head learns only from pairs that have a value for it: arrows and flags from pairs with base 4.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pyarrow as pa

from otherwords.engine import cores
from otherwords.errors import DataError, MissingExtra, UsageError
from otherwords.labels import is_label, parse_label
from otherwords.learn.classifiers.estimator_files import load_estimators, model_card, save_estimators
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.task import NOT_ASKED, LabelHead, LabelTask, Probabilities
from otherwords.learn.features.extractor import FeatureExtractor
from otherwords.learn.features.lexical import Rarity
from otherwords.learn.features.words import Numbers
from otherwords.learn.ladder import ClassifierKind, TrainingContext
from otherwords.measures.encoded import EncoderCosine
from otherwords.models.defaults import default_encoder
from otherwords.project.pipeline.parameters import Parameters, Share
from otherwords.text.packs import pack

FEATURES_FILE, WORDS_FILE, CARD_FILE = "features.json", "words.json", "README.md"
LOST_FILTERS = "`sklearn.utils.parallel.delayed` should be used with"
AUTO, NO_ENCODER = "auto", "none"
Whole = Annotated[int, msgspec.Meta(ge=1)]
Positive = Annotated[float, msgspec.Meta(gt=0)]


class FeatureModelOptions(Parameters, frozen=True, kw_only=True):
    """The model and its settings; those of boosting were found in trials on PAWS."""

    model: Literal["boosting", "logistic"] = "boosting"
    encoder: str = AUTO  # the name of an encoder, none, or auto: that of the language if it is installed
    weights: Literal["equal", "balanced"] = "equal"  # of the classes
    rounds: Whole = 300
    rate: Positive = 0.05
    leaves: Annotated[int, msgspec.Meta(ge=2)] = 15
    l2: Annotated[float, msgspec.Meta(ge=0)] = 1.0
    share: Share = 0.4  # of the features that a split is chosen from
    models: Whole = 3  # with different seeds, whose mean is taken


class SavedFeatures(msgspec.Struct, frozen=True):
    """What the features depend on, and their names in the order of the columns."""

    names: list[str]
    lang: str | None = None
    encoder: str | None = None
    encoder_signature: str | None = None


@dataclass(frozen=True, slots=True)
class HeadModel:
    """The estimators of one head; none if all its examples were of one class."""

    head: LabelHead
    classes: list[int]  # of the head, in the order of the columns of the estimators
    estimators: list[Any]

    def probabilities(self, table: Probabilities) -> Probabilities:
        """The mean of the estimators; classes that were not in training get 0."""
        full = np.zeros((len(table), len(self.head.classes)))
        if not self.estimators:
            full[:, self.classes] = 1.0
            return full
        for estimator in self.estimators:
            full[:, self.classes] += estimator.predict_proba(table)
        return full / len(self.estimators)


@dataclass(frozen=True, slots=True)
class FeatureClassifier:
    """Features, and a model for each head."""

    task: LabelTask
    extractor: FeatureExtractor
    models: list[HeadModel]
    options: FeatureModelOptions

    def probabilities(self, texts1: pa.Array, texts2: pa.Array) -> list[Probabilities]:
        forward, backward = self.extractor.tables(texts1, texts2)
        with _one_thread():
            return [
                (model.probabilities(forward) + model.probabilities(backward)[:, mirrored_classes(model.head)]) / 2
                for model in self.models
            ]

    def save(self, folder: Path) -> None:
        extractor, encoder = self.extractor, self.extractor.encoder
        saved = SavedFeatures(
            extractor.names,
            extractor.lang,
            encoder.model if encoder is not None else None,
            encoder.encoder.signature if encoder is not None else None,
        )
        (folder / FEATURES_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(saved), indent=1) + b"\n")
        (folder / WORDS_FILE).write_bytes(msgspec.json.encode(extractor.rarity))
        for model in self.models:
            save_estimators(folder, model.head.name, model.classes, model.estimators)
        heads = {model.head.name: [model.head.classes[number] for number in model.classes] for model in self.models}
        (folder / CARD_FILE).write_text(model_card(self.options.model, heads, saved.names), "utf-8")


def mirrored_label(label: str) -> str:
    """The label of a pair after its texts have been swapped."""
    return str(parse_label(label).mirror()) if is_label(label) else label


def mirrored_classes(head: LabelHead) -> list[int]:
    """For each class of a head, the number of the one that it becomes when the texts are swapped."""
    other = {"<": ">", ">": "<"}
    return [head.classes.index(other.get(name, name)) for name in head.classes]


def _train(
    task: LabelTask, train: LabelledPairs, dev: LabelledPairs, options: FeatureModelOptions, context: TrainingContext
) -> FeatureClassifier:
    _check_installed()
    encoder = _encoder(options.encoder, context)
    texts = [text for pair in train.pairs for text in (pair.text1, pair.text2)]
    extractor = FeatureExtractor(context.lang, Rarity.of_texts(texts, pack(context.lang)), encoder)
    table = np.concatenate(extractor.tables(*train.texts))
    targets = task.targets([*train.labels, *map(mirrored_label, train.labels)])
    models = [_fitted(head, table, targets[:, number], options, context) for number, head in enumerate(task.heads)]
    return FeatureClassifier(task, extractor, models, options)


def _encoder(name: str, context: TrainingContext) -> EncoderCosine | None:
    """The encoder of that name; ``auto`` is that of the language, or none if there is none here."""
    if name == AUTO:
        if context.lang is None:
            return None
        try:
            name = default_encoder(context.lang).name
        except UsageError as problem:
            context.note(f"the features are without those of an encoder: {problem}")
            return None
    return None if name == NO_ENCODER else EncoderCosine(name)


def _fitted(
    head: LabelHead, table: Probabilities, targets: Numbers, options: FeatureModelOptions, context: TrainingContext
) -> HeadModel:
    rows = targets != NOT_ASKED
    classes = np.unique(targets[rows]).tolist() or [0]
    if len(classes) == 1:
        return HeadModel(head, classes, [])
    own_table, own_targets = table[rows], targets[rows]

    def fit(number: int) -> Any:
        estimator = _estimator(options, context.seed + number)
        with _one_thread():
            return estimator.fit(own_table, own_targets)

    count = options.models if options.model == "boosting" else 1
    with _without_lost_filters(), ThreadPoolExecutor(cores()) as pool:
        return HeadModel(head, classes, list(pool.map(fit, range(count))))


def _estimator(options: FeatureModelOptions, seed: int) -> Any:
    weights = "balanced" if options.weights == "balanced" else None
    if options.model == "logistic":
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        return make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=2000, class_weight=weights))
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        learning_rate=options.rate,
        max_iter=options.rounds,
        max_leaf_nodes=options.leaves,
        l2_regularization=options.l2,
        max_features=options.share or 1.0,
        early_stopping=False,
        class_weight=weights,
        random_state=seed,
    )


def _one_thread() -> Any:
    """OpenMP's threads wait for one another by spinning, which costs more than it gains on tables of this size."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1, user_api="openmp")


@contextlib.contextmanager
def _without_lost_filters() -> Iterator[None]:
    """Say nothing of warning filters that are lost: threads of scikit-learn reset those of one another as they work."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def show_others(message: Warning | str, *about: Any, **options: Any) -> None:
            if LOST_FILTERS not in str(message):
                show(message, *about, **options)

        warnings.showwarning = show_others
        yield


def _check_installed() -> None:
    try:
        import sklearn  # noqa: F401
        import skops.io  # noqa: F401
    except ImportError:
        raise MissingExtra("learn", "the classifier features") from None


def _load(folder: Path, task: LabelTask, options: FeatureModelOptions, context: TrainingContext) -> FeatureClassifier:
    _check_installed()
    saved = msgspec.json.decode((folder / FEATURES_FILE).read_bytes(), type=SavedFeatures)
    rarity = msgspec.json.decode((folder / WORDS_FILE).read_bytes(), type=Rarity)
    encoder = None if saved.encoder is None else EncoderCosine(saved.encoder)
    if encoder is not None and encoder.encoder.signature != saved.encoder_signature:
        message = f"was trained with {saved.encoder_signature}, here is {encoder.encoder.signature}; train it again"
        raise DataError(message, folder, code="encoder-changed")
    extractor = FeatureExtractor(saved.lang, rarity, encoder)
    if extractor.names != saved.names:
        message = "was trained on other features than this version of otherwords computes; train it again"
        raise DataError(message, folder, code="features-changed")
    models = [HeadModel(head, *load_estimators(folder, head.name)) for head in task.heads]
    return FeatureClassifier(task, extractor, models, options)


FEATURES = ClassifierKind(
    "features",
    "gradient boosting on measures, word order and vectors",
    FeatureModelOptions,
    _train,
    _load,
    extra="learn",
)
