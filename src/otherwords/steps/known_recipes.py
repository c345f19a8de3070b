"""The recipes that a project can run: those that ship, its own, and the one that was run last."""

from __future__ import annotations

import contextlib
import itertools
import re
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, desc, insert, select

from otherwords.errors import OtherwordsError
from otherwords.project.ledger import schema
from otherwords.project.pipeline.kind import Step
from otherwords.project.project import RECIPE, Project, now
from otherwords.steps.recipe import SHIPPED, read_recipe

ACTION = "recipe run"
SENTENCE_END = re.compile(r"(?<=[.?])\s+(?=[A-Z-])")
events = schema.events


@dataclass(frozen=True, slots=True)
class ShippedRecipe:
    """A recipe that ships: what it makes, and what a project must have before it can be run.

    ``sources`` are kinds of documents of which one is enough; without any it begins with pairs.
    """

    name: str
    about: str
    sources: tuple[str, ...]


def shipped_recipes() -> list[ShippedRecipe]:
    """All recipes that ship, by name."""
    recipes = []
    for path in sorted(SHIPPED.glob("*.toml")):
        needs = next((step for step in read_recipe(path) if step.kind.name == "need"), None)
        sources = tuple(getattr(needs.parameters, "sources", ())) if needs is not None else ()
        recipes.append(ShippedRecipe(path.stem, about_recipe(path), sources))
    return recipes


def about_recipe(path: Path) -> str:
    """The first sentence of the comment at the top of a recipe; empty if there is none."""
    lines = path.read_text(encoding="utf-8").lstrip().splitlines()
    comment = itertools.takewhile(lambda line: line.startswith("#"), lines)
    return SENTENCE_END.split(" ".join(line.lstrip("# ").rstrip() for line in comment), maxsplit=1)[0]


def kept_recipe(connection: Connection) -> str | None:
    """The recipe that was run last: the name of one that ships, or a path; None if none was."""
    latest = select(events.c.detail).where(events.c.action == ACTION).order_by(desc(events.c.seq)).limit(1)
    detail = connection.execute(latest).scalar()
    return str(detail["recipe"]) if detail else None


def chosen_recipe(project: Project) -> str | None:
    """The recipe that was run last, or the project's own, or none."""
    with project.ledger.reading() as connection:
        kept = kept_recipe(connection)
    if kept is not None:
        return kept
    return RECIPE if (project.folder / RECIPE).is_file() else None


def keep_recipe(connection: Connection, folder: Path, path: Path) -> None:
    """Note which recipe is run in the project of a folder, unless it is the one of before."""
    absolute, home = path.resolve(), folder.resolve()
    if absolute.parent == SHIPPED.resolve():
        name = path.stem
    else:  # a project may be moved, and takes what is in its folder with it
        name = str(absolute.relative_to(home) if absolute.is_relative_to(home) else absolute)
    if name != kept_recipe(connection):
        row = {"time": now(), "actor": None, "action": ACTION, "detail": {"recipe": name}}
        connection.execute(insert(events).values(**row))


def recipe_path(folder: Path, name: str) -> Path:
    """Where the recipe is that :func:`kept_recipe` names."""
    shipped = SHIPPED / f"{name}.toml"
    return shipped if Path(name).name == name and shipped.is_file() else folder / name


def steps_alike(project: Project, step: Step) -> tuple[str, ...]:
    """The steps of the project's recipe that are of the same kind and, where there are rounds, of the same round."""
    chosen = chosen_recipe(project)
    if chosen is None:
        return ()
    with contextlib.suppress(OtherwordsError):  # a recipe that is gone
        steps = read_recipe(recipe_path(project.folder, chosen))
        rounds = [getattr(other.parameters, "round", None) for other in (step, *steps)]
        return tuple(
            other.name
            for other, number in zip(steps, rounds[1:], strict=True)
            if other.kind.name == step.kind.name and number == rounds[0]
        )
    return ()
