"""IAPTA on judgements: who is compared on what, scheme by scheme."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert

from otherwords.analyse.agree_files import measured
from otherwords.analyse.types_agreement import types_agreement
from otherwords.measures.agreement.figure import Figure
from otherwords.measures.agreement.iapta import MEASURES
from otherwords.project import Project, schema
from otherwords.project.rows import row_of
from otherwords.records import Judgement, Pair
from otherwords.sources import reading
from tests.conftest import EXAMPLES

PAIRS = {name: Pair(id=name, text1="one two three", text2="three two one", lang="en") for name in ("p1", "p2")}
ORDER: dict[str, Any] = {"type": "order", "scope1": [[0, 3]], "scope2": [[10, 13]], "projection": "local"}
OTHER: dict[str, Any] = {**ORDER, "type": "semantic"}
ADDED: dict[str, Any] = {"type": "addition_deletion", "scope1": [[0, 3]], "projection": "local"}


def judged(id: str, pair: str, value: Any, annotator: str | None, **others: Any) -> Judgement:
    return Judgement(id=id, pair=pair, value=value, annotator=annotator, **{"scheme": "vila", **others})


def agreed(*judgements: Judgement, measure: str = "iapta-do-f1", **wishes: Any) -> Figure:
    found = types_agreement(judgements, PAIRS, replicates=0, **wishes)
    return next(figure for figure in found if figure.measure == measure)


@pytest.mark.parametrize(
    ("judgements", "value", "n"),
    [
        ([judged("a", "p1", [ORDER], "anna"), judged("b", "p1", [ORDER], "ben")], 1.0, 1),
        ([judged("a", "p1", [ADDED], "anna"), judged("b", "p1", [ADDED], "ben")], 1.0, 1),
        (
            [judged("a", "p1", {"paraphrase": "yes", "types": [ORDER]}, "anna"), judged("b", "p1", [OTHER], "ben")],
            0.0,
            1,
        ),
        ([judged("a", "p1", {"paraphrase": "no"}, "anna"), judged("b", "p1", [OTHER], "ben")], 0.0, 1),
        (
            [
                judged("a", "p1", [OTHER], "anna"),
                judged("b", "p1", [ORDER], "ben"),
                judged("c", "p1", [ORDER], "anna", supersedes="a"),
                judged("d", "p1", [OTHER], None, kind="consensus"),
            ],
            1.0,
            1,
        ),
    ],
)
def test_what_annotators_said_last_is_compared(judgements: list[Judgement], value: float, n: int) -> None:
    figure = agreed(*judgements)
    assert (figure.value, figure.n, figure.annotators) == (value, n, ("anna", "ben"))


def test_schemes_are_kept_apart() -> None:
    both = [judged(f"{who}-{scheme}", "p1", [ORDER], who, scheme=scheme) for scheme in ("vila", "own") for who in "ab"]
    found = types_agreement(both, PAIRS, replicates=0)
    assert len(found) == 2 * len(MEASURES)
    assert [figure.signature.rpartition("|")[2] for figure in found[:: len(MEASURES)]] == ["scheme:vila", "scheme:own"]


def test_a_type_that_the_scheme_does_not_have_is_left_out_and_said() -> None:
    magic = {**ORDER, "type": "magic"}
    figure = agreed(judged("a", "p1", [ORDER, magic], "anna"), judged("b", "p1", [ORDER], "ben"))
    assert figure.value == 1.0
    assert "left out of anna: 1 phenomena where the type magic is unknown" in str(figure.note)


def test_judgements_without_texts_and_what_is_no_phenomenon_are_said() -> None:
    broken = {"type": "order", "scope1": 7}
    said = [judged("a", "p1", [ORDER, broken], "anna"), judged("b", "p1", [ORDER], "ben")]
    figure = agreed(*said, judged("c", "lost", [ORDER], "anna"))
    assert figure.value == 1.0
    assert "1 judgements that do not carry their texts" in str(figure.note)
    assert "phenomena left out: not a phenomenon: Expected `array`, got `int`" in str(figure.note)


def test_the_tokeniser_of_the_judgement_cuts_the_texts() -> None:
    half = {**ORDER, "scope1": [[0, 2]]}
    said = [judged(who, "p1", [one], who, meta={"tokeniser": "char"}) for who, one in (("anna", ORDER), ("ben", half))]
    assert agreed(*said, measure="iapta-tpo-total").value == 0.0
    words = [judged(who, "p1", [one], who) for who, one in (("anna", ORDER), ("ben", half))]
    assert agreed(*words, measure="iapta-tpo-total").value == 1.0
    assert "tok:char" in agreed(*said).signature


def test_projection_may_be_left_aside() -> None:
    said = [judged("a", "p1", [ORDER], "anna"), judged("b", "p1", [{**ORDER, "projection": "global"}], "ben")]
    assert agreed(*said).value == 0.75
    assert agreed(*said, projection=False).value == 1.0


def test_nobody_annotated_types() -> None:
    assert types_agreement([judged("a", "p1", "4", "anna", scheme="turku")], PAIRS) == []


def test_the_example_corpus() -> None:
    with reading(EXAMPLES / "types.xml", noun="judgements") as corpus:
        said = [one for one in corpus if isinstance(one, Judgement)]
    found = {figure.measure: figure for figure in types_agreement(said, {}, replicates=100)}
    assert list(found) == list(MEASURES)
    assert found["iapta-do-f1"].annotators == ("anna", "ben")
    assert found["iapta-tpo-total"].value == pytest.approx(22 / 42)


def test_a_project_is_measured_by_the_types_of_its_own_scheme(project: Project) -> None:
    (project.folder / "schemes").mkdir(exist_ok=True)
    own = 'name = "own"\ntitle = "Which?"\nkind = "types"\n[[types]]\ntag = "more"\none_sided = true\n'
    (project.folder / "schemes" / "own.toml").write_text(own, encoding="utf-8")
    more, magic = {"type": "more", "scope1": [[0, 3]]}, {"type": "magic", "scope1": [[0, 3]]}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.pairs), [row_of(pair) for pair in PAIRS.values()])
        said = [judged("a", "p1", [more, magic], "anna", scheme="own"), judged("b", "p1", [more], "ben", scheme="own")]
        connection.execute(insert(schema.judgements), [row_of(one) for one in said])
    found = {figure.measure: figure for figure in measured([project.folder], replicates=0).figures}
    assert found["iapta-do-f1"].value == 1.0  # the scope in one text counts whole
    assert "the type magic is unknown" in str(found["iapta-do-f1"].note)
