"""A tiny encoder, made once per process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.learn.neural import tiny


@pytest.fixture(scope="session")
def bert_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("torch", "transformers"):
        pytest.importorskip(package, reason="the extra hf is not installed")
    return tiny.bert(tmp_path_factory.mktemp("bert"))
