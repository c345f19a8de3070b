"""Closeness of unmatched words, with vectors that were made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from otherwords.learn.features import closeness
from otherwords.learn.features.closeness import closeness_features
from otherwords.learn.features.extractor import vector_features
from otherwords.learn.features.matching import match_words
from otherwords.learn.features.words import WordNumbers
from otherwords.text.packs import pack

VECTORS = {"dog": (1.0, 0.0), "hound": (0.8, 0.6), "table": (0.0, 1.0), "slept": (0.6, 0.8)}
TEXTS1 = ["dog slept", "dog", "", "dog table slept"]
TEXTS2 = ["hound slept", "dog", "table", "slept hound"]


def columns(texts1: list[str], texts2: list[str]) -> dict[str, list[float]]:
    numbers = WordNumbers(pack("en"))
    words1, words2 = numbers.read(texts1), numbers.read(texts2)
    vectors = np.array([VECTORS[word] for word in numbers.forms])
    matched = match_words(words1, words2)
    found = closeness_features(words1, words2, matched, vectors, np.ones(len(vectors)))
    return {name: column.tolist() for name, column in found.items()}


def test_the_closest_word_of_the_other_text_counts() -> None:
    found = columns(TEXTS1, TEXTS2)
    # dog: hound 0.8, slept 0.6; table: slept 0.8, hound 0.6
    assert found["closeness of words only in A"] == pytest.approx([0.8, 1, 1, 0.8])
    assert found["farthest word only in A"] == pytest.approx([0.8, 1, 1, 0.8])
    # hound: dog 0.8, slept 0.96; a table beside nothing is close to nothing
    assert found["closeness of words only in B"] == pytest.approx([0.96, 1, 0, 0.96])
    assert found["closeness of what differs"] == pytest.approx([0.8, 0, 0, (0.8 + 0.6) / np.sqrt(2)])


def test_swapped_texts_swap_the_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    found = columns(TEXTS1, TEXTS2)
    monkeypatch.setattr(closeness, "COMPARISONS", 2)
    swapped = columns(TEXTS2, TEXTS1)
    assert found["closeness of words only in A"] == pytest.approx(swapped["closeness of words only in B"])
    assert found["farthest word only in B"] == pytest.approx(swapped["farthest word only in A"])
    assert found["closeness of what differs"] == pytest.approx(swapped["closeness of what differs"])


def test_vectors_of_whole_texts() -> None:
    found = vector_features(np.array([[1.0, 0.0], [0.6, 0.8]]), np.array([[1.0, 0.0], [0.8, 0.6]]))
    assert found["cosine of vectors"].tolist() == pytest.approx([1, 0.96])
    assert found["mean difference of vectors"].tolist() == pytest.approx([0, 0.2])
    assert found["largest difference of vectors"].tolist() == pytest.approx([0, 0.2])
    assert found["spread of products"].tolist() == pytest.approx([0.5, 0])
    assert [len(column) for column in vector_features(np.zeros((0, 0)), np.zeros((0, 0))).values()] == [0] * 4
