"""Which system wrote a text comes up nowhere on the site while people judge it, whatever anybody opens or exports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from starlette.testclient import TestClient

from otherwords.annotate.batch_plans.outputs import SystemOutput, create_from_outputs
from otherwords.annotate.batches.batch import set_state
from otherwords.annotate.batches.output_pairs import systems_of
from otherwords.project.ledger.rows import read_records
from otherwords.records import Pair
from otherwords.web.app import API
from tests.web.people import Person

PersonNamed = Callable[[str], Person]
PLANTED = "zqx"
SYSTEMS = ("zqx-small", "zqx-large", "zqx-trip")
BATCHES = {
    "ratings": {"fluency": "5", "similarity": "4", "diversity": "2"},
    "preference": "1",
    "best-worst": {"best": "1", "worst": "2"},
}
EXPORT = f"{API}/export/pairs.jsonl"


def fill(client: TestClient) -> Sequence[Pair]:
    """One source and three outputs, asked about once by each kind of batch."""
    project = client.app.state.site.project  # type: ignore[attr-defined]
    texts = ("Midday sees the ferry go.", "At noon the ferry goes.", "The boat starts at noon.")
    written = [
        SystemOutput(system, "The ferry leaves at noon.", text, "en", {"bleu": 0.5})
        for system, text in zip(SYSTEMS, texts, strict=True)
    ]
    with project.ledger.writing() as connection:
        for ask in BATCHES:
            create_from_outputs(connection, project, ask, written, ask=ask, times=1)  # type: ignore[arg-type]
    with project.ledger.reading() as connection:
        return [pair for pair in read_records(connection, Pair) if systems_of(pair.meta)]


def addresses(pairs: Sequence[Pair]) -> Iterator[str]:
    yield from ("/", "/discussions", "/batches", "/batches.json", "/batches.csv", f"{API}/home", EXPORT)
    yield f"{API}/export/judgements.jsonl"
    for path in ("/browse", "/browse.json", "/browse.csv", f"{API}/pairs"):
        yield from (f"{path}?{query}" for query in ("most=1000", "source=outputs", "method=output", "query=noon"))
    for name in BATCHES:
        yield from (f"/classify/{name}", f"/adjudicate/{name}", f"/batches/{name}", f"{API}/batches/{name}")
        yield from (f"{API}/batches/{name}/{part}" for part in ("recent", "progress", "disagreements", "check"))
    for pair in {pair.meta["outputs"]["batch"]: pair for pair in pairs}.values():  # one of each batch
        yield from (f"/pairs/{pair.id}{suffix}" for suffix in ("", ".json", ".csv"))
        yield from (f"{API}/pairs/{pair.id}{part}" for part in ("", "/history", "/remarks", "/context"))


def found_in(viewer: Person, pairs: Sequence[Pair]) -> list[str]:
    found = []
    for address in addresses(pairs):
        answer = viewer.get(address)
        assert answer.status_code < 500, address
        found += [address] if PLANTED in answer.text else []
    return found


def judge(viewer: Person, name: str, tasks: Sequence[dict[str, Any]]) -> None:
    for task in tasks:
        assert PLANTED not in str(task)
        body = {"key": f"{name}{task['slot']}", "slot": task["slot"], "value": BATCHES[name]}
        answer = viewer.post(f"{API}/judgements", json=body)
        assert answer.status_code == 201, answer.text
        assert PLANTED not in answer.text


def systems_in(export: str) -> set[str]:
    pairs = [msgspec.json.decode(line, type=Pair) for line in export.splitlines()]
    return {system for pair in pairs for system in systems_of(pair.meta)}


def test_nobody_sees_the_system_of_what_is_judged(client: TestClient, person: PersonNamed) -> None:
    pairs, anna, carl = fill(client), person("anna"), person("carl")
    assert len(pairs) == 3 + 6 + 3
    for viewer in (anna, carl):
        assert found_in(viewer, pairs) == []
    rest: dict[str, list[dict[str, Any]]] = {}
    for name in BATCHES:
        first, *rest[name] = anna.post(f"{API}/batches/{name}/take?count=9").json()
        assert len(rest[name]) == (0 if name == "best-worst" else 2)
        judge(anna, name, [first])
    with client.app.state.site.ledger.writing() as connection:  # type: ignore[attr-defined]
        set_state(connection, "preference", "closed")
    assert found_in(anna, pairs) == []
    assert found_in(carl, pairs) == [EXPORT]  # of the two that are at an end
    unfinished = {pair.id for pair in pairs if pair.meta["outputs"]["batch"] == "ratings"}
    lines = carl.get(EXPORT).text.splitlines()
    assert not any(PLANTED in line for line in lines if msgspec.json.decode(line)["id"] in unfinished)
    judge(anna, "ratings", rest["ratings"])
    assert systems_in(carl.get(EXPORT).text) == set(SYSTEMS)
    assert found_in(anna, pairs) == []
