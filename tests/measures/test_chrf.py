"""chrF: sacrebleu's values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from sacrebleu.metrics.chrf import CHRF

from otherwords.measures import measure
from otherwords.measures.chrf import Chrf, chrf_statistics
from tests.measures.texts import AWKWARD, PAIRS


def peer(texts1: list[str], texts2: list[str], lowercase: bool = False) -> list[float]:
    metric = CHRF(lowercase=lowercase)
    return [
        metric.sentence_score(hypothesis, [reference]).score
        for reference, hypothesis in zip(texts1, texts2, strict=True)
    ]


def test_matches_are_clipped() -> None:
    # "aa" against "aaa": one character of the hypothesis has no partner, neither has one of its two "aa"
    first, second, third, *_ = chrf_statistics(["a a"], ["aaa"])[0].tolist()
    assert (first, second, third) == ([2, 3, 2], [1, 2, 1], [0, 1, 0])


@pytest.mark.parametrize("case", ["mixed", "lc"])
def test_awkward_texts_equal_sacrebleu(case: str) -> None:
    texts1 = [text for text in AWKWARD for _ in AWKWARD]
    texts2 = AWKWARD * len(AWKWARD)
    assert measure(f"chrf:case={case}").scores(texts1, texts2).tolist() == peer(texts1, texts2, case == "lc")


@given(PAIRS)
@settings(max_examples=60)
def test_any_texts_equal_sacrebleu(pairs: list[tuple[str, str]]) -> None:
    texts1, texts2 = (list(side) for side in zip(*pairs, strict=True))
    assert measure("chrf").scores(texts1, texts2) == pytest.approx(peer(texts1, texts2), abs=1e-9)


def test_corpus_chrf_equals_sacrebleu() -> None:
    texts1, texts2 = ["The cat sat on the mat.", "ab", "x", ""], ["A cat sat on that mat!", "abc", "longer", "y"]
    assert Chrf().corpus(texts1, texts2) == pytest.approx(CHRF().corpus_score(texts2, [texts1]).score, abs=1e-9)


def test_signature() -> None:
    assert measure("chrf").signature() == "chrf|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:0.1.0"
