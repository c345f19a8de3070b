"""What annotators say: the truth as often as they are accurate, a neighbour else, and their bias."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from otherwords.annotate.rewriting import Rewrite, check_rewrites
from otherwords.annotate.schemes import names, scheme
from otherwords.records import Pair
from otherwords.simulate.opinions import Opinion, opinion
from otherwords.simulate.rewriting import rewritten
from otherwords.simulate.seen import Seen, look
from otherwords.simulate.truth import truth
from otherwords.simulate.wishes import Wishes
from tests.simulate.texts import PAIRS

TURKU = scheme("turku")
SEEN = [Seen(f"one text {number}", f"another text {number}", "en", 0.5, 1.0) for number in range(2000)]


def said(**wishes: Any) -> list[tuple[str, Opinion]]:
    told = Wishes(**wishes)
    return [(truth(TURKU, one, told.seed), opinion(TURKU, one, told, "sim-anna", "first")) for one in SEEN]


def test_nobody_who_is_always_right_is_wrong() -> None:
    assert all(true == one.value for true, one in said(accuracy=1.0))


@pytest.mark.parametrize("accuracy", [0.6, 0.9])
def test_people_are_right_as_often_as_they_are_accurate(accuracy: float) -> None:
    told = said(accuracy=accuracy)
    right = sum(true[0] == one.value[0] for true, one in told) / len(told)
    assert abs(right - accuracy) < 0.03
    apart = Counter(abs(int(true[0]) - int(one.value[0])) for true, one in told if "x" not in true + one.value)
    assert set(apart) == {0, 1}


def test_a_bias_is_what_it_says() -> None:
    told = [one.value[0] for true, one in said(accuracy=1.0, bias={("4", "3"): 0.2, ("4", "1"): 0.1}) if true[0] == "4"]
    shares = {label: told.count(label) / len(told) for label in "431"}
    assert shares == pytest.approx({"4": 0.7, "3": 0.2, "1": 0.1}, abs=0.04)
    assert all(true == one.value for true, one in said(accuracy=1.0, bias={("yes", "no"): 1.0}))


def test_people_differ_from_each_other_and_between_batches() -> None:
    wishes = Wishes(accuracy=0.5)
    told = [
        [opinion(TURKU, one, wishes, *who).value for one in SEEN[:100]]
        for who in (("sim-anna", "first"), ("sim-anna", "first"), ("sim-ben", "first"), ("sim-anna", "second"))
    ]
    assert told[0] == told[1]
    assert told[0] != told[2]
    assert told[0] != told[3]


def test_who_is_wrong_is_more_often_unsure_and_says_why() -> None:
    told = said(accuracy=0.7)
    shares = [
        sum(one.unsure for true, one in told if (true == one.value) is right)
        / sum((true == one.value) is right for true, one in told)
        for right in (True, False)
    ]
    assert 0.01 < shares[0] < 0.08
    assert shares[1] > 2 * shares[0]
    assert all(bool(one.note) == one.unsure for _, one in told)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("accuracy", [0.0, 0.5])
def test_what_people_miss_is_allowed_too(name: str, accuracy: float) -> None:
    found = scheme(name)
    for lang, text1, text2 in PAIRS:
        seen = look(text1, text2, lang, ["a", "b"] if found.unit == "group" else [])
        for who in ("sim-anna", "sim-ben", "sim-dora"):
            value = opinion(found, seen, Wishes(accuracy=accuracy), who, "first").value
            assert value == found.normalise(value)


def test_rewrites_are_fit_to_be_saved() -> None:
    some = 0
    for lang, text1, text2 in PAIRS:
        pair = Pair(id="p", text1=text1, text2=text2, lang=lang)
        for one in rewritten(TURKU, look(text1, text2, lang)):
            check_rewrites(TURKU, "3", [Rewrite(**one)], pair)
            assert one["text1"] == text1
            assert one["text2"] not in (text1, text2)
            some += 1
    assert some >= 5
    mended = rewritten(TURKU, look("She closed the shop at ten.", "She shut the shop at ten o'clock.", "en"))
    assert mended == ({"text1": "She closed the shop at ten.", "text2": "She shut the shop at ten.", "label": "4"},)
    assert rewritten(TURKU, look("the same", "the same", "en")) == ()
    assert rewritten(scheme("vila"), look(PAIRS[0][1], PAIRS[0][2], "en")) == ()


def test_only_what_falls_short_is_rewritten() -> None:
    seen = [
        look(f"{text1} {number}", f"{text2} {number}", lang) for number in range(40) for lang, text1, text2 in PAIRS
    ]
    told = [opinion(TURKU, one, Wishes(), "sim-anna", "first") for one in seen]
    mended = [one for one in told if one.rewrites]
    assert 10 < len(mended) < 120
    assert not any(one.value in ("4", "x") for one in mended)
