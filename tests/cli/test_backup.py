"""A project with its own scheme, guideline, recipe and wordnet is backed up, lost, restored and worked in."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from otherwords.annotate.pseudonyms import project_key
from otherwords.web.app import make_app
from tests.cli.conftest import Run
from tests.web.people import logged_in

SCHEME = """
name = "dish"
title = "Would the same dish come out?"
positive = ["same"]
[[values]]
value = "same"
key = "1"
name = "the same dish"
[[values]]
value = "other"
key = "2"
name = "another dish"
"""
RECIPE = """
[[step]]
name = "pairs"
do = "import"
kind = "pairs"
paths = ["sources/dishes.jsonl"]
[[step]]
name = "label"
do = "label"
[[step]]
name = "report"
do = "report"
synonyms = "words/kitchen.tab"
after = ["label"]
"""
WORDNET = "# Kitchen\teng\thttps://example.org\tCC0\n00000001-v\teng:lemma\tsimmer\n00000001-v\teng:lemma\tboil\n"
PASSPHRASE = "salt and pepper, please\n"


@pytest.fixture
def kitchen(tmp_path: Path, run: Run) -> Path:
    """A project with everything of its own, begun by running its recipe."""
    (tmp_path / "dish.toml").write_text(SCHEME)
    (tmp_path / "dish.md").write_text("# Dishes\n\nTaste both.\n")
    assert run("new", "kitchen", "--lang", "en", "--scheme", "dish.toml").returncode == 0
    folder = tmp_path / "kitchen"
    (folder / "recipe.toml").write_text(RECIPE)
    for name, text in (("words/kitchen.tab", WORDNET), ("sources/dishes.jsonl", pairs())):
        (folder / name).parent.mkdir()
        (folder / name).write_text(text)
    assert "pairs: 1 in, 4 out" in run("run", "kitchen").stderr  # and nothing to report on yet
    return folder


def pairs() -> str:
    rows = [
        {"id": f"p{n}", "text1": f"Simmer {n} onions.", "text2": f"Boil {n} onions.", "group": str(n), "lang": "en"}
        for n in range(4)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def do_a_days_work(folder: Path, run: Run, name: str) -> None:
    """Make a batch, answer all of it on the site, read the guideline, run the recipe."""
    done = run("batch", "new", folder.name, name, "--times", "1")
    assert done.returncode == 0, done.stderr
    run("user", "add", folder.name, "anna", "--password-stdin", stdin="tasting with both hands\n")
    with TestClient(make_app(folder)) as client:
        anna = logged_in(client, "anna")
        assert "Taste both." in anna.get("/guidelines/dish").text
        for number, task in enumerate(anna.post(f"/api/v1/batches/{name}/take?count=10").json()):
            answer = {"key": f"{name}-{number}", "slot": task["slot"], "value": "same" if number else "other"}
            assert anna.post("/api/v1/judgements", json=answer).status_code == 201
    done = run("run", folder.name)
    assert done.returncode == 0, done.stderr
    labels = json.loads(run("label", folder.name, "--json").stdout)
    assert "same" in json.dumps(labels)


def test_a_restored_project_can_be_worked_in(kitchen: Path, tmp_path: Path, run: Run) -> None:
    do_a_days_work(kitchen, run, "monday")
    key = project_key(kitchen)
    done = run("backup", "kitchen", "kitchen.tar.gz", "--passphrase-stdin", stdin=PASSPHRASE)
    assert done.returncode == 0, done.stderr
    assert "encrypted: pseudonyms.key" in done.stderr
    shutil.rmtree(kitchen)
    done = run("restore", "kitchen.tar.gz", "again", "--passphrase-stdin", stdin=PASSPHRASE)
    assert done.returncode == 0, done.stderr
    assert project_key(tmp_path / "again") == key
    states = {step["name"]: step["state"] for step in json.loads(run("status", "again", "--json").stdout)["steps"]}
    assert states == {"pairs": "done", "label": "done", "report": "stale"}  # its pages are not in a backup
    do_a_days_work(tmp_path / "again", run, "tuesday")


def test_an_imported_export_can_be_worked_in(kitchen: Path, tmp_path: Path, run: Run) -> None:
    do_a_days_work(kitchen, run, "monday")
    assert run("export", "kitchen", "out").returncode == 0
    assert run("new", "again", "--lang", "en", "--scheme", "dish.toml").returncode == 0
    shutil.rmtree(tmp_path / "again" / "schemes")
    done = run("import", "again", "export", "out")
    assert done.returncode == 0, done.stderr
    do_a_days_work(tmp_path / "again", run, "tuesday")


def test_keys_that_are_left_out_are_named(kitchen: Path, run: Run) -> None:
    project_key(kitchen)
    done = run("backup", "kitchen", "kitchen.tar.gz")
    assert "not in it: pseudonyms.key; add them with --passphrase-stdin" in done.stderr
    run("backup", "kitchen", "keys.tar.gz", "--passphrase-stdin", stdin=PASSPHRASE)
    done = run("restore", "keys.tar.gz", "again")
    assert done.returncode == 0
    assert "the keys are still encrypted" in done.stderr
    done = run("restore", "keys.tar.gz", "other", "--passphrase-stdin", stdin="another passphrase\n")
    assert (done.returncode, done.stderr.strip()[-18:]) == (1, "[wrong-passphrase]")
