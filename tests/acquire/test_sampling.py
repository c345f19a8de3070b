"""A balanced sample: as many from each range, the same pairs for a seed, and reasons for what is missing."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.acquire.sampling import DrawRow, SamplePlan, draw_sample, parse_ranges, sample_file
from otherwords.measures import measure
from otherwords.measures.bins import Ranges, bin_scores, range_names
from otherwords.records import Pair
from otherwords.sources.reading import open_records, write_records
from tests.errors import raises


def plan(per_bin: int = 2, bins: Any = 4, **options: Any) -> SamplePlan:
    return SamplePlan("jaccard", parse_ranges(bins, "jaccard"), per_bin, **options)


def rows(*entries: tuple[int, str, str | None]) -> list[DrawRow]:
    """Pairs by range, class and group, in an order of their own."""
    return [
        DrawRow(number, f"p{number}", place, (number * 7919) % 1000, name, group)
        for number, (place, name, group) in enumerate(entries)
    ]


def test_each_range_gives_as_many_and_what_is_missing_has_a_reason() -> None:
    found = rows(*[(0, "a", None)] * 5, *[(1, "a", None)], *[(4, "a", None)] * 2, (-1, "a", None))
    chosen, table = draw_sample(found, plan(2), "signature")
    assert Counter(found[row].place for row in chosen) == {0: 2, 1: 1, 4: 2}
    assert chosen == sorted(chosen)
    assert [(row.range, row.pairs, row.missing, row.reason(table.classes)) for row in table.ranges] == [
        ("[0.0, 0.25)", 2, 0, ""),
        ("[0.25, 0.5)", 1, 1, "only 1 pair in this range"),
        ("[0.5, 0.75)", 0, 2, "no pairs"),
        ("[0.75, 1.0)", 0, 2, "no pairs"),
        ("[1.0, 1.0]", 2, 0, ""),
    ]
    assert (table.pairs, table.outside, table.drawn) == (9, 1, 5)


def test_classes_take_turns_and_fill_up_for_each_other() -> None:
    found = rows(*[(0, "yes", None)] * 20, *[(0, "no", None)] * 3)
    _, table = draw_sample(found, plan(10, balance="label"), "s")
    [row] = [row for row in table.ranges if row.pairs]
    assert row.drawn == {"no": 3, "yes": 7}
    assert row.reason(table.classes) == "too few of no: 3 of 5"
    _, table = draw_sample(found, plan(6, balance="label"), "s")
    [row] = [row for row in table.ranges if row.pairs]
    assert (row.drawn, row.reason(table.classes)) == ({"no": 3, "yes": 3}, "")


def test_no_group_gives_more_than_the_cap_over_all_ranges() -> None:
    found = rows(*[(0, "a", "g")] * 4, *[(1, "a", "g")] * 4, (1, "a", "h"), (1, "a", None), (1, "a", None))
    chosen, table = draw_sample(found, plan(4, cap_per_group=3), "s")
    given_by = Counter(found[row].group for row in chosen)
    assert given_by == {"g": 3, "h": 1, None: 2}
    assert table.ranges[0].pairs == 3  # it has fewer pairs, so it chose first
    assert table.ranges[0].reason(table.classes) == "1 of 4 pairs are of groups that gave enough"


@given(st.lists(st.tuples(st.integers(-1, 4), st.sampled_from("abc"), st.sampled_from(["g", "h", None])), min_size=1))
def test_laws_of_the_draw(entries: list[tuple[int, str, str | None]]) -> None:
    found, wanted = rows(*entries), plan(3, balance="label", cap_per_group=2)
    if all(row.place < 0 for row in found):
        with raises("nothing-drawn"):
            draw_sample(found, wanted, "s")
        return
    chosen, table = draw_sample(found, wanted, "s")
    assert len(chosen) == len(set(chosen)) == table.drawn
    assert all(found[row].place >= 0 for row in chosen)
    assert all(row.pairs <= 3 for row in table.ranges)
    groups = Counter(found[row].group for row in chosen)
    assert all(count <= 2 for group, count in groups.items() if group is not None)
    for row in table.ranges:
        assert bool(row.missing) <= bool(row.reason(table.classes))
        assert all(row.drawn[name] <= row.available[name] for name in row.drawn)


def test_the_same_seed_draws_the_same_pairs_whatever_their_order(tmp_path: Path) -> None:
    pairs = [Pair(id=f"p{n}", text1=f"a b {n % 7}", text2=f"a {n % 5} {n % 3}", label=str(n % 2)) for n in range(300)]
    write_records(pairs, tmp_path / "in.jsonl")
    write_records(pairs[::-1], tmp_path / "reversed.jsonl")

    def drawn(name: str, seed: int) -> set[str]:
        options = plan(5, 10, balance="label", seed=seed)
        table, ids = sample_file(tmp_path / name, options, out=tmp_path / "out.jsonl")
        with open_records(tmp_path / "out.jsonl") as out:
            assert [pair.id for pair in out.pairs()] == ids
        assert len(ids) == table.drawn
        return set(ids)

    assert drawn("in.jsonl", 1) == drawn("reversed.jsonl", 1) != drawn("in.jsonl", 2)


@pytest.mark.parametrize("spec", ["jaccard", "char-cosine", "bleu", "edit"])
def test_equal_ranges_are_those_of_the_table_by_ranges(spec: str) -> None:
    words = ["a b c d", "a b c", "b c d e f", "a", "x y", "a b c d e f g h i j"]
    texts1, texts2 = [word for word in words for _ in words], words * len(words)
    chosen = measure(spec)
    ranges = parse_ranges(10, spec)
    assert ranges.names == range_names(10, chosen.range[1])
    assert np.array_equal(ranges.places(chosen, texts1, texts2), bin_scores(chosen, texts1, texts2))


def test_edges_are_exact_and_scores_beyond_them_are_outside() -> None:
    ranges = parse_ranges("0.1,0.3,0.6", "jaccard")
    assert ranges == Ranges((Fraction(1, 10), Fraction(3, 10), Fraction(3, 5)), Fraction(1))
    assert ranges.names == ["[0.1, 0.3)", "[0.3, 0.6)"]
    texts = ["a b c d e f g h i j"] * 4
    others = ["a b c", "a b c d e f", "a", "x"]  # 3/10, 6/10, 1/10, 0
    assert ranges.places(measure("jaccard:tok=blank"), texts, others).tolist() == [1, -1, 0, -1]
    assert parse_ranges("0.5,1", "jaccard").names == ["[0.5, 1.0)", "[1.0, 1.0]"]


@pytest.mark.parametrize("bins", ["0", "ten", "1.5", "0.5,0.2", "0.1,0.1", "1/0,1", "1001"])
def test_ranges_that_make_no_sense_are_refused(bins: str) -> None:
    with raises("bad-ranges", match=bins):
        parse_ranges(bins, "jaccard")


def test_nothing_to_draw_is_an_error(tmp_path: Path) -> None:
    write_records([Pair(id="1", text1="a", text2="b")], tmp_path / "in.jsonl")
    with raises("nothing-drawn", match="none of 1"):
        sample_file(tmp_path / "in.jsonl", plan(bins="0.5,1"), out=tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
