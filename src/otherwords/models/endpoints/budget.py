"""What was spent on an endpoint, and limits that hold before a call is made rather than after.

What a call may cost at most is reserved before it and settled after it. The file holds the sum of what was spent and
what is reserved; so a run that is killed in the middle of a call leaves that call counted as the most it could cost.
"""

from __future__ import annotations

import math
import sqlite3
import threading
import weakref
from contextlib import closing
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import msgspec

from otherwords.errors import ProjectError
from otherwords.models.calls import BackendStopped

SPENDING_FILE = "spending.sqlite"
NANO = 10**9  # money is counted in whole billionths
PER_MILLION = 10**6  # prices are those of a million tokens or characters
NO_LIMIT = 2**62
SECONDS_TO_WAIT = 30.0  # for another process that is writing
SECONDS_BETWEEN_LOOKS = 1.0  # another process may have settled its calls
SCHEMA = """
CREATE TABLE IF NOT EXISTS spending (
    endpoint TEXT PRIMARY KEY, unit TEXT NOT NULL, requests INTEGER NOT NULL,
    units INTEGER NOT NULL, money INTEGER NOT NULL
) WITHOUT ROWID;
"""
RESERVE = """
UPDATE spending SET requests = requests + ?1, units = units + ?2, money = money + ?3
WHERE endpoint = ?4 AND requests + ?1 <= ?5 AND units + ?2 <= ?6 AND money + ?3 <= ?7
"""
SETTLE = "UPDATE spending SET requests = requests + ?1, units = units + ?2, money = money + ?3 WHERE endpoint = ?4"


class BudgetUsedUp(BackendStopped):
    """The next call could cost more than is left."""


class CallCost(msgspec.Struct, frozen=True):
    """Requests, the units that are billed (tokens or characters), and money in billionths."""

    requests: int = 0
    units: int = 0
    money: int = 0

    def plus(self, other: CallCost, sign: int = 1) -> CallCost:
        return CallCost(
            self.requests + sign * other.requests, self.units + sign * other.units, self.money + sign * other.money
        )


class EndpointSpending(msgspec.Struct, frozen=True):
    """What was spent on an endpoint, with what is reserved for calls that did not end."""

    endpoint: str
    unit: str
    requests: int
    units: int
    money: str


class Limits(msgspec.Struct, frozen=True):
    """What may be spent in total; ``unit`` is the plural of what is billed."""

    requests: int | None = None
    units: int | None = None
    money: int | None = None
    unit: str = "tokens"

    def most(self) -> CallCost:
        return CallCost(*(NO_LIMIT if limit is None else limit for limit in (self.requests, self.units, self.money)))


def money(units: int, price_per_million: float) -> int:
    """What units cost, in billionths and rounded up."""
    return math.ceil(Fraction(str(price_per_million)) * units * NANO / PER_MILLION)


def money_text(billionths: int) -> str:
    """An amount of money as people write it."""
    return f"{Decimal(billionths) / NANO:,f}"


def in_billionths(amount: float | None) -> int | None:
    """An amount of money in billionths."""
    return None if amount is None else int(Fraction(str(amount)) * NANO)


class Budget:
    """The spending on one endpoint, in a file or, without one, in memory; threads and processes share it."""

    def __init__(self, name: str, limits: Limits, path: Path | None = None) -> None:
        self.name, self.limits, self.path = name, limits, path
        self._changed = threading.Condition()
        self._reserved = CallCost()  # by this process, for calls that are under way
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch(mode=0o600)
            self._connection = sqlite3.connect(path or ":memory:", timeout=SECONDS_TO_WAIT, check_same_thread=False)
            weakref.finalize(self, self._connection.close)
            self._connection.executescript(f"PRAGMA journal_mode=WAL; {SCHEMA}")
            with self._connection:
                self._connection.execute("INSERT OR IGNORE INTO spending VALUES (?, ?, 0, 0, 0)", (name, limits.unit))
        except (OSError, sqlite3.Error) as problem:
            raise ProjectError(f"{path}: cannot be opened: {problem}", code="spending-unusable") from None

    def reserve(self, cost: CallCost) -> None:
        """Set aside what a call may cost; wait for other calls if what they give back can make it possible."""
        most = self.limits.most()
        with self._changed:
            while not self._write(RESERVE, cost, most.requests, most.units, most.money):
                certain = self._total().plus(msgspec.structs.replace(self._reserved, requests=0), -1)
                self._must_fit(certain, cost)
                self._changed.wait(SECONDS_BETWEEN_LOOKS)
            self._reserved = self._reserved.plus(cost)

    def settle(self, reserved: CallCost, spent: CallCost) -> None:
        """Replace what was set aside for a call by what it cost."""
        with self._changed:
            self._reserved = self._reserved.plus(reserved, -1)
            self._write(SETTLE, spent.plus(reserved, -1))
            self._changed.notify_all()

    def total(self) -> CallCost:
        """What was spent and what is reserved."""
        with self._changed:
            return self._total()

    def close(self) -> None:
        self._connection.close()

    def _total(self) -> CallCost:
        query = "SELECT requests, units, money FROM spending WHERE endpoint = ?"
        return CallCost(*self._connection.execute(query, (self.name,)).fetchone())

    def _write(self, statement: str, cost: CallCost, *more: int) -> bool:
        try:
            with self._connection:
                values = (cost.requests, cost.units, cost.money, self.name, *more)
                return self._connection.execute(statement, values).rowcount == 1
        except sqlite3.Error as problem:
            raise ProjectError(f"{self.path}: cannot be written: {problem}", code="spending-unusable") from None

    def _must_fit(self, certain: CallCost, cost: CallCost) -> None:
        """Raise an error if a call does not fit, even if the calls under way should turn out to cost nothing."""
        limits = self.limits
        for name, spent, more, limit in (
            ("requests", certain.requests, cost.requests, limits.requests),
            (limits.unit, certain.units, cost.units, limits.units),
            ("money", certain.money, cost.money, limits.money),
        ):
            if limit is not None and spent + more > limit:
                amount = money_text if name == "money" else "{:,}".format
                amounts = f"{amount(spent)} of {amount(limit)} spent, the next call may take up to {amount(more)}"
                message = f"{self.name}: the budget is used up ({name}: {amounts}); raise {name}= to go on"
                raise BudgetUsedUp(message, code="budget-used-up")


def spending(folder: Path) -> list[EndpointSpending]:
    """What was spent on each endpoint, by the file in this folder, if there is one."""
    path = folder / SPENDING_FILE
    if not path.is_file():
        return []
    try:
        with closing(sqlite3.connect(path, timeout=SECONDS_TO_WAIT)) as connection:
            rows = connection.execute("SELECT * FROM spending WHERE requests > 0 ORDER BY endpoint").fetchall()
    except sqlite3.Error as problem:
        raise ProjectError(f"{path}: cannot be read: {problem}", code="spending-unusable") from None
    return [
        EndpointSpending(endpoint, unit, requests, units, money_text(billionths))
        for endpoint, unit, requests, units, billionths in rows
    ]
