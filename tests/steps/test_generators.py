"""Systems write for the sources of references, are measured, and people rate them; none of it gets into the corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import Step, StepResult
from otherwords.project.pipeline.run import run_recipe
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Document, Judgement, Pair, Passage
from otherwords.steps.recipe import read_recipe, with_settings
from tests.annotate.disputed import say, taken
from tests.annotate.reading import put
from tests.errors import raises
from tests.learn.generation.training.tiny import REGULAR, llama
from tests.learn.generation.trial import Writer
from tests.learn.generation.trial import writers as writers
from tests.learn.neural.conftest import _threads_as_before as _threads_as_before

SOURCES = ("the ferry was late", "nobody knew the answer", "it rained all night")
WAYS = ["way:en-es>way:es-en", "way:en-fi>way:fi-en"]
SETTINGS: dict[str, Any] = {
    "write.systems": WAYS,
    "measure.metrics": ["bleu", "copies"],
    "measure.resamples": 20,
    "ratings.resamples": 20,
    "ratings.metrics": ["bleu"],
}
RECIPE = """
in_order = true
[[step]]
name = "label"
do = "label"
[[step]]
name = "references"
do = "references"
fewest = 2
from = { labels = "label" }
[[step]]
name = "split"
do = "split"
components = true
from = { labels = "label" }
[[step]]
name = "generator"
do = "train-generator"
base = "none"
from = { references = "references" }
optional = true
[[step]]
name = "write"
do = "write-outputs"
from = { references = "references" }
[[step]]
name = "measure"
do = "evaluate-generation"
from = { outputs = "write", references = "references" }
[[step]]
name = "rated"
do = "outputs"
from = { outputs = "write" }
[[step]]
name = "rate"
do = "people"
batches = ["rated"]
[[step]]
name = "ratings"
do = "evaluate-ratings"
batches = ["rated"]
from = { references = "references" }
"""


def judged(project: Project, name: str, texts: tuple[str, str], **more: Any) -> None:
    put(project, Pair(id=name, text1=texts[0], text2=texts[1], lang="en", group=name, **more))
    put(project, Judgement(id=f"j-{name}", pair=name, annotator="anna", scheme="turku", value="4"))


@pytest.fixture
def corpus(project: Project) -> Project:
    """Three texts of documents with two paraphrases each, and pairs that share no sentence with them."""
    for number, source in enumerate(SOURCES):
        put(project, Document(id=f"d{number}", text=source, lang="en", source="sentences"))
        for other in ("said differently", "in new words"):
            texts = (source, f"{source} {other}")
            judged(project, f"p{number}-{other[:2]}", texts, doc1=Passage(id=f"d{number}", start=0, end=len(source)))
    for number, texts in enumerate(REGULAR[:12]):
        judged(project, f"r{number}", texts)
    return project


def steps(folder: Path, **settings: Any) -> list[Step]:
    (folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    return with_settings(read_recipe(folder / "recipe.toml"), SETTINGS | settings)


def run(project: Project, settings: dict[str, Any] | None = None, only: str | None = None) -> dict[str, Any]:
    """What each step gave; None where nothing was to be done, a reason where it was skipped."""
    found: dict[str, Any] = {}

    def report(planned: Any, result: StepResult | None) -> None:
        found[planned.step.name] = planned.why if planned.state == "skipped" else result

    run_recipe(project, steps(project.folder, **(settings or {})), only=only, report=report)
    return found


def rows(result: StepResult) -> list[dict[str, Any]]:
    assert isinstance(result.output, Dataset)
    return result.output.table().to_pylist()


def pairs(project: Project) -> list[Pair]:
    with project.ledger.reading() as connection:
        return list(read_records(connection, Pair))


def rate(project: Project) -> None:
    """Three people rate everything that waits."""
    with project.ledger.writing() as connection:
        for rater in ("ben", "cleo", "dora"):
            for number, reservation in enumerate(taken(connection, "rated", rater).values()):
                value = {"fluency": "5", "similarity": str(1 + number % 5), "diversity": "2"}
                say(connection, rater, reservation, value)


def test_from_references_to_the_ratings_of_people(corpus: Project, writers: list[Writer]) -> None:
    before = len(pairs(corpus))
    first = run(corpus)
    assert first["generator"] == "it is turned off; --set generator.base= turns it on again"
    assert {(row["source"], row["system"]) for row in rows(first["write"])} == {
        (source, way) for source in SOURCES for way in WAYS
    }
    assert all(row["document"] == f"d{SOURCES.index(row['source'])}" for row in rows(first["write"]))
    scores = {(row["system"], row["measure"]): row for row in rows(first["measure"])}
    assert scores[WAYS[0], "bleu"]["n"] == 3
    assert scores[WAYS[1], "copies"]["value"] == 0
    assert scores["references (mean)", "self-bleu"]["value"] > 0
    assert first["rated"].counts["judgements asked for"] == 3 * first["rated"].rows_out == 18
    assert first["rate"].waiting is not None
    assert {pair.method for pair in pairs(corpus)[before:]} == {"output"}, "no candidates"
    rate(corpus)
    second = run(corpus)
    assert {name for name, result in second.items() if isinstance(result, StepResult)} == {"rate", "ratings"}, (
        "what people say about outputs makes no label, no split and no model stale"
    )
    assert second["ratings"].counts["judgements"] == "18"
    assert "way:en-fi" in (corpus.folder / "ratings/index.html").read_text("utf-8")
    with corpus.ledger.reading() as connection:
        counted = connection.execute(select(func.count()).select_from(schema.slots)).scalar_one()
    third = run(corpus, {"ratings.resamples": 10})
    assert {name for name, result in third.items() if isinstance(result, StepResult)} == {"ratings"}
    with corpus.ledger.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.slots)).scalar_one() == counted


def test_systems_that_cannot_write_here_are_left_out(corpus: Project, writers: list[Writer]) -> None:
    systems = ["models/generator", "way:fi-en>way:en-fi", WAYS[0]]
    result = run(corpus, {"write.systems": systems})["write"]
    assert set(result.counts["left out"]) == set(systems[:2])
    assert result.counts["left out"]["models/generator"] == "no generator was trained there"
    assert result.counts["written"] == {WAYS[0]: 3}
    with raises("no-system-here", r"no generator was trained there; way:fi-en>way:en-fi is for fi"):
        run(corpus, {"write.systems": systems[:2]})


def test_a_withdrawal_reaches_outputs_and_what_people_see(corpus: Project, writers: list[Writer]) -> None:
    first = run(corpus)
    written = first["write"].output.folder
    withdraw(corpus, "d0")
    assert not written.exists()
    shown = [pair for pair in pairs(corpus) if pair.method == "output"]
    assert len(shown) == 6
    assert not [pair for pair in shown if SOURCES[0] in pair.text1 + pair.text2]
    assert {pair.text1 for pair in shown} == {"", *SOURCES[1:]}
    again = run(corpus)
    assert {row["source"] for row in rows(again["write"])} == set(SOURCES[1:])
    assert again["rated"].rows_out == 4, "nobody is asked about what is gone, and nothing is added"


def test_a_pair_of_a_file_is_withdrawn_with_its_outputs(corpus: Project, writers: list[Writer]) -> None:
    for other in ("one", "two"):
        judged(corpus, f"f-{other}", ("a text of no document", f"a text of no document {other}"))
    run(corpus)
    withdraw(corpus, "f-one")
    withdraw(corpus, "f-two")
    assert not [pair for pair in pairs(corpus) if "no document" in pair.text1 + pair.text2]


@pytest.fixture
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers", reason="the extra hf is not installed")
    return llama(tmp_path_factory.mktemp("tiny"))


def test_a_generator_learns_from_no_sentence_of_the_references(
    corpus: Project, base: Path, writers: list[Writer]
) -> None:
    settings = {
        "generator.base": f"hf:{base}",
        "generator.lora": False,
        "generator.max_bleu": 100.0,
        "generator.settings": {"epochs": 1, "batch": 4, "threads": 1},
        "split.parts": "train=80/dev=20",
        "write.systems": [WAYS[0], "models/generator?tokens=8"],
    }
    first = run(corpus, settings)
    learnt = first["generator"]
    assert learnt.counts["dropped"]["it shares a sentence with a test"] > 0
    assert 0 < learnt.rows_out <= 12
    assert (corpus.folder / "models/generator/generator.json").is_file()
    trained = [row for row in rows(first["write"]) if row["system"].startswith("models/")]
    assert {row["train_pairs"] for row in trained} == {learnt.rows_out}
    assert run(corpus, settings)["generator"] is None
    withdraw(corpus, "d1")
    assert not (corpus.folder / "models/generator").exists()


def test_bad_parameters(project: Project) -> None:
    for name, value in (("write.beam", -1), ("generator.max_bleu", 101), ("measure.resamples", -1), ("rated.ask", "x")):
        with raises("bad-parameter", name.partition(".")[2]):
            steps(project.folder, **{name: value})
    with raises("bad-parameter", "name the batches"):
        steps(project.folder, **{"ratings.batches": []})
