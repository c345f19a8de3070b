"""People, invitations and tokens by the API, the tables of the people page, and the audit trail."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from otherwords.project.ledger import schema
from otherwords.web.accounts import login_backoff as attempts
from otherwords.web.accounts.accounts import account_of, close
from otherwords.web.accounts.audit import note
from otherwords.web.accounts.passwords import hash_password
from otherwords.web.accounts.tokens import make_token
from tests.web.people import PEOPLE, Person, logged_in
from tests.web.persons import Clock, everything

PersonNamed = Callable[[str], Person]
API = "/api/v1"
GOOD, BETTER = "seven herons on a fence", "nine otters under a bridge"
ADMINS = [
    ("GET", "/people", None),
    ("POST", "/invitations", {"role": "worker"}),
    ("DELETE", f"/invitations/{'0' * 64}", None),
    ("PATCH", "/people/anna", {"role": "worker"}),
    ("POST", "/people/anna/reset", {}),
    ("POST", "/people/anna/logout", None),
]
OWN_ACCOUNT = [
    ("POST", "/me/password", {"current": GOOD, "password": BETTER}),
    ("POST", "/me/logout-everywhere", None),
    ("POST", "/me/tokens", {"name": "more", "scopes": ["read"]}),
    ("DELETE", "/me/tokens/program", None),
]


def token(client: TestClient, name: str, *scopes: str) -> dict[str, str]:
    """The header of a program of somebody's."""
    site = client.app.state.site  # type: ignore[attr-defined]
    with site.ledger.writing() as connection:
        secret = make_token(connection, account_of(connection, name), "program", scopes, None)
    return {"authorization": f"Bearer {secret}"}


def give_password(client: TestClient, name: str) -> None:
    site = client.app.state.site  # type: ignore[attr-defined]
    accounts = schema.accounts
    with site.ledger.writing() as connection:
        connection.execute(update(accounts).where(accounts.c.name == name).values(password=hash_password(GOOD, name)))


def test_only_admins(client: TestClient, person: PersonNamed) -> None:
    for method, path, body in ADMINS:
        assert client.request(method, API + path, json=body).status_code == 401, path
        for name in ("wim", "anna", "carl"):
            assert person(name).ask(method, API + path, json=body).status_code == 403, path
        without = person("ada").ask(method, API + path, json=body, headers={"x-csrf-token": "wrong"})
        assert without.status_code == (200 if method == "GET" else 403), path
    for path in ("/people", "/people.json", "/people.csv", "/people/log", "/people/log.json", "/people/log.csv"):
        assert client.get(path).status_code == 401
        assert person("carl").get(path).status_code == 403
        assert person("ada").get(path).status_code == 200


def test_a_token_is_for_what_it_says(client: TestClient) -> None:
    lesser = token(client, "ada", "read", "annotate", "curate")
    for method, path, body in ADMINS:
        assert client.request(method, API + path, json=body, headers=lesser).status_code == 403, path
    assert client.get("/people.csv", headers=lesser).status_code == 403
    assert client.get(f"{API}/me", headers=lesser).json()["scopes"] == ["annotate", "curate", "read"]
    assert client.delete(f"{API}/me/tokens/program", headers=lesser).status_code == 403


def test_an_admin_token_is_no_person(client: TestClient) -> None:
    whole = token(client, "ada", "read", "annotate", "curate", "admin")
    for method, path, body in OWN_ACCOUNT:
        answer = client.request(method, API + path, json=body, headers=whole)
        assert (answer.status_code, answer.json()["code"]) == (403, "browser-required"), path
    assert [token["name"] for token in client.get(f"{API}/me/tokens", headers=whole).json()] == ["program"]
    expected = [200, 201, 404, 200, 201, 200]
    for (method, path, body), status in zip(ADMINS, expected, strict=True):
        assert client.request(method, API + path, json=body, headers=whole).status_code == status, path


def test_an_invitation_from_making_to_cancelling(person: PersonNamed) -> None:
    ada = person("ada")
    answer = ada.post(f"{API}/invitations", json={"role": "curator", "name": "dora", "days": 2.5})
    assert answer.status_code == 201
    link = answer.json()["link"]
    assert link.startswith("http://testserver/join/")
    (invitation,) = ada.get(f"{API}/people").json()["invitations"]
    assert (invitation["account"], invitation["role"], invitation["author"], invitation["purpose"]) == (
        "dora",
        "curator",
        "ada",
        "join",
    )
    secret = link.rpartition("/")[2]
    for path in ("/people.json", "/people.csv", "/people", "/people/log", "/people/log.json"):
        assert secret not in ada.get(path).text
    assert secret not in everything(ada.client.app.state.site.project)  # type: ignore[attr-defined]
    assert ada.ask("DELETE", f"{API}/invitations/{invitation['id']}").status_code == 204
    assert ada.ask("DELETE", f"{API}/invitations/{invitation['id']}").status_code == 404
    assert ada.get(link.removeprefix("http://testserver")).status_code == 404


def test_a_role_a_state_and_a_reset(person: PersonNamed) -> None:
    ada, anna = person("ada"), person("anna")
    changed = ada.ask("PATCH", f"{API}/people/ANNA", json={"role": "curator"})
    assert changed.json() == {"name": "anna", "role": "curator", "state": "active"}
    assert anna.get(f"{API}/me").json()["role"] == "curator"
    link = ada.post(f"{API}/people/anna/reset", json={"days": 1}).json()["link"]
    assert link.startswith("http://testserver/reset/")
    assert ada.post(f"{API}/people/anna/logout").json() == {"sessions": 1}
    assert anna.get(f"{API}/me").status_code == 401
    again = logged_in(ada.client, "anna")
    both = ada.ask("PATCH", f"{API}/people/anna", json={"role": "worker", "state": "closed"})
    assert both.json() == {"name": "anna", "role": "worker", "state": "closed"}
    assert again.get(f"{API}/me").status_code == 401
    assert ada.post(f"{API}/people/anna/reset").status_code == 409
    assert ada.ask("PATCH", f"{API}/people/anna", json={"state": "active"}).json()["state"] == "active"


def test_there_is_always_an_admin(person: PersonNamed) -> None:
    ada = person("ada")
    give_password(ada.client, "ada")
    for body in ({"role": "curator"}, {"state": "closed"}, {"role": "admin", "state": "closed"}):
        answer = ada.ask("PATCH", f"{API}/people/ada", json=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "last-admin")
    assert ada.get(f"{API}/me").json()["role"] == "admin"


BAD = [
    ("POST", "/invitations", {"role": "king"}),
    ("POST", "/invitations", {"role": "worker", "name": "<img src=x onerror=alert(1)>"}),
    ("POST", "/invitations", {"role": "worker", "name": "a\0b"}),
    ("POST", "/invitations", {"role": "worker", "name": "a\ud800"}),
    ("POST", "/invitations", {"role": "worker", "name": "n" * 10_000}),
    ("POST", "/invitations", {"role": "worker", "days": 10**400}),
    ("POST", "/invitations", {"role": "worker", "days": float("nan")}),
    ("POST", "/invitations", {"role": "worker", "days": 0}),
    ("POST", "/invitations", {"role": "worker", "\ud800": 1}),
    ("PATCH", "/people/anna", {}),
    ("PATCH", "/people/anna", {"state": "invited"}),
    ("PATCH", "/people/a%00b", {"state": "closed"}),
    ("POST", "/people/a%00b/reset", {}),
    ("POST", "/people/anna/reset", {"days": 91}),
    ("DELETE", "/invitations/a%00b", None),
    ("DELETE", "/me/tokens/a%00b", None),
    ("POST", "/me/tokens", {"name": "x\0", "scopes": ["read"]}),
    ("POST", "/me/tokens", {"name": "x", "scopes": []}),
    ("POST", "/me/tokens", {"name": "x", "scopes": ["everything"]}),
    ("POST", "/me/tokens", {"name": "x", "scopes": ["read"], "days": -1}),
    ("POST", "/me/tokens", {"name": "x", "scopes": ["read"], "more": 1}),
    ("GET", "/people?count=0", None),
    ("GET", f"/people?count={10**30}", None),
    ("GET", "/people?after=%00", None),
]


def test_what_does_not_fit_is_refused_in_words(person: PersonNamed) -> None:
    ada = person("ada")
    before = everything(ada.client.app.state.site.project)  # type: ignore[attr-defined]
    for method, path, body in BAD:
        headers = {"content-type": "application/json"}
        answer = ada.ask(method, API + path, content=None if body is None else json.dumps(body), headers=headers)
        assert answer.status_code == 422, (path, body)
        assert answer.json()["error"]
    for path in ("/people?name=%00", "/people/log?before=-1", f"/people/log?before={10**30}", "/people/log?name=%00"):
        assert ada.get(path).status_code == 422
    assert ada.ask("PATCH", f"{API}/people/nobody", json={"role": "worker"}).status_code == 404
    assert everything(ada.client.app.state.site.project) == before  # type: ignore[attr-defined]


def test_my_tokens(client: TestClient, person: PersonNamed) -> None:
    anna = person("anna")
    answer = anna.post(f"{API}/me/tokens", json={"name": "laptop", "scopes": ["read"], "days": 1})
    assert answer.status_code == 201
    headers = {"authorization": f"Bearer {answer.json()['token']}"}
    assert client.get(f"{API}/me", headers=headers).json() == {
        "name": "anna",
        "role": "annotator",
        "scopes": ["read"],
        "csrf": None,
        "one_key": False,
    }
    assert anna.post(f"{API}/me/tokens", json={"name": "laptop", "scopes": ["read"]}).status_code == 409
    assert anna.post(f"{API}/me/tokens", json={"name": "more", "scopes": ["curate"]}).status_code == 403
    (token,) = anna.get(f"{API}/me/tokens").json()
    assert (token["name"], token["scopes"], sorted(token)) == (
        "laptop",
        ["read"],
        ["created", "name", "scopes", "until"],
    )
    assert person("ben").ask("DELETE", f"{API}/me/tokens/laptop").status_code == 404
    assert anna.ask("DELETE", f"{API}/me/tokens/laptop").status_code == 204
    assert client.get(f"{API}/me", headers=headers).status_code == 401


def test_my_password(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "time", Clock())
    give_password(client, "anna")
    here, elsewhere = logged_in(client, "anna"), logged_in(client, "anna")

    def change(current: str, password: str) -> int:
        body = {"current": current, "password": password}
        return here.post(f"{API}/me/password", json=body).status_code

    assert [change("wrong", BETTER), change(GOOD, "short"), change(GOOD, BETTER)] == [403, 422, 204]
    assert (here.get(f"{API}/me").status_code, elsewhere.get(f"{API}/me").status_code) == (200, 401)
    assert [change(GOOD, GOOD) for _ in range(6)] == [403] * 5 + [429]
    assert here.post(f"{API}/me/logout-everywhere").json() == {"sessions": 1}
    assert here.get(f"{API}/me").status_code == 401


def test_the_table_of_people_and_its_twins(client: TestClient, person: PersonNamed) -> None:
    ada = person("ada")
    site = client.app.state.site  # type: ignore[attr-defined]
    with site.ledger.writing() as connection:
        close(connection, account_of(connection, "wim"), "ada")
        connection.execute(
            schema.accounts.insert().values(name="-cmd", role="worker", state="active", settings={}, created="2026")
        )
    ada.post(f"{API}/invitations", json={"role": "annotator"})

    def names(query: str) -> list[str]:
        listed = ada.get(f"/people.json{query}").json()
        return [person["name"] for person in listed["people"]]

    assert names("") == sorted([*PEOPLE, "-cmd"])
    assert names("?role=annotator") == ["anna", "ben"]
    assert names("?state=closed") == ["wim"]
    assert names("?name=Anna") == ["anna"]
    assert names("?after=BEN") == ["carl", "wim"]
    assert names("?role=king") == []
    listed = ada.get(f"{API}/people?count=2").json()
    assert ([person["name"] for person in listed["people"]], listed["next"]) == (["-cmd", "ada"], "ada")
    rows = list(csv.DictReader(ada.get("/people.csv").text.splitlines()))
    assert [row["name"] for row in rows] == ["'-cmd", *sorted(PEOPLE), ""]
    assert [row["state"] for row in rows] == ["active"] * 5 + ["closed", "invited"]
    assert ada.get("/people.csv").headers["content-type"] == "text/csv; charset=utf-8"
    page = ada.get("/people?role=annotator").text
    assert "/people.csv?role=annotator" in page
    assert "person-anna" in page
    assert "person-carl" not in page


def test_many_people_come_a_page_at_a_time(client: TestClient, person: PersonNamed) -> None:
    site = client.app.state.site  # type: ignore[attr-defined]
    about = {"role": "worker", "state": "active", "settings": {}, "created": "2026-01-01"}
    with site.ledger.writing() as connection:
        connection.execute(schema.accounts.insert(), [{"name": f"w{n:03}", **about} for n in range(150)])
    page = person("ada").get("/people?role=worker")
    assert 'href="/people?role=worker&amp;after=w099"' in page.text
    assert 'id="person-w099"' in page.text
    assert 'id="person-w100"' not in page.text
    last = person("ada").get("/people?role=worker&after=w099").text
    assert 'id="person-w149"' in last
    assert ">More<" not in last


def test_the_audit_trail_is_paged_by_its_numbers(client: TestClient, person: PersonNamed) -> None:
    site = client.app.state.site  # type: ignore[attr-defined]
    with site.ledger.writing() as connection:
        for number in range(120):
            note(connection, "ada", "tested", account="anna" if number % 2 else "ben", number=number)
        about: dict[str, Any] = {"time": "2026-01-01", "actor": "ada", "action": "something else", "detail": {}}
        connection.execute(schema.events.insert().values(**about))
    ada = person("ada")
    numbers: list[int] = []
    query = ""
    while events := ada.get(f"/people/log.json{query}").json():
        numbers += [event["detail"]["number"] for event in events]
        query = f"?before={events[-1]['seq']}"
    assert numbers == list(range(119, -1, -1))
    about_ben = ada.get("/people/log.json?name=ben").json()
    assert {event["account"] for event in about_ben} == {"ben"}
    assert len(about_ben) == 50
    page = ada.get("/people/log?name=anna").text
    assert ">Earlier<" in page
    assert "number: 119" in page
    assert "number: 118" not in page
    rows = list(csv.DictReader(ada.get("/people/log.csv?name=ben").text.splitlines()))
    assert [json.loads(row["detail"])["number"] for row in rows] == list(range(118, -1, -2))
    assert ada.get("/people/log?name=nobody").text.count("Nothing yet about nobody") == 1


def test_everything_is_documented(client: TestClient) -> None:
    paths = client.get(f"{API}/openapi.json").json()["paths"]
    for method, path, _ in [*ADMINS, *OWN_ACCOUNT, ("GET", "/me", None), ("GET", "/me/tokens", None)]:
        shape = path.replace("/anna", "/{name}").replace("/program", "/{name}").replace("0" * 64, "{link}")
        assert paths[API + shape][method.lower()]["summary"]
