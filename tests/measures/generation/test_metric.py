"""What holds for every measure of generated texts, and values computed by hand."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from otherwords.errors import DataError, UsageError
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.generation.combined import weighted_harmonic
from otherwords.measures.generation.metric import GeneratedTexts, generation_metric
from otherwords.measures.generation.token_matching import matched_f1
from otherwords.models.edges import TokenVectors

WITHOUT_ENCODER = ["bleu", "chrf", "self-bleu", "pinc", "copies", "distinct", "distinct:n=1"]
WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "ran",
    "on",
    "under",
    "mat",
    "house",
    "old",
    "red",
    "blue",
    "tree",
    "slowly",
    "quickly",
]


def texts(count: int = 40, seed: int = 0) -> GeneratedTexts:
    chance = random.Random(seed)

    def sentence() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(0, 9)))

    sets = [tuple(sentence() for _ in range(chance.randint(0, 3))) for _ in range(count)]
    sources = [f"{sentence()} {number}" for number in range(count)]
    outputs = [source if chance.random() < 0.2 else sentence() for source in sources]
    return GeneratedTexts(sources, outputs, sets)


@pytest.mark.parametrize("name", WITHOUT_ENCODER)
def test_neither_order_nor_company_changes_anything(name: str) -> None:
    metric, whole = generation_metric(name), texts()
    shuffled = whole.take(random.Random(1).sample(range(len(whole)), len(whole)))
    drawn = Bootstrap(50)
    first, second = (metric.evidence(part.in_order()) for part in (whole, shuffled))
    assert first.overall(drawn) == second.overall(drawn)
    alone = [metric.evidence(whole.take([row])).scores[0] for row in range(len(whole))]
    np.testing.assert_array_equal(metric.evidence(whole).scores, alone)


@pytest.mark.parametrize("name", WITHOUT_ENCODER)
def test_an_interval_has_the_value_in_it(name: str) -> None:
    found = generation_metric(name).evidence(texts(200).in_order()).overall(Bootstrap(200))
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert found.low <= found.value <= found.high


def test_distinct_by_hand() -> None:
    whole = GeneratedTexts(["x", "y"], ["a b a b", "a b c"])
    found = generation_metric("distinct:n=2").evidence(whole)
    assert found.overall(Bootstrap()).value == 3 / 5  # ab, ba, bc among ab ba ab, ab bc
    assert found.scores.tolist() == [2 / 3, 1.0]


def test_copies_are_told_by_their_words() -> None:
    whole = GeneratedTexts(["The cat.", "A dog", "!!", ""], ["the  cat", "a cat", "??", ""])
    assert generation_metric("copies").evidence(whole).scores.tolist() == [1, 0, 0, 1]


def test_bert_ibleu_by_hand() -> None:
    closeness, change = np.array([0.9, 1.0, 0.0, 0.5]), np.array([0.5, 0.0, 0.7, 1.0])
    found = weighted_harmonic(closeness, change, 4.0)
    np.testing.assert_allclose(found, [5 / (4 / 0.9 + 1 / 0.5), 0.0, 0.0, 5 / (4 / 0.5 + 1)])


def test_matching_by_hand() -> None:
    """Marks can be matched but do not count."""
    output = TokenVectors(np.array([[1.0, 0], [0, 1.0]]), np.array([False, True]))
    reference = TokenVectors(np.array([[1.0, 0], [0.6, 0.8]]), np.array([True, True]))
    precision, recall = 0.8, (1.0 + 0.8) / 2
    assert matched_f1(output, reference) == pytest.approx(2 * precision * recall / (precision + recall))
    assert matched_f1(output, TokenVectors(np.zeros((0, 2)), np.zeros(0, bool))) == 0.0


def test_what_has_no_score_is_left_out_of_the_mean() -> None:
    whole = GeneratedTexts(["x", "y"], ["a b", ""], [(), ()])
    found = generation_metric("bleu").evidence(whole)
    assert found.overall(Bootstrap(10)).value is None
    assert all(map(math.isnan, found.scores))


def test_bad_requests() -> None:
    with pytest.raises(UsageError) as problem:
        generation_metric("blue")
    assert problem.value.code == "unknown-measure-of-generated-texts"
    with pytest.raises(DataError) as unequal:
        GeneratedTexts(["a"], [])
    assert unequal.value.code == "unequal-columns"
