"""Encoders in a folder: the vectors of the library itself, whatever the neighbours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from otherwords.models.asking import AskResult, ask
from otherwords.models.catalogue import encoder
from otherwords.models.edges import Item
from tests.errors import raises
from tests.models.tiny import SENTENCES

TEXTS = [*SENTENCES, "the cat", "a river sees my dog", "unknown words"]


def encoded(name: str, texts: list[str]) -> AskResult[np.ndarray]:
    backend = encoder(name)
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    return ask(backend, backend.encode, items, kind=np.ndarray)


@pytest.fixture
def folder(encoder_folder: Path, tmp_path: Path) -> Path:
    """The encoder with the files of sentence-transformers."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules as models

    tokens = models.Transformer(str(encoder_folder))
    pooling = models.Pooling(tokens.get_embedding_dimension(), pooling_mode="mean")
    SentenceTransformer(modules=[tokens, pooling], device="cpu").save(str(tmp_path / "encoder"))
    return tmp_path / "encoder"


def test_the_vectors_of_the_library(folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    expected = SentenceTransformer(str(folder), device="cpu").encode(TEXTS, normalize_embeddings=True)
    found = encoded(f"hf:{folder}", TEXTS).values()
    assert encoder(f"hf:{folder}").dimension == 32
    assert np.stack(found) == pytest.approx(expected, abs=1e-5)  # type: ignore[arg-type]


def test_neighbours_change_nothing(folder: Path) -> None:
    together = encoded(f"hf:{folder}", TEXTS).values()
    alone = [encoded(f"hf:{folder}", [text]).values()[0] for text in TEXTS]
    assert [vector.tobytes() for vector in together if vector is not None] == [
        vector.tobytes() for vector in alone if vector is not None
    ]


def test_empty_and_too_long(folder: Path) -> None:
    result = encoded(f"hf:{folder}", ["", "the cat " * 30, "the cat"])
    assert not result.answers[0].value.any()  # type: ignore[union-attr]
    assert "longer than the model can read" in str(result.answers[1].reason)
    assert float(np.linalg.norm(result.answers[2].value)) == pytest.approx(1)  # type: ignore[arg-type]


def test_a_plain_model_needs_to_be_told_how_to_pool(encoder_folder: Path, folder: Path) -> None:
    with raises("bad-model-option", "pooling"):
        encoder(f"hf:{encoder_folder}")
    pooled, whole = encoded(f"hf:{encoder_folder}?pooling=mean", TEXTS), encoded(f"hf:{folder}", TEXTS)
    assert np.stack(pooled.values()) == pytest.approx(np.stack(whole.values()), abs=1e-6)  # type: ignore[arg-type]


def test_a_prefix_is_part_of_the_model(folder: Path) -> None:
    plain, prefixed = encoder(f"hf:{folder}"), encoder(f"hf:{folder}?prefix=the ")
    assert plain.signature != prefixed.signature
    (vector,) = encoded(f"hf:{folder}?prefix=the ", ["cat"]).values()
    (expected,) = encoded(f"hf:{folder}", ["the cat"]).values()
    assert vector is not None
    assert expected is not None
    assert vector.tobytes() == expected.tobytes()


def test_a_folder_of_something_else(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "modules.json").write_text("[]")
    with raises("wrong-model"):
        encoded(f"hf:{tmp_path / 'other'}", ["the cat"])
