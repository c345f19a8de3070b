"""An identity number needs a possible date and a right checksum. The dates here are of no living person."""

from __future__ import annotations

import pytest

from otherwords.corpus.release.national_ids import PERSONAL_NUMBERS

FINNISH, SWEDISH, NORWEGIAN = "Finnish personal identity code", "Swedish personal number", "Norwegian birth number"
POLISH, AMERICAN = "Polish PESEL", "American social security number"


def is_valid(kind: str, text: str) -> bool:
    pattern, check = PERSONAL_NUMBERS[kind]
    return pattern.fullmatch(text) is not None and check(text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (FINNISH, "131052-308T"),
        (SWEDISH, "701063-2391"),  # a coordination number: 60 is added to the day
        (NORWEGIAN, "01020300082"),
        (POLISH, "02250803622"),  # born after 1999: 20 is added to the month
        (AMERICAN, "899-01-0001"),
    ],
)
def test_valid_numbers(kind: str, text: str) -> None:
    assert is_valid(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        # The checksums are right, and there is no such day or month.
        (FINNISH, "131352-3087"),
        (FINNISH, "321052-3082"),
        (FINNISH, "001052-308D"),
        (FINNISH, "130052-308R"),
        (SWEDISH, "701363-2398"),
        (SWEDISH, "701032-2399"),
        (SWEDISH, "701000-2397"),
        (NORWEGIAN, "01130300010"),
        (POLISH, "02330803623"),
        (POLISH, "02253203627"),
        (POLISH, "02250003626"),
        # Never issued.
        (AMERICAN, "900-12-3456"),
        (AMERICAN, "666-12-3456"),
        (AMERICAN, "123-00-4567"),
        (AMERICAN, "123-45-0000"),
    ],
)
def test_invalid_numbers(kind: str, text: str) -> None:
    assert not is_valid(kind, text)
