"""Folders with tiny models, made once per run where torch and transformers are installed."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.models import tiny


def _folder(factory: pytest.TempPathFactory, make: Callable[[Path], Path]) -> Path:
    if not all(map(find_spec, ("torch", "transformers", "sentence_transformers"))):
        pytest.skip("the extra hf is not installed")
    return make(factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def seq2seq_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _folder(tmp_path_factory, tiny.seq2seq)


@pytest.fixture(scope="session")
def causal_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _folder(tmp_path_factory, tiny.causal)


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _folder(tmp_path_factory, tiny.encoder)
