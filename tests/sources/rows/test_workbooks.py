"""Excel workbooks: sheets, cells as people write them, formulas, and files that cannot be read."""

from __future__ import annotations

import contextlib
import gzip
import io
import sys
import tracemalloc
import zipfile
from datetime import date, datetime, time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otherwords.errors import OtherwordsError
from otherwords.records import Judgement
from tests.errors import raises
from tests.sources.laws import pairs, read, recognised
from tests.sources.workbooks import Sheets, excel_workbook, with_part, workbook

SHEET = "xl/worksheets/sheet1.xml"
HEADER = ["id", "text1", "text2", "label"]
ROWS = [HEADER, ["p1", "The ferry left.", "The boat departed.", "4"], ["p2", "It rained.", "It snowed.", 2]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return workbook(tmp_path / "sheet.xlsx", {"Pairs": ROWS})


def test_is_recognised_and_read(file: Path) -> None:
    assert recognised(file) == "xlsx"
    assert [(pair.id, pair.text1, pair.text2, pair.label) for pair in pairs(file)] == [
        ("p1", "The ferry left.", "The boat departed.", "4"),
        ("p2", "It rained.", "It snowed.", "2"),
    ]


def test_under_any_name_compressed_again_and_from_standard_input(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = pairs(file)
    renamed, packed = tmp_path / "sheet.bin", tmp_path / "sheet.xlsx.gz"
    renamed.write_bytes(file.read_bytes())
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert pairs(renamed) == pairs(packed) == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    assert pairs(Path("-")) == expected


def test_columns_are_named_as_in_any_table(tmp_path: Path) -> None:
    sheets: Sheets = {"Tabelle1": [["Nr", "Satz A", "Satz B", "Urteil"], [7, "a", "b", "ja"]]}
    file = workbook(tmp_path / "x.xlsx", sheets)
    columns = {"id": "Nr", "text1": "Satz A", "text2": "Satz B"}
    (pair,) = pairs(file, columns=columns)
    assert (pair.id, pair.text1, pair.text2, pair.meta) == ("7", "a", "b", {"Urteil": "ja"})
    with raises("missing-column", match="Satz A, Satz B"):
        pairs(file)
    bare = workbook(tmp_path / "bare.xlsx", {"Tabelle1": [["a", "b"], ["c", "d"]]})
    assert [pair.text2 for pair in pairs(bare, columns={"text1": "1", "text2": "2"})] == ["b", "d"]


def test_judgements_are_read_too(tmp_path: Path) -> None:
    rows = [["pair", "annotator", "value"], ["p1", "anna", "4>"], ["p1", "ben", 4]]
    records, _ = read(workbook(tmp_path / "x.xlsx", {"s": rows}), noun="judgements")
    values = [(row.annotator, row.value) for row in records if isinstance(row, Judgement)]
    assert values == [("anna", "4>"), ("ben", 4)]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (4, "4"),
        (4.0, "4"),
        (0.25, "0.25"),
        (True, "true"),
        (False, "false"),
        (date(2024, 3, 5), "2024-03-05"),
        (datetime(2024, 3, 5, 14, 30), "2024-03-05T14:30:00"),
        (time(9, 15), "09:15:00"),
        ("two\nlines", "two\nlines"),
        (" kept ", " kept "),
        ("naïve 日本 😀", "naïve 日本 😀"),
        (None, ""),
    ],
)
def test_cells_are_as_a_person_would_write_them(cell: object, text: str, tmp_path: Path) -> None:
    rows = [["text1", "text2", "extra", "end"], ["a", "b", cell, "."]]
    (pair,) = pairs(workbook(tmp_path / "x.xlsx", {"s": rows}))
    assert pair.meta.get("extra", "") == text


def test_empty_rows_and_missing_cells(tmp_path: Path) -> None:
    rows = [[], [None, None], ["text1", "text2", "label"], [], ["a", "b"], [None, " "], ["c", "d", "3", None, " "]]
    records, log = read(workbook(tmp_path / "x.xlsx", {"s": rows}))
    assert [(pair.text1, pair.label) for pair in pairs(tmp_path / "x.xlsx")] == [("a", None), ("c", "3")]
    assert [record.id for record in records] == ["x:5", "x:7"]
    assert not log.skipped


def test_too_many_cells_are_refused_with_the_line(tmp_path: Path) -> None:
    file = workbook(tmp_path / "x.xlsx", {"s": [["text1", "text2"], ["a", "b", "c"]]})
    with raises("bad-row", match=r"line 2: 3 columns found, 2 expected"):
        pairs(file)


def test_rows_above_the_header_are_passed_over_if_its_columns_are_named(tmp_path: Path) -> None:
    rows = [["Study, 2019", None, None, "Judges"], ["No.", "A side", "B side", "Anna", "Notes"], [1, "a", "b", "4"]]
    file = workbook(tmp_path / "x.xlsx", {"s": rows})
    records, log = read(file, columns={"id": "No.", "text1": "A side", "text2": "B side"})
    assert [(pair.id, pair.text1, pair.text2) for pair in records] == [("1", "a", "b")]
    assert log.marked == {"a row above the header, not read": 1}
    with raises("bad-row", match="5 columns found, 4 expected; if the header is further down, delete what is above"):
        pairs(file)


def test_a_wrong_dimension_cuts_nothing_off(file: Path) -> None:
    with_part(file, SHEET, b'<dimension ref="A1:D3"', b'<dimension ref="A1"')
    assert len(pairs(file)) == 2


def test_the_only_sheet_with_rows_is_read(tmp_path: Path) -> None:
    file = workbook(tmp_path / "x.xlsx", {"empty": [], "Pairs": ROWS, "also empty": [[None]]})
    assert len(pairs(file)) == 2


def test_one_of_several_sheets_is_named(tmp_path: Path) -> None:
    file = workbook(tmp_path / "x.xlsx", {"Pairs": ROWS, "Older pairs": [*ROWS, ["p3", "a", "b", "1"]]})
    with raises("sheet-needed", match="Pairs, Older pairs; name the one to read with --sheet"):
        pairs(file)
    assert len(pairs(file, sheet="Older pairs")) == 3
    assert len(pairs(file, sheet=" older PAIRS")) == 3
    with raises("no-such-sheet", match="did you mean Pairs"):
        pairs(file, sheet="Pair")


def test_a_hidden_sheet_is_read_if_it_is_named_or_the_only_one(tmp_path: Path) -> None:
    file = workbook(tmp_path / "x.xlsx", {"Pairs": ROWS, "Old": [*ROWS, ["p3", "a", "b", "1"]]}, hidden=["Old"])
    records, log = read(file)
    assert len(records) == 2
    assert list(log.marked) == ["the hidden sheet 'Old', not read; to read it, name it with --sheet"]
    assert len(pairs(file, sheet="Old")) == 3


def test_a_sheet_is_for_workbooks(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("text1,text2\na,b\n")
    with raises("misplaced-option", match="this is csv"):
        pairs(tmp_path / "x.csv", sheet="Pairs")


def test_formulas_are_their_values(tmp_path: Path) -> None:
    rows = [HEADER, ["p1", "a", "b", "=1+3"], ["p2", "=CONCATENATE(1,2)", "d", "=NA()"]]
    file = workbook(tmp_path / "x.xlsx", {"s": rows})
    with_part(file, SHEET, b"<f>1+3</f><v></v>", b"<f>1+3</f><v>4</v>")
    with_part(file, SHEET, b'r="B3"><f>CONCATENATE(1,2)</f><v></v>', b'r="B3" t="str"><f>CONCATENATE(1,2)</f><v>12</v>')
    with_part(file, SHEET, b'r="D3"><f>NA()</f><v></v>', b'r="D3" t="e"><f>NA()</f><v>#N/A</v>')
    records, log = read(file)
    assert [(pair.text1, pair.label) for pair in pairs(file)] == [("a", "4"), ("12", None)]
    assert dict(log.marked) == {"a cell with the error #N/A, read as empty": 1}
    assert len(records) == 2


def test_a_formula_that_nobody_computed_is_counted(tmp_path: Path) -> None:
    file = workbook(tmp_path / "x.xlsx", {"s": [HEADER, ["p1", "a", "b", "=1+3"]]})
    _, log = read(file)
    assert list(log.marked.values()) == [1]
    assert next(iter(log.marked)).startswith("a formula without a stored value")


def test_texts_as_excel_keeps_them(tmp_path: Path) -> None:
    """In a table of their own, in parts of several fonts, with the reading of Japanese characters beside them."""
    rich = "<si><r><t>The </t></r><r><rPr><b/></rPr><t>ferry</t></r><r><t xml:space='preserve'> left.</t></r></si>"
    read_aloud = "<si><t>東京</t><rPh sb='0' eb='2'><t>トウキョウ</t></rPh></si>"
    strings = f"<si><t>text1</t></si><si><t>text2</t></si>{rich}{read_aloud}"
    cells = "".join(f'<c r="{place}" t="s"><v>{n}</v></c>' for n, place in enumerate(("A1", "B1")))
    rows = f'<row r="1">{cells}</row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>3</v></c></row>'
    (pair,) = pairs(excel_workbook(tmp_path / "x.xlsx", rows, strings))
    assert (pair.text1, pair.text2) == ("The ferry left.", "東京")


def test_escaped_characters(tmp_path: Path) -> None:
    file = workbook(tmp_path / "x.xlsx", {"s": [["text1", "text2"], ["one_x000D_\ntwo", "b"]]})
    assert pairs(file)[0].text1 == "one\ntwo"


def test_a_password_and_the_older_format_are_named(tmp_path: Path) -> None:
    container = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(1000)
    locked, old = tmp_path / "locked.xlsx", tmp_path / "old.xlsx"
    locked.write_bytes(container + "EncryptedPackage".encode("utf-16-le") + bytes(100))
    old.write_bytes(container + "Workbook".encode("utf-16-le"))
    with raises("encrypted-archive", match="protected by a password; save it without one"):
        pairs(locked)
    with raises("older-workbook", match="save it as .xlsx or as CSV"):
        pairs(old)


def test_no_workbook_an_empty_one_and_a_cut_one(file: Path, tmp_path: Path) -> None:
    (tmp_path / "text.xlsx").write_text("text1,text2\na,b\n")
    with raises("damaged-file", match="save it again, or save the sheet as CSV"):
        pairs(tmp_path / "text.xlsx", "xlsx")
    cut = tmp_path / "cut.xlsx"
    cut.write_bytes(file.read_bytes()[:-200])
    with raises("damaged-file"):
        pairs(cut)
    with raises("empty-file", match="no rows"):
        pairs(workbook(tmp_path / "empty.xlsx", {"s": []}))
    with zipfile.ZipFile(tmp_path / "other.xlsx", "w") as archive:
        archive.writestr("xl/nothing.txt", "x")
    with raises("damaged-file"):
        pairs(tmp_path / "other.xlsx")


def test_a_bomb_is_refused_before_it_is_unpacked(file: Path) -> None:
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("xl/bomb.xml", "w") as part:
        for _ in range(80):
            part.write(bytes(2**20))
    tracemalloc.start()
    with raises("implausible-compression"):
        pairs(file)
    assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    tracemalloc.stop()


def test_entities_are_not_expanded(file: Path) -> None:
    entities = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10 if n else b"x" * 50) for n in range(9))
    with_part(file, SHEET, b"<worksheet ", b"<!DOCTYPE w [" + entities + b"]><worksheet ")
    with_part(file, SHEET, b"<dimension", b"<oddHeader>&e8;</oddHeader><dimension")
    with raises("damaged-file"):
        pairs(file)


def test_a_row_far_below_does_not_keep_the_reader_busy(file: Path) -> None:
    with_part(file, SHEET, b'<row r="3">', b'<row r="999999999999">')
    with raises("too-many-rows"):
        pairs(file)


def test_rows_are_read_one_at_a_time(tmp_path: Path) -> None:
    rows = ([f"p{n}", f"first {n} " * 20, f"second {n} " * 20, "4"] for n in range(4000))
    file = workbook(tmp_path / "x.xlsx", {"s": [HEADER, *rows]})
    with zipfile.ZipFile(file) as archive:
        assert archive.getinfo(SHEET).file_size > 500_000
    from otherwords.sources import open_records

    with open_records(file) as records:
        first = next(iter(records))
    assert first.id == "p0"


def test_it_is_not_written(tmp_path: Path, file: Path) -> None:
    from otherwords.sources import write_records

    with raises("format-not-written", match=".csv"):
        write_records(pairs(file), tmp_path / "out.xlsx", "xlsx")


def test_damage_is_an_error_in_words(file: Path, tmp_path: Path) -> None:
    seed, damaged = file.read_bytes(), tmp_path / "damaged.xlsx"

    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.integers(0, len(seed) - 1), st.binary(min_size=1, max_size=8))
    def law(place: int, piece: bytes) -> None:
        damaged.write_bytes(seed[:place] + piece + seed[place + len(piece) :])
        with contextlib.suppress(OtherwordsError):
            assert len(pairs(damaged, "xlsx")) <= 2

    law()


@pytest.mark.parametrize("part", [SHEET, "xl/workbook.xml", "[Content_Types].xml", "xl/styles.xml"])
def test_damage_inside_a_part_is_an_error_in_words(part: str, file: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        content = archive.read(part)
    whole, damaged = file.read_bytes(), tmp_path / "damaged.xlsx"

    @settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.integers(0, len(content) - 1), st.sampled_from([b"", b"<", b"0", b"-1", b"zz", b"&", b'"', b"1e999"]))
    def law(place: int, piece: bytes) -> None:
        damaged.write_bytes(whole)
        with_part(damaged, part, content, content[:place] + piece + content[place + 1 :])
        with contextlib.suppress(OtherwordsError):
            pairs(damaged, "xlsx")

    law()
