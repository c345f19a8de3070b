"""The method page: who sees it, the states of its steps, and runs that are started and stopped there."""

from __future__ import annotations

import fcntl
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, select, update
from starlette.testclient import TestClient

from otherwords.errors import Conflict
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.pipeline.progress_note import noting
from otherwords.project.pipeline.run import run_recipe
from otherwords.steps.known_recipes import keep_recipe
from otherwords.steps.recipe import read_recipe
from otherwords.web import background_run
from otherwords.web.background_run import (
    LOCK,
    NOTE,
    RUNS,
    RunNote,
    is_site_running,
    last_site_run,
    log_lines,
    start_run,
    stop_run,
)
from tests.errors import raises
from tests.web.people import Person
from tests.web.persons import events

PersonNamed = Callable[[str], Person]
SECONDS = 120.0  # that a run may take on a busy machine
RECIPE = """
# Judge what is there. And more.
in_order = true

[[step]]
name = "pairs"
do = "need"

[[step]]
name = "films"
do = "align-subtitles"
optional = true

[[step]]
name = "judge"
do = "people"
task = "judge"
batches = ["first"]

[[step]]
name = "label"
do = "label"

[[step]]
name = "split"
do = "split"
from = { labels = "label" }

[[step]]
name = "release"
do = "release"
from = { labels = "label", parts = "split" }
"""


@pytest.fixture
def project(client: TestClient) -> Project:
    site = client.app.state.site  # type: ignore[attr-defined]
    (site.project.folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    return site.project  # type: ignore[no-any-return]


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def states(viewer: Person) -> dict[str, str]:
    return {step["name"]: step["state"] for step in viewer.get("/method.json").json()["method"]["steps"]}


def press(viewer: Person, path: str, **fields: str) -> Any:
    return viewer.post(path, data={"csrf": viewer.csrf, **fields})


def note_run(project: Project, name: str, state: str, error: str | None = None, key: str = "k") -> None:
    row = {"name": name, "kind": "need", "key": key, "parameters": {}, "inputs": {}, "version": 1, "counts": {}}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.steps).values(**row, state=state, started="2026", error=error))


def key_of(project: Project, name: str) -> str:
    from otherwords.project.pipeline.plan import plan

    steps = read_recipe(project.folder / "recipe.toml")
    return plan(project, next(step for step in steps if step.name == name), steps).key


@pytest.fixture
def held(project: Project) -> Iterator[Callable[[], None]]:
    """Hold the lock of a run as its process does, until the end of the test."""
    descriptors: list[int] = []

    def hold() -> None:
        (project.folder / RUNS).mkdir(exist_ok=True)
        descriptors.append(os.open(project.folder / RUNS / LOCK, os.O_RDWR | os.O_CREAT))
        fcntl.flock(descriptors[-1], fcntl.LOCK_EX)

    yield hold
    for descriptor in descriptors:
        os.close(descriptor)


def test_a_recipe_is_drawn_before_it_is_run(project: Project, person: PersonNamed) -> None:
    carl = person("carl")
    reply = carl.get("/method.json").json()
    drawn = reply["method"]
    assert (drawn["recipe"], drawn["about"], drawn["next"], drawn["waits"]) == (
        "recipe",
        "Judge what is there.",
        "pairs",
        "judge",
    )
    assert states(carl) == {
        "pairs": "new",
        "films": "skipped",
        "judge": "waiting",
        "label": "new",
        "split": "new",
        "release": "waiting",
    }
    by_name = {step["name"]: step for step in drawn["steps"]}
    assert by_name["split"]["inputs"] == [{"name": "labels", "step": "label"}]
    assert by_name["judge"]["why"] == "8 judgements are left"
    assert "--set release.licence=" in by_name["release"]["then"]
    page = carl.get("/method").text
    assert 'href="/batches/first"' in page
    assert "--set release.licence=" in page
    assert page.count('class="step"') == 6
    assert reply["run"]["running"] is False
    assert carl.get("/method.csv").text.splitlines()[4].startswith("label,label,new,")


def test_how_long_a_training_takes_is_not_guessed(project: Project, person: PersonNamed) -> None:
    training = '[[step]]\nname = "classifier"\ndo = "train-classifier"\nmodel = "transformer"\n'
    (project.folder / "recipe.toml").write_text(training, encoding="utf-8")
    carl = person("carl")
    [drawn] = carl.get("/method.json").json()["method"]["steps"]
    assert (drawn["state"], drawn["expected"]) == ("new", None)
    assert "How long it takes is known only after its first run." in carl.get("/method").text


def test_without_a_recipe_the_ones_that_ship_are_offered(client: TestClient, person: PersonNamed) -> None:
    carl = person("carl")
    page = carl.get("/method").text
    assert all(f'href="/method?recipe={name}"' in page for name in ("turku", "vila"))
    assert carl.get("/method.json").json()["method"] is None
    assert carl.get("/method.json?recipe=vila").json()["method"]["next"] == "pairs"
    assert carl.get("/method.json?recipe=../../etc/passwd").status_code == 422
    assert press(carl, "/method/run", recipe="/etc/passwd").status_code == 422
    assert last_site_run(client.app.state.site.project) is None  # type: ignore[attr-defined]


def test_what_failed_was_stopped_or_changed_says_so(project: Project, person: PersonNamed) -> None:
    carl, key = person("carl"), key_of(project, "pairs")
    note_run(project, "pairs", "failed", f"{project.folder}/a.csv: <b>cannot</b> be read", key)
    assert states(carl)["pairs"] == "failed"
    page = carl.get("/method").text
    assert "corpus/a.csv: &lt;b&gt;cannot&lt;/b&gt; be read" in page
    assert str(project.folder) not in page
    note_run(project, "pairs", "failed", "was stopped", key)
    assert states(carl)["pairs"] == "stopped"
    note_run(project, "pairs", "running", key=key)
    assert states(carl)["pairs"] == "stopped"  # nobody holds the project: it was killed
    note_run(project, "pairs", "done", key="another")
    assert states(carl)["pairs"] == "stale"


def test_a_step_that_runs_says_how_far_it_is(project: Project, person: PersonNamed) -> None:
    carl = person("carl")
    with project.holding(), noting(project.folder, "pairs", lambda done, total: None) as progress:
        note_run(project, "pairs", "running")
        progress(3, 10)
        run = carl.get("/method/run.json").json()
        assert (run["running"], run["started_here"], run["step"], run["done"], run["total"]) == (
            True,
            False,
            "pairs",
            3,
            10,
        )
        assert states(carl)["pairs"] == "running"
        page = carl.get("/method").text
        assert '<progress class="bar-of-step" value="3" max="10"' in page
        assert "in use by process" in page
        assert "Stop it" not in page
        answer = press(carl, "/method/run", how="step")
        assert answer.status_code == 409
        assert press(carl, "/method/stop").status_code == 409
    assert carl.get("/method/run.json").json()["running"] is False


def test_a_run_goes_on_to_the_point_where_people_are_needed(project: Project, person: PersonNamed) -> None:
    carl = person("carl")
    assert press(carl, "/method/run", how="all").headers["location"] == "/method"
    until(lambda: not is_site_running(project) and (last_site_run(project) or Any).exit is not None)
    run = last_site_run(project)
    assert run is not None
    assert (run.exit, run.by, run.recipe, run.step) == (0, "carl", "recipe.toml", None), log_lines(project)
    assert (states(carl)["pairs"], states(carl)["judge"]) == ("done", "waiting")
    assert any("waiting for people" in line for line in log_lines(project))
    assert ("carl", "run started", {"recipe": "recipe", "step": None}) in events(project)
    assert "run started" in person("ada").get("/people/log").text
    with project.ledger.reading() as connection:
        kept = connection.execute(
            select(schema.events.c.detail).where(schema.events.c.action == "recipe run")
        ).scalars()
        assert list(kept) == [{"recipe": "recipe.toml"}]
    answer = press(carl, "/method/run", how="all")
    assert (answer.status_code, "there is nothing to run" in answer.text) == (422, True)


def test_when_people_have_finished_home_and_the_method_say_that_the_recipe_can_go_on(
    project: Project, person: PersonNamed
) -> None:
    carl, sentence = person("carl"), "People have finished the step judge, and the recipe can go on."
    with project.ledger.writing() as connection:
        keep_recipe(connection, project.folder, project.folder / "recipe.toml")
    run_recipe(project, read_recipe(project.folder / "recipe.toml"))
    assert carl.get("/api/v1/home").json()["goes_on"] is None
    assert all(sentence not in carl.get(path).text for path in ("/", "/method"))
    with project.ledger.writing() as connection:
        connection.execute(update(schema.slots).where(schema.slots.c.batch == "first").values(judgement="answered"))
    assert carl.get("/api/v1/home").json()["goes_on"] == "judge"
    home, drawn = carl.get("/").text, carl.get("/method").text
    assert (sentence in home, sentence in drawn) == (True, True)
    assert 'action="/method/run"' in home
    assert person("anna").get("/api/v1/home").json()["goes_on"] is None
    assert sentence not in person("anna").get("/").text
    with project.holding():
        assert carl.get("/api/v1/home").json()["goes_on"] is None
    run_recipe(project, read_recipe(project.folder / "recipe.toml"), only="judge")
    assert carl.get("/api/v1/home").json()["goes_on"] is None


def test_of_two_that_are_started_at_once_one_is_refused(
    project: Project, person: PersonNamed, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleep = ["import time; time.sleep(600)"]
    spawn, both = background_run._spawn, threading.Barrier(2)
    python = background_run.sys.executable
    monkeypatch.setattr(background_run, "_spawn", lambda command, log, lock: spawn([python, "-c", *sleep], log, lock))

    def start(name: str) -> str:
        both.wait(30)
        try:
            return start_run(project, name, None, None, None).by
        except Conflict as problem:
            return problem.code

    with ThreadPoolExecutor(2) as threads:
        results = sorted(threads.map(start, ("carl", "ada")))
    assert results[1:] == ["run-exists"] or results == ["carl", "run-exists"]
    carl = person("carl")
    assert carl.get("/method/run.json").json()["started_here"] is True
    assert "Stop it" in carl.get("/method").text
    assert press(carl, "/method/run", how="all").status_code == 409
    assert press(carl, "/method/stop").status_code == 303
    until(lambda: not is_site_running(project))
    assert ("carl", "run stopped", {"recipe": None, "step": None}) in events(project)


def test_the_process_of_an_earlier_run_is_not_stopped_in_place_of_a_new_one(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.folder / RUNS).mkdir(exist_ok=True)
    note = RunNote(pid=1, host=socket.gethostname(), by="ada", recipe=None, step=None, started="2026")
    (project.folder / RUNS / NOTE).write_bytes(msgspec.json.encode(note))

    def spawn(*_: object) -> None:
        assert is_site_running(project)
        with raises("nothing-running"):
            stop_run(project)
        raise OSError("no process can be started")

    monkeypatch.setattr(background_run, "_spawn", spawn)
    monkeypatch.setattr(background_run.os, "killpg", lambda *_: pytest.fail("another process was stopped"))
    with pytest.raises(OSError, match="no process"):
        start_run(project, "carl", None, None, None)


@pytest.mark.parametrize("path", ["/method/run", "/method/stop"])
def test_a_form_needs_the_role_and_the_token_of_its_page(
    project: Project, person: PersonNamed, path: str, held: Callable[[], None]
) -> None:
    held()
    for name, token in (("anna", None), ("wim", None), ("carl", "wrong"), ("carl", "")):
        viewer = person(name)
        sent = viewer.csrf if token is None else token
        assert viewer.post(path, data={"csrf": sent, "how": "all"}).status_code == 403
    assert last_site_run(project) is None


def test_nothing_of_it_is_for_others(person: PersonNamed) -> None:
    for name in ("anna", "wim"):
        assert 'href="/method"' not in person(name).get("/").text
        for path in ("/method", "/method.json", "/method/run.json", "/models", "/mining", "/mining/tiles.csv"):
            assert person(name).get(path).status_code == 403
    assert 'href="/method"' in person("carl").get("/").text
