"""Dates in the forms that feeds, tables and forums have."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.sources.documents.dates import is_ambiguous, iso_time


@pytest.mark.parametrize(
    ("cell", "iso"),
    [
        ("Mon, 06 May 2024 08:30:00 +0300", "2024-05-06T05:30:00Z"),
        ("06 May 2024 08:30 GMT", "2024-05-06T08:30:00Z"),
        ("Mon, 06 May 2024 08:30:00 -0000", "2024-05-06T08:30:00"),
        ("2024-05-06T08:30:00Z", "2024-05-06T08:30:00Z"),
        ("2024-05-06T08:30:00.123+03:00", "2024-05-06T05:30:00Z"),
        ("2024-05-06 08:30:00", "2024-05-06T08:30:00"),
        ("2024-05-06", "2024-05-06"),
        ("20240506", "2024-05-06"),
        ("2024/5/6 8:30", "2024-05-06T08:30:00"),
        ("6.5.2024", "2024-05-06"),
        ("6.5.2024 klo 8.30", "2024-05-06T08:30:00"),
        ("13/05/2024", "2024-05-13"),
        ("05/13/2024", "2024-05-13"),
        ("03/04/2024", "2024-04-03"),
        ("May 6, 2024", "2024-05-06"),
        ("6 September 2024", "2024-09-06"),
        ("May 6, 2024 12:05 am", "2024-05-06T00:05:00"),
        ("May 6, 2024 at 5:05 p.m.", "2024-05-06T17:05:00"),
        (1714982400, "2024-05-06T08:00:00Z"),
        (1714982400.75, "2024-05-06T08:00:00Z"),
        ("1714982400000", "2024-05-06T08:00:00Z"),
    ],
)
def test_forms(cell: object, iso: str) -> None:
    assert iso_time(cell) == iso


@pytest.mark.parametrize(
    "cell",
    [None, "", " ", True, [], "yesterday", "31.2.2024", "13/13/2024", "Foo 6, 2024", "2024-13-01", 1e300, "9" * 400],
)
def test_what_is_no_date(cell: object) -> None:
    assert iso_time(cell) is None


@pytest.mark.parametrize(
    ("cell", "either_way"),
    [
        ("3/4/2024", True),
        ("3-4-2024", True),
        ("3.4.2024", False),
        ("4/4/2024", False),
        ("13/4/2024", False),
        (5, False),
    ],
)
def test_ambiguous(cell: object, either_way: bool) -> None:
    assert is_ambiguous(cell) is either_way


@given(st.datetimes(datetime(1974, 1, 1), datetime(2100, 1, 1)))
def test_epoch_and_iso_agree(when: datetime) -> None:
    when = when.replace(microsecond=0, tzinfo=UTC)
    seconds = int(when.timestamp())
    assert {iso_time(cell) for cell in (seconds, str(seconds), seconds * 1000, str(seconds * 1000))} == {
        iso_time(when.isoformat())
    }


@given(st.text(max_size=30) | st.integers() | st.floats() | st.from_regex(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4} \d\d:\d\d"))
def test_never_fails(cell: object) -> None:
    found = iso_time(cell)
    assert found is None or datetime.fromisoformat(found)
    is_ambiguous(cell)
