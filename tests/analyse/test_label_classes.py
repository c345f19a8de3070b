"""How labels are grouped in figures and tables."""

from __future__ import annotations

import pytest

from otherwords.analyse.label_classes import by_class, classes, groupings, positive_share, shown_labels

POSITIVE = {"4": True, "4>": True, "3": True, "2": False, "x": None, "(none)": None}


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (["2", "4>s", "4", "x", "(none)"], {"4": "4", "4>s": "4", "2": "2", "x": "x", "(none)": "(none)"}),
        (["0", "1"], {"1": "1", "0": "0"}),
        (["(none)"], {"(none)": "(none)"}),
        (["yes", "no", "a", "b", "c", "d"], {"yes": "positive", "no": "negative"}),
        ([], {}),
    ],
)
def test_classes_of_labels(labels: list[str], shown: dict[str, str]) -> None:
    result = classes(labels, {"yes": True, "no": False}.get)
    assert result == shown | {label: "neither" for label in labels if label in "abcd"}
    assert list(result)[: len(shown)] == list(shown)


def test_rows_by_label() -> None:
    rows = dict(groupings(POSITIVE))
    assert list(rows) == ["4", "4>", "3", "2", "x", "(none)", "(positives)", "(negatives)", "(all)"]
    assert (rows["(positives)"], rows["(negatives)"], rows["4>"]) == (["4", "4>", "3"], ["2"], ["4>"])
    assert len(rows["(all)"]) == 6
    assert [name for name, _ in groupings({"1": True})] == ["1", "(positives)", "(all)"]


def test_shares_and_sums() -> None:
    counts = {"4": 3, "2": 1, "x": 10}
    assert positive_share(counts, POSITIVE) == 0.75
    assert positive_share({"x": 10}, POSITIVE) is None
    assert by_class({"4": 3, "4>": 2, "2": 1}, {"4": "4", "4>": "4", "2": "2"}) == {"4": 5, "2": 1}
    assert shown_labels(["0", "1"]) == ["1", "0"]
    assert shown_labels(map(str, range(30))) == []
