"""Counts of rows in words."""

from __future__ import annotations

from otherwords.project.ledger.rows import counted_rows


def test_one_of_a_table_is_singular_and_none_is_left_out() -> None:
    rows = {"imports": 1, "document_pairs": 1204, "releases": 1, "batches": 1, "identities": 1, "slots": 0}
    assert counted_rows(rows) == ["1 import", "1,204 document pairs", "1 release", "1 batch", "1 identity"]
