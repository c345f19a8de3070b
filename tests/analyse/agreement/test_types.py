"""IAPTA on judgements: who is compared on what, scheme by scheme."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert

from otherwords.analyse.agreement.agree import agree
from otherwords.analyse.agreement.types import type_means, types_agreement
from otherwords.measures.agreement import Coefficient
from otherwords.measures.agreement.iapta import MEASURES
from otherwords.measures.agreement.spans import MOST_PAIRS
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair
from otherwords.sources import open_records
from tests.conftest import EXAMPLES

PAIRS = {name: Pair(id=name, text1="one two three", text2="three two one", lang="en") for name in ("p1", "p2")}
ORDER: dict[str, Any] = {"type": "order", "scope1": [[0, 3]], "scope2": [[10, 13]], "projection": "local"}
OTHER: dict[str, Any] = {**ORDER, "type": "semantic"}
ADDED: dict[str, Any] = {"type": "addition_deletion", "scope1": [[0, 3]], "projection": "local"}


def judgement(id: str, pair: str, value: Any, annotator: str | None, **others: Any) -> Judgement:
    return Judgement(id=id, pair=pair, value=value, annotator=annotator, **{"scheme": "vila", **others})


def coefficient(*judgements: Judgement, measure: str = "iapta-do-f1", **options: Any) -> Coefficient:
    figures = types_agreement(judgements, PAIRS, replicates=0, **options)
    return next(figure for figure in figures if figure.measure == measure)


@pytest.mark.parametrize(
    ("judgements", "value", "n"),
    [
        ([judgement("a", "p1", [ORDER], "anna"), judgement("b", "p1", [ORDER], "ben")], 1.0, 1),
        ([judgement("a", "p1", [ADDED], "anna"), judgement("b", "p1", [ADDED], "ben")], 1.0, 1),
        (
            [
                judgement("a", "p1", {"paraphrase": "yes", "types": [ORDER]}, "anna"),
                judgement("b", "p1", [OTHER], "ben"),
            ],
            0.0,
            1,
        ),
        ([judgement("a", "p1", {"paraphrase": "no"}, "anna"), judgement("b", "p1", [OTHER], "ben")], 0.0, 1),
        (
            [
                judgement("a", "p1", [OTHER], "anna"),
                judgement("b", "p1", [ORDER], "ben"),
                judgement("c", "p1", [ORDER], "anna", supersedes="a"),
                judgement("d", "p1", [OTHER], None, kind="consensus"),
            ],
            1.0,
            1,
        ),
    ],
)
def test_the_last_judgement_of_each_annotator_is_compared(judgements: list[Judgement], value: float, n: int) -> None:
    figure = coefficient(*judgements)
    assert (figure.value, figure.n, figure.annotators) == (value, n, ("anna", "ben"))


def test_of_many_annotators_a_bounded_number_of_pairs_is_compared_and_the_mean_says_so() -> None:
    judgements = [
        judgement(f"{person}-{pair}", pair, [ORDER if person % 4 else OTHER], f"w{person:03}")
        for person in range(60)
        for pair in (("p1", "p2") if person < 10 else ("p1",))
    ]
    figures = types_agreement(judgements, PAIRS, replicates=0)
    assert len(figures) == MOST_PAIRS * len(MEASURES)
    met_twice = {figure.annotators for figure in figures if figure.n == 2}
    assert len(met_twice) == 45  # all pairs of the ten who share most
    left_out = "only the 100 pairs of annotators who share most: 1,670 left out"
    assert all(left_out in str(figure.note) for figure in figures)
    [mean] = [mean for mean in type_means(figures) if mean.measure == "iapta-do-f1-mean"]
    assert mean.note == f"mean of 100 pairs of annotators; pairs that both annotated; {left_out}"


def test_schemes_are_kept_apart() -> None:
    both = [
        judgement(f"{name}-{scheme}", "p1", [ORDER], name, scheme=scheme) for scheme in ("vila", "own") for name in "ab"
    ]
    figures = types_agreement(both, PAIRS, replicates=0)
    assert len(figures) == 2 * len(MEASURES)
    assert [figure.signature.rpartition("|")[2] for figure in figures[:: len(MEASURES)]] == [
        "scheme:vila",
        "scheme:own",
    ]


def test_a_type_outside_the_scheme_is_left_out_and_noted() -> None:
    magic = {**ORDER, "type": "magic"}
    figure = coefficient(judgement("a", "p1", [ORDER, magic], "anna"), judgement("b", "p1", [ORDER], "ben"))
    assert figure.value == 1.0
    assert "left out of anna: 1 phenomenon where the type magic is unknown" in str(figure.note)


def test_missing_texts_and_malformed_phenomena_are_noted() -> None:
    broken = {"type": "order", "scope1": 7}
    judgements = [judgement("a", "p1", [ORDER, broken], "anna"), judgement("b", "p1", [ORDER], "ben")]
    figure = coefficient(*judgements, judgement("c", "lost", [ORDER], "anna"))
    assert figure.value == 1.0
    assert "1 judgements that do not carry their texts" in str(figure.note)
    assert "phenomena left out: not a phenomenon: Expected `array`, got `int`" in str(figure.note)


def test_texts_are_tokenised_as_the_judgement_says() -> None:
    half = {**ORDER, "scope1": [[0, 2]]}
    judgements = [
        judgement(name, "p1", [phenomenon], name, meta={"tokeniser": "char"})
        for name, phenomenon in (("anna", ORDER), ("ben", half))
    ]
    assert coefficient(*judgements, measure="iapta-tpo-total").value == 0.0
    words = [judgement(name, "p1", [phenomenon], name) for name, phenomenon in (("anna", ORDER), ("ben", half))]
    assert coefficient(*words, measure="iapta-tpo-total").value == 1.0
    assert "tok:char" in coefficient(*judgements).signature


def test_projection_can_be_ignored() -> None:
    judgements = [
        judgement("a", "p1", [ORDER], "anna"),
        judgement("b", "p1", [{**ORDER, "projection": "global"}], "ben"),
    ]
    assert coefficient(*judgements).value == 0.75
    assert coefficient(*judgements, projection=False).value == 1.0


def test_nobody_annotated_types() -> None:
    assert types_agreement([judgement("a", "p1", "4", "anna", scheme="turku")], PAIRS) == []


def test_the_example_corpus() -> None:
    with open_records(EXAMPLES / "types.xml", noun="judgements") as corpus:
        judgements = [record for record in corpus if isinstance(record, Judgement)]
    figures = {figure.measure: figure for figure in types_agreement(judgements, {}, replicates=100)}
    assert list(figures) == list(MEASURES)
    assert figures["iapta-do-f1"].annotators == ("anna", "ben")
    assert figures["iapta-tpo-total"].value == pytest.approx(22 / 42)


def test_a_project_is_measured_by_the_types_of_its_own_scheme(project: Project) -> None:
    (project.folder / "schemes").mkdir(exist_ok=True)
    own = 'name = "own"\ntitle = "Which?"\nkind = "types"\n[[types]]\ntag = "more"\none_sided = true\n'
    (project.folder / "schemes" / "own.toml").write_text(own, encoding="utf-8")
    more, magic = {"type": "more", "scope1": [[0, 3]]}, {"type": "magic", "scope1": [[0, 3]]}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs), [row_of(pair) for pair in PAIRS.values()])
        judgements = [
            judgement("a", "p1", [more, magic], "anna", scheme="own"),
            judgement("b", "p1", [more], "ben", scheme="own"),
        ]
        connection.execute(insert(schema.judgements), [row_of(record) for record in judgements])
    figures = {figure.measure: figure for figure in agree([project.folder], replicates=0).figures}
    assert figures["iapta-do-f1"].value == 1.0  # a scope in one text counts fully
    assert "the type magic is unknown" in str(figures["iapta-do-f1"].note)
