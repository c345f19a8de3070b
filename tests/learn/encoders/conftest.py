"""A tiny encoder, made once per process, and a corpus of small clusters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from otherwords.records import Pair
from tests.learn.labelled import write
from tests.learn.neural import tiny

WORDS = ("cat", "dog", "river", "house")
VERBS = ("sleeps", "runs", "is wide", "is old")


@pytest.fixture(scope="session")
def bert_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("torch", "transformers", "sentence_transformers"):
        pytest.importorskip(package, reason="the extra hf is not installed")
    return tiny.bert(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="package", autouse=True)
def _one_thread() -> Iterator[None]:
    """Threads cost more than such a model gains, and its numbers depend on how many there are."""
    torch = pytest.importorskip("torch", reason="the extra hf is not installed")
    threads = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("otherwords.learn.neural.devices.cores", lambda: 1)
        yield
    torch.set_num_threads(threads)


def clusters(count: int) -> list[Pair]:
    """Pairs of the Turku scheme: for each of so many clusters two positives that share a text, and a negative."""
    made = []
    for number in range(count):
        letters = " ".join(f"{'abcdefgh'[number // 8 % 8]}{'abcdefgh'[number % 8]}")
        word, verb = WORDS[number % 4], VERBS[number // 4 % 4]
        first, second = f"the {word} {letters} {verb} today", f"today the {letters} {word} {verb}"
        third, other = f"a {word} {letters} {verb}", f"a {letters} {WORDS[(number + 1) % 4]} runs quickly"
        labels = ("4", "4>", "3", "4<i")
        made += [
            Pair(id=f"a{number}", text1=first, text2=second, label=labels[number % 4]),
            Pair(id=f"b{number}", text1=second, text2=third, label=labels[(number + 1) % 4]),
            Pair(id=f"n{number}", text1=first, text2=other, label="2"),
        ]
    return made


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("corpus") / "pairs.jsonl", clusters(40))


def relabelled(pairs: list[Pair], label: str | None) -> list[Pair]:
    """The same pairs with another label."""
    return [msgspec.structs.replace(pair, label=label) for pair in pairs]
