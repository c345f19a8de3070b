"""What is in a project, what is being done with it, and what is stale."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, desc, func, select, true

from otherwords.errors import OtherwordsError, RecipeError
from otherwords.project import schema
from otherwords.project.lock import holder, is_held
from otherwords.project.project import Project
from otherwords.project.recipe import Step, read_recipe
from otherwords.project.rows import PRESENT
from otherwords.project.run import plan
from otherwords.project.work import WORKS

RECIPE = "recipe.toml"

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
        }
        steps = [dict(row) for row in _latest(connection)]
    told["steps"] = [_step(project, row) for row in steps]
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
    rows = connection.execute(select(one.c.kind, one.c.path, one.c.state, one.c.counts).order_by(one.c.started))
    return [dict(row) for row in rows.mappings()]


def _latest(connection: Connection) -> list[Any]:
    """The last run of every step that there ever was."""
    one = schema.steps
    newest = select(func.max(one.c.seq)).group_by(one.c.name)
    return list(connection.execute(select(one).where(one.c.seq.in_(newest)).order_by(desc(one.c.seq))).mappings())


def own_steps(project: Project) -> list[Step]:
    """The steps of the project's own recipe, or where it has none those that were ever run, the first one first."""
    recipe = project.folder / RECIPE
    if recipe.is_file():
        return read_recipe(recipe)
    with project.ledger.reading() as connection:
        rows = [dict(row) for row in _latest(connection)]
    if not rows:
        raise RecipeError(f"{project.folder}: no step was ever run; name a recipe with --recipe, or write {recipe}")
    return [_as_step(row) for row in reversed(rows)]


def _as_step(row: dict[str, Any]) -> Step:
    """The step of a row; what its kind has learnt since is at its default."""
    return Step(row["name"], row["does"], WORKS.get(row["does"]).checked(row["parameters"]))


def _step(project: Project, row: dict[str, Any]) -> dict[str, Any]:
    try:
        planned = plan(project, _as_step(row))
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
