"""Logging in: one answer for everything that is wrong, and waits that double."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import argon2
import pytest
from sqlalchemy import insert, select, update

from otherwords.errors import NotAllowed, TooMany
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.web.accounts import login, passwords
from otherwords.web.accounts import login_backoff as attempts
from otherwords.web.accounts.accounts import account_of, close
from otherwords.web.accounts.expiry import forget_expired
from otherwords.web.accounts.login import verify_login
from otherwords.web.accounts.login_backoff import address_key, unknown_key, wait_after
from otherwords.web.accounts.passwords import hash_password
from otherwords.web.accounts.roles import Account
from tests.errors import raises
from tests.web.persons import Clock, events, everything

GOOD, HOME = "seven herons on a fence", "192.0.2.7"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(attempts, "time", clock)
    return clock


@pytest.fixture
def site(project: Project, clock: Clock) -> Project:
    """A project with one account, Anna's."""
    row = {"name": "Anna", "role": "curator", "state": "active", "settings": {"theme": "dark"}, "created": "2026"}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.accounts).values(**row, password=hash_password(GOOD, "Anna")))
    return project


def outcome(project: Project, name: str = "anna", password: str = "wrong", address: str = HOME) -> str:
    try:
        return verify_login(project.ledger, name, password, address).name
    except NotAllowed:
        return "wrong"
    except TooMany as problem:
        return f"wait {problem.seconds}"


def counts(project: Project) -> dict[str, int]:
    with project.ledger.reading() as connection:
        rows = connection.execute(select(schema.attempts.c.key, schema.attempts.c.failures)).all()
    return {row.key: row.failures for row in rows}


def password_of(project: Project) -> Any:
    with project.ledger.reading() as connection:
        return connection.execute(select(schema.accounts.c.password)).scalar()


def test_the_right_password(site: Project) -> None:
    assert verify_login(site.ledger, "ANNA", GOOD, HOME) == Account("Anna", "curator", "active", {"theme": "dark"})
    assert counts(site) == {}
    assert events(site) == [("Anna", "logged in", {})]


def test_whatever_is_wrong_gets_the_same_answer(site: Project) -> None:
    names = ["anna", "ben", "", "a\0b", "a\ud800", "x" * 10_000, "?1234", GOOD]
    for name in names:
        with raises("wrong-credentials", match="^the name or the password is wrong$"):
            verify_login(site.ledger, name, "wrong", HOME)
    assert sorted(counts(site).values()) == [*[1] * len(names), len(names)]
    assert events(site) == []
    assert GOOD not in everything(site)


def test_an_account_that_is_closed_or_has_no_password_is_like_none(site: Project) -> None:
    with site.ledger.writing() as connection:
        close(connection, account_of(connection, "anna"), None)
    assert outcome(site, password=GOOD) == "wrong"
    with site.ledger.writing() as connection:
        connection.execute(update(schema.accounts).values(state="active", password=None))
    assert outcome(site, password=GOOD) == "wrong"


def test_an_unknown_name_is_verified_against_another_hash(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str | None] = []
    monkeypatch.setattr(login, "matches", lambda stored, password: seen.append(stored) or False)
    assert [outcome(site, name) for name in ("ben", "anna")] == ["wrong", "wrong"]
    assert seen == [None, password_of(site)]  # what None takes is in test_passwords


def test_the_waits() -> None:
    account = [wait_after("account", failures) for failures in range(1, 16)]
    assert account == [0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
    address = [wait_after("address", failures) for failures in (1, 19, 20, 21, 28, 29, 10**9)]
    assert address == [0, 0, 2, 4, 512, 900, 900]


@pytest.mark.parametrize("name", ["anna", "nobody"])
def test_from_the_fifth_failure_on_one_waits(site: Project, clock: Clock, name: str) -> None:
    """Whether the name exists or not: else the wait would tell."""
    assert [outcome(site, name) for _ in range(5)] == ["wrong"] * 5
    assert outcome(site, name) == "wait 2"
    clock.wait(1.5)
    assert outcome(site, name, password=GOOD) == "wait 1"
    clock.wait(0.5)
    assert outcome(site, name) == "wrong"
    assert outcome(site, name) == "wait 4"
    assert sorted(counts(site).values()) == [6, 6]  # what is refused does not count


def test_waiting_goes_into_the_audit_trail(site: Project, clock: Clock) -> None:
    for _ in range(6):
        outcome(site)
        clock.wait(1000)
    details = [{"account": "Anna", "failures": 5, "seconds": 2.0}, {"account": "Anna", "failures": 6, "seconds": 4.0}]
    assert events(site) == [(None, "login failed", detail) for detail in details]


def test_a_success_forgets_the_failures_of_the_account(site: Project, clock: Clock) -> None:
    for _ in range(4):
        outcome(site)
    assert outcome(site, password=GOOD) == "Anna"
    assert counts(site) == {f"address:{HOME}": 4}
    assert [outcome(site) for _ in range(5)] == ["wrong"] * 5
    clock.wait(2)
    assert outcome(site, password=GOOD) == "Anna"


def test_an_address_that_tries_many_names_waits(site: Project, clock: Clock) -> None:
    assert [outcome(site, f"name{number}") for number in range(20)] == ["wrong"] * 20
    assert outcome(site, password=GOOD) == "wait 2"
    assert outcome(site, password=GOOD, address="192.0.2.8") == "Anna"
    clock.wait(2)
    assert outcome(site, "another") == "wrong"
    assert outcome(site, "another") == "wait 4"
    assert events(site)[0] == (None, "login failed from one address", {"failures": 20, "seconds": 2.0})


@pytest.mark.parametrize(("later", "after"), [(86_399, "wait 4"), (86_402, "wrong")])
def test_counts_are_forgotten_after_a_day(site: Project, clock: Clock, later: float, after: str) -> None:
    for _ in range(5):
        outcome(site)
    clock.wait(later)
    assert outcome(site) == "wrong"
    assert outcome(site) == after


def test_forgotten_counts_are_deleted(site: Project, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherwords.web.accounts.expiry.time", clock)
    outcome(site)
    with site.ledger.writing() as connection:
        assert forget_expired(connection)["attempts"] == 0
        clock.wait(86_401)
        assert forget_expired(connection)["attempts"] == 2
    assert counts(site) == {}


def test_many_attempts_at_once_are_no_way_around_the_wait(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them have been let through to the hash before the first failure is counted."""
    tries = 12
    together = threading.Barrier(tries)
    really = passwords.matches

    def slow(stored: str | None, password: str) -> bool:
        together.wait(30)
        return really(stored, password)

    monkeypatch.setattr(login, "matches", slow)
    with ThreadPoolExecutor(tries) as threads:
        outcomes = list(
            threads.map(lambda number: outcome(site, address=f"192.0.2.{number}"), range(tries), timeout=120)
        )
    assert sorted(outcomes) == ["wait 2"] * (tries - 5) + ["wrong"] * 5
    assert max(counts(site).values()) == 5


def test_a_guess_that_is_right_during_the_wait_is_not_told(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    really = passwords.matches

    def meanwhile(stored: str | None, password: str) -> bool:
        monkeypatch.setattr(login, "matches", really)
        for _ in range(5):
            outcome(site)
        return really(stored, password)

    monkeypatch.setattr(login, "matches", meanwhile)
    assert outcome(site, password=GOOD) == "wait 2"


def test_an_account_that_changes_while_its_hash_is_verified(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def meanwhile(stored: str | None, password: str) -> bool:
        with site.ledger.writing() as connection:
            connection.execute(update(schema.accounts).values(password="$another"))
        return True

    monkeypatch.setattr(login, "matches", meanwhile)
    with raises("account-changed"):
        verify_login(site.ledger, "anna", GOOD, HOME)
    assert events(site) == []


def test_a_hash_of_an_earlier_time_is_replaced(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    before = password_of(site)
    monkeypatch.setattr(passwords, "_hasher", argon2.PasswordHasher(time_cost=2, memory_cost=8, parallelism=1))
    assert outcome(site, password=GOOD) == "Anna"
    after = password_of(site)
    assert (argon2.extract_parameters(before).time_cost, argon2.extract_parameters(after).time_cost) == (1, 2)
    assert outcome(site, password=GOOD) == "Anna"
    assert password_of(site) == after


def test_the_hash_is_verified_outside_any_transaction(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    busy: list[int] = []
    really = passwords.matches

    def watched(stored: str | None, password: str) -> bool:
        busy.append(site.ledger.engine.pool.checkedout())  # type: ignore[attr-defined]
        return really(stored, password)

    monkeypatch.setattr(login, "matches", watched)
    assert outcome(site) == "wrong"
    assert busy == [0]


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "address:192.0.2.7"),
        ("::ffff:192.0.2.7", "address:192.0.2.7"),
        ("2001:db8::1", "address:2001:db8::/64"),
        ("2001:db8:0:0:ffff::9", "address:2001:db8::/64"),
        ("2001:db8:0:1::1", "address:2001:db8:0:1::/64"),
        ("fe80::1%eth0", "address:fe80::/64"),
        ("", "address:other"),
        ("testclient", "address:other"),
        ("1\0", "address:other"),
    ],
)
def test_keys_of_addresses(address: str, key: str) -> None:
    assert address_key(address) == key


def test_the_key_of_an_unknown_name_does_not_hold_it() -> None:
    assert unknown_key("Ben") == unknown_key("BEN") != unknown_key("carla")
    assert len(unknown_key(GOOD)) == len("account:?0000")


@pytest.mark.parametrize(("after", "message"), [(0, "2 seconds"), (0.7, "2 seconds"), (1.2, "1 second")])
def test_the_wait_is_told(site: Project, clock: Clock, after: float, message: str) -> None:
    for _ in range(5):
        outcome(site)
    clock.wait(after)
    with raises("too-many-attempts", match=f" {message}$") as caught:
        verify_login(site.ledger, "anna", GOOD, HOME)
    assert isinstance(caught.value, TooMany)
    assert (caught.value.status, caught.value.seconds) == (429, int(message[0]))
