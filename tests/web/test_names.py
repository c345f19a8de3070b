"""What an account may be called."""

from __future__ import annotations

import unicodedata

import pytest

from otherwords.errors import Refused
from otherwords.project import Project
from otherwords.project.withdraw import withdraw
from otherwords.web.names import checked_name, key_of, refuse_withdrawn


@pytest.mark.parametrize(
    "name", ["anna", "Anna-Liisa", "j.r_2", "Ærøskøbing", "杏奈", "آنا", "अनिता", "x", "-", "a" * 40, "anna.", "۱۲"]
)
def test_names_of_any_script(name: str) -> None:
    assert checked_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "1 to 40 characters"),
        ("a" * 41, "this one has 41"),
        (".anna", "begins with"),
        ("\u0301anna", "begins with"),
        ("an na", "' ' is none"),
        ("anna\n", "is none"),
        ("an\0na", "is none"),
        ("an:na", "':' is none"),
        ("../anna", "'/' is none"),
        ("anna<b>", "'<' is none"),
        ("anna\u200d", "is none"),
        ("anna\u202e", "is none"),
        ("anna\ud800", "is none"),
        ("½", "is none"),
        ("🦊", "is none"),
        ("Simulated", "reserved"),
        ("WITHDRAWN-anna", "reserved"),
    ],
)
def test_what_is_no_name(name: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        checked_name(name)


def test_a_name_is_composed() -> None:
    apart = unicodedata.normalize("NFD", "Zoë")
    assert checked_name(apart) == "Zoë" != apart
    assert key_of(apart) == key_of("ZOË")


@pytest.mark.parametrize(("one", "other"), [("Anna", "aNNA"), ("STRASSE", "straße"), ("ΣΊΣΥΦΟΣ", "σίσυφος")])
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


def test_who_withdrew_stays_away(project: Project) -> None:
    withdraw(project, "anna", noun="annotator")
    with project.ledger.reading() as connection:
        for name in ("anna", "Anna"):
            with pytest.raises(Refused, match="cannot be used in this project"):
                refuse_withdrawn(connection, name)
        refuse_withdrawn(connection, "ben")
