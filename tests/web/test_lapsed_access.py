"""What gave access once gives none when it should not any more, and never more than it says."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select
from starlette.testclient import TestClient

from otherwords.project import create_project, open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Pair
from otherwords.web.accounts import login_backoff, sessions
from otherwords.web.accounts.accounts import account_of, close, reopen, set_role
from otherwords.web.accounts.expiry import SteadyClock
from otherwords.web.accounts.tokens import make_token
from tests.project.test_trouble import run
from tests.web.people import Person
from tests.web.windows import PAGE

API = "/api/v1"
GOOD = "seven herons on a fence"
PersonNamed = Callable[[str], Person]


def ledger_of(client: TestClient):  # type: ignore[no-untyped-def]
    return client.app.state.site.ledger  # type: ignore[attr-defined]


def token(client: TestClient, name: str, *scopes: str) -> dict[str, str]:
    """The header of a program of somebody's."""
    with ledger_of(client).writing() as connection:
        secret = make_token(connection, account_of(connection, name), "-".join(scopes), scopes, None)
    return {"authorization": f"Bearer {secret}"}


def reserved(client: TestClient) -> int:
    """How many units are reserved or locked for anybody."""
    with ledger_of(client).reading() as connection:
        slots = connection.execute(select(func.count()).where(schema.slots.c.holder.is_not(None))).scalar_one()
        return int(slots + connection.execute(select(func.count()).select_from(schema.holds)).scalar_one())


@pytest.mark.parametrize("path", ["/classify/first", "/triage", "/extract", "/extract/dp1", "/seeds"])
def test_a_token_for_reading_reserves_nothing(client: TestClient, path: str) -> None:
    answer = client.get(path, headers=token(client, "anna", "read"))
    assert answer.status_code == 403
    assert reserved(client) == 0
    assert client.get(path, headers=token(client, "anna", "read", "annotate")).status_code in (200, 303)


def test_a_token_for_reading_sees_no_names(client: TestClient, person: PersonNamed) -> None:
    for name, value in (("anna", "4"), ("ben", "2")):
        for number, task in enumerate(person(name).post(f"{API}/batches/double/take?count=2").json()):
            answer = {"key": f"{name}{number}", "slot": task["slot"], "value": value}
            assert person(name).post(f"{API}/judgements", json=answer).status_code == 201
    path = f"{API}/batches/double/disagreements?named=true"
    assert "anna" in person("carl").get(path).text
    for scopes in (("read",), ("read", "annotate")):
        refused = client.get(path, headers=token(client, "carl", *scopes))
        assert (refused.status_code, refused.json()["code"]) == (
            403,
            "not-your-batch",
        )  # as annotators, who are not in it
    assert "anna" in client.get(path, headers=token(client, "carl", "read", "curate")).text


def test_a_demoted_curators_links_end(client: TestClient, person: PersonNamed) -> None:
    link = person("carl").post(f"{API}/crowd/first/invitations", json={"uses": 5}).json()["link"]
    path = link[link.index("/join/") :]
    assert client.get(path, headers=PAGE).status_code == 200
    with ledger_of(client).writing() as connection:
        set_role(connection, account_of(connection, "carl"), "annotator", "ada")
    assert client.get(path, headers=PAGE).status_code == 404


def test_a_reset_link_ends_with_the_account(client: TestClient, person: PersonNamed) -> None:
    link = person("ada").post(f"{API}/people/anna/reset").json()["link"]
    path = link[link.index("/reset/") :]
    assert client.get(path, headers=PAGE).status_code == 200
    for change in (close, reopen):
        with ledger_of(client).writing() as connection:
            change(connection, account_of(connection, "anna"), "ada")
        assert client.get(path, headers=PAGE).status_code == 404


def test_tokens_end_with_the_password(client: TestClient, person: PersonNamed) -> None:
    from otherwords.web.accounts.passwords import hash_password

    accounts = schema.accounts
    with ledger_of(client).writing() as connection:
        connection.execute(accounts.update().values(password=hash_password(GOOD, "anna")))
    headers, other = token(client, "anna", "read"), token(client, "ben", "read")
    assert client.get(f"{API}/me", headers=headers).status_code == 200
    anna = person("anna")
    body = {"current": GOOD, "password": "nine otters under a bridge"}
    assert anna.post(f"{API}/me/password", json=body).status_code == 204
    assert client.get(f"{API}/me", headers=headers).status_code == 401
    assert client.get(f"{API}/me", headers=other).status_code == 200
    assert "tokens end when the password is changed" in anna.get("/account", headers=PAGE).text


class MovedClock:
    """The clock of a machine, which can be set, and the time that really passed."""

    def __init__(self) -> None:
        self.shown, self.passed = 1_800_000_000.0, 0.0
        self.steady = SteadyClock(lambda: self.shown, lambda: self.passed)

    def wait(self, seconds: float) -> None:
        self.shown += seconds
        self.passed += seconds


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> MovedClock:
    clock = MovedClock()
    monkeypatch.setattr(sessions, "time", clock.steady)
    monkeypatch.setattr(login_backoff, "time", clock.steady)
    return clock


def test_a_clock_set_back_revives_no_session(moved: MovedClock, person: PersonNamed) -> None:
    anna = person("anna")
    assert anna.get(f"{API}/me").status_code == 200
    moved.wait(sessions.LIFETIME + 1)
    assert anna.get(f"{API}/me").status_code == 401
    moved.shown -= 86_400
    assert anna.get(f"{API}/me").status_code == 401
    moved.shown += 2 * 86_400  # set forward it is followed
    assert moved.steady() == moved.shown


def test_a_clock_set_back_locks_nobody_out(moved: MovedClock, client: TestClient) -> None:
    key = [login_backoff.account_key("anna")]

    def waits() -> bool:
        with ledger_of(client).reading() as connection:
            try:
                login_backoff.refuse_waiting(connection, key)
            except login_backoff.TooMany:
                return True
        return False

    for _ in range(8):
        moved.wait(login_backoff.LONGEST_WAIT)
        with ledger_of(client).writing() as connection:
            login_backoff.count_failure(connection, key)
    assert waits()
    moved.shown -= 86_400
    assert waits()
    moved.wait(login_backoff.LONGEST_WAIT)
    assert not waits()


def test_a_clock_set_back_before_a_restart_locks_nobody_out(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ledger_of(client).writing() as connection:
        row = {"key": "account:anna", "failures": 6, "until": login_backoff.time() + 86_400}
        connection.execute(insert(schema.attempts).values(**row))
    with ledger_of(client).reading() as connection:
        assert login_backoff.refuse_waiting(connection, ["account:anna"]) == {"account:anna": 6}


def test_another_key_undoes_nothing(person: PersonNamed) -> None:
    anna = person("anna")
    first, second = anna.post(f"{API}/batches/first/take?count=2").json()
    saved = []
    for key, task in (("k1", first), ("k2", second)):
        answer = anna.post(f"{API}/judgements", json={"key": key, "slot": task["slot"], "value": "4"})
        saved.append(answer.json()["id"])
    reused = anna.post(f"{API}/judgements/{saved[1]}/undo?key=k1")  # under which an answer was saved
    assert (reused.status_code, reused.json()["code"]) == (409, "key-reused")
    undone = anna.post(f"{API}/judgements/{saved[0]}/undo?key=u")
    assert undone.status_code == 200
    assert anna.post(f"{API}/judgements/{saved[0]}/undo?key=u").json() == undone.json()
    other = anna.post(f"{API}/judgements/{saved[1]}/undo?key=u")  # under which another one was taken back
    assert (other.status_code, other.json()["code"]) == (409, "key-reused")


@pytest.mark.parametrize(
    "name",
    ["аnna", "аnnа", "ANΝA", "ɑnna", "ａｎｎａ", "Αnna"],
    ids=lambda name: name.encode("unicode_escape").decode(),
)
def test_a_name_that_looks_like_another_is_taken(person: PersonNamed, name: str) -> None:
    refused = person("ada").post(f"{API}/invitations", json={"role": "annotator", "name": name})
    assert (refused.status_code, refused.json()["code"]) == (409, "name-taken")


@pytest.mark.parametrize("name", ["anna\u034f", "anna\ufe0f", "ann\u3164a", "ben\u180b"], ids=ascii)
def test_a_name_with_something_unseen_is_refused(person: PersonNamed, name: str) -> None:
    refused = person("ada").post(f"{API}/invitations", json={"role": "annotator", "name": name})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid-name")


@pytest.mark.parametrize("name", ["анна", "Анна-Лиза", "ännä", "άννα", "annabel"])
def test_names_of_other_scripts_are_welcome(person: PersonNamed, name: str) -> None:
    assert person("ada").post(f"{API}/invitations", json={"role": "annotator", "name": name}).status_code == 201


def test_released_pairs_are_served_from_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    create_project(folder, "en")
    texts = {"text1": "The heron stood still.", "text2": "The heron did not move."}
    pair = Pair(id="p1", **texts, lang="en", label="4", licence="CC0-1.0")
    with open_project(folder) as project, project.ledger.writing() as connection:
        origin = {"import_id": None, "step": None, "step_key": None, "state": None}
        connection.execute(insert(schema.pairs).values(**row_of(pair, **origin)))
        release = {"version": "1.0", "time": "2026-01-01", "licence": "CC0", "meta": {}}
        connection.execute(insert(schema.releases).values(**release))
        connection.execute(insert(schema.released_pairs).values(version="1.0", pair="p1", part="train", label="4"))
    sealed = f"mount --bind {folder} {folder} && mount -o remount,ro,bind {folder}"
    addresses = (f"{API}/pairs", f"{API}/pairs?query=heron", f"{API}/pairs/p1")
    result = run(f"serve_public {folder} {' '.join(addresses)}", before=sealed)
    assert result.stdout.splitlines() == [f"{address} 200 True" for address in addresses], result.stderr


def test_a_log_that_was_not_put_into_the_ledger_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    create_project(folder, "en")
    with sqlite3.connect(folder / "ledger.db") as held:  # a server that still runs
        held.execute("INSERT INTO events (time, action, detail) VALUES ('2026', 'test', '{}')")
        held.commit()
        sealed = f"mount --bind {folder} {folder} && mount -o remount,ro,bind {folder}"
        result = run(f"serve_public {folder} /", before=sealed)
    assert result.returncode == 1, result.stderr
    assert "has changes that were not put into it" in result.stdout
