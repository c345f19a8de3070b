"""The counts of card, report and home page, beside those of the oracle."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from otherwords.web.app import make_app
from tests.oracle.exported import Row, current_judgements, read_rows
from tests.oracle.simulated import SimulatedProject
from tests.oracle.test_labels import labels_of_team
from tests.web.people import logged_in

LEFT_OUT = ("1", "x")  # of Turku's labels, by a release
CURATOR = "sim-carl"
VERSION = "1.0"


def table_rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def markdown_rows(section: str) -> Iterator[list[str]]:
    """The cells of the tables in a section of a card."""
    for line in section.splitlines():
        if line.startswith("|") and "---" not in line:
            yield [cell.strip().replace("\\", "").replace(",", "") for cell in line.strip("|").split("|")]


@pytest.fixture(scope="module")
def labels(released: SimulatedProject) -> dict[str, str]:
    """The label of every pair that has one."""
    return {pair: label for pair, label in labels_of_team(released.export).items() if label is not None}


@pytest.fixture(scope="module")
def parts(released: SimulatedProject) -> dict[str, str]:
    """The part of every pair that was released."""
    return {row["pair"]: row["part"] for row in read_rows(released.export / "released_pairs.jsonl")}


def test_a_release_has_the_pairs_with_a_label_that_is_not_left_out(
    labels: dict[str, str], parts: dict[str, str]
) -> None:
    assert set(parts) == {pair for pair, label in labels.items() if label not in LEFT_OUT}


def test_the_contents_of_a_card(released: SimulatedProject, labels: dict[str, str], parts: dict[str, str]) -> None:
    card = (released.folder / "releases" / VERSION / "README.md").read_text(encoding="utf-8")
    rows = list(markdown_rows(card.partition("## Contents")[2].partition("\n## ")[0]))
    found = {cells[0]: dict(zip(rows[0][1:], map(int, cells[1:]), strict=True)) for cells in rows[1:5]}
    for name in ("train", "dev", "test", "all"):
        counts = Counter(labels[pair] for pair, part in parts.items() if name in (part, "all"))
        assert found[name].pop("pairs") == counts.total()
        assert {label: count for label, count in found[name].items() if count} == counts
    reasons = {cells[0]: int(cells[1]) for cells in rows[6:]}
    open_pairs = len(read_rows(released.export / "pairs.jsonl")) - len(labels)
    expected = Counter(f"label {label}" for label in labels.values() if label in LEFT_OUT)
    assert {reason: count for reason, count in reasons.items() if reason.startswith("label ")} == expected
    assert sum(reasons.values()) == expected.total() + open_pairs


def test_the_judgements_of_a_card(released: SimulatedProject, parts: dict[str, str]) -> None:
    folder = released.folder / "releases" / VERSION
    rows = [row for row in current_judgements(released.export) if row["pair"] in parts and row["unit"] == "pair"]
    found = re.search(r"([\d,]+) judgements? by (\d+) annotators?", (folder / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    released_rows = read_rows(folder / "judgements.jsonl")
    people = {row["annotator"] for row in rows if row["kind"] == "individual"}
    assert int(found[1].replace(",", "")) == len(released_rows) == len(rows)
    assert int(found[2]) == len(people)


def test_the_labels_of_a_report(released: SimulatedProject, labels: dict[str, str]) -> None:
    tables = released.folder / "report" / "tables"
    rewrites = {row["id"] for row in read_rows(released.export / "pairs.jsonl") if row.get("rewrite_of")}
    originals = Counter(label for pair, label in labels.items() if pair not in rewrites)
    rewritten = Counter(label for pair, label in labels.items() if pair in rewrites)
    found = {row["label"]: row for row in table_rows(tables / "labels-labels.json")}
    assert {label: row["pairs"] for label, row in found.items() if row["pairs"]} == originals
    assert {label: row["rewrites"] for label, row in found.items() if row["rewrites"]} == rewritten
    for label, row in found.items():
        assert row["share"] == pytest.approx(originals[label] / originals.total(), abs=1e-9)
    (summary,) = table_rows(tables / "labels-summary.json")
    positive = sum(count for label, count in originals.items() if label[0] in "34")
    negative = sum(count for label, count in originals.items() if label[0] in "12")
    assert (summary["pairs"], summary["rewrites"]) == (originals.total(), rewritten.total())
    assert (summary["positive"], summary["negative"]) == (positive, negative)
    assert summary["positive_share"] == pytest.approx(positive / (positive + negative), abs=1e-9)


def is_work(row: Row) -> bool:
    """Whether a batch counts a judgement: hidden tests and the labels of one's own rewrites are not asked for."""
    return row["kind"] == "individual" and row["purpose"] != "gold" and "rewrite" not in row["meta"]


def home_page(project: SimulatedProject, name: str = CURATOR) -> dict[str, Any]:
    """What the home page of somebody shows."""
    with TestClient(make_app(project.folder), base_url="http://testserver") as client:
        answer: dict[str, Any] = logged_in(client, name).get("/api/v1/home").json()
        return answer


def check_batches(project: SimulatedProject, home: dict[str, Any]) -> None:
    judgements = current_judgements(project.export)
    slots = [slot for slot in read_rows(project.export / "slots.jsonl") if slot["position"] >= 0]  # without tests
    found = {batch["id"]: batch for batch in home["everything"]["batches"]}
    assert found.keys() == {batch["id"] for batch in read_rows(project.export / "batches.jsonl")}
    for name, batch in found.items():
        own = [slot for slot in slots if slot["batch"] == name]
        done = Counter(row["annotator"] for row in judgements if row.get("batch") == name and is_work(row))
        assert (batch["slots"], batch["items"]) == (len(own), len({slot["item"] for slot in own}))
        assert batch["done"] == done.total()
        assert {person: count for person, count in batch["people"] if count} == done


def check_people(project: SimulatedProject, home: dict[str, Any]) -> None:
    judgements = current_judgements(project.export)
    found = {person["name"]: person for person in home["everything"]["people"]}
    assert found.keys() == {row["annotator"] for row in judgements}
    for name, person in found.items():
        own = [row for row in judgements if row["annotator"] == name]
        assert person["judged"] == sum(map(is_work, own))
        assert person["rewritten"] == sum("rewrite" in row["meta"] for row in own)
        assert person["decided"] == sum(row["kind"] == "consensus" for row in own)


def check_sources(project: SimulatedProject, home: dict[str, Any]) -> None:
    pairs = read_rows(project.export / "pairs.jsonl")
    judged = {row["pair"] for row in current_judgements(project.export) if row["purpose"] != "gold"}
    found = {source["source"]: source for source in home["everything"]["sources"]}
    assert found.keys() == {pair.get("source") for pair in pairs}
    for name, source in found.items():
        own = [pair for pair in pairs if pair.get("source") == name]
        assert source["pairs"] == len(own)
        assert source["rewrites"] == sum("rewrite_of" in pair for pair in own)
        assert source["judged"] == sum(pair["id"] in judged for pair in own)


@pytest.mark.parametrize("name", ["team", "crowd"])
def test_the_home_page(request: pytest.FixtureRequest, name: str) -> None:
    project = request.getfixturevalue(name)
    home = home_page(project)
    check_batches(project, home)
    check_people(project, home)
    check_sources(project, home)
