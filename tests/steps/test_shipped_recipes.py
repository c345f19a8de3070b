"""Shipped recipes from raw texts to a release that is sound, with simulated people, in their quick forms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import otherwords
from otherwords.corpus.labels.table import read_table
from otherwords.models.catalogue import TRANSLATORS
from otherwords.project import open_project
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import StepResult
from otherwords.steps.known_recipes import shipped_recipes
from tests.conftest import EXAMPLES
from tests.learn.generation.trial import Leg

SOURCES = EXAMPLES / "sources"
RELEASED = {"release.licence": "CC-BY-4.0", "release.anyway": ["duplicates"]}
MOST_ROUNDS = 12


class Steps(dict[str, tuple[str, str]]):
    """What became of each step in the last run that did something about it: its state, and why."""

    results: dict[str, StepResult]


def carried_out(folder: Path, recipe: str, people: int, settings: Mapping[str, Any]) -> Steps:
    """Run a recipe and let simulated people do what waits, until nothing does."""
    steps = Steps()
    steps.results = {}
    otherwords.simulate(folder, people=people, most=0)  # who trains is there before the recipe counts them
    for _ in range(MOST_ROUNDS):
        done = otherwords.run(folder, recipe=recipe, settings=settings)
        for run in done.steps:
            if run.state != "done before":
                steps[run.plan.step.name] = run.state, run.plan.why
            if run.result is not None and run.result.waiting is None:
                steps.results[run.plan.step.name] = run.result
        if done.steps[-1].result is None or done.steps[-1].result.waiting is None:
            return steps
        otherwords.simulate(folder, people=people)
    raise AssertionError("the recipe does not come to its end")


@pytest.mark.parametrize("recipe", [recipe.name for recipe in shipped_recipes()])
def test_a_new_project_can_see_the_plan_of_every_recipe(recipe: str, tmp_path: Path) -> None:
    otherwords.new(tmp_path / "corpus", lang="en", scheme="turku")
    planned = otherwords.run(tmp_path / "corpus", recipe=recipe, dry_run=True)
    assert planned.steps[0].plan.state == "new"
    plans = [step.plan for step in planned.steps if step.plan.state == "new"]
    by_models = {step.step.kind.name for step in plans if step.estimate.seconds is None}
    assert by_models <= {"train-classifier", "train-encoder", "train-generator", "denoise", "generate", "write-outputs"}
    trained = {step.step.kind.name for step in plans if step.step.kind.name.startswith("train-")}
    assert trained <= by_models, "how long a network trains is not known before it has been trained"


def rows_of(result: StepResult) -> list[dict[str, Any]]:
    assert isinstance(result.output, Dataset)
    return result.output.table().to_pylist()


@pytest.fixture(scope="module")
def posts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Steps]:
    """A few of the example posts through the recipe of MultiPIT."""
    folder = tmp_path_factory.mktemp("multipit") / "posts"
    rows = [json.loads(line) for line in (SOURCES / "posts/weeks.jsonl").read_text(encoding="utf-8").splitlines()]
    trends: dict[str, list[str]] = {}
    addresses: dict[str, list[str]] = {}
    for row in rows:
        of_kind, name = (trends, row["trend"]) if "trend" in row else (addresses, row["urls"][0])
        of_kind.setdefault(name, []).append(json.dumps(row))
    chosen = [*list(trends.values())[:4], *list(addresses.values())[:2]]
    few = folder.parent / "few.jsonl"
    few.write_text("\n".join(line for group in chosen for line in group[:6]), encoding="utf-8")
    otherwords.new(folder, lang="en", scheme="binary-loose")
    otherwords.import_(folder, "posts", few, licence="CC0-1.0")
    otherwords.import_(folder, "pairs", EXAMPLES / "crowd/posts.jsonl", licence="CC0-1.0")
    off = {"bilstm.model": "none", "transformer.model": "none", "generator.base": "none", "references.fewest": 2}
    writing = {"write.systems": ["way:en-es>way:es-en", "way:en-pt>way:pt-en", "models/generator"]}
    writing |= {"measure.metrics": ["bleu", "self-bleu"], "measure.resamples": 20, "ratings.resamples": 20}
    writing |= {"denoise.folds": 2}
    with TRANSLATORS.register("way", Leg):
        return folder, carried_out(folder, "multipit", 7, RELEASED | off | writing)


def test_multipit_ends_with_two_releases_that_are_sound(posts: tuple[Path, Steps]) -> None:
    folder, steps = posts
    for version, scheme in (("1.0", "binary-loose"), ("1.0-strict", "binary-strict")):
        release = folder / "releases" / version
        assert otherwords.verify(release, project=folder).sound, version
        facts = json.loads((release / "release.json").read_text())
        assert (facts["scheme"], facts["simulated"]) == (scheme, True)
        assert {"train"} < set(facts["counts"]) <= {"train", "dev", "test"}
    assert (folder / "releases/1.0/baselines/README.md").is_file()
    assert (folder / "report/index.html").is_file()
    skipped = {name: why for name, (state, why) in steps.items() if state == "skipped"}
    assert set(skipped) <= {"bilstm", "transformer", "generator", "more-pairs"}, skipped
    assert "turned off; --set bilstm.model= turns it on" in skipped["bilstm"]


def test_multipit_asks_a_crowd_and_then_experts(posts: tuple[Path, Steps]) -> None:
    folder, steps = posts
    results = steps.results
    assert results["pick-seeds"].rows_in == 2
    seeded = [row for row in rows_of(results["address-pairs"]) if row["round"] == "seed"]
    assert len(seeded) == results["address-pairs"].rows_out > 0
    assert results["name-topics"].rows_out == 3 * results["name-topics"].rows_in
    assert results["vote"].rows_out == 6 * results["vote"].rows_in
    strict = results["strict"]
    assert strict.counts["new pairs"] > 0
    assert strict.counts["judged before"] > 0
    assert results["judge-strictly"].rows_out == 2 * results["judge-strictly"].rows_in
    with open_project(folder) as project:
        output = results["label-strict"].output
        assert isinstance(output, Dataset)
        states = {row.state for row in read_table(output) if row.id in {row["pair"] for row in rows_of(strict)}}
        assert states <= {"labelled", "left out"}, "the experts have decided about all of them"
        assert project.config.scheme == "binary-loose"


def test_multipit_has_references_and_splits_by_time(posts: tuple[Path, Steps]) -> None:
    folder, steps = posts
    sets = rows_of(steps.results["references"])
    assert all(sum(row["set"] == number for row in sets) >= 2 for number in {row["set"] for row in sets})
    parts: dict[str, list[str]] = {}
    for line in (folder / "releases/1.0/data/pairs.jsonl").read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        parts.setdefault(pair["meta"]["part"], []).append(pair["time"])
    assert min(parts["test"]) > max(parts["dev"]) > max(parts["train"])


def test_multipit_rates_what_systems_write(posts: tuple[Path, Steps]) -> None:
    folder, steps = posts
    results = steps.results
    written = rows_of(results["write"])
    assert {row["system"] for row in written} == {"way:en-es>way:es-en", "way:en-pt>way:pt-en"}
    assert len({row["source"] for row in written}) == results["references"].rows_out
    assert {row["measure"] for row in rows_of(results["measure"])} == {"bleu", "self-bleu"}
    assert results["rate"].rows_out == 3 * results["rated"].rows_out > 0
    assert (folder / "ratings/index.html").is_file()
    assert "Generated paraphrases" in (folder / "report/index.html").read_text(encoding="utf-8")
    released = (folder / "releases/1.0/data/pairs.jsonl").read_text(encoding="utf-8")
    assert "way:" not in released
    assert "es-en" not in released


def test_multipit_trains_an_identifier_on_denoised_labels(posts: tuple[Path, Steps]) -> None:
    folder, steps = posts
    cleaned = rows_of(steps.results["denoise"])
    assert sum(row["label"] != row["was"] for row in cleaned) == steps.results["denoise"].counts["doubted"]
    strict, denoised = (
        json.loads((folder / f"models/strict/{name}/run.json").read_text()) for name in ("features", "denoised")
    )
    assert strict["train"]["pairs"] < denoised["train"]["pairs"]
    assert [test["digest"] for test in strict["tests"]] == [test["digest"] for test in denoised["tests"]]
    assert any("denoised labels were added" in note for note in denoised["notes"])


def test_turku_goes_on_to_classifiers_a_harvest_and_ranks(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    otherwords.new(folder, lang="en", scheme="turku")
    otherwords.import_(folder, "groups", SOURCES / "translations", licence="CC0-1.0")
    otherwords.import_(folder, "sentences", [*sorted((SOURCES / "sentences").iterdir())], licence="CC0-1.0")
    off = {"four-heads.model": "none", "encoder.base": "none"}
    small = {"strata.per_stratum": 6, "negatives.region": "similarity < 0.4", "positives.region": "similarity > 0.6"}
    small |= {f"{name}.settings": {"rounds": 20, "models": 1} for name in ("classifier", "bootstrapped")}
    steps = carried_out(folder, "turku", 3, RELEASED | off | small)
    assert otherwords.verify(folder / "releases/1.0", project=folder).sound
    baselines = (folder / "releases/1.0/baselines/README.md").read_text()
    assert "| overlap | test |" in baselines
    assert "| features | test, complete labels |" in baselines
    assert rows_of(steps.results["negatives"])
    assert (folder / "models/bootstrapped/features/run.json").is_file()
    ranks = {row["label"]: row for row in rows_of(steps.results["retrieval"]) if row["encoder"] == "tfidf"}
    assert 0 <= ranks["all"]["top1"] <= ranks["all"]["top10"] <= 1
    assert "How well paraphrases are found" in (folder / "report/index.html").read_text()
    skipped = {name for name, (state, _) in steps.items() if state == "skipped"}
    assert {"subtitles", "articles", "headings", "forum", "four-heads", "encoder"} <= skipped


def test_turku_without_a_pool_is_released_all_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    otherwords.new(folder, lang="en", scheme="turku")
    otherwords.import_(folder, "groups", SOURCES / "translations", licence="CC0-1.0")
    steps = carried_out(folder, "turku", 3, RELEASED | {"four-heads.model": "none", "encoder.base": "none"})
    assert otherwords.verify(folder / "releases/1.0", project=folder).sound
    assert steps["neighbours"] == ("skipped", "there is nothing for it to work on")
    assert steps["strata"] == ("skipped", "neighbours was skipped")
    assert {steps[name][0] for name in ("negatives", "positives", "bootstrapped", "retrieval")} == {"skipped"}
