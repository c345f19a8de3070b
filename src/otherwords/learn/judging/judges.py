"""Models that judge pairs: a trained classifier, or a generator that is asked by a prompt.

Each has the name under which its judgements are known and a signature: everything that its answers depend on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import msgspec

from otherwords.acquire.batches import text_columns
from otherwords.annotate.schemes.scheme import Answer, Scheme
from otherwords.engine import Progress
from otherwords.errors import LabelError, UsageError
from otherwords.learn.data.task import LabelTask, Probabilities, is_positive
from otherwords.learn.judging.prompts import Prompt, prompt_for, read_answer
from otherwords.learn.predictions import head_probabilities
from otherwords.learn.runs.run import Run, is_run, open_run
from otherwords.models.asking import BackendStopped, ask
from otherwords.models.cache import AnswerCache
from otherwords.models.catalogue import generator
from otherwords.models.edges import Device, Generator, Item, Reply
from otherwords.records import MODEL_PREFIX, Pair

RUN = "run:"


class ModelAnswer(msgspec.Struct, frozen=True):
    """What a model says of a pair: an answer of the scheme, or the reason why there is none."""

    value: Answer = None
    reason: str | None = None
    probability: float | None = None  # that a classifier gives to its answer


@dataclass(slots=True)
class ModelAnswers:
    """The answers in the order of the pairs, how many went to the model, and why it stopped, if it did."""

    answers: list[ModelAnswer]
    asked: int
    stopped: BackendStopped | None = None


class ModelJudge(Protocol):
    """A model that answers what a scheme asks."""

    @property
    def name(self) -> str:
        """The annotator of its judgements."""

    @property
    def signature(self) -> str:
        """Everything that its answers depend on; one with another signature is another version."""

    @property
    def facts(self) -> Mapping[str, str]:
        """What every judgement records of the version."""

    def answer(self, pairs: Sequence[Pair], cache: AnswerCache, progress: Progress) -> ModelAnswers:
        """What it says of pairs."""


@dataclass(slots=True)
class RunJudge:
    """A trained classifier, whose labels are answers of the scheme."""

    run: Run
    scheme: Scheme
    device: Device = "auto"
    values: Mapping[str, Answer] = field(init=False)

    def __post_init__(self) -> None:
        self.values = answers_of_labels(self.run.record.task, self.scheme)

    @property
    def name(self) -> str:
        return f"{MODEL_PREFIX}{self.run.record.name}"

    @property
    def signature(self) -> str:
        record = self.run.record
        decision = msgspec.json.encode(record.decision).decode()
        return f"{record.signature}|model:{record.model_digest[:16]}|decision:{decision}"

    @property
    def facts(self) -> Mapping[str, str]:
        return {"hash": self.run.record.model_digest}

    def answer(self, pairs: Sequence[Pair], cache: AnswerCache, progress: Progress) -> ModelAnswers:
        if not pairs:
            return ModelAnswers([], 0)
        task, heads = self.run.record.task, calibrated_heads(self.run, pairs, self.device)
        labels = self.run.record.decision.labels(task, heads)
        joint = task.joint(heads)
        answers = []
        for row, label in enumerate(labels):
            probability = float(joint[row, task.labels.index(label)])
            reason = None if label in self.values else f"the scheme {self.scheme.name} has no label {label!r}"
            answers.append(ModelAnswer(self.values.get(label), reason, probability))
        progress(len(pairs), len(pairs))
        return ModelAnswers(answers, len(pairs))


@dataclass(slots=True)
class GeneratorJudge:
    """A generator that is asked about one pair at a time."""

    edge: Generator
    prompt: Prompt
    scheme: Scheme

    @property
    def name(self) -> str:
        return f"{MODEL_PREFIX}{self.edge.name}"

    @property
    def signature(self) -> str:
        return f"{self.edge.signature}|prompt:{self.prompt.version}"

    @property
    def facts(self) -> Mapping[str, str]:
        return {"prompt": self.prompt.version}

    def answer(self, pairs: Sequence[Pair], cache: AnswerCache, progress: Progress) -> ModelAnswers:
        items = [Item(pair.id, self.prompt.ask(pair.text1, pair.text2)) for pair in pairs]
        # What is none of the scheme's answers stays in the cache too: the same prompt would get it again.
        replies = ask(self.edge, self.edge.generate, items, kind=str, cache=cache, progress=progress)
        return ModelAnswers([self._read(reply) for reply in replies.answers], replies.asked, replies.stopped)

    def _read(self, reply: Reply[str]) -> ModelAnswer:
        if reply.value is None:
            return ModelAnswer(reason=reply.reason)
        return ModelAnswer(*read_answer(self.scheme, reply.value))


def model_judge(
    name: str, scheme: Scheme, *, prompt: str | Path | None = None, guideline: str = "", device: Device = "auto"
) -> ModelJudge:
    """The model of that name: the folder of a trained classifier, or a generator."""
    folder = run_folder(name)
    if folder is None:
        return GeneratorJudge(generator(name), prompt_for(scheme, prompt, guideline), scheme)
    if prompt is not None:
        raise UsageError("a prompt is for generators; a trained classifier needs none", code="prompt-for-classifier")
    return RunJudge(open_run(folder), scheme, device)


def run_folder(name: str) -> Path | None:
    """The folder of a trained classifier that a name stands for; None if it is another model."""
    if name.startswith(RUN):
        return Path(name.removeprefix(RUN))
    return Path(name) if is_run(Path(name)) else None


def calibrated_heads(run: Run, pairs: Sequence[Pair], device: Device = "auto") -> list[Probabilities]:
    """The probabilities that a trained classifier gives for pairs, as its dev part calibrated them."""
    classifier = run.classifier(device)
    return run.record.decision.calibrated(head_probabilities(classifier, *text_columns(pairs)))


def answers_of_labels(task: LabelTask, scheme: Scheme) -> dict[str, Answer]:
    """The answer of a scheme that each label of a classifier stands for, without those that stand for none."""
    answers: dict[str, Answer] = {}
    for label in task.labels:
        try:
            answers[label] = scheme.normalise(label)
        except LabelError:
            continue
    if not answers and scheme.single and scheme.questions[0].has_one_answer:
        sides = {side: _only_value(scheme, positive=side) for side in (True, False)}
        for label in task.labels:
            side = is_positive(label)
            if side is not None and (value := sides[side]) is not None:
                answers[label] = value
    if len(answers) < 2:
        listed = ", ".join(task.labels[:5])
        message = (
            f"this classifier says {listed}, which are not answers of the scheme {scheme.name}; "
            "train one on labels of the scheme"
        )
        raise UsageError(message, code="labels-of-another-scheme")
    return answers


def _only_value(scheme: Scheme, *, positive: bool) -> str | None:
    """The only value of a scheme that says yes, or no; None if there are several or none."""
    values = [value.value for value in scheme.questions[0].values if scheme.positive_of(value.value) is positive]
    return values[0] if len(values) == 1 else None
