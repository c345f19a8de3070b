"""No cell is a formula."""

from __future__ import annotations

import pytest

from otherwords.sources.io.tabular import safe_cell


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+358", "'+358"),
        ("-2", "'-2"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("\n=1", "'\n=1"),
        ("＝1+1", "'＝1+1"),
        ("a=1", "a=1"),
        (" =1", "' =1"),
        ("  \t+1", "'  \t+1"),
        ("\xa0=1", "'\xa0=1"),
        ("\u200b=1", "'\u200b=1"),
        ("\ufeff=1", "'\ufeff=1"),
        ("\u3000＝1", "'\u3000＝1"),
        (" a", " a"),
        ("'quoted'", "'quoted'"),
        ("", ""),
        (None, ""),
        (True, "true"),
        (False, "false"),
        (-2, "-2"),
        (-0.5, "-0.5"),
    ],
)
def test_a_text_that_begins_like_a_formula_is_guarded(value: object, cell: str) -> None:
    assert safe_cell(value) == cell
