"""chrF: sacrebleu's values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from sacrebleu.metrics.chrf import CHRF

from otherwords.measures import measure
from otherwords.measures.chrf import chrf_statistics, corpus_chrf
from tests.measures.texts import AWKWARD, PAIRS


def peer(one: list[str], two: list[str], lowercase: bool = False) -> list[float]:
    metric = CHRF(lowercase=lowercase)
    return [
        metric.sentence_score(hypothesis, [reference]).score for reference, hypothesis in zip(one, two, strict=True)
    ]


def test_matches_are_clipped() -> None:
    # "aa" against "aaa": one character of the hypothesis has no partner, neither has one of its two "aa"
    first, second, third, *_ = chrf_statistics(["a a"], ["aaa"])[0].tolist()
    assert (first, second, third) == ([2, 3, 2], [1, 2, 1], [0, 1, 0])


@pytest.mark.parametrize("case", ["mixed", "lc"])
def test_awkward_texts_equal_sacrebleu(case: str) -> None:
    one = [text for text in AWKWARD for _ in AWKWARD]
    two = AWKWARD * len(AWKWARD)
    assert measure(f"chrf:case={case}").scores(one, two).tolist() == peer(one, two, case == "lc")


@given(PAIRS)
@settings(max_examples=60, deadline=None)
def test_any_texts_equal_sacrebleu(pairs: list[tuple[str, str]]) -> None:
    one, two = (list(side) for side in zip(*pairs, strict=True))
    assert measure("chrf").scores(one, two) == pytest.approx(peer(one, two), abs=1e-9)


def test_corpus_chrf_equals_sacrebleu() -> None:
    one, two = ["The cat sat on the mat.", "ab", "x", ""], ["A cat sat on that mat!", "abc", "longer", "y"]
    assert corpus_chrf(one, two) == pytest.approx(CHRF().corpus_score(two, [one]).score, abs=1e-9)


def test_signature() -> None:
    assert measure("chrf").signature() == "chrf|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:0.1.0"
