"""Workers of crowd platforms: in by their id, back with their code, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from starlette.testclient import TestClient

from otherwords.annotate.crowd.introduction import publish_introduction
from otherwords.annotate.crowd.platforms import MTURK, PROLIFIC, choose_platform, visit_of
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.web.accounts.invitations import invite_to_batch
from tests.errors import raises
from tests.web.crowds import ANSWERS, add_crowd
from tests.web.people import Person
from tests.web.windows import Window

ANA, BEA = "5f0c1a2b3c4d5e6f7a8b9c0d", "5f0c1a2b3c4d5e6f7a8b9c0e"
BACK = "https://app.prolific.com/submissions/complete?cc={code}&of={worker}&in={SESSION_ID}"


def app_of(client: TestClient) -> FastAPI:
    app = client.app
    assert isinstance(app, FastAPI)
    return app


@pytest.fixture
def link(client: TestClient) -> Callable[..., str]:
    """Links to the batch of a crowd, which are for the workers of a platform."""
    folder = app_of(client).state.site.project.folder
    add_crowd(folder, every=2)
    add_crowd_again(folder)

    def make(batch: str = "harbour", uses: int = 1, platform: Any = None) -> str:
        with open_project(folder) as project, project.ledger.writing() as connection:
            chosen = platform or choose_platform("prolific", back=BACK)
            return f"/join/{invite_to_batch(connection, batch, None, uses, platform=chosen)}"

    return make


def add_crowd_again(folder: Any) -> None:
    """Another batch of the same pairs, and an introduction of the first that promises a code after one answer."""
    from otherwords.annotate.batches.batch import BatchItem, insert_batch

    with open_project(folder) as project, project.ledger.writing() as connection:
        insert_batch(connection, "second", [BatchItem("c0")], scheme="binary-loose", author="carl")
        publish_introduction(connection, "harbour", "Judge pairs.", 1, "carl")


def come(app: FastAPI, link: str, worker: str, window: Window | None = None) -> Window:
    window = window or Window(app)
    window.open(f"{link}?PROLIFIC_PID={worker}&STUDY_ID=s1&SESSION_ID=x%2D9")
    window.send(window.form(link))
    return window


def entries(app: FastAPI) -> list[tuple[str, str, str]]:
    with app.state.site.ledger.reading() as connection:
        rows = connection.execute(select(schema.platform_workers).order_by(schema.platform_workers.c.time)).all()
    return [(row.worker, row.batch, row.account) for row in rows]


def test_from_the_platform_to_a_code_and_back(
    client: TestClient, link: Callable[..., str], person: Callable[[str], Person]
) -> None:
    app, address = app_of(client), link(uses=1)
    window = come(app, address, ANA)
    assert (window.page.status_code, window.page.headers["location"]) == (303, "/classify/harbour")
    ((_, _, account),) = entries(app)
    assert account.startswith("prolific-")
    assert ANA not in account
    csrf = window.client.get("/api/v1/me").json()["csrf"]
    headers = {"x-csrf-token": csrf}
    window.open("/introduction/harbour")
    window.send(window.form("/introduction/harbour"))
    (task,) = window.client.post("/api/v1/batches/harbour/take?count=1", headers=headers).json()
    body = {"key": "k", "slot": task["slot"], "value": ANSWERS[task["text1"] + task["text2"]]}
    assert window.client.post("/api/v1/judgements", json=body, headers=headers).status_code == 201
    page = window.open("/completion/harbour").text
    code = page.partition('id="code"')[2].partition('value="')[2].partition('"')[0]
    assert f"https://app.prolific.com/submissions/complete?cc={code}&amp;of={ANA}&amp;in=x-9" in page
    # The same id is the same worker, also when the link is used up; another one is not let in by it.
    again = come(app, address, ANA)
    assert again.client.get("/api/v1/me").json()["name"] == account
    assert "used already" in come(app, address, BEA).page.text
    assert len(entries(app)) == 1
    # Only curators see the id.
    carl = person("carl")
    assert carl.get("/api/v1/crowd/harbour").json()["workers"][0]["platform_id"] == f"prolific:{ANA}"
    assert f"prolific:{ANA}" in carl.get("/crowd/harbour.csv").text
    for name in ("anna", "wim"):
        assert person(name).get("/api/v1/crowd/harbour").status_code == 403
    exported = carl.get("/api/v1/export?format=jsonl").text
    assert ANA not in exported
    with open_project(app.state.site.project.folder) as project:
        withdraw(project, account, noun="annotator")
    assert entries(app) == []


def test_one_worker_in_two_batches(client: TestClient, link: Callable[..., str]) -> None:
    app = app_of(client)
    first, second = link(), link("second")
    window = come(app, first, ANA)
    assert window.client.get("/classify/second").status_code == 403
    come(app, second, ANA, window)
    assert window.client.get("/classify/second").status_code == 200
    assert len({account for _, _, account in entries(app)}) == 1


def test_an_id_leads_to_no_other_account(client: TestClient, link: Callable[..., str]) -> None:
    app, address = app_of(client), link(uses=5)
    come(app, address, ANA)
    ((_, _, account),) = entries(app)
    for change in (
        {"password": "a hash"},
        {"password": None, "role": "curator"},
        {"role": "worker", "state": "closed"},
    ):
        with app.state.site.ledger.writing() as connection:
            own = schema.accounts.c.name == account
            connection.execute(schema.accounts.update().where(own).values(**change))
        window = come(app, address, ANA)
        assert window.page.status_code in (403, 409)
        assert window.session is None


def test_links_that_are_not_as_the_platform_makes_them(client: TestClient, link: Callable[..., str]) -> None:
    app, address = app_of(client), link(uses=5)
    window = Window(app)
    for query, words in (
        ("", "the link has no PROLIFIC_PID"),
        ("?PROLIFIC_PID=ada", "&#39;ada&#39; is no id of prolific"),
        ("?PROLIFIC_PID=" + ANA + "%0a", "is no id of prolific"),
        (f"?PROLIFIC_PID={ANA}&STUDY_ID=%3Cscript%3E", "not as prolific makes it"),
    ):
        page = window.open(address + query)
        assert page.status_code == 422
        assert words in page.text
        assert "Begin, or go on" not in page.text
    assert window.client.post(address, data={"PROLIFIC_PID": ANA}).status_code == 403  # without the ticket of the page
    assert window.client.get(f"{address}/sign-in").status_code == 404
    assert entries(app) == []


def test_platforms() -> None:
    looking = {"workerId": "A1B2C3D4E5", "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}
    with raises("task-not-accepted"):
        visit_of(MTURK, looking)
    visit = visit_of(MTURK, looking | {"assignmentId": "3X", "hitId": "", "turkSubmitTo": "x"})
    assert (visit.worker, visit.details) == ("A1B2C3D4E5", {"assignmentId": "3X"})
    own = choose_platform("lab", "participant", "http://localhost:9/back?c={code}")
    assert visit_of(own, {"participant": "p_1"}).worker == "p_1"
    assert choose_platform("prolific").details == PROLIFIC.details
    for name, parameter, back, code in (
        ("unknown", None, None, "bad-platform"),
        ("Bad Name", "id", None, "bad-platform"),
        ("prolific", "id", None, "bad-platform"),
        ("lab", "id=", None, "bad-platform"),
        ("prolific", None, "https://{worker}.example.org/", "bad-way-back"),
        ("prolific", None, "https://example.org/{code.__class__}", "bad-way-back"),
        ("prolific", None, "https://example.org/{other}", "bad-way-back"),
        ("prolific", None, "https://example.org/{", "bad-way-back"),
        ("prolific", None, "http://example.org/{code}", "address-not-encrypted"),
        ("prolific", None, "javascript:alert(1)", "bad-address"),
    ):
        with raises(code):
            choose_platform(name, parameter, back)
