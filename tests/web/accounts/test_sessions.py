"""Sessions: two weeks from their last use, and the ledger does not know their secrets."""

from __future__ import annotations

import pytest
from sqlalchemy import event, select, update

from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.web.accounts import sessions
from otherwords.web.accounts.expiry import forget_expired
from otherwords.web.accounts.sessions import close_all_sessions, close_session, extend_session, open_session, session_of
from tests.web.persons import Clock, events, everything, joined

DAY = 86_400


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(sessions, "time", clock)
    monkeypatch.setattr("otherwords.web.accounts.expiry.time", clock)
    return clock


def open_for(project: Project, name: str = "anna") -> str:
    with project.ledger.writing() as connection:
        return open_session(connection, sessions.Account(name, "annotator"))[0]


def name_of_session(project: Project, secret: str) -> str | None:
    with project.ledger.reading() as connection:
        session = session_of(connection, secret)
    return session and session.account.name


def test_a_session_knows_whose_it_is(project: Project) -> None:
    anna = joined(project, "anna", "curator")
    with project.ledger.writing() as connection:
        secret, csrf = open_session(connection, anna)
        other, another = open_session(connection, anna)
    assert len({secret, csrf, other, another}) == 4
    assert min(map(len, (secret, csrf))) >= 43  # 32 bytes
    with project.ledger.reading() as connection:
        session = session_of(connection, secret)
    assert session is not None
    assert (session.account, session.csrf, session.due) == (anna, csrf, False)
    assert secret not in everything(project)


def test_other_secrets_lead_nowhere(project: Project) -> None:
    joined(project, "anna")
    open_for(project)
    with project.ledger.reading() as connection:
        digest = connection.execute(select(schema.sessions.c.id)).scalar_one()
    for secret in ("", "x", "\0", "\ud800", "a" * 10_000, digest):
        assert name_of_session(project, secret) is None


def test_looking_it_up_is_one_question(project: Project) -> None:
    joined(project, "anna")
    secret = open_for(project)
    statements: list[str] = []
    with project.ledger.reading() as connection:
        event.listen(connection, "before_cursor_execute", lambda *arguments: statements.append(arguments[2]))
        session_of(connection, secret)
    assert len(statements) == 1
    assert statements[0].startswith("SELECT")


def test_a_session_ends_after_two_weeks(project: Project, clock: Clock) -> None:
    joined(project, "anna")
    secret = open_for(project)
    clock.wait(14 * DAY - 1)
    assert name_of_session(project, secret) == "anna"
    clock.wait(1)
    assert name_of_session(project, secret) is None
    with project.ledger.writing() as connection:
        extend_session(connection, secret)
    assert name_of_session(project, secret) is None


def test_a_session_of_a_closed_account_is_none(project: Project) -> None:
    joined(project, "anna")
    secret = open_for(project)
    with project.ledger.writing() as connection:
        connection.execute(update(schema.accounts).values(state="closed"))
    assert name_of_session(project, secret) is None


def test_a_session_slides_once_an_hour(project: Project, clock: Clock) -> None:
    joined(project, "anna")
    secret = open_for(project)
    due = []
    for _ in range(4):
        clock.wait(1500)
        with project.ledger.writing() as connection:
            session = session_of(connection, secret)
            assert session is not None
            due.append(session.due)
            if session.due:
                extend_session(connection, secret)
    assert due == [False, False, True, False]
    clock.wait(14 * DAY - 1501)
    assert name_of_session(project, secret) == "anna"
    clock.wait(1)
    assert name_of_session(project, secret) is None


def test_logging_out_here_and_everywhere(project: Project) -> None:
    anna, _ = joined(project, "anna"), joined(project, "ben")
    here, second, elsewhere, bens = (open_for(project, name) for name in ("anna", "anna", "anna", "ben"))
    with project.ledger.writing() as connection:
        close_session(connection, here)
        close_session(connection, here)
    assert [name_of_session(project, secret) for secret in (here, second, bens)] == [None, "anna", "ben"]
    with project.ledger.writing() as connection:
        assert close_all_sessions(connection, anna, "root") == 2
    assert [name_of_session(project, secret) for secret in (second, elsewhere, bens)] == [None, None, "ben"]
    assert events(project)[-1] == ("root", "logged out everywhere", {"account": "anna", "sessions": 2})


def test_ended_sessions_are_deleted(project: Project, clock: Clock) -> None:
    joined(project, "anna")
    open_for(project)
    clock.wait(10 * DAY)
    later = open_for(project)
    clock.wait(5 * DAY)
    with project.ledger.writing() as connection:
        assert forget_expired(connection) == {"sessions": 1, "sign_ins": 0, "attempts": 0, "invitations": 0}
    assert name_of_session(project, later) == "anna"
