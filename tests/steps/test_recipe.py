"""Recipes are checked before they run: order, inputs, parameters with their types and bounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from otherwords.steps import recipe as recipes
from otherwords.steps.catalogue import STEP_KINDS
from otherwords.steps.recipe import find_recipe, read_recipe, with_settings
from tests.errors import raises
from tests.project.pipeline.pairing import Pairing, PairingParameters


@pytest.fixture
def pairing() -> Iterator[Pairing]:
    """A kind of step that recipes know as ``pairing``."""
    kind = Pairing()
    with STEP_KINDS.register("pairing", kind.kind):
        yield kind


def recipe(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "method.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_recipe_is_put_in_order(pairing: Pairing, tmp_path: Path) -> None:
    text = """
    [[step]]
    name = "late"
    do = "pairing"
    after = ["early"]
    low = 0.25
    [[step]]
    name = "early"
    do = "pairing"
    [[step]]
    name = "texts"
    do = "import"
    paths = ["a.jsonl"]
    """
    steps = read_recipe(recipe(tmp_path, text))
    assert [step.name for step in steps] == ["texts", "early", "late"]
    assert steps[2].parameters == PairingParameters(low=0.25)


STEP = '[[step]]\nname = "one"\ndo = "pairing"\n'


@pytest.mark.parametrize(
    ("text", "code", "fact"),
    [
        ("", "empty-recipe", r"\[\[step\]\]"),
        ("step = 3", "empty-recipe", ""),
        ("step = [3]", "bad-step", "step 1"),
        ("[[step", "recipe-unreadable", ""),
        ('[[step]]\ndo = "pairing"\n', "bad-step", "name"),
        ('[[step]]\nname = "a/b"\ndo = "pairing"\n', "bad-step", "step 1"),
        ('[[step]]\nname = "one"\ndo = "pairin"\n', "unknown-step-kind", r"did you mean pairing\?"),
        ('[[step]]\nname = "one"\n', "bad-step", "do"),
        (STEP + STEP, "duplicate-step", "'one'"),
        (STEP + 'after = "x"\n', "bad-step", "after"),
        (STEP + 'after = ["x"]\n', "bad-step", "'x'"),
        (STEP + 'after = ["one"]\n', "steps-in-a-circle", "one → one"),
        (STEP + 'from = { pool = "one" }\n', "unknown-input", "pool"),
        (STEP + 'from = { labels = "later" }\n', "unknown-input", "later"),
        (STEP + "lo = 0.5\n", "unknown-parameter", r"step 'one': .*did you mean low\?"),
        (STEP + 'low = "x"\n', "bad-parameter", "low = 'x': expected a number from 0 to 1"),
        (STEP + "low = 1.5\n", "bad-parameter", "low = 1.5: expected a number from 0 to 1"),
        (STEP + "low = true\n", "bad-parameter", "low = True"),
        (STEP + "most = 0.5\n", "bad-parameter", "most = 0.5: expected a whole number of at least 0"),
        (STEP + "flag = 1\n", "bad-parameter", "flag = 1: expected true or false"),
        (STEP + "names = true\n", "bad-parameter", "names = True: expected a list"),
        (STEP + "title = true\n", "bad-parameter", "title = True: expected text"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_an_error_before_anything_runs(
    pairing: Pairing, tmp_path: Path, text: str, code: str, fact: str
) -> None:
    with raises(code, fact) as caught:
        read_recipe(recipe(tmp_path, text))
    assert str(caught.value).startswith(str(tmp_path / "method.toml"))


@pytest.mark.parametrize(
    ("value", "names"), [("x", ["x"]), ("x, y", ["x", "y"]), (1, ["1"]), (["x,y"], ["x,y"]), ("", [])]
)
def test_a_list_may_be_typed_as_text(pairing: Pairing, tmp_path: Path, value: object, names: list[str]) -> None:
    (changed,) = with_settings(read_recipe(recipe(tmp_path, STEP)), {"one.names": value})
    assert changed.parameters == PairingParameters(names=tuple(names))


def test_recipes_are_found_by_path_or_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipes, "SHIPPED", tmp_path)
    path = recipe(tmp_path, "")
    assert find_recipe("method") == path
    assert find_recipe(str(path)) == path
    with raises("no-such-recipe", r"did you mean method\?"):
        find_recipe("metod")
    with raises("recipe-unreadable", "No such file"):
        read_recipe(find_recipe(str(tmp_path / "none.toml")))


def test_a_recipe_names_what_a_step_reads(tmp_path: Path) -> None:
    text = """
    [[step]]
    name = "labels"
    do = "label"
    simulated = true
    [[step]]
    name = "parts"
    do = "split"
    from = { labels = "labels" }
    """
    labels, parts = read_recipe(recipe(tmp_path, text))
    assert parts.inputs == {"labels": labels}
    changed = with_settings([labels, parts], {"labels.simulated": False})
    assert changed[1].inputs == {"labels": changed[0]} != {"labels": labels}


def test_a_setting_reaches_steps_that_read_it_by_way_of_others() -> None:
    chain = [step for step in read_recipe(find_recipe("multipit")) if step.name in ("references", "write", "rated")]
    labels = chain[0].inputs["labels"]
    references, written, rated = with_settings([labels, *chain], {"references.fewest": 2})[1:]
    assert rated.inputs["outputs"] == written
    assert rated.inputs["outputs"].inputs["references"] == references != chain[0]


@pytest.mark.parametrize("name", ["multipit", "turku", "vila"])
def test_the_shipped_recipes_can_be_read(name: str) -> None:
    steps = read_recipe(find_recipe(name))
    split, *others = (step for step in steps if step.kind.name == "split")
    assert [producer.name for producer in split.inputs.values()] == ["label"]
    assert [step.name for step in others] == (["split-strict"] if name == "multipit" else [])


def test_settings_of_one_step_are_made_at_once(tmp_path: Path) -> None:
    """Outputs without the lines that they translate are refused, in whatever order both are set."""
    steps = read_recipe(recipe(tmp_path, '[[step]]\nname = "one"\ndo = "acquire-translate"\n'))
    settings = {"one.outputs": "a.txt,b.txt", "one.lines": "c.txt", "one.lang": "es"}
    (changed,) = with_settings(steps, settings)
    assert changed.as_json()["outputs"] == ["a.txt", "b.txt"]
    with raises("bad-parameter"):
        with_settings(steps, {"one.outputs": "a.txt,b.txt"})
