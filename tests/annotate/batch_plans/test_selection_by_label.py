"""Pairs chosen by the labels of any scheme, on both databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, insert

from otherwords.annotate.batch_plans.selection import select_pairs
from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.annotate.browse.filter import is_searchable_label, parse_filter
from otherwords.annotate.browse.filter_choices import offered_labels
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair
from tests.annotate.browsed import put_pairs

JUDGED = [
    ("natural", "suzuki", "Positive"),
    ("unnatural", "suzuki", "Unnatural"),
    ("both", "rupaws", {"well_formed": "yes", "paraphrase": "yes"}),
    ("imported", "rupaws", {"well_formed": True, "paraphrase": False}),
    ("marked", "likert", {"fluency": "5", "similarity": "4", "diversity": "1"}),
    ("numbers", "likert", {"fluency": 5, "similarity": 2, "diversity": 1}),
    ("counted", "good-poor", {"word": 2, "copy": 1}),
    ("several", "suzuki-changes", ["content-words", "order"]),
    ("turku", "turku", "4>s"),
    ("odd", "mine", 'a "quoted" 50%_ ä'),
]


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    with project.ledger.writing() as connection:
        put_pairs(connection, *(Pair(id=name, text1=f"One {name}.", text2="Two.") for name, _, _ in JUDGED))
        put_pairs(connection, Pair(id="came", text1="It came.", text2="So.", label="Unnatural"))
        rows = [
            row_of(Judgement(id=f"j-{name}", pair=name, scheme=scheme, value=value, annotator="anna"))
            for name, scheme, value in JUDGED
        ]
        connection.execute(insert(schema.judgements), rows)
        yield connection


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Positive", ["natural"]),
        ("Unnatural", ["unnatural", "came"]),
        ("natural", []),
        ("paraphrase=yes", ["both"]),
        ("paraphrase=no", ["imported"]),
        ("well_formed=yes", ["both", "imported"]),
        ("fluency=5", ["marked", "numbers"]),
        ("diversity=5", []),
        ("word", ["counted"]),
        ("order", ["several"]),
        ("4>s", ["turku"]),
        ('a "quoted" 50%_ ä', ["odd"]),
    ],
)
def test_labels_of_any_scheme(connection: Connection, project: Project, label: str, expected: list[str]) -> None:
    assert [item.item for item in select_pairs(connection, project, parse_filter({"label": label}))] == expected


def test_labels_that_a_filter_offers(connection: Connection, project: Project) -> None:
    before = offered_labels(connection, project)
    assert before[0] == "1"
    assert "4>s" in before
    for number, scheme in enumerate(("rupaws", "gone", "turku")):
        insert_batch(connection, f"b{number}", [BatchItem("both")], scheme=scheme)
    insert_batch(connection, "groups", [BatchItem("g")], scheme="topic", unit="group")
    names = ("well_formed=yes", "well_formed=no", "paraphrase=yes", "paraphrase=no")
    assert offered_labels(connection, project) == [*before, *names]


def test_what_is_a_label() -> None:
    assert all(map(is_searchable_label, ("4>s", "Unnatural", "paraphrase=yes", "5")))
    assert not any(map(is_searchable_label, ("3s", "4<>", "", "x" * 501, "a\nb")))
