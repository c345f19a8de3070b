"""Recipes are checked before they run; a step runs once, again when it is stale, and wholly or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from sqlalchemy import delete, func, insert, select

from otherwords.errors import DataError, RecipeError
from otherwords.project import Project, schema
from otherwords.project import recipe as recipes
from otherwords.project.pairing import write_table
from otherwords.project.recipe import Step, find_recipe, read_recipe, with_settings
from otherwords.project.rows import row_of
from otherwords.project.run import Plan, plan, run_recipe, run_step
from otherwords.project.status import status
from otherwords.project.trace import trace
from otherwords.project.work import WORKS, Result, Running, Work
from otherwords.records import Document, DocumentPair
from tests.project.corpus import all_rows, fill

PARAMETERS = {"low": 0.5, "most": 3, "names": [], "flag": False, "title": "x", "anything": None}


class Pairing:
    """A step that pairs all documents with the first; it counts its runs and can be told to fail."""

    def __init__(self) -> None:
        self.runs, self.problem = 0, None

    problem: BaseException | None

    def inputs(self, project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
        with project.ledger.reading() as connection:
            return {"rows": connection.execute(select(func.count()).select_from(schema.documents)).scalar()}

    def run(self, running: Running) -> Result:
        self.runs += 1
        running.progress(1, 2)
        with running.project.ledger.reading() as connection:
            names = list(connection.execute(select(schema.documents.c.id)).scalars())
        write_table(running, pa.table({"doc2": names}))
        if self.problem is not None:
            raise self.problem

        def record(connection: Any) -> None:
            connection.execute(delete(schema.document_pairs))
            for name in names[1:]:
                pair = DocumentPair(id=f"{running.key}-{name}", doc1=names[0], doc2=name, method="test")
                connection.execute(
                    insert(schema.document_pairs).values(**row_of(pair, step=running.step, step_key=running.key))
                )

        return Result(len(names), len(names) - 1, {"made": len(names) - 1}, running.table, record)

    def work(self, version: int = 1) -> Work:
        return Work("pairing", version, PARAMETERS, self.inputs, self.run)


@pytest.fixture
def pairing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pairing]:
    """The step, known to recipes as ``pairing``."""
    one = Pairing()
    monkeypatch.setitem(WORKS._builtin, "pairing", "nowhere:nothing")
    monkeypatch.setitem(WORKS._loaded, "pairing", one.work())
    return one  # type: ignore[return-value]


@pytest.fixture
def texts(project: Project) -> Callable[[int], None]:
    def add(number: int) -> None:
        with project.ledger.writing() as connection:
            for one in range(number):
                count = connection.execute(select(func.count()).select_from(schema.documents)).scalar()
                document = Document(id=f"d{count}-{one}", text="x", source="test")
                connection.execute(insert(schema.documents).values(**row_of(document, import_id=None)))

    add(3)
    return add


def step(name: str = "one", **parameters: Any) -> Step:
    return Step(name, "pairing", {**PARAMETERS, **parameters})


def states(project: Project) -> list[str]:
    return [row["state"] for row in all_rows(project)["steps"]]


def test_a_step_runs_once(project: Project, pairing: Pairing, texts: object) -> None:
    planned, result = run_step(project, step())
    assert (planned.state, planned.why, planned.rows) == ("new", "not run yet", 3)
    assert result is not None
    assert result.rows_out == 2
    (row,) = all_rows(project)["steps"]
    assert (row["state"], row["rows_in"], row["rows_out"], row["counts"]) == ("done", 3, 2, {"made": 2})
    assert row["table"] == f"tables/one/{planned.key}.parquet"
    assert (project.folder / row["table"]).is_file()
    assert row["seconds"] >= 0
    assert row["peak_mb"] > 1
    again, nothing = run_step(project, step())
    assert (again.state, nothing, pairing.runs) == ("done", None, 1)
    assert again.seconds == 0
    assert again.why.startswith("done 2")


def test_what_makes_a_step_stale(
    project: Project, pairing: Pairing, texts: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_step(project, step())
    changed = plan(project, step(low=0.7, most=4))
    assert (changed.state, changed.why) == ("stale", "changed: low, most")
    monkeypatch.setitem(WORKS._loaded, "pairing", pairing.work(2))
    assert (plan(project, step()).state, plan(project, step()).why) == ("stale", "a new version of this step")
    monkeypatch.setitem(WORKS._loaded, "pairing", pairing.work())
    texts(1)
    assert (plan(project, step()).state, plan(project, step()).why) == ("stale", "its inputs changed")
    other = Step("one", "import", WORKS.get("import").checked({}))
    assert plan(project, other).why == "it was pairing before"
    run_step(project, step())
    assert plan(project, step()).state == "done"
    assert pairing.runs == 2


def test_going_back_to_earlier_parameters_is_a_new_run(project: Project, pairing: Pairing, texts: object) -> None:
    for low in (0.1, 0.2, 0.1):
        run_step(project, step(low=low))
    assert pairing.runs == 3
    key = plan(project, step(low=0.1)).key
    assert {row["step_key"] for row in all_rows(project)["document_pairs"]} == {key}


@pytest.mark.parametrize("problem", [DataError("no text", "x.jsonl", 3), ZeroDivisionError("odd"), KeyboardInterrupt()])
def test_a_step_that_fails_leaves_the_last_good_result(
    project: Project, pairing: Pairing, texts: Callable[[int], None], problem: BaseException
) -> None:
    run_step(project, step())
    before = all_rows(project)["document_pairs"]
    table = project.folder / all_rows(project)["steps"][0]["table"]
    content = table.read_bytes()
    texts(2)
    pairing.problem = problem
    with pytest.raises(type(problem)):
        run_step(project, step())
    assert all_rows(project)["document_pairs"] == before
    assert table.read_bytes() == content
    assert states(project) == ["done", "failed"]
    assert str(problem) in all_rows(project)["steps"][1]["error"]
    pairing.problem = None
    run_step(project, step())
    assert states(project) == ["done", "failed", "done"]
    assert len(all_rows(project)["document_pairs"]) == 4


def test_a_first_run_that_failed_says_why(project: Project, pairing: Pairing, texts: object) -> None:
    pairing.problem = DataError("no text", "x.jsonl", 3)
    with pytest.raises(DataError):
        run_step(project, step())
    assert (plan(project, step()).state, plan(project, step()).why) == (
        "failed",
        "failed before: x.jsonl: line 3: no text",
    )


def test_a_record_that_fails_takes_everything_back(project: Project, pairing: Pairing, texts: object) -> None:
    original = pairing.run

    def half(running: Running) -> Result:
        result = original(running)

        def record(connection: Any) -> None:
            assert result.record is not None
            result.record(connection)
            raise ZeroDivisionError

        return Result(3, 2, {}, result.table, record)

    pairing.run = half  # type: ignore[method-assign]
    WORKS._loaded["pairing"] = pairing.work()
    with pytest.raises(ZeroDivisionError):
        run_step(project, step())
    assert all_rows(project)["document_pairs"] == []
    assert states(project) == ["failed"]


def test_a_killed_run_is_noted_by_the_next(project: Project, pairing: Pairing, texts: object) -> None:
    with project.ledger.writing() as connection:
        row = {"name": "one", "does": "pairing", "key": "k", "parameters": PARAMETERS, "inputs": {}, "version": 1}
        connection.execute(insert(schema.steps).values(**row, state="running", started="2026", counts={}))
    assert (plan(project, step()).state, plan(project, step()).why) == ("new", "was not finished")
    run_step(project, step())
    assert [(row["state"], row["error"]) for row in all_rows(project)["steps"]] == [
        ("failed", "was killed"),
        ("done", None),
    ]


def test_a_recipe_runs_in_order_and_tells(project: Project, pairing: Pairing, texts: object) -> None:
    told: list[tuple[Plan, Result | None]] = []
    seen: list[tuple[str, int, int | None]] = []
    run_recipe(
        project,
        [step("one"), step("two", most=1)],
        watch=lambda one: lambda done, total: seen.append((one.name, done, total)),
        told=lambda planned, result: told.append((planned, result)),
    )
    assert [planned.step.name for planned, _ in told] == ["one", "two"]
    assert seen == [("one", 1, 2), ("two", 1, 2)]
    run_recipe(project, [step("one", low=0.9), step("two", most=2)], only="two")
    assert [row["name"] for row in all_rows(project)["steps"]] == ["one", "two", "two"]


def test_the_rate_of_the_last_run_foretells_the_next(
    project: Project, pairing: Pairing, texts: Callable[[int], None]
) -> None:
    assert plan(project, step()).seconds == pytest.approx(3 / 1000)
    run_step(project, step())
    seconds = all_rows(project)["steps"][0]["seconds"]
    texts(3)
    assert plan(project, step()).seconds == pytest.approx(2 * seconds)
    assert plan(project, step()).megabytes == pytest.approx(200 + 1000 * 6 / 1e6)


# Recipes ────────────────────────────────────────────────────────────────────────────────────────────────────


def recipe(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "method.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_recipe_is_put_in_order(pairing: Pairing, tmp_path: Path) -> None:
    text = """
    [[step]]
    name = "late"
    do = "pairing"
    after = ["early"]
    low = 0.25
    [[step]]
    name = "early"
    do = "pairing"
    [[step]]
    name = "texts"
    do = "import"
    paths = ["a.jsonl"]
    """
    steps = read_recipe(recipe(tmp_path, text))
    assert [one.name for one in steps] == ["texts", "early", "late"]
    assert steps[2].parameters == {**PARAMETERS, "low": 0.25}


STEP = '[[step]]\nname = "one"\ndo = "pairing"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"no steps; write at least one \[\[step\]\]"),
        ("step = 3", "no steps"),
        ("step = [3]", "step 1 is not a table"),
        ("[[step", "cannot be read"),
        ('[[step]]\ndo = "pairing"\n', "step 1 needs a name of letters, digits, - and _"),
        ('[[step]]\nname = "a/b"\ndo = "pairing"\n', "step 1 needs a name"),
        ('[[step]]\nname = "one"\ndo = "pairin"\n', r"do = 'pairin'; did you mean pairing\?"),
        ('[[step]]\nname = "one"\n', "do = None"),
        (STEP + STEP, "two steps are called 'one'"),
        (STEP + 'after = "x"\n', "after is a list of step names"),
        (STEP + 'after = ["x"]\n', "comes after 'x', which is no step of this recipe"),
        (STEP + 'after = ["one"]\n', "wait for each other: one → one"),
        (STEP + "lo = 0.5\n", r"step 'one': pairing has no parameter 'lo'; did you mean low\?"),
        (STEP + 'low = "x"\n', "low = 'x': number is expected, such as 0.5"),
        (STEP + "low = true\n", "low = True: number is expected"),
        (STEP + "most = 0.5\n", "most = 0.5: whole number is expected"),
        (STEP + "flag = 1\n", "flag = 1: true or false is expected"),
        (STEP + 'names = "x"\n', "names = 'x': list is expected"),
        (STEP + "title = 1\n", "title = 1: text is expected"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_said_before_anything_runs(
    pairing: Pairing, tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(RecipeError, match=said) as caught:
        read_recipe(recipe(tmp_path, text))
    assert str(caught.value).startswith(str(tmp_path / "method.toml"))


@pytest.mark.parametrize(
    ("value", "names"), [("x", ["x"]), ("x, y", ["x", "y"]), (1, ["1"]), (["x,y"], ["x,y"]), ("", [])]
)
def test_a_list_may_be_typed_as_text(pairing: Pairing, tmp_path: Path, value: object, names: list[str]) -> None:
    (changed,) = with_settings(read_recipe(recipe(tmp_path, STEP)), {"one.names": value})
    assert changed.parameters["names"] == names


def test_recipes_are_found_by_path_or_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipes, "SHIPPED", tmp_path)
    with pytest.raises(RecipeError, match="no recipe 'turku'; give the path of a TOML file"):
        find_recipe("turku")
    path = recipe(tmp_path, "")
    assert find_recipe("method") == path
    assert find_recipe(str(path)) == path
    with pytest.raises(RecipeError, match=r"no recipe 'metod'; did you mean method\?"):
        find_recipe("metod")
    with pytest.raises(RecipeError, match="No such file"):
        read_recipe(find_recipe(str(tmp_path / "none.toml")))


# Status and trace ───────────────────────────────────────────────────────────────────────────────────────────


def test_status_of_an_empty_project(project: Project) -> None:
    told = status(project)
    assert told["project"] == "corpus"
    assert set(told["counts"].values()) == {0}
    assert told["steps"] == told["imports"] == []
    assert told["working"] is None


def test_status_shows_what_is_there_running_and_stale(
    project: Project, pairing: Pairing, texts: Callable[[int], None], tmp_path: Path
) -> None:
    run_step(project, step("one"))
    run_step(project, step("two", low=0.9))
    texts(1)
    told = status(project)
    assert told["counts"]["documents"] == 4
    assert told["sources"] == [{"source": "test", "rows": 4}]
    assert told["document_pairs"] == [{"method": "test", "status": None, "rows": 2}]
    assert [(one["name"], one["state"], one["why"]) for one in told["steps"]] == [
        ("one", "stale", "its inputs changed"),
        ("two", "stale", "its inputs changed"),
    ]
    (project.folder / "recipe.toml").write_text(
        '[[step]]\nname = "two"\ndo = "pairing"\n[[step]]\nname = "one"\ndo = "pairing"\n'
    )
    assert [one["name"] for one in status(project)["steps"]] == ["two", "one"], "as the project's recipe has them"
    (project.folder / "recipe.toml").unlink()
    with project.ledger.writing() as connection:
        row = {"name": "one", "does": "pairing", "key": "k", "parameters": PARAMETERS, "inputs": {}, "version": 1}
        connection.execute(insert(schema.steps).values(**row, state="running", started="2026", counts={}))
    assert status(project)["steps"][0]["state"] == "stale"  # nobody works on it: it was killed
    with project.holding():
        told = status(project)
    assert told["steps"][0]["state"] == "running"
    assert "in use by process" in told["working"]


def test_status_outlives_a_file_that_is_gone(project: Project, tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text('{"group":"g","text":"One."}\n')
    path = str(tmp_path / "texts.jsonl")
    run_step(project, Step("texts", "import", WORKS.get("import").checked({"kind": "groups", "paths": [path]})))
    assert status(project)["steps"][0]["state"] == "done"
    (tmp_path / "texts.jsonl").unlink()
    (told,) = status(project)["steps"]
    assert (told["state"], told["why"]) == ("unknown", f"{path}: No such file or directory")


def test_a_pair_leads_back_to_its_file(project: Project) -> None:
    fill(project)
    told = trace(project, "p1")
    assert told["documents"][0]["excerpt"].startswith("The heron")
    assert told["documents"][0]["place"] == {"file": "birds/a.txt"}
    assert told["documents"][0]["imported_from"]["path"] == "birds"
    assert [one["id"] for one in told["judgements"]] == ["p1:anna", "j2"]
    assert [one["id"] for one in told["document_pairs"]] == ["dp1"]
    assert told["releases"] == [{"version": "1.0", "part": "train"}]
    assert trace(project, "p2")["rewrite_of"] == "p1"
    assert trace(project, "p3")["documents"] == []
