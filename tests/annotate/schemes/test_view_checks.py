"""Views that somebody wrote by hand: every mistake is found when the file is read."""

from __future__ import annotations

import tomllib

import pytest

from otherwords.annotate.schemes import load_scheme, scheme_names
from otherwords.annotate.schemes.reading import parse_scheme
from tests.errors import raises

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
    ("text", "code", "fact"),
    [
        (ONE + VIEW + 'rule = "most"\n', "bad-setting", "views, rule: .*'most'"),
        (ONE + VIEW + "treshold = 3\n", "unknown-setting", "'treshold'; did you mean threshold"),
        (ONE + '[views."Crowd 1"]\n', "bad-view-name", "views.Crowd 1"),
        (ONE + VIEW + 'rule = "votes"\n', "missing-threshold", ""),
        (ONE + VIEW + 'rule = "votes"\nthreshold = 3\n', "missing-threshold", ""),
        (ONE + VIEW + 'rule = "votes"\nthreshold = 6\nof = 6\n', "bad-threshold", "threshold 6 of 6"),
        (ONE + VIEW + 'rule = "votes"\nthreshold = 0\nof = 6\n', "bad-threshold", "threshold 0 of 6"),
        (ONE + VIEW + "threshold = 2\n", "threshold-without-votes", ""),
        (ONE + VIEW + "of = 2\n", "bad-agreement-size", "of = 2"),
        (ONE + VIEW + 'rule = "agreement"\nof = 1\n', "bad-agreement-size", "of = 1"),
        (ONE + VIEW + 'projection = "half"\n', "no-such-projection", "'half'; known: full"),
        (ONE + VIEW + 'positive = ["maybe"]\n', "unknown-value", "positive: 'maybe'.*no, yes"),
        (ONE + VIEW + 'positive = ["yes"]\nprojection = "full"\n', "positive-and-projection", ""),
        (ONE + VIEW + "plain = true\n", "plain-without-positive", ""),
        (ONE + VIEW + 'all_say = { tone = ["yes"] }\n', "bad-all-say", "tone"),
        (TWO + VIEW, "no-such-question", "question = ''"),
        (TWO + VIEW + 'question = "sad"\n', "no-such-question", "'sad'"),
        (TWO + VIEW + 'question = "why"\n', "several-answers", "why"),
        (TWO + VIEW + 'question = "rude"\nall_say = { funny = ["maybe"] }\n', "bad-all-say", "funny.*maybe"),
        (TWO + VIEW + 'question = "rude"\nrule = "votes"\nthreshold = 3\nof = 6\n', "votes-without-positive", ""),
        (HEAD + 'leave_out = ["maybe"]\n' + YES + NO, "unknown-value", "leave_out: 'maybe'.*no, yes"),
    ],
)
def test_every_mistake_has_its_code(text: str, code: str, fact: str) -> None:
    with raises(code, match=fact):
        parse_scheme(tomllib.loads(text))


def test_valid_files_are_accepted() -> None:
    view = (
        'question = "rude"\npositive = ["yes"]\nrule = "votes"\nthreshold = 2\nof = 3\nall_say = { funny = ["yes"] }\n'
    )
    assert list(parse_scheme(tomllib.loads(TWO + VIEW + view)).views) == ["crowd"]
    assert parse_scheme(tomllib.loads(ONE + VIEW + 'rule = "agreement"\n')).views["crowd"].expected is None


def test_views_of_the_shipped_schemes() -> None:
    views = {name: list(found.views) for name in scheme_names() if (found := load_scheme(name)).views}
    assert views == {
        "binary-loose": ["votes-3", "votes-4"],
        "binary-strict": ["votes-3", "votes-4"],
        "opusparcus": ["full", "strict", "loose"],
        "rupaws": ["kept", "single"],
        "suzuki": ["full", "binary"],
        "turku": ["full", "strict", "loose"],
    }
    assert {name: load_scheme(name).leave_out for name in scheme_names() if load_scheme(name).leave_out} == {
        "suzuki": ("Unnatural", "Other"),
        "turku": ("1", "x"),
    }
