"""A step runs once, again when it is stale, and wholly or not at all; what it reads is made before it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from sqlalchemy import Connection, func, insert, select

from otherwords.errors import DataError, MissingExtra
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.pipeline.dataset import Dataset, is_whole, open_dataset
from otherwords.project.pipeline.kind import Cost, Input, Step, StepContext, StepFacts, StepKind, StepResult, make_step
from otherwords.project.pipeline.parameters import Parameters
from otherwords.project.pipeline.plan import StepPlan, plan
from otherwords.project.pipeline.run import output_of, run_recipe, run_step
from otherwords.records import Document
from otherwords.steps.catalogue import STEP_KINDS
from tests.errors import raises
from tests.project.corpus import all_rows
from tests.project.pipeline.pairing import Pairing


@pytest.fixture
def pairing() -> Pairing:
    return Pairing()


@pytest.fixture
def texts(project: Project) -> Callable[[int], None]:
    def add(number: int) -> None:
        with project.ledger.writing() as connection:
            for place in range(number):
                count = connection.execute(select(func.count()).select_from(schema.documents)).scalar()
                document = Document(id=f"d{count}-{place}", text="x", source="test")
                connection.execute(insert(schema.documents).values(**row_of(document, import_id=None)))

    add(3)
    return add


def states(project: Project) -> list[str]:
    return [row["state"] for row in all_rows(project)["steps"]]


def test_a_step_runs_once(project: Project, pairing: Pairing, texts: object) -> None:
    planned, result = run_step(project, pairing.step())
    assert (planned.state, planned.why, planned.estimate.rows) == ("new", "not run yet", 3)
    assert result is not None
    assert result.rows_out == 2
    (row,) = all_rows(project)["steps"]
    assert (row["state"], row["rows_in"], row["rows_out"], row["counts"]) == ("done", 3, 2, {"made": 2})
    assert row["output"] == f"tables/one/{planned.key}"
    assert open_dataset(project.folder / row["output"]).rows == 3
    assert row["seconds"] >= 0
    assert row["peak_mb"] > 1
    again, nothing = run_step(project, pairing.step())
    assert (again.state, nothing, pairing.runs) == ("done", None, 1)
    assert again.estimate.seconds == 0
    assert again.why.startswith("done 2")


def test_what_makes_a_step_stale(project: Project, pairing: Pairing, texts: Callable[[int], None]) -> None:
    run_step(project, pairing.step())
    changed = plan(project, pairing.step(low=0.7, most=4))
    assert (changed.state, changed.why) == ("stale", "changed: low, most")
    newer = plan(project, make_step(pairing.version(2), "one"))
    assert (newer.state, newer.why) == ("stale", "a new version of this step")
    texts(1)
    assert (plan(project, pairing.step()).state, plan(project, pairing.step()).why) == ("stale", "its inputs changed")
    other = make_step(STEP_KINDS.get("import"), "one")
    assert plan(project, other).why == "it was pairing before"
    run_step(project, pairing.step())
    assert plan(project, pairing.step()).state == "done"
    assert pairing.runs == 2


def test_going_back_to_earlier_parameters_is_a_new_run(project: Project, pairing: Pairing, texts: object) -> None:
    for low in (0.1, 0.2, 0.1):
        run_step(project, pairing.step(low=low))
    assert pairing.runs == 3
    key = plan(project, pairing.step(low=0.1)).key
    assert {row["step_key"] for row in all_rows(project)["document_pairs"]} == {key}


@pytest.mark.parametrize("problem", [DataError("no text", "x.jsonl", 3), ZeroDivisionError("odd"), KeyboardInterrupt()])
def test_a_step_that_fails_leaves_the_last_good_result(
    project: Project, pairing: Pairing, texts: Callable[[int], None], problem: BaseException
) -> None:
    run_step(project, pairing.step())
    before = all_rows(project)["document_pairs"]
    folder = project.folder / all_rows(project)["steps"][0]["output"]
    content = [path.read_bytes() for path in open_dataset(folder).paths()]
    texts(2)
    pairing.problem = problem
    with pytest.raises(type(problem)):
        run_step(project, pairing.step())
    assert all_rows(project)["document_pairs"] == before
    assert [path.read_bytes() for path in open_dataset(folder).paths()] == content
    assert states(project) == ["done", "failed"]
    assert str(problem) in all_rows(project)["steps"][1]["error"]
    pairing.problem = None
    run_step(project, pairing.step())
    assert states(project) == ["done", "failed", "done"]
    assert len(all_rows(project)["document_pairs"]) == 4


def test_a_first_run_that_failed_says_why(project: Project, pairing: Pairing, texts: object) -> None:
    pairing.problem = DataError("no text", "x.jsonl", 3)
    with pytest.raises(DataError):
        run_step(project, pairing.step())
    assert (plan(project, pairing.step()).state, plan(project, pairing.step()).why) == (
        "failed",
        "failed before: x.jsonl: line 3: no text",
    )


def test_a_failure_is_of_the_past_when_there_is_something_else_to_work_on(
    project: Project, pairing: Pairing, texts: Callable[..., None]
) -> None:
    pairing.problem = DataError("no text", "x.jsonl", 3)
    with pytest.raises(DataError):
        run_step(project, pairing.step())
    texts(2)
    planned = plan(project, pairing.step())
    assert (planned.state, planned.why) == ("new", "it failed before, and what it works on has changed since")


def test_a_record_that_fails_takes_everything_back(project: Project, pairing: Pairing, texts: object) -> None:
    def half(context: StepContext[Any]) -> StepResult:
        result = pairing.run(context)

        def record(connection: Connection) -> None:
            assert result.record is not None
            result.record(connection)
            raise ZeroDivisionError

        return StepResult(3, 2, {}, result.output, record)

    kind = StepKind("pairing", 1, pairing.kind.parameters, half, pairing.facts)
    with pytest.raises(ZeroDivisionError):
        run_step(project, make_step(kind, "one"))
    assert all_rows(project)["document_pairs"] == []
    assert states(project) == ["failed"]


def test_a_killed_run_is_noted_by_the_next(project: Project, pairing: Pairing, texts: object) -> None:
    with project.ledger.writing() as connection:
        row = {"name": "one", "kind": "pairing", "key": "k", "parameters": {}, "inputs": {}, "version": 1}
        connection.execute(insert(schema.steps).values(**row, state="running", started="2026", counts={}))
    assert (plan(project, pairing.step()).state, plan(project, pairing.step()).why) == ("new", "was not finished")
    run_step(project, pairing.step())
    assert [(row["state"], row["error"]) for row in all_rows(project)["steps"]] == [
        ("failed", "was killed"),
        ("done", None),
    ]


def test_a_recipe_runs_in_order_and_tells(project: Project, pairing: Pairing, texts: object) -> None:
    reports: list[tuple[StepPlan, StepResult | None]] = []
    seen: list[tuple[str, int, int | None]] = []
    run_recipe(
        project,
        [pairing.step("one"), pairing.step("two", most=1)],
        watch=lambda step: lambda done, total: seen.append((step.name, done, total)),
        report=lambda planned, result: reports.append((planned, result)),
    )
    assert [planned.step.name for planned, _ in reports] == ["one", "two"]
    assert seen == [("one", 1, 2), ("two", 1, 2)]
    run_recipe(project, [pairing.step("one", low=0.9), pairing.step("two", most=2)], only="two")
    assert [row["name"] for row in all_rows(project)["steps"]] == ["one", "two", "two"]


def test_the_rate_of_the_last_run_foretells_the_next(
    project: Project, pairing: Pairing, texts: Callable[[int], None]
) -> None:
    assert plan(project, pairing.step()).estimate.seconds == pytest.approx(3 / 1000)
    run_step(project, pairing.step())
    seconds = all_rows(project)["steps"][0]["seconds"]
    texts(3)
    assert plan(project, pairing.step()).estimate.seconds == pytest.approx(2 * seconds)
    assert plan(project, pairing.step()).estimate.megabytes == pytest.approx(200 + 1000 * 6 / 1e6)


def test_where_the_time_depends_on_the_model_only_a_run_with_the_same_parameters_foretells_it(
    project: Project, pairing: Pairing, texts: Callable[[int], None]
) -> None:
    step = pairing.step("train")
    step = replace(step, kind=replace(step.kind, cost=Cost(rows_per_second=None)))
    assert plan(project, step).estimate.seconds is None
    run_step(project, step)
    seconds = all_rows(project)["steps"][0]["seconds"]
    texts(3)
    assert plan(project, step).estimate.seconds == pytest.approx(2 * seconds)
    other = replace(step, parameters=pairing.step("train", low=0.9).parameters)
    assert plan(project, other).estimate.seconds is None


class Nothing(Parameters, frozen=True, kw_only=True):
    """A kind of step without parameters."""


def count_rows(context: StepContext[Nothing]) -> StepResult:
    rows = context.inputs["pairs"].rows
    table = pa.table({"rows": [rows]})
    return StepResult(rows, 1, output=context.write(table.schema, [table]))


def counting(pairing: Pairing, *, in_key: bool = True) -> StepKind[Nothing]:
    return StepKind("counting", 1, Nothing, count_rows, inputs={"pairs": Input(lambda *_: pairing.step(), in_key)})


def test_what_a_step_reads_is_made_before_it(project: Project, pairing: Pairing, texts: Callable[[int], None]) -> None:
    output = output_of(project, make_step(counting(pairing)))
    assert output.table().to_pydict() == {"rows": [3]}
    assert [(row["name"], row["state"]) for row in all_rows(project)["steps"]] == [
        ("one", "done"),
        ("counting", "done"),
    ]
    texts(1)
    stale = plan(project, make_step(counting(pairing)))
    assert (stale.state, stale.why, stale.producers["pairs"].state) == ("stale", "its inputs changed", "stale")
    assert output_of(project, make_step(counting(pairing))).table().to_pydict() == {"rows": [4]}


def test_a_recipe_names_another_input(project: Project, pairing: Pairing, texts: object) -> None:
    other = pairing.step("two", most=1)
    output_of(project, Step("counting", counting(pairing), Nothing(), inputs={"pairs": other}))
    assert [row["name"] for row in all_rows(project)["steps"]] == ["two", "counting"]


def test_an_input_that_is_not_in_the_key_is_made_and_makes_nothing_stale(
    project: Project, pairing: Pairing, texts: Callable[[int], None]
) -> None:
    step = make_step(counting(pairing, in_key=False))
    output_of(project, step)
    texts(0)
    key = plan(project, step).key
    changed = make_step(counting(pairing, in_key=False))
    assert plan(project, changed).key == key


def test_a_step_that_asks_for_another_is_not_taken_for_dead(project: Project, pairing: Pairing, texts: object) -> None:
    def asks(context: StepContext[Nothing]) -> StepResult:
        return StepResult(rows_out=output_of(context.project, pairing.step()).rows)

    _, result = run_step(project, make_step(StepKind("asking", 1, Nothing, asks)))
    assert result is not None
    assert [(row["name"], row["state"], row["error"]) for row in all_rows(project)["steps"]] == [
        ("asking", "done", None),
        ("one", "done", None),
    ]


def test_only_the_last_outputs_stay(project: Project, pairing: Pairing, texts: object) -> None:
    outputs: list[Dataset] = [output_of(project, pairing.step(low=low)) for low in (0.1, 0.2, 0.3, 0.4)]
    assert [output.folder.exists() for output in outputs] == [False, False, True, True]


def test_a_new_output_stays_though_the_clock_was_set_back(project: Project, pairing: Pairing, texts: object) -> None:
    for low in (0.1, 0.2):
        output = output_of(project, pairing.step(low=low))
        os.utime(output.folder, (2e9, 2e9))  # written before the clock was set back
    newest = output_of(project, pairing.step(low=0.3))
    assert is_whole(newest.folder)
    assert plan(project, pairing.step(low=0.3)).state == "done"


def test_an_output_that_is_gone_is_made_again(project: Project, pairing: Pairing, texts: object) -> None:
    output = output_of(project, pairing.step())
    output.paths()[0].unlink()
    missing = plan(project, pairing.step())
    assert (missing.state, missing.why) == ("stale", "its output is missing")
    assert output_of(project, pairing.step()).rows == 3


@pytest.mark.parametrize("where", ["facts", "run"])
def test_an_optional_step_goes_without_what_is_not_installed(project: Project, where: str) -> None:
    def missing(*_: object) -> Any:
        raise MissingExtra("learn", "this step")

    chosen: dict[str, Any] = {"run": lambda context: StepResult(), **{where: missing}}
    kind = StepKind("needy", 1, Nothing, facts=chosen.get("facts", lambda *_: StepFacts(rows=1)), run=chosen["run"])
    planned, result = run_step(project, Step("one", kind, Nothing(), optional=True))
    assert (planned.state, result) == ("skipped", None)
    assert "pip install 'otherwords[learn]'" in planned.why
    with raises("missing-extra"):
        run_step(project, Step("one", kind, Nothing()))
