"""The made-up people: accounts of the project like any other, each with a token for as long as a simulation runs.

Their names begin with ``sim-``. Nobody can log in as one of them: their password is known to nobody.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from otherwords.errors import ProjectError
from otherwords.project import schema
from otherwords.web.accounts import account_of, add_account, credentials_of
from otherwords.web.digests import new_secret
from otherwords.web.passwords import hashed
from otherwords.web.roles import Account, may, scopes_of_role
from otherwords.web.tokens import make_token, revoke, tokens_of

PREFIX = "sim-"
CURATOR = f"{PREFIX}carl"
FIRST = ("anna", "ben", "dora", "emil", "fina", "gus", "hanna", "ivo", "jana", "kai", "lena", "max", "nora", "otto")
TOKEN = "simulation"  # noqa: S105 - what it is called
DAYS = 1.0  # a token that is left behind is good for no longer


def names(count: int) -> list[str]:
    """The names of so many annotators, always the same."""
    first = list(FIRST[:count])
    return [PREFIX + one for one in first + [f"p{number}" for number in range(len(first) + 1, count + 1)]]


def locked_password() -> str:
    """The hash of a password that nobody knows; slow, so to be made outside a transaction."""
    return hashed(new_secret(), TOKEN)


def seat(connection: Connection, annotators: Sequence[str], password: str) -> dict[str, str]:
    """Make the accounts that are not there yet; the tokens of all of them by name, the curator's too."""
    roles = dict.fromkeys(annotators, "annotator") | {CURATOR: "curator"}
    for name, role in roles.items():
        if credentials_of(connection, name) is None:
            add_account(connection, name, role, password, None)
    return {name: _token(connection, account_of(connection, name), role) for name, role in roles.items()}


def dismiss(connection: Connection) -> None:
    """End all tokens of made-up people."""
    one = schema.tokens
    held = select(one.c.account).where(one.c.name == TOKEN, one.c.account.startswith(PREFIX, autoescape=True))
    for name in connection.execute(held).scalars().all():
        revoke(connection, account_of(connection, name), TOKEN, None)


def _token(connection: Connection, account: Account, role: str) -> str:
    if not may(account, role):
        raise ProjectError(
            f"the account {account.name} is {account.state} and {account.role}, and is needed as {role}; "
            f"put that right with: otherwords user"
        )
    if TOKEN in {one.name for one in tokens_of(connection, account)}:
        revoke(connection, account, TOKEN, None)
    return make_token(connection, account, TOKEN, scopes_of_role(role), None, DAYS)
