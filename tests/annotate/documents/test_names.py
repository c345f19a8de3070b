"""A document is called by its title, else by its group and edition."""

from __future__ import annotations

from typing import Any

import pytest

from otherwords.annotate.documents.names import document_name


@pytest.mark.parametrize(
    ("meta", "group", "expected"),
    [
        ({"title": "Storm", "outlet": "Gazette"}, "storms", "Storm"),
        ({"version": "v2"}, "Harbour S01E01", "Harbour S01E01, v2"),
        ({"name": "Lee"}, None, "Lee"),
        ({}, "a thread", "a thread"),
        ({"title": {"en": "Storm"}}, None, None),
    ],
)
def test_what_readers_call_a_document(meta: dict[str, Any], group: str | None, expected: str | None) -> None:
    assert document_name(meta, group) == expected
