"""Signing in at a provider: who is let in, who is not, and every way in which an answer can be forged."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from joserfc import jwt
from joserfc.jwk import ECKey
from sqlalchemy import select
from starlette.testclient import TestClient

from otherwords.project import create_project, open_project
from otherwords.project.config import CONFIG_FILE
from otherwords.project.ledger import schema
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.web.accounts import expiry
from otherwords.web.accounts.accounts import account_of, close
from otherwords.web.accounts.invitations import invite
from otherwords.web.app import make_app
from otherwords.web.oidc import provider as provider_module
from otherwords.web.server import bind
from tests.errors import raises
from tests.web.accounts.test_login_pages import add, ledger_of, logged_in
from tests.web.oidc.stub_provider import SECRET, StubProvider, rsa_key, stub_provider
from tests.web.persons import Clock, events
from tests.web.windows import Window

SITE = "http://testserver"


def configure(folder: Path, provider: str, **more: str) -> None:
    secret = folder / "oidc.secret"
    secret.write_text(SECRET + "\n")
    secret.chmod(0o600)
    settings = {"issuer": provider, "client_id": "otherwords", "secret_file": "oidc.secret", "title": "Lab", **more}
    lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in settings.items())
    with (folder / CONFIG_FILE).open("a") as file:
        file.write(f"\n[oidc]\n{lines}\n")


@pytest.fixture
def stub() -> Iterator[StubProvider]:
    with stub_provider() as running:
        yield running


@contextmanager
def running(folder: Path, stub: StubProvider, **more: str) -> Iterator[FastAPI]:
    configure(folder, stub.issuer, **more)
    app = make_app(folder, address=SITE)
    with TestClient(app):
        yield app


@pytest.fixture
def app(folder: Path, stub: StubProvider) -> Iterator[FastAPI]:
    with running(folder, stub) as site:
        yield site


def go(window: Window, stub: StubProvider, path: str = "/sign-in?next=/account", **query: Any) -> Any:
    """Go to the provider by a link of the site and come back."""
    sent = window.client.get(path)
    assert sent.status_code == 303, sent.text
    return come_back(window, stub, sent.headers["location"], **query)


def come_back(window: Window, stub: StubProvider, address: str, **query: Any) -> Any:
    code = stub.code_for(address)
    back = {"state": stub.codes[code]["state"], "code": code, **query}
    return window.client.get("/sign-in/callback", params={name: value for name, value in back.items() if value})


def code_of(answer: Any) -> str:
    """Why somebody was not let in, by the words of the page."""
    assert answer.status_code in (403, 409, 422, 503), (answer.status_code, answer.headers.get("location"))
    return str(answer.text)


def invitation(app: FastAPI, name: str | None = None) -> str:
    with ledger_of(app).ledger.writing() as connection:
        return f"/join/{invite(connection, 'annotator', None, name)}"


def linked(app: FastAPI) -> list[tuple[str, str]]:
    return linked_in(ledger_of(app).folder)


def linked_in(folder: Path) -> list[tuple[str, str]]:
    """Which subjects are linked to which accounts."""
    with open_project(folder) as project, project.ledger.reading() as connection:
        rows = connection.execute(select(schema.identities.c.subject, schema.identities.c.account))
        return [(row.subject, row.account) for row in rows.all()]


def test_join_with_an_invitation_then_log_in(app: FastAPI, stub: StubProvider) -> None:
    stub.claims = {"preferred_username": "maja lund@example.org"}
    window, link = Window(app), invitation(app)
    assert f"{link}/sign-in" in window.open(link).text
    done = go(window, stub, f"{link}/sign-in")
    assert (done.status_code, done.headers["location"]) == (303, "/")
    assert linked(app) == [("248289", "maja-lund")]
    assert "Unlink it" not in window.open("/account").text  # without a password they could not come in any more
    again = Window(app)
    assert 'href="/sign-in?next=/browse"' in again.open("/login?next=/browse").text
    done = go(again, stub, "/sign-in?next=https://evil.example/")
    assert (done.status_code, done.headers["location"]) == (303, "/")
    assert again.open("/account").status_code == 200
    assert ("maja-lund", "logged in", {"how": "oidc"}) in events(ledger_of(app))
    assert again.client.get(f"{link}/sign-in").status_code == 409  # used


def test_an_invitation_by_name_and_its_second_use(app: FastAPI, stub: StubProvider) -> None:
    link, second = invitation(app, "Maja.L"), invitation(app)
    assert go(Window(app), stub, f"{link}/sign-in").status_code == 303
    assert linked(app) == [("248289", "Maja.L")]
    assert "you have an account here, Maja.L" in code_of(go(Window(app), stub, f"{second}/sign-in"))
    stub.claims = {"sub": "another", "preferred_username": "Maja.L"}  # looks like somebody who is here
    assert go(Window(app), stub, f"{second}/sign-in").status_code == 303
    assert sorted(linked(app)) == [("248289", "Maja.L"), ("another", "Maja.L-2")]


def test_nobody_gets_into_an_account_by_its_name(app: FastAPI, stub: StubProvider) -> None:
    add(app, "maja", "admin")
    answer = go(Window(app), stub)
    assert "nobody has invited you" in code_of(answer)
    assert linked(app) == []


def test_link_while_logged_in_and_unlink(app: FastAPI, stub: StubProvider) -> None:
    add(app, "ada", "admin")
    ada = logged_in(app, "ada")
    ada.open("/account")
    page = ada.send(ada.form("/account/sign-in"))
    address = page.text.partition('class="button main" href="')[2].partition('"')[0].replace("&amp;", "&")
    assert address.startswith(f"{stub.issuer}/authorize?")
    done = come_back(ada, stub, address)
    assert (done.status_code, done.headers["location"]) == (303, "/account#sign-in")
    assert linked(app) == [("248289", "ada")]
    assert go(Window(app), stub).headers["location"] == "/account"
    ada.open("/account")
    assert ada.send(ada.form("/account/sign-in/unlink")).status_code == 303
    assert linked(app) == []
    assert ada.client.post("/account/sign-in").status_code == 403  # without the token of the page


def test_a_link_that_was_begun_by_another_account(app: FastAPI, stub: StubProvider) -> None:
    add(app, "ada", "admin")
    add(app, "ben")
    ada = logged_in(app, "ada")
    ada.open("/account")
    page = ada.send(ada.form("/account/sign-in"))
    address = page.text.partition('class="button main" href="')[2].partition('"')[0].replace("&amp;", "&")
    ada.open("/account")
    ada.send(ada.form("/logout"))
    ada.open("/login")
    ada.send(ada.form("/login"), name="ben", password="seven herons on a fence")
    assert "logged in as somebody else" in code_of(come_back(ada, stub, address))
    assert linked(app) == []


def test_one_identity_has_one_account(app: FastAPI, stub: StubProvider) -> None:
    add(app, "ben")
    go(Window(app), stub, f"{invitation(app, 'maja')}/sign-in")
    ben = logged_in(app, "ben")
    ben.open("/account")
    page = ben.send(ben.form("/account/sign-in"))
    address = page.text.partition('class="button main" href="')[2].partition('"')[0].replace("&amp;", "&")
    assert "belongs to another account" in code_of(come_back(ben, stub, address))


def test_a_closed_account_stays_closed_and_withdrawal_forgets_it(
    app: FastAPI, stub: StubProvider, folder: Path
) -> None:
    go(Window(app), stub, f"{invitation(app, 'maja')}/sign-in")
    with ledger_of(app).ledger.writing() as connection:
        close(connection, account_of(connection, "maja"), None)
    assert "is closed" in code_of(go(Window(app), stub))
    with open_project(folder) as project:
        withdraw(project, "maja", noun="annotator")
    assert linked(app) == []


@pytest.mark.parametrize(
    ("settings", "claims", "comes_in"),
    [
        ({"domain": "lab.example"}, {"email": "m@LAB.example", "email_verified": True}, True),
        ({"domain": "lab.example"}, {"email": "m@lab.example", "email_verified": False}, False),
        ({"domain": "lab.example"}, {"email": "m@lab.example"}, False),
        ({"domain": "lab.example"}, {"email": "m@evil-lab.example", "email_verified": True}, False),
        ({"domain": "lab.example"}, {"email": "m@lab.example@evil.example", "email_verified": True}, False),
        ({"group": "annotators"}, {"groups": ["staff", "annotators"]}, True),
        ({"group": "annotators"}, {"groups": "annotators"}, False),
        ({"group": "annotators", "group_claim": "roles"}, {"groups": ["annotators"]}, False),
    ],
)
def test_who_comes_in_without_an_invitation(
    tmp_path: Path, stub: StubProvider, settings: dict[str, str], claims: dict[str, Any], comes_in: bool
) -> None:
    create_project(tmp_path / "corpus", "en", "turku")
    stub.claims = claims
    with running(tmp_path / "corpus", stub, **settings) as app:
        answer = go(Window(app), stub)
        assert (answer.status_code == 303) is comes_in
        with ledger_of(app).ledger.reading() as connection:
            roles = list(connection.execute(select(schema.accounts.c.role)).scalars())
        assert roles == (["annotator"] if comes_in else [])


# Forged and broken answers


def test_an_answer_is_for_one_browser_and_one_time(app: FastAPI, stub: StubProvider) -> None:
    go(Window(app), stub, f"{invitation(app)}/sign-in")
    victim, thief = Window(app), Window(app)
    address = thief.client.get("/sign-in").headers["location"]
    assert "was not begun in this browser" in code_of(come_back(victim, stub, address))
    assert come_back(thief, stub, address).status_code == 303  # whose own is still good
    assert "was not begun in this browser" in code_of(come_back(thief, stub, address))
    assert "was not begun in this browser" in code_of(go(Window(app), stub, state="made-up"))
    assert "from another provider" in code_of(go(Window(app), stub, iss="https://other.example"))
    assert "you were not signed in" in code_of(go(Window(app), stub, code=None, error="access_denied"))
    assert go(Window(app), stub, iss=stub.issuer).status_code == 303


def test_a_sign_in_that_takes_too_long(app: FastAPI, stub: StubProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    go(Window(app), stub, f"{invitation(app)}/sign-in")
    clock = Clock()
    monkeypatch.setattr("otherwords.web.oidc.sign_ins.time", clock)
    window = Window(app)
    address = window.client.get("/sign-in").headers["location"]
    clock.wait(601)
    assert "took too long" in code_of(come_back(window, stub, address))
    monkeypatch.setattr(expiry, "time", clock)
    with ledger_of(app).ledger.writing() as connection:
        assert expiry.forget_expired(connection)["sign_ins"] == 1


NOW = int(time.time())
LIES: list[tuple[dict[str, Any], str]] = [
    ({"nonce": "of another sign-in"}, "another sign-in"),
    ({"nonce": None}, "another sign-in"),
    ({"iss": "https://other.example"}, "another provider"),
    ({"aud": "another-site"}, "another site"),
    ({"aud": ["otherwords", "another-site"]}, "another site"),
    ({"aud": ["otherwords", "another-site"], "azp": "another-site"}, "another site"),
    ({"azp": "another-site"}, "another site"),
    ({"exp": NOW - 120}, "expired"),
    ({"exp": None}, "expired"),
    ({"exp": True}, "expired"),
    ({"iat": NOW + 86_400}, "not made just now"),
    ({"iat": NOW - 3600}, "not made just now"),
    ({"iat": None}, "not made just now"),
    ({"sub": None}, "whom it is about"),
    ({"sub": 7}, "whom it is about"),
    ({"sub": ""}, "whom it is about"),
]


def test_tokens_that_say_something_else(app: FastAPI, stub: StubProvider) -> None:
    link = invitation(app)
    for lie, reason in LIES:
        stub.claims = lie
        answer = go(Window(app), stub, f"{link}/sign-in")
        assert reason in code_of(answer), lie
        assert answer.status_code == 403
    stub.claims = {"aud": ["otherwords", "another-site"], "azp": "otherwords"}
    assert go(Window(app), stub, f"{link}/sign-in").status_code == 303


def part(content: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


def test_tokens_that_the_provider_did_not_sign(app: FastAPI, stub: StubProvider) -> None:
    """With no algorithm, the secret of the client, the public key as a secret, another key under a known name."""
    link = invitation(app)
    window = Window(app)
    query = {}

    def forge(header: dict[str, Any], signature: str) -> str:
        claims = jwt.decode(stub.signed(query), stub.keys[-1]).claims
        return f"{part(header)}.{part(claims)}.{signature}"

    def try_token(make: Any) -> str:
        address = window.client.get(f"{link}/sign-in").headers["location"]
        code = stub.code_for(address)
        query.update(stub.codes[code])
        stub.token = make()
        return code_of(window.client.get("/sign-in/callback", params={"state": query["state"], "code": code}))

    def by_secret() -> str:
        from joserfc.jwk import OctKey

        claims = jwt.decode(stub.signed(query), stub.keys[-1]).claims
        return jwt.encode({"alg": "HS256", "kid": "first"}, claims, OctKey.import_key(SECRET * 3))

    def by_another_key() -> str:
        honest, stub.keys = stub.keys, [rsa_key("first")]
        try:
            return stub.signed(query)
        finally:
            stub.keys = honest

    def changed() -> str:
        header, _, signature = stub.signed(query).split(".")
        claims = jwt.decode(stub.signed(query), stub.keys[-1]).claims
        return f"{header}.{part(claims | {'sub': 'somebody else'})}.{signature}"

    forgeries: list[Any] = [lambda: forge({"alg": "none"}, ""), lambda: forge({"alg": "None", "kid": "first"}, "")]
    forgeries += [lambda: forge({"alg": "RS256", "kid": "first"}, ""), by_secret, by_another_key, changed]
    forgeries += [lambda: "not a token", lambda: "..", lambda: "a.b.c", lambda: "é.é.é"]
    for make in forgeries:
        assert "its signature is not that of the provider" in try_token(make)
    assert linked(app) == []


def test_new_keys_are_fetched_once_in_a_while(
    app: FastAPI, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert go(Window(app), stub, f"{invitation(app)}/sign-in").status_code == 303
    assert stub.asked.count("/keys") == 1
    stub.keys = [ECKey.generate_key("P-256", {"kid": "second", "use": "sig"})]
    assert "does not know the key" in code_of(go(Window(app), stub))  # the known ones are too new
    monkeypatch.setattr(provider_module, "BETWEEN_KEYS", 0.0)
    assert go(Window(app), stub).status_code == 303
    assert stub.asked.count("/keys") == 2
    assert stub.asked.count("/.well-known/openid-configuration") == 1


def test_a_provider_that_is_down_or_odd(folder: Path, stub: StubProvider) -> None:
    with running(folder, stub) as app:
        window = Window(app)
        stub.down = True
        answer = window.client.get("/sign-in", headers={"accept": "text/html"})
        assert answer.status_code == 503
        assert "the provider cannot be used at the moment: it answers with the status 500" in answer.text
        assert 'name="password"' in answer.text  # the other way in is there
        stub.down, stub.facts = False, {"issuer": "https://other.example"}
        assert "it calls itself" in window.client.get("/sign-in").text
        stub.facts = {"token_endpoint": "http://other.example/token"}
        assert "only https is called" in window.client.get("/sign-in").text
        stub.facts = {"token_endpoint": None}
        assert "not as expected" in window.client.get("/sign-in").text
        stub.facts = {}
        address = window.client.get("/sign-in").headers["location"]
        stub.down = True
        assert come_back(window, stub, address).status_code == 503
        with ledger_of(app).ledger.reading() as connection:
            assert connection.execute(select(schema.sign_ins)).all() == []


def test_settings_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for more, code, words in (
        ({"issuer": "http://login.example.org"}, "address-not-encrypted", "only https"),
        ({"issuer": "nonsense"}, "bad-address", "expected something like"),
        ({"isuer": "x"}, "unknown-setting", "did you mean issuer"),
        ({"secret_variable": "X"}, "bad-setting", "not both"),
        ({"client_id": ""}, "bad-setting", "client_id"),
        ({"secret_file": "none"}, "file-unreadable", "none"),
        ({"secret_file": "", "secret_variable": "NOT_SET_HERE"}, "variable-not-set", "NOT_SET_HERE"),
    ):
        folder = tmp_path / code / str(len(words))
        folder.parent.mkdir(exist_ok=True)
        create_project(folder, "en", "turku")
        configure(folder, "https://login.example.org", **more)
        with raises(code, match=words):
            bind(folder, "127.0.0.1", 0)
    (folder / "oidc.secret").chmod(0o644)
    create_project(tmp_path / "open", "en", "turku")
    configure(tmp_path / "open", "https://login.example.org")
    (tmp_path / "open" / "oidc.secret").chmod(0o640)
    with raises("secret-open-to-others", match="chmod 600"):
        bind(tmp_path / "open", "127.0.0.1", 0)


def test_without_a_provider_there_is_no_such_way(folder: Path) -> None:
    app = make_app(folder, address=SITE)
    with TestClient(app):
        window = Window(app)
        assert "/sign-in" not in window.open("/login").text
        assert window.client.get("/sign-in/callback?state=x&code=y").status_code == 404
