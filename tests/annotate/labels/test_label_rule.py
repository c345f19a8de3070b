"""All rules that derive a label from answers, and what leaves a pair without a label."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords import labels
from otherwords.annotate.labels.label_rule import DIFFER, TIE, LabelDecision, LabelRule, PairAnswers, label_rules
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.schemes.scheme import View

TURKU, LOOSE, RUPAWS = load_scheme("turku"), load_scheme("binary-loose"), load_scheme("rupaws")
VIEWS = {
    name: label_rules(load_scheme(name))
    for name in ("turku", "binary-loose", "rupaws", "suzuki", "opusparcus", "likert")
}
LABELS = [str(label) for label in labels.all_labels()]


def votes(yes: int, no: int, skipped: int = 0) -> list[str]:
    return ["yes"] * yes + ["no"] * no + ["x"] * skipped


def formed(well_formed: str, paraphrase: str) -> dict[str, str]:
    return {"well_formed": well_formed, "paraphrase": paraphrase}


def summary(ruling: LabelDecision) -> tuple[str, str | None, bool | None]:
    return ruling.state, ruling.label, ruling.positive


@pytest.mark.parametrize(
    ("name", "view", "answers", "expected"),
    [
        ("turku", "full", ["4>"], ("labelled", "4>", True)),
        ("turku", "full", ["4si>", "4>is"], ("labelled", "4>is", True)),  # one spelling
        ("turku", "full", ["2", "2"], ("labelled", "2", False)),
        ("turku", "full", ["x"], ("labelled", "x", None)),
        ("turku", "full", ["4", "3"], ("open", None, None)),
        ("turku", "full", ["4", "4s"], ("open", None, None)),
        ("turku", "strict", ["4", "4"], ("labelled", "positive", True)),
        ("turku", "strict", ["4s", "3"], ("labelled", "negative", False)),
        ("turku", "strict", ["4", "4s"], ("open", None, None)),
        ("turku", "strict", ["x"], ("left out", None, None)),
        ("turku", "loose", ["4s", "3"], ("labelled", "positive", True)),
        ("turku", "loose", ["2", "1"], ("labelled", "negative", False)),
        ("turku", "loose", ["3", "2"], ("open", None, None)),
        ("turku", "full", ["4", "5"], ("left out", None, None)),
        ("turku", "full", [{"label": "4"}], ("left out", None, None)),
        ("suzuki", "full", ["Unnatural"], ("labelled", "Unnatural", None)),
        ("suzuki", "binary", ["Positive", "Positive"], ("labelled", "positive", True)),
        ("suzuki", "binary", ["Unnatural"], ("left out", None, None)),
        ("opusparcus", "strict", ["3"], ("labelled", "negative", False)),
        ("opusparcus", "loose", ["3", "4"], ("labelled", "positive", True)),
        ("rupaws", "kept", [formed("yes", "no"), formed("yes", "no")], ("labelled", "no", False)),
        ("rupaws", "kept", [formed("yes", "yes"), formed("yes", "yes")], ("labelled", "yes", True)),
        ("rupaws", "kept", [formed("yes", "yes"), formed("yes", "no")], ("open", None, None)),
        ("rupaws", "kept", [formed("yes", "yes"), formed("no", "yes")], ("left out", None, None)),
        ("rupaws", "kept", [formed("yes", "yes")], ("open", None, None)),
        ("rupaws", "single", [formed("yes", "yes")], ("labelled", "yes", True)),
        ("likert", "full", [{"fluency": 5, "similarity": 4, "diversity": 2}], ("left out", None, None)),
        ("binary-loose", "votes-3", [True, True], ("labelled", "yes", True)),
    ],
)
def test_labels_from_answers(name: str, view: str, answers: list[Any], expected: tuple[Any, ...]) -> None:
    assert summary(VIEWS[name][view].of_answers(PairAnswers(answers))) == expected


@pytest.mark.parametrize(
    ("view", "answers", "asked", "expected"),
    [
        ("votes-3", votes(4, 2), 6, ("labelled", "yes", True)),
        ("votes-3", votes(3, 3), 6, ("tied", None, None)),
        ("votes-3", votes(2, 4), 6, ("labelled", "no", False)),
        ("votes-4", votes(5, 1), 6, ("labelled", "yes", True)),
        ("votes-4", votes(4, 2), 6, ("tied", None, None)),
        ("votes-4", votes(3, 3), 6, ("labelled", "no", False)),
        ("votes-3", votes(2, 3, 1), 6, ("tied", None, None)),  # a skip is no vote
        ("votes-3", votes(0, 0, 6), 6, ("tied", None, None)),
        ("votes-3", votes(4, 0), 6, ("labelled", "yes", True)),  # whatever the others will say
        ("votes-3", votes(0, 4), 6, ("labelled", "no", False)),
        ("votes-3", votes(3, 0), 6, ("open", None, None)),
        ("votes-3", votes(2, 0), 6, ("open", None, None)),
        ("votes-3", votes(2, 0), 2, ("labelled", "yes", True)),  # two were asked, and agree
        ("votes-3", votes(1, 1), 2, ("open", None, None)),
        ("votes-3", votes(1, 0), 0, ("labelled", "yes", True)),
        ("votes-3", votes(4, 4), 8, ("tied", None, None)),  # more than it was meant for: by share
        ("votes-3", votes(5, 3), 8, ("labelled", "yes", True)),
        ("votes-3", votes(3, 5), 8, ("labelled", "no", False)),
    ],
)
def test_thresholds(view: str, answers: list[str], asked: int, expected: tuple[Any, ...]) -> None:
    assert summary(VIEWS["binary-loose"][view].of_answers(PairAnswers(answers, asked))) == expected


@pytest.mark.parametrize(("yes", "no", "state"), [(3, 2, "labelled"), (2, 2, "tied"), (1, 1, "tied")])
def test_anonymous_votes_are_complete(yes: int, no: int, state: str) -> None:
    assert VIEWS["binary-loose"]["votes-3"].of_answers(PairAnswers(votes(yes, no), anonymous=True)).state == state


def test_votes_on_a_scale_count_for_a_side() -> None:
    rule = LabelRule(TURKU, View(rule="votes", threshold=1, expected=3))
    assert summary(rule.of_answers(PairAnswers(["4", "3", "2"]))) == ("labelled", "positive", True)
    assert summary(rule.of_answers(PairAnswers(["1", "2", "2"]))) == ("labelled", "negative", False)


@pytest.mark.parametrize(
    ("name", "view", "answer", "expected"),
    [
        ("turku", "full", "4<i", ("labelled", "4<i", True)),
        ("turku", "strict", "4<i", ("labelled", "negative", False)),
        ("binary-loose", "votes-4", "no", ("labelled", "no", False)),
        ("rupaws", "kept", formed("yes", "no"), ("labelled", "no", False)),
        ("rupaws", "kept", formed("no", "no"), ("left out", None, None)),
        ("turku", "full", "9", ("left out", None, None)),
    ],
)
def test_one_decision_is_enough(name: str, view: str, answer: Any, expected: tuple[Any, ...]) -> None:
    assert summary(VIEWS[name][view].of_decision(answer)) == expected


@pytest.mark.parametrize(
    ("name", "label", "expected"),
    [
        ("turku", "4s>", ("labelled", "4>s", True)),
        ("binary-loose", "1", ("labelled", "yes", True)),  # as corpora of yes and no spell it
        ("binary-loose", "0", ("labelled", "no", False)),
        ("rupaws", "1", ("labelled", "yes", True)),
        ("turku", "yes", ("left out", None, None)),
        ("likert", "5", ("left out", None, None)),
    ],
)
def test_imported_labels(name: str, label: str, expected: tuple[Any, ...]) -> None:
    assert summary(next(iter(VIEWS[name].values())).of_import(label)) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"paraphrase": "yes", "types": [{"type": "identical", "scope1": [[0, 3]]}]}, ("labelled", "yes", True)),
        ({"paraphrase": "no", "types": [{"type": "non_paraphrases"}]}, ("labelled", "no", False)),
        ({"types": [{"type": "order"}]}, ("left out", None, None)),
        ({"paraphrase": "perhaps", "types": []}, ("left out", None, None)),
        ([{"type": "order"}], ("left out", None, None)),
    ],
)
def test_types_that_do_not_fit_the_scheme_change_no_label(answer: Any, expected: tuple[Any, ...]) -> None:
    rule = LabelRule(load_scheme("vila"))
    assert summary(rule.of_answers(PairAnswers([answer]))) == expected


def test_reasons_for_missing_labels() -> None:
    full, kept = VIEWS["turku"]["full"], VIEWS["rupaws"]["kept"]
    assert full.of_answers(PairAnswers(["4", "2"])).reason == DIFFER
    assert full.of_answers(PairAnswers(["7"])).reason == "'7' is outside the scheme turku"
    assert kept.of_answers(PairAnswers([formed("yes", "no")])).reason == "1 of 2 judgements are in"
    assert kept.of_answers(PairAnswers([formed("no", "no")] * 2)).reason == "somebody does not say yes to well_formed"
    assert VIEWS["binary-loose"]["votes-3"].of_answers(PairAnswers(votes(3, 3))).reason == TIE


@given(answers=st.lists(st.sampled_from(LABELS), min_size=1, max_size=7), data=st.data())
def test_the_order_of_answers_changes_nothing(answers: list[str], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(answers))
    by_votes = {"votes": LabelRule(TURKU, View(rule="votes", threshold=2, expected=4))}
    for rule in {**VIEWS["turku"], **by_votes}.values():
        assert rule.of_answers(PairAnswers(answers)) == rule.of_answers(PairAnswers(shuffled))


@given(answers=st.lists(st.sampled_from(LABELS), min_size=1, max_size=4))
def test_a_mirrored_pair_has_the_mirrored_label(answers: list[str]) -> None:
    mirrored = [str(labels.parse_label(answer).mirror()) for answer in answers]
    rule = VIEWS["turku"]["full"]
    straight, swapped = rule.of_answers(PairAnswers(answers)), rule.of_answers(PairAnswers(mirrored))
    assert (straight.state, straight.positive) == (swapped.state, swapped.positive)
    assert (str(labels.parse_label(straight.label).mirror()) if straight.label else None) == swapped.label


@given(yes=st.integers(0, 9), no=st.integers(0, 9))
def test_another_positive_vote_never_lowers_the_label(yes: int, no: int) -> None:
    ranks = {"no": 0, None: 1, "yes": 2}
    for name in ("votes-3", "votes-4"):
        rule = VIEWS["binary-loose"][name]
        before = rule.of_answers(PairAnswers(votes(yes, no + 1), anonymous=True)).label
        after = rule.of_answers(PairAnswers(votes(yes + 1, no), anonymous=True)).label
        assert ranks[before] <= ranks[after]
