"""One step of a recipe: its name, its kind, its parameters, and the steps whose datasets it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from otherwords.project.pipeline.kind import StepKind
from otherwords.project.pipeline.parameters import Parameters
from otherwords.project.project import Project


@dataclass(frozen=True, slots=True)
class Step:
    """A step, its parameters complete."""

    name: str
    kind: StepKind[Any]
    parameters: Parameters
    inputs: Mapping[str, Step] = field(default_factory=dict)  # as a recipe names them; the kind knows the others
    after: tuple[str, ...] = ()
    optional: bool = False
    like: str = ""  # the step whose parameters it has, but for its own
    own: frozenset[str] = frozenset()

    def producers(self, project: Project) -> dict[str, Step]:
        """The steps that write what this one reads, by the name that it knows them by."""
        named = {name: place.default for name, place in self.kind.inputs.items() if name not in self.inputs}
        return {**self.inputs, **{name: default(project, self.parameters) for name, default in named.items()}}

    def as_json(self) -> dict[str, object]:
        """The parameters as the ledger has them."""
        return msgspec.json.decode(msgspec.json.encode(self.parameters), type=dict[str, object])


def make_step(kind: StepKind[Any], name: str | None = None, /, **parameters: Any) -> Step:
    """A step outside of a recipe; it is called like its kind where it has no name of its own."""
    return Step(name or kind.name, kind, kind.decode(parameters))
