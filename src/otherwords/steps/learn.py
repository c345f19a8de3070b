"""Training as a step of a recipe: a classifier on the labels and parts of the project."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from otherwords.corpus.labels.step import label_step
from otherwords.corpus.splits.step import split_step
from otherwords.learn.data.parts import LeakRule
from otherwords.learn.ladder import LADDER
from otherwords.learn.runs.request import ClassifierRequest, train_classifier
from otherwords.project.pipeline.kind import Cost, Input, StepContext, StepKind, StepResult
from otherwords.project.pipeline.parameters import Parameters, Seed
from otherwords.project.project import MODELS, Project
from otherwords.project.simulated import is_simulated


class TrainParameters(Parameters, frozen=True, kw_only=True):
    """Which rung of the ladder is trained, for which labels, and how its probabilities become labels."""

    model: str = "features"
    name: str = ""  # of the folder; that of the model by default
    task: Literal["binary", "labels"] = "binary"
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    bootstrapped: tuple[str, ...] = ()  # files of harvested pairs in the project
    threshold: str = "accuracy"
    decode: Literal["heads", "jointly"] = "heads"
    leaks: LeakRule = "drop"
    seed: Seed = 0

    def problem(self) -> str | None:
        if self.model not in LADDER:
            return f"model = {self.model!r}: known are {', '.join(LADDER)}"
        return None


def _simulated(project: Project) -> bool:
    with project.ledger.reading() as connection:
        return is_simulated(connection)


def _train(context: StepContext[TrainParameters]) -> StepResult:
    chosen, folder = context.parameters, context.project.folder
    request = ClassifierRequest(
        paths=(str(folder),),
        model=chosen.model,
        out=str(folder / MODELS / (chosen.name or chosen.model)),
        task=chosen.task,
        settings=chosen.settings,
        bootstrapped=tuple(str(folder / name) for name in chosen.bootstrapped),
        threshold=chosen.threshold,
        decode=chosen.decode,
        leaks=chosen.leaks,
        seed=chosen.seed,
        simulated=_simulated(context.project),
        again=True,
    )
    run = train_classifier(request, context.progress)
    record = run.record
    counts = {facts.name: facts.pairs for facts in (record.train, record.dev, *record.tests)}
    return StepResult(sum(counts.values()), record.train.pairs, counts, output=run.folder)


TRAIN = StepKind(
    name="train-classifier",
    version=1,
    parameters=TrainParameters,
    inputs={
        "labels": Input(lambda project, chosen: label_step(project, simulated=_simulated(project))),
        "parts": Input(lambda project, chosen: split_step(project, simulated=_simulated(project))),
    },
    run=_train,
    cost=Cost(rows_per_second=200.0, megabytes=600.0),
)
