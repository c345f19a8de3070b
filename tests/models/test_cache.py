"""The cache of answers: what is kept, and what a withdrawal deletes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from otherwords.errors import ProjectError
from otherwords.models.cache import AnswerCache
from otherwords.models.edges import TextProbability


@pytest.fixture
def cache(tmp_path: Path) -> AnswerCache:
    return AnswerCache(tmp_path / "cache" / "answers.sqlite")


def test_answers_of_every_kind_come_back(cache: AnswerCache) -> None:
    cache.store("translator", {"one": "eins"})
    cache.store("encoder", {"one": np.array([0.5, -0.25], np.float32)})
    cache.store("lm", {"one": TextProbability(-3.5, 2)})
    assert cache.find("translator", ["one", "two"], str) == {"one": "eins"}
    assert cache.find("encoder", ["one"], np.ndarray)["one"].tolist() == [0.5, -0.25]
    assert cache.find("lm", ["one"], TextProbability) == {"one": TextProbability(-3.5, 2)}
    assert cache.find("another", ["one"], str) == {}


def test_sizes_by_model(cache: AnswerCache) -> None:
    cache.store("translator", {"one": "eins", "two": "zwei"})
    (model,) = cache.sizes()
    assert (model.signature, model.answers) == ("translator", 2)
    assert model.bytes > len("onetwoeinszwei")


def test_forgetting_a_text_deletes_what_follows_from_it(cache: AnswerCache, tmp_path: Path) -> None:
    cache.store("en-es", {"The lamp is lit.": "La lámpara arde.", "The door is shut.": "La puerta está cerrada."})
    cache.store("es-en", {"La lámpara arde.": "The candle burns."})
    cache.store("encoder", {"The candle burns.": np.array([1.0], np.float32)})
    document = "At night the house is quiet. The lamp is lit. Nobody sleeps."
    assert cache.forget([document]) == 3
    assert cache.find("en-es", ["The lamp is lit.", "The door is shut."], str) == {
        "The door is shut.": "La puerta está cerrada."
    }
    cache.close()
    assert not any(b"candle" in path.read_bytes() for path in (tmp_path / "cache").iterdir())


def test_only_the_owner_can_read_it(cache: AnswerCache) -> None:
    assert cache.path.stat().st_mode & 0o077 == 0


def test_a_file_that_is_no_cache(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_text("not a database, but long enough to be read as the header of one" * 20)
    with pytest.raises(ProjectError) as caught:
        AnswerCache(path)
    assert caught.value.code == "cache-unusable"
