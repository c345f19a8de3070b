"""Names of accounts."""

from __future__ import annotations

import unicodedata

import pytest

from otherwords.project import Project
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.web.accounts.accounts import refuse_taken
from otherwords.web.accounts.names import check_name, key_of
from tests.errors import raises


@pytest.mark.parametrize(
    "name", ["anna", "Anna-Liisa", "j.r_2", "Ærøskøbing", "杏奈", "آنا", "अनिता", "x", "-", "a" * 40, "anna.", "۱۲"]
)
def test_names_of_any_script(name: str) -> None:
    assert check_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("name", "code", "fact"),
    [
        ("", "invalid-name", "has 0"),
        ("a" * 41, "invalid-name", "has 41"),
        (".anna", "invalid-name", "begins"),
        ("\u0301anna", "invalid-name", "begins"),
        ("an na", "invalid-name", "' ' is none"),
        ("anna\n", "invalid-name", "is none"),
        ("an\0na", "invalid-name", "is none"),
        ("an:na", "invalid-name", "':' is none"),
        ("../anna", "invalid-name", "'/' is none"),
        ("anna<b>", "invalid-name", "'<' is none"),
        ("anna\u200d", "invalid-name", "is none"),
        ("anna\u202e", "invalid-name", "is none"),
        ("anna\ud800", "invalid-name", "is none"),
        ("½", "invalid-name", "is none"),
        ("🦊", "invalid-name", "is none"),
        ("Simulated", "reserved-name", "Simulated"),
        ("WITHDRAWN-anna", "reserved-name", "WITHDRAWN-anna"),
    ],
)
def test_invalid_names(name: str, code: str, fact: str) -> None:
    with raises(code, match=fact):
        check_name(name)


def test_a_name_is_composed() -> None:
    apart = unicodedata.normalize("NFD", "Zoë")
    assert check_name(apart) == "Zoë" != apart
    assert key_of(apart) == key_of("ZOË")


@pytest.mark.parametrize(("spelling", "other"), [("Anna", "aNNA"), ("STRASSE", "straße"), ("ΣΊΣΥΦΟΣ", "σίσυφος")])
def test_spellings_of_one_name(spelling: str, other: str) -> None:
    assert key_of(spelling) == key_of(other)


def test_the_name_of_somebody_who_withdrew_is_refused(project: Project) -> None:
    withdraw(project, "anna", noun="annotator")
    with project.ledger.reading() as connection:
        for name in ("anna", "Anna"):
            with raises("withdrawn-name"):
                refuse_taken(connection, name)
        assert refuse_taken(connection, "ben") == "ben"
