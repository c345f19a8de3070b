"""Each file and each text is imported once, however often an import is begun."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from otherwords.errors import OtherwordsError, UsageError
from otherwords.project import Project
from otherwords.project.file_digests import file_digest
from otherwords.project.importing import records as imports
from otherwords.project.importing.import_file import import_file
from otherwords.project.importing.records import ImportResult
from otherwords.project.ledger import schema
from otherwords.records import Pair
from otherwords.sources.reading import write_records
from otherwords.steps.status import status
from tests.errors import raises
from tests.project.corpus import all_rows

TEXTS = ["A lamp burned late.", "Late, a lamp was burning.", "The mill is old.", "An old mill, that."]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_texts(tmp_path / "texts.jsonl", TEXTS)


def write_texts(path: Path, texts: list[str]) -> Path:
    path.write_text(
        "".join(json.dumps({"group": f"g{number // 2}", "text": text}) + "\n" for number, text in enumerate(texts))
    )
    return path


def test_texts_are_imported_with_their_provenance(project: Project, source: Path) -> None:
    result = import_file(project, "groups", source)
    assert (result.read, result.added, result.known, result.again) == (4, 4, 0, False)
    rows = all_rows(project)
    assert [row["text"] for row in rows["documents"]] == TEXTS
    assert {row["lang"] for row in rows["documents"]} == {"en"}
    (row,) = rows["imports"]
    assert (row["kind"], row["path"], row["state"]) == ("groups", str(source), "done")
    assert row["sha256"] == file_digest(source)
    assert {document["import_id"] for document in rows["documents"]} == {row["id"]}
    unlicensed = "  without a licence, which a release needs: 4; import again with --licence NAME"
    assert list(result.lines()) == [f"{source}: 4 read, 4 added", unlicensed]


def test_what_no_licence_is_known_of(project: Project, source: Path, tmp_path: Path) -> None:
    result = import_file(project, "groups", source, licence="CC0-1.0")
    assert list(result.lines()) == [f"{source}: 4 read, 4 added"]
    with project.ledger.reading() as connection:
        documents = connection.execute(select(schema.documents.c.id).order_by(schema.documents.c.seq)).scalars().all()
    texts = {"text1": TEXTS[0], "text2": TEXTS[1]}
    sides = [{"id": document, "start": 0, "end": len(text)} for document, text in zip(documents, TEXTS, strict=True)]
    rows = (
        {"id": "p1", **texts, "doc1": sides[0], "doc2": sides[1]},  # has those of its documents
        {"id": "p2", **texts, "doc1": sides[0]},
        {"id": "p3", **texts, "licence": "CC-BY-4.0"},
        {"id": "p4", **texts},
    )
    result = import_file(project, "pairs", write_rows(tmp_path / "pairs.jsonl", *rows))
    assert (result.added, result.unlicensed) == (4, 2)


def test_the_same_file_again_adds_nothing(project: Project, source: Path) -> None:
    import_file(project, "groups", source)
    before = all_rows(project)
    result = import_file(project, "groups", source)
    assert result.again
    assert result.read == 4
    assert all_rows(project) == before


def test_the_same_texts_in_another_file_are_known(project: Project, source: Path, tmp_path: Path) -> None:
    import_file(project, "groups", source)
    result = import_file(project, "groups", write_texts(tmp_path / "more.jsonl", [*TEXTS, "A new one."]))
    assert (result.added, result.known) == (1, 4)
    assert "  here already: 4" in result.lines()


def test_an_interrupted_import_is_continued(project: Project, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "ROWS_A_TRANSACTION", 1)
    original, calls = imports.insert_new, iter(range(100))

    def interrupt(connection, table, rows):  # type: ignore[no-untyped-def]
        if next(calls) == 2:
            raise KeyboardInterrupt
        return original(connection, table, rows)

    monkeypatch.setattr(imports, "insert_new", interrupt)
    with pytest.raises(KeyboardInterrupt):
        import_file(project, "groups", source)
    rows = all_rows(project)
    assert len(rows["documents"]) == 2
    assert rows["imports"][0]["state"] == "running"
    result = import_file(project, "groups", source)
    assert (result.read, result.added, result.known) == (4, 2, 2)
    rows = all_rows(project)
    assert [row["text"] for row in rows["documents"]] == TEXTS
    assert [row["state"] for row in rows["imports"]] == ["done"]


def test_a_bad_line_stops_an_import_and_a_corrected_file_finishes_it(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    good = write_texts(path, TEXTS).read_text()
    path.write_text(good + "{\n")
    with pytest.raises(OtherwordsError, match="line 5"):
        import_file(project, "groups", path)
    path.write_text(good)
    import_file(project, "groups", path)
    assert [row["text"] for row in all_rows(project)["documents"]] == TEXTS


def test_a_nul_character_is_replaced(project: Project, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text(
        '{"id":"n","text1":"a\\u0000b","text2":"c","meta":{"x\\u0000":["\\u0000"]}}\n'
    )
    import_file(project, "pairs", tmp_path / "pairs.jsonl")
    (row,) = all_rows(project)["pairs"]
    assert (row["text1"], row["meta"]) == ("a\ufffdb", {"x\ufffd": ["\ufffd"]})


def test_pairs_are_imported(project: Project, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text('{"id":"n1","text1":"Rain fell.","text2":"It rained.","label":"4"}\n')
    assert import_file(project, "pairs", tmp_path / "pairs.jsonl").added == 1
    (row,) = all_rows(project)["pairs"]
    assert (row["id"], row["label"]) == ("n1", "4")
    assert row["import_id"] == all_rows(project)["imports"][0]["id"]


def test_unknown_files_options_and_kinds_are_refused(project: Project, source: Path) -> None:
    with raises("no-such-file", match="nowhere"):
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


def test_lines_of_the_result() -> None:
    result = ImportResult("x", 9, 5, 1, 2, {"no text": 1}, {"no time": 3, "a group of one": 3})
    assert list(result.lines()) == [
        "x: 9 read, 5 added",
        "  here already: 1",
        "  withdrawn, and therefore left out: 2",
        "  noted: 3 × a group of one",
        "  noted: 3 × no time",
        "  refused: 1 × no text",
    ]
    assert list(ImportResult("x", again=True).lines()) == ["x: was imported before; nothing to add"]


def write_rows(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def import_two_pairs(project: Project, folder: Path) -> None:
    texts = {"text1": TEXTS[0], "text2": TEXTS[1]}
    import_file(project, "pairs", write_rows(folder / "pairs.jsonl", {"id": "p1", **texts}, {"id": "p2", **texts}))


def test_judgements_made_elsewhere_are_imported(project: Project, tmp_path: Path) -> None:
    import_two_pairs(project, tmp_path)
    fields = {"annotator": "anna", "scheme": "turku", "purpose": "agreement", "seconds": 3.5}
    path = write_rows(
        tmp_path / "judgements.jsonl", {"id": "j1", "pair": "p1", "value": "4>", **fields}, {"pair": "p2", "value": "2"}
    )
    assert import_file(project, "judgements", path).added == 2
    first, second = all_rows(project)["judgements"]
    assert {name: first[name] for name in fields} == fields
    (import_id,) = (row["id"] for row in all_rows(project)["imports"] if row["kind"] == "judgements")
    assert (first["id"], first["value"], first["meta"]["import"]) == ("j1", "4>", import_id)
    assert second["id"].startswith("judgements:2@")
    assert import_file(project, "judgements", path).again


def test_a_judgement_of_an_unknown_pair_is_rejected(project: Project, tmp_path: Path) -> None:
    import_two_pairs(project, tmp_path)
    path = write_rows(tmp_path / "judgements.jsonl", {"pair": "p1", "value": "4"}, {"pair": "p9", "value": "4"})
    with pytest.raises(OtherwordsError, match="there is no pair p9; import the pairs first"):
        import_file(project, "judgements", path)
    result = import_file(project, "judgements", path, on_error="skip")
    assert result.skipped == {"there is no pair p9; import the pairs first": 1}
    assert len(all_rows(project)["judgements"]) == 1


def test_the_same_lines_in_two_sheets_are_two_judgements(project: Project, tmp_path: Path) -> None:
    import_two_pairs(project, tmp_path)
    for annotator in ("anna", "ben"):
        (tmp_path / annotator).mkdir()
        row = {"pair": "p1", "value": "4", "annotator": annotator}
        assert import_file(project, "judgements", write_rows(tmp_path / annotator / "sheet.jsonl", row)).added == 1
    assert [row["annotator"] for row in all_rows(project)["judgements"]] == ["anna", "ben"]


def rejected(path: Path) -> list[tuple[int | None, str]]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [(row["line"], row["reason"]) for row in rows]


PAIRS = [
    {"id": "1", "text1": "Rain fell.", "text2": "It rained.", "label": "sí "},
    {"id": "2", "text1": "Rain fell.", "text2": " \u00a0"},
    {"id": "3", "text1": "", "text2": "It rained."},
    {"id": "1", "text1": "Snow fell.", "text2": "It snowed."},
    {"id": "1", "text1": "Rain fell.", "text2": "It rained.", "label": "sí "},
    {"id": "4", "text1": "Snow fell.", "text2": "It snowed.", "label": " "},
]


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.jsonl", "sheet.parquet"])
def test_pairs_without_a_text_and_second_pairs_of_an_id_are_bad_rows(
    project: Project, tmp_path: Path, name: str
) -> None:
    write_records([Pair(**row) for row in PAIRS], tmp_path / name)
    with pytest.raises(OtherwordsError, match=r"line \d: text2 is empty"):
        import_file(project, "pairs", tmp_path / name)
    aside = tmp_path / "refused.jsonl"
    result = import_file(project, "pairs", tmp_path / name, on_error="quarantine", quarantine=aside)
    first = 2 if name == "sheet.csv" else 1
    assert rejected(aside) == [
        (first + 1, "text2 is empty"),
        (first + 2, "text1 is empty"),
        (first + 3, f"the id 1 is on line {first} already"),
    ]
    assert (result.read, result.added, result.known) == (3, 2, 1)
    assert list(result.lines())[-1] == f"  what was refused is in {aside}"
    assert [(row["id"], row["label"]) for row in all_rows(project)["pairs"]] == [("1", "sí"), ("4", None)]


def test_a_blank_line_does_not_move_the_others(project: Project, tmp_path: Path) -> None:
    lines = [json.dumps(PAIRS[0]), "", json.dumps(PAIRS[1])]
    (tmp_path / "pairs.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(OtherwordsError, match="line 3: text2 is empty"):
        import_file(project, "pairs", tmp_path / "pairs.jsonl")


def test_a_format_without_lines_names_the_pair(project: Project, tmp_path: Path) -> None:
    write_records([Pair(**PAIRS[1], label="4")], tmp_path / "dev.json", "turku")
    with pytest.raises(OtherwordsError, match=r"pair .*: text2 is empty"):
        import_file(project, "pairs", tmp_path / "dev.json", format="turku")


def licences(project: Project) -> list[str | None]:
    return [row["licence"] for row in all_rows(project)["documents"]]


def test_importing_again_with_a_licence_sets_it(project: Project, source: Path) -> None:
    import_file(project, "groups", source)
    assert licences(project) == [None] * 4
    result = import_file(project, "groups", source, licence="CC0-1.0")
    assert list(result.lines())[1:] == ["  here already: 4", "  licence set to CC0-1.0: 4 × had none"]
    assert licences(project) == ["CC0-1.0"] * 4
    result = import_file(project, "groups", source, licence="MIT")
    assert list(result.lines())[2:] == ["  licence set to MIT: 4 × was CC0-1.0"]
    assert import_file(project, "groups", source, licence="MIT").again
    assert import_file(project, "groups", source).again
    assert licences(project) == ["MIT"] * 4
    (row,) = all_rows(project)["imports"]
    assert (row["options"]["licence"], row["counts"]["added"], row["counts"]["known"]) == ("MIT", 4, 0)


def test_a_row_with_its_own_licence_keeps_it(project: Project, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "news.jsonl", {"text": "One.", "licence": "CC-BY-4.0"}, {"text": "Two."})
    import_file(project, "news", path)
    result = import_file(project, "news", path, licence="CC0-1.0")
    assert (licences(project), result.relicensed) == (["CC-BY-4.0", "CC0-1.0"], {"": 1})


@pytest.mark.parametrize(
    ("source_kind", "columns", "message"),
    [
        ("news", {"date": "fecha"}, r"--columns date=fecha: news has no field 'date'; did you mean time\?"),
        ("forum", {"titel": "x"}, r"forum has no field 'titel'; did you mean title"),
        ("posts", {"texts": "x"}, r"posts has no field 'texts'; did you mean text\?"),
        ("groups", {"question": "x"}, r"groups has no field 'question'; did you mean group\?"),
        ("bitext", {"text_1": "x"}, r"bitext has no field 'text_1'; did you mean text1"),
        ("subtitles", {"text": "x"}, "--columns goes with tables, and subtitles are none"),
        ("pairs", {"txt1": "x"}, r"there is no field 'txt1'; did you mean text1"),
        ("judgements", {"valeu": "x"}, r"there is no field 'valeu'; did you mean value"),
    ],
)
def test_a_column_for_an_unknown_field_is_refused(
    project: Project, source: Path, source_kind: str, columns: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        import_file(project, source_kind, source, columns=columns)
    assert all_rows(project)["imports"] == []


def test_a_refused_import_does_not_stay_in_status(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("left,right\nRain fell.,It rained.\n", encoding="utf-8")
    with pytest.raises(OtherwordsError, match="no columns for the two texts"):
        import_file(project, "pairs", path)
    assert status(project)["imports"] == []
    import_file(project, "pairs", path, columns={"text1": "left", "text2": "right"})
    path.write_text("first,second\nSnow fell.,It snowed.\n", encoding="utf-8")
    with pytest.raises(OtherwordsError, match="no columns for the two texts"):
        import_file(project, "pairs", path)
    assert [row["state"] for row in status(project)["imports"]] == ["done"]


def test_a_refused_import_takes_back_what_it_brought(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "ROWS_A_TRANSACTION", 1)
    path = tmp_path / "texts.jsonl"
    good = write_texts(path, TEXTS).read_text()
    path.write_text(good + "{\n")
    with raises("bad-row"):
        import_file(project, "groups", path)
    rows = all_rows(project)
    assert (rows["documents"], rows["imports"]) == ([], [])


def test_status_replaces_an_interrupted_import_when_the_file_came_in(
    project: Project, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(imports, "insert_new", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            import_file(project, "groups", source)
    assert [row["state"] for row in status(project)["imports"]] == ["running"]
    import_file(project, "groups", source, lang="sv")
    assert [row["state"] for row in status(project)["imports"]] == ["replaced", "done"]


def test_another_label_of_a_known_pair_is_reported_and_not_taken(project: Project, tmp_path: Path) -> None:
    pair = {"id": "p1", "text1": "The tide is out.", "text2": "It is low tide.", "label": "oui"}
    for name, label in (("old", "oui"), ("new", "4")):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(pair | {"label": label}) + "\n", encoding="utf-8")
    import_file(project, "pairs", tmp_path / "old.jsonl")
    result = import_file(project, "pairs", tmp_path / "new.jsonl")
    assert result.relabelled == ["p1"]
    assert "  here with another label, which is kept: 1 (p1); judge again to change it" in list(result.lines())
    assert [row["label"] for row in all_rows(project)["pairs"]] == ["oui"]


def test_options_of_documents_do_not_go_with_pairs_and_judgements(project: Project, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "pairs.jsonl", {"id": "p1", "text1": TEXTS[0], "text2": TEXTS[1]})
    with raises("no-such-option", match="--set outlet"):
        import_file(project, "pairs", path, options={"outlet": "Courier"})
    with raises("misplaced-option", match="--set"):
        import_file(project, "judgements", path, options={"source": "Courier"})
    with raises("misplaced-option", match="--licence"):
        import_file(project, "judgements", path, licence="MIT")
    assert all_rows(project)["imports"] == []


def test_pairs_get_the_source_and_the_licence_of_their_import(project: Project, tmp_path: Path) -> None:
    own = {"id": "p1", "text1": TEXTS[0], "text2": TEXTS[1], "licence": "MIT", "source": "mill"}
    path = write_rows(tmp_path / "pairs.jsonl", own, {"id": "p2", "text1": TEXTS[2], "text2": TEXTS[3]})
    import_file(project, "pairs", path, licence="CC0-1.0", options={"source": "lamp"})
    rows = all_rows(project)["pairs"]
    assert [(row["licence"], row["source"]) for row in rows] == [("MIT", "mill"), ("CC0-1.0", "lamp")]
    result = import_file(project, "pairs", path, licence="CC-BY-4.0", options={"source": "lamp"})
    assert result.relicensed == {"CC0-1.0": 1}
    assert [row["licence"] for row in all_rows(project)["pairs"]] == ["MIT", "CC-BY-4.0"]


def test_another_pair_with_a_known_id_is_refused(project: Project, tmp_path: Path) -> None:
    import_two_pairs(project, tmp_path)
    path = write_rows(tmp_path / "more.jsonl", {"id": "p1", "text1": TEXTS[2], "text2": TEXTS[3]})
    with raises("duplicate-id", match="pair p1"):
        import_file(project, "pairs", path)
    assert len(all_rows(project)["pairs"]) == 2
