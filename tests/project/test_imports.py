"""Each file once, each text once, however often an import is begun."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from otherwords.errors import DataError, UsageError
from otherwords.project import Project, imports
from otherwords.project.importing import import_file
from otherwords.project.imports import Imported, file_digest
from tests.project.corpus import all_rows

TEXTS = ["A lamp burned late.", "Late, a lamp was burning.", "The mill is old.", "An old mill, that."]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return written(tmp_path / "texts.jsonl", TEXTS)


def written(path: Path, texts: list[str]) -> Path:
    path.write_text(
        "".join(json.dumps({"group": f"g{number // 2}", "text": text}) + "\n" for number, text in enumerate(texts))
    )
    return path


def test_texts_come_in_with_their_provenance(project: Project, source: Path) -> None:
    told = import_file(project, "groups", source)
    assert (told.read, told.added, told.known, told.again) == (4, 4, 0, False)
    rows = all_rows(project)
    assert [row["text"] for row in rows["documents"]] == TEXTS
    assert {row["lang"] for row in rows["documents"]} == {"en"}
    (noted,) = rows["imports"]
    assert (noted["kind"], noted["path"], noted["state"]) == ("groups", str(source), "done")
    assert noted["sha256"] == file_digest(source)
    assert {row["import_id"] for row in rows["documents"]} == {noted["id"]}
    assert list(told.lines()) == [f"{source}: 4 read, 4 added"]


def test_the_same_file_again_adds_nothing(project: Project, source: Path) -> None:
    import_file(project, "groups", source)
    before = all_rows(project)
    told = import_file(project, "groups", source)
    assert told.again
    assert told.read == 4
    assert all_rows(project) == before


def test_the_same_texts_in_another_file_are_known(project: Project, source: Path, tmp_path: Path) -> None:
    import_file(project, "groups", source)
    told = import_file(project, "groups", written(tmp_path / "more.jsonl", [*TEXTS, "A new one."]))
    assert (told.added, told.known) == (1, 4)
    assert "  here already: 4" in told.lines()


def test_an_import_that_stopped_goes_on(project: Project, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "ROWS_A_TRANSACTION", 1)
    original, calls = imports.insert_new, iter(range(100))

    def stops(connection, table, rows):  # type: ignore[no-untyped-def]
        if next(calls) == 2:
            raise KeyboardInterrupt
        return original(connection, table, rows)

    monkeypatch.setattr(imports, "insert_new", stops)
    with pytest.raises(KeyboardInterrupt):
        import_file(project, "groups", source)
    rows = all_rows(project)
    assert len(rows["documents"]) == 2
    assert rows["imports"][0]["state"] == "running"
    told = import_file(project, "groups", source)
    assert (told.read, told.added, told.known) == (4, 2, 2)
    rows = all_rows(project)
    assert [row["text"] for row in rows["documents"]] == TEXTS
    assert [row["state"] for row in rows["imports"]] == ["done"]


def test_a_bad_line_stops_an_import_and_a_mended_file_finishes_it(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    good = written(path, TEXTS).read_text()
    path.write_text(good + "{\n")
    with pytest.raises(DataError, match="line 5"):
        import_file(project, "groups", path)
    path.write_text(good)
    import_file(project, "groups", path)
    assert [row["text"] for row in all_rows(project)["documents"]] == TEXTS


def test_a_nul_character_does_not_stop_a_database(project: Project, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text(
        '{"id":"n","text1":"a\\u0000b","text2":"c","meta":{"x\\u0000":["\\u0000"]}}\n'
    )
    import_file(project, "pairs", tmp_path / "pairs.jsonl")
    (row,) = all_rows(project)["pairs"]
    assert (row["text1"], row["meta"]) == ("a\ufffdb", {"x\ufffd": ["\ufffd"]})


def test_pairs_come_in_too(project: Project, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text('{"id":"n1","text1":"Rain fell.","text2":"It rained.","label":"4"}\n')
    assert import_file(project, "pairs", tmp_path / "pairs.jsonl").added == 1
    (row,) = all_rows(project)["pairs"]
    assert (row["id"], row["label"]) == ("n1", "4")
    assert row["import_id"] == all_rows(project)["imports"][0]["id"]


def test_what_cannot_be_imported(project: Project, source: Path) -> None:
    with pytest.raises(DataError, match="no such file or folder"):
        import_file(project, "groups", source.with_name("nowhere"))
    with pytest.raises(UsageError, match="groups has no option 'colour'"):
        import_file(project, "groups", source, options={"colour": "red"})
    with pytest.raises(UsageError, match="unknown kind"):
        import_file(project, "novels", source)
    assert all_rows(project)["documents"] == []


def test_a_folder_is_known_by_its_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    (tmp_path / "b").write_text("two")
    first = file_digest(tmp_path)
    (tmp_path / "b").rename(tmp_path / "c")
    assert file_digest(tmp_path) != first
    (tmp_path / "c").rename(tmp_path / "b")
    assert file_digest(tmp_path) == first
    (tmp_path / "b").write_text("three")
    assert file_digest(tmp_path) != first


def test_what_it_says() -> None:
    told = Imported("x", 9, 5, 1, 2, {"no text": 1}, {"no time": 3, "a group of one": 3})
    assert list(told.lines()) == [
        "x: 9 read, 5 added",
        "  here already: 1",
        "  withdrawn, and therefore left out: 2",
        "  kept and marked: 3 × a group of one",
        "  kept and marked: 3 × no time",
        "  refused: 1 × no text",
    ]
    assert list(Imported("x", again=True).lines()) == ["x: was imported before; nothing to add"]


def judged(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def two_pairs(project: Project, folder: Path) -> None:
    texts = {"text1": TEXTS[0], "text2": TEXTS[1]}
    import_file(project, "pairs", judged(folder / "pairs.jsonl", {"id": "p1", **texts}, {"id": "p2", **texts}))


def test_what_people_said_elsewhere_comes_in(project: Project, tmp_path: Path) -> None:
    two_pairs(project, tmp_path)
    told = {"annotator": "anna", "scheme": "turku", "purpose": "agreement", "seconds": 3.5}
    path = judged(
        tmp_path / "said.jsonl", {"id": "j1", "pair": "p1", "value": "4>", **told}, {"pair": "p2", "value": "2"}
    )
    assert import_file(project, "judgements", path).added == 2
    first, second = all_rows(project)["judgements"]
    assert {name: first[name] for name in told} == told
    assert (first["id"], first["value"], first["meta"]["import"]) == ("j1", "4>", all_rows(project)["imports"][1]["id"])
    assert second["id"].startswith("said:2@")
    assert import_file(project, "judgements", path).again


def test_a_judgement_of_a_pair_that_is_not_here_is_refused(project: Project, tmp_path: Path) -> None:
    two_pairs(project, tmp_path)
    path = judged(tmp_path / "said.jsonl", {"pair": "p1", "value": "4"}, {"pair": "p9", "value": "4"})
    with pytest.raises(DataError, match="there is no pair p9; import the pairs first"):
        import_file(project, "judgements", path)
    told = import_file(project, "judgements", path, on_error="skip")
    assert told.skipped == {"there is no pair p9; import the pairs first": 1}
    assert len(all_rows(project)["judgements"]) == 1


def test_the_same_lines_in_two_sheets_are_two_judgements(project: Project, tmp_path: Path) -> None:
    two_pairs(project, tmp_path)
    for who in ("anna", "ben"):
        (tmp_path / who).mkdir()
        row = {"pair": "p1", "value": "4", "annotator": who}
        assert import_file(project, "judgements", judged(tmp_path / who / "sheet.jsonl", row)).added == 1
    assert [row["annotator"] for row in all_rows(project)["judgements"]] == ["anna", "ben"]
