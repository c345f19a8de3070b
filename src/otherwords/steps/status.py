"""The status of a project: what is in it, what is being done with it, and what is stale."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TypedDict

import msgspec
from sqlalchemy import ColumnElement, Connection, RowMapping, Table, func, select, true

from otherwords.errors import OtherwordsError, RecipeError
from otherwords.project.answer_cache import cached_models, spent_on_models
from otherwords.project.importing.earlier_imports import REPLACED
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.project.lock import holder, is_held
from otherwords.project.pipeline.kind import Step
from otherwords.project.pipeline.plan import plan
from otherwords.project.project import RECIPE, Project
from otherwords.steps.catalogue import STEP_KINDS
from otherwords.steps.known_recipes import chosen_recipe, recipe_path
from otherwords.steps.recipe import Settings, kept_settings, read_recipe

ONLY_IN_RECIPES = ("need", "people")  # kinds of steps
COUNTED = (schema.documents, schema.document_pairs, schema.pairs, schema.judgements, schema.tombstones)


class StepStatus(TypedDict):
    """A step as it was last run, and whether it is still up to date."""

    name: str
    kind: str
    state: str
    why: str | None
    rows: int | None
    finished: str | None


class ProjectStatus(TypedDict):
    """Everything that ``otherwords status`` shows."""

    project: str
    lang: str | None
    scheme: str | None
    ledger: str
    counts: dict[str, int]
    sources: list[dict[str, object]]
    document_pairs: list[dict[str, object]]
    pairs: list[dict[str, object]]
    imports: list[dict[str, object]]
    settings: Settings
    steps: list[StepStatus]
    other_steps: list[StepStatus]  # that never ended well, of a recipe that is not the project's
    cache: list[dict[str, object]]
    spending: list[dict[str, object]]
    working: object


def status(project: Project) -> ProjectStatus:
    """What is in a project, what is running, and its steps in the order of its recipe."""
    with project.ledger.reading() as connection:
        counted = {table.name: select(func.count()).select_from(table).where(_shown(table)) for table in COUNTED}
        overview: ProjectStatus = {
            "project": project.config.name,
            "lang": project.config.lang,
            "scheme": project.config.scheme,
            "ledger": project.ledger.display_url,
            "counts": {name: connection.execute(statement).scalar_one() for name, statement in counted.items()},
            "sources": _by(connection, schema.documents, "source"),
            "document_pairs": _by(connection, schema.document_pairs, "method", "status"),
            "pairs": _by(connection, schema.pairs, "method"),
            "imports": _imports(connection),
            "settings": kept_settings(connection),
            "steps": [],
            "other_steps": [],
            "cache": [],
            "spending": [],
            "working": None,
        }
        rows = _latest(connection)
    recipe = _recipe(project, rows)
    places = {step.name: place for place, step in enumerate(recipe)}  # others come last, as they were first run
    ordered = sorted(rows, key=lambda row: places.get(row["name"], len(places)))
    own = _own_names(project)
    for row in ordered:
        place = overview["other_steps"] if _is_left_over(row, own) else overview["steps"]
        place.append(_step(project, row, recipe))
    overview["cache"] = [
        {"model": model.signature, "rows": model.answers, "bytes": model.bytes} for model in cached_models(project)
    ]
    overview["spending"] = [msgspec.structs.asdict(row) for row in spent_on_models(project)]
    overview["working"] = holder(project.folder) if is_held(project.folder) else None
    return overview


def _shown(table: Table) -> ColumnElement[bool]:
    """Pairs that were taken back stay in the ledger and are not shown."""
    return PRESENT if table is schema.pairs else true()


def _by(connection: Connection, table: Table, *columns: str) -> list[dict[str, object]]:
    """How many rows of a table have each combination of values."""
    grouped = [table.c[name] for name in columns]
    counted = select(*grouped, func.count().label("rows")).where(_shown(table))
    statement = counted.group_by(*grouped).order_by(*grouped)
    return [dict(row) for row in connection.execute(statement).mappings()]


def _imports(connection: Connection) -> list[dict[str, object]]:
    """The imports, the first one first.

    One that did not come to its end is replaced by a later one of the same file, or place, that did.
    """
    table = schema.imports
    rows = connection.execute(select(table).order_by(table.c.started)).mappings().all()
    imports: list[dict[str, object]] = []
    for row in rows:
        replaced = row["state"] != "done" and any(
            other["state"] == "done"
            and other["kind"] == row["kind"]
            and (other["path"] == row["path"] or other["sha256"] == row["sha256"])
            and other["finished"] >= row["started"]
            for other in rows
        )
        state = REPLACED if replaced else row["state"]
        imports.append({"kind": row["kind"], "path": row["path"], "state": state, "counts": row["counts"]})
    return imports


def _latest(connection: Connection) -> Sequence[RowMapping]:
    """The last run of every step that there ever was, in the order in which they were first run.

    One that failed counts only where none was good.
    """
    steps = schema.steps
    last = func.coalesce(func.max(steps.c.seq).filter(steps.c.state != "failed"), func.max(steps.c.seq))
    runs = select(last.label("last"), func.min(steps.c.seq).label("first")).group_by(steps.c.name).subquery()
    statement = select(steps).join(runs, runs.c.last == steps.c.seq).order_by(runs.c.first)
    return connection.execute(statement).mappings().all()


def own_steps(project: Project) -> list[Step]:
    """The steps of the project's own recipe, or where it has none those that were ever run, the first one first."""
    recipe = project.folder / RECIPE
    if recipe.is_file():
        return read_recipe(recipe)
    with project.ledger.reading() as connection:
        rows = _latest(connection)
    if not rows:
        raise RecipeError(
            f"{project.folder}: no step was ever run; name a recipe with --recipe, or write {recipe}", code="no-steps"
        )
    return [_as_step(row) for row in rows]


def _as_step(row: RowMapping) -> Step:
    """The step of a row; parameters that its kind got since have their defaults."""
    kind = STEP_KINDS.get(row["kind"])
    return Step(row["name"], kind, kind.decode(row["parameters"]))


def _recipe(project: Project, rows: Sequence[RowMapping]) -> list[Step]:
    """The project's own recipe, or the steps that were run; one that cannot be read says nothing about their order."""
    with contextlib.suppress(OtherwordsError):
        return read_recipe(project.folder / RECIPE)
    steps = []
    for row in rows:
        with contextlib.suppress(OtherwordsError):
            steps.append(_as_step(row))
    return steps


def _own_names(project: Project) -> set[str] | None:
    """The names of the steps of the project's recipe; None where it has none, or none that can be read."""
    chosen = chosen_recipe(project)
    if chosen is not None:
        with contextlib.suppress(OtherwordsError):
            return {step.name for step in read_recipe(recipe_path(project.folder, chosen))}
    return None


def _is_left_over(row: RowMapping, own: set[str] | None) -> bool:
    """Whether a step was left behind by a recipe that is not the project's.

    Where the project has no recipe, steps that commands run stay in sight, even those that failed.
    """
    if own is None:
        return row["state"] == "failed" and row["kind"] in ONLY_IN_RECIPES
    return row["state"] in ("failed", "waiting") and row["name"] not in own


def _step(project: Project, row: RowMapping, recipe: list[Step]) -> StepStatus:
    try:
        planned = plan(project, _as_step(row), recipe)
        state, why = planned.state, planned.why
    except OtherwordsError as problem:  # a file that was imported and then moved away, a plug-in that is gone
        state, why = "unknown", str(problem)
    return {
        "name": row["name"],
        "kind": row["kind"],
        "state": "running" if row["state"] == "running" and is_held(project.folder) else state,
        "why": why,
        "rows": row["rows_out"],
        "finished": row["finished"],
    }
