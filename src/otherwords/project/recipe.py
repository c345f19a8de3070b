"""Recipes: a TOML file of named steps with parameters, checked before anything is run.

    [[step]]
    name = "articles"
    do = "align-news"
    low = 0.3

A step comes after the imports of its recipe and after the steps it names under ``after``; with ``in_order = true`` at
the top, every step comes after the one above it. A step that is ``optional`` is passed over where there is nothing for
it to work on. One that is ``like`` another, which stands above it, has the parameters of that one but for its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from otherwords.errors import RecipeError, UsageError
from otherwords.project.work import WORKS
from otherwords.registry import suggest
from otherwords.sources.toml import parse_toml

SHIPPED = Path(__file__).parent.parent / "recipes"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a recipe, its parameters complete."""

    name: str
    does: str
    parameters: dict[str, Any]
    after: tuple[str, ...] = ()
    optional: bool = False
    like: str = ""  # the step whose parameters it has, but for its own
    own: frozenset[str] = frozenset()


def find_recipe(name: str) -> Path:
    """A recipe by its path, or one of those that ship by its name."""
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return path
    shipped = SHIPPED / f"{name}.toml"
    if shipped.is_file():
        return shipped
    known = sorted(file.stem for file in SHIPPED.glob("*.toml"))
    hint = suggest(name, known) if known else "; give the path of a TOML file"
    raise RecipeError(f"no recipe {name!r}{hint}")


def read_recipe(path: Path) -> list[Step]:
    """The steps of a recipe in the order in which they are to be run."""
    try:
        told = parse_toml(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise RecipeError(f"{path}: {problem.strerror}") from None
    except ValueError as problem:
        raise RecipeError(f"{path}: cannot be read: {problem}") from None
    listed, in_order = told.get("step", []), told.get("in_order", False) is True
    if not isinstance(listed, list) or not listed:
        raise RecipeError(f"{path}: no steps; write at least one [[step]] with a name and what to do")
    steps: dict[str, Step] = {}
    for number, row in enumerate(listed, 1):
        step = _step(path, number, row, steps)
        if step.name in steps:
            raise RecipeError(f"{path}: two steps are called {step.name!r}")
        steps[step.name] = step
    return list(steps.values()) if in_order else _ordered(path, steps)


def with_settings(steps: list[Step], settings: Mapping[str, Any]) -> list[Step]:
    """The same steps with some parameters changed: ``{"articles.low": 0.3}``; steps like it follow."""
    changed = {step.name: step for step in steps}
    for address, value in settings.items():
        name, dot, parameter = address.partition(".")
        if not dot or name not in changed:
            raise UsageError(f"--set {address}: write STEP.PARAMETER=VALUE; the steps are {', '.join(changed)}")
        followers = [step.name for step in steps if step.like == name and parameter not in step.own]
        for one in [name, *(other for other in followers if f"{other}.{parameter}" not in settings)]:
            step = changed[one]
            work = WORKS.get(step.does)
            given = {**step.parameters, parameter: work.as_typed(parameter, value)}
            changed[one] = replace(step, parameters=work.checked(given))
    return list(changed.values())


def _step(path: Path, number: int, row: Any, above: Mapping[str, Step]) -> Step:
    if not isinstance(row, dict):
        raise RecipeError(f"{path}: step {number} is not a table; write [[step]] above its lines")
    given = dict(row)
    name, does, after = given.pop("name", None), given.pop("do", None), given.pop("after", [])
    optional, like = given.pop("optional", False) is True, given.pop("like", "")
    if not isinstance(name, str) or not name.replace("-", "").replace("_", "").isalnum():
        raise RecipeError(f"{path}: step {number} needs a name of letters, digits, - and _")
    if not isinstance(does, str) or does not in WORKS:
        raise RecipeError(f"{path}: step {name!r}: do = {does!r}{suggest(str(does), list(WORKS))}")
    if not isinstance(after, list) or not all(isinstance(other, str) for other in after):
        raise RecipeError(f"{path}: step {name!r}: after is a list of step names")
    if like != "" and (not isinstance(like, str) or like not in above or above[like].does != does):
        raise RecipeError(f"{path}: step {name!r}: like = {like!r}: it is a step above it that does the same")
    try:
        parameters = WORKS.get(does).checked({**(above[like].parameters if like else {}), **given})
    except RecipeError as problem:
        raise RecipeError(f"{path}: step {name!r}: {problem}") from None
    return Step(name, does, parameters, tuple(after), optional, like, frozenset(given))


def _ordered(path: Path, steps: dict[str, Step]) -> list[Step]:
    imports = [step.name for step in steps.values() if step.does == "import"]
    graph: dict[str, list[str]] = {}
    for step in steps.values():
        for other in step.after:
            if other not in steps:
                raise RecipeError(f"{path}: step {step.name!r} comes after {other!r}, which is no step of this recipe")
        graph[step.name] = [*step.after, *(imports if step.does != "import" else [])]
    try:
        return [steps[name] for name in TopologicalSorter(graph).static_order()]
    except CycleError as problem:
        raise RecipeError(f"{path}: steps wait for each other: {' → '.join(problem.args[1])}") from None
