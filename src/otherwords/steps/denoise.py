"""Cleaning noisy labels as a step: what a teacher makes of the training part, for a classifier that learns from it.

Judgements and labels stay as they are. The dataset has every pair of the training part with the label that is left to
it; ``train-classifier`` adds the pairs of such a dataset to its own (``cleaned``).
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import msgspec

from otherwords.corpus.labels.step import label_step
from otherwords.corpus.splits.step import last_split, split_step
from otherwords.errors import DataError
from otherwords.learn.data.cleaned import CLEANED, CLEANED_TEXTS, CleanedRow, Cleaning, cleaned_table
from otherwords.learn.ladder import LADDER
from otherwords.learn.noise.denoise import CleaningRule
from otherwords.learn.noise.request import DenoiseOutcome, DenoiseRequest, denoise_corpus
from otherwords.learn.noise.teacher import FOLDS
from otherwords.learn.runs.run import open_run
from otherwords.project.pipeline.kind import Cost, Input, Step, StepContext, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Parameters, Seed, Share
from otherwords.project.project import MODELS, Project
from otherwords.project.simulated import is_simulated
from otherwords.steps.learn import TURNED_OFF, refuse_turned_off


class DenoiseParameters(Parameters, frozen=True, kw_only=True):
    """Who the teacher is, and what becomes of labels that it doubts.

    ``teacher`` is a classifier of the project that has learnt from other texts; without one, a ``model`` is trained for
    each of some ``folds``, on the labels of the scheme ``taught_by`` where it is named. ``least`` is λ, 0 being that of
    the paper for the rule; with ``grid``, it is chosen on dev. ``view`` is the view of the project's scheme whose
    labels are in question.
    """

    model: str = "features"  # none: nothing is cleaned
    teacher: str = ""
    taught_by: str = ""
    view: str = ""
    rule: CleaningRule = "filter"
    least: Share = 0.0
    grid: bool = False
    folds: Annotated[int, msgspec.Meta(ge=2, le=100)] = FOLDS
    settings: dict[str, Any] = msgspec.field(default_factory=dict)
    seed: Seed = 0

    def problem(self) -> str | None:
        if self.model not in (*LADDER, TURNED_OFF):
            return f"model = {self.model!r}: known are {', '.join(LADDER)}"
        if self.teacher and self.taught_by:
            return "name a teacher or whose labels teach (taught_by), not both"
        if self.rule == "none":
            return 'rule = "none" changes nothing; choose filter, flip or confident'
        return None if self.least < 1 else "least = 1 doubts every label; choose a number below 1"


def _facts(project: Project, chosen: DenoiseParameters) -> StepFacts:
    """How the project is split, and which run teaches."""
    run = open_run(project.folder / MODELS / chosen.teacher).record.key if chosen.teacher else None
    return StepFacts(0, {"split": last_split(project), "teacher": run})


def _denoise(context: StepContext[DenoiseParameters]) -> StepResult:
    chosen, project = context.parameters, context.project
    refuse_turned_off(context.name, "model", chosen.model)
    request = DenoiseRequest(
        path=str(project.folder),
        model=chosen.model,
        teacher=str(project.folder / MODELS / chosen.teacher) if chosen.teacher else None,
        taught_by=chosen.taught_by,
        view=chosen.view,
        settings=chosen.settings,
        rule=chosen.rule,
        least=chosen.least or None,
        grid=chosen.grid,
        folds=chosen.folds,
        seed=chosen.seed,
        simulated=_simulated(project),
    )
    outcome = denoise_corpus(request, context.progress)
    rows, cleaned = _rows(outcome), outcome.cleaned
    kept = [row for row in rows if row.label is not None]
    if not kept:
        raise DataError("no pair is left", project.folder, code="no-examples")
    summary = Cleaning(cleaned.rule, cleaned.least, outcome.teacher, len(rows), len(cleaned.changes))
    moves = Counter(f"{change.label} to {change.new_label or 'left out'}" for change in cleaned.changes)
    counts = {"doubted": len(cleaned.changes), **moves} | ({} if cleaned.least is None else {"λ": cleaned.least})
    output = context.write(CLEANED, [cleaned_table(rows)], lambda: msgspec.to_builtins(summary))
    return StepResult(len(rows), len(kept), counts, output)


def _rows(outcome: DenoiseOutcome) -> list[CleanedRow]:
    """Every pair of the training part with the label that is left to it."""
    changes = {change.id: change for change in outcome.cleaned.changes}
    rows = []
    for pair, label in zip(outcome.train.pairs, outcome.train.labels, strict=True):
        change = changes.get(pair.id)
        if change is None:
            rows.append(CleanedRow(pair, label, label))
        else:
            rows.append(CleanedRow(pair, change.new_label, label, change.probability))
    return rows


def _simulated(project: Project) -> bool:
    with project.ledger.reading() as connection:
        return is_simulated(connection)


def _labels(project: Project, chosen: DenoiseParameters) -> Step:
    return label_step(project, simulated=_simulated(project))


def _taught(project: Project, chosen: DenoiseParameters) -> Step:
    return label_step(project, simulated=_simulated(project), scheme=chosen.taught_by or None)


DENOISE = StepKind(
    name="denoise",
    version=1,
    parameters=DenoiseParameters,
    facts=_facts,
    inputs={
        "labels": Input(_labels),
        "parts": Input(lambda project, chosen: split_step(project, simulated=_simulated(project)), in_key=False),
        "taught": Input(_taught),
    },
    run=_denoise,
    cost=Cost(rows_per_second=None, megabytes=600.0),
    derived=CLEANED_TEXTS,
)
