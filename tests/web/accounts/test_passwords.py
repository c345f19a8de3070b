"""Passwords: which are refused, and that their hashes are argon2id."""

from __future__ import annotations

import unicodedata

import argon2
import pytest

from otherwords.web.accounts import passwords
from otherwords.web.accounts.passwords import check_password, hash_password, matches, rehash_if_outdated
from tests.errors import raises
from tests.web.persons import hash_really

GOOD = "seven herons on a fence"


@pytest.fixture
def dear(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_really(monkeypatch)


@pytest.mark.parametrize("password", [GOOD, "ten*letter", "ää öö üü åå", "カワセミと柳の枝の話だ", "x" * 1020 + "yzab"])
def test_good_passwords(password: str) -> None:
    check_password(password, "anna")


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("", "password-too-short"),
        ("nine char", "password-too-short"),
        (unicodedata.normalize("NFD", "äöüäöüäöü"), "password-too-short"),
        ("xyza" * 257, "password-too-long"),
        ("日本語の" * 100, "password-too-long"),
        ("Anna-Liisa-K", "weak-password"),
        ("1234567890", "weak-password"),
        ("12345678910", "weak-password"),
        ("Password2026!", "weak-password"),
        ("QWERTYuiop", "weak-password"),
        ("otherwords", "weak-password"),
        ("abababababab", "weak-password"),
    ],
)
def test_bad_passwords(password: str, code: str) -> None:
    with raises(code):
        hash_password(password, "anna-liisa-k")


def test_the_hash_is_argon2id_with_a_salt_of_its_own(dear: None) -> None:
    first, other = hash_password(GOOD, "anna"), hash_password(GOOD, "anna")
    assert first != other
    assert argon2.extract_parameters(first) == argon2.profiles.RFC_9106_LOW_MEMORY
    assert matches(first, GOOD)
    assert not matches(first, GOOD + " ")
    assert rehash_if_outdated(first, GOOD) is None


def test_it_does_not_matter_how_an_accent_was_typed() -> None:
    assert matches(hash_password("crème brûlée", "anna"), unicodedata.normalize("NFD", "crème brûlée"))


@pytest.mark.parametrize("password", ["", "x" * 100_000, "a\ud800" * 10, "\0" * 12])
def test_whatever_is_typed_gets_an_answer(password: str) -> None:
    assert not matches(hash_password(GOOD, "anna"), password)
    assert not matches(None, password)
    assert not matches("no hash at all", password)


def test_without_a_hash_another_one_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it takes as long; and nothing matches, not even the password of that one."""
    verified: list[str] = []

    class Watching(argon2.PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> bool:
            verified.append(str(hash))
            return True

    monkeypatch.setattr(passwords, "_hasher", Watching(time_cost=1, memory_cost=8, parallelism=1))
    assert not matches(None, GOOD)
    assert len(verified) == 1
    assert verified[0].startswith("$argon2id$")


def test_a_hash_of_an_earlier_time_is_renewed(dear: None) -> None:
    old = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(GOOD)
    new = rehash_if_outdated(old, GOOD)
    assert new is not None
    assert argon2.extract_parameters(new) == argon2.profiles.RFC_9106_LOW_MEMORY
    assert matches(new, GOOD)
