"""IAPTA: its laws, the plain version of it, and what is said about annotations that cannot be compared."""

from __future__ import annotations

import math

import pytest
from bench.iapta_naive import iapta, noted
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.iapta import MEASURES, iapta_coefficients, tokenise_text
from otherwords.records import Phenomenon
from tests.measures.agreement.annotations import TOKENS, Marks, annotations, one_to_one

LAW = settings(max_examples=50)
ORDER = Phenomenon(type="order", scope1=[(0, 3)], scope2=[(2, 5)], projection="local")
OTHER = Phenomenon(type="semantic", scope1=[(0, 1)], scope2=[(0, 11)], projection="global")


def values(marks1: Marks, marks2: Marks, projection: bool = True, keys: bool = True) -> dict[str, float]:
    coefficients = iapta_coefficients(
        {"anna": marks1, "ben": marks2}, TOKENS, projection=projection, keys=keys, replicates=0
    )
    return {coefficient.measure: coefficient.value for coefficient in coefficients if coefficient.value is not None}


@LAW
@given(annotations(), annotations(), st.booleans(), st.booleans())
def test_it_is_what_the_paper_says_in_plain_loops(marks1: Marks, marks2: Marks, projection: bool, keys: bool) -> None:
    assume(any(marks1.values()) or any(marks2.values()))
    plain = iapta(noted(marks1, TOKENS), noted(marks2, TOKENS), projection=projection, keys=keys)
    assert values(marks1, marks2, projection, keys) == pytest.approx(plain)


@LAW
@given(annotations(), annotations())
def test_all_are_between_0_and_1(marks1: Marks, marks2: Marks) -> None:
    assert all(0 <= value <= 1 for value in values(marks1, marks2).values())


@LAW
@given(annotations())
def test_identical_annotations_agree_fully(marks1: Marks) -> None:
    assume(any(marks1.values()))
    assert values(marks1, marks1) == dict.fromkeys(MEASURES, 1.0)


@LAW
@given(annotations(), annotations())
def test_swapping_the_annotators_swaps_k_alone(marks1: Marks, marks2: Marks) -> None:
    swapped = {name.replace("-k", "-K"): value for name, value in values(marks2, marks1).items()}
    back = {name.replace("-K1", "-k2").replace("-K2", "-k1"): value for name, value in swapped.items()}
    assert values(marks1, marks2) == pytest.approx(back)


@LAW
@given(one_to_one(), one_to_one())
def test_degrees_are_no_less_than_total_overlap(marks1: Marks, marks2: Marks) -> None:
    scores = values(marks1, marks2, projection=False, keys=False)
    assert scores.get("iapta-do-f1", 0.0) >= scores.get("iapta-tpo-total", 0.0) - 1e-12


@LAW
@given(annotations(), annotations())
def test_projection_and_keys_can_only_lower_the_degree(marks1: Marks, marks2: Marks) -> None:
    without, with_both = values(marks1, marks2, projection=False, keys=False), values(marks1, marks2)
    assert all(with_both[name] <= without[name] + 1e-12 for name in with_both)
    assert {name for name in with_both if with_both[name] != without[name]} <= {m for m in MEASURES if "-do-" in m}


def test_there_are_eight_n_measures_two_tpo_and_twelve_do() -> None:
    kinds = [sum(kind in measure for measure in MEASURES) for kind in ("-agr-", "-tpo-", "-do-")]
    assert kinds == [8, 2, 12]


def overlapping(phenomenon1: Phenomenon, phenomenon2: Phenomenon) -> float:
    return values({"p0": [phenomenon1]}, {"p0": [phenomenon2]})["iapta-do-k1"]


@pytest.mark.parametrize(
    ("changes1", "changes2", "degree"),
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
def test_the_degree_of_overlapping(changes1: dict[str, object], changes2: dict[str, object], degree: float) -> None:
    base = {"scope1": [(0, 3)], "scope2": [(2, 5)], "projection": "local"}
    phenomena = [Phenomenon(type="order", **{**base, **changes}) for changes in (changes1, changes2)]  # type: ignore[arg-type]
    assert overlapping(*phenomena) == degree


def test_a_scope_in_one_text_counts_whole_for_additions_and_deletions() -> None:
    added = Phenomenon(type="addition_deletion", scope2=[(0, 3)])
    assert overlapping(added, added) == 1.0
    assert overlapping(added, Phenomenon(type="addition_deletion", scope2=[(0, 1)])) == 0.5


def test_a_token_belongs_to_a_scope_that_touches_it() -> None:
    tokens = {"p": (tokenise_text("gone away", "en"), tokenise_text("left", "en"))}
    marks1 = {"p": [Phenomenon(type="order", scope1=[(2, 6)], scope2=[(1, 2)])]}
    marks2 = {"p": [Phenomenon(type="order", scope1=[(0, 9)], scope2=[(0, 4)])]}
    [total] = [
        f
        for f in iapta_coefficients({"a": marks1, "b": marks2}, tokens, replicates=0)
        if f.measure == "iapta-tpo-total"
    ]
    assert total.value == 1.0


def named(coefficients: list[Coefficient], measure: str) -> Coefficient:
    return next(coefficient for coefficient in coefficients if coefficient.measure == measure)


def test_pairs_and_types_that_neither_marked_are_left_out_and_those_of_one_score_0() -> None:
    marks1: Marks = {"p0": [ORDER], "p1": [ORDER], "p2": [], "p3": []}
    marks2: Marks = {"p0": [ORDER], "p1": [OTHER], "p2": [], "p3": []}
    scores = values(marks1, marks2)
    assert scores["iapta-agr-ph"] == 1.0
    assert scores["iapta-agr-ph-typewise"] == 0.25  # order 1 of 2, semantic 0 of 1
    assert scores["iapta-agr-ph-pairwise"] == 1.0
    assert scores["iapta-agr-ph-pairwise-typewise"] == 0.25
    assert scores["iapta-do-f1-pairwise"] == 0.5


def test_intervals_hold_the_value_and_come_again_with_the_seed() -> None:
    marks1: Marks = {"p0": [ORDER], "p1": [ORDER], "p2": [OTHER], "p3": [ORDER, OTHER]}
    marks2: Marks = {"p0": [ORDER], "p1": [OTHER], "p2": [OTHER], "p3": [ORDER]}
    first, again, other = (
        iapta_coefficients({"a": marks1, "b": marks2}, TOKENS, replicates=200, seed=seed) for seed in (7, 7, 8)
    )
    assert first == again
    assert first != other
    for coefficient in first:
        assert coefficient.value is not None
        assert coefficient.low is not None
        assert coefficient.high is not None
        assert coefficient.low <= coefficient.value <= coefficient.high
        assert coefficient.n == 4
    assert any(coefficient.low != coefficient.high for coefficient in first)
    assert first[0].signature.startswith("iapta-agr-w|proj:yes|keys:yes|one-sided:addition_deletion|bs:200|seed:7|")


def test_a_single_pair_has_no_interval() -> None:
    coefficient = named(iapta_coefficients({"a": {"p0": [ORDER]}, "b": {"p0": [ORDER]}}, TOKENS), "iapta-do-f1")
    assert (coefficient.value, coefficient.low, coefficient.high) == (1.0, None, None)


def test_nobody_marked_anything() -> None:
    coefficients = iapta_coefficients({"anna": {"p0": [], "p1": []}, "ben": {"p0": [], "p1": []}}, TOKENS)
    assert [coefficient.measure for coefficient in coefficients] == list(MEASURES)
    assert {coefficient.value for coefficient in coefficients} == {None}
    assert {coefficient.note for coefficient in coefficients} == {"neither marked anything; pairs that both annotated"}


@pytest.mark.parametrize(
    ("by_annotator", "note"),
    [
        ({}, "nobody annotated types"),
        ({"anna": {"p0": [ORDER]}}, "only anna annotated types; agreement takes two annotators"),
        ({"anna": {"p0": [ORDER]}, "ben": {"p1": [ORDER]}}, "anna and ben annotated no pair in common"),
        (
            {"anna": {"p0": [ORDER], "lost": [ORDER]}, "ben": {"lost": [ORDER]}},
            "anna and ben annotated no pair in common; left out of anna: 1 pair without its texts; "
            "left out of ben: 1 pair without its texts",
        ),
    ],
)
def test_annotators_who_cannot_be_compared(by_annotator: dict[str, Marks], note: str) -> None:
    [coefficient] = iapta_coefficients(by_annotator, TOKENS)
    assert (coefficient.measure, coefficient.value, coefficient.note) == ("iapta-do-f1", None, note)
    assert coefficient.annotators == tuple(by_annotator)


BAD = {
    "the type nonsense is unknown": Phenomenon(type="nonsense", scope1=[(0, 1)]),
    "the scope reaches beyond the text": Phenomenon(type="order", scope1=[(0, 12)]),
    "the scope is empty": Phenomenon(type="order"),
    "a part of the scope is empty": Phenomenon(type="order", scope1=[(3, 3)]),
    "the key reaches beyond the text": Phenomenon(type="order", scope1=[(0, 1)], key1=[(90, 91)]),
}


@pytest.mark.parametrize("reason", BAD)
def test_a_phenomenon_that_cannot_be_compared_is_left_out_and_the_rest_is_computed(reason: str) -> None:
    by_annotator = {"anna": {"p0": [ORDER, BAD[reason]], "p1": [OTHER]}, "ben": {"p0": [ORDER], "p1": [OTHER]}}
    coefficient = named(iapta_coefficients(by_annotator, TOKENS, types={"order", "semantic"}), "iapta-agr-ph")
    assert coefficient.value == 1.0
    assert coefficient.note == f"pairs that both annotated; left out of anna: 1 phenomenon where {reason}"


def test_a_blank_alone_is_an_empty_scope() -> None:
    blank = Phenomenon(type="order", scope1=[(1, 2)], scope2=[(1, 2)])
    by_annotator = {"anna": {"p0": [blank, ORDER]}, "ben": {"p0": [ORDER]}}
    assert "the scope is empty" in str(named(iapta_coefficients(by_annotator, TOKENS), "iapta-agr-ph").note)


def test_pairs_of_one_annotator_and_pairs_without_texts_are_counted_in_the_note() -> None:
    by_annotator = {"anna": {"p0": [ORDER], "p1": [ORDER], "lost": [ORDER]}, "ben": {"p0": [ORDER], "p2": [ORDER]}}
    coefficient = named(iapta_coefficients(by_annotator, TOKENS), "iapta-do-f1")
    assert (coefficient.value, coefficient.n) == (1.0, 1)
    assert coefficient.note == (
        "pairs that both annotated; left out: 2 that only one did; left out of anna: 1 pair without its texts"
    )


def test_three_annotators_are_compared_two_by_two() -> None:
    marks: Marks = {"p0": [ORDER]}
    coefficients = iapta_coefficients({"a": marks, "b": marks, "c": {"p1": [ORDER]}}, TOKENS, replicates=0)
    assert [coefficient.annotators for coefficient in coefficients] == [("a", "b")] * len(MEASURES) + [
        ("a", "c"),
        ("b", "c"),
    ]
    assert not any(coefficient.value is not None and math.isnan(coefficient.value) for coefficient in coefficients)
