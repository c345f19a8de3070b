"""Views over what was said: one answer for all of them, by name, and what a release does without."""

from __future__ import annotations

import pytest

from otherwords.annotate.schemes import scheme
from otherwords.corpus.views import Said, Views, left_out_labels, rule_named
from otherwords.errors import UsageError


@pytest.mark.parametrize(
    ("name", "said", "made_by", "views", "votes"),
    [
        (
            "turku",
            Said(alone=('"4"', '"4"')),
            "judgements",
            {"full": "4", "strict": "positive", "loose": "positive"},
            2,
        ),
        ("turku", Said(alone=('"3"',)), "judgements", {"full": "3", "strict": "negative", "loose": "positive"}, 1),
        ("turku", Said('"4i"', "qa"), "qa", {"full": "4i", "strict": "negative", "loose": "positive"}, None),
        ("turku", Said(came="2"), "import", {"full": "2", "strict": "negative", "loose": "negative"}, None),
        ("turku", Said(alone=('"4"', '"3"')), None, {"full": None, "strict": None, "loose": "positive"}, None),
        ("binary-strict", Said(votes=("true",) * 5 + ("false",)), "votes", {"votes-3": "yes", "votes-4": "yes"}, 6),
        ("binary-strict", Said(votes=("true",) * 4 + ("false",) * 2), "votes", {"votes-3": "yes", "votes-4": None}, 6),
        ("suzuki", Said(alone=('"Other"',)), "judgements", {"full": "Other", "binary": None}, 0),
        ("rupaws", Said(came="0"), "import", {"kept": "no", "single": "no"}, None),
    ],
)
def test_all_views_at_once(
    name: str, said: Said, made_by: str | None, views: dict[str, str | None], votes: int | None
) -> None:
    seen = Views(scheme(name))(said)
    assert (seen.made_by, seen.views, seen.votes) == (made_by, views, votes)


def test_where_nothing_was_said_nothing_follows() -> None:
    assert Views(scheme("turku"))(Said()).ruling is None
    assert Views(scheme("turku"))(Said(votes=('"4"',))).ruling is None, "this scheme does not go by votes"


def test_a_view_by_name() -> None:
    assert rule_named(scheme("turku"), None).view == scheme("turku").views["full"]
    assert rule_named(scheme("turku"), "loose").positive("positive") is True
    assert rule_named(scheme("vila"), "full").positive("no") is False, "a scheme without views has one"
    with pytest.raises(UsageError, match="'turku' has no view 'lose'; did you mean loose?"):
        rule_named(scheme("turku"), "lose")


def test_what_a_release_does_without() -> None:
    assert left_out_labels(scheme("turku")) == {"1", "x"}
    assert left_out_labels(scheme("suzuki")) == frozenset()
