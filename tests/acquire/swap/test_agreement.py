"""Two hundred sentences a language: no candidate has an error of agreement that another analyser can see."""

from __future__ import annotations

import msgspec
import pytest

from otherwords.acquire.swap.records import KINDS, SwapOptions
from otherwords.acquire.swap.replacements import Vocabulary
from otherwords.acquire.swap.swaps import count_swaps, swaps
from otherwords.text.voikko import voikko_analyses
from tests.acquire.swap.agreement import ERRORS, new_errors
from tests.acquire.swap.tagging import LANGUAGES, fixture_sentences, fixture_tags, tagged

LEAST_YIELD = {"en": 0.8, "es": 0.65, "fi": 0.35, "ru": 0.6}
ALL = 99
STEPS = [4, pytest.param(1, marks=pytest.mark.soak)]  # tagging is slow: each fourth candidate, in the soak all of them


@pytest.mark.parametrize("lang", LANGUAGES)
def test_two_hundred_different_sentences(lang: str) -> None:
    assert len(set(fixture_sentences(lang))) == 200


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_error_of_agreement(lang: str, step: int) -> None:
    if lang == "fi" and not voikko_analyses("talo"):
        pytest.skip("Voikko is not installed")
    sentences = fixture_tags(lang)
    options = SwapOptions(kinds=KINDS, per_sentence=ALL)
    results = list(swaps(sentences, options, vocabulary=Vocabulary.of_sentences(sentences)))
    pairs = [
        (sentence, candidate.text)
        for sentence, result in zip(sentences, results, strict=True)
        for candidate in result.candidates
    ]
    assert len(pairs) > 300
    chosen = pairs[::step]
    candidates = tagged(lang, [text for _, text in chosen])
    errors = [
        error for (before, _), after in zip(chosen, candidates, strict=True) for error in new_errors(before, after)
    ]
    assert errors == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_oracle_sees_errors(lang: str) -> None:
    wrong = {
        "en": ("An old man saw a house.", "A old man saw a house."),
        "es": ("La casa roja es de Pedro.", "La casa rojo es de Pedro."),
        "fi": ("Vanha talo paloi.", "Vanhan talo paloi."),
        "ru": ("Старый мост рухнул у реки.", "Старая мост рухнула у реке."),
    }
    right, changed = tagged(lang, wrong[lang])
    if lang == "fi" and not voikko_analyses("talo"):
        pytest.skip("Voikko is not installed")
    assert not ERRORS[lang](right)
    assert ERRORS[lang](changed)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_counts_add_up_and_the_same_seed_gives_the_same_pairs(lang: str) -> None:
    sentences = fixture_tags(lang)
    results = list(swaps(sentences, SwapOptions(seed=7)))
    counts = count_swaps(results)
    assert counts.sentences == len(sentences) == counts.with_candidates + sum(counts.reasons.values())
    assert all(sum(kind.values()) == len(sentences) for kind in counts.kinds.values())
    assert counts.with_candidates >= LEAST_YIELD[lang] * len(sentences)
    again = {result.id: result for result in swaps(reversed(sentences), SwapOptions(seed=7))}
    assert msgspec.json.encode(results) == msgspec.json.encode([again[result.id] for result in results])
    other = list(swaps(sentences, SwapOptions(seed=8)))
    assert [result.candidates for result in other] != [result.candidates for result in results]
