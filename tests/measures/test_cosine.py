"""Character cosine: scikit-learn's values, and a case worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords import _kernels
from otherwords.measures import measure
from otherwords.measures.columns import column
from otherwords.measures.cosine import CONTEXT, cosine_statistics, folding
from tests.measures.texts import AWKWARD, PAIRS


def peer(texts1: list[str], texts2: list[str], orders: tuple[int, int], lowercase: bool) -> np.ndarray:
    """Dot product and squared norms of CountVectorizer's counts."""
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(analyzer="char_wb", ngram_range=orders, lowercase=lowercase)
    analyse = vectorizer.build_analyzer()
    if not any(analyse(text) for text in texts1 + texts2):
        return np.zeros((len(texts1), 3), np.int64)
    counts = vectorizer.fit_transform(texts1 + texts2).astype(np.int64)
    a, b = counts[: len(texts1)], counts[len(texts1) :]
    sums = [np.asarray(x.multiply(y).sum(axis=1)).ravel() for x, y in ((a, b), (a, a), (b, b))]
    return np.stack(sums, axis=1)


def test_a_case_by_hand() -> None:
    # " ab " has " a" "ab" "b " " ab" "ab " " ab "; " b " has " b" "b " " b "
    assert cosine_statistics(["ab"], ["B"]).tolist() == [[1, 6, 3]]
    assert measure("char-cosine").scores(["ab"], ["B"])[0] == pytest.approx(1 / np.sqrt(18), abs=1e-15)


def test_counts_are_raw() -> None:
    # twice " a", "a " and " a " against once: dot 6, squares 12 and 3
    assert cosine_statistics(["a a"], ["a"]).tolist() == [[6, 12, 3]]


def test_a_text_without_ngrams_has_cosine_0_even_with_itself() -> None:
    assert measure("char-cosine").scores(["", " \u3000", "a"], ["", " ", ""]).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("orders", [(2, 4), (1, 4), (1, 1), (3, 3), (4, 4), (2, 6), (5, 7), (4, 9)])
@pytest.mark.parametrize("case", ["lc", "mixed"])
def test_awkward_texts_equal_scikit_learn(orders: tuple[int, int], case: str) -> None:
    texts1 = [text for text in AWKWARD for _ in AWKWARD]
    texts2 = AWKWARD * len(AWKWARD)
    ours = cosine_statistics(texts1, texts2, orders, "lc" if case == "lc" else "mixed")
    assert ours.tolist() == peer(texts1, texts2, orders, case == "lc").tolist()


@given(PAIRS, st.sampled_from([(2, 4), (1, 3), (4, 5)]))
@settings(max_examples=60)
def test_any_texts_equal_scikit_learn(pairs: list[tuple[str, str]], orders: tuple[int, int]) -> None:
    texts1, texts2 = (list(side) for side in zip(*pairs, strict=True))
    assert cosine_statistics(texts1, texts2, orders).tolist() == peer(texts1, texts2, orders, True).tolist()


def test_pairs_with_more_characters_than_codes_are_counted_exactly() -> None:
    everything = "".join(chr(0x20000 + number) for number in range(3000))
    texts1 = [everything, everything[:70], everything[:64] + " \0"]
    texts2 = [everything[::-1], everything[6:], "\0" + everything[:65]]
    assert cosine_statistics(texts1, texts2).tolist() == peer(texts1, texts2, (2, 4), True).tolist()


def test_codes_are_given_anew_when_none_is_left() -> None:
    rows = ["".join(chr(0x4E00 + 50 * row + number) for number in range(100)) for row in range(20)]
    texts1, texts2 = [f"a {row[:40]} b" for row in rows], [f"{row[20:]} a" for row in rows]
    assert cosine_statistics(texts1, texts2).tolist() == peer(texts1, texts2, (2, 4), True).tolist()


def test_words_that_begin_alike_and_very_long_texts() -> None:
    long = "sixteen-letters-" + "and more"
    texts1 = [f"{long} {long}s", f"{long}s {long} {long}s", "ab cd " * 8000]
    texts2 = [f"{long}t {long}s", long, "cd ab c " * 5000]
    assert cosine_statistics(texts1, texts2).tolist() == peer(texts1, texts2, (2, 4), True).tolist()


def test_folding_is_that_of_python() -> None:
    lower, mixed = folding("lc"), folding("mixed")
    for point in range(0x110000):
        char = chr(point)
        if lower[point] == CONTEXT:
            assert char in "İΣ"
        else:
            assert chr(lower[point]) == (" " if char.isspace() else char.lower())
        assert chr(mixed[point]) == (" " if char.isspace() else char)


def test_scores_are_exactly_1_for_equal_texts() -> None:
    texts = ["the cat sat on the mat", "кот " * 1000, "x"]
    assert measure("char-cosine").scores(texts, texts).tolist() == [1.0, 1.0, 1.0]


def test_bytes_that_are_no_utf8_are_survived() -> None:
    broken = b"\x80\xbf\xe2\x80 a\xf0\x9f\x98 \xff\xc2" * 50
    text = column(["x"])
    offsets = np.array([0, len(broken)], np.int64)
    out = np.empty((1, 4), np.int64)
    _kernels.cosine(offsets, broken, text.offsets, text.data, out, folding("lc"), 2, 4)
    assert out[0, 1] > 0


def test_kernels_refuse_what_does_not_fit() -> None:
    texts = column(["a", "b"])
    out = np.empty((2, 4), np.int64)
    with pytest.raises(ValueError, match="offsets"):
        _kernels.cosine(texts.offsets[::-1].copy(), texts.data, texts.offsets, texts.data, out, folding("lc"), 2, 4)
    with pytest.raises(ValueError, match="bytes"):
        _kernels.cosine(texts.offsets, texts.data, texts.offsets, texts.data, out[:1], folding("lc"), 2, 4)
    with pytest.raises(ValueError, match="rows"):
        _kernels.cosine(texts.offsets, texts.data, texts.offsets[:2], texts.data, out, folding("lc"), 2, 4)
    with pytest.raises(ValueError, match="n-grams"):
        _kernels.cosine(texts.offsets, texts.data, texts.offsets, texts.data, out, folding("lc"), 3, 2)
    with pytest.raises(ValueError, match="folding"):
        _kernels.cosine(texts.offsets, texts.data, texts.offsets, texts.data, out, folding("lc")[:9], 2, 4)
