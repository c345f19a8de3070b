"""Whether a label says yes depends on the labels beside it."""

from __future__ import annotations

import pytest

from otherwords.annotate.labels.label_rule import polarity


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (["0", "1"], {"0": False, "1": True}),
        (["1"], {"1": True}),
        (["1", "4"], {"1": False, "4": True}),
        (["2", "3", "4<", "x"], {"2": False, "3": True, "4<": True, "x": None}),
        (["-1", "0", "1"], {"-1": False, "0": True, "1": True}),
        (["-1", "1"], {"-1": False, "1": True}),
        (["true", "false"], {"true": True, "false": False}),
        (["Positive", "Negative", "Unnatural"], {"Positive": True, "Negative": False, "Unnatural": None}),
        (["yes", "no", "x"], {"yes": True, "no": False, "x": None}),
        (["sí", "no"], {"sí": None, "no": None}),
        (["no"], {"no": False}),
        (["0.5", "4.25"], {"0.5": None, "4.25": None}),
        ([], {"1": True}),
    ],
)
def test_labels_are_read_together(labels: list[str], says: dict[str, bool | None]) -> None:
    read = polarity(labels)
    assert {label: read(label) for label in says} == says
    assert read(None) is None
