"""Agreement as ``otherwords agree`` and the report have it, beside that of the oracle."""

from __future__ import annotations

import ast
import csv
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import otherwords
from otherwords.measures.agreement import Coefficient
from tests.conftest import EXAMPLES
from tests.oracle import coefficients
from tests.oracle.coefficients import Answers, alpha, nominal, ordinal
from tests.oracle.exported import answers_by_pair, current_judgements, judgements_of
from tests.oracle.simulated import SimulatedProject

EXACT = 1e-9
ORDER = "1234"
COMPUTING = ("exported", "coefficients", "decisions", "units")


def test_the_oracle_has_no_code_of_the_product() -> None:
    for name in COMPUTING:
        tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        modules = {
            module
            for node in imports
            for module in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
        }
        assert not {module for module in modules if module and module.split(".")[0] in ("otherwords", "numpy")}


def test_the_oracle_has_the_published_figures() -> None:
    answers: dict[str, dict[str, str]] = {}
    with (EXAMPLES / "judgements" / "coders.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            item, coder, value = row.values()
            if value not in ("", "NA"):
                answers.setdefault(item, {})[coder] = value
    values = sorted({value for of_unit in answers.values() for value in of_unit.values()})
    assert round(float(alpha(answers, nominal)), 3) == 0.691
    assert round(float(alpha(answers, ordinal(answers, values))), 3) == 0.807


def computed(figures: list[Coefficient], labels: str, annotators: int) -> dict[str, Coefficient]:
    """The coefficients of as many annotators, by measure."""
    return {
        figure.measure: figure
        for figure in figures
        if figure.labels == labels and len(figure.annotators) == annotators and figure.value is not None
    }


def joint_values(answers: Answers) -> dict[str, float]:
    joint = {"observed": coefficients.observed(answers), "fleiss": coefficients.fleiss(answers)}
    return {name: float(value) for name, value in (joint | {"alpha-nominal": alpha(answers, nominal)}).items()}


def check_joint(figures: list[Coefficient], rows: list[Mapping[str, Any]]) -> None:
    """All annotators together, with full labels and, where order matters, with those that have one."""
    people = len({row["annotator"] for row in rows})
    full, base = answers_by_pair(rows), answers_by_pair(rows, flags=False)
    ordered = {pair: {name: value for name, value in values.items() if value != "x"} for pair, values in base.items()}
    for labels, answers in (("full", full), ("base", base)):
        found = computed(figures, labels, people)
        for measure, value in joint_values(answers).items():
            assert found[measure].value == pytest.approx(value, abs=EXACT), (measure, labels)
            assert found[measure].n == len(coefficients.judged_by_several(answers))
    value = float(alpha(ordered, ordinal(ordered, ORDER)))
    assert computed(figures, "base", people)["alpha-ordinal"].value == pytest.approx(value, abs=EXACT)


@pytest.mark.parametrize("batch", ["twice", "double", "thrice"])
def test_agreement_in_a_batch(team: SimulatedProject, batch: str) -> None:
    rows = judgements_of(current_judgements(team.export), batch=batch)
    assert len(rows) >= 45
    found = otherwords.agree(team.folder, batch=batch, labels=["full", "base"], replicates=0)
    check_joint(found.figures, rows)


def test_agreement_of_every_two_annotators(team: SimulatedProject) -> None:
    rows = judgements_of(current_judgements(team.export), purposes=["agreement"])
    answers = answers_by_pair(rows)
    report = otherwords.agree(team.folder, purpose="agreement", scheme="turku", replicates=0)
    check_joint(
        report.figures + otherwords.agree(team.folder, purpose="agreement", labels=["base"], replicates=0).figures, rows
    )
    names = sorted({row["annotator"] for row in rows})
    found = {
        figure.annotators: figure.value
        for figure in report.figures
        if figure.measure == "cohen" and figure.labels == "full"
    }
    assert len(found) == len(list(combinations(names, 2))) > 1
    for first, second in combinations(names, 2):
        expected = coefficients.cohen(answers, first, second)
        assert expected is not None
        assert found[first, second] == pytest.approx(float(expected), abs=EXACT)


def test_agreement_of_an_export_is_that_of_the_project(team: SimulatedProject) -> None:
    in_project = otherwords.agree(team.folder, purpose="agreement", replicates=0)
    in_export = otherwords.agree(team.export / "judgements.jsonl", purpose="agreement", scheme="turku", replicates=0)
    assert [(figure.measure, figure.value, figure.n) for figure in in_project.figures] == [
        (figure.measure, figure.value, figure.n) for figure in in_export.figures
    ]
