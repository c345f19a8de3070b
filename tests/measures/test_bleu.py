"""BLEU: sacrebleu's values for every tokeniser, smoothing and order."""

from __future__ import annotations

import logging
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from otherwords.measures import measure
from otherwords.measures.bleu import Bleu
from otherwords.measures.options import Options
from tests.measures.texts import AWKWARD, PAIRS

CLOSE = 1e-9


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR, logger="sacrebleu")


def peer(texts1: list[str], texts2: list[str], **options: object) -> list[float]:
    metric = BLEU(force=True, **{"effective_order": True, **options})
    return [
        metric.sentence_score(hypothesis, [reference]).score
        for reference, hypothesis in zip(texts1, texts2, strict=True)
    ]


def test_a_case_by_hand() -> None:
    # precisions 3/4, 1/3, then smoothed 1/(2·2) and 1/(4·1); lengths are equal
    expected = 100 * (3 / 4 * 1 / 3 * 1 / 4 * 1 / 4) ** 0.25
    assert measure("bleu").scores(["a b c d"], ["a b d e"])[0] == pytest.approx(expected, abs=CLOSE)


def test_text1_is_the_reference() -> None:
    short, long = "the cat", "the cat sat on the mat"
    brevity = measure("bleu").scores([long], [short])[0]
    assert brevity == pytest.approx(100 * np.exp(1 - 6 / 2), abs=CLOSE)
    assert measure("bleu").scores([short], [long])[0] != pytest.approx(brevity)


@pytest.mark.parametrize("tokeniser", ["13a", "intl", "zh", "none", "char"])
@pytest.mark.parametrize("smooth", ["exp", "floor", "add-k", "none"])
@pytest.mark.parametrize("effective", [True, False])
def test_awkward_texts_equal_sacrebleu(tokeniser: str, smooth: str, effective: bool) -> None:
    texts1 = [text for text in AWKWARD for _ in AWKWARD]
    texts2 = AWKWARD * len(AWKWARD)
    spec = f"bleu:tok={tokeniser},smooth={smooth},eff={'yes' if effective else 'no'}"
    expected = peer(texts1, texts2, tokenize=tokeniser, smooth_method=smooth, effective_order=effective)
    assert measure(spec).scores(texts1, texts2) == pytest.approx(np.minimum(expected, 100.0), abs=CLOSE)


@given(PAIRS, st.sampled_from(["exp", "floor", "add-k", "none"]), st.sampled_from(["13a", "intl", "zh"]))
@settings(max_examples=60)
def test_any_texts_equal_sacrebleu(pairs: list[tuple[str, str]], smooth: str, tokeniser: str) -> None:
    texts1, texts2 = (list(side) for side in zip(*pairs, strict=True))
    expected = peer(texts1, texts2, tokenize=tokeniser, smooth_method=smooth)
    assert measure(f"bleu:tok={tokeniser},smooth={smooth}").scores(texts1, texts2) == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize("tokens", [1, 4, 63, 64, 65, 130])
def test_repeated_ngrams_in_short_and_long_texts_equal_sacrebleu(tokens: int) -> None:
    rng = random.Random(tokens)
    texts1, texts2 = ([" ".join(rng.choices("ab" if n % 2 else "abcde", k=tokens)) for n in range(20)] for _ in "12")
    assert measure("bleu").scores(texts1, texts2) == pytest.approx(peer(texts1, texts2), abs=CLOSE)


@pytest.mark.parametrize(("smooth", "k"), [("floor", 0.01), ("add-k", 2.0)])
def test_the_number_of_a_smoothing(smooth: str, k: float) -> None:
    texts1, texts2 = ["the cat sat on the mat", "a b"], ["the dog sat on a mat", "b a"]
    expected = peer(texts1, texts2, smooth_method=smooth, smooth_value=k)
    assert measure(f"bleu:smooth={smooth},k={k}").scores(texts1, texts2) == pytest.approx(expected, abs=CLOSE)


def test_lower_case() -> None:
    texts1, texts2 = ["The Cat SAT on İt", "ΟΔΟΣ x"], ["the cat sat ON i̇t", "οδος X"]
    assert measure("bleu:case=lc").scores(texts1, texts2) == pytest.approx(
        peer(texts1, texts2, lowercase=True), abs=CLOSE
    )


@pytest.mark.parametrize("tokeniser", ["13a", "intl"])
@pytest.mark.parametrize("smooth", ["exp", "none"])
def test_corpus_bleu_equals_sacrebleu(tokeniser: str, smooth: str) -> None:
    texts1 = ["The cat sat on the mat.", "It rained, all day!", "So what?", ""]
    texts2 = ["The cat was on a mat.", "It rained the whole day!", "And so what?", "x"]
    expected = BLEU(tokenize=tokeniser, smooth_method=smooth).corpus_score(texts2, [texts1]).score
    bleu = Bleu.build(Options.parse(f"bleu:tok={tokeniser},smooth={smooth}"))
    assert bleu.corpus(texts1, texts2) == pytest.approx(expected, abs=CLOSE)


def test_signature_names_what_sacrebleu_names() -> None:
    signature = measure("bleu:smooth=floor,tok=intl,case=lc").signature()
    assert signature == "bleu|nrefs:1|case:lc|eff:yes|tok:intl|smooth:floor[0.10]|version:0.1.0"


@pytest.mark.parametrize(("lang", "expected"), [(None, "13a"), ("en", "13a"), ("zho", "zh"), ("ja-JP", "ja-mecab")])
def test_the_tokeniser_follows_the_language(lang: str | None, expected: str) -> None:
    assert measure("bleu", lang=lang).tokeniser == expected
    assert measure("bleu:tok=char", lang=lang).tokeniser == "char"
    assert measure("bleu", lang=lang, tokeniser="blank").tokeniser == "blank"
    assert Options.parse("bleu", lang).lang in (None, "en", "zh", "ja")
