"""The demo: what is done once is not done again, a killed one goes on, a failure is named, and the page tells."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from otherwords.demo import build as build_module
from otherwords.demo.build import SHIPPED, DemoBuilder, stage_name
from otherwords.demo.page import progress_page, serving_progress
from otherwords.demo.plan import EXAMPLES, PLAN, TOUR, DemoCommand, DemoCorpus, DemoRecipe, command
from otherwords.demo.progress import read_progress
from otherwords.steps.recipe import find_recipe
from tests.conftest import ROOT
from tests.errors import raises
from tests.processes import SECONDS, next_line, started

Spoken = list[tuple[str, str]]


@pytest.fixture
def spoken() -> Spoken:
    return []


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder for a demo, with examples that are there already."""
    (tmp_path / EXAMPLES).mkdir()
    (tmp_path / EXAMPLES / "pairs.jsonl").write_bytes((SHIPPED / "pairs.jsonl").read_bytes())
    return tmp_path


def builder(folder: Path, plan: list[DemoCorpus], spoken: Spoken) -> DemoBuilder:
    return DemoBuilder(folder, plan, lambda corpus, text: spoken.append((corpus, text)))


SMALL = DemoCorpus(
    "small",
    "A small one",
    (
        command("new", "small", "--lang", "en", "--scheme", "turku"),
        command("import", "small", "pairs", "examples/pairs.jsonl", "--wait"),
        command("batch", "new", "small", "first", "--sample", "5"),
        DemoCommand(("user", "add", "small", "ada", "--role", "admin", "--password-stdin"), password="ada"),
    ),
)


NEW = DemoCorpus(SMALL.name, SMALL.title, SMALL.stages[:1])  # where it is not the point how much there is to do


def test_everything_is_done_once(texts: Path, spoken: Spoken) -> None:
    assert builder(texts, [SMALL], spoken).build(["small"], 1) == []
    entry = read_progress(texts)["small"]
    assert (entry.state, entry.fraction, len(entry.done)) == ("done", 1.0, 4)
    assert (texts / "small" / "otherwords.toml").is_file()
    assert spoken[-1] == ("small", "done")
    before = len(spoken)
    assert builder(texts, [SMALL], spoken).build(["small"], 1) == []
    assert spoken[before:] == []
    log = (texts / "logs" / "small.log").read_text()
    assert "$ otherwords batch new small first --sample 5" in log
    assert "260 read, 260 added" in log


def test_what_was_killed_after_its_work_counts_as_done(texts: Path, spoken: Spoken) -> None:
    """Killed between the end of a command and the note that it is done, a demo runs the command again."""
    builder(texts, [SMALL], spoken).build(["small"], 1)
    (texts / "progress.json").unlink()
    assert builder(texts, [SMALL], spoken).build(["small"], 1) == []
    assert read_progress(texts)["small"].state == "done"


def test_a_project_that_was_not_made_to_its_end_is_made_again(texts: Path, spoken: Spoken) -> None:
    (texts / "small").mkdir()
    (texts / "small" / "ledger.db").write_bytes(b"half")
    assert builder(texts, [NEW], spoken).build(["small"], 1) == []


def test_a_failure_is_named_and_tried_again(texts: Path, spoken: Spoken) -> None:
    broken = DemoCorpus("broken", "", (command("profile", "nowhere.csv"),))
    after = DemoCorpus("after", "", (command("formats"),), after=("broken",))
    alone = DemoCorpus("alone", "", (command("formats"),))
    assert builder(texts, [broken, after, alone], spoken).build(["broken", "after", "alone"]) == ["broken", "after"]
    states = read_progress(texts)
    assert "nowhere.csv: No such file or directory" in states["broken"].message
    assert states["after"].message == "it needs broken"
    assert states["alone"].state == "done"
    (texts / "nowhere.csv").write_text("text1,text2\na,b\n")
    assert builder(texts, [broken, after, alone], spoken).build(["broken", "after"]) == []
    assert read_progress(texts)["after"].message == ""


def test_it_can_be_stopped_and_goes_on(texts: Path, spoken: Spoken, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(slow_python(texts)))
    demo = builder(texts, [NEW], spoken)
    working = threading.Thread(target=demo.build, args=(["small"], 1))
    working.start()
    until(lambda: bool(demo._processes))
    demo.stop()
    working.join(SECONDS)
    assert not working.is_alive()
    assert read_progress(texts)["small"].done == []
    monkeypatch.undo()
    assert builder(texts, [NEW], spoken).build(["small"], 1) == []


def slow_python(folder: Path) -> Path:
    """A program in the place of Python that never ends by itself."""
    script = folder / "slow"
    script.write_text("#!/bin/sh\nexec sleep 1000\n")
    script.chmod(0o755)
    return script


def until(condition: object) -> None:
    end = time.monotonic() + SECONDS
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_recipe_is_run_until_its_release_is_there(
    texts: Path, spoken: Spoken, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the commands themselves replaced: the builder runs, lets people work, runs again and verifies."""
    commands: list[str] = []
    shares: list[float] = []
    corpus = DemoCorpus("c", "", (DemoRecipe("c", "turku", {"release.licence": "CC-BY-4.0"}),))
    demo = builder(texts, [corpus], spoken)

    def pretend(name: str, arguments: tuple[str, ...], person: str | None = None) -> str:
        commands.append(arguments[0])
        shares.append(demo.progress.corpora["c"].share)
        if arguments[0] == "run" and commands.count("run") == 3:
            (texts / "c" / "releases" / "1.0").mkdir(parents=True)
        return json.dumps([{"state": "done"}] * (4 * commands.count("run")) + [{"state": "waiting"}])

    monkeypatch.setattr(demo, "_run", pretend)
    assert demo.build(["c"], 1) == []
    assert commands == ["simulate", "run", "simulate", "run", "simulate", "run", "verify"]
    assert shares == sorted(shares)
    assert 0 < shares[2] < shares[-1] < 1


def test_accounts_are_made_once_and_private(texts: Path) -> None:
    first = build_module.account_passwords(texts)
    assert build_module.account_passwords(texts) == first
    assert list(first) == ["ada", "carl", "anna"]
    assert (texts / "accounts.txt").stat().st_mode & 0o777 == 0o600


def test_the_page_shows_how_far_it_is(texts: Path, spoken: Spoken) -> None:
    plan = [SMALL, DemoCorpus("compared", "Side <by> side", (command("formats"),), after=("small",))]
    demo = builder(texts, plan, spoken)
    demo.progress.update("small", state="building", now="otherwords import small", done=stage_name(SMALL.stages[0]))
    page = progress_page(texts, plan, "http://127.0.0.1:8080")
    assert '<meta http-equiv="refresh"' in page
    assert "Side &lt;by&gt; side" in page
    assert '<progress max="1" value="0.250">25%</progress><p><code>otherwords import small' in page
    assert '<progress id="whole" max="1" value="0.125">' in page
    for name in ("small", "compared"):
        demo.progress.update(name, state="done", now="")
    page = progress_page(texts, plan, "http://127.0.0.1:8080")
    assert "is finished" in page
    assert "refresh" not in page


def test_the_page_serves_reports_and_nothing_else(texts: Path, spoken: Spoken) -> None:
    demo = builder(texts, [SMALL], spoken)
    (texts / "small" / "report").mkdir(parents=True)
    (texts / "small" / "report" / "index.html").write_text("the report")
    (texts / "small" / "ledger.db").write_text("secret")
    with serving_progress(texts, demo.plan, "http://127.0.0.1:8080", 0) as address:
        assert "A small one" in urlopen(address).read().decode()
        assert json.loads(urlopen(f"{address}/progress.json").read())["small"]["state"] == "waiting"
        assert urlopen(f"{address}/small/index.html").read() == b"the report"
        for path in ("small/../ledger.db", "small/%2e%2e/ledger.db", "accounts.txt", "small/ledger.db"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(f"{address}/{path}")


def test_the_plan_names_what_is_there() -> None:
    names = [corpus.name for corpus in PLAN]
    assert names[0] == TOUR.name
    assert len(set(names)) == len(names)
    for corpus in PLAN:
        assert set(corpus.after) <= set(names)
        assert len({stage_name(stage) for stage in corpus.stages}) == len(corpus.stages)
        for stage in corpus.stages:
            if isinstance(stage, DemoRecipe):
                assert find_recipe(stage.recipe)
            else:
                for word in stage.arguments:
                    if word.startswith(f"{EXAMPLES}/"):
                        assert (SHIPPED / word.removeprefix(f"{EXAMPLES}/")).exists(), word


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_installs_what_the_demo_needs_and_no_more(tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml", "setup.py", "constraints.txt"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())

    def planned(*words: str) -> str:
        done = subprocess.run(["make", "-n", *words], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == 0, done.stderr
        return done.stdout

    plan = planned("demo")
    assert "'.[demo]'" in plan
    assert "[test]" not in plan
    assert "otherwords demo demo --port 8080" in plan
    assert "--no-serve" not in plan
    assert "--no-serve" in planned("demo", "SERVE=0")
    (tmp_path / ".venv").mkdir()
    for stamp in (".python", ".installed", ".demo"):  # as make setup leaves it
        (tmp_path / ".venv" / stamp).touch()
    assert "pip install" not in planned("demo")


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    import otherwords

    (tmp_path / "thesis.txt").write_text("all of it")
    with raises("folder-not-empty", match="no demo"):
        otherwords.demo(tmp_path, serve=False)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def without_extras(folder: Path) -> dict[str, str]:
    """An environment in which the packages of the extras cannot be imported."""
    for name in ("altair", "trafilatura", "fugashi", "pymorphy3", "libvoikko", "vl_convert", "psycopg"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(f"raise ImportError('no {name}')\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


def test_from_the_command_to_a_site_and_on_after_a_kill(tmp_path: Path) -> None:
    """The site opens while the rest is still to be built; killed and started again, it opens the same project.

    It needs only the core: without the packages of the extras, the site opens all the same.
    """
    environment = without_extras(tmp_path / "blocked")
    command_line = [sys.executable, "-m", "otherwords", "demo", "demo", "--port", "0", "--jobs", "1"]
    options = {"cwd": tmp_path, "env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    demo = tmp_path / "demo"
    for end in (signal.SIGKILL, signal.SIGTERM):
        with started(command_line, text=True, **options) as process:
            address = next_line(process).strip()
            assert "Log in" in urlopen(f"{address}/login").read().decode()
            states = read_progress(demo)
            assert states["tour"].state == "done"
            assert states["compared"].state == "waiting"
            until(lambda: bool(read_progress(demo)["english"].done))
            os.kill(process.pid, end)
            process.wait(SECONDS)
    names = (demo / "accounts.txt").read_text().splitlines()
    assert len(names) == 3
    assert read_progress(demo)["english"].done[0].startswith("new english")
