"""Accounts: names that differ in more than case, roles that rise, and always an admin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import select, update

from otherwords.errors import Conflict
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.web.accounts.accounts import (
    account_of,
    add_account,
    change_password,
    close,
    has_admin,
    reopen,
    set_role,
)
from otherwords.web.accounts.invitations import invite, list_people, open_invitations
from otherwords.web.accounts.roles import ROLES, Account, check_role, may
from otherwords.web.accounts.sessions import open_session, session_of
from tests.errors import raises
from tests.web.persons import HASH, at_once, events, joined


def test_roles_rise() -> None:
    reach = {own_role: [role for role in ROLES if may(Account("anna", own_role), role)] for own_role in ROLES}
    assert reach == {
        "worker": ["worker"],
        "annotator": ["worker", "annotator"],
        "curator": ["worker", "annotator", "curator"],
        "admin": ["worker", "annotator", "curator", "admin"],
    }
    assert not any(may(Account("anna", "admin", "closed"), role) for role in ROLES)
    with raises("no-such-role", match="king.*worker"):
        check_role("king")


def test_an_account_is_found_in_any_spelling(project: Project) -> None:
    account = joined(project, "Zoe\u0308", "curator")
    assert account == Account("Zoë", "curator", "active", {})
    with project.ledger.reading() as connection:
        assert account_of(connection, "ZOË") == account
        with raises("no-such-account", match="ben"):
            account_of(connection, "ben")
    assert events(project) == [(None, "added", {"account": "Zoë", "role": "curator"})]


BAD = [
    ("anna", "worker", "name-taken"),
    ("ANNA", "worker", "name-taken"),
    ("a b", "worker", "invalid-name"),
    ("simulated", "worker", "reserved-name"),
    ("ben", "king", "no-such-role"),
    ("carla", "worker", "withdrawn-name"),
]


def test_accounts_that_are_not_made(project: Project) -> None:
    joined(project, "anna")
    withdraw(project, "carla", noun="annotator")
    for name, role, code in BAD:
        with raises(code), project.ledger.writing() as connection:
            add_account(connection, name, role, HASH, None)
    with project.ledger.reading() as connection:
        assert [person.name for person in list_people(connection)] == ["anna"]


def test_two_spellings_at_once_make_one_account(project: Project) -> None:
    spellings = ("anna", "Anna", "aNNa", "ANNA")
    results = at_once(project, *(_account_adder(name) for name in spellings))
    assert sorted(type(result).__name__ for result in results) == ["Account", "Conflict", "Conflict", "Conflict"]
    with project.ledger.reading() as connection:
        assert len(list_people(connection)) == 1


def _account_adder(name: str) -> Callable[..., Any]:
    return lambda connection: add_account(connection, name, "annotator", HASH, None)


def test_a_role_is_changed(project: Project) -> None:
    anna = joined(project, "anna", "worker")
    with project.ledger.writing() as connection:
        assert set_role(connection, anna, "curator", "root").role == "curator"
        assert set_role(connection, anna, "curator", "root").role == "curator"
        with raises("no-such-role"):
            set_role(connection, anna, "king", "root")
        with raises("no-such-account"):
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
            with raises("last-admin", match="^root "):
                deed()
        assert account_of(connection, "root") == root
        set_role(connection, anna, "admin", "root")
        close(connection, anna, "root")
        with raises("last-admin"):
            close(connection, root, "root")
        reopen(connection, anna, "root")
        assert set_role(connection, root, "worker", "anna").role == "worker"


def test_an_admin_who_cannot_log_in_does_not_count(project: Project) -> None:
    root, anna = joined(project, "root", "admin"), joined(project, "anna", "admin")
    with project.ledger.writing() as connection:
        connection.execute(update(schema.accounts).where(schema.accounts.c.name == anna.name).values(password=None))
        with raises("last-admin"):
            close(connection, root, None)


def test_two_admins_cannot_close_each_other_at_once(project: Project) -> None:
    ada, bo = joined(project, "ada", "admin"), joined(project, "bo", "admin")
    results = at_once(
        project,
        lambda c: close(c, ada, "bo"),
        lambda c: set_role(c, bo, "worker", "ada"),
        lambda c: close(c, bo, "ada"),
    )
    assert any(isinstance(result, Conflict) for result in results)
    with project.ledger.reading() as connection:
        assert has_admin(connection)


def test_a_new_password_ends_all_other_sessions(project: Project) -> None:
    anna, ben = joined(project, "anna"), joined(project, "ben")
    with project.ledger.writing() as connection:
        annas, elsewhere, bens = (open_session(connection, account)[0] for account in (anna, anna, ben))
        change_password(connection, anna, "$another", keep=annas)
        assert session_of(connection, annas) is not None
        assert session_of(connection, elsewhere) is None
        assert session_of(connection, bens) is not None
        passwords = connection.execute(select(schema.accounts.c.name, schema.accounts.c.password)).all()
        assert dict(map(tuple, passwords)) == {"anna": "$another", "ben": HASH}
        change_password(connection, anna, "$a-third")
        assert session_of(connection, annas) is None
    assert events(project)[-1] == ("anna", "password changed", {"account": "anna"})


def test_people_are_accounts_and_invitations(project: Project) -> None:
    for name, role in (("bo", "worker"), ("Ada", "admin"), ("carl", "curator")):
        joined(project, name, role)
    with project.ledger.writing() as connection:
        close(connection, account_of(connection, "bo"), "Ada")
        invite(connection, "curator", "Ada")
        invite(connection, "worker", "Ada", name="dora")
        listed = list_people(connection)
    assert [(person.name, person.role, person.state) for person in listed[:3]] == [
        ("Ada", "admin", "active"),
        ("bo", "worker", "closed"),
        ("carl", "curator", "active"),
    ]
    assert {(person.name, person.role, person.state) for person in listed[3:]} == {
        (None, "curator", "invited"),
        ("dora", "worker", "invited"),
    }
    assert [person.invitation is not None for person in listed] == [False, False, False, True, True]
