"""``datasets`` loads every config of a release from its folder, without the network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from otherwords.project import create_project, open_project
from otherwords.records import Pair
from tests.corpus.released_corpus import add, fill, judgement, released
from tests.processes import SECONDS

LOAD = """
import datasets, json, sys
datasets.disable_progress_bars()
folder = sys.argv[1]
sizes = {"": {split: len(rows) for split, rows in datasets.load_dataset(folder).items()}}
for name in datasets.get_dataset_config_names(folder):
    loaded = datasets.load_dataset(folder, name)
    sizes[name] = {split: len(rows) for split, rows in loaded.items()}
    sizes[name]["columns"] = loaded["train"].column_names
print(json.dumps(sizes))
"""

TEXTS = """
import datasets, json, sys
datasets.disable_progress_bars()
print(json.dumps([datasets.load_dataset(folder)["train"]["text1"][:] for folder in sys.argv[1:]]))
"""


def run_script(script: str, tmp_path: Path, *folders: Path) -> Any:
    """The output of a script that loads folders with the library."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hub"), "HF_DATASETS_OFFLINE": "1"}
    command = [sys.executable, "-c", script, *map(str, folders)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | offline, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr
    assert "Ignoring" not in done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_config_loads(tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="datasets is not installed")
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        fill(project)
        release = released(project)
    sizes = run_script(LOAD, tmp_path, release.folder)
    assert sizes[""] == {config.name: config for config in release.configs}["plain"].splits
    assert list(sizes) == ["", *(config.name for config in release.configs)]
    for config in release.configs:
        assert sizes[config.name] == {**config.splits, "columns": list(config.features)}


def test_corpora_of_the_same_size_and_folder_name_are_not_taken_for_each_other(tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="datasets is not installed")
    folders = []
    for name, word in (("one", "Boat"), ("two", "Ship")):
        create_project(tmp_path / name, "en", "turku")
        with open_project(tmp_path / name) as project:
            add(project, Pair(id="p", text1=f"{word} ahoy.", text2="Hello.", licence="CC0-1.0"), judgement("p", "4"))
            folders.append(released(project, by="none", anyway=("context",)).folder)
    assert [folder.name for folder in folders] == ["1.0", "1.0"]
    assert run_script(TEXTS, tmp_path, *folders) == [["Boat ahoy."], ["Ship ahoy."]]
