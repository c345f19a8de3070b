"""Back-off on failed logins, per account and per address: from some failure in a row on, waits that double.

A row counts the failures in a row of one key; ``until`` is when the next attempt counts. During the wait an attempt is
refused whatever the password is. A count is forgotten a day after its last wait, or failure.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
from time import time

from sqlalchemy import Connection, delete, select, update

from otherwords.errors import TooMany
from otherwords.project import schema
from otherwords.project.ledger import insert_new
from otherwords.web.names import key_of

FIRST_TO_WAIT = {"account": 5, "address": 20}
LONGEST_WAIT = 900.0
FORGOTTEN_AFTER = 86_400.0
_one = schema.attempts


def wait_after(kind: str, failures: int) -> float:
    """How long to wait after so many failures in a row of an account or an address."""
    over = failures - FIRST_TO_WAIT[kind]
    return 0.0 if over < 0 else min(LONGEST_WAIT, 2.0 ** min(over + 1, 20))


def account_key(name: str) -> str:
    """The key of an account that exists."""
    return f"account:{name}"


def unknown_key(typed: str) -> str:
    """The key of a name that nobody has, which waits like any other so that the wait does not tell.

    People type passwords into the field for the name: the key is too short for anybody to find out what was typed.
    """
    digest = hashlib.sha256(key_of(typed).encode("utf-8", "surrogatepass")).hexdigest()
    return f"account:?{digest[:4]}"


def address_key(address: str) -> str:
    """The key of an address; of IPv6 the network, since one machine has all addresses of it."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "address:other"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return f"address:{ipaddress.ip_network((parsed, 64), strict=False)}"
        parsed = parsed.ipv4_mapped
    return f"address:{parsed}"


def refuse_waiting(connection: Connection, keys: list[str]) -> None:
    """Refuse an attempt of somebody who has to wait."""
    longest = connection.execute(select(_one.c.until).where(_one.c.key.in_(keys))).scalars().all()
    _refuse(max(longest, default=0.0) - time())


def count_failure(connection: Connection, keys: list[str]) -> dict[str, tuple[int, float]]:
    """Count a failed attempt; the keys that have to wait now, each with its failures and seconds.

    Who began before a wait and fails during it learns only of the wait, so that many attempts at once are no way
    around it.
    """
    insert_new(connection, _one, [{"key": key, "failures": 0, "until": 0.0} for key in sorted(keys)])
    waiting = {}
    for key, failures in _held(connection, keys).items():
        seconds = wait_after(key.partition(":")[0], failures + 1)
        change = {"failures": failures + 1, "until": time() + seconds}
        connection.execute(update(_one).where(_one.c.key == key).values(**change))
        if seconds:
            waiting[key] = (failures + 1, seconds)
    return waiting


def count_success(connection: Connection, keys: list[str]) -> None:
    """Forget the failures of the account, unless it has to wait by now."""
    _held(connection, keys)
    clear(connection, next(key for key in keys if key.startswith("account:")))


def clear(connection: Connection, key: str) -> None:
    """Forget the failures of a key."""
    connection.execute(delete(_one).where(_one.c.key == key))


def _held(connection: Connection, keys: list[str]) -> dict[str, int]:
    """The failures that still count, their rows locked; in one order, so that nobody waits for each other."""
    moment = time()
    rows = connection.execute(select(_one).where(_one.c.key.in_(keys)).order_by(_one.c.key).with_for_update()).all()
    _refuse(max((row.until for row in rows), default=0.0) - moment)
    return {row.key: row.failures if row.until + FORGOTTEN_AFTER > moment else 0 for row in rows}


def _refuse(seconds: float) -> None:
    if seconds > 0:
        whole = math.ceil(seconds)
        raise TooMany(f"too many failed attempts; try again in {whole} second{'s' if whole > 1 else ''}", whole)
