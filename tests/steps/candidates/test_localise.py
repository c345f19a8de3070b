"""A corpus carried over as a step: every original is accounted for, and erased with what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import otherwords
from otherwords.models.catalogue import ENCODERS, TRANSLATORS
from otherwords.models.edges import Item, Reply
from otherwords.project import Project
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.project.left_out import left_out_pairs
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import StepResult, make_step
from otherwords.project.pipeline.run import run_step
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Pair
from otherwords.steps.catalogue import STEP_KINDS
from tests.conftest import EXAMPLES
from tests.errors import raises

PAIRS = EXAMPLES / "pairs.jsonl"


class Endings:
    """A translator that gives every word an ending, or takes it away; ``what``: its languages, and what it adds."""

    batch_size = 32

    def __init__(self, what: str) -> None:
        pair, _, self.tail = what.partition("+")
        self.languages = (pair.split("-")[0], pair.split("-")[1])
        self.name = self.signature = f"endings:{what}"

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        for item in items:
            there = self.languages[0] == "en"
            text = " ".join(f"{word}o" if there else word.removesuffix("o") for word in item.text.split())
            yield Reply(item.id, f"{text} {self.tail}".strip())

    def close(self) -> None: ...


class Letters:
    """An encoder of letters, whatever their case."""

    batch_size, dimension, languages = 32, 26, ()

    def __init__(self, what: str) -> None:
        self.name = self.signature = f"letters:{what}"

    def encode(self, items: Sequence[Item]) -> Iterator[Reply[np.ndarray]]:
        for item in items:
            counts = np.array([item.text.lower().count(chr(97 + letter)) for letter in range(26)], np.float32)
            yield Reply(item.id, counts / max(float(np.linalg.norm(counts)), 1e-9))

    def close(self) -> None: ...


@pytest.fixture(autouse=True)
def stand_ins() -> Iterator[None]:
    with TRANSLATORS.register("endings", Endings), ENCODERS.register("letters", Letters):
        yield


@pytest.fixture
def english(project: Project) -> Project:
    import_file(project, "pairs", PAIRS, licence="CC0-1.0")
    return project


def acquire(project: Project, **parameters: object) -> StepResult:
    result = run_step(project, make_step(STEP_KINDS.get("acquire-localise"), **parameters))[1]
    assert result is not None
    return result


def moved(project: Project) -> list[Pair]:
    with project.ledger.reading() as connection:
        return list(read_records(connection, Pair, schema.pairs.c.method == "localise"))


def test_every_original_has_a_row_with_its_fate(english: Project) -> None:
    systems = ["endings:en-es+zzzzzz", "endings:en-es"]
    result = acquire(english, systems=systems, encoder="letters:x", least_similar=0.8)
    assert isinstance(result.output, Dataset)
    rows = result.output.table().to_pylist()
    assert len(rows) == result.rows_in == 260
    assert all(row["kept"] == (row["stage"] is None) for row in rows)
    assert sum(row["kept"] for row in rows) == result.rows_out == len(moved(english))
    assert result.counts["stages"]["original pairs"] == 260
    assert list(result.counts["stages"].values())[-1] == result.rows_out
    assert {system for pair in moved(english) for system in pair.meta["made"]["systems"]} == {"endings:en-es"}
    assert {pair.label for pair in moved(english)} == {None}


def test_without_an_encoder_the_nearest_is_what_comes_back_best(english: Project) -> None:
    result = acquire(english, systems=["endings:en-es+ruido", "endings:en-es"], backs=["endings:es-en"] * 2)
    assert result.rows_out > 200
    chosen = [system for pair in moved(english) for system in pair.meta["made"]["systems"]]
    assert chosen.count("endings:en-es") > 0.95 * len(chosen)


def test_a_withdrawn_original_takes_its_translation_along(english: Project) -> None:
    acquire(english, systems=["endings:en-es"], backs=["endings:es-en"])
    pair = moved(english)[0]
    withdraw(english, pair.meta["made"]["original"])
    texts = {each.id: each.text1 for each in moved(english)}
    assert texts[pair.id] == ""
    assert sum(text == "" for text in texts.values()) == 1


def test_outputs_that_systems_made_elsewhere_will_do(english: Project) -> None:
    with english.ledger.reading() as connection:
        texts = [text for pair in read_records(connection, Pair) for text in (pair.text1, pair.text2)]
    lines = [line for line in dict.fromkeys(" ".join(text.split()) for text in texts) if line][5:]
    made = {
        "lines": lines,
        "good": [f"{line} sí" for line in lines],
        "poor": [f"{line} no" for line in lines],
        "good.back": lines,
        "poor.back": [line[::-1] for line in lines],
    }
    for name, column in made.items():
        (english.folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in column))
    chosen = {"lines": "lines.txt", "lang": "es", "outputs": ["poor.txt", "good.txt"]}
    result = acquire(english, **chosen, back_outputs=["poor.back.txt", "good.back.txt"], keep_originals=False)
    assert result.counts["dropped"]["translation"] > 0, "for five lines there is no translation"
    assert {system for pair in moved(english) for system in pair.meta["made"]["systems"]} == {"good"}
    assert all(pair.text1.endswith(" sí") and pair.lang == "es" for pair in moved(english))
    by_label = result.counts["labels"]
    assert sum(stages["original pairs"] for stages in by_label.values()) == 260
    assert sum(list(stages.values())[-1] for stages in by_label.values()) == result.rows_out
    with english.ledger.reading() as connection:
        assert set(left_out_pairs(connection)) == set(result.output.table()["original"].to_pylist())  # type: ignore[union-attr]
    with raises("bad-parameter"):
        acquire(english, **chosen)
    with raises("no-pairs"):
        acquire(english, **chosen | {"lang": "en"}, encoder="letters:x")


def test_candidates_of_other_steps_are_no_originals(english: Project) -> None:
    localise = make_step(STEP_KINDS.get("acquire-localise"), systems=["endings:en-es"], backs=["endings:es-en"])
    run_step(english, localise)
    import_file(english, "sentences", EXAMPLES / "sources/sentences/harbour.txt")
    run_step(english, make_step(STEP_KINDS.get("acquire-random"), most=5))
    assert run_step(english, localise)[0].state == "done"


def test_it_waits_until_somebody_names_the_systems(english: Project) -> None:
    assert acquire(english).waiting is not None
    with raises("bad-parameter", "--set systems="):
        otherwords.acquire(english.folder, "localise")


def test_what_cannot_work_is_refused(english: Project) -> None:
    with raises("no-pairs"):
        acquire(english, systems=["endings:fi-es"], backs=["endings:es-fi"])
    with raises("no-pairs"):
        acquire(english, source="elsewhere", systems=["endings:en-es"], backs=["endings:es-en"])
