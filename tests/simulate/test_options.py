"""The options of a simulation, and which are refused."""

from __future__ import annotations

from typing import Any

import pytest

from otherwords.annotate.schemes import load_scheme
from otherwords.simulate.options import TASKS, SimulationOptions, check_bias, parse_bias, parse_tasks
from tests.errors import raises


@pytest.mark.parametrize(
    ("wrong", "fact"),
    [
        ({"people": 0}, "1 to 50"),
        ({"people": 51}, "1 to 50"),
        ({"accuracy": 1.1}, "between 0 and 1"),
        ({"accuracy": float("nan")}, "between 0 and 1"),
        ({"absent": 1.0}, "less than 1"),
        ({"absent": -0.1}, "0 or more"),
        ({"seconds": 0.0}, "more than 0"),
        ({"seconds": float("inf")}, "100,000"),
        ({"most": -1}, "0 or more"),
    ],
)
def test_wrong_options(wrong: dict[str, Any], fact: str) -> None:
    with raises("wrong-simulation-option", match=fact):
        SimulationOptions(**wrong)


def test_a_bias_is_read() -> None:
    assert parse_bias(["4:3=0.1", " 4:2=.05", "yes:no=1"]) == {("4", "3"): 0.1, ("4", "2"): 0.05, ("yes", "no"): 1.0}


@pytest.mark.parametrize("wrong", ["4=0.1", "4:3", "4:3=-1", "4:3=x", "4:4=0.1", "", "4:3=1.5"])
def test_what_is_not_a_bias(wrong: str) -> None:
    with raises("bias-above-one" if wrong == "4:3=1.5" else "not-a-bias"):
        parse_bias([wrong])


def test_the_biases_of_a_label_add_up_to_at_most_one() -> None:
    with raises("bias-above-one", match="1.1"):
        parse_bias(["4:3=0.6", "4:2=0.5"])


def test_a_bias_is_between_answers_to_one_question() -> None:
    check_bias({("4", "3"): 0.1, ("yes", "no"): 0.1}, [load_scheme("turku"), load_scheme("vila")])
    for unknown in (("4", "5"), ("4", "yes")):
        with raises("unknown-label"):
            check_bias({unknown: 0.1}, [load_scheme("turku"), load_scheme("vila")])


def test_tasks() -> None:
    assert parse_tasks(None, []) == TASKS
    assert parse_tasks(None, ["double"]) == ("judge", "adjudicate")
    assert parse_tasks("judge, triage", ["double"]) == ("triage", "judge")
    with raises("unknown-task", match="'sleep'"):
        parse_tasks("triage,sleep", [])
