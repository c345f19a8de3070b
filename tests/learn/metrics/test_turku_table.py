"""Tables 4 and 5 of Kanerva et al. (2023) from a confusion made by hand."""

from __future__ import annotations

import pytest

from otherwords.learn.metrics.turku_table import has_turku_labels, turku_table
from otherwords.measures.agreement.resampling import Bootstrap

GOLD = ["2", "2", "3", "3", "4<", "4<i", "4>", "4>s", "4", "4s", "4i", "4is"]
PREDICTED = ["2", "3", "3", "4", "4<", "4<", "4>", "4<s", "4", "4", "4i", "3"]
NONE = Bootstrap(replicates=0)


def test_arrows_are_merged_and_flags_are_apart() -> None:
    table = turku_table(GOLD, PREDICTED, bootstrap=NONE)
    rows = {label: (row.precision, row.recall, row.f1, row.n) for label, row in table.labels.items()}
    assert list(rows) == ["2", "3", "4<", "4>", "4"]
    assert rows["2"] == pytest.approx((1.0, 1 / 2, 2 / 3, 2))
    assert rows["3"] == pytest.approx((1 / 3, 1 / 2, 2 / 5, 2))
    assert rows["4<"] == pytest.approx((2 / 3, 1.0, 4 / 5, 2))  # 4<i as 4< is right here
    assert rows["4>"] == pytest.approx((1.0, 1 / 2, 2 / 3, 2))
    assert rows["4"] == pytest.approx((3 / 4, 3 / 4, 3 / 4, 4))
    flags = {label: (row.precision, row.recall, row.f1, row.n) for label, row in table.flags.items()}
    assert flags["i"] == pytest.approx((1.0, 1 / 3, 1 / 2, 3))
    assert flags["s"] == pytest.approx((1.0, 1 / 3, 1 / 2, 3))  # 4<s for 4>s has the flag, whatever its arrow
    assert table.complete.accuracy == pytest.approx(6 / 12)
    assert table.complete.recall == pytest.approx(table.complete.accuracy)  # as in both tables of the paper
    precision = {"2": 1.0, "3": 1 / 3, "4<": 1 / 2, "4>": 1.0, "4": 1 / 3, "4i": 1.0}
    support = {"2": 2, "3": 2, "4<": 1, "4>": 1, "4": 1, "4i": 1}
    assert table.complete.precision == pytest.approx(sum(precision[label] * support[label] for label in support) / 12)


def test_one_and_two_are_neg_where_one_occurs() -> None:
    table = turku_table(["1", "2", "3", "4"], ["2", "2", "2", "4"], bootstrap=NONE)
    assert next(iter(table.labels)) == "neg"
    assert (table.labels["neg"].n, table.labels["neg"].recall) == (2, 1.0)
    assert table.complete.accuracy == 0.75
    assert turku_table(["neg", "4"], ["neg", "4s"], bootstrap=NONE).labels["neg"].f1 == 1.0


def test_rows_without_pairs_are_there() -> None:
    table = turku_table(["4", "3"], ["4", "3"])
    assert (table.labels["2"].n, table.flags["s"].f1) == (0, 0.0)
    assert table.labels["4"].intervals["f1"] is not None


def test_other_labels_have_no_such_table() -> None:
    assert has_turku_labels(["neg", "4>is"])
    assert not has_turku_labels(["positive", "negative"])
