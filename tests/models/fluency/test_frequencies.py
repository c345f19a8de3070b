"""Frequencies of words, by language and by one's own text."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from otherwords.models.asking import AskResult, ask
from otherwords.models.catalogue import fluency_model
from otherwords.models.edges import Item, TextProbability
from tests.errors import raises


def measured(name: str, texts: list[str]) -> AskResult[TextProbability]:
    backend = fluency_model(name)
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    return ask(backend, backend.log_probabilities, items, kind=TextProbability)


def test_words_of_ones_own_text(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("the cat and the dog\nthe end\n")
    result = measured(f"frequencies:{tmp_path / 'own.txt'}", ["The", "cat the", "zebra", "!?", " "])
    shares = [3 + 1, 1 + 1, 0 + 1]  # each word once more than it occurs, of 7 words, 5 of them different
    total = 7 + 5 + 1
    values = [value.log10 for value in result.values() if value is not None]
    assert values[0] == pytest.approx(math.log10(shares[0] / total))
    assert values[1] == pytest.approx(math.log10(shares[0] * shares[1] / total**2))
    assert values[2] == pytest.approx(math.log10(shares[2] / total))
    assert result.answers[4].reason == "the text has no words"


def test_words_of_a_language() -> None:
    wordfreq = pytest.importorskip("wordfreq", reason="the extra frequencies is not installed")
    result = measured("frequencies:eng", ["the house", "THE HOUSE!", "zzqqxxy", ""])
    first, second, unknown, nothing = result.values()
    expected = math.log10(wordfreq.word_frequency("the", "en")) + math.log10(wordfreq.word_frequency("house", "en"))
    assert first == second == TextProbability(pytest.approx(expected), 2)  # type: ignore[arg-type]
    assert unknown == TextProbability(pytest.approx(-9), 1)  # type: ignore[arg-type]
    assert nothing is None


@pytest.mark.parametrize("text", ["Кошка спит на диване.", "Kissa nukkuu sohvalla.", "El gato duerme en el sofá."])
def test_other_languages_have_words_too(text: str) -> None:
    pytest.importorskip("wordfreq", reason="the extra frequencies is not installed")
    lang = "ru" if text[0] == "К" else "fi" if text[0] == "K" else "es"
    (answer,) = measured(f"frequencies:{lang}", [text]).values()
    assert answer is not None
    assert -6.5 < answer.per_token < -1


def test_names_that_are_wrong(tmp_path: Path) -> None:
    with raises("model-missing"):
        fluency_model(f"frequencies:{tmp_path / 'none.txt'}")
    pytest.importorskip("wordfreq", reason="the extra frequencies is not installed")
    with raises("no-frequencies"):
        fluency_model("frequencies:Quechua")
    with raises("bad-model-option"):
        fluency_model("frequencies:en?case=lc")
