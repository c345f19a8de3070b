"""The simulated truth: valid in every scheme, the same for all, better where texts are more similar."""

from __future__ import annotations

from collections import Counter

import pytest

from otherwords.annotate.schemes import load_scheme, scheme_names
from otherwords.simulate.options import SimulationOptions
from otherwords.simulate.truth import best_first, missing_values, truth
from otherwords.simulate.visible_texts import VisibleTexts, look
from tests.simulate.texts import PAIRS


@pytest.mark.parametrize(
    ("name", "question", "ordered", "none"),
    [
        ("turku", "", ["4", "3", "2", "1"], ["x"]),
        ("opusparcus", "", ["4", "3", "2", "1"], ["x"]),
        ("vila", "paraphrase", ["yes", "no"], []),
        ("suzuki", "", ["Positive", "Negative"], ["Unnatural", "Other"]),
        ("likert", "fluency", ["5", "4", "3", "2", "1"], []),
        ("rupaws", "well_formed", None, ["no"]),
        ("topic", "", None, ["x"]),
    ],
)
def test_the_answers_from_best_to_worst(name: str, question: str, ordered: list[str] | None, none: list[str]) -> None:
    scheme = load_scheme(name)
    assert best_first(scheme, scheme.question(question)) == ordered
    assert missing_values(scheme, scheme.question(question)) == none


@pytest.mark.parametrize("name", scheme_names())
def test_every_scheme_gets_answers_that_it_allows(name: str) -> None:
    scheme = load_scheme(name)
    texts = [*((text1, text2, lang) for lang, text1, text2 in PAIRS), ("same", "same", None), ("?", "a b", "en")]
    for number in range(5):
        for text1, text2, lang in texts:
            seen = look(text1, text2, lang, ["a", "b", "c"] if scheme.unit == "group" else [])
            answer = truth(scheme, seen, SimulationOptions(seed=number))
            assert answer == scheme.normalise(answer)
            assert answer == truth(scheme, seen, SimulationOptions(seed=number))


def labels(similarity: float, ratio: float = 1.0) -> Counter[str]:
    turku = load_scheme("turku")
    seen = [VisibleTexts(f"text {number}", "other", "en", similarity, ratio) for number in range(1000)]
    return Counter(truth(turku, texts, SimulationOptions()) for texts in seen)


def test_similar_texts_are_more_often_paraphrases() -> None:
    best = [sum(count for label, count in labels(alike).items() if label[0] == "4") for alike in (0.1, 0.4, 0.7, 1.0)]
    assert best == sorted(best)
    assert best[0] < 250
    assert best[-1] > 900
    assert 0 < labels(0.4)["x"] < 40


def test_an_arrow_points_to_the_text_that_says_less() -> None:
    even, longer, shorter = (labels(0.9, ratio) for ratio in (1.0, 2.0, 0.5))
    assert not any("<" in label or ">" in label for label in even)
    assert any("<" in label for label in longer)
    assert not any(">" in label for label in longer)
    assert any(">" in label for label in shorter)
    assert not any("<" in label for label in shorter)
    assert 0 < sum(count for label, count in even.items() if "s" in label) < 150


def test_another_seed_is_another_truth() -> None:
    turku = load_scheme("turku")
    seen = [look(text1, text2, lang) for lang, text1, text2 in PAIRS]
    assert [truth(turku, texts, SimulationOptions()) for texts in seen] != [
        truth(turku, texts, SimulationOptions(seed=1)) for texts in seen
    ]


def test_a_known_label_answers_the_question_that_it_is_about() -> None:
    scheme = load_scheme("rupaws")
    for gold, expected in (("1", "yes"), ("0", "no")):
        seen = [VisibleTexts(f"text {number}", "other", "es", 0.9, 1.0, gold=gold) for number in range(50)]
        answers = [truth(scheme, texts, SimulationOptions()) for texts in seen]
        assert {answer["paraphrase"] for answer in answers} == {expected}  # type: ignore[index]
