"""What has to be in a project before a recipe begins; who forgot it is told how to bring it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select

from otherwords.errors import DataError
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.rows import PRESENT
from otherwords.project.work import Result, Running, Work

KINDS = {"translations": "groups", "answers": "groups"}  # by which kind of import some sources come


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    documents, pairs = schema.documents, schema.pairs
    with project.ledger.reading() as connection:
        fit = documents.c.source.in_(parameters["sources"])
        found = connection.execute(select(documents.c.source, func.count()).where(fit).group_by(documents.c.source))
        told = {source: int(count) for source, count in found.all()}
        there = connection.execute(select(func.count()).select_from(pairs).where(PRESENT)).scalar_one()
    return {"documents": told, "rows": sum(told.values()) if parameters["sources"] else there}


def _check(running: Running) -> Result:
    folder, sources = running.project.folder, running.parameters["sources"]
    told = _inputs(running.project, running.parameters)
    if told["rows"]:
        return Result(rows_in=told["rows"], rows_out=told["rows"], counts=told["documents"])
    kinds = dict.fromkeys(KINDS.get(source, source) for source in sources)
    lines = " or ".join(f"otherwords import {folder} {kind} PATH" for kind in kinds or ["pairs"])
    raise DataError(f"there is nothing to begin with; bring it with {lines}", folder)


NEED = Work(name="need", version=1, parameters={"sources": []}, inputs=_inputs, run=_check)
