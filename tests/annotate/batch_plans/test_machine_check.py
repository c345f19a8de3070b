"""The check whether people can tell machine-made pairs from others, on both databases."""

from __future__ import annotations

from collections import Counter

import pytest
from sqlalchemy import select

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.findings.answers import answers
from otherwords.annotate.batch_plans.machine_check import PEOPLE, SCHEME, who_made_them
from otherwords.api.batch import check_machine
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.records import Judgement, Pair
from tests.annotate.reading import put
from tests.errors import raises

METHODS = ("translate", "near", "swap", "random", "extracted")


@pytest.fixture
def candidates(project: Project) -> Project:
    for number in range(40):
        method = METHODS[number % 5]
        put(project, Pair(id=f"{method}-{number}", text1=f"One {number}.", text2=f"Two {number}.", method=method))
    return project


def test_half_are_machine_made_and_nothing_else_is_in_it(candidates: Project) -> None:
    created = check_machine(candidates.folder, "discern", size=12, seed=3)
    with candidates.ledger.reading() as connection:
        items = set(connection.execute(select(schema.slots.c.item)).scalars())
        truth = who_made_them(connection)
    assert (created.items, created.batch.asked, created.batch.scheme) == (12, 3, SCHEME)
    assert Counter(truth[item] for item in items) == {"machine": 6, "people": 6}
    assert not created.batch.rules.context


def test_too_few_or_an_odd_number_are_refused(candidates: Project) -> None:
    with raises("too-few-pairs"):
        check_machine(candidates.folder, "discern", size=40)
    with raises("odd-check-size"):
        check_machine(candidates.folder, "discern", size=7)


def test_the_f_score_is_that_of_the_answers_against_the_methods(candidates: Project) -> None:
    """Everybody takes half of the machine-made ones and one in three of the others for machine-made."""
    check_machine(candidates.folder, "discern", size=12)
    with candidates.ledger.reading() as connection:
        items = sorted(set(connection.execute(select(schema.slots.c.item)).scalars()))
        truth = who_made_them(connection)
    seen: Counter[str] = Counter()
    for item in items:
        seen[truth[item]] += 1
        taken_for_machine = seen[truth[item]] % (3 if truth[item] == PEOPLE else 2) == 0
        value = "machine" if taken_for_machine else "people"
        for name in ("anna", "ben", "cem"):
            given = {"id": f"{item}-{name}", "pair": item, "value": value, "annotator": name}
            put(candidates, Judgement(**given, scheme=SCHEME, batch="discern", purpose="agreement"))
    finding = answers(candidates, AnalysisOptions())
    assert finding is not None
    table = next(table for table in finding.tables if table.name == "truth")
    (row,) = [row for row in table.rows if row[0] == "machine"]
    cells = dict(zip([column.name for column in table.columns], row, strict=True))
    # 3 of 6 machine-made are found, with 2 others: precision 3/5, recall 3/6
    assert cells["f1"] == pytest.approx(2 * 3 / (2 * 3 + 2 + 3))
