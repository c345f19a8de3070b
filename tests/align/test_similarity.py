"""Document vectors against scikit-learn, and the search against comparing everything with everything."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords import _kernels
from otherwords.align import document_vectors, similarity
from otherwords.align.document_vectors import cosines, estimates, fit, rounding, vectorise
from otherwords.align.similarity import ComparedPairs, similar_pairs
from otherwords.measures import measure
from otherwords.measures.columns import Floats

TEXTS = [
    "The ferry was late again, and nobody on the pier knew why.",
    "Again the FERRY came late; on the pier nobody could say why.",
    "İstanbul'da ΟΔΟΣ ΣΟΦΙΑΣ 🐈 x",
    "",
    "   \n ",
    "a b c a b a",
    "Lautta oli taas myöhässä, eikä laiturilla kukaan tiennyt miksi.",
    "猫は窓辺で眠っている。 猫 は 窓辺",
    "the " * 400 + "ferry",
]


def expected(texts: list[str]) -> Floats:
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit_transform(texts)
    cosine: Floats = (vectors @ vectors.T).toarray()
    return cosine


def exact(texts: list[str]) -> Floats:
    fitted = fit(texts)
    vectors = vectorise(fitted, texts)
    places1, places2 = (places.ravel() for places in np.indices((len(texts), len(texts))))
    return cosines(fitted, vectors, vectors, places1, places2).reshape(len(texts), -1)


def test_cosines_are_those_of_scikit_learn() -> None:
    np.testing.assert_allclose(exact(TEXTS), expected(TEXTS), rtol=0, atol=1e-14)


def test_cosines_are_those_of_the_measure() -> None:
    chosen = measure("char-cosine-tfidf")
    chosen.fit([TEXTS])
    scores = chosen.scores([TEXTS[0]] * len(TEXTS), TEXTS)
    np.testing.assert_allclose(exact(TEXTS)[0], scores, rtol=0, atol=1e-15)


@pytest.mark.parametrize("dense", [0, 1, 40, 100_000])
def test_estimates_are_close_wherever_the_dense_part_ends(dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_vectors, "DENSE", dense)
    fitted = fit(TEXTS)
    block1, block2 = vectorise(fitted, TEXTS[:4]), vectorise(fitted, TEXTS[4:])
    difference = np.abs(estimates(block1, block2) - exact(TEXTS)[:4, 4:]).max()
    assert difference <= rounding(block1, block2) < 1e-3


def test_the_order_of_the_documents_changes_no_bit() -> None:
    rng = random.Random(3)
    texts = invented(60, rng)
    order = list(range(60))
    rng.shuffle(order)
    whole, shuffled = exact(texts), exact([texts[place] for place in order])
    assert (whole[np.ix_(order, order)] == shuffled).all()


def test_a_single_text_without_ngrams() -> None:
    assert exact([""]).tolist() == [[0.0]]


def invented(count: int, rng: random.Random) -> list[str]:
    words = ["".join(rng.choices("aeioukstlmn", k=rng.randint(1, 7))) for _ in range(80)]
    return [" ".join(rng.choices(words, k=rng.randint(0, 25))) for _ in range(count)]


def by_hand(texts: list[str], compared: ComparedPairs, floor: float) -> list[tuple[int, int, float]]:
    cosine = exact(texts) if texts else np.empty((0, 0))
    return [
        (early, late, float(cosine[late, early]))
        for early in range(len(texts))
        for late in range(early + 1, len(texts))
        if early >= compared.firsts[late]
        and (compared.sides is None or compared.sides[early] != compared.sides[late])
        and (compared.selected is None or compared.selected[late])
        and cosine[late, early] >= floor
    ]


@settings(max_examples=40)
@given(
    st.integers(0, 40),
    st.integers(1, 9),
    st.sampled_from([0.0, 0.2, 0.5]),
    st.booleans(),
    st.booleans(),
    st.integers(0, 1000),
)
def test_the_search_finds_all_pairs_and_no_others(
    count: int, at_once: int, floor: float, sided: bool, selecting: bool, seed: int
) -> None:
    rng = random.Random(seed)
    texts = invented(count, rng)
    firsts = np.array([max(0, place - rng.randint(3, 4)) for place in range(count)], np.int64)
    firsts = np.maximum.accumulate(firsts) if count else firsts
    sides = np.array([rng.randrange(2) for _ in texts], np.int64) if sided else None
    selected = np.array([rng.random() < 0.5 for _ in texts], bool) if selecting else None
    compared = ComparedPairs(firsts, sides, selected)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similarity, "DOCUMENTS_PER_BLOCK", at_once)
        result = similar_pairs(texts, compared, floor, threads=1)
        assert rows(result) == by_hand(texts, compared, floor)
        assert compared.count() == len(by_hand(texts, compared, 0.0))
        assert rows(similar_pairs(texts, compared, floor, threads=4)) == rows(result)


def rows(result: similarity.SimilarPairs) -> list[tuple[int, int, float]]:
    return list(zip(result.earlier.tolist(), result.later.tolist(), result.similarity.tolist(), strict=True))


def test_blocks_out_of_reach_are_released(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "DOCUMENTS_PER_BLOCK", 2)
    widths: list[int] = []
    windows = similarity._windows

    def watched(*arguments: object) -> object:
        for window in windows(*arguments):  # type: ignore[arg-type]
            widths.append(len(window))
            yield window

    monkeypatch.setattr(similarity, "_windows", watched)
    similar_pairs(["one text"] * 12, ComparedPairs(np.maximum(np.arange(12) - 3, 0)), 0.5)
    assert widths == [1, 2, 3, 3, 3, 3]


def test_kernels_refuse_what_does_not_fit() -> None:
    fitted = fit(["one text", "another"])
    vectors = vectorise(fitted, ["one text"])
    table = np.zeros((1, 1), np.float32)
    ranks, places, weights = vectors.rare if len(vectors.rare[0]) else (np.zeros(1, np.uint32),) * 2 + (table[0],)
    with pytest.raises(ValueError, match="a row of the table"):
        _kernels.shared_products(table, ranks, places + 1, weights, ranks, places, weights, 1)
    with pytest.raises(ValueError, match="width"):
        _kernels.shared_products(table, ranks, places, weights, ranks, places, weights, 0)
    with pytest.raises(ValueError, match="places"):
        cosines_at(fitted, vectors, 7)
    with pytest.raises(ValueError, match="rank"):
        _kernels.document_grams(
            fitted.vocabulary,
            fitted.ranks[:-1].copy(),
            np.zeros(1, np.int64),
            b"",
            np.zeros(0, np.int64),
            np.zeros(0x110000, np.uint32),
            2,
            4,
        )


def cosines_at(fitted: document_vectors.Fit, vectors: document_vectors.VectorBlock, place: int) -> None:
    out, at = np.empty(1), np.array([place])
    entries = (vectors.starts, vectors.ranks, vectors.counts)
    _kernels.pair_products(out, *entries, *entries, at, at, fitted.squares)
