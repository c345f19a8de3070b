"""Withdrawal, pseudonyms and hidden tests on a served site: on both databases, with one worker process and with two.

Every question goes over a connection of its own, so that with two workers both are asked, each with its own caches.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from sqlalchemy import select

import otherwords
from otherwords.project import open_project
from otherwords.project.ledger import schema
from tests.serving import Served, site_with
from tests.web.crowds import ANSWERED_PAIRS, ANSWERS, TESTS, add_crowd
from tests.web.load import log_in
from tests.web.people import PEOPLE, TEXTS, seat

API = "/api/v1"
ASKED = 3
ENOUGH = 5  # times the same question, so that each of two workers is asked
FORBIDDEN, NOT_LOGGED_IN, CREATED = 403, 401, 201
WITHDRAWN_TEXTS = TEXTS[0][1:]
Ask = Callable[..., httpx.Response]


@pytest.fixture(params=[1, 2])
def site(request: pytest.FixtureRequest, folder: Path) -> Iterator[Served]:
    """The project of the web tests with a crowd, served by one process or by two."""
    with open_project(folder) as project:
        seat(project)
    add_crowd(folder, every=2, asked=ASKED)
    served = site_with(folder, request.param)
    served.start()
    yield served
    served.stop()


@pytest.fixture
def ask(site: Served) -> Iterator[Ask]:
    """Ask the site as one of the people."""
    with open_project(site.folder) as project:
        logins = {login.name: login.headers for login in log_in(project, list(PEOPLE))}
    with httpx.Client(base_url=site.address, headers={"connection": "close"}, timeout=60, verify=False) as client:
        yield lambda name, method, path, **options: client.request(method, path, headers=logins[name], **options)


def work_through(ask: Ask, name: str) -> list[dict[str, Any]]:
    """Answer everything that the crowd's batch has for somebody; the tasks as they came."""
    seen = []
    while tasks := ask(name, "POST", f"{API}/batches/harbour/take?count=3").json():
        for task in tasks:
            body = {
                "key": f"{name}-{task['slot']}",
                "slot": task["slot"],
                "value": ANSWERS[task["text1"] + task["text2"]],
            }
            assert ask(name, "POST", f"{API}/judgements", json=body).status_code == CREATED
        seen += tasks
    return seen


def check_hidden_tests(site: Served, ask: Ask) -> None:
    """Tests look like the rest, nobody gets a pair twice, and answers to tests never count as judgements."""
    names = ["wim", "anna", "ben"]
    with ThreadPoolExecutor(len(names)) as threads:
        tasks = dict(zip(names, threads.map(lambda name: work_through(ask, name), names), strict=True))
    test_texts, ordinary = {texts[0] for texts in TESTS}, {texts[0] for texts in ANSWERED_PAIRS}
    every_task = [task for own in tasks.values() for task in own]
    assert {frozenset(task) for task in every_task} == {frozenset(every_task[0])}
    assert {(task["pair"], task["context"], task["present"]) for task in every_task} == {(None, False, None)}
    for own in tasks.values():
        given = Counter(task["text1"] for task in own)
        assert set(given.values()) == {1}, "nobody gets a pair twice"
        assert ordinary <= set(given)
    assert {task["text1"] for task in every_task} & test_texts
    with open_project(site.folder) as project, project.ledger.reading() as connection:
        columns = schema.judgements.c
        rows = connection.execute(select(columns.pair, columns.purpose).where(columns.batch == "harbour")).all()
    golds = {f"g{number}" for number in range(len(TESTS))}
    assert {pair for pair, purpose in rows if purpose == "gold"} <= golds
    assert Counter(pair for pair, purpose in rows if purpose != "gold") == {
        f"c{number}": ASKED for number in range(len(ANSWERED_PAIRS))
    }
    state = ask("carl", "GET", f"{API}/crowd/harbour").json()
    assert (state["pairs"], state["judgements"]) == (len(ANSWERED_PAIRS), ASKED * len(ANSWERED_PAIRS))


def check_pseudonyms(ask: Ask) -> None:
    """Everybody has one pseudonym in all exports, whichever process writes them."""
    for name in ("anna", "ben"):
        (task,) = ask(name, "POST", f"{API}/batches/double/take?count=1").json()
        body = {"key": name, "slot": task["slot"], "value": "4", "note": f"as @{name} says"}
        assert ask(name, "POST", f"{API}/judgements", json=body).status_code == CREATED
    export = f"{API}/export/judgements.jsonl"
    with ThreadPoolExecutor(ENOUGH) as threads:  # at once: the first of them has to make the key
        answers = list(threads.map(lambda _: ask("carl", "GET", export), range(ENOUGH)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    rows = [json.loads(line) for line in answers[0].text.splitlines()]
    assert len({row["annotator"] for row in rows}) == 3
    assert all(row["annotator"].startswith("a-") for row in rows)
    words = set(re.findall(r"\w+", answers[0].text))  # not letters: an id in hexadecimal may have "ada" in it
    assert not words & set(PEOPLE)
    assert ask("carl", "GET", f"{export}?names=true").status_code == FORBIDDEN


def check_withdrawal(site: Served, ask: Ask) -> None:
    """The words of a document and the name of an annotator are gone at once, whichever process is asked."""
    paths = [f"{API}/{path}" for path in ("home", "pairs", "pairs?query=ferry", "people", "batches")]
    paths += [
        f"{API}/export/pairs.jsonl",
        f"{API}/export/judgements.jsonl",
        f"{API}/pairs/p0",
        "/",
        "/browse?query=boat",
    ]

    def everything() -> str:
        answers = [ask("carl", "GET", path) for path in paths for _ in range(ENOUGH)]
        return "\n".join(answer.text for answer in answers)

    before = everything()
    assert "anna" in before
    assert all(text in before for text in WITHDRAWN_TEXTS)
    otherwords.withdraw(site.folder, "d0a", noun="document")
    otherwords.withdraw(site.folder, "anna", noun="annotator")
    after = everything()
    assert not [text for text in WITHDRAWN_TEXTS if text in after]
    assert "anna" not in after
    assert {ask("anna", "GET", f"{API}/me").status_code for _ in range(ENOUGH)} == {NOT_LOGGED_IN}


def test_hidden_tests_pseudonyms_and_withdrawal(site: Served, ask: Ask) -> None:
    check_hidden_tests(site, ask)
    check_pseudonyms(ask)
    check_withdrawal(site, ask)
