"""Views of a scheme: the labels of all views at once, a view by name, and labels that releases leave out."""

from __future__ import annotations

import pytest

from otherwords.annotate.labels.views import CountedValues, SchemeViews, left_out_labels, view_rule
from otherwords.annotate.schemes import load_scheme
from tests.errors import raises


@pytest.mark.parametrize(
    ("name", "values", "made_by", "views", "votes"),
    [
        (
            "turku",
            CountedValues(alone=('"4"', '"4"')),
            "judgements",
            {"full": "4", "strict": "positive", "loose": "positive"},
            2,
        ),
        (
            "turku",
            CountedValues(alone=('"3"',)),
            "judgements",
            {"full": "3", "strict": "negative", "loose": "positive"},
            1,
        ),
        ("turku", CountedValues('"4i"', "qa"), "qa", {"full": "4i", "strict": "negative", "loose": "positive"}, None),
        (
            "turku",
            CountedValues(imported="2"),
            "import",
            {"full": "2", "strict": "negative", "loose": "negative"},
            None,
        ),
        ("turku", CountedValues(alone=('"4"', '"3"')), None, {"full": None, "strict": None, "loose": "positive"}, None),
        (
            "binary-strict",
            CountedValues(votes=("true",) * 5 + ("false",)),
            "votes",
            {"votes-3": "yes", "votes-4": "yes"},
            6,
        ),
        (
            "binary-strict",
            CountedValues(votes=("true",) * 4 + ("false",) * 2),
            "votes",
            {"votes-3": "yes", "votes-4": None},
            6,
        ),
        ("suzuki", CountedValues(alone=('"Other"',)), "judgements", {"full": "Other", "binary": None}, 0),
        ("rupaws", CountedValues(imported="0"), "import", {"kept": "no", "single": "no"}, None),
    ],
)
def test_all_views_at_once(
    name: str, values: CountedValues, made_by: str | None, views: dict[str, str | None], votes: int | None
) -> None:
    seen = SchemeViews(load_scheme(name)).labels(values)
    assert (seen.made_by, seen.views, seen.votes) == (made_by, views, votes)


def test_without_values_there_is_no_decision() -> None:
    turku = SchemeViews(load_scheme("turku"))
    assert turku.labels(CountedValues()).decision is None
    assert turku.labels(CountedValues(votes=('"4"',))).decision is None, "this scheme does not go by votes"


def test_a_view_by_name() -> None:
    assert view_rule(load_scheme("turku"), None).view == load_scheme("turku").views["full"]
    assert view_rule(load_scheme("turku"), "loose").positive("positive") is True
    assert view_rule(load_scheme("vila"), "full").positive("no") is False, "a scheme without views has one"
    with raises("no-such-view", match="did you mean loose"):
        view_rule(load_scheme("turku"), "lose")


def test_labels_that_releases_leave_out() -> None:
    assert left_out_labels(load_scheme("turku")) == {"1", "x"}
    assert left_out_labels(load_scheme("suzuki")) == {"Unnatural", "Other"}
    assert left_out_labels(load_scheme("vila")) == frozenset()
