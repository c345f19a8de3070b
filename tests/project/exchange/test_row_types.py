"""A line may hold what both databases can keep in the column, and nothing beyond."""

from __future__ import annotations

import msgspec
import pytest

from otherwords.project.exchange.row_lines import row_type
from otherwords.project.ledger import schema


@pytest.mark.parametrize(
    ("number", "fits"), [(2**31 - 1, True), (2**31, False), (-(2**31), True), (-(2**31) - 1, False)]
)
def test_whole_numbers_have_thirty_two_bits(number: int, fits: bool) -> None:
    line = {"version": number, "scheme": "turku", "text": "x", "time": "2024"}
    if fits:
        assert msgspec.convert(line, row_type(schema.guidelines)).version == number  # type: ignore[attr-defined]
        return
    with pytest.raises(msgspec.ValidationError, match="version"):
        msgspec.convert(line, row_type(schema.guidelines))
