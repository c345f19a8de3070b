"""BLEU and chrF with many references have the values of sacrebleu."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.generation.metric import GeneratedTexts, generation_metric

sacrebleu = pytest.importorskip("sacrebleu")
WORD = st.sampled_from(["the", "cat", "sat", "on", "a", "mat", "mat.", "dog,", "Dog", "12.5", "it's"])
TEXT = st.lists(WORD, max_size=9).map(" ".join)
SET = st.lists(TEXT, min_size=1, max_size=4)
NONE = Bootstrap(0)


def columns(sets: list[tuple[str, ...]]) -> list[list[str | None]]:
    """References as sacrebleu takes them: the first of every source, the second of every source …"""
    most = max(map(len, sets))
    return [[found[number] if number < len(found) else None for found in sets] for number in range(most)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TEXT, SET), min_size=1, max_size=6))
def test_equal_to_sacrebleu(rows: list[tuple[str, list[str]]]) -> None:
    outputs, sets = [output for output, _ in rows], [tuple(found) for _, found in rows]
    texts = GeneratedTexts(["x"] * len(rows), outputs, sets)
    bleu = generation_metric("bleu").evidence(texts)
    peer = sacrebleu.metrics.BLEU(effective_order=True)
    each = [peer.sentence_score(output, list(found)).score for output, found in zip(outputs, sets, strict=True)]
    np.testing.assert_allclose(bleu.scores, each, atol=1e-9)
    whole = sacrebleu.metrics.BLEU().corpus_score(outputs, columns(sets)).score
    assert bleu.overall(NONE).value == pytest.approx(whole, abs=1e-9)
    chrf = generation_metric("chrf").evidence(texts)
    each = [
        sacrebleu.metrics.CHRF().sentence_score(output, list(found)).score
        for output, found in zip(outputs, sets, strict=True)
    ]
    np.testing.assert_allclose(chrf.scores, each, atol=1e-9)


def test_an_output_is_clipped_to_the_most_of_one_reference() -> None:
    texts = GeneratedTexts(["x"], ["the the the the"], [("the cat the", "the dog")])
    evidence = generation_metric("bleu").evidence(texts)
    orders = evidence.added[:, :-1].reshape(4, 3)
    assert orders[0].tolist() == [3, 4, 2]  # the closest reference has 3 tokens; 2 of the 4 match
    assert orders[1].tolist() == [0, 3, 0]


def test_sources_without_references_do_not_count() -> None:
    with_one = GeneratedTexts(["x"], ["a cat sat on it"], [("a cat sat on the mat",)])
    with_none = GeneratedTexts(["x", "y"], ["a cat sat on it", "anything"], [("a cat sat on the mat",), ()])
    for name in ("bleu", "chrf"):
        metric = generation_metric(name)
        found = metric.evidence(with_none)
        assert np.isnan(found.scores[1])
        assert found.overall(NONE) == metric.evidence(with_one).overall(NONE)


def test_the_bench_compares_equal_values(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from bench import generation_metrics

    monkeypatch.setattr(generation_metrics, "LEAST_RATIO", 0.0)
    small = generation_metrics.made_texts(40)
    monkeypatch.setattr(generation_metrics, "made_texts", lambda: small)
    assert generation_metrics.run()
    assert "bleu" in capsys.readouterr().out
