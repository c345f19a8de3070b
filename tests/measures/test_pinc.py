"""PINC: by hand, and against its definition in plain Python."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from otherwords.measures import measure
from otherwords.text.ngrams import token_ngrams
from otherwords.text.tokenise import tokeniser
from tests.measures.texts import PAIRS


@pytest.mark.parametrize(
    ("source", "candidate", "expected"),
    [
        ("a b c d", "a b c d", 0.0),
        ("a b c d", "w x y z", 1.0),
        ("a b c d", "a b x d", (1 / 4 + 2 / 3 + 1 + 1) / 4),
        ("a b c d", "b a", (0 + 1) / 2),  # no trigrams: only two lengths count
        ("a b", "", 0.0),
        ("", "a", 1.0),
    ],
)
def test_by_hand(source: str, candidate: str, expected: float) -> None:
    assert measure("pinc").scores([source], [candidate])[0] == pytest.approx(expected, abs=1e-15)


@given(PAIRS)
@settings(max_examples=60, deadline=None)
def test_any_texts_equal_the_definition(pairs: list[tuple[str, str]]) -> None:
    words = tokeniser("words").tokens
    found = measure("pinc").scores(*zip(*pairs, strict=True))
    for (source, candidate), score in zip(pairs, found, strict=True):
        shares = []
        for n in range(1, 5):
            theirs, ours = ({*token_ngrams(words(text), n)} for text in (source, candidate))
            if ours:
                shares.append(1 - len(ours & theirs) / len(ours))
        assert score == pytest.approx(sum(shares) / len(shares) if shares else 0.0, abs=1e-12)


def test_source_and_candidate_differ() -> None:
    assert measure("pinc:n=1").scores(["a b"], ["a"])[0] == 0.0
    assert measure("pinc:n=1").scores(["a"], ["a b"])[0] == 0.5
    assert not measure("pinc").symmetric
