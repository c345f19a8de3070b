"""Recipes: a TOML file of named steps with parameters, checked before anything is run.

    [[step]]
    name = "articles"
    do = "align-news"
    low = 0.3

    [[step]]
    name = "split"
    do = "split"
    from = { labels = "label" }

A step comes after the imports of its recipe, after the steps whose datasets it reads (``from``) and after those it
names under ``after``; with ``in_order = true`` at the top, every step comes after the one above it. A step that is
``optional`` is passed over, with the reason, where there is nothing for it to work on, where the data do not allow it
or a package that it needs is not installed; so are optional steps that read what it would have made. One that is
``like`` another, which stands above it, has the parameters of that one but for its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, desc, insert, select

from otherwords.errors import RecipeError, UsageError
from otherwords.project.ledger import schema
from otherwords.project.pipeline.kind import Step
from otherwords.project.project import now
from otherwords.registry import suggest
from otherwords.sources.io.toml import parse_toml
from otherwords.steps.catalogue import STEP_KINDS

SHIPPED = Path(__file__).parent.parent / "recipes"
ACTION = "parameters set"
Settings = dict[str, object]
events = schema.events


class _StepTable(msgspec.Struct, frozen=True):
    """The keys of a step that are not parameters of its kind."""

    name: str
    do: str
    inputs: dict[str, str] = msgspec.field(name="from", default_factory=dict)
    after: list[str] = []
    optional: bool = False
    like: str = ""


KEYS = tuple(field.encode_name for field in msgspec.structs.fields(_StepTable))


def find_recipe(name: str) -> Path:
    """A recipe by its path, or one of those that ship by its name."""
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return path
    shipped = SHIPPED / f"{name}.toml"
    if shipped.is_file():
        return shipped
    known = sorted(file.stem for file in SHIPPED.glob("*.toml"))
    raise RecipeError(f"no recipe {name!r}{suggest(name, known)}", code="no-such-recipe")


def read_recipe(path: Path) -> list[Step]:
    """The steps of a recipe in the order in which they are to be run."""
    try:
        content = parse_toml(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise RecipeError(f"{path}: {problem.strerror}", code="recipe-unreadable") from None
    except ValueError as problem:
        raise RecipeError(f"{path}: cannot be read: {problem}", code="recipe-unreadable") from None
    rows, in_order = content.get("step", []), content.get("in_order", False) is True
    if not isinstance(rows, list) or not rows:
        message = f"{path}: no steps; write at least one [[step]] with a name and what to do"
        raise RecipeError(message, code="empty-recipe")
    steps: dict[str, Step] = {}
    for number, row in enumerate(rows, 1):
        step = _step(path, number, row, steps)
        if step.name in steps:
            raise RecipeError(f"{path}: two steps are called {step.name!r}", code="duplicate-step")
        steps[step.name] = step
    return list(steps.values()) if in_order else _ordered(path, steps)


def with_settings(steps: list[Step], settings: Mapping[str, Any], before: Collection[str] = ()) -> list[Step]:
    """The same steps with some parameters changed: ``{"articles.low": 0.3}``; steps like it follow.

    All changes of a step are made at once: some parameters make sense only together. If they do not, the message says
    which of them were set ``before``, and how they are taken back.
    """
    changed = {step.name: step for step in steps}
    values: dict[str, dict[str, Any]] = {}
    for address, value in settings.items():
        name, dot, parameter = address.partition(".")
        if not dot or name not in changed:
            message = f"--set {address}: write STEP.PARAMETER=VALUE; the steps are {', '.join(changed)}"
            if dot:
                message = f"--set {address}: there is no step {name!r}{suggest(name, list(changed))}"
            raise UsageError(message, code="no-such-step")
        followers = [step.name for step in steps if step.like == name and parameter not in step.own]
        for target in [name, *(other for other in followers if f"{other}.{parameter}" not in settings)]:
            values.setdefault(target, {})[parameter] = value
    for name, chosen in values.items():
        step = changed[name]
        try:
            parameters = step.kind.decode({**step.as_json(), **chosen})
        except RecipeError as problem:
            still = [address for address in before if address.startswith(f"{name}.")]
            way_out = f"; to take back what was set before: {' '.join(f'--set {it}=' for it in still)}" if still else ""
            raise RecipeError(f"step {name!r}: {problem}{way_out}", code=problem.code) from None
        changed[name] = replace(step, parameters=parameters)
    complete: dict[str, Step] = {}  # every step comes after those that it reads, which may read changed ones
    for step in changed.values():
        inputs = {name: complete[producer.name] for name, producer in step.inputs.items()}
        complete[step.name] = replace(step, inputs=inputs)
    return list(complete.values())


def _step(path: Path, number: int, row: Any, above: Mapping[str, Step]) -> Step:
    if not isinstance(row, dict):
        message = f"{path}: step {number} is not a table; write [[step]] above its lines"
        raise RecipeError(message, code="bad-step")
    try:
        table = msgspec.convert({key: value for key, value in row.items() if key in KEYS}, _StepTable)
    except msgspec.ValidationError as problem:
        message = f"{path}: step {row.get('name', number)!r}: {problem}; a step has a name and do, and may have after"
        raise RecipeError(message, code="bad-step") from None
    name = table.name
    if not name.replace("-", "").replace("_", "").isalnum():
        message = f"{path}: step {number} needs a name of letters, digits, - and _"
        raise RecipeError(message, code="bad-step")
    if table.do not in STEP_KINDS:
        message = f"{path}: step {name!r}: do = {table.do!r}{suggest(table.do, STEP_KINDS.names())}"
        raise RecipeError(message, code="unknown-step-kind")
    kind = STEP_KINDS.get(table.do)
    if table.like and (table.like not in above or above[table.like].kind is not kind):
        message = f"{path}: step {name!r}: like = {table.like!r}: name a step of the same kind above it"
        raise RecipeError(message, code="bad-step")
    own = {key: value for key, value in row.items() if key not in KEYS}
    try:
        parameters = kind.decode({**(above[table.like].as_json() if table.like else {}), **own})
    except RecipeError as problem:
        raise RecipeError(f"{path}: step {name!r}: {problem}", code=problem.code) from None
    for known, source in table.inputs.items():
        if source not in above:
            message = f"{path}: step {name!r}: from = {{ {known} = {source!r} }}: name a step above it"
            raise RecipeError(message, code="unknown-input")
    inputs = {known: above[source] for known, source in table.inputs.items()}
    if unknown := [known for known in inputs if known not in kind.inputs]:
        message = f"{path}: step {name!r}: {kind.name} reads no {unknown[0]!r}{suggest(unknown[0], list(kind.inputs))}"
        raise RecipeError(message, code="unknown-input")
    return Step(name, kind, parameters, inputs, tuple(table.after), table.optional, table.like, frozenset(own))


def _ordered(path: Path, steps: dict[str, Step]) -> list[Step]:
    imports = [step.name for step in steps.values() if step.kind.name == "import"]
    graph: dict[str, list[str]] = {}
    for step in steps.values():
        for other in step.after:
            if other not in steps:
                message = f"{path}: step {step.name!r} comes after {other!r}, which is no step of this recipe"
                raise RecipeError(message, code="bad-step")
        producers = [producer.name for producer in step.inputs.values()]
        graph[step.name] = [*step.after, *producers, *(imports if step.kind.name != "import" else [])]
    try:
        return [steps[name] for name in TopologicalSorter(graph).static_order()]
    except CycleError as problem:
        message = f"{path}: steps wait for each other: {' → '.join(problem.args[1])}"
        raise RecipeError(message, code="steps-in-a-circle") from None


def kept_settings(connection: Connection) -> Settings:
    """What was set in a project and still holds, by address."""
    latest = select(events.c.detail).where(events.c.action == ACTION).order_by(desc(events.c.seq)).limit(1)
    detail = connection.execute(latest).scalar()
    return dict(detail["set"]) if detail else {}


def keep_settings(connection: Connection, settings: Settings) -> None:
    """Let these hold from now on, and no others."""
    row = {"time": now(), "actor": None, "action": ACTION, "detail": {"set": settings}}
    connection.execute(insert(events).values(**row))


def settings_of(settings: Mapping[str, Any], steps: Collection[Step]) -> Settings:
    """Those that are about these steps: another recipe may have others."""
    known = {f"{step.name}.{parameter}" for step in steps for parameter in step.as_json()}
    return {address: value for address, value in settings.items() if address in known}


def without_settings(settings: Mapping[str, Any], dropped: Collection[str]) -> Settings:
    """The same without those that are taken back; one that was never set is an error."""
    for address in dropped:
        if address not in settings:
            known = ", ".join(settings) or "nothing"
            message = f"--set {address}= takes back what was set before, which is {known}"
            raise UsageError(message, code="setting-not-set")
    return {address: value for address, value in settings.items() if address not in dropped}
