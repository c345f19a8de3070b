"""A filter is what an address says, and an address is what a filter says; nonsense is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords import labels
from otherwords.annotate.pair_filter import EVERYTHING, HAS, NAMES, PLAIN, Filter, Similarity, parse
from otherwords.errors import Refused


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, EVERYTHING),
        ({"query": "", "label": " ", "has": ""}, EVERYTHING),
        ({"query": '""'}, EVERYTHING),
        ({"projection": "base"}, EVERYTHING),
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
def test_an_address_is_read(params: dict[str, str], expected: Filter) -> None:
    assert parse(params) == expected


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"lable": "4"}, "there is no filter 'lable'; did you mean label"),
        ({"zzz": ""}, "there is no filter 'zzz'; known: query"),
        ({"label": "5", "projection": "base"}, "'5' is not one of 1 2 3 4 x"),
        ({"label": "3s"}, "flags"),
        ({"label": "4<>"}, "exclude each other"),
        ({"label": "yes", "projection": "binary"}, "is not one of"),
        ({"label": "x", "projection": "binary"}, "neither positive nor negative"),
        ({"label": "4", "projection": "half"}, "'half' is not one of full, arrows, base, binary"),
        ({"projection": "half"}, "'half' is not one of"),
        ({"low": "1"}, "name one"),
        ({"high": "1"}, "name one"),
        ({"measure": "bleu", "low": "much"}, "low: 'much' is not a number"),
        ({"measure": "bleu", "high": "nan"}, "high: 'nan' is not a number"),
        ({"measure": "bleu", "high": "inf"}, "high: 'inf' is not a number"),
        ({"measure": "bleu", "low": "0.5", "high": "0.2"}, "the low bound 0.5 is above the high one, 0.2"),
        ({"measure": 'bl"eu'}, "is not the name of a measure"),
        ({"measure": "bl\\eu"}, "is not the name of a measure"),
        ({"has": "everything"}, "'everything' is not one of judgement"),
        ({"source": "a\0b"}, "characters that no name has"),
        ({"batch": "\ud800"}, "characters that no name has"),
        ({"group": "x" * 501}, "at most 500 characters, not 501"),
        ({"query": "x" * 10_000}, "at most 2,000 characters, not 10,000"),
    ],
)
def test_nonsense_is_refused(params: dict[str, str], message: str) -> None:
    with pytest.raises(Refused, match=message):
        parse(params)


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
def test_a_filter_and_its_address_are_the_same(params: dict[str, str]) -> None:
    try:
        wanted = parse(params)
    except Refused:
        return
    assert parse(wanted.as_params()) == wanted
    assert set(wanted.as_params()) <= set(params) | {"projection"}
    assert parse(wanted.as_params()).as_params() == wanted.as_params()


def test_every_name_comes_back() -> None:
    given_ = dict.fromkeys(NAMES, "news") | {"label": "4", "projection": "base", "has": "note"}
    given_ |= {"low": "0.25", "high": "0.5"}
    assert parse(given_).as_params() == given_


def test_what_only_the_texts_tell_is_told_apart() -> None:
    texts = {"query": "rain", "source": "news", "lang": "en", "group": "sea"}
    assert not parse(texts).beyond_the_texts
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
        assert parse({name: value}).beyond_the_texts, name
    assert set(texts) | set(others) | {"projection", "low", "high"} == set(NAMES)
