"""Tf-idf cosine: scikit-learn's values, and what makes one fit equal to another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from otherwords.measures import Measure, measure, score_columns
from otherwords.measures import tfidf as implementation
from tests.errors import raises
from tests.measures.texts import AWKWARD, PAIRS


def fitted(*columns: list[str], spec: str = "char-cosine-tfidf") -> Measure:
    chosen = measure(spec)
    chosen.fit(columns)
    return chosen


def peer(fit_on: list[str], texts1: list[str], texts2: list[str], orders: tuple[int, int] = (2, 4)) -> np.ndarray:
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=orders)
    if not any(map(vectorizer.build_analyzer(), fit_on)):
        return np.zeros(len(texts1))
    vectorizer.fit(fit_on)
    return np.asarray(vectorizer.transform(texts1).multiply(vectorizer.transform(texts2)).sum(axis=1)).ravel()


@pytest.mark.parametrize("orders", [(2, 4), (1, 3), (3, 3), (4, 6)])
def test_awkward_texts_equal_scikit_learn(orders: tuple[int, int]) -> None:
    texts1 = [text for text in AWKWARD for _ in AWKWARD]
    texts2 = AWKWARD * len(AWKWARD)
    ours = fitted(AWKWARD, spec=f"char-cosine-tfidf:n={orders[0]}-{orders[1]}").scores(texts1, texts2)
    assert ours == pytest.approx(peer(AWKWARD, texts1, texts2, orders), abs=1e-12)


@given(PAIRS)
@settings(max_examples=60)
def test_any_texts_equal_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    texts1, texts2 = (list(side) for side in zip(*pairs, strict=True))
    assert fitted(texts1, texts2).scores(texts1, texts2) == pytest.approx(
        peer(texts1 + texts2, texts1, texts2), abs=1e-12
    )


def test_ngrams_that_no_document_has_count_for_nothing() -> None:
    documents, texts1, texts2 = ["the cat sat"], ["the dog sat", "zzz", "the cat"], ["the cow sat", "zzz", "qqq"]
    assert fitted(documents).scores(texts1, texts2) == pytest.approx(peer(documents, texts1, texts2), abs=1e-12)
    assert fitted(documents).scores(["zzz"], ["zzz"]).tolist() == [0.0]


@pytest.mark.parametrize("words", [16_383, 16_384, 16_385, 32_768, 70_000])
def test_counts_beyond_16_bits(words: int) -> None:
    texts1, texts2 = ["a " * words], ["a b " * (words // 2)]
    scores = fitted(texts1, texts2, spec="char-cosine-tfidf:n=1-2").scores(texts1, texts2)
    assert scores == pytest.approx(peer(texts1 + texts2, texts1, texts2, (1, 2)), abs=1e-12)


def test_more_words_than_the_cache_holds() -> None:
    texts1 = [" ".join(f"w{number}x{place}" for place in range(50)) for number in range(3000)]
    texts2 = texts1[1:] + texts1[:1]
    forward, backward = fitted(texts1), fitted(texts1[::-1])
    assert forward.signature() == backward.signature()
    scores = forward.scores(texts1, texts2)
    assert np.array_equal(scores[-100:], backward.scores(texts1[-100:], texts2[-100:]))
    assert np.array_equal(scores[:100], backward.scores(texts1[:100], texts2[:100]))


def test_the_signature_tells_fits_apart_and_not_their_order() -> None:
    texts = ["the cat sat", "on the mat", "ΟΔΟΣ", "on the mat"]
    signature = fitted(texts).signature()
    assert "|fit:4-" in signature
    assert fitted(texts[::-1]).signature() == signature
    assert fitted(texts[:2], texts[2:]).signature() == signature
    assert fitted(texts[:3]).signature() != signature
    assert fitted([*texts[:3], "on the hat"]).signature() != signature


def test_fitting_on_several_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{text} {number}" for number in range(40) for text in AWKWARD]
    alone = fitted(texts)
    expected = alone.scores(texts, texts[::-1])
    monkeypatch.setattr(implementation, "TEXTS_PER_THREAD", 50)
    monkeypatch.setattr(implementation, "cores", lambda: 4)
    together = fitted(texts)
    assert together.signature() == alone.signature()
    assert np.array_equal(score_columns([together], texts, texts[::-1], threads=4)[together.name], expected)


def test_without_a_fit_there_are_no_scores() -> None:
    with raises("not-fitted"):
        measure("char-cosine-tfidf").scores(["a"], ["b"])


def test_after_the_first_scores_the_fit_is_closed() -> None:
    chosen = fitted(["a b"])
    before = chosen.signature()
    chosen.scores(["a"], ["b"])
    assert chosen.signature() == before
    with raises("fit-after-use"):
        chosen.fit([["c"]])
