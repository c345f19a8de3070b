"""What somebody asks to be cleaned: the training part of a corpus, read, taught, cleaned and written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from otherwords.engine import Progress
from otherwords.errors import UsageError
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.data.parts import LabelledParts, PartOptions, read_parts_of
from otherwords.learn.data.task import TaskName
from otherwords.learn.ladder import LADDER, TrainingContext
from otherwords.learn.metrics.calibration import choose_on_dev
from otherwords.learn.noise.denoise import (
    GRID,
    CleanedPart,
    CleaningRow,
    CleaningRule,
    Student,
    changed_pairs,
    clean,
    cleaning_table,
    trainable,
)
from otherwords.learn.noise.teacher import FOLDS, by_teacher, out_of_fold
from otherwords.learn.runs.run import open_run
from otherwords.records import Pair
from otherwords.sources.reading import format_for, write_records

DEFAULT_LEAST: dict[str, float] = {"filter": 0.35, "flip": 0.25, "confident": 0.0}  # λ of Dou et al. 2022, §3.2


class DenoiseRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which corpus, by which teacher and rule, and where the result goes."""

    path: str
    model: str = "features"
    teacher: str | None = None
    taught_by: str = ""  # of a project: the scheme whose labels teach, instead of those in question
    view: str = ""  # of a project: the view of its scheme whose labels are in question
    settings: dict[str, Any] = {}
    rule: CleaningRule = "filter"
    least: float | None = None
    grid: bool = False
    out: str | None = None
    rejected: str | None = None
    task: TaskName = "binary"
    dev: str | None = None
    folds: int = FOLDS
    seed: int = 0
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class DenoiseOutcome:
    """What was cleaned, by how much, and the table of students."""

    train: LabelledPairs  # before
    cleaned: CleanedPart
    teacher: str
    rows: list[CleaningRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def pairs(self) -> int:
        """How many pairs the training part has."""
        return len(self.train)


def denoise_corpus(
    request: DenoiseRequest, progress: Progress = lambda done, total: None, **reading: Any
) -> DenoiseOutcome:
    """Clean the training part of a corpus; its dev and test parts stay as they are."""
    if request.least is not None and not 0 < request.least < 1:
        raise UsageError(f"--lambda {request.least:g}: give a number between 0 and 1", code="bad-lambda")
    for target in (request.out, request.rejected):
        if target is not None:
            format_for(target)
    LADDER.get(request.model).decode(request.settings)
    options = PartOptions(
        request.task, dev=request.dev, seed=request.seed, leaks="drop", simulated=request.simulated, split="90/5/5"
    )
    parts = read_parts_of([request.path], options._replace(view=request.view), **reading)
    lang = next((pair.lang for pair in parts.train.pairs if pair.lang), None)
    context = TrainingContext(seed=request.seed, lang=lang, progress=progress)
    if request.teacher is not None:
        run = open_run(request.teacher)
        joint, labels = by_teacher(run, parts.train, context), run.record.task.labels
        parts, teacher = replace(parts, task=run.record.task), run.record.signature
    else:
        taught = None
        if request.taught_by:
            taught = read_parts_of([request.path], options._replace(scheme=request.taught_by), **reading).train
        settings, folds = request.settings, request.folds
        joint = out_of_fold(parts.task, parts.train, request.model, settings, context, folds, taught)
        labels = parts.task.labels
        learnt = f"labels of {request.taught_by}" if request.taught_by else "the other folds"
        teacher = f"{request.model}, {folds} folds, each by {learnt} without its sentences"
    rows, least = [], request.least or DEFAULT_LEAST[request.rule]
    if request.grid:
        student = Student(request.model, request.settings, context, choose_on_dev())
        rows = cleaning_table(parts, joint, student, grid=GRID if request.least is None else (request.least,))
        chosen = next(row for row in rows if row.rule == request.rule and row.chosen)
        least = chosen.least or 0.0
    cleaned = clean(parts.train, joint, labels, request.rule, least)
    if not request.taught_by:  # otherwise its pairs are added to others
        trainable(cleaned)
    _write(request, parts, cleaned)
    return DenoiseOutcome(parts.train, cleaned, teacher, rows, parts.notes)


def _write(request: DenoiseRequest, parts: LabelledParts, cleaned: CleanedPart) -> None:
    """Write the pairs that are kept and those that are left out; each says what was changed about it."""

    def chosen(kept: bool) -> Iterator[Pair]:
        return (pair for pair, stays in changed_pairs(parts.train, cleaned) if stays is kept)

    if request.out is not None:
        write_records(chosen(True), Path(request.out))
    if request.rejected is not None:
        write_records(chosen(False), Path(request.rejected))
