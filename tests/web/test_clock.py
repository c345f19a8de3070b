"""A clock that jumps by hours, back and forth, while people work: nothing is lost, doubled or put in another order."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

import otherwords.project.project as project_module
from otherwords.digests import keyed_id
from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.web.accounts import expiry
from otherwords.web.app import make_app
from tests.web.acknowledged import check
from tests.web.load import BATCH, TIMES_ASKED, fill, label_of
from tests.web.people import Person, logged_in

PEOPLE = [f"a{number}" for number in range(TIMES_ASKED + 1)]
PAIRS = 12
HOUR = 3600.0


class Clock:
    """The clock of the machine, as wrong as one likes."""

    def __init__(self) -> None:
        self._true, self.seconds_off = time.time, 0.0

    def time(self) -> float:
        return self._true() + self.seconds_off

    def now(self, zone: tzinfo | None = None) -> datetime:
        return datetime.now(zone) + timedelta(seconds=self.seconds_off)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """The clock that reservations, sessions and times in the ledger go by."""
    jumping = Clock()
    monkeypatch.setattr(time, "time", jumping.time)
    monkeypatch.setattr(expiry.time, "_wall", jumping.time)
    monkeypatch.setattr(expiry.time, "_latest", jumping.time())
    monkeypatch.setattr(project_module, "datetime", jumping)
    monkeypatch.setattr(project_module, "_latest", "")
    yield jumping
    jumping.seconds_off = 0.0


def sent(person: Person, body: dict[str, Any]) -> httpx.Response:
    """Send an answer; a reservation that has run out is renewed first, as the page does."""
    answer = person.post("/api/v1/judgements", json=body)
    if answer.status_code == 409 and answer.json()["code"] == "reservation-expired":
        if (renewed := person.post(f"/api/v1/slots/{body['slot']}/renew")).status_code != 200:
            return renewed
        answer = person.post("/api/v1/judgements", json=body)
    return answer


@pytest.mark.parametrize("seed", range(2))
def test_every_answer_is_stored_once_whatever_the_clock_says(folder: Path, clock: Clock, seed: int) -> None:
    chance, saved, lost, keys = random.Random(seed), dict[str, tuple[str, int]](), Counter[str](), Counter[str]()
    with open_project(folder) as project:
        fill(project, PAIRS, TIMES_ASKED, dict.fromkeys(PEOPLE, "annotator"))
    with TestClient(make_app(folder)) as client:
        people = {name: logged_in(client, name) for name in PEOPLE}
        held: dict[str, list[int]] = {name: [] for name in PEOPLE}
        for _ in range(100 * PAIRS):
            if len(saved) == PAIRS * TIMES_ASKED:
                break
            clock.seconds_off += chance.choice((0, 0, 1, -1)) * chance.uniform(0.1, 12) * HOUR
            name = chance.choice(PEOPLE)
            if not held[name]:
                answer = people[name].post(f"/api/v1/batches/{BATCH}/take?count=3")
                if answer.status_code == 200:
                    held[name] = [task["slot"] for task in answer.json()]
            else:
                keys[name] += 1
                slot, key = held[name].pop(0), f"k{keys[name]}"
                body = {"key": key, "slot": slot, "value": label_of(slot), "seconds": 1.2}
                for _ in range(chance.choice((1, 2))):  # some pages send it twice
                    answer = sent(people[name], body)
                    if answer.status_code == 201:
                        saved[keyed_id("j", name, key)] = (name, slot)
                if answer.status_code not in (201, 401):
                    lost[answer.json()["code"]] += 1
            if answer.status_code == 401:  # the clock went on by more than a session lasts
                people[name] = logged_in(client, name)
        assert len(saved) == PAIRS * TIMES_ASKED, "what was refused has to come to somebody else"
        assert set(lost) <= {"not-reserved", "reservation-lost"}, lost  # somebody else has it by now
        for name, person in people.items():
            recent = person.get(f"/api/v1/batches/{BATCH}/recent")
            person = person if recent.status_code == 200 else logged_in(client, name)
            tasks = person.get(f"/api/v1/batches/{BATCH}/recent").json()
            own = [slot for who, slot in saved.values() if who == name]
            assert [task["slot"] for task in tasks] == own[-len(tasks) :] if tasks else not own
    check(folder, saved)
    with open_project(folder) as project, project.ledger.reading() as connection:
        times = connection.execute(select(schema.judgements.c.time).order_by(schema.judgements.c.seq)).scalars().all()
    assert times == sorted(times)


def test_a_reservation_that_ran_out_by_a_jump_is_answered_if_nobody_took_it(folder: Path, clock: Clock) -> None:
    with open_project(folder) as project:
        fill(project, 1, 1, dict.fromkeys(PEOPLE, "annotator"))
    with TestClient(make_app(folder)) as client:
        first, second = (logged_in(client, name) for name in PEOPLE[:2])
        [task] = first.post(f"/api/v1/batches/{BATCH}/take?count=1").json()
        clock.seconds_off = -5 * HOUR
        assert second.post(f"/api/v1/batches/{BATCH}/take?count=1").json() == []  # it is still theirs
        clock.seconds_off = 5 * HOUR
        body = {"key": "k", "slot": task["slot"], "value": "4"}
        assert first.post("/api/v1/judgements", json=body).json()["code"] == "reservation-expired"
        assert sent(first, body).status_code == 201
        clock.seconds_off = -5 * HOUR
        assert first.post("/api/v1/judgements", json=body).status_code == 201  # the same, once


def test_times_never_go_back(clock: Clock) -> None:
    before = project_module.now()
    clock.seconds_off = -HOUR
    assert project_module.now() == before
    clock.seconds_off = HOUR
    after = project_module.now()
    assert after > before
    assert datetime.fromisoformat(after).tzinfo == UTC
