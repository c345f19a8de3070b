"""Batches by worth: the most worthwhile pairs, and a random share that the ledger marks and estimates go by."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from sqlalchemy import select

import otherwords
from otherwords.annotate.batch_plans.request import decode_request, refuse_paths
from otherwords.annotate.schemes import load_scheme
from otherwords.annotate.work.answers import AnswerBody, save_answers
from otherwords.annotate.work.reservations import reserve
from otherwords.learn.judging.worth import entropy, k_centres, ranking, trigram_vector
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.records import Pair
from tests.errors import raises
from tests.learn.judging.models import fill, overlap_run

WORDS = ["the", "red", "boat", "lay", "at", "the", "old", "pier", "all", "day"]
POOL = [  # of rising word overlap; the classifier is least sure in the middle
    Pair(
        id=f"p{number}",
        text1=" ".join(WORDS),
        text2=" ".join([*WORDS[:number], *(f"{number}{n}" for n in range(9 - number))]),
    )
    for number in range(10)
]


def chances(project: Project, batch: str) -> dict[str, float | None]:
    slots = schema.slots
    with project.ledger.reading() as connection:
        rows = connection.execute(
            select(slots.c.item, slots.c.chance).where(slots.c.batch == batch).order_by("position")
        )
        return {row.item: row.chance for row in rows}


def test_a_share_is_random_and_the_rest_is_what_the_model_is_least_sure_of(project: Project, tmp_path: Path) -> None:
    run = overlap_run(tmp_path)
    fill(project, pairs=POOL)
    options = {"scheme": "binary-loose", "sample": 5, "order": "uncertainty", "models": [str(run.folder)]}
    created = otherwords.batch.new(project.folder, "hard", **options)
    found = chances(project, "hard")
    assert created.items == len(found) == 5
    assert sorted(chance for chance in found.values() if chance is not None) == [0.0, 0.0, 0.0, 0.0, 0.1]
    random = next(item for item, chance in found.items() if chance)
    plan = decode_request({"name": "x", "order": "uncertainty", "models": [str(run.folder)]})
    with project.ledger.reading() as connection:
        rank = ranking(project, plan.plan(connection, project))
        assert rank is not None
        best = rank(connection, [pair.id for pair in POOL if pair.id != random], 4)
    assert set(best) == {item for item, chance in found.items() if chance == 0}
    otherwords.batch.new(project.folder, "again", **options)
    assert chances(project, "again") == found  # the same seed draws the same
    otherwords.batch.new(project.folder, "plain", scheme="binary-loose")
    assert set(chances(project, "plain").values()) == {None}


def test_a_batch_of_everything_begins_with_the_most_worthwhile(project: Project, tmp_path: Path) -> None:
    run = overlap_run(tmp_path)
    fill(project, pairs=POOL)
    options = {"scheme": "binary-loose", "order": "uncertainty", "models": [str(run.folder)]}
    otherwords.batch.new(project.folder, "all", **options)
    otherwords.batch.new(project.folder, "none", random_share=0.0, **options)
    found = chances(project, "all")
    assert len(found) == 10
    assert sum(chance == 0.2 for chance in found.values()) == 2
    by_worth = [item for item in chances(project, "none") if not found[item]]
    assert [item for item, chance in found.items() if not chance] == by_worth


def test_estimates_go_by_the_random_share(project: Project, tmp_path: Path) -> None:
    fill(project, pairs=POOL)
    otherwords.batch.new(project.folder, "spread", scheme="turku", order="diverse", random_share=0.5, sample=8)
    found = chances(project, "spread")
    random = [item for item, chance in found.items() if chance]
    assert len(random) == 4
    with project.ledger.writing() as connection:
        taken = reserve(connection, "spread", "anna", 8)
        sent = []
        for held in taken:
            value = "1" if held.item in random[1:] else "4"
            sent.append(("anna", AnswerBody(key=held.item, slot=held.slot, value=value)))
        save_answers(connection, sent, load_scheme, lambda *_: True)
    estimates = {row.label: row for row in otherwords.batch.show(project.folder, "spread").estimates}
    assert (estimates["4"].pairs, estimates["4"].judged, estimates["4"].share) == (1, 4, 0.25)
    assert estimates["4"].low < 0.25 < estimates["4"].high < 0.75  # all judgements together would say 0.625
    [result] = otherwords.analyse(project.folder, only=["labels"])
    tables = {table.name: table for finding in result.findings for table in finding.tables}
    assert [row[1] for row in tables["estimates"].rows] == ["1", "4"]


def test_disagreement_of_two_models_and_with_imported_labels(project: Project, tmp_path: Path) -> None:
    run = overlap_run(tmp_path)
    labelled = [*POOL[:5], *(msgspec.structs.replace(pair, label="1") for pair in POOL[5:])]
    fill(project, pairs=labelled)
    options = {"scheme": "turku", "order": "disagreement", "random_share": 0.0, "sample": 2}
    otherwords.batch.new(project.folder, "wrong", models=[str(run.folder)], **options)
    assert set(chances(project, "wrong")) == {"p8", "p9"}  # most alike, and called unrelated
    otherwords.batch.new(project.folder, "two", models=[str(run.folder)] * 2, **options)
    assert len(chances(project, "two")) == 2


def test_what_needs_an_order(project: Project) -> None:
    fill(project, pairs=POOL)
    for options in ({"random_share": 0.5}, {"models": ["run"]}):
        with raises("models-without-order", "--order disagreement"):
            otherwords.batch.new(project.folder, "random", sample=2, **options)


def test_what_an_order_needs(project: Project) -> None:
    fill(project, pairs=POOL)
    for order in ("uncertainty", "disagreement"):
        with raises("models-for-order"):
            otherwords.batch.new(project.folder, "hard", order=order)
    with raises("not-a-run"):
        otherwords.batch.new(project.folder, "hard", order="uncertainty", models=["nowhere"])
    with raises("bad-batch-option"):
        decode_request({"name": "hard", "order": "wisdom"})
    with raises("bad-batch-option"):
        decode_request({"name": "hard", "random_share": "1.5"})
    with raises("models-on-the-server"):
        refuse_paths(decode_request({"name": "hard", "order": "uncertainty", "models": "run:/etc"}))
    with raises("no-order-by-worth"):
        otherwords.batch.new(project.folder, "topics", order="diverse", scheme="topic")


def test_centres_are_far_apart() -> None:
    vectors = np.array([[0.0], [0.1], [5.0], [5.1], [10.0]])
    assert k_centres(vectors, 3) == [2, 0, 4]
    assert sorted(k_centres(vectors, 9)) == [0, 1, 2, 3, 4]
    assert k_centres(vectors, 0) == k_centres(np.zeros((0, 2)), 3) == []
    assert np.linalg.norm(trigram_vector("a boat")) == pytest.approx(1)
    assert np.array_equal(trigram_vector("A boat"), trigram_vector("a boat"))


def test_entropy_is_in_bits() -> None:
    assert entropy(np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]])).tolist() == pytest.approx([1.0, 0.0, 0.811278])
