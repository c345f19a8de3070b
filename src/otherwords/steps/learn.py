"""Training as a step of a recipe: a classifier on the labels and parts of the project."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
from sqlalchemy import desc, select

from otherwords.corpus.labels.step import label_step
from otherwords.corpus.splits.step import last_split, split_step
from otherwords.learn.data.parts import LeakRule
from otherwords.learn.ladder import LADDER
from otherwords.learn.runs.request import ClassifierRequest, train_classifier
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import open_dataset
from otherwords.project.pipeline.kind import Cost, Input, StepContext, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Parameters, Seed
from otherwords.project.project import MODELS, Project
from otherwords.project.simulated import is_simulated

HARVEST = "harvest"  # the kind of step


class TrainParameters(Parameters, frozen=True, kw_only=True):
    """Which rung of the ladder is trained, for which labels, and how its probabilities become labels."""

    model: str = "features"
    name: str = ""  # of the folder; that of the model by default
    task: Literal["binary", "labels"] = "binary"
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    bootstrapped: tuple[str, ...] = ()  # harvests by the names of their steps, or files in the project
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


def _harvested(project: Project, name: str) -> list[Path]:
    """The files of a harvest: the dataset of the step of that name, or a file in the project's folder."""
    key = _harvest_key(project, name)
    return [project.folder / name] if key is None else open_dataset(project.tables / name / key).paths()


def _harvest_key(project: Project, name: str) -> str | None:
    """The key of the last harvest of that name; None if no step is called so."""
    steps = schema.steps
    done = select(steps.c.key).where(steps.c.name == name, steps.c.kind == HARVEST, steps.c.state == "done")
    with project.ledger.reading() as connection:
        return connection.execute(done.order_by(desc(steps.c.seq)).limit(1)).scalar_one_or_none()


def _facts(project: Project, chosen: TrainParameters) -> StepFacts:
    """How the project is split, and which harvests it learns from.

    Not the parts themselves: a release fixes them, and every training would be out of date as soon as it is made.
    """
    keys = {name: _harvest_key(project, name) for name in chosen.bootstrapped}
    return StepFacts(0, {"split": last_split(project)} | ({"harvests": keys} if keys else {}))


def _train(context: StepContext[TrainParameters]) -> StepResult:
    chosen, folder = context.parameters, context.project.folder
    request = ClassifierRequest(
        paths=(str(folder),),
        model=chosen.model,
        out=str(folder / MODELS / (chosen.name or chosen.model)),
        task=chosen.task,
        settings=chosen.settings,
        bootstrapped=tuple(str(path) for name in chosen.bootstrapped for path in _harvested(context.project, name)),
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
        "parts": Input(lambda project, chosen: split_step(project, simulated=_simulated(project)), in_key=False),
    },
    facts=_facts,
    run=_train,
    cost=Cost(rows_per_second=200.0, megabytes=600.0),
)
