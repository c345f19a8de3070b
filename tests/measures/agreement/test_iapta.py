"""IAPTA: its laws, the plain version of it, and what is said about annotations that cannot be compared."""

from __future__ import annotations

import math

import pytest
from bench.iapta_naive import iapta, noted
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.iapta import MEASURES, cut, figures
from otherwords.records import Phenomenon
from tests.measures.agreement.annotations import TOKENS, Marks, annotations, one_to_one

LAW = settings(max_examples=50, deadline=None)
ORDER = Phenomenon(type="order", scope1=[(0, 3)], scope2=[(2, 5)], projection="local")
OTHER = Phenomenon(type="semantic", scope1=[(0, 1)], scope2=[(0, 11)], projection="global")


def values(one: Marks, two: Marks, projection: bool = True, keys: bool = True) -> dict[str, float]:
    found = figures({"anna": one, "ben": two}, TOKENS, projection=projection, keys=keys, replicates=0)
    return {figure.measure: figure.value for figure in found if figure.value is not None}


@LAW
@given(annotations(), annotations(), st.booleans(), st.booleans())
def test_it_is_what_the_paper_says_in_plain_loops(one: Marks, two: Marks, projection: bool, keys: bool) -> None:
    assume(any(one.values()) or any(two.values()))
    plain = iapta(noted(one, TOKENS), noted(two, TOKENS), projection=projection, keys=keys)
    assert values(one, two, projection, keys) == pytest.approx(plain)


@LAW
@given(annotations(), annotations())
def test_all_are_between_0_and_1(one: Marks, two: Marks) -> None:
    assert all(0 <= value <= 1 for value in values(one, two).values())


@LAW
@given(annotations())
def test_identical_annotations_agree_fully(one: Marks) -> None:
    assume(any(one.values()))
    assert values(one, one) == dict.fromkeys(MEASURES, 1.0)


@LAW
@given(annotations(), annotations())
def test_swapping_the_annotators_swaps_k_alone(one: Marks, two: Marks) -> None:
    swapped = {name.replace("-k", "-K"): value for name, value in values(two, one).items()}
    back = {name.replace("-K1", "-k2").replace("-K2", "-k1"): value for name, value in swapped.items()}
    assert values(one, two) == pytest.approx(back)


@LAW
@given(one_to_one(), one_to_one())
def test_degrees_are_no_less_than_total_overlap(one: Marks, two: Marks) -> None:
    found = values(one, two, projection=False, keys=False)
    assert found.get("iapta-do-f1", 0.0) >= found.get("iapta-tpo-total", 0.0) - 1e-12


@LAW
@given(annotations(), annotations())
def test_projection_and_keys_can_only_lower_the_degree(one: Marks, two: Marks) -> None:
    without, with_both = values(one, two, projection=False, keys=False), values(one, two)
    assert all(with_both[name] <= without[name] + 1e-12 for name in with_both)
    assert {name for name in with_both if with_both[name] != without[name]} <= {m for m in MEASURES if "-do-" in m}


def test_there_are_eight_n_measures_two_tpo_and_twelve_do() -> None:
    kinds = [sum(kind in measure for measure in MEASURES) for kind in ("-agr-", "-tpo-", "-do-")]
    assert kinds == [8, 2, 12]


def overlapping(one: Phenomenon, two: Phenomenon) -> float:
    return values({"p0": [one]}, {"p0": [two]})["iapta-do-k1"]


@pytest.mark.parametrize(
    ("one", "two", "degree"),
    [
        ({}, {}, 1.0),
        ({}, {"projection": "global"}, 0.75),
        ({"scope1": [(0, 7)]}, {}, 0.75),  # half of the first scope, all of the second
        ({"key1": [(0, 1)]}, {}, 0.875),  # a key that the other has not; none on the other side
        ({}, {"key1": [(0, 1)]}, 1.0),  # keys of the side that covers do not count
        ({"key1": [(0, 1)], "key2": [(2, 3)]}, {"key1": [(0, 1)]}, 0.875),
        ({"key1": [(0, 1)], "key2": [(2, 3)]}, {"key1": [(2, 3)]}, 0.75),
        ({"scope1": []}, {}, 0.5),  # a two-sided type with one scope
    ],
)
def test_the_degree_of_overlapping(one: dict[str, object], two: dict[str, object], degree: float) -> None:
    told = {"scope1": [(0, 3)], "scope2": [(2, 5)], "projection": "local"}
    made = [Phenomenon(type="order", **{**told, **changed}) for changed in (one, two)]  # type: ignore[arg-type]
    assert overlapping(*made) == degree


def test_a_scope_in_one_text_counts_whole_for_additions_and_deletions() -> None:
    added = Phenomenon(type="addition_deletion", scope2=[(0, 3)])
    assert overlapping(added, added) == 1.0
    assert overlapping(added, Phenomenon(type="addition_deletion", scope2=[(0, 1)])) == 0.5


def test_a_token_belongs_to_a_scope_that_touches_it() -> None:
    tokens = {"p": (cut("gone away", "en"), cut("left", "en"))}
    one = {"p": [Phenomenon(type="order", scope1=[(2, 6)], scope2=[(1, 2)])]}
    two = {"p": [Phenomenon(type="order", scope1=[(0, 9)], scope2=[(0, 4)])]}
    [total] = [f for f in figures({"a": one, "b": two}, tokens, replicates=0) if f.measure == "iapta-tpo-total"]
    assert total.value == 1.0


def named(found: list[Figure], measure: str) -> Figure:
    return next(figure for figure in found if figure.measure == measure)


def test_pairs_and_types_that_neither_marked_are_left_out_and_those_of_one_score_0() -> None:
    one: Marks = {"p0": [ORDER], "p1": [ORDER], "p2": [], "p3": []}
    two: Marks = {"p0": [ORDER], "p1": [OTHER], "p2": [], "p3": []}
    found = values(one, two)
    assert found["iapta-agr-ph"] == 1.0
    assert found["iapta-agr-ph-typewise"] == 0.25  # order 1 of 2, semantic 0 of 1
    assert found["iapta-agr-ph-pairwise"] == 1.0
    assert found["iapta-agr-ph-pairwise-typewise"] == 0.25
    assert found["iapta-do-f1-pairwise"] == 0.5


def test_intervals_hold_the_value_and_come_again_with_the_seed() -> None:
    one: Marks = {"p0": [ORDER], "p1": [ORDER], "p2": [OTHER], "p3": [ORDER, OTHER]}
    two: Marks = {"p0": [ORDER], "p1": [OTHER], "p2": [OTHER], "p3": [ORDER]}
    first, again, other = (figures({"a": one, "b": two}, TOKENS, replicates=200, seed=seed) for seed in (7, 7, 8))
    assert first == again
    assert first != other
    for figure in first:
        assert figure.value is not None
        assert figure.low is not None
        assert figure.high is not None
        assert figure.low <= figure.value <= figure.high
        assert figure.n == 4
    assert any(figure.low != figure.high for figure in first)
    assert first[0].signature.startswith("iapta-agr-w|proj:yes|keys:yes|one-sided:addition_deletion|bs:200|seed:7|")


def test_a_single_pair_has_no_interval() -> None:
    figure = named(figures({"a": {"p0": [ORDER]}, "b": {"p0": [ORDER]}}, TOKENS), "iapta-do-f1")
    assert (figure.value, figure.low, figure.high) == (1.0, None, None)


def test_nobody_marked_anything() -> None:
    found = figures({"anna": {"p0": [], "p1": []}, "ben": {"p0": [], "p1": []}}, TOKENS)
    assert [figure.measure for figure in found] == list(MEASURES)
    assert {figure.value for figure in found} == {None}
    assert {figure.note for figure in found} == {"neither marked anything; pairs that both annotated"}


@pytest.mark.parametrize(
    ("given", "note"),
    [
        ({}, "nobody annotated types"),
        ({"anna": {"p0": [ORDER]}}, "only anna annotated types; agreement takes two annotators"),
        ({"anna": {"p0": [ORDER]}, "ben": {"p1": [ORDER]}}, "anna and ben annotated no pair in common"),
        (
            {"anna": {"p0": [ORDER], "lost": [ORDER]}, "ben": {"lost": [ORDER]}},
            "anna and ben annotated no pair in common; left out of anna: 1 pairs without their texts; "
            "left out of ben: 1 pairs without their texts",
        ),
    ],
)
def test_annotators_who_cannot_be_compared(given: dict[str, Marks], note: str) -> None:
    [figure] = figures(given, TOKENS)
    assert (figure.measure, figure.value, figure.note) == ("iapta-do-f1", None, note)
    assert figure.annotators == tuple(given)


BAD = {
    "the type nonsense is unknown": Phenomenon(type="nonsense", scope1=[(0, 1)]),
    "the scope reaches beyond the text": Phenomenon(type="order", scope1=[(0, 12)]),
    "the scope is empty": Phenomenon(type="order"),
    "a part of the scope is empty": Phenomenon(type="order", scope1=[(3, 3)]),
    "the key reaches beyond the text": Phenomenon(type="order", scope1=[(0, 1)], key1=[(90, 91)]),
}


@pytest.mark.parametrize("reason", BAD)
def test_a_phenomenon_that_cannot_be_compared_is_left_out_and_the_rest_is_computed(reason: str) -> None:
    given = {"anna": {"p0": [ORDER, BAD[reason]], "p1": [OTHER]}, "ben": {"p0": [ORDER], "p1": [OTHER]}}
    figure = named(figures(given, TOKENS, types={"order", "semantic"}), "iapta-agr-ph")
    assert figure.value == 1.0
    assert figure.note == f"pairs that both annotated; left out of anna: 1 phenomena where {reason}"


def test_a_blank_alone_is_an_empty_scope() -> None:
    blank = Phenomenon(type="order", scope1=[(1, 2)], scope2=[(1, 2)])
    given = {"anna": {"p0": [blank, ORDER]}, "ben": {"p0": [ORDER]}}
    assert "the scope is empty" in str(named(figures(given, TOKENS), "iapta-agr-ph").note)


def test_pairs_of_one_annotator_and_pairs_without_texts_are_counted_in_the_note() -> None:
    given = {"anna": {"p0": [ORDER], "p1": [ORDER], "lost": [ORDER]}, "ben": {"p0": [ORDER], "p2": [ORDER]}}
    figure = named(figures(given, TOKENS), "iapta-do-f1")
    assert (figure.value, figure.n) == (1.0, 1)
    assert figure.note == (
        "pairs that both annotated; left out: 2 that only one did; left out of anna: 1 pairs without their texts"
    )


def test_three_annotators_are_compared_two_by_two() -> None:
    marks: Marks = {"p0": [ORDER]}
    found = figures({"a": marks, "b": marks, "c": {"p1": [ORDER]}}, TOKENS, replicates=0)
    assert [figure.annotators for figure in found] == [("a", "b")] * len(MEASURES) + [("a", "c"), ("b", "c")]
    assert not any(figure.value is not None and math.isnan(figure.value) for figure in found)
