"""Accounts for tests, made without the slow hash, and people who do something at the same time."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import argon2
import pytest
from sqlalchemy import Connection, select

from otherwords.errors import OtherwordsError
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.web.accounts import passwords
from otherwords.web.accounts.accounts import add_account
from otherwords.web.accounts.roles import Account

HASH = "$argon2id$v=19$not-a-hash-that-anything-matches"
REAL_HASHER = passwords._hasher


class Clock:
    """A clock that only advances when ``wait`` is called."""

    def __init__(self) -> None:
        self.moment = 1_800_000_000.0

    def __call__(self) -> float:
        return self.moment

    def wait(self, seconds: float) -> None:
        self.moment += seconds


def hash_cheaply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that cost next to nothing, which all tests make unless the cost is what they test."""
    monkeypatch.setattr(passwords, "_hasher", argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    monkeypatch.setattr(passwords, "_dummy", functools.cache(passwords._dummy.__wrapped__))


def hash_really(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes as the product makes them."""
    monkeypatch.setattr(passwords, "_hasher", REAL_HASHER)
    monkeypatch.setattr(passwords, "_dummy", functools.cache(passwords._dummy.__wrapped__))


def joined(project: Project, name: str, role: str = "annotator") -> Account:
    with project.ledger.writing() as connection:
        return add_account(connection, name, role, HASH, None)


def at_once(project: Project, *deeds: Callable[[Connection], Any]) -> list[Any]:
    """What each deed gave, or the error that it met; they begin together, each in a transaction of its own."""
    start = threading.Barrier(len(deeds))

    def do(deed: Callable[[Connection], Any]) -> Any:
        start.wait(30)
        try:
            with project.ledger.writing() as connection:
                return deed(connection)
        except OtherwordsError as problem:
            return problem

    with ThreadPoolExecutor(len(deeds)) as threads:
        return list(threads.map(do, deeds, timeout=120))


def events(project: Project) -> list[tuple[str | None, str, dict[str, Any]]]:
    """The audit trail: actor, action and detail."""
    columns = schema.events
    with project.ledger.reading() as connection:
        rows = connection.execute(
            select(columns.c.actor, columns.c.action, columns.c.detail).order_by(columns.c.seq)
        ).all()
    return [(row.actor, row.action.removeprefix("account "), row.detail) for row in rows]


def everything(project: Project) -> str:
    """Every value of every table, as one text."""
    with project.ledger.reading() as connection:
        return "\n".join(
            repr(tuple(row))
            for table in schema.metadata.sorted_tables
            for row in connection.execute(select(table)).all()
        )
