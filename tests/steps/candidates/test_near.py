"""Near and random candidates as steps of a project, on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from otherwords.annotate.batch_plans.create import choose_items, create_batch
from otherwords.annotate.batch_plans.request import BatchRequest
from otherwords.project import Project
from otherwords.project.answer_cache import answer_cache
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.pipeline.kind import StepResult, make_step
from otherwords.project.pipeline.run import run_step
from otherwords.project.trace import trace
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Document, Pair
from otherwords.steps.catalogue import STEP_KINDS
from otherwords.steps.status import status
from tests.conftest import EXAMPLES
from tests.errors import raises

POOL = EXAMPLES / "sources/sentences/harbour.txt"


def acquire(project: Project, method: str, **parameters: object) -> StepResult:
    result = run_step(project, make_step(STEP_KINDS.get(f"acquire-{method}"), method, **parameters))[1]
    assert result is not None
    return result


def pairs(project: Project) -> list[Pair]:
    with project.ledger.reading() as connection:
        return list(read_records(connection, Pair))


@pytest.fixture
def pool(project: Project) -> Project:
    import_file(project, "sentences", POOL, licence="CC0-1.0")
    return project


def test_candidates_are_pairs_that_can_be_traced_to_their_sentences(pool: Project) -> None:
    result = acquire(pool, "near", low=0.2, most=12, seed=3)
    assert (result.rows_in, result.rows_out) == (100, 12)
    found = pairs(pool)
    assert len(found) == 12
    chain = trace(pool, found[0].id)
    assert chain["made"] == found[0].meta["made"]
    step = chain["made_by"]
    assert isinstance(step, dict)
    assert step["parameters"]["seed"] == 3
    documents = chain["documents"]
    assert isinstance(documents, list)
    assert [document["id"] for document in documents] == [found[0].doc1.id, found[0].doc2.id]  # type: ignore[union-attr]
    assert isinstance(result.output, Dataset)
    assert result.output.table()["pair"].to_pylist() == [pair.id for pair in found]


def test_a_second_step_says_how_many_of_its_pairs_were_there_before(pool: Project) -> None:
    first = acquire(pool, "near", low=0.2, most=6, seed=3)
    assert "there before, from elsewhere" not in first.counts
    again = run_step(pool, make_step(STEP_KINDS.get("acquire-near"), "again", low=0.2, most=12, seed=3))[1]
    assert again is not None
    added = len(pairs(pool)) - 6
    assert again.rows_out - again.counts["there before, from elsewhere"] == added < 12


def test_other_parameters_replace_what_is_in_no_batch(pool: Project) -> None:
    acquire(pool, "random", most=10)
    before = {pair.id for pair in pairs(pool)}
    with pool.ledger.writing() as connection:
        plan = BatchRequest(name="first", sample=4).plan(connection, pool)
        create_batch(connection, pool, plan, choose_items(connection, pool, plan))
        in_batch = set(connection.execute(select(schema.slots.c.item)).scalars())
    assert len(in_batch) == 4
    acquire(pool, "random", most=10, seed=9)
    after = {pair.id for pair in pairs(pool)}
    assert after & before == in_batch
    assert len(after) == 14


def test_fewer_than_wanted_is_counted_and_none_is_an_error(pool: Project) -> None:
    result = acquire(pool, "near", low=0.3, most=10_000)
    assert result.counts["fewer than wanted"] == 10_000 - result.rows_out
    with raises("no-candidates"):
        acquire(pool, "near", low=0.95)


def test_without_sentences_it_says_what_to_import(project: Project) -> None:
    with raises("no-documents"):
        acquire(project, "near")


def test_a_withdrawn_sentence_is_forgotten_by_models_too(pool: Project) -> None:
    acquire(pool, "near", low=0.2, most=12)
    with pool.ledger.reading() as connection:
        sentence = next(iter(read_records(connection, Document)))
    with answer_cache(pool) as cache:
        cache.store("apertium:en-es", {sentence.text: "una traducción", "another text": "otro texto"})
        cache.store("apertium:es-en", {"una traducción": "a translation"})
    assert [row["rows"] for row in status(pool)["cache"]] == [2, 1]
    result = withdraw(pool, sentence.id)
    assert result.erased["answers of models"] == 2
    assert [row["rows"] for row in status(pool)["cache"]] == [1]
    assert sentence.text.encode() not in (pool.folder / "cache/answers.sqlite").read_bytes()
