"""The last two steps of a recipe: the report of what came out, and its release."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import func, select

from otherwords.analyse.card.build import card
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.ladder import MEASURED, RANKS, project_runs, with_fitting_baselines
from otherwords.analyse.report.build import INDEX, report
from otherwords.corpus.labels.step import label_step
from otherwords.corpus.release.build import release
from otherwords.corpus.release.checks import NotReleased
from otherwords.corpus.release.options import FOLDER, ReleaseOptions
from otherwords.corpus.splits.step import SPLIT, last_split, split_step
from otherwords.corpus.verify.verify import problems_before_release
from otherwords.errors import DataError, OtherwordsError, WriteError
from otherwords.project.about import read_about
from otherwords.project.ledger import schema
from otherwords.project.pipeline.kind import Cost, Input, PeopleWork, Step, StepContext, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Count, Parameters, Seed
from otherwords.project.pipeline.run import run_step
from otherwords.project.project import Project
from otherwords.project.simulated import is_simulated


class ReportParameters(Parameters, frozen=True, kw_only=True):
    """Where the report goes, and what is drawn for it."""

    out: str = "report"
    seed: Seed = 0
    examples: Count = 3
    synonyms: str = ""


class ReleaseParameters(Parameters, frozen=True, kw_only=True):
    """What a release is called, under which licence, and what is left out of it."""

    version: str = "1.0"
    licence: str = ""
    date: str = ""
    out: str = ""
    keep_labels: tuple[str, ...] = ()
    meta: tuple[str, ...] = ()
    anyway: tuple[str, ...] = ()
    scheme: str = ""  # whose labels are released; that of the project
    with_baselines: bool = False  # the models that were trained on the project, and how they compare


def _facts(project: Project, parameters: ReportParameters | ReleaseParameters) -> StepFacts:
    """A report and a release follow from the labels, from how they are split and from what is said about the corpus.

    Not from the parts themselves: a release fixes them, and would be out of date as soon as it is made.
    """
    about = hashlib.sha256(msgspec.json.encode(read_about(project.folder))).hexdigest()[:16]
    return StepFacts(0, {"split": last_split(project), "about": about})


def _report_facts(project: Project, parameters: ReportParameters) -> StepFacts:
    """The same, the models that were trained since, how well they find what is known, and what systems wrote."""
    models = {run.record.name: run.record.key for run in project_runs(project.folder)}
    steps = schema.steps
    ranked = select(func.max(steps.c.seq)).where(steps.c.kind == RANKS, steps.c.state == "done")
    written = select(func.max(steps.c.seq)).where(steps.c.kind == MEASURED, steps.c.state == "done")
    with project.ledger.reading() as connection:
        ranks, outputs = connection.execute(ranked).scalar(), connection.execute(written).scalar()
    facts = {"models": models, "ranks": ranks} | ({} if outputs is None else {"outputs": outputs})
    return StepFacts(0, {**_facts(project, parameters).depends_on, **facts})


LABELS: Input[Any] = Input(lambda project, parameters: label_step(project))
PARTS: Input[Any] = Input(lambda project, parameters: split_step(project), in_key=False)


def _report(context: StepContext[ReportParameters]) -> StepResult:
    chosen, folder = context.parameters, context.project.folder
    synonyms = str(folder / chosen.synonyms) if chosen.synonyms else None
    options = AnalysisOptions(chosen.seed, synonyms=synonyms, examples=chosen.examples)
    target = folder / chosen.out
    new = target.with_name(f".{target.name}.new")
    shutil.rmtree(new, ignore_errors=True)  # of a run that was killed
    written = report(folder, new, options, progress=lambda done: context.progress(done, None))
    replace_page(target, new, "report")
    counts = {"tables": written.tables, "figures": written.figures}
    return StepResult(context.inputs["labels"].rows, len(written.findings), counts, output=target)


def replace_page(target: Path, new: Path, step: str) -> None:
    """Put the page of a step in the place of the one before, which stays until then."""
    if not target.exists():
        new.rename(target)
        return
    if not (target / INDEX).is_file():
        shutil.rmtree(new)
        message = f"{target}: is not a report of otherwords; name another folder with --set {step}.out=NAME"
        raise WriteError(message, code="not-a-report")
    old = target.with_name(f".{target.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    target.rename(old)
    new.rename(target)
    shutil.rmtree(old)


def _release(context: StepContext[ReleaseParameters]) -> StepResult:
    chosen = context.parameters
    with context.project.ledger.reading() as connection:
        simulated = is_simulated(connection)
    options = ReleaseOptions(
        version=chosen.version,
        licence=chosen.licence,
        date=chosen.date or None,
        out=Path(chosen.out) if chosen.out else None,
        keep_labels=chosen.keep_labels,
        meta=chosen.meta,
        anyway=chosen.anyway,
        simulated=simulated,
        scheme=chosen.scheme or None,
    )
    describe = with_fitting_baselines(card, context.project.folder) if chosen.with_baselines else card
    try:
        released = release(context.project, options, describe, problems_before_release)
    except NotReleased as problem:
        before = "".join(f"{name}," for name in chosen.anyway)  # a setting takes the place of the one before
        raise NotReleased(problem.checks, chosen.version, f"--set {context.name}.anyway={before}") from None
    except DataError as problem:
        if problem.code != "version-released":
            raise
        how = f"--set {context.name}.version={_next_version(chosen.version)}"
        raise DataError(f"{problem}, such as {how}", code=problem.code) from None
    _split_again(context.project)
    parts = {part: sum(labels.values()) for part, labels in released.counts.items()}
    counts = parts | {"dropped": released.left_out}
    return StepResult(context.inputs["labels"].rows, sum(parts.values()), counts, output=released.folder)


def _next_version(version: str) -> str:
    """A version to propose after one that is taken: 1.1 after 1.0."""
    number = re.search(r"\d+$", version)
    return f"{version[: number.start()]}{int(number[0]) + 1}" if number else f"{version}.1"


def _split_again(project: Project) -> None:
    """Run all splits of a project again: their parts are fixed now, and the next run finds them so."""
    last = split_step(project)
    steps = schema.steps
    newest = select(func.max(steps.c.seq)).where(steps.c.kind == SPLIT.name, steps.c.state == "done")
    with project.ledger.reading() as connection:
        numbers = newest.group_by(steps.c.name)
        rows = connection.execute(select(steps.c.name, steps.c.parameters).where(steps.c.seq.in_(numbers))).all()
    for name, parameters in rows:
        with contextlib.suppress(OtherwordsError):  # the split of another scheme may have nothing left to split
            run_step(project, Step(name, SPLIT, SPLIT.decode(parameters)))
    run_step(project, last)


def output_place(project: Project, step: Step) -> Path | None:
    """Where to look at what a step made; None for steps that make nothing to look at."""
    chosen = step.parameters
    if isinstance(chosen, ReportParameters):
        return project.folder / chosen.out / INDEX
    if isinstance(chosen, ReleaseParameters):
        return Path(chosen.out) if chosen.out else project.folder / FOLDER / chosen.version
    return None


def _licence_is_missing(project: Project, parameters: ReleaseParameters) -> PeopleWork | None:
    if parameters.licence:
        return None
    then = "choose one when you run the recipe again: --set release.licence=CC-BY-SA-4.0"
    return PeopleWork("nobody has said under which licence the corpus is released", then)


REPORT = StepKind(
    name="report",
    version=1,
    parameters=ReportParameters,
    facts=_report_facts,
    inputs={"labels": LABELS},
    run=_report,
    cost=Cost(rows_per_second=1000.0),
)
RELEASE = StepKind(
    name="release",
    version=1,
    parameters=ReleaseParameters,
    facts=_facts,
    inputs={"labels": LABELS, "parts": PARTS},
    run=_release,
    cost=Cost(rows_per_second=5000.0, disk_bytes_per_row=2000.0),
    waits=_licence_is_missing,
)
