"""Accounts: names that differ in more than case, roles that rise, and always an admin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select, update

from otherwords.errors import Conflict, NotFound, Refused
from otherwords.project import Project, schema
from otherwords.project.withdraw import withdraw
from otherwords.web.accounts import account_of, add_account, change_password, close, has_admin, reopen, set_role
from otherwords.web.invitations import invite, open_invitations
from otherwords.web.people import people
from otherwords.web.roles import ROLES, Account, checked_role, may
from otherwords.web.sessions import open_session, session_of
from tests.web.persons import HASH, at_once, events, joined


def test_roles_rise() -> None:
    reach = {mine: [role for role in ROLES if may(Account("anna", mine), role)] for mine in ROLES}
    assert reach == {
        "worker": ["worker"],
        "annotator": ["worker", "annotator"],
        "curator": ["worker", "annotator", "curator"],
        "admin": ["worker", "annotator", "curator", "admin"],
    }
    assert not any(may(Account("anna", "admin", "closed"), role) for role in ROLES)
    with pytest.raises(Refused, match="there is no role 'king'; the roles are worker"):
        checked_role("king")


def test_an_account_is_found_in_any_spelling(project: Project) -> None:
    made = joined(project, "Zoe\u0308", "curator")
    assert made == Account("Zoë", "curator", "active", {})
    with project.ledger.reading() as connection:
        assert account_of(connection, "ZOË") == made
        with pytest.raises(NotFound, match="nobody here is called 'ben'"):
            account_of(connection, "ben")
    assert events(project) == [(None, "added", {"account": "Zoë", "role": "curator"})]


BAD = [
    ("anna", "worker", Conflict, "somebody is called 'anna' already"),
    ("ANNA", "worker", Conflict, "somebody is called 'ANNA' already"),
    ("a b", "worker", Refused, "is none of them"),
    ("simulated", "worker", Refused, "reserved"),
    ("ben", "king", Refused, "no role"),
    ("carla", "worker", Refused, "cannot be used in this project"),
]


def test_accounts_that_are_not_made(project: Project) -> None:
    joined(project, "anna")
    withdraw(project, "carla", noun="annotator")
    for name, role, error, reason in BAD:
        with pytest.raises(error, match=reason), project.ledger.writing() as connection:
            add_account(connection, name, role, HASH, None)
    with project.ledger.reading() as connection:
        assert [one.name for one in people(connection)] == ["anna"]


def test_two_spellings_at_once_make_one_account(project: Project) -> None:
    spellings = ("anna", "Anna", "aNNa", "ANNA")
    told = at_once(project, *(_adding(name) for name in spellings))
    assert sorted(type(one).__name__ for one in told) == ["Account", "Conflict", "Conflict", "Conflict"]
    with project.ledger.reading() as connection:
        assert len(people(connection)) == 1


def _adding(name: str) -> Callable[..., Any]:
    return lambda connection: add_account(connection, name, "annotator", HASH, None)


def test_a_role_is_changed(project: Project) -> None:
    anna = joined(project, "anna", "worker")
    with project.ledger.writing() as connection:
        assert set_role(connection, anna, "curator", "root").role == "curator"
        assert set_role(connection, anna, "curator", "root").role == "curator"
        with pytest.raises(Refused, match="no role"):
            set_role(connection, anna, "king", "root")
        with pytest.raises(NotFound):
            set_role(connection, Account("ben", "worker"), "curator", "root")
        assert account_of(connection, "anna").role == "curator"
    assert events(project)[1:] == [("root", "role changed", {"account": "anna", "role": "curator", "before": "worker"})]


def test_a_closed_account_is_out_at_once(project: Project) -> None:
    anna = joined(project, "anna")
    with project.ledger.writing() as connection:
        secret, _ = open_session(connection, anna)
        assert close(connection, anna, "root").state == "closed"
        assert close(connection, anna, "root").state == "closed"
        assert session_of(connection, secret) is None
        assert reopen(connection, anna, "root").state == "active"
        assert session_of(connection, secret) is None
    assert [action for _, action, _ in events(project)] == ["added", "closed", "reopened"]


def test_the_invitations_of_somebody_who_is_no_admin_any_more_end(project: Project) -> None:
    joined(project, "root", "admin")
    for name, deed in (("ada", lambda c, a: close(c, a, None)), ("bo", lambda c, a: set_role(c, a, "worker", None))):
        admin = joined(project, name, "admin")
        with project.ledger.writing() as connection:
            invite(connection, "admin", admin.name)
            deed(connection, admin)
            assert open_invitations(connection) == []


def test_the_last_admin_stays(project: Project) -> None:
    root, anna = joined(project, "root", "admin"), joined(project, "anna")
    with project.ledger.writing() as connection:
        for deed in (lambda: close(connection, root, "root"), lambda: set_role(connection, root, "curator", "root")):
            with pytest.raises(Conflict, match="root is the last admin and cannot be"):
                deed()
        assert account_of(connection, "root") == root
        set_role(connection, anna, "admin", "root")
        close(connection, anna, "root")
        with pytest.raises(Conflict, match="last admin"):
            close(connection, root, "root")
        reopen(connection, anna, "root")
        assert set_role(connection, root, "worker", "anna").role == "worker"


def test_an_admin_who_cannot_log_in_does_not_count(project: Project) -> None:
    root, anna = joined(project, "root", "admin"), joined(project, "anna", "admin")
    with project.ledger.writing() as connection:
        connection.execute(update(schema.accounts).where(schema.accounts.c.name == anna.name).values(password=None))
        with pytest.raises(Conflict, match="last admin"):
            close(connection, root, None)


def test_two_admins_cannot_close_each_other_at_once(project: Project) -> None:
    ada, bo = joined(project, "ada", "admin"), joined(project, "bo", "admin")
    told = at_once(
        project,
        lambda c: close(c, ada, "bo"),
        lambda c: set_role(c, bo, "worker", "ada"),
        lambda c: close(c, bo, "ada"),
    )
    assert any(isinstance(one, Conflict) for one in told)
    with project.ledger.reading() as connection:
        assert has_admin(connection)


def test_a_new_password_ends_all_other_sessions(project: Project) -> None:
    anna, ben = joined(project, "anna"), joined(project, "ben")
    with project.ledger.writing() as connection:
        mine, elsewhere, bens = (open_session(connection, one)[0] for one in (anna, anna, ben))
        change_password(connection, anna, "$another", keep=mine)
        assert session_of(connection, mine) is not None
        assert session_of(connection, elsewhere) is None
        assert session_of(connection, bens) is not None
        passwords = connection.execute(select(schema.accounts.c.name, schema.accounts.c.password)).all()
        assert dict(map(tuple, passwords)) == {"anna": "$another", "ben": HASH}
        change_password(connection, anna, "$a-third")
        assert session_of(connection, mine) is None
    assert events(project)[-1] == ("anna", "password changed", {"account": "anna"})


def test_people_are_accounts_and_invitations(project: Project) -> None:
    for name, role in (("bo", "worker"), ("Ada", "admin"), ("carl", "curator")):
        joined(project, name, role)
    with project.ledger.writing() as connection:
        close(connection, account_of(connection, "bo"), "Ada")
        invite(connection, "curator", "Ada")
        invite(connection, "worker", "Ada", name="dora")
        told = people(connection)
    assert [(one.name, one.role, one.state) for one in told[:3]] == [
        ("Ada", "admin", "active"),
        ("bo", "worker", "closed"),
        ("carl", "curator", "active"),
    ]
    assert {(one.name, one.role, one.state) for one in told[3:]} == {
        (None, "curator", "invited"),
        ("dora", "worker", "invited"),
    }
    assert [one.invitation is not None for one in told] == [False, False, False, True, True]
