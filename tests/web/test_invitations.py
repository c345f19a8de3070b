"""Links that let somebody in once."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert, select, update

from otherwords.errors import Conflict, NotFound, OtherwordsError, Refused
from otherwords.project import Project, schema
from otherwords.web import attempts, invitations
from otherwords.web.accounts import account_of, change_password, close
from otherwords.web.forgetting import forget_expired
from otherwords.web.invitations import (
    accept,
    cancel,
    first_link,
    invitation_of,
    invite,
    invite_to_reset,
    open_invitations,
)
from otherwords.web.people import people
from otherwords.web.roles import Account
from otherwords.web.sessions import open_session, session_of
from tests.web.persons import HASH, Clock, at_once, events, everything, joined

DAY = 86_400


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(invitations, "time", clock)
    monkeypatch.setattr("otherwords.web.forgetting.time", clock)
    return clock


def invited(project: Project, role: str = "annotator", **wishes: Any) -> str:
    with project.ledger.writing() as connection:
        return invite(connection, role, "root", **wishes)


def accepted(project: Project, secret: str, name: str | None = "anna", password: str = HASH) -> Account:
    with project.ledger.writing() as connection:
        return accept(connection, secret, name, password)


def refusal(project: Project, secret: str, name: str | None = "anna") -> str:
    with pytest.raises(OtherwordsError) as caught:
        accepted(project, secret, name)
    return f"{type(caught.value).__name__}: {caught.value}"


def names(project: Project) -> list[str | None]:
    with project.ledger.reading() as connection:
        return [one.name for one in people(connection) if one.state != "invited"]


def test_joining(project: Project) -> None:
    secret = invited(project, "curator")
    with project.ledger.reading() as connection:
        told = invitation_of(connection, secret)
    assert (told.purpose, told.account, told.role, told.author) == ("join", None, "curator", "root")
    assert accepted(project, secret, "Anna") == Account("Anna", "curator", "active", {})
    with project.ledger.reading() as connection:
        assert connection.execute(select(schema.accounts.c.password)).scalar() == HASH
        assert account_of(connection, "ANNA").name == "Anna"
    assert secret not in everything(project)
    assert events(project) == [
        ("root", "invited", {"account": None, "role": "curator"}),
        ("Anna", "joined", {"account": "Anna", "role": "curator", "invited_by": "root"}),
    ]


def test_a_link_is_good_once(project: Project) -> None:
    secret = invited(project)
    accepted(project, secret)
    assert refusal(project, secret, "ben").startswith("Conflict: this link has been used already")
    with project.ledger.reading() as connection, pytest.raises(Conflict, match="used already"):
        invitation_of(connection, secret)
    assert names(project) == ["anna"]


def test_a_link_is_good_once_for_people_who_use_it_at_once(project: Project) -> None:
    secret = invited(project)
    told = at_once(project, *(lambda c, name=name: accept(c, secret, name, HASH) for name in ("ada", "bo", "cy", "di")))
    assert sorted(type(one).__name__ for one in told) == ["Account", "Conflict", "Conflict", "Conflict"]
    assert [one.name for one in told if isinstance(one, Account)] == names(project)


def test_a_refusal_does_not_use_it_up(project: Project) -> None:
    joined(project, "ben")
    secret = invited(project)
    for name in ("BEN", "a b", "", None, "simulated"):
        refusal(project, secret, name)
    assert names(project) == ["ben"]
    assert accepted(project, secret).name == "anna"


def test_a_link_for_one_name(project: Project) -> None:
    secret = invited(project, name="Anna")
    assert refusal(project, secret, "ben") == "Refused: this link is for 'Anna' alone; ask for one of your own"
    assert accepted(project, secret, "anna").name == "Anna"
    assert accepted(project, invited(project, name="ben"), None).name == "ben"


BAD: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"role": "king"}, Refused, "no role"),
    ({"name": "ANNA"}, Conflict, "somebody is called"),
    ({"name": "withdrawn-1"}, Refused, "reserved"),
    ({"days": 0}, Refused, "up to 90 days"),
    ({"days": 91}, Refused, "up to 90 days"),
    ({"days": float("nan")}, Refused, "up to 90 days"),
]


def test_invitations_that_are_not_made(project: Project) -> None:
    joined(project, "anna")
    for wishes, error, reason in BAD:
        with pytest.raises(error, match=reason):
            invited(project, **wishes)
    with project.ledger.reading() as connection:
        assert open_invitations(connection) == []


def test_other_secrets_lead_nowhere(project: Project) -> None:
    invited(project)
    with project.ledger.reading() as connection:
        [link] = open_invitations(connection)
    for secret in ("", "x", "\ud800", "a\0b", link.id):
        assert refusal(project, secret).startswith("NotFound: there is no such link")


def test_links_run_out(project: Project, clock: Clock) -> None:
    anna = joined(project, "anna")
    week, hours = invited(project), invited(project, days=0.5)
    with project.ledger.writing() as connection:
        reset = invite_to_reset(connection, anna, None)
    kept = []
    for _ in range(14):
        clock.wait(DAY / 2)
        with project.ledger.reading() as connection:
            kept.append(len(open_invitations(connection)))
    assert kept == [2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]
    for secret in (week, hours, reset):
        assert refusal(project, secret, None) == "Conflict: this link has run out; ask an admin for another"
    with project.ledger.writing() as connection:
        assert forget_expired(connection)["invitations"] == 0
        clock.wait(30 * DAY)
        assert forget_expired(connection)["invitations"] == 3


def test_a_reset_sets_the_password_and_ends_all_sessions(project: Project) -> None:
    anna, ben = joined(project, "anna"), joined(project, "ben")
    with project.ledger.writing() as connection:
        sessions = [open_session(connection, one)[0] for one in (anna, anna, ben)]
        failures = {"key": attempts.account_key("anna"), "failures": 9, "until": 4e9}
        connection.execute(insert(schema.attempts).values(**failures))
        secret = invite_to_reset(connection, anna, "root")
    with project.ledger.reading() as connection:
        told = invitation_of(connection, secret)
        assert (told.purpose, told.account, told.role) == ("reset", "anna", None)
        assert [one.invitation for one in people(connection)] == [told, None]
    assert refusal(project, secret, "ben").startswith("Refused: this link is for 'anna' alone")
    assert accepted(project, secret, None, "$another") == anna
    with project.ledger.reading() as connection:
        assert [session_of(connection, one) is None for one in sessions] == [True, True, False]
        hashes = select(schema.accounts.c.password).order_by(schema.accounts.c.name)
        assert connection.execute(hashes).scalars().all() == ["$another", HASH]
        assert connection.execute(select(schema.attempts)).all() == []
    assert refusal(project, secret, None).startswith("Conflict: this link has been used")
    assert events(project)[-2:] == [
        ("root", "reset link made", {"account": "anna"}),
        ("anna", "password reset", {"account": "anna"}),
    ]


def test_a_newer_reset_or_a_new_password_replaces_a_link(project: Project) -> None:
    anna = joined(project, "anna")
    with project.ledger.writing() as connection:
        first, second = (invite_to_reset(connection, anna, None) for _ in range(2))
    assert refusal(project, first, None).startswith("NotFound")
    with project.ledger.writing() as connection:
        change_password(connection, anna, "$another")
    assert refusal(project, second, None).startswith("NotFound")


def test_no_reset_for_a_closed_account(project: Project) -> None:
    anna = joined(project, "anna")
    with project.ledger.writing() as connection:
        secret = invite_to_reset(connection, anna, None)
        close(connection, anna, None)
        with pytest.raises(Conflict, match="anna is closed"):
            invite_to_reset(connection, anna, None)
    assert refusal(project, secret, None).startswith("Conflict: the account anna is closed")


def test_the_first_link_makes_an_admin(project: Project) -> None:
    with project.ledger.writing() as connection:
        earlier, secret = first_link(connection), first_link(connection)
    assert earlier is not None
    assert secret is not None
    assert refusal(project, earlier).startswith("NotFound")
    with project.ledger.reading() as connection:
        assert invitation_of(connection, secret).purpose == "setup"
    assert accepted(project, secret, "root").role == "admin"
    with project.ledger.writing() as connection:
        assert first_link(connection) is None
    assert refusal(project, secret, "other").startswith("Conflict")
    assert [action for _, action, _ in events(project)] == ["setup link made", "setup link made", "joined"]


def test_the_first_link_is_good_until_there_is_an_admin(project: Project) -> None:
    joined(project, "ben", "curator")
    with project.ledger.writing() as connection:
        secret = first_link(connection)
    assert secret is not None
    joined(project, "ada", "admin")
    assert refusal(project, secret, "root") == "Conflict: the project has an admin by now; ask them for an invitation"
    with project.ledger.writing() as connection:
        assert first_link(connection) is None
        connection.execute(update(schema.accounts).values(password=None))
        assert first_link(connection) is not None


def test_the_first_link_leaves_other_invitations_alone(project: Project) -> None:
    secret = invited(project)
    with project.ledger.writing() as connection:
        first_link(connection)
    assert accepted(project, secret).name == "anna"


def test_cancelling(project: Project) -> None:
    secret, other = invited(project, name="anna"), invited(project)
    with project.ledger.reading() as connection:
        [link] = [one for one in open_invitations(connection) if one.account == "anna"]
    with project.ledger.writing() as connection:
        for wrong in ("", link.id[:7], "%" * 12, link.id + "0", "\0" * 8):
            with pytest.raises(NotFound, match="no open invitation"):
                cancel(connection, wrong, "root")
        cancel(connection, link.id[:12], "root")
        with pytest.raises(NotFound):
            cancel(connection, link.id, "root")
    assert refusal(project, secret).startswith("NotFound")
    assert accepted(project, other).name == "anna"
    assert ("root", "invitation cancelled", {"account": "anna", "purpose": "join"}) in events(project)
