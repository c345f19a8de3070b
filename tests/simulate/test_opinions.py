"""Answers of annotators: the truth as often as they are accurate, otherwise a neighbour, and their bias."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from otherwords.annotate.rewrites import Rewrite, check_rewrites
from otherwords.annotate.schemes import load_scheme, scheme_names
from otherwords.records import Pair
from otherwords.simulate.opinions import SimulatedAnswer, opinion, rewrite_pair
from otherwords.simulate.options import SimulationOptions
from otherwords.simulate.truth import truth
from otherwords.simulate.visible_texts import VisibleTexts, look
from tests.simulate.texts import PAIRS

TURKU = load_scheme("turku")
SEEN = [VisibleTexts(f"one text {number}", f"another text {number}", "en", 0.5, 1.0) for number in range(2000)]


def replies(**settings: Any) -> list[tuple[str, SimulatedAnswer]]:
    """The truth and the answer of an annotator about each pair."""
    options = SimulationOptions(**settings)
    return [(truth(TURKU, seen, options), opinion(TURKU, seen, options, "sim-anna", "first")) for seen in SEEN]


def test_a_perfect_annotator_is_never_wrong() -> None:
    assert all(true == reply.value for true, reply in replies(accuracy=1.0))


@pytest.mark.parametrize("accuracy", [0.6, 0.9])
def test_people_are_right_as_often_as_they_are_accurate(accuracy: float) -> None:
    pairs = replies(accuracy=accuracy)
    right = sum(true[0] == reply.value[0] for true, reply in pairs) / len(pairs)
    assert abs(right - accuracy) < 0.03
    apart = Counter(abs(int(true[0]) - int(reply.value[0])) for true, reply in pairs if "x" not in true + reply.value)
    assert set(apart) == {0, 1}


def test_a_bias_gives_its_shares() -> None:
    bias = {("4", "3"): 0.2, ("4", "1"): 0.1}
    labels = [reply.value[0] for true, reply in replies(accuracy=1.0, bias=bias) if true[0] == "4"]
    shares = {label: labels.count(label) / len(labels) for label in "431"}
    assert shares == pytest.approx({"4": 0.7, "3": 0.2, "1": 0.1}, abs=0.04)
    assert all(true == reply.value for true, reply in replies(accuracy=1.0, bias={("yes", "no"): 1.0}))


def test_people_differ_from_each_other_and_between_batches() -> None:
    options = SimulationOptions(accuracy=0.5)
    answers = [
        [opinion(TURKU, seen, options, *who).value for seen in SEEN[:100]]
        for who in (("sim-anna", "first"), ("sim-anna", "first"), ("sim-ben", "first"), ("sim-anna", "second"))
    ]
    assert answers[0] == answers[1]
    assert answers[0] != answers[2]
    assert answers[0] != answers[3]


def test_who_is_wrong_is_more_often_unsure_and_says_why() -> None:
    pairs = replies(accuracy=0.7)
    shares = [
        sum(reply.unsure for true, reply in pairs if (true == reply.value) is right)
        / sum((true == reply.value) is right for true, reply in pairs)
        for right in (True, False)
    ]
    assert 0.01 < shares[0] < 0.08
    assert shares[1] > 2 * shares[0]
    assert all(bool(reply.note) == reply.unsure for _, reply in pairs)


@pytest.mark.parametrize("name", scheme_names())
@pytest.mark.parametrize("accuracy", [0.0, 0.5])
def test_wrong_answers_are_allowed_by_the_scheme(name: str, accuracy: float) -> None:
    scheme = load_scheme(name)
    for lang, text1, text2 in PAIRS:
        seen = look(text1, text2, lang, ["a", "b"] if scheme.unit == "group" else [])
        for who in ("sim-anna", "sim-ben", "sim-dora"):
            value = opinion(scheme, seen, SimulationOptions(accuracy=accuracy), who, "first").value
            assert value == scheme.normalise(value)


def test_rewrites_are_fit_to_be_saved() -> None:
    count = 0
    for lang, text1, text2 in PAIRS:
        pair = Pair(id="p", text1=text1, text2=text2, lang=lang)
        for rewrite in rewrite_pair(TURKU, look(text1, text2, lang)):
            check_rewrites(TURKU, "3", [Rewrite(**rewrite)], pair)
            assert rewrite["text1"] == text1
            assert rewrite["text2"] not in (text1, text2)
            count += 1
    assert count >= 5
    rewrites = rewrite_pair(TURKU, look("She closed the shop at ten.", "She shut the shop at ten o'clock.", "en"))
    assert rewrites == ({"text1": "She closed the shop at ten.", "text2": "She shut the shop at ten.", "label": "4"},)
    assert rewrite_pair(TURKU, look("the same", "the same", "en")) == ()
    assert rewrite_pair(load_scheme("vila"), look(PAIRS[0][1], PAIRS[0][2], "en")) == ()


def test_only_what_falls_short_is_rewrite_pair() -> None:
    seen = [
        look(f"{text1} {number}", f"{text2} {number}", lang) for number in range(40) for lang, text1, text2 in PAIRS
    ]
    answers = [opinion(TURKU, texts, SimulationOptions(), "sim-anna", "first") for texts in seen]
    rewritten = [answer for answer in answers if answer.rewrites]
    assert 10 < len(rewritten) < 120
    assert not any(answer.value in ("4", "x") for answer in rewritten)
