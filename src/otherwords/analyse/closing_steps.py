"""The last two steps of a recipe: the report of what came out, and its release."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from otherwords.analyse.analyses import Wishes as Analysing
from otherwords.analyse.card import card
from otherwords.analyse.report import INDEX, report
from otherwords.corpus.parts import last_wishes
from otherwords.corpus.release import release
from otherwords.corpus.release_wishes import FOLDER, Wishes
from otherwords.errors import WriteError
from otherwords.project.project import Project
from otherwords.project.recipe import Step
from otherwords.project.run import plan
from otherwords.project.simulated import is_simulated
from otherwords.project.work import WORKS, Result, Running, Waiting, Work


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    """What a report and a release say follows from the labels and from how they are split.

    Not from the parts themselves: a release fixes them, and would be out of date as soon as it is made.
    """
    with project.ledger.reading() as connection:
        made_up = is_simulated(connection)
    labels = plan(project, Step("label", "label", WORKS.get("label").checked({"simulated": made_up})))
    return {"labels": labels.key, "split": last_wishes(project), "rows": labels.rows}


def _report(running: Running) -> Result:
    told, folder = running.parameters, running.project.folder
    wishes = Analysing(told["seed"], synonyms=told["synonyms"] or None, examples=told["examples"])
    target = folder / told["out"]
    new = target.with_name(f".{target.name}.new")
    shutil.rmtree(new, ignore_errors=True)  # of a run that was killed
    made = report(folder, new, wishes, progress=lambda done: running.progress(done, None))
    _put(new, target)
    return Result(rows_out=len(made.findings), counts={"tables": made.tables, "figures": made.figures})


def _put(new: Path, target: Path) -> None:
    """Put a report where the one before stood, which is there until then."""
    if not target.exists():
        new.rename(target)
        return
    if not (target / INDEX).is_file():
        shutil.rmtree(new)
        raise WriteError(f"{target}: is not a report of otherwords; name another folder with --set report.out=NAME")
    old = target.with_name(f".{target.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    target.rename(old)
    new.rename(target)
    shutil.rmtree(old)


def _release(running: Running) -> Result:
    told = running.parameters
    with running.project.ledger.reading() as connection:
        made_up = is_simulated(connection)
    plain: dict[str, Any] = {name: told[name] for name in ("version", "licence")}
    plain |= {"date": told["date"] or None, "out": Path(told["out"]) if told["out"] else None}
    lists: dict[str, Any] = {name: tuple(told[name]) for name in ("keep_labels", "anyway")}
    released = release(running.project, Wishes(**plain, **lists, simulated=made_up), card)
    parts = {part: sum(labels.values()) for part, labels in released.counts.items()}
    return Result(rows_out=sum(parts.values()), counts=parts | {"dropped": released.left_out})


def place(project: Project, step: Step) -> Path | None:
    """Where what a step of a recipe made is to be looked at; None of steps that make nothing to look at."""
    told = step.parameters
    if step.does == REPORT.name:
        return project.folder / str(told["out"]) / INDEX
    if step.does == RELEASE.name:
        return Path(told["out"]) if told["out"] else project.folder / FOLDER / str(told["version"])
    return None


def _licence(project: Project, parameters: dict[str, Any]) -> Waiting | None:
    if parameters["licence"]:
        return None
    then = "choose one when you run the recipe again: --set release.licence=CC-BY-SA-4.0"
    return Waiting("nobody has said under which licence the corpus is released", then)


REPORT = Work(
    name="report",
    version=1,
    parameters={"out": "report", "seed": 0, "examples": 3, "synonyms": ""},
    inputs=_inputs,
    run=_report,
    rows_a_second=1000.0,
)
RELEASE = Work(
    name="release",
    version=1,
    parameters={"version": "1.0", "licence": "", "date": "", "out": "", "keep_labels": [], "anyway": []},
    inputs=_inputs,
    run=_release,
    rows_a_second=5000.0,
    waits=_licence,
)
