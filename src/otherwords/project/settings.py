"""Parameters that were changed with ``--set``: they hold for later runs in the project, until they are set otherwise.

A run that forgot one would take its step for changed, do it again, and people's work on the earlier result would wait
for nobody. So each is kept by its address, ``articles.low``, in the audit trail; the latest entry holds them all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, desc, insert, select

from otherwords.errors import UsageError
from otherwords.project import schema
from otherwords.project.project import now
from otherwords.project.recipe import Step
from otherwords.project.work import WORKS

ACTION = "parameters set"
Settings = dict[str, Any]
_one = schema.events


def kept(connection: Connection) -> Settings:
    """What was set in a project and still holds, by address."""
    latest = select(_one.c.detail).where(_one.c.action == ACTION).order_by(desc(_one.c.seq)).limit(1)
    found = connection.execute(latest).scalar()
    return dict(found["set"]) if found else {}


def keep(connection: Connection, settings: Settings) -> None:
    """Let these hold from now on, and no others."""
    row = {"time": now(), "actor": None, "action": ACTION, "detail": {"set": settings}}
    connection.execute(insert(_one).values(**row))


def fitting(settings: Mapping[str, Any], steps: Collection[Step]) -> Settings:
    """Those of them that are about these steps: another recipe may have others."""
    known = {f"{step.name}.{parameter}" for step in steps for parameter in WORKS.get(step.does).parameters}
    return {address: value for address, value in settings.items() if address in known}


def without(settings: Mapping[str, Any], taken_back: Collection[str]) -> Settings:
    """The same but for those that are taken back; one that was never set is an error."""
    for address in taken_back:
        if address not in settings:
            told = ", ".join(settings) or "nothing"
            raise UsageError(f"--set {address}= takes back what was set before; that is {told}")
    return {address: value for address, value in settings.items() if address not in taken_back}
