"""Tokens: never good for more than the role of their owner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from otherwords.project import Project
from otherwords.web.accounts import tokens
from otherwords.web.accounts.accounts import close, reopen, set_role
from otherwords.web.accounts.roles import SCOPES, Account
from otherwords.web.accounts.sessions import close_all_sessions
from otherwords.web.accounts.tokens import make_token, revoke, token_of, tokens_of
from tests.errors import raises
from tests.web.persons import Clock, at_once, events, everything, joined


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(tokens, "time", clock)
    return clock


def new_token(project: Project, account: Account, *scopes: str, name: str = "laptop", days: float | None = None) -> str:
    with project.ledger.writing() as connection:
        return make_token(connection, account, name, scopes, "root", days)


def scopes_of(project: Project, secret: str) -> set[str] | None:
    with project.ledger.reading() as connection:
        owner_and_scopes = token_of(connection, secret)
    return None if owner_and_scopes is None else set(owner_and_scopes[1])


def test_a_token_knows_whose_it_is(project: Project) -> None:
    anna = joined(project, "anna")
    secret = new_token(project, anna, "annotate", "read", "read")
    assert secret.startswith("owt_")
    assert len(secret) >= 47
    with project.ledger.reading() as connection:
        assert token_of(connection, secret) == (anna, {"read", "annotate"})
        [token] = tokens_of(connection, anna)
    assert (token.name, token.scopes, token.until) == ("laptop", ("read", "annotate"), None)
    assert secret not in everything(project)
    assert secret.removeprefix("owt_") not in everything(project)
    detail = {"account": "anna", "token": "laptop", "scopes": ["read", "annotate"]}
    assert events(project)[-1] == ("root", "token made", detail)


def test_other_secrets_lead_nowhere(project: Project) -> None:
    new_token(project, joined(project, "anna"), "read")
    for secret in ("", "owt_", "owt_x", "\ud800", "owt_" + "a" * 10_000):
        assert scopes_of(project, secret) is None


def test_scopes_end_where_the_role_ends(project: Project) -> None:
    for role, most in {"worker": 2, "annotator": 2, "curator": 3, "admin": 4}.items():
        account = joined(project, f"the-{role}", role)
        assert scopes_of(project, new_token(project, account, *SCOPES[:most])) == set(SCOPES[:most])
        for beyond in SCOPES[most:]:
            with raises("scope-beyond-role", match=f"the-{role} .*{beyond}"):
                new_token(project, account, "read", beyond, name="another")


def test_a_role_that_sinks_takes_its_tokens_with_it(project: Project) -> None:
    joined(project, "root", "admin")
    anna = joined(project, "anna", "admin")
    everything_, only = new_token(project, anna, *SCOPES), new_token(project, anna, "admin", name="only")
    expected = {"curator": {"read", "annotate", "curate"}, "worker": {"read", "annotate"}, "admin": set(SCOPES)}
    for role, left in expected.items():
        with project.ledger.writing() as connection:
            set_role(connection, anna, role, None)
        assert scopes_of(project, everything_) == left
        assert scopes_of(project, only) == ({"admin"} & left)
    with project.ledger.writing() as connection:
        set_role(connection, anna, "worker", None)
    with raises("scope-beyond-role", match="anna is worker"):
        new_token(project, anna, "admin", name="with an account read earlier")


def test_the_tokens_of_a_closed_account_rest(project: Project) -> None:
    anna = joined(project, "anna")
    secret = new_token(project, anna, "read")
    with project.ledger.writing() as connection:
        close_all_sessions(connection, anna, None)
    assert scopes_of(project, secret) == {"read"}
    with project.ledger.writing() as connection:
        close(connection, anna, None)
    assert scopes_of(project, secret) is None
    with raises("account-closed", match="anna"):
        new_token(project, anna, "read", name="another")
    with project.ledger.writing() as connection:
        reopen(connection, anna, None)
    assert scopes_of(project, secret) == {"read"}


def test_a_token_with_an_end(project: Project, clock: Clock) -> None:
    anna = joined(project, "anna")
    secret, endless = new_token(project, anna, "read", days=1.5), new_token(project, anna, "read", name="endless")
    clock.wait(1.5 * 86_400 - 1)
    assert scopes_of(project, secret) == {"read"}
    clock.wait(1)
    assert scopes_of(project, secret) is None
    assert scopes_of(project, endless) == {"read"}


BAD: list[tuple[dict[str, Any], str]] = [
    ({"scopes": []}, "no-such-scope"),
    ({"scopes": ["read", "rule"]}, "no-such-scope"),
    ({"name": ""}, "invalid-token-name"),
    ({"name": "   "}, "invalid-token-name"),
    ({"name": "x" * 61}, "invalid-token-name"),
    ({"name": "a\0b"}, "invalid-token-name"),
    ({"name": "a\nb"}, "invalid-token-name"),
    ({"days": 0}, "invalid-lifetime"),
    ({"days": -1}, "invalid-lifetime"),
    ({"days": float("nan")}, "invalid-lifetime"),
    ({"days": float("inf")}, "invalid-lifetime"),
]


def test_tokens_that_are_not_made(project: Project) -> None:
    anna = joined(project, "anna")
    for change, code in BAD:
        options: dict[str, Any] = {"name": "laptop", "scopes": ["read"], "actor": None} | change
        with raises(code), project.ledger.writing() as connection:
            make_token(connection, anna, **options)
    with project.ledger.reading() as connection:
        assert tokens_of(connection, anna) == []


def test_revoking(project: Project) -> None:
    anna, ben = joined(project, "anna"), joined(project, "ben")
    secret, bens = new_token(project, anna, "read"), new_token(project, ben, "read")
    with raises("duplicate-token", match="anna .*laptop"):
        new_token(project, anna, "read")
    with project.ledger.writing() as connection:
        revoke(connection, anna, "laptop", "anna")
        with raises("no-such-token", match="anna .*laptop"):
            revoke(connection, anna, "laptop", "anna")
    assert [scopes_of(project, token) for token in (secret, bens)] == [None, {"read"}]
    assert events(project)[-1] == ("anna", "token revoked", {"account": "anna", "token": "laptop"})
    assert scopes_of(project, new_token(project, anna, "read")) == {"read"}


def test_two_of_one_name_at_once_make_one(project: Project) -> None:
    anna = joined(project, "anna")
    results = at_once(project, *[_token_maker(anna)] * 4)
    assert sorted(type(result).__name__ for result in results) == ["Conflict", "Conflict", "Conflict", "str"]


def _token_maker(account: Account) -> Callable[..., Any]:
    return lambda connection: make_token(connection, account, "laptop", ["read"], None)
