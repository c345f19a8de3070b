"""Pairs looked for by the labels of any scheme, on both databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, insert

from otherwords.annotate.batches import Wanted, make
from otherwords.annotate.choosing import select_pairs
from otherwords.annotate.filter_choices import offered_labels
from otherwords.annotate.pair_filter import is_label, parse
from otherwords.project import Project, schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair
from tests.annotate.browsed import put_pairs

SAID = [
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
        put_pairs(connection, *(Pair(id=name, text1=f"One {name}.", text2="Two.") for name, _, _ in SAID))
        put_pairs(connection, Pair(id="came", text1="It came.", text2="So.", label="Unnatural"))
        rows = [
            row_of(Judgement(id=f"j-{name}", pair=name, scheme=scheme, value=value, annotator="anna"))
            for name, scheme, value in SAID
        ]
        connection.execute(insert(schema.judgements), rows)
        yield connection


@pytest.mark.parametrize(
    ("label", "found"),
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
def test_any_scheme(connection: Connection, project: Project, label: str, found: list[str]) -> None:
    assert [one.item for one in select_pairs(connection, project, parse({"label": label}))] == found


def test_what_is_offered(connection: Connection, project: Project) -> None:
    before = offered_labels(connection, project)
    assert before[0] == "1"
    assert "4>s" in before
    for number, scheme in enumerate(("rupaws", "gone", "turku")):
        make(connection, f"b{number}", [Wanted("both")], scheme=scheme)
    make(connection, "groups", [Wanted("g")], scheme="topic", unit="group")
    names = ("well_formed=yes", "well_formed=no", "paraphrase=yes", "paraphrase=no")
    assert offered_labels(connection, project) == [*before, *names]


def test_what_can_be_looked_for() -> None:
    assert all(map(is_label, ("4>s", "Unnatural", "paraphrase=yes", "5")))
    assert not any(map(is_label, ("3s", "4<>", "", "x" * 501, "a\nb")))
