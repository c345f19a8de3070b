"""What is in a project, what is being done with it, and what is stale."""

from __future__ import annotations

import contextlib
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, select, true

from otherwords.errors import OtherwordsError, RecipeError
from otherwords.project import schema
from otherwords.project.lock import holder, is_held
from otherwords.project.project import Project
from otherwords.project.recipe import Step, read_recipe
from otherwords.project.rows import PRESENT
from otherwords.project.run import plan
from otherwords.project.settings import kept
from otherwords.project.work import WORKS

RECIPE = "recipe.toml"
REPLACED = "replaced"  # an import that was stopped, where the file came in later

COUNTED = (schema.documents, schema.document_pairs, schema.pairs, schema.judgements, schema.tombstones)


def status(project: Project) -> dict[str, Any]:
    """Everything that ``otherwords status`` shows."""
    with project.ledger.reading() as connection:
        told: dict[str, Any] = {
            "project": project.config.name,
            "lang": project.config.lang,
            "scheme": project.config.scheme,
            "ledger": project.ledger.display_url,
            "counts": {one.name: _count(connection, one) for one in COUNTED},
            "sources": _by(connection, schema.documents, "source"),
            "document_pairs": _by(connection, schema.document_pairs, "method", "status"),
            "pairs": _by(connection, schema.pairs, "method"),
            "imports": _imports(connection),
            "settings": kept(connection),
        }
        steps = [dict(row) for row in _latest(connection)]
    told["steps"] = _steps(project, steps)
    told["working"] = holder(project.folder) if is_held(project.folder) else None
    return told


def _shown(table: Table) -> ColumnElement[bool]:
    """Pairs that were taken back are there, and nobody is told of them."""
    return PRESENT if table is schema.pairs else true()


def _count(connection: Connection, table: Table) -> int | None:
    return connection.execute(select(func.count()).select_from(table).where(_shown(table))).scalar()


def _by(connection: Connection, table: Table, *columns: str) -> list[dict[str, Any]]:
    grouped = [table.c[name] for name in columns]
    counted = select(*grouped, func.count().label("rows")).where(_shown(table))
    statement = counted.group_by(*grouped).order_by(*grouped)
    return [dict(row) for row in connection.execute(statement).mappings()]


def _imports(connection: Connection) -> list[dict[str, Any]]:
    one = schema.imports
    rows = list(connection.execute(select(one).order_by(one.c.started)).mappings())
    shown = ("kind", "path", "state", "counts")
    found = [{name: row[name] for name in shown} for row in rows]
    return [
        told | ({"state": REPLACED} if _is_replaced(row, rows) else {}) for told, row in zip(found, rows, strict=True)
    ]


def _is_replaced(row: Any, others: list[Any]) -> bool:
    """Whether an import that did not come to its end was followed by one of the same file, or place, that did."""
    return row["state"] != "done" and any(
        other["state"] == "done"
        and other["kind"] == row["kind"]
        and (other["path"] == row["path"] or other["sha256"] == row["sha256"])
        and other["finished"] >= row["started"]
        for other in others
    )


def _latest(connection: Connection) -> list[Any]:
    """The last run of every step that there ever was, in the order in which they were first run.

    One that failed counts only where none was good.
    """
    one = schema.steps
    last = func.coalesce(func.max(one.c.seq).filter(one.c.state != "failed"), func.max(one.c.seq))
    runs = select(last.label("last"), func.min(one.c.seq).label("first")).group_by(one.c.name).subquery()
    return list(connection.execute(select(one).join(runs, runs.c.last == one.c.seq).order_by(runs.c.first)).mappings())


def own_steps(project: Project) -> list[Step]:
    """The steps of the project's own recipe, or where it has none those that were ever run, the first one first."""
    recipe = project.folder / RECIPE
    if recipe.is_file():
        return read_recipe(recipe)
    with project.ledger.reading() as connection:
        rows = [dict(row) for row in _latest(connection)]
    if not rows:
        raise RecipeError(f"{project.folder}: no step was ever run; name a recipe with --recipe, or write {recipe}")
    return [_as_step(row) for row in rows]


def _as_step(row: dict[str, Any]) -> Step:
    """The step of a row; what its kind has learnt since is at its default."""
    return Step(row["name"], row["does"], WORKS.get(row["does"]).checked(row["parameters"]))


def _steps(project: Project, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps in the order of the project's recipe, and those that are not in it as they were first run."""
    recipe = _recipe(project, rows)
    places = {step.name: place for place, step in enumerate(recipe)}
    return [_step(project, row, recipe) for row in sorted(rows, key=lambda row: places.get(row["name"], len(places)))]


def _recipe(project: Project, rows: list[dict[str, Any]]) -> list[Step]:
    """The project's own recipe, or the steps that were run; one that cannot be read says nothing about their order."""
    with contextlib.suppress(OtherwordsError):
        return read_recipe(project.folder / RECIPE)
    steps = []
    for row in rows:
        with contextlib.suppress(OtherwordsError):
            steps.append(_as_step(row))
    return steps


def _step(project: Project, row: dict[str, Any], recipe: list[Step]) -> dict[str, Any]:
    try:
        planned = plan(project, _as_step(row), recipe)
        state, why = planned.state, planned.why
    except OtherwordsError as problem:  # a file that was imported and then moved away, a plug-in that is gone
        state, why = "unknown", str(problem)
    return {
        "name": row["name"],
        "does": row["does"],
        "state": "running" if row["state"] == "running" and is_held(project.folder) else state,
        "why": why,
        "rows": row["rows_out"],
        "finished": row["finished"],
    }
