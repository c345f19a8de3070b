"""What can be wished for, and what is refused in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from otherwords.annotate.schemes import scheme
from otherwords.errors import UsageError
from otherwords.simulate.wishes import TASKS, Wishes, check_bias, parse_bias, parse_tasks


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"people": 0}, "1 to 50 people"),
        ({"people": 51}, "1 to 50 people"),
        ({"accuracy": 1.1}, "between 0 and 1"),
        ({"accuracy": float("nan")}, "between 0 and 1"),
        ({"absent": 1.0}, "less than 1"),
        ({"absent": -0.1}, "0 or more"),
        ({"seconds": 0.0}, "more than 0"),
        ({"seconds": float("inf")}, "less than"),
        ({"most": -1}, "0 or more"),
    ],
)
def test_wishes_that_cannot_be(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Wishes(**wrong)


def test_a_bias_is_read() -> None:
    assert parse_bias(["4:3=0.1", " 4:2=.05", "yes:no=1"]) == {("4", "3"): 0.1, ("4", "2"): 0.05, ("yes", "no"): 1.0}


@pytest.mark.parametrize("wrong", ["4=0.1", "4:3", "4:3=-1", "4:3=x", "4:4=0.1", "", "4:3=1.5"])
def test_what_is_no_bias(wrong: str) -> None:
    with pytest.raises(UsageError, match="bias"):
        parse_bias([wrong])


def test_biases_of_one_label_are_at_most_everything() -> None:
    with pytest.raises(UsageError, match="add up to 1.1"):
        parse_bias(["4:3=0.6", "4:2=0.5"])


def test_a_bias_is_between_answers_to_one_question() -> None:
    check_bias({("4", "3"): 0.1, ("yes", "no"): 0.1}, [scheme("turku"), scheme("vila")])
    for unknown in (("4", "5"), ("4", "yes")):
        with pytest.raises(UsageError, match="no question has these two answers"):
            check_bias({unknown: 0.1}, [scheme("turku"), scheme("vila")])


def test_tasks() -> None:
    assert parse_tasks(None, []) == TASKS
    assert parse_tasks(None, ["double"]) == ("judge", "adjudicate")
    assert parse_tasks("judge, triage", ["double"]) == ("triage", "judge")
    with pytest.raises(UsageError, match="'sleep' is nothing to do"):
        parse_tasks("triage,sleep", [])
