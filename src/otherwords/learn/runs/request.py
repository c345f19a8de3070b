"""What somebody asks to be trained: one struct for the command line and for recipes, and the run that comes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, cast

import msgspec

from otherwords.corpus.corpus import open_corpus
from otherwords.engine import Progress
from otherwords.errors import UsageError
from otherwords.learn.data.examples import SubsetUnit, nested_subsets
from otherwords.learn.data.parts import LeakRule, PartOptions, read_parts_of
from otherwords.learn.data.task import TaskName
from otherwords.learn.ladder import LADDER, TrainingContext
from otherwords.learn.metrics.calibration import ThresholdRule, choose_on_dev
from otherwords.learn.runs.run import Run
from otherwords.learn.runs.train import TrainRequest, train_run
from otherwords.models.edges import Device


class ClassifierRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A classifier to be trained on corpora; what is not said has a default that needs no test data to choose."""

    paths: tuple[str, ...]
    model: str
    out: str
    task: TaskName = "binary"
    dev: str | None = None
    tests: tuple[str, ...] = ()
    split: str = "80/10/10"
    bootstrapped: tuple[str, ...] = ()  # files of harvested pairs, for training alone
    leaks: LeakRule = "refuse"
    rewrites: bool = True
    share: int = 100  # per cent of the training part, for learning curves
    share_by: SubsetUnit = "unit"
    seed: int = 0
    settings: dict[str, Any] = {}
    threshold: str = "accuracy"
    calibrate: bool = True
    decode: Literal["heads", "jointly"] = "heads"
    device: Device = "auto"
    simulated: bool = False
    scheme: str = ""  # whose labels are learnt, of a project
    released: bool = False  # without the labels that releases leave out
    cleaned: tuple[str, ...] = ()  # datasets of denoised pairs, for training alone
    again: bool = False


def train_classifier(request: ClassifierRequest, progress: Progress = lambda done, total: None, **reading: Any) -> Run:
    """Read the parts, train, choose a threshold on dev, and write the run."""
    kind = LADDER.get(request.model)
    kind.decode(request.settings)  # what is misspelled is an error before anything is read
    threshold = _threshold(request.threshold)
    options = PartOptions(
        task="bootstrapped" if request.bootstrapped and request.task == "labels" else request.task,
        dev=request.dev,
        tests=request.tests,
        split=request.split,
        bootstrapped=request.bootstrapped,
        seed=request.seed,
        leaks=request.leaks,
        rewrites=request.rewrites,
        simulated=request.simulated,
        scheme=request.scheme,
        released=request.released,
        cleaned=request.cleaned,
    )
    parts = read_parts_of(request.paths, options, **reading)
    if request.share != 100:
        (train,) = nested_subsets(parts.train, [request.share], by=request.share_by, seed=request.seed)
        parts = replace(parts, train=train)
    first = open_corpus(request.paths[0], simulated=request.simulated, **reading)
    lang = next((pair.lang for pair in parts.train.pairs if pair.lang), first.lang)
    context = TrainingContext(seed=request.seed, lang=lang, device=request.device, progress=progress)
    target = TrainRequest(
        kind=kind.name,
        folder=Path(request.out),
        options=request.settings,
        context=context,
        choices={"threshold": request.threshold, "calibrate": request.calibrate, "decode": request.decode},
        decide=choose_on_dev(threshold, calibrate=request.calibrate, jointly=request.decode == "jointly"),
        again=request.again,
        simulated=first.simulated,
    )
    return train_run(target, parts)


def _threshold(text: str) -> ThresholdRule:
    """A rule by its name, or a number."""
    if text in ("accuracy", "f1"):
        return cast("ThresholdRule", text)
    try:
        if 0 <= (number := float(text)) <= 1:
            return number
    except ValueError:
        pass
    message = f"--threshold {text}: expected accuracy, f1 or a number from 0 to 1"
    raise UsageError(message, code="bad-threshold")
