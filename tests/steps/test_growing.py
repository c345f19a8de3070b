"""The recipe for a set that grows: every month new posts, a classifier that looks at them, and a version."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from otherwords.project import Project
from otherwords.project.importing.import_file import import_file
from otherwords.project.pipeline.kind import StepResult
from otherwords.project.pipeline.run import run_recipe
from otherwords.records import Judgement, Pair
from otherwords.steps.recipe import find_recipe, read_recipe, with_settings
from tests.annotate.reading import put

NOUNS = ("storm", "harbour", "ferry", "bridge", "lantern", "anchor", "market", "cellar", "tower", "window", "garden")
VERBS = ("shook", "closed", "left", "crossed", "lit", "raised", "opened", "flooded", "passed", "broke", "filled")


def write_posts(folder: Path, month: int) -> Path:
    """Posts of two trends of a month."""
    chance = random.Random(month)
    rows = [
        {"text": " ".join(["People", *chance.choices(NOUNS, k=3), *chance.choices(VERBS, k=2), trend, "today"])}
        | {"trend": trend, "time": f"2026-{month:02}-01T10:{number:02}:00Z"}
        for trend in (f"gale{month}", f"regatta{month}")
        for number in range(30)
    ]
    path = folder / f"posts-{month}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(project: Project, **settings: Any) -> dict[str, StepResult | None]:
    chosen = {"identifier.model": "majority", "grow.model": "majority", "grow.bleu": 100.0}
    steps = with_settings(
        read_recipe(find_recipe("growing")), chosen | {f"grow.{name}": settings[name] for name in settings}
    )
    results: dict[str, StepResult | None] = {}
    run_recipe(project, steps, report=lambda planned, result: results.update({planned.step.name: result}))
    return results


def test_two_months(project: Project, tmp_path: Path) -> None:
    for number in range(30):  # what people have judged, mostly paraphrases
        texts = {
            "text1": f"The {NOUNS[number % 11]} number {number} is old.",
            "text2": f"It has been here {number} years.",
        }
        put(project, Pair(id=f"p{number}", group=f"g{number}", lang="en", licence="CC0-1.0", **texts))
        value = "4" if number % 5 else "2"
        put(project, Judgement(id=f"j{number}", pair=f"p{number}", annotator="anna", scheme="turku", value=value))
    import_file(project, "posts", write_posts(tmp_path, 1), licence="CC0-1.0")
    unnamed = run(project)["grow"]
    assert unnamed is not None
    assert unnamed.waiting is not None
    assert "--set grow.version=" in unnamed.waiting.then
    first = run(project, version="2026-01", licence="CC0-1.0")["grow"]
    assert first is not None
    assert first.output == project.folder / "growing" / "2026-01"
    assert first.rows_out > 0
    assert run(project, version="2026-01", licence="CC0-1.0")["grow"] is None  # nothing came since
    import_file(project, "posts", write_posts(tmp_path, 2), licence="CC0-1.0")
    second = run(project, version="2026-02", licence="CC0-1.0")["grow"]
    assert second is not None
    assert second.counts["came"] > 0
    assert second.rows_out == first.rows_out + second.counts["came"]
    lines = (second.output / "data" / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    groups = {json.loads(line)["group"] for line in lines}
    assert groups == {"gale1", "regatta1", "gale2", "regatta2"}
