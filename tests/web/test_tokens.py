"""Tokens: never good for more than the role of their owner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from otherwords.errors import Conflict, NotAllowed, NotFound, Refused
from otherwords.project import Project
from otherwords.web import tokens
from otherwords.web.accounts import close, reopen, set_role
from otherwords.web.roles import SCOPES, Account
from otherwords.web.sessions import close_all_sessions
from otherwords.web.tokens import make_token, revoke, token_of, tokens_of
from tests.web.persons import Clock, at_once, events, everything, joined


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(tokens, "time", clock)
    return clock


def made(project: Project, account: Account, *scopes: str, name: str = "laptop", days: float | None = None) -> str:
    with project.ledger.writing() as connection:
        return make_token(connection, account, name, scopes, "root", days)


def scopes_of(project: Project, secret: str) -> set[str] | None:
    with project.ledger.reading() as connection:
        found = token_of(connection, secret)
    return None if found is None else set(found[1])


def test_a_token_knows_whose_it_is(project: Project) -> None:
    anna = joined(project, "anna")
    secret = made(project, anna, "annotate", "read", "read")
    assert secret.startswith("owt_")
    assert len(secret) >= 47
    with project.ledger.reading() as connection:
        assert token_of(connection, secret) == (anna, {"read", "annotate"})
        [told] = tokens_of(connection, anna)
    assert (told.name, told.scopes, told.until) == ("laptop", ("read", "annotate"), None)
    assert secret not in everything(project)
    assert secret.removeprefix("owt_") not in everything(project)
    detail = {"account": "anna", "token": "laptop", "scopes": ["read", "annotate"]}
    assert events(project)[-1] == ("root", "token made", detail)


def test_other_secrets_lead_nowhere(project: Project) -> None:
    made(project, joined(project, "anna"), "read")
    for secret in ("", "owt_", "owt_x", "\ud800", "owt_" + "a" * 10_000):
        assert scopes_of(project, secret) is None


def test_scopes_end_where_the_role_ends(project: Project) -> None:
    for role, most in {"worker": 2, "annotator": 2, "curator": 3, "admin": 4}.items():
        account = joined(project, f"the-{role}", role)
        assert scopes_of(project, made(project, account, *SCOPES[:most])) == set(SCOPES[:most])
        for beyond in SCOPES[most:]:
            with pytest.raises(NotAllowed, match=f"the-{role} is {role}: a token for {beyond} is more than"):
                made(project, account, "read", beyond, name="another")


def test_a_role_that_sinks_takes_its_tokens_with_it(project: Project) -> None:
    joined(project, "root", "admin")
    anna = joined(project, "anna", "admin")
    everything_, only = made(project, anna, *SCOPES), made(project, anna, "admin", name="only")
    expected = {"curator": {"read", "annotate", "curate"}, "worker": {"read", "annotate"}, "admin": set(SCOPES)}
    for role, left in expected.items():
        with project.ledger.writing() as connection:
            set_role(connection, anna, role, None)
        assert scopes_of(project, everything_) == left
        assert scopes_of(project, only) == ({"admin"} & left)
    with project.ledger.writing() as connection:
        set_role(connection, anna, "worker", None)
    with pytest.raises(NotAllowed, match="anna is worker"):
        made(project, anna, "admin", name="with an account read earlier")


def test_the_tokens_of_a_closed_account_rest(project: Project) -> None:
    anna = joined(project, "anna")
    secret = made(project, anna, "read")
    with project.ledger.writing() as connection:
        close_all_sessions(connection, anna, None)
    assert scopes_of(project, secret) == {"read"}
    with project.ledger.writing() as connection:
        close(connection, anna, None)
    assert scopes_of(project, secret) is None
    with pytest.raises(Conflict, match="anna is closed"):
        made(project, anna, "read", name="another")
    with project.ledger.writing() as connection:
        reopen(connection, anna, None)
    assert scopes_of(project, secret) == {"read"}


def test_a_token_with_an_end(project: Project, clock: Clock) -> None:
    anna = joined(project, "anna")
    secret, endless = made(project, anna, "read", days=1.5), made(project, anna, "read", name="endless")
    clock.wait(1.5 * 86_400 - 1)
    assert scopes_of(project, secret) == {"read"}
    clock.wait(1)
    assert scopes_of(project, secret) is None
    assert scopes_of(project, endless) == {"read"}


BAD: list[tuple[dict[str, Any], str]] = [
    ({"scopes": []}, "not for nothing"),
    ({"scopes": ["read", "rule"]}, "not for rule"),
    ({"name": ""}, "1 to 60 characters"),
    ({"name": "   "}, "1 to 60 characters"),
    ({"name": "x" * 61}, "1 to 60 characters"),
    ({"name": "a\0b"}, "printable"),
    ({"name": "a\nb"}, "printable"),
    ({"days": 0}, "up to 3,650 days"),
    ({"days": -1}, "up to 3,650 days"),
    ({"days": float("nan")}, "up to 3,650 days"),
    ({"days": float("inf")}, "up to 3,650 days"),
]


def test_tokens_that_are_not_made(project: Project) -> None:
    anna = joined(project, "anna")
    for wish, reason in BAD:
        wishes: dict[str, Any] = {"name": "laptop", "scopes": ["read"], "actor": None} | wish
        with pytest.raises(Refused, match=reason), project.ledger.writing() as connection:
            make_token(connection, anna, **wishes)
    with project.ledger.reading() as connection:
        assert tokens_of(connection, anna) == []


def test_revoking(project: Project) -> None:
    anna, ben = joined(project, "anna"), joined(project, "ben")
    secret, bens = made(project, anna, "read"), made(project, ben, "read")
    with pytest.raises(Conflict, match="anna has a token 'laptop' already"):
        made(project, anna, "read")
    with project.ledger.writing() as connection:
        revoke(connection, anna, "laptop", "anna")
        with pytest.raises(NotFound, match="anna has no token 'laptop'"):
            revoke(connection, anna, "laptop", "anna")
    assert [scopes_of(project, one) for one in (secret, bens)] == [None, {"read"}]
    assert events(project)[-1] == ("anna", "token revoked", {"account": "anna", "token": "laptop"})
    assert scopes_of(project, made(project, anna, "read")) == {"read"}


def test_two_of_one_name_at_once_make_one(project: Project) -> None:
    anna = joined(project, "anna")
    told = at_once(project, *[_making(anna)] * 4)
    assert sorted(type(one).__name__ for one in told) == ["Conflict", "Conflict", "Conflict", "str"]


def _making(account: Account) -> Callable[..., Any]:
    return lambda connection: make_token(connection, account, "laptop", ["read"], None)
