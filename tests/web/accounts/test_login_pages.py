"""The doors of the site: links that let somebody in once, the login, the account page, and nothing else."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, update
from starlette.testclient import TestClient

from otherwords.project import Project, create_project, open_project
from otherwords.project.ledger import schema
from otherwords.web import forms
from otherwords.web.accounts import expiry, passwords
from otherwords.web.accounts import login_backoff as attempts
from otherwords.web.accounts.invitations import first_link
from otherwords.web.accounts.login import local_path
from otherwords.web.accounts.passwords import hash_password
from otherwords.web.accounts.sessions import ticket_cookie
from otherwords.web.app import make_app
from tests.web.persons import Clock, events
from tests.web.windows import PAGE, Window

GOOD, BETTER = "seven herons on a fence", "nine otters under a bridge"


@pytest.fixture
def app(folder: Path) -> Iterator[FastAPI]:
    """The site of a project that nobody is in yet, as it runs."""
    app = make_app(folder, address="http://testserver")
    with TestClient(app):
        yield app


def ledger_of(app: FastAPI) -> Project:
    project = app.state.site.project
    assert isinstance(project, Project)
    return project


def setup_link(app: FastAPI) -> str:
    with ledger_of(app).ledger.writing() as connection:
        return f"/setup/{first_link(connection)}"


def add(app: FastAPI, name: str, role: str = "annotator", password: str = GOOD) -> None:
    row = {"name": name, "role": role, "state": "active", "settings": {}, "created": "2026-01-01"}
    with ledger_of(app).ledger.writing() as connection:
        connection.execute(schema.accounts.insert().values(**row, password=hash_password(password, name)))


def logged_in(app: FastAPI, name: str, password: str = GOOD) -> Window:
    window = Window(app)
    window.open("/login")
    assert window.send(window.form("/login"), name=name, password=password).status_code == 303
    return window


def shown_once(window: Window) -> str:
    """The secret that the page shows this once, without the address of the site."""
    match = re.search(r'id="once"[^>]* value="([^"]+)"', window.page.text)
    assert match
    return match[1].removeprefix("http://testserver")


def test_the_life_of_an_account(app: FastAPI) -> None:
    ada = Window(app)
    link = setup_link(app)
    ada.open(link)
    done = ada.send(ada.form(link), name="Ada", password=GOOD, again=GOOD)
    assert (done.status_code, done.headers["location"]) == (303, "/")

    ada.open("/people")
    ada.send(ada.form("/people/invite"), role="annotator", name="anna", days="3")
    link = shown_once(ada)
    assert link.startswith("/join/")
    assert link.removeprefix("/join/") not in ada.open("/people").text

    anna = Window(app)
    assert 'value="anna" readonly' in anna.open(link).text
    assert anna.send(anna.form(link), password=GOOD, again=GOOD).status_code == 303
    assert anna.open("/account").status_code == 200
    assert anna.open("/people").status_code == 403
    anna.open("/account")
    assert anna.send(anna.form("/logout")).headers["location"] == "/login"
    anna.open("/account")
    assert anna.page.url.path == "/login"
    anna.send(anna.form("/login"), name="ANNA", password=GOOD)
    assert anna.page.headers["location"] == "/account"

    ada.open("/people")
    ada.send(ada.form("/people/change", name="anna"), ("do", "role"), role="admin")
    assert ada.page.headers["location"] == "/people#person-anna"
    assert anna.open("/people").status_code == 200
    ada.open("/people")
    ada.send(ada.form("/people/change", name="anna"), ("do", "role"), role="curator")
    assert anna.open("/people").status_code == 403

    ada.open("/people")
    ada.send(ada.form("/people/change", name="anna"), ("do", "reset"))
    link = shown_once(ada)
    elsewhere = Window(app)
    elsewhere.open(link)
    elsewhere.send(elsewhere.form(link), password=BETTER, again=BETTER)
    assert elsewhere.open("/account").status_code == 200
    assert anna.open("/account").url.path == "/login"
    assert anna.send(anna.form("/login"), name="anna", password=GOOD).status_code == 403
    assert anna.send(anna.form("/login"), name="anna", password=BETTER).status_code == 303

    old = anna.session
    ada.open("/people")
    ada.send(ada.form("/people/change", name="anna"), ("do", "logout"))
    assert "anna is logged out everywhere (2 sessions ended)" in ada.page.text
    for window in (anna, elsewhere):
        assert window.open("/account").url.path == "/login"
    dead = Window(app)
    dead.client.cookies.set(dead.cookie, old or "")
    assert dead.client.get("/api/v1/me").status_code == 401

    ada.open("/people")
    ada.send(ada.form("/people/change", name="anna"), ("do", "close"))
    anna.open("/login")
    assert anna.send(anna.form("/login"), name="anna", password=BETTER).status_code == 403
    ada.open("/people")
    ada.send(ada.form("/people/change", name="anna"), ("do", "reopen"))
    anna.open("/login")
    assert anna.send(anna.form("/login"), name="anna", password=BETTER).status_code == 303


def test_a_link_is_good_once_and_only_where_it_was_given_for(app: FastAPI) -> None:
    link = setup_link(app)
    window = Window(app)
    assert window.open(link.replace("/setup/", "/join/")).status_code == 404
    window.open(link)
    form = window.form(link)
    assert window.page.headers["referrer-policy"] == "no-referrer"
    window.send(form, name="Ada", password=GOOD, again=GOOD)
    other = Window(app)
    other.client.cookies.set(ticket_cookie(other.cookie), form.fields["csrf"])
    for answer in (other.open(link), other.send(form, name="Eve", password=GOOD, again=GOOD)):
        assert (answer.status_code, answer.headers["referrer-policy"]) == (409, "no-referrer")
        assert "has been used already" in answer.text
    assert "no such link" in other.open("/join/nothing").text
    with ledger_of(app).ledger.reading() as connection:
        assert connection.execute(select(schema.accounts.c.name)).scalars().all() == ["Ada"]


def test_an_expired_link(app: FastAPI) -> None:
    link = setup_link(app)
    with ledger_of(app).ledger.writing() as connection:
        connection.execute(update(schema.invitations).values(until=1.0))
    answer = Window(app).open(link)
    assert answer.status_code == 409
    assert "this link has run out" in answer.text


MISTAKES: list[tuple[dict[str, str], int, str]] = [
    ({"name": "<script>alert(1)</script>"}, 422, "letters, digits, dots"),
    ({"name": "a'onx=\""}, 422, "letters, digits, dots"),
    ({"name": ""}, 422, "1 to 40 characters"),
    ({"name": "simulated"}, 422, "reserved"),
    ({"name": "Anna"}, 409, "somebody is called"),
    ({"again": "seven herons on a post"}, 422, "not the same"),
    ({"password": "short", "again": "short"}, 422, "at least 10 characters"),
    ({"password": "password1234", "again": "password1234"}, 422, "first that somebody would try"),
]


def test_a_mistake_can_be_fixed(app: FastAPI) -> None:
    add(app, "anna")
    window = Window(app)
    link = setup_link(app)
    window.open(link)
    for filled, status, reason in MISTAKES:
        answer = window.send(window.form(link), **({"name": "Ben", "password": GOOD, "again": GOOD} | filled))
        assert (answer.status_code, answer.headers["referrer-policy"]) == (status, "no-referrer")
        assert reason in answer.text
        assert "<script>alert" not in answer.text
        assert GOOD not in answer.text
        assert window.session is None
    assert window.send(window.form(link), name="Ben", password=GOOD, again=GOOD).status_code == 303


def test_who_logs_in_has_another_session_than_before(app: FastAPI) -> None:
    add(app, "anna")
    add(app, "ben")
    ticket, cookie = "x" * 43, Window(app).cookie

    def session_after(before: str, name: str) -> str:
        """Log in as somebody with a browser that has a session already."""
        headers = {"cookie": f"{cookie}={before}; {ticket_cookie(cookie)}={ticket}"}
        answer = TestClient(app, follow_redirects=False).post(
            "/login", data={"name": name, "password": GOOD, "csrf": ticket}, headers=headers
        )
        return answer.cookies[cookie]

    def me(session: str) -> str | None:
        account = TestClient(app).get("/api/v1/me", headers={"cookie": f"{cookie}={session}"}).json()
        return account.get("name")

    first = session_after("planted-by-somebody", "anna")
    assert (me("planted-by-somebody"), me(first)) == (None, "anna")
    second = session_after(first, "anna")
    assert (me(first), me(second)) == (None, "anna")
    third = session_after(second, "ben")
    assert (me(second), me(third)) == (None, "ben")
    assert len({first, second, third}) == 3


def test_cookies_are_for_this_site_alone(app: FastAPI) -> None:
    add(app, "anna")
    for base_url, secure in (("http://testserver", False), ("https://testserver", True)):
        window = Window(app, base_url)
        ticket = window.open("/login").headers["set-cookie"]
        session = window.send(window.form("/login"), name="anna", password=GOOD).headers.get_list("set-cookie")
        assert [cookie.partition("=")[0] for cookie in session] == [window.cookie, ticket_cookie(window.cookie)]
        for cookie in (ticket, session[0]):
            assert "HttpOnly" in cookie
            assert "SameSite=lax" in cookie
            assert "Path=/" in cookie
            assert ("Secure" in cookie) == secure
        assert "Max-Age=0" in session[1]


def test_two_sites_on_one_host_do_not_log_each_other_out(app: FastAPI, tmp_path: Path) -> None:
    create_project(tmp_path / "other" / "corpus", "en", "turku")  # of the same name, in another folder
    other = make_app(tmp_path / "other" / "corpus", address="http://testserver")
    with TestClient(other):
        for site in (app, other):
            add(site, "anna")
        first, second = logged_in(app, "anna"), Window(other)
        second.client.cookies.update(first.client.cookies)  # a browser sends the cookies of a host to all its ports
        first.open("/account")
        second.open("/login")
        assert second.send(second.form("/login"), name="anna", password=GOOD).status_code == 303
        first.client.cookies.update(second.client.cookies)
        assert first.open("/account").url.path == "/account"
        second.open("/account")
        second.send(second.form("/logout"))
        assert first.open("/account").url.path == "/account"


FORMS = {
    "/login": {"name": "ada", "password": GOOD},
    "/logout": {},
    "/account/password": {"current": GOOD, "password": GOOD, "again": GOOD},
    "/account/logout-everywhere": {},
    "/account/tokens": {"name": "laptop", "scope-read": "on", "days": "1"},
    "/account/tokens/revoke": {"name": "old"},
    "/people/invite": {"role": "admin", "name": "", "days": "1"},
    "/people/change": {"name": "anna", "do": "close"},
    "/people/cancel": {"id": "0" * 64},
}


def rows(app: FastAPI) -> list[int]:
    with ledger_of(app).ledger.reading() as connection:
        tables = (schema.events, schema.sessions, schema.tokens, schema.invitations)
        return [connection.execute(select(func.count()).select_from(table)).scalar() or 0 for table in tables]


def test_a_form_comes_from_a_page_of_this_site(app: FastAPI) -> None:
    add(app, "anna")
    setup = setup_link(app)
    add(app, "ada", "admin")
    elsewhere = [
        {"origin": "https://evil.example"},
        {"origin": "null", "sec-fetch-site": "cross-site"},
        {"origin": "http://testserver:8000"},
    ]
    for path, fields in {**FORMS, setup: {"name": "Eve", "password": GOOD, "again": GOOD}}.items():
        ada = logged_in(app, "ada")
        ada.client.cookies.set(ticket_cookie(ada.cookie), "x" * 43)
        csrf = ada.client.get("/api/v1/me").json()["csrf"]
        right = "x" * 43 if path in ("/login", setup) else csrf
        before = rows(app)
        for wrong in ({}, {"csrf": ""}, {"csrf": "wrong"}, {"csrf": "\N{SNOWMAN}"}):
            assert ada.client.post(path, data=fields | wrong, headers=PAGE).status_code == 403, path
        for headers in elsewhere:
            answer = ada.client.post(path, data=fields | {"csrf": right}, headers=PAGE | headers)
            assert answer.status_code == 403, (path, headers)
        assert ada.client.post(path, json=fields | {"csrf": right}).status_code == 422
        assert rows(app) == before, path
        ours = PAGE | {"origin": "http://testserver"}
        assert ada.client.post(path, data=fields | {"csrf": right}, headers=ours).status_code not in (403, 422), path


def test_what_is_no_form(app: FastAPI) -> None:
    headers = {"content-type": forms.URLENCODED}
    for body in (b"csrf=a%00b", b"a=%ED%A0%80", b"a=%ff", b"a=1&a=2", b"&a=" * 500, "a=é".encode()):
        answer = TestClient(app).post("/login", content=body, headers=headers)
        assert answer.status_code == 422
        assert answer.json()["code"] == "not-a-form"
    assert TestClient(app).post("/login", content=b"a=1", headers={"content-type": "text/plain"}).status_code == 422


def test_before_the_login_the_ticket_of_another_page_is_not_enough(app: FastAPI) -> None:
    add(app, "anna")
    window = Window(app)
    window.open("/login")
    form = window.form("/login")
    window.client.cookies.clear()
    answer = window.send(form, name="anna", password=GOOD)
    assert (answer.status_code, window.session) == (403, None)
    assert "out of date" in answer.text
    assert window.send(window.form("/login"), password=GOOD).status_code == 303


def test_after_the_login_nobody_is_sent_to_another_site(app: FastAPI) -> None:
    evil = ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/\t/evil.example"]
    evil += [
        "",
        "evil.example",
        "\\/evil.example",
        "/ /evil.example",
        "/\n/evil.example",
        "/a\\..\\b",
        "/\0/evil.example",
    ]
    assert {local_path(path) for path in evil} == {"/"}
    fine = ["/", "/people?role=admin#invite", "/classify/first", "/pairs/é%20x?next=//a", "/a//b"]
    assert [local_path(path) for path in fine] == fine
    add(app, "anna")
    for path in [path for path in evil if "\0" not in path]:
        window = Window(app)
        window.open("/login", params={"next": path})
        assert window.form("/login").fields["next"] == "/"
        answer = window.send(window.form("/login"), name="anna", password=GOOD, next=path)
        assert answer.headers["location"] == "/"
        assert window.client.get("/login", params={"next": path}).headers["location"] == "/"


def test_too_many_wrong_passwords(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(attempts, "time", clock)
    add(app, "anna")
    window = Window(app)
    window.open("/login")
    for _ in range(5):
        wrong = window.send(window.form("/login"), name="Anna", password="not this one")
        assert wrong.status_code == 403
    for password in ("not this one", GOOD):
        answer = window.send(window.form("/login"), name="anna", password=password)
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")
        assert "try again in 2 seconds" in answer.text
    clock.wait(2)
    assert window.send(window.form("/login"), name="anna", password=GOOD).status_code == 303


def test_a_crowd_at_the_door_is_asked_to_come_back(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "MOST_WAITING", 0)
    window = Window(app)
    window.open("/login")
    answer = window.send(window.form("/login"), name="anna", password=GOOD)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "5")


def test_the_password_is_changed_by_who_knows_it(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "time", Clock())
    add(app, "anna")
    here, elsewhere = logged_in(app, "anna"), logged_in(app, "anna")
    here.open("/account")
    path = "/account/password"
    mistakes = [
        ({"current": "not this one", "password": BETTER, "again": BETTER}, 403, "current password is wrong"),
        ({"current": GOOD, "password": BETTER, "again": GOOD}, 422, "not the same"),
        ({"current": GOOD, "password": "anna", "again": "anna"}, 422, "at least 10"),
    ]
    for filled, status, reason in mistakes:
        answer = here.send(here.form(path), **filled)
        assert answer.status_code == status
        assert reason in answer.text
    done = here.send(here.form(path), current=GOOD, password=BETTER, again=BETTER)
    assert "password is changed" in done.text
    assert here.open("/account").url.path == "/account"
    assert elsewhere.open("/account").url.path == "/login"
    logged_in(app, "anna", BETTER)
    for _ in range(5):
        here.send(here.form(path), current="not this one", password=GOOD, again=GOOD)
    answer = here.send(here.form(path), current=BETTER, password=GOOD, again=GOOD)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")
    assert ("anna", "password change failed", {"account": "anna", "failures": 5, "seconds": 2.0}) in events(
        ledger_of(app)
    )


def test_tokens_on_the_account_page(app: FastAPI) -> None:
    add(app, "anna")
    anna = logged_in(app, "anna")
    assert "You have no tokens" in anna.open("/account").text
    assert "scope-curate" not in anna.page.text
    anna.send(anna.form("/account/tokens"), name="lap <b>top</b>", **{"scope-annotate": "on"})
    token = shown_once(anna)
    headers = {"authorization": f"Bearer {token}"}
    assert TestClient(app).get("/api/v1/me", headers=headers).json()["scopes"] == ["annotate", "read"]
    assert token not in anna.open("/account").text
    assert "<b>top" not in anna.page.text
    for filled, status in (
        ({"name": "x", "days": "many"}, 422),
        ({"name": "lap <b>top</b>", "days": "1"}, 409),
        ({"name": ""}, 422),
    ):
        answer = anna.send(anna.form("/account/tokens"), **filled)
        assert (answer.status_code, "notice bad" in answer.text) == (status, True)
    beyond = anna.send(anna.form("/account/tokens"), name="y", **{"scope-admin": "on"})
    assert beyond.status_code == 403
    assert anna.send(anna.form("/account/tokens/revoke")).headers["location"] == "/account#tokens"
    assert TestClient(app).get("/api/v1/me", headers=headers).status_code == 401


def test_logging_out_everywhere(app: FastAPI) -> None:
    add(app, "anna")
    here, elsewhere = logged_in(app, "anna"), logged_in(app, "anna")
    here.open("/account")
    gone = here.send(here.form("/account/logout-everywhere"))
    assert (gone.headers["location"], here.session) == ("/login", None)
    assert elsewhere.open("/account").url.path == "/login"


def test_a_token_sends_no_forms(app: FastAPI) -> None:
    add(app, "ada", "admin")
    ada = logged_in(app, "ada")
    ada.open("/account")
    ada.send(ada.form("/account/tokens"), name="all", **{"scope-admin": "on", "scope-annotate": "on"})
    headers = PAGE | {"authorization": f"Bearer {shown_once(ada)}"}
    for path, fields in FORMS.items():
        answer = TestClient(app).post(path, data=fields, headers=headers)
        assert answer.status_code in (401, 403), path


def test_what_has_expired_is_forgotten_when_the_server_starts(folder: Path) -> None:
    def sessions() -> int:
        with open_project(folder) as project, project.ledger.reading() as connection:
            return connection.execute(select(func.count()).select_from(schema.sessions)).scalar() or 0

    with open_project(folder) as project, project.ledger.writing() as connection:
        old = {"id": "0", "account": "anna", "csrf": "", "created": "2026-01-01", "until": 1.0}
        connection.execute(schema.sessions.insert().values(**old))
    with TestClient(make_app(folder, public=True)):
        assert sessions() == 1  # the public site writes nothing
    with TestClient(make_app(folder)):
        assert sessions() == 0


def test_what_has_expired_is_forgotten_every_hour(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = threading.Semaphore(0)
    monkeypatch.setattr(expiry, "HOUR", 0.01)
    monkeypatch.setattr(expiry, "forget_expired", lambda connection: calls.release())
    with TestClient(make_app(folder)):
        for _ in range(3):
            assert calls.acquire(timeout=20)


def test_the_login_keeps_where_somebody_wanted_to_go(app: FastAPI) -> None:
    add(app, "ada", "admin")
    window = Window(app)
    window.open("/people?role=admin&name=ada")
    assert urlsplit(str(window.page.url)).path == "/login"
    answer = window.send(window.form("/login"), name="ada", password=GOOD)
    assert answer.headers["location"] == "/people?role=admin&name=ada"
