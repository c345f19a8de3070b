"""Tiny models, made once per process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.learn.neural import tiny


@pytest.fixture(scope="session")
def bert_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _folder(tmp_path_factory, tiny.bert)


@pytest.fixture(scope="session")
def t5_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _folder(tmp_path_factory, tiny.t5)


@pytest.fixture(autouse=True)
def _threads_as_before() -> Iterator[None]:
    torch = pytest.importorskip("torch", reason="the extra hf is not installed")
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


def _folder(factory: pytest.TempPathFactory, make: Callable[[Path], Path]) -> Path:
    for package in ("torch", "transformers"):
        pytest.importorskip(package, reason="the extra hf is not installed")
    return make(factory.mktemp("tiny"))
