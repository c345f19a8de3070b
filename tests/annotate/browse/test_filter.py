"""Filters are parsed from query parameters and turned back into them; nonsense is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords import labels
from otherwords.annotate.browse.filter import FILTER_NAMES, HAS, NO_FILTER, PLAIN, Filter, Similarity, parse_filter
from otherwords.errors import Refused
from tests.errors import raises


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, NO_FILTER),
        ({"query": "", "label": " ", "has": ""}, NO_FILTER),
        ({"query": '""'}, NO_FILTER),
        ({"projection": "base"}, NO_FILTER),
        ({"query": " rain  harbour "}, Filter(query="rain  harbour")),
        ({"label": "4si>"}, Filter(label="4>is")),
        ({"label": "4>s", "projection": "arrows"}, Filter(label="4>", projection="arrows")),
        ({"label": "4>s", "projection": "base"}, Filter(label="4", projection="base")),
        ({"label": "positive", "projection": "binary"}, Filter(label="positive", projection="binary")),
        ({"label": "2", "projection": "binary"}, Filter(label="negative", projection="binary")),
        ({"label": "x"}, Filter(label="x")),
        ({"label": "Unnatural"}, Filter(label="Unnatural")),
        ({"label": "paraphrase=yes"}, Filter(label="paraphrase=yes")),
        ({"measure": "bleu"}, Filter(similarity=Similarity("bleu"))),
        ({"measure": "bleu", "low": "0.1", "high": "1e-1"}, Filter(similarity=Similarity("bleu", 0.1, 0.1))),
        ({"measure": "bleu", "low": "-1"}, Filter(similarity=Similarity("bleu", -1.0))),
        ({"has": "none", "source": "news"}, Filter(has="none", source="news")),
    ],
)
def test_parameters_are_parsed(params: dict[str, str], expected: Filter) -> None:
    assert parse_filter(params) == expected


@pytest.mark.parametrize(
    ("params", "code", "fact"),
    [
        ({"lable": "4"}, "no-such-filter", "'lable'; did you mean label"),
        ({"zzz": ""}, "no-such-filter", "'zzz'; known: query"),
        ({"label": "x", "projection": "binary"}, "label-not-binary", "'x'"),
        ({"label": "4", "projection": "half"}, "no-such-projection", "'half'.*full, arrows, base, binary"),
        ({"projection": "half"}, "no-such-projection", "'half'"),
        ({"low": "1"}, "bounds-without-measure", ""),
        ({"high": "1"}, "bounds-without-measure", ""),
        ({"measure": "bleu", "low": "much"}, "not-a-number", "low: 'much'"),
        ({"measure": "bleu", "high": "nan"}, "not-a-number", "high: 'nan'"),
        ({"measure": "bleu", "high": "inf"}, "not-a-number", "high: 'inf'"),
        ({"measure": "bleu", "low": "0.5", "high": "0.2"}, "bounds-reversed", r"0\.5.*0\.2"),
        ({"measure": 'bl"eu'}, "bad-measure-name", 'bl"eu'),
        ({"measure": "bl\\eu"}, "bad-measure-name", "bl"),
        ({"has": "everything"}, "no-such-has", "'everything'.*judgement"),
        ({"source": "a\0b"}, "control-character", "source"),
        ({"batch": "\ud800"}, "control-character", "batch"),
        ({"group": "x" * 501}, "filter-too-long", "500.*501"),
    ],
)
def test_nonsense_is_refused(params: dict[str, str], code: str, fact: str) -> None:
    with raises(code, match=fact) as caught:
        parse_filter(params)
    assert isinstance(caught.value, Refused)


@pytest.mark.parametrize(
    ("params", "fact"),
    [
        ({"label": "5", "projection": "base"}, "'5' is not one of 1 2 3 4 x"),
        ({"label": "3s"}, "flags"),
        ({"label": "4<>"}, "< and >"),
        ({"label": "yes", "projection": "binary"}, "'y' is not one of"),
        ({"query": "x" * 10_000}, "2,000.*10,000"),
    ],
)
def test_impossible_labels_and_searches_are_refused(params: dict[str, str], fact: str) -> None:
    with pytest.raises(Refused, match=fact):
        parse_filter(params)


NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(repr)
WORDS = st.text(max_size=12)
SENSIBLE = {
    "query": WORDS,
    "label": st.sampled_from([*map(str, labels.all_labels()), "4s<", "positive", "5"]),
    "projection": st.sampled_from([*labels.PROJECTIONS, "half"]),
    **dict.fromkeys(PLAIN, WORDS),
    **{"measure": WORDS, "low": NUMBERS, "high": NUMBERS, "has": st.sampled_from([*HAS, ""])},
}


@given(st.fixed_dictionaries({}, optional=SENSIBLE))
def test_a_filter_survives_its_parameters(params: dict[str, str]) -> None:
    try:
        wanted = parse_filter(params)
    except Refused:
        return
    assert parse_filter(wanted.as_params()) == wanted
    assert set(wanted.as_params()) <= set(params) | {"projection"}
    assert parse_filter(wanted.as_params()).as_params() == wanted.as_params()


def test_all_names_survive_the_parameters() -> None:
    given_ = dict.fromkeys(FILTER_NAMES, "news") | {"label": "4", "projection": "base", "has": "note"}
    given_ |= {"low": "0.25", "high": "0.5"}
    assert parse_filter(given_).as_params() == given_


def test_filters_on_texts_only_are_recognised() -> None:
    texts = {"query": "rain", "source": "news", "lang": "en", "group": "sea"}
    assert not parse_filter(texts).beyond_the_texts
    others = {
        "label": "4",
        "method": "m",
        "type": "t",
        "annotator": "a",
        "batch": "b",
        "measure": "bleu",
        "has": "note",
    }
    for name, value in others.items():
        assert parse_filter({name: value}).beyond_the_texts, name
    assert set(texts) | set(others) | {"projection", "low", "high"} == set(FILTER_NAMES)
