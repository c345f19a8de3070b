"""What a trained classifier says about any pairs: a stream of pairs in, the same with answers out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from otherwords.acquire.batches import pair_blocks, text_columns
from otherwords.learn.data.examples import LabelledPairs, read_examples
from otherwords.learn.data.task import LabelTask, Probabilities, is_positive
from otherwords.learn.ladder import PairClassifier
from otherwords.learn.predictions import DecisionRule, Predictions, forget_cut, predict
from otherwords.learn.runs.evaluate import EvaluationLeaks, check_leaks
from otherwords.learn.runs.run import Run
from otherwords.models.edges import Device
from otherwords.records import Pair

META = "predicted"
DIGITS = 6  # of probabilities that are written
COMPARED_PAIRS = 1_000  # on which a faster form is compared with the model itself
Tier = Literal["exact", "int8"]


@dataclass(frozen=True, slots=True)
class PredictedBlock:
    """Some pairs, their labels, and the calibrated probability of every complete label."""

    pairs: Sequence[Pair]
    labels: Sequence[str]
    joint: Probabilities
    positive: Probabilities


@dataclass(slots=True)
class Predictor:
    """A run that is asked about pairs; counts what it says."""

    run: Run
    device: Device = "auto"
    tier: Tier | None = None  # a faster form, for classifiers that have one
    counts: Counter[str] = field(default_factory=Counter)
    empty: int = 0  # pairs with an empty text, which are asked about like any other
    loss: str | None = None  # how far the faster form is from the model itself
    _classifier: PairClassifier | None = None

    def cut(self) -> str | None:
        """How many pairs were too long to be read whole, in words; asked once, at the end."""
        return None if self._classifier is None else forget_cut(self._classifier)

    @property
    def task(self) -> LabelTask:
        return self.run.record.task

    @property
    def decision(self) -> DecisionRule:
        return self.run.record.decision

    def blocks(self, pairs: Iterable[Pair]) -> Iterator[PredictedBlock]:
        """The same pairs with answers, some thousand at a time."""
        for block in pair_blocks(pairs):
            if self._classifier is None:
                self._classifier = self._load(block)
                forget_cut(self._classifier)  # those of the comparison
            heads = self.decision.calibrated(self._classifier.probabilities(*text_columns(block)))
            labels = self.decision.labels(self.task, heads)
            self.counts.update(labels)
            self.empty += sum(not (pair.text1.strip() and pair.text2.strip()) for pair in block)
            yield PredictedBlock(block, labels, self.task.joint(heads), self.task.positive(heads))

    def _load(self, first: Sequence[Pair]) -> PairClassifier:
        """The model, or its faster form, which is calibrated with and compared on the first pairs."""
        classifier = self.run.classifier(self.device)
        if self.tier is None:
            return classifier
        from otherwords.learn.neural.tiers import faster, tier_loss
        from otherwords.models.fixed_shapes import CALIBRATION_INPUTS

        columns = text_columns(first[: CALIBRATION_INPUTS + COMPARED_PAIRS])
        fast = faster(classifier, self.tier, columns)
        # It is compared on pairs that it was not calibrated with, where there are enough.
        start = CALIBRATION_INPUTS if len(columns[0]) > 2 * CALIBRATION_INPUTS else 0
        self.loss = str(tier_loss(classifier, fast, *(column.slice(start) for column in columns)))
        return fast

    def pairs(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The same pairs, with the probability of a paraphrase among their scores and the rest under ``meta``."""
        name = self.run.record.name
        for block in self.blocks(pairs):
            for number, (pair, label) in enumerate(zip(block.pairs, block.labels, strict=True)):
                row = block.joint[number]
                probabilities = {
                    known: round(float(row[place]), DIGITS) for place, known in enumerate(self.task.labels)
                }
                answer = {"model": name, "key": self.run.record.key, "label": label, "probabilities": probabilities}
                scores = pair.scores | {f"model:{name}": round(float(block.positive[number]), DIGITS)}
                yield msgspec.structs.replace(pair, scores=scores, meta=pair.meta | {META: answer})


def identifier(run: Run, device: Device = "auto") -> Callable[[Sequence[Pair]], list[bool]]:
    """A function that says which of some pairs a run takes for paraphrases; the model is loaded once."""
    predictor = Predictor(run, device)
    return lambda pairs: [is_positive(label) is True for block in predictor.blocks(pairs) for label in block.labels]


def predicted_pairs(
    run: Run,
    path: str | Path,
    *,
    leaks: EvaluationLeaks = "refuse",
    device: Device = "auto",
    simulated: bool = False,
    **reading: Any,
) -> tuple[Predictions, Sequence[Pair]]:
    """What a run says about pairs of a corpus: those of its own test if that is part of the corpus, else all."""
    examples = read_examples(path, run.record.task.name, simulated=simulated, **reading)
    if (own := predicted_test(run, examples)) is not None:
        return own
    check_leaks(run, run.record.name, examples, path, leaks, [])
    return predict(run.classifier(device), examples, run.record.decision), examples.pairs


def predicted_test(run: Run, examples: LabelledPairs) -> tuple[Predictions, Sequence[Pair]] | None:
    """What a run said about its own test, with these pairs; None if none of its tests is among them as it was."""
    places = {pair.id: number for number, pair in enumerate(examples.pairs)}
    for predictions, facts in zip(run.predictions(), run.record.tests, strict=True):
        rows = [places[id] for id in predictions.ids if id in places]
        own = examples.take(rows, predictions.test)
        if len(rows) == len(predictions) and own.digest == facts.digest:
            return predictions, own.pairs
    return None
