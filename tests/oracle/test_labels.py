"""Labels and votes as the product has them, beside those of the oracle."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import otherwords
from tests.oracle.coefficients import kappa
from tests.oracle.decisions import by_threshold, majority, turku_label
from tests.oracle.exported import Row, current_judgements, judgements_of, read_rows
from tests.oracle.simulated import VOTED, VOTES, SimulatedProject

EXACT = 1e-9
THRESHOLD = VOTES // 2


def labels_of_team(export: Path) -> dict[str, str | None]:
    """The label of every pair of the team's project."""
    by_pair: dict[str, list[Row]] = {}
    for row in current_judgements(export):
        if row.get("scheme") != "turku":
            continue
        by_pair.setdefault(row["pair"], []).append(row)
    pairs = read_rows(export / "pairs.jsonl")
    return {pair["id"]: turku_label(by_pair.get(pair["id"], ()), pair.get("label")) for pair in pairs}


def votes_of_crowd(export: Path) -> dict[str, list[str]]:
    """The votes on each pair; skips and answers to hidden tests are none."""
    votes: dict[str, list[str]] = {}
    for row in judgements_of(current_judgements(export), scheme="binary-loose", batch=VOTED):
        votes.setdefault(row["pair"], []).extend({"yes", "no"} & {row["value"]})
    return votes


def test_every_label_of_a_team(team: SimulatedProject, tmp_path: Path) -> None:
    result = otherwords.label(team.folder, simulated=True, out=tmp_path / "labels.jsonl")
    found = {pair["id"]: pair.get("label") for pair in read_rows(tmp_path / "labels.jsonl")}
    expected = labels_of_team(team.export)
    assert found == expected
    assert result.labels == Counter(filter(None, expected.values()))


def test_every_label_by_votes(crowd: SimulatedProject, tmp_path: Path) -> None:
    otherwords.label(crowd.folder, simulated=True, out=tmp_path / "labels.jsonl")
    votes = votes_of_crowd(crowd.export)
    sizes = {len(of_pair) for of_pair in votes.values()}
    assert max(sizes) == VOTES > min(sizes), "some have all their votes, and some are open"
    found = {pair["id"]: pair.get("label") for pair in read_rows(tmp_path / "labels.jsonl") if pair["id"] in votes}
    assert found == {pair: by_threshold(of_pair, VOTES, THRESHOLD) for pair, of_pair in votes.items()}


def test_the_workers_of_a_crowd(crowd: SimulatedProject) -> None:
    rows = [
        row for row in current_judgements(crowd.export) if row.get("batch") == VOTED and row["kind"] == "individual"
    ]
    gold = {pair["id"]: pair["gold"]["label"] for pair in read_rows(crowd.export / "pairs.jsonl") if pair.get("gold")}
    votes = [row for row in rows if row["purpose"] != "gold" and row["value"] in ("yes", "no")]
    workers = otherwords.crowd.status(crowd.folder, VOTED).workers
    assert {worker.name for worker in workers} >= {row["annotator"] for row in rows}
    for worker in workers:
        own = [row for row in rows if row["annotator"] == worker.name]
        tests = [row["value"] == gold[row["pair"]] for row in own if row["purpose"] == "gold"]
        assert worker.answers == len(own) - len(tests)
        assert worker.tests == len(tests)
        assert worker.accuracy == pytest.approx(sum(tests) / len(tests) if tests else None, abs=EXACT)
        beside = [
            (vote["value"], of_others)
            for vote in votes
            if vote["annotator"] == worker.name
            and (of_others := majority(other["value"] for other in votes if is_another(other, vote))) is not None
        ]
        expected = kappa(beside)
        assert worker.shared == len(beside)
        assert worker.kappa == (None if expected is None else pytest.approx(float(expected), abs=EXACT))


def is_another(other: Row, vote: Row) -> bool:
    """Whether somebody else voted on the same pair."""
    return bool(other["pair"] == vote["pair"] and other["annotator"] != vote["annotator"])
