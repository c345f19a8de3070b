"""Links that let somebody in once."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert, select, update

from otherwords.errors import OtherwordsError
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement
from otherwords.web.accounts import invitations
from otherwords.web.accounts import login_backoff as attempts
from otherwords.web.accounts.accounts import account_of, change_password, close
from otherwords.web.accounts.expiry import forget_expired
from otherwords.web.accounts.invitations import (
    accept,
    cancel,
    first_link,
    invitation_of,
    invite,
    invite_to_reset,
    list_people,
    open_invitations,
)
from otherwords.web.accounts.roles import Account
from otherwords.web.accounts.sessions import open_session, session_of
from tests.errors import raises
from tests.web.persons import HASH, Clock, at_once, events, everything, joined

DAY = 86_400


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(invitations, "time", clock)
    monkeypatch.setattr("otherwords.web.accounts.expiry.time", clock)
    return clock


def new_invitation(project: Project, role: str = "annotator", **options: Any) -> str:
    with project.ledger.writing() as connection:
        return invite(connection, role, "root", **options)


def use_link(project: Project, secret: str, name: str | None = "anna", password: str = HASH) -> Account:
    with project.ledger.writing() as connection:
        return accept(connection, secret, name, password)


def refusal(project: Project, secret: str, name: str | None = "anna") -> str:
    """The code of the error that using a link raises."""
    with pytest.raises(OtherwordsError) as caught:
        use_link(project, secret, name)
    return caught.value.code


def names(project: Project) -> list[str | None]:
    with project.ledger.reading() as connection:
        return [person.name for person in list_people(connection) if person.state != "invited"]


def test_joining(project: Project) -> None:
    secret = new_invitation(project, "curator")
    with project.ledger.reading() as connection:
        invitation = invitation_of(connection, secret)
    assert (invitation.purpose, invitation.account, invitation.role, invitation.author) == (
        "join",
        None,
        "curator",
        "root",
    )
    assert use_link(project, secret, "Anna") == Account("Anna", "curator", "active", {})
    with project.ledger.reading() as connection:
        assert connection.execute(select(schema.accounts.c.password)).scalar() == HASH
        assert account_of(connection, "ANNA").name == "Anna"
    assert secret not in everything(project)
    assert events(project) == [
        ("root", "invited", {"account": None, "role": "curator"}),
        ("Anna", "joined", {"account": "Anna", "role": "curator", "invited_by": "root"}),
    ]


def test_a_link_is_good_once(project: Project) -> None:
    secret = new_invitation(project)
    use_link(project, secret)
    assert refusal(project, secret, "ben") == "invitation-used"
    with project.ledger.reading() as connection, raises("invitation-used"):
        invitation_of(connection, secret)
    assert names(project) == ["anna"]


def test_a_link_is_good_once_for_people_who_use_it_at_once(project: Project) -> None:
    secret = new_invitation(project)
    results = at_once(
        project, *(lambda c, name=name: accept(c, secret, name, HASH) for name in ("ada", "bo", "cy", "di"))
    )
    assert sorted(type(result).__name__ for result in results) == ["Account", "Conflict", "Conflict", "Conflict"]
    assert [result.name for result in results if isinstance(result, Account)] == names(project)


def test_a_refusal_does_not_use_it_up(project: Project) -> None:
    joined(project, "ben")
    secret = new_invitation(project)
    for name in ("BEN", "a b", "", None, "simulated"):
        refusal(project, secret, name)
    assert names(project) == ["ben"]
    assert use_link(project, secret).name == "anna"


def test_a_link_for_one_name(project: Project) -> None:
    secret = new_invitation(project, name="Anna")
    assert refusal(project, secret, "ben") == "wrong-invitee"
    assert use_link(project, secret, "anna").name == "Anna"
    assert use_link(project, new_invitation(project, name="ben"), None).name == "ben"


def test_who_judged_in_an_imported_sheet_is_the_same_person_on_the_site(project: Project) -> None:
    sheet = [Judgement(id="j1", pair="p1", annotator="Alys", value="4"), Judgement(id="j2", pair="p1", value="3")]
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.judgements), [row_of(judgement) for judgement in sheet])
    assert use_link(project, new_invitation(project, name="alys"), None).name == "Alys"
    assert use_link(project, new_invitation(project), "bryn").name == "bryn"


BAD: list[tuple[dict[str, Any], str]] = [
    ({"role": "king"}, "no-such-role"),
    ({"name": "ANNA"}, "name-taken"),
    ({"name": "withdrawn-1"}, "reserved-name"),
    ({"days": 0}, "invalid-lifetime"),
    ({"days": 91}, "invalid-lifetime"),
    ({"days": float("nan")}, "invalid-lifetime"),
]


def test_invitations_that_are_not_made(project: Project) -> None:
    joined(project, "anna")
    for options, code in BAD:
        with raises(code):
            new_invitation(project, **options)
    with project.ledger.reading() as connection:
        assert open_invitations(connection) == []


def test_other_secrets_lead_nowhere(project: Project) -> None:
    new_invitation(project)
    with project.ledger.reading() as connection:
        [link] = open_invitations(connection)
    for secret in ("", "x", "\ud800", "a\0b", link.id):
        assert refusal(project, secret) == "no-such-invitation"


def test_links_run_out(project: Project, clock: Clock) -> None:
    anna = joined(project, "anna")
    week, hours = new_invitation(project), new_invitation(project, days=0.5)
    with project.ledger.writing() as connection:
        reset = invite_to_reset(connection, anna, None)
    counts = []
    for _ in range(14):
        clock.wait(DAY / 2)
        with project.ledger.reading() as connection:
            counts.append(len(open_invitations(connection)))
    assert counts == [2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]
    for secret in (week, hours, reset):
        assert refusal(project, secret, None) == "invitation-expired"
    with project.ledger.writing() as connection:
        assert forget_expired(connection)["invitations"] == 0
        clock.wait(30 * DAY)
        assert forget_expired(connection)["invitations"] == 3


def test_a_reset_sets_the_password_and_ends_all_sessions(project: Project) -> None:
    anna, ben = joined(project, "anna"), joined(project, "ben")
    with project.ledger.writing() as connection:
        sessions = [open_session(connection, account)[0] for account in (anna, anna, ben)]
        failures = {"key": attempts.account_key("anna"), "failures": 9, "until": 4e9}
        connection.execute(insert(schema.attempts).values(**failures))
        secret = invite_to_reset(connection, anna, "root")
    with project.ledger.reading() as connection:
        invitation = invitation_of(connection, secret)
        assert (invitation.purpose, invitation.account, invitation.role) == ("reset", "anna", None)
        assert [person.invitation for person in list_people(connection)] == [invitation, None]
    assert refusal(project, secret, "ben") == "wrong-invitee"
    assert use_link(project, secret, None, "$another") == anna
    with project.ledger.reading() as connection:
        assert [session_of(connection, session) is None for session in sessions] == [True, True, False]
        hashes = select(schema.accounts.c.password).order_by(schema.accounts.c.name)
        assert connection.execute(hashes).scalars().all() == ["$another", HASH]
        assert connection.execute(select(schema.attempts)).all() == []
    assert refusal(project, secret, None) == "invitation-used"
    assert events(project)[-2:] == [
        ("root", "reset link made", {"account": "anna"}),
        ("anna", "password reset", {"account": "anna"}),
    ]


def test_a_newer_reset_or_a_new_password_replaces_a_link(project: Project) -> None:
    anna = joined(project, "anna")
    with project.ledger.writing() as connection:
        first, second = (invite_to_reset(connection, anna, None) for _ in range(2))
    assert refusal(project, first, None) == "no-such-invitation"
    with project.ledger.writing() as connection:
        change_password(connection, anna, "$another")
    assert refusal(project, second, None) == "no-such-invitation"


def test_no_reset_for_a_closed_account(project: Project) -> None:
    anna = joined(project, "anna")
    with project.ledger.writing() as connection:
        secret = invite_to_reset(connection, anna, None)
        close(connection, anna, None)
        with raises("account-closed", match="anna"):
            invite_to_reset(connection, anna, None)
    assert refusal(project, secret, None) == "no-such-invitation"


def test_the_first_link_makes_an_admin(project: Project) -> None:
    with project.ledger.writing() as connection:
        earlier, secret = first_link(connection), first_link(connection)
    assert earlier is not None
    assert secret is not None
    assert refusal(project, earlier) == "no-such-invitation"
    with project.ledger.reading() as connection:
        assert invitation_of(connection, secret).purpose == "setup"
    assert use_link(project, secret, "root").role == "admin"
    with project.ledger.writing() as connection:
        assert first_link(connection) is None
    assert refusal(project, secret, "other") == "invitation-used"
    assert [action for _, action, _ in events(project)] == ["setup link made", "setup link made", "joined"]


def test_the_first_link_is_good_until_there_is_an_admin(project: Project) -> None:
    joined(project, "ben", "curator")
    with project.ledger.writing() as connection:
        secret = first_link(connection)
    assert secret is not None
    joined(project, "ada", "admin")
    assert refusal(project, secret, "root") == "admin-exists"
    with project.ledger.writing() as connection:
        assert first_link(connection) is None
        connection.execute(update(schema.accounts).values(password=None))
        assert first_link(connection) is not None


def test_the_first_link_leaves_other_invitations_alone(project: Project) -> None:
    secret = new_invitation(project)
    with project.ledger.writing() as connection:
        first_link(connection)
    assert use_link(project, secret).name == "anna"


def test_cancelling(project: Project) -> None:
    secret, other = new_invitation(project, name="anna"), new_invitation(project)
    with project.ledger.reading() as connection:
        [link] = [invitation for invitation in open_invitations(connection) if invitation.account == "anna"]
    with project.ledger.writing() as connection:
        for wrong in ("", link.id[:7], "%" * 12, link.id + "0", "\0" * 8):
            with raises("no-such-invitation"):
                cancel(connection, wrong, "root")
        cancel(connection, link.id[:12], "root")
        with raises("no-such-invitation"):
            cancel(connection, link.id, "root")
    assert refusal(project, secret) == "no-such-invitation"
    assert use_link(project, other).name == "anna"
    assert ("root", "invitation cancelled", {"account": "anna", "purpose": "join"}) in events(project)
