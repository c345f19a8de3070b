"""What is compared when nobody says what to compare, and the consensus that annotators are compared with.

Agreement is over batches made for it and over pairs that several people judged for the corpus; a pair that was judged
for agreement is compared there, without whoever judged it before. The consensus on a pair is the team's decision or,
where all say the same, what they say.
"""

from __future__ import annotations

import html
import json
import shutil
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import otherwords
from tests.oracle.coefficients import Answers, alpha, judged_by_several, ordinal
from tests.oracle.decisions import accuracy, by_threshold, consensus
from tests.oracle.exported import FOR_AGREEMENT, Row, answers_by_pair, current_judgements, judgements_of, read_rows
from tests.oracle.simulated import VOTED, VOTES, SimulatedProject, exported, release_team
from tests.oracle.test_agreement import ORDER, check_joint
from tests.oracle.test_counts import home_page
from tests.oracle.test_labels import THRESHOLD, labels_of_team, votes_of_crowd

EXACT = 1e-9
Accuracies = dict[str, tuple[int, Fraction | None]]


def compared_rows(export: Path) -> list[Row]:
    """The judgements that agreement is over: of a pair that two judged for agreement, only these."""
    rows = judgements_of(current_judgements(export))
    judges: dict[str, set[str]] = {}
    for row in rows:
        if row["purpose"] == "agreement":
            judges.setdefault(row["pair"], set()).add(row["annotator"])
    again = {pair for pair, people in judges.items() if len(people) > 1}
    return [row for row in rows if row["purpose"] == "agreement" or row["pair"] not in again]


def decided_by_team(export: Path) -> dict[str, str]:
    rows = judgements_of(current_judgements(export), kinds=["consensus"], purposes=FOR_AGREEMENT)
    return {row["pair"]: row["value"] for row in rows}


def accuracies(answers: Answers, team: dict[str, str]) -> Accuracies:
    people = {name for values in answers.values() for name in values}
    found = {name: accuracy(answers, team, name) for name in people}
    return {name: figure for name, figure in found.items() if figure[0]}


@pytest.fixture(scope="module")
def full_accuracies(team: SimulatedProject) -> Accuracies:
    answers = answers_by_pair(compared_rows(team.export))
    return accuracies(answers, consensus(answers, decided_by_team(team.export)))


def test_agreement_is_over_what_was_made_for_it(team: SimulatedProject) -> None:
    report = otherwords.agree(team.folder, scheme="turku", labels=["full", "base"], replicates=0)
    check_joint(report.figures, compared_rows(team.export))


def test_a_pair_judged_again_is_compared_without_its_first_judgement(team: SimulatedProject, tmp_path: Path) -> None:
    folder = shutil.copytree(team.folder, tmp_path / "again")
    filters = {"batch": "first"}
    otherwords.batch.new(folder, "again", sample=12, times=2, purpose="agreement", where=filters, not_again=True)
    otherwords.simulate(folder, people=6, accuracy=0.6, seed=5, batches=["again"])
    rows = compared_rows(exported(folder, "again-export").export)
    assert len({row["pair"] for row in rows if row.get("batch") == "again"}) >= 12
    assert len(rows) < len(judgements_of(current_judgements(tmp_path / "again-export")))
    report = otherwords.agree(folder, scheme="turku", labels=["full", "base"], replicates=0)
    check_joint(report.figures, rows)


def test_the_accuracy_of_everybody(team: SimulatedProject, full_accuracies: Accuracies) -> None:
    figures = otherwords.agree(team.folder, scheme="turku", replicates=0).figures
    found = {
        figure.annotators[0]: (figure.n, figure.value)
        for figure in figures
        if (figure.measure, figure.labels) == ("accuracy", "full")
    }
    expected = {name: (count, float(share or 0)) for name, (count, share) in full_accuracies.items()}
    assert found.keys() == expected.keys()
    for name, (count, share) in expected.items():
        assert found[name] == (count, pytest.approx(share, abs=EXACT))


def test_the_accuracy_on_the_home_page(team: SimulatedProject, full_accuracies: Accuracies) -> None:
    answers = answers_by_pair(compared_rows(team.export))
    values = consensus(answers, decided_by_team(team.export))
    without_flags = {pair: {name: value[0] for name, value in of_pair.items()} for pair, of_pair in answers.items()}
    base = accuracies(without_flags, {pair: value[0] for pair, value in values.items()})
    people = {person["name"]: person["agreement"] for person in home_page(team)["everything"]["people"]}
    for name, (count, share) in full_accuracies.items():
        assert people[name]["compared"] == count
        assert people[name]["full"] == pytest.approx(float(share or 0), abs=EXACT)
        assert people[name]["base"] == pytest.approx(float(base[name][1] or 0), abs=EXACT)
    name = min(full_accuracies)
    assert home_page(team, name)["mine"]["agreement"] == people[name]


def test_the_accuracy_in_a_report(released: SimulatedProject, full_accuracies: Accuracies) -> None:
    path = released.folder / "report" / "tables" / "agreement-consensus.json"
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    full = [row for row in rows if row["measure"].partition(":")[0] == "accuracy" and row["labels"] == "full"]
    found = sorted((row["units"], row["value"]) for row in full)
    expected = sorted((count, float(share or 0)) for count, share in full_accuracies.values())
    assert found == [(count, pytest.approx(share, abs=EXACT)) for count, share in expected]


def headline_numbers(rows: list[Row]) -> tuple[str, int]:
    """Ordinal alpha of labels without flags to three places, and the number of pairs that it is over."""
    base = answers_by_pair(rows, flags=False)
    ordered = {pair: {name: value for name, value in values.items() if value != "x"} for pair, values in base.items()}
    return f"{float(alpha(ordered, ordinal(ordered, ORDER))):.3f}", len(judged_by_several(ordered))


@pytest.fixture(scope="module")
def disputed(team: SimulatedProject, tmp_path_factory: pytest.TempPathFactory) -> SimulatedProject:
    """The team's project with a batch whose disagreements nobody has decided, a report and a release."""
    folder = shutil.copytree(team.folder, tmp_path_factory.mktemp("oracle") / "disputed")
    filters = {"batch": "first"}
    otherwords.batch.new(folder, "again", sample=15, times=2, purpose="agreement", where=filters, not_again=True)
    otherwords.simulate(folder, people=6, accuracy=0.5, seed=6, batches=["again"], tasks=["judge"])
    return release_team(SimulatedProject(folder, team.export), folder.parent / "released")


def test_what_to_quote_is_the_same_everywhere(disputed: SimulatedProject) -> None:
    value, units = headline_numbers(compared_rows(disputed.export))
    [headline] = otherwords.agree(disputed.folder).headlines
    assert f"ordinal alpha is {value}, " in headline.sentence
    assert f", over {units} pairs that were judged " in headline.sentence
    page = html.unescape((disputed.folder / "report" / "index.html").read_text(encoding="utf-8"))
    assert headline.sentence in page.replace("\N{NO-BREAK SPACE}", " ")
    assert home_page(disputed)["everything"]["agreement"] == [headline.sentence]


def test_what_a_card_quotes_is_over_the_released_judgements(disputed: SimulatedProject) -> None:
    pairs = {row["pair"] for row in read_rows(disputed.export / "released_pairs.jsonl")}
    value, units = headline_numbers([row for row in compared_rows(disputed.export) if row["pair"] in pairs])
    card = (disputed.folder / "releases" / "1.0" / "README.md").read_text(encoding="utf-8")
    assert f"**Krippendorff's ordinal alpha is {value}, " in card
    assert f", over {units} released pairs that were judged " in card
    judged = {row["pair"] for row in judgements_of(current_judgements(disputed.export))}
    undecided = sum(label is None and pair in judged for pair, label in labels_of_team(disputed.export).items())
    assert undecided > 1
    assert f"\n{undecided} pairs of the project on which people differ and nobody has decided have no label" in card


def test_pairs_that_nobody_decided_are_left_out_and_counted(disputed: SimulatedProject) -> None:
    answers = answers_by_pair(compared_rows(disputed.export))
    decided = consensus(answers, decided_by_team(disputed.export))
    open_pairs = {pair: values for pair, values in answers.items() if len(values) > 1 and pair not in decided}
    assert len(open_pairs) > 1
    undecided = Counter(name for values in open_pairs.values() for name in values)
    people = {person["name"]: person["agreement"] for person in home_page(disputed)["everything"]["people"]}
    assert {name: agreement["undecided"] for name, agreement in people.items() if agreement["undecided"]} == undecided
    left_out = f"; {len(open_pairs)} pairs on which they disagree and nobody has decided left out"
    assert any(remark.endswith(left_out) for remark in otherwords.agree(disputed.folder, replicates=0).remarks)
    assert left_out in (disputed.folder / "report" / "index.html").read_text(encoding="utf-8")


def test_the_status_of_a_crowd_has_the_labels_of_the_corpus(crowd: SimulatedProject) -> None:
    votes = votes_of_crowd(crowd.export)
    expected = Counter(by_threshold(of_pair, VOTES, THRESHOLD) for of_pair in votes.values())
    found = otherwords.crowd.status(crowd.folder, VOTED).labels["threshold"]
    assert {label: found[label] for label in ("yes", "no")} == {label: expected[label] for label in ("yes", "no")}
