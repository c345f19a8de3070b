"""Licences by their names, and which source may be released under which."""

from __future__ import annotations

import pytest

from otherwords.licences.compatibility import ADDRESSES, duties, licence, objection
from tests.errors import raises


def test_names_and_addresses() -> None:
    assert licence("cc-by-sa-4.0").name == "CC-BY-SA-4.0"
    assert licence(" CC0-1.0 ").address == "https://creativecommons.org/publicdomain/zero/1.0/"
    assert licence("odbl-1.0").address == "https://opendatacommons.org/licenses/odbl/1-0/"
    assert all(address.startswith("https://") for address in ADDRESSES.values())


@pytest.mark.parametrize("name", ["", "CC-BY-SA", "GPL", "free for all"])
def test_unknown_names(name: str) -> None:
    with raises("unknown-licence"):
        licence(name)


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        ("CC0-1.0", set()),
        ("public domain", set()),
        ("CC BY 4.0", {"attribution"}),
        ("Creative Commons Attribution-ShareAlike 3.0", {"attribution", "share alike"}),
        ("https://creativecommons.org/licenses/by-nc-nd/4.0/", {"attribution", "non-commercial", "no derivatives"}),
        ("ODbL-1.0", {"attribution", "share alike"}),
    ],
)
def test_duties(spelled: str, expected: set[str]) -> None:
    assert duties(spelled) == expected


@pytest.mark.parametrize(
    ("source", "chosen", "reason"),
    [
        ("CC0-1.0", "CC-BY-SA-4.0", None),
        ("CC BY 4.0", "CC-BY-4.0", None),
        ("CC-BY-SA-3.0", "CC-BY-SA-4.0", None),
        ("CC-BY-NC-4.0", "CC-BY-NC-SA-4.0", None),
        ("MIT", "CC-BY-4.0", None),
        (None, "CC-BY-4.0", "has no licence"),
        ("", "CC-BY-4.0", "has no licence"),
        ("all rights reserved", "CC-BY-4.0", "not known to allow redistribution"),
        ("CC-BY-SA-4.0", "CC-BY-4.0", "asks for the same licence"),
        ("CC-BY-SA-4.0", "CC-BY-NC-SA-4.0", "asks for the same licence"),
        ("CC-BY-NC-4.0", "CC-BY-4.0", "non-commercial"),
        ("CC-BY-ND-4.0", "CC-BY-4.0", "no derivatives"),
        ("CC-BY-4.0", "CC0-1.0", "attribution"),
    ],
)
def test_objections(source: str | None, chosen: str, reason: str | None) -> None:
    answer = objection(source, licence(chosen))
    assert answer is None if reason is None else reason in (answer or "")
