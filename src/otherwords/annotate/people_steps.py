"""Steps of a recipe that only people can do: a recipe stops there, and says how much is left and where it is done.

Nothing is noted of such a step but that it waits, or is done and how much it was: what is left is asked of the ledger
each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from otherwords.annotate.batches import EXTRACTED
from otherwords.annotate.people_counts import Done, adjudicated, extracted, judged, settled_in, triaged
from otherwords.annotate.queues import waits_for_extraction, waits_for_triage
from otherwords.annotate.too_few import too_few
from otherwords.errors import RecipeError
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.work import Result, Running, Waiting, Work

Left = Callable[[Connection, Project, list[str]], tuple[int, str]]


def _document_pairs(waits: Callable[[], ColumnElement[bool]]) -> Left:
    def left(connection: Connection, project: Project, batches: list[str]) -> tuple[int, str]:
        count = select(func.count()).select_from(schema.document_pairs).where(waits())
        return connection.execute(count).scalar_one(), "document pair"

    return left


def _answers(connection: Connection, project: Project, batches: list[str]) -> tuple[int, str]:
    """Judgements that open batches still ask for."""
    slot, of = schema.slots, schema.batches
    open_ones = (of.c.id == slot.c.batch, of.c.state == "open", of.c.id.in_(batches or [EXTRACTED]))
    unanswered = select(func.count()).select_from(slot.join(of, open_ones[0]))
    unanswered = unanswered.where(*open_ones[1:], slot.c.judgement.is_(None), slot.c.position >= 0)
    return connection.execute(unanswered).scalar_one(), "judgement"


def _decisions(connection: Connection, project: Project, batches: list[str]) -> tuple[int, str]:
    """Pairs of batches on which people differ and nobody has decided."""
    return sum(one.waiting for one in settled_in(connection, project, batches)), "disagreement"


TASKS: dict[str, tuple[Left, Done, str]] = {
    "triage": (_document_pairs(waits_for_triage), triaged, "Triage"),
    "extract": (_document_pairs(waits_for_extraction), extracted, "Extract"),
    "judge": (_answers, judged, "Home, where the batches wait"),
    "adjudicate": (_decisions, adjudicated, "Adjudicate"),
}


def _task(parameters: dict[str, Any]) -> tuple[Left, Done, str]:
    if parameters["task"] not in TASKS:
        raise RecipeError(f"people: task = {parameters['task']!r}: it is one of {', '.join(TASKS)}")
    return TASKS[parameters["task"]]


def _waits(project: Project, parameters: dict[str, Any]) -> Waiting | None:
    left, _, page = _task(parameters)
    batches = parameters["batches"]
    with project.ledger.reading() as connection:
        count, noun = left(connection, project, batches)
        short = too_few(connection, batches or [EXTRACTED]) if parameters["task"] == "judge" else 0
    if not count:
        return None
    where = f"open the site (otherwords serve {project.folder}), page {page}; then run the recipe again"
    told = f"{count:,} {noun}s are left" if count > 1 else f"1 {noun} is left"
    return Waiting(told + _short(short), where)


def _short(pairs: int) -> str:
    """A word about pairs that cannot be finished by the people there are."""
    if not pairs:
        return ""
    told = "1 pair has" if pairs == 1 else f"{pairs:,} pairs have"
    why = "whoever extracted or judged a pair before is not given it"
    return f"; {told} too few people for it: {why}; invite somebody, or close the batch"


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    _task(parameters)
    return {"rows": 0}


def _done(running: Running) -> Result:
    _, done, _ = _task(running.parameters)
    with running.project.ledger.reading() as connection:
        return done(connection, running.project, running.parameters["batches"])


PEOPLE = Work(
    name="people",
    version=1,
    parameters={"task": "judge", "batches": []},
    inputs=_inputs,
    run=_done,
    waits=_waits,
)
