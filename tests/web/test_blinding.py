"""What one person said about a pair comes up nowhere for the next one who is to judge it, whatever they open."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, update
from starlette.testclient import TestClient

from otherwords.annotate.discussion.threads import add_remark
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement
from otherwords.web.app import API
from tests.web.people import TEXTS, Person

PersonNamed = Callable[[str], Person]
PLANTED = "zqx"
HISTORY = f"{API}/pairs/p0/history"
FILTERS = ("", "query=ferry", "label=2", "has=rewrite", "has=note", "has=discussion", "most=1000")


def addresses() -> Iterator[str]:
    """Pages, their twins and parts of the API on which something about a pair may be shown."""
    yield from ("/", "/discussions", "/discussions.json", "/discussions.csv", "/adjudicate", "/adjudicate/double")
    yield from (f"{API}/home", f"{API}/discussions", f"{API}/batches/double/recent", f"{API}/batches/double/progress")
    yield from (f"{API}/batches/double/disagreements?show={show}" for show in ("disagreements", "unsure", "decided"))
    for path in ("/browse", "/browse.json", "/browse.csv", f"{API}/pairs"):
        yield from (f"{path}?{query}" for query in FILTERS)
    yield from (f"/pairs/p0{suffix}" for suffix in ("", ".json", ".csv"))
    yield from (f"{API}/pairs/p0{part}" for part in ("", "/history", "/remarks", "/context", "/tokens"))
    yield from (f"{API}/document-pairs/dp1", f"{API}/document-pairs/dp1/remarks", "/extract/dp1", "/classify/double")
    yield from ("/batches", "/batches.json", "/batches/double", "/crowd/double", "/crowd/double.json")


def found_in(viewer: Person, *chosen: str) -> list[tuple[str, list[str]]]:
    """Where something of the other one comes up, of all addresses unless some are chosen."""
    found = []
    for address in chosen or addresses():
        for_machines = address.startswith(API) or address.partition("?")[0].endswith((".json", ".csv"))
        # Only a page may answer differently to those who ask for a page.
        for accept in ("application/json",) if for_machines else ("text/html", "application/json"):
            answer = viewer.get(address, headers={"accept": accept})
            assert answer.status_code < 500, address
            if PLANTED in answer.text.lower():
                found.append((address, re.findall(rf".{{30}}{PLANTED}.{{30}}", answer.text, re.S)[:2]))
    return found


@pytest.fixture
def judged(client: TestClient, person: PersonNamed, filled: Path) -> Person:
    """Anna has judged a pair that is to be judged twice, with a note, a rewrite and a remark."""
    anna = person("anna")
    slots = {task["pair"]: task["slot"] for task in anna.post(f"{API}/batches/double/take?count=2").json()}
    _, text1, text2 = TEXTS[0]
    rewrite = {"text1": f"{text1} zqx", "text2": f"{text2} zqx", "label": "4"}
    body = {"key": "k", "slot": slots["p0"], "value": "2", "unsure": True, "note": "zqx note", "rewrites": [rewrite]}
    answer = anna.post(f"{API}/judgements", json=body)
    assert answer.status_code == 201, answer.text
    with client.app.state.site.ledger.writing() as connection:  # type: ignore[attr-defined]
        add_remark(connection, "anna", "pair", "p0", "zqx remark @ben @carl", "k")
    return anna


def take(viewer: Person) -> dict[str, int]:
    return {task["pair"]: task["slot"] for task in viewer.post(f"{API}/batches/double/take?count=2").json()}


def test_before_during_and_after_holding_a_pair(judged: Person, person: PersonNamed) -> None:
    ben = person("ben")
    assert found_in(ben) == []
    slots = take(ben)
    assert found_in(ben) == []
    assert ben.post(f"{API}/slots/{slots['p0']}/release").status_code == 204
    assert found_in(ben) == []
    body = {"key": "k", "slot": take(ben)["p0"], "value": "4"}
    assert ben.post(f"{API}/judgements", json=body).status_code == 201
    shown = [HISTORY, f"{API}/pairs/p0/remarks", "/browse.csv?query=ferry", "/pairs/p0.csv"]
    assert [address for address, _ in found_in(ben, *shown)] == shown


def test_a_curator_who_is_to_judge_it(judged: Person, person: PersonNamed, client: TestClient) -> None:
    carl = person("carl")
    assert found_in(carl, HISTORY) != []
    with client.app.state.site.ledger.writing() as connection:  # type: ignore[attr-defined]
        anybody = update(schema.batches).where(schema.batches.c.id == "double").values(rules={"context": False})
        connection.execute(anybody)
    slots = take(carl)
    assert found_in(carl) == []
    assert carl.post(f"{API}/slots/{slots['p0']}/release").status_code == 204
    assert found_in(carl) == []


def test_what_a_model_says_is_seen_by_those_who_have_judged(
    client: TestClient, person: PersonNamed, filled: Path
) -> None:
    fields = {"annotator": "model/zqx", "kind": "model", "scheme": "turku", "batch": "double", "note": "zqx"}
    judgement = Judgement(id="m-zqx", pair="p0", value="2", meta={"model": "zqx"}, **fields)
    with client.app.state.site.ledger.writing() as connection:  # type: ignore[attr-defined]
        connection.execute(insert(schema.judgements).values(**row_of(judgement)))
    anna, ben, carl = (person(name) for name in ("anna", "ben", "carl"))
    assert [found_in(viewer) for viewer in (anna, ben, carl)] == [[], [], []]
    for viewer in (anna, ben):
        body = {"key": "k", "slot": take(viewer)["p0"], "value": "4"}
        assert viewer.post(f"{API}/judgements", json=body).status_code == 201
        assert bool(found_in(viewer, HISTORY)) == (viewer is ben)  # all have judged when Ben has
    assert found_in(anna, HISTORY)
    assert found_in(carl) == []  # a curator who has not judged the pair
