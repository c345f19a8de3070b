"""Kinds of steps: which parameters each knows, what it reads, and how it is done; and steps, which are of a kind.

A kind is given a :class:`StepContext` and returns a :class:`StepResult`. It writes at most one dataset, and hands over
what is to go into the ledger as a function, so that the dataset and the ledger change together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import pyarrow as pa
from sqlalchemy import Connection

from otherwords.engine import Engine, Progress
from otherwords.project.pipeline.dataset import NO_TEXT, Dataset, TextColumns, write_dataset
from otherwords.project.pipeline.parameters import Parameters, parameters_of
from otherwords.project.project import Project

Chosen = TypeVar("Chosen", bound=Parameters)


@dataclass(frozen=True, slots=True)
class StepFacts:
    """What the result of a step depends on besides its parameters and inputs: a part of its key."""

    rows: int = 0  # to work on
    depends_on: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Input(Generic[Chosen]):
    """A dataset that a kind of step reads: ``default`` is the step that writes it where a recipe names none."""

    default: Callable[[Project, Chosen], Step]
    in_key: bool = True  # whether the step is stale as soon as its input is


@dataclass(frozen=True, slots=True)
class StepEstimate:
    """What a step will need."""

    rows: int
    seconds: float | None  # None: nobody knows
    megabytes: float  # of memory
    disk_megabytes: float


@dataclass(frozen=True, slots=True)
class Cost:
    """What a kind of step needs, measured on two cores; the last run of a step replaces the rate.

    Where the time depends on the model that the parameters name, there is no rate before the step has run with them.
    """

    rows_per_second: float | None = 1000.0
    megabytes: float = 200.0
    megabytes_per_million_rows: float = 1000.0
    disk_bytes_per_row: float = 100.0

    def estimate(self, rows: int, rows_per_second: float | None = None) -> StepEstimate:
        """What so many rows will need."""
        memory = self.megabytes + self.megabytes_per_million_rows * rows / 1e6
        rate = rows_per_second or self.rows_per_second
        seconds = rows / rate if rate is not None else None
        return StepEstimate(rows, seconds, memory, self.disk_bytes_per_row * rows / 1e6)


@dataclass(frozen=True, slots=True)
class StepContext(Generic[Chosen]):
    """One step being run."""

    project: Project
    name: str
    key: str
    parameters: Chosen
    inputs: Mapping[str, Dataset]
    engine: Engine
    progress: Progress
    derived: TextColumns = NO_TEXT

    @property
    def output(self) -> Path:
        """The folder of the step's dataset."""
        return self.project.tables / self.name / self.key

    def write(
        self,
        schema: pa.Schema,
        batches: Iterable[pa.RecordBatch | pa.Table],
        summary: Callable[[], Mapping[str, object]] = dict,
    ) -> Dataset:
        """Write the step's dataset."""
        return write_dataset(self.output, schema, batches, derived=self.derived, summary=summary)


@dataclass(frozen=True, slots=True)
class PeopleWork:
    """What people have to do before a step can be done."""

    what: str  # how much of what is left
    then: str  # where it is done; after that the recipe is run again

    def way_on(self, step: str) -> str:
        """The same for a step of a recipe, by its name."""
        return self.then.replace("STEP.", f"{step}.")


# As the ledger keeps it: how many of what, how many by reason, a list of names, or True for a reason without a number.
StepCounts = dict[str, Any]


@dataclass(slots=True)
class StepResult:
    """What a step gave: its counts, its output, and what it wants written into the ledger."""

    rows_in: int = 0
    rows_out: int = 0
    counts: StepCounts = field(default_factory=dict)
    output: Dataset | Path | None = None  # a folder of another form, such as a report, is a path
    record: Callable[[Connection], None] | None = None
    waiting: PeopleWork | None = None  # nothing was done, and what comes after it has to wait too


@dataclass(frozen=True, slots=True)
class StepKind(Generic[Chosen]):
    """One kind of step. A new ``version`` makes all steps of the kind stale."""

    name: str
    version: int
    parameters: type[Chosen]
    run: Callable[[StepContext[Chosen]], StepResult]
    facts: Callable[[Project, Chosen], StepFacts] = lambda project, parameters: StepFacts()  # nothing changes later
    inputs: Mapping[str, Input[Chosen]] = field(default_factory=dict)
    cost: Cost = Cost()
    derived: TextColumns = NO_TEXT  # which of its columns hold words that can be withdrawn
    waits: Callable[[Project, Chosen], PeopleWork | None] | None = None  # None: nothing is left for people

    def decode(self, values: Mapping[str, Any]) -> Chosen:
        """Parameters out of a recipe, an option or the ledger."""
        return parameters_of(self.name, self.parameters, values)


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
