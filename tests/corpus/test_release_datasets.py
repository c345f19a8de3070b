"""``datasets`` loads every config of a release from its folder, without the network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from otherwords.project import create, opened
from tests.corpus.released_corpus import fill, released

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


def test_every_config_loads(tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="datasets is not installed")
    create(tmp_path / "corpus", "en", "turku")
    with opened(tmp_path / "corpus") as project:
        fill(project)
        made = released(project)
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hub"), "HF_DATASETS_OFFLINE": "1"}
    command = [sys.executable, "-c", LOAD, str(made.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | offline)
    assert done.returncode == 0, done.stderr
    assert "Ignoring" not in done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told[""] == {config.name: config for config in made.configs}["plain"].splits
    assert list(told) == ["", *(config.name for config in made.configs)]
    for config in made.configs:
        assert told[config.name] == {**config.splits, "columns": list(config.features)}
