"""A simulation: all that waits for people in a project is done, in the order in which it comes to them.

In goes a project, which is marked as simulated first, and refused where people have judged. Out comes how much was done
and what is left. It can be stopped at any time: what was said is in the ledger, and what was not is not.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from otherwords.annotate.batches import Batch, batch, batches
from otherwords.annotate.people_steps import TASKS as WAITING
from otherwords.annotate.scheme import Scheme
from otherwords.annotate.schemes import scheme
from otherwords.project import Project, schema
from otherwords.project.simulated import mark_simulated
from otherwords.simulate.documents import extract, triage
from otherwords.simulate.judging import adjudicate, judge
from otherwords.simulate.people import CURATOR, dismiss, locked_password, names, seat
from otherwords.simulate.serving import served
from otherwords.simulate.team import Progress, Team
from otherwords.simulate.wishes import Wishes, check_bias
from otherwords.web.client import Client
from otherwords.web.site import DEFAULT_SCHEME

Begin = Callable[[str, int], None]  # what comes now, and how much of it waits


@dataclass(frozen=True, slots=True)
class Simulated:
    """What the made-up people did, and what still waits for people."""

    people: list[str]
    done: dict[str, int]
    left: dict[str, int]


def simulate(
    project: Project,
    wishes: Wishes | None = None,
    *,
    begin: Begin = lambda task, waiting: None,
    progress: Progress = lambda task, done: None,
) -> Simulated:
    """Do what waits for people in a project, as far as the wishes go."""
    wishes = wishes or Wishes()
    people, password = names(wishes.people), locked_password()
    with project.ledger.writing() as connection:
        _check(connection, project, wishes)
        mark_simulated(connection)
        tokens = seat(connection, people, password)
        begun = connection.execute(select(func.max(schema.judgements.c.seq))).scalar() or 0
    with contextlib.ExitStack() as open_things:
        open_things.callback(_dismiss, project)
        address = open_things.enter_context(served(project.folder))
        clients = {name: open_things.enter_context(Client(address, token)) for name, token in tokens.items()}
        curator = clients.pop(CURATOR)
        team = Team(clients, curator, wishes, lambda name: scheme(name, project.folder), begun, Counter(), progress)
        for task in wishes.tasks:
            begin(task, left(project, task, wishes))
            _do(team, project, task)
    return Simulated(people, dict(team.counts), {task: left(project, task, wishes) for task in WAITING})


def _do(team: Team, project: Project, task: str) -> None:
    if task == "triage":
        triage(team)
    elif task == "extract":
        extract(team)
    else:
        for of in _batches(project, team.wishes):
            if task == "judge" and of.state == "open":
                judge(team, of)
            elif task == "adjudicate" and of.asked > 1:
                adjudicate(team, of)


def left(project: Project, task: str, wishes: Wishes) -> int:
    """How much of a task waits for people."""
    chosen = [of.id for of in _batches(project, wishes)]
    with project.ledger.reading() as connection:
        return WAITING[task][0](connection, project, chosen)[0]


def _batches(project: Project, wishes: Wishes) -> list[Batch]:
    with project.ledger.reading() as connection:
        return [of for of in batches(connection) if not wishes.batches or of.id in wishes.batches]


def _check(connection: Connection, project: Project, wishes: Wishes) -> None:
    """Refuse wishes that name what is not there."""
    for name in wishes.batches:
        batch(connection, name)
    known = {of.scheme for of in batches(connection)} | {project.config.scheme or DEFAULT_SCHEME}
    schemes: list[Scheme] = [scheme(name, project.folder) for name in sorted(known)]
    check_bias(wishes.bias, schemes)


def _dismiss(project: Project) -> None:
    with project.ledger.writing() as connection:
        dismiss(connection)
