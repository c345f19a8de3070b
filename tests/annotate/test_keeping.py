"""Which pairs are kept by several criteria, and rules that a batch cannot have."""

from __future__ import annotations

from typing import Any

import pytest

from otherwords.annotate.batches import Keep, Rules
from otherwords.annotate.keeping import Kept, KeptCounts, kept, kept_counts
from otherwords.annotate.rule_checks import check_rules
from otherwords.annotate.schemes import scheme
from otherwords.errors import Refused

RUPAWS = scheme("rupaws")
BOTH = Keep(all_say={"well_formed": ["yes"]}, agree_on=["paraphrase"])  # Martynov et al. 2022, §3
NOT_FORMED = "somebody does not say yes to well_formed"
NOT_AGREED = "they do not agree on paraphrase"


def said(well_formed: str, paraphrase: str) -> dict[str, str]:
    return {"well_formed": well_formed, "paraphrase": paraphrase}


@pytest.mark.parametrize(
    ("answers", "complete", "expected"),
    [
        ([said("yes", "yes"), said("yes", "yes")], True, Kept("yes")),
        ([said("yes", "no"), said("yes", "no")], True, Kept("yes")),
        ([said("yes", "no"), said("yes", "yes")], True, Kept("no", NOT_AGREED)),
        ([said("yes", "no"), said("no", "no")], True, Kept("no", NOT_FORMED)),
        ([said("no", "no")], False, Kept("no", NOT_FORMED)),
        ([said("yes", "no")], False, Kept("open")),
        ([], False, Kept("open")),
    ],
)
def test_two_criteria(answers: list[Any], complete: bool, expected: Kept) -> None:
    assert kept(answers, BOTH, RUPAWS, complete=complete) == expected


@pytest.mark.parametrize(
    ("name", "keep", "answers", "state"),
    [
        ("turku", Keep(all_say={"label": ["4", "3"]}), ["4>s", "3"], "yes"),  # flags left aside
        ("turku", Keep(all_say={"label": ["4", "3"]}), ["4", "2"], "no"),
        ("turku", Keep(agree_on=["label"]), ["4>", "4"], "no"),
        ("suzuki-changes", Keep(all_say={"label": ["order", "phrases"]}), [["order"], []], "yes"),
        ("suzuki-changes", Keep(all_say={"label": ["order"]}), [["order", "phrases"]], "no"),
    ],
)
def test_a_scheme_with_one_question(name: str, keep: Keep, answers: list[Any], state: str) -> None:
    assert kept(answers, keep, scheme(name), complete=True).state == state


def test_they_are_counted_by_reason() -> None:
    told = [Kept("yes"), Kept("no", NOT_AGREED), Kept("no", NOT_FORMED), Kept("no", NOT_AGREED), Kept("open")]
    assert kept_counts(told) == KeptCounts(1, 3, 1, {NOT_AGREED: 2, NOT_FORMED: 1})
    assert kept_counts([]) == KeptCounts(0, 0, 0, {})


@pytest.mark.parametrize(
    ("rules", "asked", "name", "reason"),
    [
        (Rules(keep=Keep(agree_on=["paraphrase"])), 1, "rupaws", "at least 2"),
        (Rules(keep=Keep(agree_on=["grammar"])), 2, "rupaws", "no question 'grammar'; it has well_formed, paraphrase"),
        (Rules(keep=Keep(all_say={"well_formed": ["maybe"]})), 2, "rupaws", "'maybe' is no answer"),
        (Rules(keep=Keep(all_say={"well_formed": ["yes"]})), 2, "turku", "no question 'well_formed'; it has label"),
        (Rules(second_sees=["Positive"]), 3, "suzuki", "ask for 2 judgements of each pair, not 3"),
        (Rules(second_sees=["positive"]), 2, "suzuki", "'positive' is no answer of the scheme; it has Positive"),
        (Rules(second_sees=["yes"]), 2, "rupaws", "no single answer"),
        (Rules(second_sees=["order"]), 2, "suzuki-changes", "no single answer"),
    ],
)
def test_rules_without_sense(rules: Rules, asked: int, name: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        check_rules(rules, asked, scheme(name))


def test_rules_with_sense() -> None:
    check_rules(Rules(keep=BOTH), 2, RUPAWS)
    check_rules(Rules(second_sees=["Positive", "Negative"]), 2, scheme("suzuki"))
    check_rules(Rules(), 1, RUPAWS)
