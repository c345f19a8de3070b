"""The pages of models and of mining: the same numbers as the commands print, for curators."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import insert, update
from starlette.testclient import TestClient

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.api import evaluate
from otherwords.learn.runs.run import open_run
from otherwords.project import Project
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.pipeline.run import run_recipe
from otherwords.records import Judgement
from otherwords.simulate.options import SimulationOptions
from otherwords.simulate.simulation import simulate
from otherwords.steps.known_recipes import keep_recipe
from otherwords.steps.recipe import read_recipe
from otherwords.web.texts import ENGLISH, texts_of
from tests.conftest import EXAMPLES
from tests.steps.test_mining import RECIPE
from tests.web.people import Person
from tests.web.test_texts import TRANSLATED, visible

PersonNamed = Callable[[str], Person]
FILLED = ("/models", "/models/features", "/mining?confidence=cosine&everything=true", "/crowd/first")
NAMES = {
    "https://app.prolific.com/…?cc={code}",
    "corpus",
    "carl",
    "otherwords",
    "JSON",
    "CSV",
    "features",
    "always",
    "majority",
    "test",
    "dev",
    "cosine",
}
NAMES |= {"neighbours", "negatives", "p_negative", "p_positive", "p_4", "margin"}
NAMES |= {"mine", "stories", "sim-anna", "sim-ben", "first", "Dawid–Skene", "prolific", "mturk"}
NAMES |= {"strata", "again", "double", "extracted", "https://app.prolific.com/…?cc={code}"}
NAMES |= {"1 no"}  # which Spanish says in the same way
NO_TEXT = re.compile(
    r"[^A-Za-z]*|mine-[0-9a-f]+|[\w-]+\|.*|\w+: n = .*|\w+, \w+: n = .*|n = \d+|[\d.–%, ]+|test \(.*\)"
)
POOL = EXAMPLES / "sources/sentences/harbour.txt"


def fill(project: Project, recipe: Path) -> None:
    """Mine, have the sample judged, harvest and train."""
    import_file(project, "sentences", POOL, licence="CC0-1.0")
    run_recipe(project, read_recipe(recipe))
    simulate(project, SimulationOptions(people=2, accuracy=0.8))
    run_recipe(project, read_recipe(recipe))
    with project.ledger.writing() as connection:
        keep_recipe(connection, project.folder, recipe)


def left_in_english(carl: Person, language: str) -> set[str]:
    """What the pages say in English and in another language alike, but for names and what is the same in both."""
    same = {key.rpartition("|")[2] for key, translation in texts_of(language).items() if key.endswith(str(translation))}
    left = set()
    for path in FILLED:
        texts = [
            visible(carl.get(path, headers={"accept": "text/html", "accept-language": chosen}).text)
            for chosen in (ENGLISH, language)
        ]
        left |= {text for text in texts[0] & texts[1] if text not in NAMES | same and not NO_TEXT.fullmatch(text)}
    return left


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_an_empty_project_says_what_to_do(person: PersonNamed) -> None:
    carl = person("carl")
    assert "otherwords train classifier" in carl.get("/models").text
    page = carl.get("/mining").text
    assert "otherwords mine FILES" in page
    assert 'id="no-tiles"' in page
    assert carl.get("/models.json").json() == {"models": [], "rows": [], "remarks": []}
    assert carl.get("/mining.json").json() == carl.get("/mining/harvests.json").json() == []
    assert carl.get("/models/none").status_code == carl.get("/models/..%2F..").status_code == 404


def test_what_was_mined_and_trained(folder: Path, client: TestClient, person: PersonNamed) -> None:
    project: Project = client.app.state.site.project  # type: ignore[attr-defined]
    recipe = folder / "recipe.toml"
    recipe.write_text(RECIPE.replace('"majority"', '"features"'), encoding="utf-8")
    fill(project, recipe)
    carl = person("carl")
    ladder = carl.get("/models.json").json()
    run = folder / "models" / "features"
    printed = evaluate.classifier([run]).as_list()
    assert [row["model"] for row in ladder["rows"]] == [row["model"] for row in printed]
    assert [row["accuracy"] for row in ladder["rows"]] == [row["accuracy"] for row in printed]
    assert len(rows(carl.get("/models.csv").text)) == len(printed) > 1
    page = carl.get("/models").text
    assert 'href="/models/features"' in page
    assert '<div class="plot"' in page
    assert '<a href="/models/features">what it made</a>' in carl.get("/method").text
    # Its mistakes, without those that the viewer still has to judge.
    reply = carl.get("/models/features.json").json()
    assert reply["problem"] is None
    assert reply["pairs"] == sum(test.pairs for test in open_run(run).record.tests)
    assert all(row["low"] - 1e-9 <= row["errors"] <= row["high"] + 1e-9 for row in reply["rows"])
    assert len(rows(carl.get("/models/features.csv").text)) == len(reply["rows"]) > 3
    predicted = open_run(run).predictions()[0]
    answers = zip(predicted.ids, predicted.gold, predicted.predicted, strict=True)
    wrong = [id for id, gold, label in answers if gold != label]
    assert sorted(mistake["pair"] for mistake in reply["mistakes"]) == sorted(wrong)
    assert wrong, "the test needs a mistake"
    with project.ledger.writing() as connection:
        insert_batch(connection, "again", [BatchItem(wrong[0])], scheme="turku", author="ada")
        connection.execute(update(schema.slots).where(schema.slots.c.batch == "again").values(holder="carl"))
    hidden = carl.get("/models/features.json").json()
    assert hidden["unseen"] == 1
    assert wrong[0] not in {mistake["pair"] for mistake in hidden["mistakes"]}
    assert wrong[0] not in carl.get("/models/features").text
    # Pools, tiles and harvests.
    (pool,) = carl.get("/mining.json").json()
    assert (pool["name"], pool["sentences"]) == ("neighbours", 100)
    tiles = carl.get("/mining/tiles.json?confidence=cosine&everything=true").json()
    assert tiles["problem"] is None
    assert sum(tile["pairs"] for tile in tiles["tiles"]) > 20
    assert all(tile["low"] - 1e-9 <= tile["share"] <= tile["high"] + 1e-9 for tile in tiles["tiles"])
    assert (
        "Name one of these as the confidence" in carl.get("/mining/tiles.json?confidence=p_negative").json()["problem"]
    )
    assert carl.get("/mining/tiles.json").json()["confidence"] == "cosine"  # that mined pairs have
    (harvest,) = carl.get("/mining/harvests.json").json()
    assert (harvest["step"], harvest["side"]) == ("negatives", "negative")
    assert harvest["low"] <= harvest["precision"] <= harvest["high"]
    page = carl.get("/mining?confidence=cosine").text
    assert "kept for estimates of the precision, and not shown" in page
    assert "also pairs that are kept for estimates" in page, "the page says how they are shown"
    assert "--all" not in page
    page = carl.get("/mining?confidence=cosine&everything=true").text
    assert page.count("<rect") == len(tiles["tiles"])
    for language in TRANSLATED:  # nothing of this is left in English
        assert left_in_english(carl, language) == set()
    # A new judgement: the step would train the model again.
    with project.ledger.writing() as connection:
        later = Judgement(id="later", pair="p0", value="1", annotator="anna", scheme="turku")
        connection.execute(insert(schema.judgements).values(**row_of(later)))
    assert 'title="its inputs changed"' in carl.get("/models").text
    with project.holding():
        assert "in use" in carl.get("/models/features.json").json()["problem"]
