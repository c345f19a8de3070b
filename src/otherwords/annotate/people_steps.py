"""Steps of a recipe that only people can do: a recipe stops there, and says how much is left and where it is done.

Nothing is noted of such a step but that it is done: what waits is asked of the ledger each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from otherwords.annotate import schemes
from otherwords.annotate.batches import EXTRACTED, batch_of_row
from otherwords.annotate.disagreements import cases, settled
from otherwords.annotate.queues import waits_for_extraction, waits_for_triage
from otherwords.errors import RecipeError
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.rows import dicts
from otherwords.project.work import Result, Running, Waiting, Work

Left = Callable[[Connection, Project, list[str]], tuple[int, str]]


def _document_pairs(waits: Callable[[], ColumnElement[bool]]) -> Left:
    def left(connection: Connection, project: Project, batches: list[str]) -> tuple[int, str]:
        count = select(func.count()).select_from(schema.document_pairs).where(waits())
        return connection.execute(count).scalar_one(), "document pairs"

    return left


def _answers(connection: Connection, project: Project, batches: list[str]) -> tuple[int, str]:
    """Judgements that open batches still ask for."""
    slot, of = schema.slots, schema.batches
    open_ones = (of.c.id == slot.c.batch, of.c.state == "open", of.c.id.in_(batches or [EXTRACTED]))
    unanswered = select(func.count()).select_from(slot.join(of, open_ones[0]))
    unanswered = unanswered.where(*open_ones[1:], slot.c.judgement.is_(None), slot.c.position >= 0)
    return connection.execute(unanswered).scalar_one(), "judgements"


def _decisions(connection: Connection, project: Project, batches: list[str]) -> tuple[int, str]:
    """Pairs of batches on which people differ and nobody has decided."""
    of = schema.batches
    rows = dicts(connection.execute(select(of).where(of.c.id.in_(batches))))
    left = 0
    for row in rows:
        one = batch_of_row(row)
        left += settled(cases(connection, one, schemes.scheme(one.scheme, project.folder))).waiting
    return left, "disagreements"


TASKS: dict[str, tuple[Left, str]] = {
    "triage": (_document_pairs(waits_for_triage), "Triage"),
    "extract": (_document_pairs(waits_for_extraction), "Extract"),
    "judge": (_answers, "Home, where the batches wait"),
    "adjudicate": (_decisions, "Adjudicate"),
}


def _task(parameters: dict[str, Any]) -> tuple[Left, str]:
    if parameters["task"] not in TASKS:
        raise RecipeError(f"people: task = {parameters['task']!r}: it is one of {', '.join(TASKS)}")
    return TASKS[parameters["task"]]


def _waits(project: Project, parameters: dict[str, Any]) -> Waiting | None:
    left, page = _task(parameters)
    with project.ledger.reading() as connection:
        count, noun = left(connection, project, parameters["batches"])
    if not count:
        return None
    where = f"open the site (otherwords serve {project.folder}), page {page}; then run the recipe again"
    return Waiting(f"{count:,} {noun} are left", where)


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    _task(parameters)
    return {"rows": 0}


def _done(running: Running) -> Result:
    return Result()


PEOPLE = Work(
    name="people",
    version=1,
    parameters={"task": "judge", "batches": []},
    inputs=_inputs,
    run=_done,
    waits=_waits,
)
