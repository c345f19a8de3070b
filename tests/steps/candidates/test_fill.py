"""Ranges of word overlap that lack negatives are filled with near sentences, once."""

from __future__ import annotations

from sqlalchemy import Connection

from otherwords.corpus.labels.table import LabelledPair
from otherwords.project import Project
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import read_records
from otherwords.project.pipeline.kind import StepResult, make_step
from otherwords.project.pipeline.run import run_step
from otherwords.records import Judgement, Pair
from otherwords.steps.candidates.fill import missing_negatives
from otherwords.steps.catalogue import STEP_KINDS
from tests.annotate.reading import put
from tests.conftest import EXAMPLES

TEN = "a b c d e f g h i j"
NINE = "a b c d e f g h i k"  # 9 of 11 words
FIVE = "a b c d e f g l m n"  # 7 of 13


def labelled(number: int, text2: str, positive: bool | None, method: str = "translate") -> LabelledPair:
    return LabelledPair(id=f"p{number}", text1=TEN, text2=text2, positive=positive, method=method)


def test_a_range_lacks_as_many_negatives_as_it_has_more_positives() -> None:
    rows = [(NINE, True), (NINE, True), (NINE, False), (FIVE, False), (FIVE, True), (FIVE, None), (TEN, True)]
    pairs = [labelled(number, *row) for number, row in enumerate(rows)]
    pairs.append(labelled(8, NINE, False, "near"))  # it is there because it was missing
    found = missing_negatives(pairs, "en")
    assert len(found) == 11
    assert found[8] == {"positives": 2, "negatives": 1, "wanted": 1}
    assert found[5] == {"positives": 1, "negatives": 1, "wanted": 0}
    assert found[10]["wanted"] == 1
    assert sum(row["positives"] + row["negatives"] for row in found) == 6


def fill(project: Project, **parameters: object) -> StepResult | None:
    return run_step(project, make_step(STEP_KINDS.get("fill-ranges"), "near", **parameters))[1]


def near(connection: Connection) -> list[Pair]:
    return list(read_records(connection, Pair, schema.pairs.c.method == "near"))


def judged(project: Project, number: int, value: str) -> None:
    put(
        project, Pair(id=f"p{number}", text1=f"{TEN} {number}", text2=f"{NINE} {number}", lang="en", method="translate")
    )
    put(project, Judgement(id=f"j{number}", pair=f"p{number}", annotator="anna", scheme="turku", value=value))


def test_candidates_come_once_and_only_where_negatives_are_missing(project: Project) -> None:
    for number in range(3):
        judged(project, number, "4")
    none = fill(project, source="monolingual")
    assert none is not None
    assert none.rows_out == 0
    assert "no sentences of source monolingual to fill ranges with" in none.counts
    import_file(
        project, "sentences", EXAMPLES / "es/sentences/puerto.txt", options={"source": "monolingual"}, lang="es"
    )
    result = fill(project, source="monolingual")
    assert result is not None
    assert result.counts["ranges"]["[0.8, 0.9)"] | {"pairs": 0} == {
        "positives": 3, "negatives": 0, "wanted": 3, "pairs": 0, "chosen": 3,
    }  # fmt: skip
    with project.ledger.reading() as connection:
        found = near(connection)
    assert [pair.meta["made"]["range"] for pair in found] == ["[0.8, 0.9)"] * 3
    judged(project, 9, "4")
    assert fill(project, source="monolingual") is None, "what is judged later asks for no more"
