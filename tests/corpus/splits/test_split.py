"""Splits: whole units, sizes and labels near to what was asked, whatever the order of the pairs."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.corpus.splits.options import SplitOptions
from otherwords.corpus.splits.units import components
from otherwords.errors import DataError, UsageError
from otherwords.records import Pair
from tests.corpus.splitting import grouped, pair, parts, sizes, split
from tests.errors import raises

HALVES = {"parts": "50/50"}


@given(st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_components_are_those_of_a_plain_search(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, links = graph
    names = list(range(count))
    for first, second in links:
        old, new = max(names[first], names[second]), min(names[first], names[second])
        names = [new if name == old else name for name in names]
    sides = np.array(links, np.int64).reshape(-1, 2).T
    assert components(count, *sides).tolist() == names


@pytest.mark.parametrize(
    ("options", "together", "apart"),
    [
        ({"by": "group"}, [("a", "b")], [("c", "d")]),
        ({"by": "document"}, [("c", "d"), ("d", "e")], [("a", "b")]),
        ({"by": "pair"}, [("a", "a-rewritten"), ("a", "a-again")], [("a", "b"), ("c", "d"), ("f", "g")]),
        ({"by": "pair", "components": True}, [("f", "g"), ("g", "h")], [("a", "b"), ("c", "d")]),
        ({"by": "group", "components": True}, [("a", "b"), ("f", "h"), ("a", "a-again")], [("c", "d")]),
    ],
)
def test_units_stay_together(options: dict[str, Any], together: list[Any], apart: list[Any]) -> None:
    pairs = [
        *(pair("a", group="one"), pair("b", group="one")),
        *(pair("c", doc1="x", doc2="y"), pair("d", doc1="z", doc2="x"), pair("e", doc1="q", doc2="z")),
        *(pair("f", "Stop there!", "Do halt."), pair("g", "Come on.", "STOP  there"), pair("h", "come on", "Hurry.")),
        *(pair("a-rewritten", rewrite_of="a"), pair("a-again", rewrite_of="a-rewritten")),
    ]
    result = split(pairs, **options, **HALVES)
    unit = dict(zip(result.table["id"].to_pylist(), result.table["unit"].to_pylist(), strict=True))
    assert all(unit[first] == unit[second] for first, second in together)
    assert all(unit[first] != unit[second] for first, second in apart)
    part = parts(result)
    assert all(part[first] == part[second] for first in unit for second in unit if unit[first] == unit[second])
    assert None not in part.values()


def test_names_of_units() -> None:
    pairs = [pair("b", group="ferry"), pair("a", group="ferry"), pair("c", group="harbour"), pair("d")]
    result = split(pairs, by="group", **HALVES)
    assert result.table["unit"].to_pylist() == ["ferry", "ferry", "harbour", "d"]
    assert "1 pair has no group and is its own unit" in result.summary["remarks"]
    assert set(split(pairs, by="pair", **HALVES).table["unit"].to_pylist()) == {"a", "b", "c", "d"}


def test_sizes_are_as_asked_where_units_are_small() -> None:
    result = split(grouped({f"g{n}": 1 + n % 4 for n in range(400)}, "1234"))
    assert sizes(result) == {"train": 800, "dev": 100, "test": 100}
    summary = result.summary["sizes"]
    assert [part["asked"] for part in summary] == [0.8, 0.1, 0.1]
    assert sum(part["units"] for part in summary) == result.summary["units"] == 400
    assert all(abs(part["off"]) < 1e-9 for part in summary)


def test_labels_and_sources_are_spread_evenly() -> None:
    chance = random.Random(3)
    labels = [chance.choices("1234", (5, 10, 25, 60))[0] for _ in range(3000)]
    pairs = [
        pair(f"p{n}", label=label, group=f"g{n // 3}", source=("news", "film")[n % 7 == 0])
        for n, label in enumerate(labels)
    ]
    result = split(pairs)
    train, dev, test = (part["labels"] for part in result.summary["sizes"])
    assert set(train) == set("1234")
    assert all(abs(train[label] - other[label]) < 0.01 for other in (dev, test) for label in train)
    place = parts(result)
    for part, count in sizes(result).items():
        films = sum(place[row.id] == part and row.source == "film" for row in pairs)
        assert abs(films / count - 1 / 7) < 0.01


@pytest.mark.parametrize("options", [{}, {"folds": 7}, {"by": "pair"}, {"by": "pair", "components": True}])
def test_the_order_of_the_pairs_does_not_matter(options: dict[str, Any]) -> None:
    pairs = grouped({f"g{n}": 1 + n * 7 % 5 for n in range(60)}, "12344")
    expected = parts(split(pairs, **options))
    for seed in range(3):
        random.Random(seed).shuffle(pairs)
        assert parts(split(pairs, **options)) == expected
    assert parts(split(pairs, **options, seed=1)) != expected


def test_folds_are_equal_and_numbered() -> None:
    result = split(grouped({f"g{n}": 10 for n in range(200)}, "1234"), folds=100)
    assert sizes(result) == {str(number): 20 for number in range(100)}


def test_a_group_larger_than_a_part_gets_a_remark() -> None:
    result = split(grouped({"epic": 60, **{f"g{n}": 1 for n in range(40)}}), parts="40/30/30")
    assert parts(result)["epic-0"] == "train"
    assert sizes(result) == {"train": 60, "dev": 20, "test": 20}
    assert "the largest unit, epic, has 60 pairs, more than train, dev, test should" in result.summary["remarks"]


def test_no_part_is_empty_if_there_are_enough_units() -> None:
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
def test_the_default_unit_depends_on_what_pairs_have(pairs: list[Pair], by: str, components: bool) -> None:
    result = split(pairs)
    assert (result.summary["by"], result.summary["components"], result.summary["chosen"]) == (by, components, True)
    assert result.summary["remarks"][0].startswith(f"split by {by}")
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
    shares = SplitOptions(parts=parts_asked).shares()
    assert list(shares) == list(named)
    assert shares == pytest.approx(named)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"parts": "80/10/5"}, "wrong-sum-of-parts"),
        ({"parts": "100"}, "wrong-number-of-parts"),
        ({"parts": "40/20/20/20"}, "wrong-number-of-parts"),
        ({"parts": "80/10/ten"}, "not-a-number"),
        ({"parts": "100/0"}, "share-out-of-range"),
        ({"parts": "nan/50"}, "share-out-of-range"),
        ({"parts": "training=80/test=20"}, "no-such-part"),
        ({"parts": "train=50/train=50"}, "wrong-number-of-parts"),
        ({"by": "grup"}, "unknown-split-unit"),
        ({"folds": 1}, "too-few-folds"),
        ({"folds": 5, "by": "time"}, "folds-by-time"),
        ({"before": ("2020-01-01",), "parts": "80/20"}, "dates-without-time"),
        ({"before": ("2020-01-01",), "by": "time"}, "wrong-number-of-dates"),
        ({"before": ("2020-01-01", "soon"), "by": "time"}, "not-a-date"),
        ({"before": ("2020-01-01", "2019-01-01"), "by": "time"}, "dates-not-ascending"),
    ],
)
def test_impossible_options(options: dict[str, Any], code: str) -> None:
    with raises(code) as problem:
        SplitOptions(**options)
    assert isinstance(problem.value, UsageError)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parts": "80/10/5"}, "--parts 80/10/5: the parts sum to 95, not to 100"),
        ({"parts": "training=80/test=20"}, "--parts: no part is called 'training'; did you mean train?"),
        ({"by": "grup"}, "--by grup; did you mean group?"),
    ],
)
def test_messages_about_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as problem:
        SplitOptions(**options)
    assert str(problem.value) == message


@pytest.mark.parametrize(
    ("pairs", "options", "code", "fact"),
    [
        ([pair("a"), pair("b")], {"by": "group"}, "no-group", "--by pair"),
        ([pair("a"), pair("b")], {"by": "document"}, "no-document", "--by pair"),
        ([pair("a"), pair("b")], {"by": "time"}, "no-time", "--by pair"),
        ([pair("a"), pair("b")], {"by": "pair"}, "too-few-units", "3 parts .* 2 units by pair"),
        (grouped({"one": 50}), {"folds": 10}, "too-few-units", "10 parts .* 1 unit by group"),
        ([pair(str(n), time="2021-05-01") for n in range(9)], {"by": "time"}, "too-few-times", "1 time .* 3 parts"),
        ([], {}, "nothing-to-split", ""),
    ],
)
def test_corpora_that_cannot_be_split(pairs: list[Pair], options: dict[str, Any], code: str, fact: str) -> None:
    with raises(code, match=fact) as problem:
        split(pairs, **options)
    assert isinstance(problem.value, DataError)


@pytest.mark.parametrize(("labels", "reason"), [("4", "all labels are the same"), ("", "no pair has a label")])
def test_without_labels_to_balance_only_sizes_are(labels: str, reason: str) -> None:
    result = split([pair(str(n), label=labels or None) for n in range(50)])
    assert sizes(result) == {"train": 40, "dev": 5, "test": 5}
    assert any(reason in remark for remark in result.summary["remarks"])
