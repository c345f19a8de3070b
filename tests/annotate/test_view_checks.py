"""Views that somebody wrote by hand: every mistake is said in a sentence when the file is read."""

from __future__ import annotations

import tomllib

import pytest

from otherwords.annotate.schemes import names, parse, scheme
from otherwords.errors import LabelError

HEAD = 'name = "humour"\ntitle = "Funny?"\n'
POSITIVE = 'positive = ["yes"]\n'
YES = '[[values]]\nvalue = "yes"\nkey = "1"\nname = "yes"\n'
NO = '[[values]]\nvalue = "no"\nkey = "0"\nname = "no"\n'
ONE = HEAD + POSITIVE + YES + NO
TWO = HEAD + "".join(
    f'[[questions]]\nname = "{name}"\n{more}' + (YES + NO).replace("[[values]]", "[[questions.values]]")
    for name, more in (("funny", ""), ("rude", ""), ("why", "several = true\n"))
)
VIEW = "[views.crowd]\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ONE + VIEW + 'rule = "most"\n', "views, rule: Invalid enum value 'most'"),
        (ONE + VIEW + "treshold = 3\n", "views: unknown setting 'treshold'; did you mean threshold?"),
        (ONE + '[views."Crowd 1"]\n', "views.Crowd 1: a view is called by small letters"),
        (ONE + VIEW + 'rule = "votes"\n', "votes need a threshold and of, as in threshold = 3, of = 6"),
        (ONE + VIEW + 'rule = "votes"\nthreshold = 3\n', "votes need a threshold and of"),
        (ONE + VIEW + 'rule = "votes"\nthreshold = 6\nof = 6\n', "threshold 6 of 6: give 0 < threshold < of"),
        (ONE + VIEW + 'rule = "votes"\nthreshold = 0\nof = 6\n', "threshold 0 of 6"),
        (ONE + VIEW + "threshold = 2\n", 'a threshold goes with rule = "votes"'),
        (ONE + VIEW + "of = 2\n", "of = 2: how many have to agree"),
        (ONE + VIEW + 'rule = "agreement"\nof = 1\n', "of = 1: how many have to agree, 2 or more"),
        (ONE + VIEW + 'projection = "half"\n', "there is no projection 'half'; known: full"),
        (ONE + VIEW + 'positive = ["maybe"]\n', "positive: 'maybe' is no value; known: no, yes"),
        (ONE + VIEW + 'positive = ["yes"]\nprojection = "full"\n', "positive and projection: choose one"),
        (ONE + VIEW + "plain = true\n", "plain goes with positive"),
        (ONE + VIEW + 'all_say = { tone = ["yes"] }\n', "name a question and some of its values"),
        (TWO + VIEW, "question = '': name one of the scheme's questions"),
        (TWO + VIEW + 'question = "sad"\n', "question = 'sad': name one of the scheme's questions"),
        (TWO + VIEW + 'question = "why"\n', "a label is one answer, and why may have several"),
        (TWO + VIEW + 'question = "rude"\nall_say = { funny = ["maybe"] }\n', "name a question and some of its values"),
        (TWO + VIEW + 'question = "rude"\nrule = "votes"\nthreshold = 3\nof = 6\n', "which answers are positive"),
        (HEAD + 'leave_out = ["maybe"]\n' + YES + NO, "leave_out: 'maybe' is no value; known: no, yes"),
    ],
)
def test_every_mistake_has_its_sentence(text: str, reason: str) -> None:
    with pytest.raises(LabelError) as problem:
        parse(tomllib.loads(text))
    assert reason in str(problem.value)


def test_what_is_right_is_taken() -> None:
    view = (
        'question = "rude"\npositive = ["yes"]\nrule = "votes"\nthreshold = 2\nof = 3\nall_say = { funny = ["yes"] }\n'
    )
    assert list(parse(tomllib.loads(TWO + VIEW + view)).views) == ["crowd"]
    assert parse(tomllib.loads(ONE + VIEW + 'rule = "agreement"\n')).views["crowd"].of is None


def test_what_the_shipped_ones_have() -> None:
    views = {name: list(found.views) for name in names() if (found := scheme(name)).views}
    assert views == {
        "binary-loose": ["votes-3", "votes-4"],
        "binary-strict": ["votes-3", "votes-4"],
        "opusparcus": ["full", "strict", "loose"],
        "rupaws": ["kept", "single"],
        "suzuki": ["full", "binary"],
        "turku": ["full", "strict", "loose"],
    }
    assert {name: scheme(name).leave_out for name in names() if scheme(name).leave_out} == {"turku": ("1", "x")}
