"""The recipes of two papers from the examples to a release that passes verify, with simulated people in between."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import otherwords
from tests.conftest import EXAMPLES

LICENCE = "CC0-1.0"
TRANSLATORS = ("apertium", "by-portuguese")
SETTINGS = {"release.licence": "CC-BY-4.0", "report.examples": 1}


def ready_made(step: str, folder: Path, lines: Path) -> dict[str, Any]:
    outputs, backs = ([str(folder / f"{name}.{kind}.txt") for name in TRANSLATORS] for kind in ("es", "back"))
    values = {"lines": str(lines), "lang": "es", "outputs": outputs, "back_outputs": backs}
    return {f"{step}.{name}": value for name, value in values.items()}


def to_the_release(project: Path, recipe: str, settings: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Run a recipe and let people work until there is a release; where it waited, and the results of the last run."""
    waited = []
    for _ in range(8):
        steps = otherwords.run(project, recipe=recipe, settings=settings).steps
        if steps[-1].state != "waiting":
            return waited, {step.plan.step.name: step for step in steps}
        waited.append(steps[-1].plan.step.name)
        otherwords.simulate(project, people=3, similarity=0.0)
    raise AssertionError(waited)


def pairs(release: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (release / "data" / "pairs.jsonl").read_text().splitlines()]


def nothing_is_left_to_do(project: Path, recipe: str) -> bool:
    return all(step.state in ("done before", "skipped") for step in otherwords.run(project, recipe=recipe).steps)


@pytest.fixture
def without_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the extra ``learn`` is not installed."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "sklearn"] + ["sklearn"]:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("without_learn")
def test_suzuki(tmp_path: Path) -> None:
    project, harbour = tmp_path / "corpus", EXAMPLES / "sources" / "sentences" / "harbour.txt"
    otherwords.new(project, lang="es", scheme="suzuki")
    otherwords.import_(project, "sentences", harbour, lang="en", licence=LICENCE)
    near = EXAMPLES / "es" / "sentences" / "puerto.txt"
    otherwords.import_(project, "sentences", near, lang="es", licence=LICENCE, options={"source": "monolingual"})
    (_, translations) = otherwords.run(project, recipe="suzuki").steps
    assert translations.result is not None
    assert translations.result.waiting is not None, "which systems translate is for people to say"
    settings = ready_made("translations", EXAMPLES / "sources" / "outputs", harbour) | {"translations.per_range": 7}
    waited, steps = to_the_release(project, "suzuki", settings | SETTINGS)
    assert waited == ["judge-translated", "judge-found", "tell-apart"]
    assert steps["features"].state == "skipped"
    assert "otherwords[learn]" in steps["features"].plan.why
    released = project / "releases" / "1.0"
    assert otherwords.verify(released, project=project).sound
    assert {pair["label"] for pair in pairs(released)} == {"Positive", "Negative"}, "the others are left out"
    assert Counter(pair["method"] for pair in pairs(released)).keys() == {"translate", "near"}
    assert {path.name for path in (released / "baselines").iterdir()} == {"README.md", "overlap", "bow"}
    assert nothing_is_left_to_do(project, "suzuki")


@pytest.mark.usefixtures("without_learn")
def test_rupaws(tmp_path: Path) -> None:
    project, folder = tmp_path / "corpus", EXAMPLES / "shared-words"
    otherwords.new(project, lang="es", scheme="rupaws")
    otherwords.import_(project, "pairs", folder / "pairs.jsonl", licence=LICENCE)
    settings = ready_made("carry-over", folder, folder / "sentences.txt")
    waited, steps = to_the_release(project, "rupaws", settings | SETTINGS)
    assert waited == ["rate"]
    assert steps["swaps"].state == steps["features"].state == "skipped"
    released = project / "releases" / "1.0"
    assert otherwords.verify(released, project=project).sound
    assert {(pair["lang"], pair["method"]) for pair in pairs(released)} == {("es", "localise")}
    counts = otherwords.label(project)
    assert counts.reasons.keys() == {
        "somebody does not say yes to well_formed",
        "they do not agree on paraphrase",
        "left out: carried over to another language",
    }
    assert counts.made_by == {"judgements": len(pairs(released))}, "the original label is not the label"
    (found,) = otherwords.analyse(project, only=["stages"])[0].findings
    table3 = {row["stage"]: row for row in found.tables[0].as_dicts()}
    assert table3["original pairs"] == {"stage": "original pairs", "pairs": 128, "paraphrases": 64, "others": 64}
    assert table3["after characters"]["pairs"] == 128 - 6, "of three sentences some characters are not ASCII"
    assert table3["after fluency"]["pairs"] == 122 - 12, "the least fluent tenth"
    assert table3["judged and kept by people"]["pairs"] == len(pairs(released))
    assert nothing_is_left_to_do(project, "rupaws")
