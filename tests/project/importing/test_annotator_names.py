"""Annotators of two corpora who are called the same are two people, unless the project knows better."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import insert

from otherwords.project import Project, create_project, open_project
from otherwords.project.exchange.export_import import export_project, import_export
from otherwords.project.importing.import_corpus import import_corpus
from otherwords.project.importing.import_file import import_file
from otherwords.project.importing.records import ImportResult
from otherwords.project.ledger import schema
from otherwords.project.withdrawal.withdraw import withdraw
from tests.project.corpus import all_rows
from tests.project.importing.test_import_corpus import P4P

OTHER = (
    P4P.replace("ferry", "train")
    .replace("boat", "tram")
    .replace("Rain", "Hail")
    .replace("9249", "1")
    .replace("9250", "2")
)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def sheets(folder: Path, name: str, **answers: tuple[str, str]) -> tuple[Path, Path]:
    """A sheet of pairs, and a sheet of judgements by somebody about each of them."""
    pairs = [{"id": pair, "text1": f"{pair} is here.", "text2": f"Here is {pair}."} for pair in answers]
    judgements = [{"pair": pair, "annotator": who, "value": value} for pair, (who, value) in answers.items()]
    lines = ["".join(json.dumps(row) + "\n" for row in rows) for rows in (pairs, judgements)]
    return write(folder / f"{name}.jsonl", lines[0]), write(folder / f"{name}-judged.jsonl", lines[1])


def annotators(project: Project) -> list[str | None]:
    return [row["annotator"] for row in all_rows(project)["judgements"]]


def judgements_of(project: Project, path: Path) -> ImportResult:
    (result,) = (result for result in import_corpus(project, path) if result.noun == "judgements")
    return result


def test_annotators_of_two_corpora_stay_apart(project: Project, tmp_path: Path) -> None:
    assert judgements_of(project, write(tmp_path / "P4P.xml", P4P)).renamed == {}
    path = write(tmp_path / "WRPA-A.xml", OTHER)
    result = judgements_of(project, path)
    assert result.renamed == {"87": "87@WRPA-A", "22": "22@WRPA-A"}
    line = "  annotators whose names others have here: 2 (87 → 87@WRPA-A, 22 → 22@WRPA-A)"
    assert line in list(result.lines())
    assert result.as_dict()["renamed"] == result.renamed
    assert annotators(project) == ["87", "22", "87@WRPA-A", "22@WRPA-A"]
    before = all_rows(project)
    assert judgements_of(project, path).again
    assert judgements_of(project, tmp_path / "P4P.xml").again
    assert all_rows(project) == before


def test_files_of_the_same_name_are_told_apart(project: Project, tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / str(number)).mkdir()
        text = OTHER.replace("Hail", f"{number} drops").replace("The train", f"Train {number}")
        judgements_of(project, write(tmp_path / str(number) / "A corpus.xml", text))
    names = annotators(project)
    assert len(set(names)) == 8
    assert names[:4] == ["87", "22", "87@A-corpus", "22@A-corpus"]
    assert all(name is not None and name.startswith(("87@A-corpus-", "22@A-corpus-")) for name in names[4:])


def test_own_sheets_of_two_corpora(project: Project, tmp_path: Path) -> None:
    for sheet, answers in (("first", {"a": ("1", "4")}), ("second", {"b": ("1", "4"), "c": ("2", "3")})):
        pairs, judged = sheets(tmp_path, sheet, **answers)
        import_file(project, "pairs", pairs)
        import_file(project, "judgements", judged)
    assert annotators(project) == ["1", "1@second-judged", "2"]


def test_sheets_about_the_same_pairs_are_by_the_same_people(project: Project, tmp_path: Path) -> None:
    pairs, judged = sheets(tmp_path, "week", a=("anna", "4"), b=("anna", "3"))
    import_file(project, "pairs", pairs)
    first, second = judged.read_text("utf-8").splitlines(keepends=True)
    for name, line in (("week1", first), ("week2", second)):
        assert import_file(project, "judgements", write(tmp_path / f"{name}.jsonl", line)).renamed == {}
    assert annotators(project) == ["anna", "anna"]


def test_a_sheet_that_grew_is_by_the_same_people(project: Project, tmp_path: Path) -> None:
    pairs, judged = sheets(tmp_path, "first", a=("1", "4"))
    more_pairs, more_judged = sheets(tmp_path, "second", b=("1", "4"))
    import_file(project, "pairs", pairs)
    import_file(project, "judgements", judged)
    import_file(project, "pairs", more_pairs)
    with judged.open("a", encoding="utf-8") as stream:
        stream.write(more_judged.read_text("utf-8"))
    import_file(project, "judgements", judged)
    assert set(annotators(project)) == {"1"}


def test_people_with_accounts_are_themselves(project: Project, tmp_path: Path) -> None:
    account = {"name": "anna", "role": "annotator", "state": "active", "settings": {}, "created": "2024-01-01"}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.accounts).values(**account))
    for sheet, pair in (("first", "a"), ("second", "b")):
        pairs, judged = sheets(tmp_path, sheet, **{pair: ("anna", "4")})
        import_file(project, "pairs", pairs)
        assert import_file(project, "judgements", judged).renamed == {}
    assert annotators(project) == ["anna", "anna"]


def test_an_import_with_other_options_keeps_the_names(project: Project, tmp_path: Path) -> None:
    judgements_of(project, write(tmp_path / "P4P.xml", P4P))
    path = write(tmp_path / "WRPA-A.xml", OTHER)
    judgements_of(project, path)
    result = import_file(project, "judgements", path, lang="en")
    assert result.renamed == {"87": "87@WRPA-A", "22": "22@WRPA-A"}
    assert sorted(filter(None, annotators(project))) == ["22", "22@WRPA-A", "87", "87@WRPA-A"]


def test_an_export_of_such_a_project_comes_back_the_same(project: Project, tmp_path: Path) -> None:
    judgements_of(project, write(tmp_path / "P4P.xml", P4P))
    judgements_of(project, write(tmp_path / "WRPA-A.xml", OTHER))
    export_project(project, tmp_path / "exported")
    create_project(tmp_path / "copy", "en", project.config.scheme)
    with open_project(tmp_path / "copy") as copy, copy.holding():
        import_export(copy, tmp_path / "exported")
        assert annotators(copy) == annotators(project)
        export_project(copy, tmp_path / "again")
    names = [path.name for path in sorted((tmp_path / "exported").glob("*.jsonl"))]
    for name in names:
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "exported" / name).read_bytes(), name


@pytest.mark.parametrize("path", ["again.jsonl", "judged.jsonl"])
def test_the_name_of_somebody_who_withdrew_does_not_come_back(project: Project, tmp_path: Path, path: str) -> None:
    pairs, judged = sheets(tmp_path, "first", a=("anna", "4"))
    import_file(project, "pairs", pairs)
    import_file(project, "judgements", judged)
    withdraw(project, "anna", "annotator")
    (pseudonym,) = annotators(project)
    row = {"id": f"j:{path}:anna", "pair": "a", "annotator": "anna", "value": "3"}
    import_file(project, "judgements", write(tmp_path / path, json.dumps(row) + "\n"))
    assert annotators(project) == [pseudonym, pseudonym]
    assert "anna" not in json.dumps(all_rows(project)["judgements"])
