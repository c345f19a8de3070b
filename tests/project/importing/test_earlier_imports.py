"""A corrected import replaces what the same file brought, unless somebody used it."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import insert

from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import read_table
from otherwords.project import Project
from otherwords.project.importing.import_corpus import import_corpus
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement
from otherwords.steps.status import status
from tests.errors import raises
from tests.project.corpus import all_rows
from tests.project.importing.test_import_corpus import P4P

NEWS = "headline,body,day\nRain,It rained all day.,2024-05-01\nMill,The mill is old.,2024-05-02\n"
SHEET = "id,a,b,c\n1,Rain fell.,It rained.,wet\n2,Snow fell.,It snowed.,cold\n"
WRONG, RIGHT = {"text1": "a", "text2": "c"}, {"text1": "a", "text2": "b"}


@pytest.fixture
def news(tmp_path: Path) -> Path:
    path = tmp_path / "news.csv"
    path.write_text(NEWS, encoding="utf-8")
    return path


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "sheet.csv"
    path.write_text(SHEET, encoding="utf-8")
    return path


def judge(project: Project, pair: str) -> None:
    with project.ledger.writing() as connection:
        judgement = Judgement(id=f"j-{pair}", pair=pair, value="4", annotator="anna")
        connection.execute(insert(schema.judgements).values(row_of(judgement)))


def texts(project: Project) -> list[tuple[str, str]]:
    return [(row["id"], row["text2"]) for row in all_rows(project)["pairs"]]


def test_documents_are_not_doubled_by_corrected_columns(project: Project, news: Path) -> None:
    import_file(project, "news", news, columns={"text": "headline"})
    result = import_file(project, "news", news, columns={"text": "body", "time": "day"})
    rows = all_rows(project)["documents"]
    assert [(row["text"], row["time"]) for row in rows] == [
        ("It rained all day.", "2024-05-01"),
        ("The mill is old.", "2024-05-02"),
    ]
    assert (result.added, result.replaced, result.in_use) == (2, 2, 0)
    assert "  replaced: 2 that an earlier import of this file brought" in list(result.lines())
    assert [row["state"] for row in status(project)["imports"]] == ["replaced", "done"]


def test_the_same_texts_get_the_corrected_fields(project: Project, news: Path) -> None:
    import_file(project, "news", news, columns={"text": "body"})
    result = import_file(project, "news", news, columns={"text": "body", "time": "day"})
    assert [row["time"] for row in all_rows(project)["documents"]] == ["2024-05-01", "2024-05-02"]
    assert (result.added, result.replaced, result.known) == (2, 2, 0)


def test_back_to_the_first_options(project: Project, sheet: Path) -> None:
    for columns in (RIGHT, WRONG, RIGHT):
        assert import_file(project, "pairs", sheet, columns=columns).added == 2
    assert texts(project) == [("1", "It rained."), ("2", "It snowed.")]
    assert import_file(project, "pairs", sheet, columns=RIGHT).again


def test_what_somebody_judged_stays(project: Project, sheet: Path) -> None:
    import_file(project, "pairs", sheet, columns=WRONG)
    judge(project, "1")
    result = import_file(project, "pairs", sheet, columns=RIGHT)
    assert texts(project) == [("1", "wet"), ("2", "It snowed.")]
    assert (result.added, result.replaced, result.in_use) == (1, 1, 1)
    line = "  kept from an earlier import of this file, because they are judged or used: 1"
    assert line in list(result.lines())


def test_judgements_are_replaced_unless_superseded(project: Project, sheet: Path, tmp_path: Path) -> None:
    import_file(project, "pairs", sheet, columns=RIGHT)
    answers = tmp_path / "answers.csv"
    answers.write_text("pair,first,second,who\n1,4,2,anna\n2,3,1,anna\n", encoding="utf-8")
    import_file(project, "judgements", answers, columns={"value": "first", "annotator": "who"})
    old = all_rows(project)["judgements"]
    with project.ledger.writing() as connection:
        later = Judgement(id="later", pair="1", value="1", annotator="anna", supersedes=old[0]["id"])
        connection.execute(insert(schema.judgements).values(row_of(later)))
    result = import_file(project, "judgements", answers, columns={"value": "second", "annotator": "who"})
    values = [(row["pair"], row["value"]) for row in all_rows(project)["judgements"]]
    assert (result.replaced, result.in_use) == (1, 1)
    assert values == [("1", 4), ("1", "1"), ("1", 2), ("2", 1)]


def test_a_correction_that_cannot_be_read_changes_nothing(project: Project, sheet: Path) -> None:
    import_file(project, "pairs", sheet, columns=WRONG)
    before = all_rows(project)
    with raises("missing-column"):
        import_file(project, "pairs", sheet, columns={"text1": "a", "text2": "d"})
    assert all_rows(project) == before


def test_other_content_of_the_same_path_is_replaced_on_request(project: Project, news: Path) -> None:
    """Many feeds are fetched to one path, one after the other."""
    import_file(project, "news", news, columns={"text": "headline"})
    news.write_text(NEWS.replace("Mill", "Old mill"), encoding="utf-8")
    result = import_file(project, "news", news, columns={"text": "body"})
    assert len(all_rows(project)["documents"]) == 4
    assert result.same_path == 2
    assert any("--earlier replace" in line for line in result.lines())
    result = import_file(project, "news", news, columns={"text": "body"}, lang="sv", earlier="replace")
    assert [row["text"] for row in all_rows(project)["documents"]] == ["It rained all day.", "The mill is old."]
    assert result.replaced == 4


def test_earlier_imports_are_kept_on_request(project: Project, sheet: Path) -> None:
    sheet.write_text(SHEET.replace("id,", "nr,"), encoding="utf-8")
    import_file(project, "pairs", sheet, columns=WRONG)
    assert import_file(project, "pairs", sheet, columns=RIGHT, earlier="keep").added == 2
    assert len(texts(project)) == 4


def test_documents_that_pairs_were_made_of_stay(project: Project, news: Path) -> None:
    import_file(project, "news", news, columns={"text": "headline"})
    first, second = (row["id"] for row in all_rows(project)["documents"])
    with project.ledger.writing() as connection:
        row = {"id": "d", "doc1": first, "doc2": first, "round": 1, "meta": {}}
        connection.execute(insert(schema.document_pairs).values(row))
    result = import_file(project, "news", news, columns={"text": "body"})
    assert (result.replaced, result.in_use) == (1, 1)
    kept = [row["id"] for row in all_rows(project)["documents"]]
    assert first in kept
    assert second not in kept


SAME = "id,a,b,c,topic\n1,Rain fell.,It rained.,wet,rain\n2,Snow fell.,It snowed.,cold,snow\n"


def fields(project: Project, *names: str) -> list[tuple[object, ...]]:
    return [tuple(row[name] for name in names) for row in all_rows(project)["pairs"]]


def test_source_and_licence_of_judged_pairs_are_corrected(project: Project, sheet: Path) -> None:
    import_file(project, "pairs", sheet, columns=RIGHT)
    judge(project, "1")
    result = import_file(project, "pairs", sheet, columns=RIGHT, options={"source": "mill"}, licence="CC0-1.0")
    assert fields(project, "id", "text2", "source", "licence") == [
        ("1", "It rained.", "mill", "CC0-1.0"),
        ("2", "It snowed.", "mill", "CC0-1.0"),
    ]
    assert (result.read, result.added, result.replaced, result.known, result.in_use) == (2, 1, 1, 1, 0)
    assert result.corrected == {"source": 1, "licence": 1}
    assert "  corrected in pairs that are judged or used: licence of 1, source of 1" in list(result.lines())
    assert result.as_dict()["corrected"] == {"source": 1, "licence": 1}
    assert [row["value"] for row in all_rows(project)["judgements"]] == ["4"]
    again = import_file(project, "pairs", sheet, columns=RIGHT, options={"source": "mill"}, licence="CC0-1.0")
    assert again.again
    back = import_file(project, "pairs", sheet, columns=RIGHT, options={"source": "tide"})
    assert fields(project, "source", "licence") == [("tide", "CC0-1.0")] * 2, "a licence stays until another is named"
    assert back.corrected == {"source": 1}


def test_a_label_that_people_may_have_judged_by_stays(project: Project, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(SAME, encoding="utf-8")
    import_file(project, "pairs", sheet, columns=RIGHT)
    judge(project, "1")
    columns = {**RIGHT, "label": "c", "group": "topic"}
    result = import_file(project, "pairs", sheet, columns=columns)
    assert fields(project, "id", "label", "group") == [("1", None, "rain"), ("2", "cold", "snow")]
    assert (result.relabelled, result.in_use) == (["1"], 0)
    assert result.corrected == {"group": 1, "meta": 1}


def test_corrections_reach_the_labels(project: Project, sheet: Path) -> None:
    import_file(project, "pairs", sheet, columns=RIGHT)
    judge(project, "1")
    judge(project, "2")
    before = labels_table(project)
    assert labels_table(project) == before
    import_file(project, "pairs", sheet, columns=RIGHT, options={"source": "mill"})
    assert {row.source for row in read_table(labels_table(project))} == {"mill"}


def test_a_corpus_with_its_judgements_gets_another_source(project: Project, tmp_path: Path) -> None:
    """Each pair of such a corpus is judged as soon as it is in."""
    path = tmp_path / "p4p.xml"
    path.write_text(P4P.replace(' name="Mini"', ""), encoding="utf-8")
    list(import_corpus(project, path))
    pairs, judgements = import_corpus(project, path, options={"source": "mill"}, licence="CC-BY-4.0")
    assert (pairs.added, pairs.corrected) == (0, {"source": 2, "licence": 2})
    assert judgements.again
    assert set(fields(project, "source", "licence")) == {("mill", "CC-BY-4.0")}
