"""IAPTA of more than two annotators: the mean over pairs of annotators, weighted by the units that they share."""

from __future__ import annotations

import pytest

from otherwords.analyse.agreement.finding import SUMMED, mean_remarks
from otherwords.analyse.agreement.types import type_means
from otherwords.measures.agreement import Coefficient


def coefficient(value: float | None, units: int, *annotators: str, measure: str = "iapta-do-f1") -> Coefficient:
    return Coefficient(
        measure=measure,
        labels="types",
        value=value,
        low=0.1,
        high=0.9,
        n=units,
        annotators=annotators,
        signature=f"{measure}|proj:yes|version:0",
    )


def test_pairs_of_annotators_are_weighted_by_the_units_they_share() -> None:
    [mean] = type_means(
        [coefficient(0.9, 10, "a", "b"), coefficient(0.6, 30, "a", "c"), coefficient(None, 0, "b", "c")]
    )
    assert mean.measure == "iapta-do-f1-mean"
    assert mean.value == pytest.approx(0.675)
    assert (mean.low, mean.high, mean.n, mean.annotators) == (None, None, 40, ("a", "b", "c"))
    assert mean.signature == "iapta-do-f1-mean|proj:yes|version:0"
    assert mean_remarks([mean]) == [SUMMED]


def test_a_single_pair_of_annotators_is_unchanged_and_other_measures_are_left_out() -> None:
    single = coefficient(0.9, 10, "a", "b")
    assert type_means([single, coefficient(0.5, 10, "a", "b", measure="iapta-agr-w")]) == [single]
    assert mean_remarks([single]) == []
