"""Splits: whole units, sizes and labels near to what was asked, and never by order of arrival."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.corpus.split_wishes import Wishes
from otherwords.corpus.units import components
from otherwords.errors import DataError, OtherwordsError, UsageError
from otherwords.records import Pair
from tests.corpus.splitting import grouped, pair, parts, sizes, split

HALVES = {"parts": "50/50"}


@given(st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_components_are_those_of_a_plain_search(told: tuple[int, list[tuple[int, int]]]) -> None:
    count, links = told
    names = list(range(count))
    for one, two in links:
        old, new = max(names[one], names[two]), min(names[one], names[two])
        names = [new if name == old else name for name in names]
    sides = np.array(links, np.int64).reshape(-1, 2).T
    assert components(count, *sides).tolist() == names


@pytest.mark.parametrize(
    ("wishes", "together", "apart"),
    [
        ({"by": "group"}, [("a", "b")], [("c", "d")]),
        ({"by": "document"}, [("c", "d"), ("d", "e")], [("a", "b")]),
        ({"by": "pair"}, [("a", "a-rewritten"), ("a", "a-again")], [("a", "b"), ("c", "d"), ("f", "g")]),
        ({"by": "pair", "components": True}, [("f", "g"), ("g", "h")], [("a", "b"), ("c", "d")]),
        ({"by": "group", "components": True}, [("a", "b"), ("f", "h"), ("a", "a-again")], [("c", "d")]),
    ],
)
def test_units_stay_together(wishes: dict[str, Any], together: list[Any], apart: list[Any]) -> None:
    pairs = [
        *(pair("a", group="one"), pair("b", group="one")),
        *(pair("c", doc1="x", doc2="y"), pair("d", doc1="z", doc2="x"), pair("e", doc1="q", doc2="z")),
        *(pair("f", "Stop there!", "Do halt."), pair("g", "Come on.", "STOP  there"), pair("h", "come on", "Hurry.")),
        *(pair("a-rewritten", rewrite_of="a"), pair("a-again", rewrite_of="a-rewritten")),
    ]
    made = split(pairs, **wishes, **HALVES)
    unit = dict(zip(made.table["id"].to_pylist(), made.table["unit"].to_pylist(), strict=True))
    assert all(unit[one] == unit[two] for one, two in together)
    assert all(unit[one] != unit[two] for one, two in apart)
    part = parts(made)
    assert all(part[one] == part[two] for one in unit for two in unit if unit[one] == unit[two])
    assert None not in part.values()


def test_units_are_called_by_what_they_are() -> None:
    pairs = [pair("b", group="ferry"), pair("a", group="ferry"), pair("c", group="harbour"), pair("d")]
    made = split(pairs, by="group", **HALVES)
    assert made.table["unit"].to_pylist() == ["ferry", "ferry", "harbour", "d"]
    assert "1 pairs have no group and stand each for itself" in made.summary["remarks"]
    assert set(split(pairs, by="pair", **HALVES).table["unit"].to_pylist()) == {"a", "b", "c", "d"}


def test_sizes_are_as_asked_where_units_are_small() -> None:
    made = split(grouped({f"g{n}": 1 + n % 4 for n in range(400)}, "1234"))
    assert sizes(made) == {"train": 800, "dev": 100, "test": 100}
    told = made.summary["sizes"]
    assert [one["asked"] for one in told] == [0.8, 0.1, 0.1]
    assert sum(one["units"] for one in told) == made.summary["units"] == 400
    assert all(abs(one["off"]) < 1e-9 for one in told)


def test_labels_and_sources_are_spread_evenly() -> None:
    chance = random.Random(3)
    labels = [chance.choices("1234", (5, 10, 25, 60))[0] for _ in range(3000)]
    pairs = [
        pair(f"p{n}", label=label, group=f"g{n // 3}", source=("news", "film")[n % 7 == 0])
        for n, label in enumerate(labels)
    ]
    made = split(pairs)
    train, dev, test = (one["labels"] for one in made.summary["sizes"])
    assert set(train) == set("1234")
    assert all(abs(train[label] - other[label]) < 0.01 for other in (dev, test) for label in train)
    place = parts(made)
    for part, count in sizes(made).items():
        films = sum(place[one.id] == part and one.source == "film" for one in pairs)
        assert abs(films / count - 1 / 7) < 0.01


@pytest.mark.parametrize("wishes", [{}, {"folds": 7}, {"by": "pair"}, {"by": "pair", "components": True}])
def test_the_order_of_the_pairs_has_no_say(wishes: dict[str, Any]) -> None:
    pairs = grouped({f"g{n}": 1 + n * 7 % 5 for n in range(60)}, "12344")
    expected = parts(split(pairs, **wishes))
    for seed in range(3):
        random.Random(seed).shuffle(pairs)
        assert parts(split(pairs, **wishes)) == expected
    assert parts(split(pairs, **wishes, seed=1)) != expected


def test_folds_are_equal_and_numbered() -> None:
    made = split(grouped({f"g{n}": 10 for n in range(200)}, "1234"), folds=100)
    assert sizes(made) == {str(number): 20 for number in range(100)}


def test_a_group_larger_than_a_part_is_done_as_well_as_possible_and_said() -> None:
    made = split(grouped({"epic": 60, **{f"g{n}": 1 for n in range(40)}}), parts="40/30/30")
    assert parts(made)["epic-0"] == "train"
    assert sizes(made) == {"train": 60, "dev": 20, "test": 20}
    assert "the largest unit, epic, has 60 pairs, more than train, dev, test should" in made.summary["remarks"]


def test_no_part_is_empty_where_there_are_units_enough() -> None:
    assert sizes(split(grouped({"a": 10, "b": 10, "c": 10}))) == {"train": 10, "dev": 10, "test": 10}
    assert min(sizes(split(grouped({"a": 90, "b": 2, "c": 1}))).values()) == 1


@pytest.mark.parametrize(
    ("pairs", "by", "components"),
    [
        ([pair(str(n), group=f"g{n // 2}", doc1=f"d{n}", doc2="e") for n in range(8)], "group", False),
        ([pair(str(n), doc1=f"d{n}", doc2=f"e{n}") for n in range(8)], "document", False),
        ([pair(str(n)) for n in range(8)], "pair", True),
    ],
)
def test_what_stays_whole_is_chosen_by_what_pairs_have(pairs: list[Pair], by: str, components: bool) -> None:
    made = split(pairs)
    assert (made.summary["by"], made.summary["components"], made.summary["chosen"]) == (by, components, True)
    assert made.summary["remarks"][0].startswith(f"split by {by}")
    assert not split(pairs, by="pair").summary["chosen"]


@pytest.mark.parametrize(
    ("parts_asked", "named"),
    [
        ("80/20", {"train": 0.8, "test": 0.2}),
        ("70/15/15", {"train": 0.7, "dev": 0.15, "test": 0.15}),
        ("test=30/train=70", {"train": 0.7, "test": 0.3}),
        ("33.4/33.3/33.3", {"train": 0.334, "dev": 0.333, "test": 0.333}),
    ],
)
def test_parts_by_their_numbers_or_names(parts_asked: str, named: dict[str, float]) -> None:
    shares = Wishes(parts=parts_asked).shares()
    assert list(shares) == list(named)
    assert shares == pytest.approx(named)


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"parts": "80/10/5"}, "the parts sum to 95, not to 100"),
        ({"parts": "100"}, "give two or three"),
        ({"parts": "40/20/20/20"}, "give two or three, as in 80/10/10, or --folds N"),
        ({"parts": "80/10/ten"}, "'ten' is no number"),
        ({"parts": "100/0"}, "more than 0 and less than 100"),
        ({"parts": "nan/50"}, "more than 0"),
        ({"parts": "training=80/test=20"}, "no part is called 'training'; did you mean train?"),
        ({"parts": "train=50/train=50"}, "name two or three different parts"),
        ({"by": "grup"}, "--by grup; did you mean group?"),
        ({"folds": 1}, "--folds 1: give 2 or more"),
        ({"folds": 5, "by": "time"}, "by time give --parts"),
        ({"before": ("2020-01-01",), "parts": "80/20"}, "which go with --by time"),
        ({"before": ("2020-01-01",), "by": "time"}, "3 parts need 2 dates, and there are 1"),
        ({"before": ("2020-01-01", "soon"), "by": "time"}, "--before soon: not a date"),
        ({"before": ("2020-01-01", "2019-01-01"), "by": "time"}, "the dates have to rise"),
    ],
)
def test_wishes_that_cannot_be(wishes: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("?", r"\?")):
        Wishes(**wishes)


@pytest.mark.parametrize(
    ("pairs", "wishes", "said"),
    [
        ([pair("a"), pair("b")], {"by": "group"}, "no pair has a group; split --by pair"),
        ([pair("a"), pair("b")], {"by": "document"}, "no pair has a document"),
        ([pair("a"), pair("b")], {"by": "time"}, "no pair has a time"),
        ([pair("a"), pair("b")], {"by": "pair"}, "3 parts cannot be made of 2 units by pair"),
        (grouped({"one": 50}), {"folds": 10}, "10 parts cannot be made of 1 units by group"),
        ([pair(str(n), time="2021-05-01") for n in range(9)], {"by": "time"}, "1 different times are too few for 3"),
        ([], {}, "nothing to split"),
    ],
)
def test_corpora_that_cannot_be_split_so(pairs: list[Pair], wishes: dict[str, Any], said: str) -> None:
    with pytest.raises(OtherwordsError, match=said) as problem:
        split(pairs, **wishes)
    assert isinstance(problem.value, DataError)


@pytest.mark.parametrize(("labels", "said"), [("4", "one label only"), ("", "no pair has a label")])
def test_without_labels_to_balance_the_sizes_are_kept_and_it_is_said(labels: str, said: str) -> None:
    made = split([pair(str(n), label=labels or None) for n in range(50)])
    assert sizes(made) == {"train": 40, "dev": 5, "test": 5}
    assert any(said in remark for remark in made.summary["remarks"])
