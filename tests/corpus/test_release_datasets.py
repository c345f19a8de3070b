"""``datasets`` loads every config of a release from its folder, without the network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from otherwords.project import create, opened
from otherwords.records import Pair
from tests.corpus.released_corpus import add, fill, released, said

LOAD = """
import datasets, json, sys
datasets.disable_progress_bars()
folder = sys.argv[1]
told = {"": {split: len(rows) for split, rows in datasets.load_dataset(folder).items()}}
for name in datasets.get_dataset_config_names(folder):
    loaded = datasets.load_dataset(folder, name)
    told[name] = {split: len(rows) for split, rows in loaded.items()}
    told[name]["columns"] = loaded["train"].column_names
print(json.dumps(told))
"""

TEXTS = """
import datasets, json, sys
datasets.disable_progress_bars()
print(json.dumps([datasets.load_dataset(folder)["train"]["text1"][:] for folder in sys.argv[1:]]))
"""


def loaded(script: str, tmp_path: Path, *folders: Path) -> Any:
    """What a script with the library says of some folders."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hub"), "HF_DATASETS_OFFLINE": "1"}
    command = [sys.executable, "-c", script, *map(str, folders)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | offline)
    assert done.returncode == 0, done.stderr
    assert "Ignoring" not in done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_config_loads(tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="datasets is not installed")
    create(tmp_path / "corpus", "en", "turku")
    with opened(tmp_path / "corpus") as project:
        fill(project)
        made = released(project)
    told = loaded(LOAD, tmp_path, made.folder)
    assert told[""] == {config.name: config for config in made.configs}["plain"].splits
    assert list(told) == ["", *(config.name for config in made.configs)]
    for config in made.configs:
        assert told[config.name] == {**config.splits, "columns": list(config.features)}


def test_corpora_of_the_same_size_and_folder_name_are_not_taken_for_each_other(tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="datasets is not installed")
    folders = []
    for name, word in (("one", "Boat"), ("two", "Ship")):
        create(tmp_path / name, "en", "turku")
        with opened(tmp_path / name) as project:
            add(project, Pair(id="p", text1=f"{word} ahoy.", text2="Hello."), said("p", "4"))
            folders.append(released(project, by="none", anyway=("context",)).folder)
    assert [folder.name for folder in folders] == ["1.0", "1.0"]
    assert loaded(TEXTS, tmp_path, *folders) == [["Boat ahoy."], ["Ship ahoy."]]
