"""Krippendorff's published example: three coders, fifteen units, many values missing."""

from __future__ import annotations

import pytest

from tests.measures.agreement.tables import rows_of, values

# K. Krippendorff, "Computing Krippendorff's alpha-reliability", as the literature has taken it up.
CODERS = {
    "A": "* * * * * 3 4 1 2 1 1 3 3 * 3",
    "B": "1 * 2 1 3 3 4 3 * * * * * * *",
    "C": "* * 2 1 3 4 4 * 2 1 1 3 3 * 4",
}
ALPHA = {"nominal": 0.691, "ordinal": 0.807, "interval": 0.811, "ratio": 0.809}


@pytest.mark.parametrize("level", ALPHA)
def test_alpha(level: str) -> None:
    assert round(values(rows_of(CODERS))[(f"alpha-{level}",)] or 0, 3) == ALPHA[level]
