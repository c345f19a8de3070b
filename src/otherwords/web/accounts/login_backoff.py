"""Back-off on failed logins, per account and per address: after some failures in a row, waits that double.

A row counts the consecutive failures of a key; until ``until`` every attempt is refused, whatever the password is. A
count is forgotten a day after its last wait or failure.
"""

from __future__ import annotations

import ipaddress
import math

from sqlalchemy import Connection, delete, select, update

from otherwords.errors import TooMany
from otherwords.project.ledger import insert_new, schema
from otherwords.web.accounts.expiry import FORGOTTEN_AFTER, time
from otherwords.web.accounts.names import key_of
from otherwords.web.accounts.passwords import digest_of

FIRST_TO_WAIT = {"account": 5, "address": 20}
LONGEST_WAIT = 900.0
SLACK = 60.0  # by which the clocks of two servers may differ
_attempts = schema.attempts


def wait_after(kind: str, failures: int) -> float:
    """Seconds to wait after a number of failures in a row, for ``account`` or ``address``."""
    excess = failures - FIRST_TO_WAIT[kind]
    return 0.0 if excess < 0 else min(LONGEST_WAIT, 2.0 ** min(excess + 1, 20))


def account_key(name: str) -> str:
    """The key of an account that exists."""
    return f"account:{name}"


def unknown_key(typed: str) -> str:
    """The key of a name that nobody has, which waits like any other so that the wait reveals nothing.

    People type passwords into the name field: the key is too short for anybody to find out what was typed.
    """
    return f"account:?{digest_of(key_of(typed))[:4]}"


def address_key(address: str) -> str:
    """The key of an address; for IPv6 its network, since one machine has all addresses of that."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "address:other"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return f"address:{ipaddress.ip_network((parsed, 64), strict=False)}"
        parsed = parsed.ipv4_mapped
    return f"address:{parsed}"


def refuse_waiting(connection: Connection, keys: list[str], *, locked: bool = False) -> dict[str, int]:
    """Refuse an attempt if one of its keys has to wait; otherwise, the failures of each that still count.

    ``locked`` locks their rows, always in the same order, to avoid deadlocks.
    """
    moment = time()
    statement = select(_attempts).where(_attempts.c.key.in_(keys)).order_by(_attempts.c.key)
    rows = connection.execute(statement.with_for_update() if locked else statement).all()
    seconds = math.ceil(max((_left(row.key, row.failures, row.until - moment) for row in rows), default=0.0))
    if seconds > 0:
        reason = f"too many failed attempts; try again in {seconds} second{'s' if seconds > 1 else ''}"
        raise TooMany(reason, seconds, code="too-many-attempts")
    return {row.key: row.failures if row.until + FORGOTTEN_AFTER > moment else 0 for row in rows}


def _left(key: str, failures: int, seconds: float) -> float:
    """The rest of a wait; one that is longer than any wait was counted before the clock was set back, and is over."""
    return seconds if seconds <= wait_after(key.partition(":")[0], failures) + SLACK else 0.0


def count_failure(connection: Connection, keys: list[str]) -> dict[str, tuple[int, float]]:
    """Count a failed attempt; the keys that have to wait now, each with its failures and seconds.

    An attempt that began before a wait and fails during it is refused because of the wait, so that sending many
    attempts at once does not get around it.
    """
    insert_new(connection, _attempts, [{"key": key, "failures": 0, "until": 0.0} for key in sorted(keys)])
    waiting = {}
    for key, failures in refuse_waiting(connection, keys, locked=True).items():
        seconds = wait_after(key.partition(":")[0], failures + 1)
        change = {"failures": failures + 1, "until": time() + seconds}
        connection.execute(update(_attempts).where(_attempts.c.key == key).values(**change))
        if seconds:
            waiting[key] = (failures + 1, seconds)
    return waiting


def count_success(connection: Connection, keys: list[str]) -> None:
    """Forget the failures of the account, unless it has to wait now."""
    refuse_waiting(connection, keys, locked=True)
    clear(connection, next(key for key in keys if key.startswith("account:")))


def clear(connection: Connection, key: str) -> None:
    """Forget the failures of a key."""
    connection.execute(delete(_attempts).where(_attempts.c.key == key))
