"""Which pairs are kept by several criteria, and rules about answers that do not fit a scheme."""

from __future__ import annotations

from typing import Any

import pytest

from otherwords.annotate.adjudication.batch_outcome import KeepCounts, count_decisions
from otherwords.annotate.batches.batch import BatchRules, KeepRule
from otherwords.annotate.batches.keep_rule import KeepDecision, apply_keep_rule
from otherwords.annotate.batches.rule_checks import check_answer_rules
from otherwords.annotate.schemes import load_scheme
from tests.errors import raises

RUPAWS = load_scheme("rupaws")
BOTH = KeepRule(all_say={"well_formed": ["yes"]}, agree_on=["paraphrase"])  # Martynov et al. 2022, §3
NOT_FORMED = "somebody does not say yes to well_formed"
NOT_AGREED = "they do not agree on paraphrase"


def answer(well_formed: str, paraphrase: str) -> dict[str, str]:
    return {"well_formed": well_formed, "paraphrase": paraphrase}


@pytest.mark.parametrize(
    ("answers", "complete", "expected"),
    [
        ([answer("yes", "yes"), answer("yes", "yes")], True, KeepDecision("yes")),
        ([answer("yes", "no"), answer("yes", "no")], True, KeepDecision("yes")),
        ([answer("yes", "no"), answer("yes", "yes")], True, KeepDecision("no", NOT_AGREED)),
        ([answer("yes", "no"), answer("no", "no")], True, KeepDecision("no", NOT_FORMED)),
        ([answer("no", "no")], False, KeepDecision("no", NOT_FORMED)),
        ([answer("yes", "no")], False, KeepDecision("open")),
        ([], False, KeepDecision("open")),
    ],
)
def test_two_criteria(answers: list[Any], complete: bool, expected: KeepDecision) -> None:
    assert apply_keep_rule(answers, BOTH, RUPAWS, complete=complete) == expected


@pytest.mark.parametrize(
    ("name", "keep", "answers", "state"),
    [
        ("turku", KeepRule(all_say={"label": ["4", "3"]}), ["4>s", "3"], "yes"),  # flags left aside
        ("turku", KeepRule(all_say={"label": ["4", "3"]}), ["4", "2"], "no"),
        ("turku", KeepRule(agree_on=["label"]), ["4>", "4"], "no"),
        ("suzuki-changes", KeepRule(all_say={"label": ["order", "phrases"]}), [["order"], []], "yes"),
        ("suzuki-changes", KeepRule(all_say={"label": ["order"]}), [["order", "phrases"]], "no"),
    ],
)
def test_a_scheme_with_one_question(name: str, keep: KeepRule, answers: list[Any], state: str) -> None:
    assert apply_keep_rule(answers, keep, load_scheme(name), complete=True).state == state


def test_decisions_are_counted_by_reason() -> None:
    decisions = [
        KeepDecision("yes"),
        KeepDecision("no", NOT_AGREED),
        KeepDecision("no", NOT_FORMED),
        KeepDecision("no", NOT_AGREED),
        KeepDecision("open"),
    ]
    assert count_decisions(decisions) == KeepCounts(1, 3, 1, {NOT_AGREED: 2, NOT_FORMED: 1})
    assert count_decisions([]) == KeepCounts(0, 0, 0, {})


@pytest.mark.parametrize(
    ("rules", "asked", "name", "code", "fact"),
    [
        (BatchRules(keep=KeepRule(agree_on=["paraphrase"])), 1, "rupaws", "too-few-judgements", "at least 2"),
        (
            BatchRules(keep=KeepRule(agree_on=["grammar"])),
            2,
            "rupaws",
            "no-such-question",
            "'grammar'; it has well_formed, paraphrase",
        ),
        (BatchRules(keep=KeepRule(all_say={"well_formed": ["maybe"]})), 2, "rupaws", "no-such-answer", "'maybe'"),
        (
            BatchRules(keep=KeepRule(all_say={"well_formed": ["yes"]})),
            2,
            "turku",
            "no-such-question",
            "'well_formed'; it has label",
        ),
        (BatchRules(second_sees=["Positive"]), 3, "suzuki", "not-two-judgements", "not 3"),
        (BatchRules(second_sees=["positive"]), 2, "suzuki", "no-such-answer", "'positive' .* Positive"),
        (BatchRules(second_sees=["yes"]), 2, "rupaws", "no-single-answer", "rupaws"),
        (BatchRules(second_sees=["order"]), 2, "suzuki-changes", "no-single-answer", "suzuki-changes"),
    ],
)
def test_rules_that_do_not_fit_are_refused(rules: BatchRules, asked: int, name: str, code: str, fact: str) -> None:
    with raises(code, match=fact):
        check_answer_rules(rules, asked, load_scheme(name))


def test_rules_that_fit() -> None:
    check_answer_rules(BatchRules(keep=BOTH), 2, RUPAWS)
    check_answer_rules(BatchRules(second_sees=["Positive", "Negative"]), 2, load_scheme("suzuki"))
    check_answer_rules(BatchRules(), 1, RUPAWS)
