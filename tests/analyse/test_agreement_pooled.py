"""IAPTA of more than two people: the mean of every two, by the units that they share."""

from __future__ import annotations

import pytest

from otherwords.analyse.agreement_pooled import SUMMED, pooled, remarks
from otherwords.measures.agreement.figure import Figure


def figure(value: float | None, units: int, *who: str, measure: str = "iapta-do-f1") -> Figure:
    signed = f"{measure}|proj:yes|version:0"
    told = {"low": 0.1, "high": 0.9, "n": units, "annotators": who, "signature": signed}
    return Figure(measure=measure, labels="types", value=value, **told)


def test_every_two_people_count_by_what_they_share() -> None:
    [mean] = pooled([figure(0.9, 10, "a", "b"), figure(0.6, 30, "a", "c"), figure(None, 0, "b", "c")])
    assert mean.measure == "iapta-do-f1-mean"
    assert mean.value == pytest.approx(0.675)
    assert (mean.low, mean.high, mean.n, mean.annotators) == (None, None, 40, ("a", "b", "c"))
    assert mean.signature == "iapta-do-f1-mean|proj:yes|version:0"
    assert remarks([mean]) == [SUMMED]


def test_two_people_are_as_they_are_and_other_measures_are_left_out() -> None:
    alone = figure(0.9, 10, "a", "b")
    assert pooled([alone, figure(0.5, 10, "a", "b", measure="iapta-agr-w")]) == [alone]
    assert remarks([alone]) == []
