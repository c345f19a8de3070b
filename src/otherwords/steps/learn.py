"""Training as a step of a recipe: a classifier on the labels and parts of the project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from sqlalchemy import desc, select

from otherwords.corpus.labels.step import label_step
from otherwords.corpus.splits.step import last_split, split_step
from otherwords.errors import DataError
from otherwords.learn.data.parts import LeakRule
from otherwords.learn.ladder import LADDER
from otherwords.learn.runs.request import ClassifierRequest, train_classifier
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import open_dataset
from otherwords.project.pipeline.kind import Cost, Input, StepContext, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Parameters, Seed
from otherwords.project.project import MODELS, Project
from otherwords.project.simulated import is_simulated

HARVEST, DENOISE = "harvest", "denoise"  # kinds of steps
TURNED_OFF = "none"  # in place of a model


class TrainParameters(Parameters, frozen=True, kw_only=True):
    """Which rung of the ladder is trained, for which labels, and how its probabilities become labels."""

    model: str = "features"  # none: nothing is trained
    out: str = ""  # its folder in the project's folder of models; called like the model by default
    task: Literal["binary", "labels"] = "binary"
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    bootstrapped: tuple[str, ...] = ()  # harvests by the names of their steps, or files in the project
    cleaned: tuple[str, ...] = ()  # denoised labels by the names of their steps, whose pairs are added for training
    threshold: str = "accuracy"
    decode: Literal["heads", "jointly"] = "heads"
    leaks: LeakRule = "drop"
    scheme: str = ""  # whose labels are learnt; that of the project
    released: bool = False  # without the labels that releases leave out, such as Turku's 1
    seed: Seed = 0

    def problem(self) -> str | None:
        if self.model not in (*LADDER, TURNED_OFF):
            return f"model = {self.model!r}: known are {', '.join(LADDER)}"
        return None


def _simulated(project: Project) -> bool:
    with project.ledger.reading() as connection:
        return is_simulated(connection)


def refuse_turned_off(name: str, parameter: str, model: str) -> None:
    """Refuse a step whose model is none, which an optional one is skipped for."""
    if model == TURNED_OFF:
        message = f"it is turned off; --set {name}.{parameter}= turns it on again"
        raise DataError(message, code="turned-off")


def harvested_files(project: Project, names: Sequence[str]) -> tuple[str, ...]:
    """The files of harvests: the datasets of steps of these names, or files in the project's folder."""
    return tuple(str(path) for name in names for path in _harvested(project, name))


def _harvested(project: Project, name: str) -> list[Path]:
    key = _last_key(project, name, HARVEST)
    if key is not None:
        return open_dataset(project.tables / name / key).paths()
    if not (project.folder / name).is_file():
        message = f"nothing was harvested by a step {name}, and there is no such file in the project"
        raise DataError(message, project.folder, code="no-harvest")
    return [project.folder / name]


def _cleaned_folder(project: Project, name: str) -> str:
    """The dataset of denoised labels that a step wrote."""
    key = _last_key(project, name, DENOISE)
    if key is None:
        raise DataError(f"no labels were denoised by a step {name}", project.folder, code="not-denoised")
    return str(project.tables / name / key)


def _last_key(project: Project, name: str, kind: str) -> str | None:
    """The key of the last good run of that name; None if no step of the kind is called so."""
    steps = schema.steps
    done = select(steps.c.key).where(steps.c.name == name, steps.c.kind == kind, steps.c.state == "done")
    with project.ledger.reading() as connection:
        return connection.execute(done.order_by(desc(steps.c.seq)).limit(1)).scalar_one_or_none()


def training_facts(project: Project, names: Sequence[str]) -> StepFacts:
    """How the project is split, and which harvests a training learns from.

    Not the parts themselves: a release fixes them, and every training would be out of date as soon as it is made.
    """
    keys = {name: _last_key(project, name, HARVEST) for name in names}
    return StepFacts(0, {"split": last_split(project)} | ({"harvests": keys} if keys else {}))


def _facts(project: Project, chosen: TrainParameters) -> StepFacts:
    facts = training_facts(project, chosen.bootstrapped)
    if not chosen.cleaned:
        return facts
    cleaned = {name: _last_key(project, name, DENOISE) for name in chosen.cleaned}
    return StepFacts(facts.rows, {**facts.depends_on, "cleaned": cleaned})


def _train(context: StepContext[TrainParameters]) -> StepResult:
    chosen, folder = context.parameters, context.project.folder
    refuse_turned_off(context.name, "model", chosen.model)
    request = ClassifierRequest(
        paths=(str(folder),),
        model=chosen.model,
        out=str(folder / MODELS / (chosen.out or chosen.model)),
        task=chosen.task,
        settings=chosen.settings,
        bootstrapped=harvested_files(context.project, chosen.bootstrapped),
        cleaned=tuple(_cleaned_folder(context.project, name) for name in chosen.cleaned),
        threshold=chosen.threshold,
        decode=chosen.decode,
        leaks=chosen.leaks,
        seed=chosen.seed,
        simulated=_simulated(context.project),
        scheme=chosen.scheme,
        released=chosen.released,
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
        "labels": Input(
            lambda project, chosen: label_step(project, simulated=_simulated(project), scheme=chosen.scheme or None)
        ),
        "parts": Input(
            lambda project, chosen: split_step(project, simulated=_simulated(project), scheme=chosen.scheme),
            in_key=False,
        ),
    },
    facts=_facts,
    run=_train,
    cost=Cost(rows_per_second=None, megabytes=600.0),
)
