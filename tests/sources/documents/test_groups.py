"""Groups of texts: folders of .txt, .md and .docx, or rows of JSON."""

from __future__ import annotations

import contextlib
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import DataError
from otherwords.sources.documents.groups import docx, markdown_text
from otherwords.sources.documents.groups.docx import docx_text
from otherwords.sources.source import ReadLog, Source
from tests.errors import raises
from tests.sources.documents.reading_documents import documents, read, rejected

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def word_file(path: Path, body: str, name: str = "word/document.xml") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(name, f"<?xml version='1.0'?><w:document {W}><w:body>{body}</w:body></w:document>")
    return path


def text_of(path: Path) -> str:
    return docx_text(Source(path, ReadLog()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("groups")


def test_a_folder_for_each_group(fixtures: Path) -> None:
    results, log = read("groups", fixtures / "documents" / "groups", lang="en")
    assert [
        (document.group, document.meta["name"], document.text, document.source, document.lang) for document in results
    ] == [
        ("bridge", "only", "Silta on pitka.", "translations", "en"),
        ("tale", "first", "The fox ran.\n\nIt did not look back.", "translations", "en"),
        ("tale", "second", "The fox\n\nIt ran and never looked back.\n\n\none way\nanother way", "translations", "en"),
    ]
    assert dict(log.marked) == {"a group of one has no pair": 1}
    assert results[1].meta["file"] == str(fixtures / "documents" / "groups" / "tale" / "first.txt")
    assert [document.id for document in documents("groups", fixtures / "documents" / "groups")] == [
        document.id for document in results
    ]


def test_parts_and_sources(fixtures: Path) -> None:
    path = fixtures / "documents" / "groups"
    assert {document.source for document in documents("groups", path, part="answers")} == {"answers"}
    assert {document.source for document in documents("groups", path, part="answers", source="exams")} == {"exams"}
    with raises("bad-option"):
        documents("groups", path, part="essays")


def test_one_bad_file_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    group = tmp_path / "in" / "g"
    (group / "inner").mkdir(parents=True)
    (group / "a.txt").write_bytes("Hyvää päivää".encode("latin-1"))
    (group / "b.docx").write_bytes(b"PK no archive")
    (group / "c.pdf").write_bytes(b"%PDF")
    (group / "d.txt").write_text(" \n", encoding="utf-8")
    (group / "e.TXT").write_text("\ufeffKept.", encoding="utf-8")
    (group / ".hidden").touch()
    (group / "~$b.docx").touch()
    (tmp_path / "in" / "loose.txt").write_text("x", encoding="utf-8")
    results, log = read("groups", tmp_path / "in")
    assert [document.text for document in results] == ["Kept."]
    assert log.marked == {"a hidden file, passed over": 2, "a group of one has no pair": 1}
    reasons = {name: reason for name, _, reason in rejected("groups", tmp_path / "in", tmp_path)}
    assert list(reasons) == ["a.txt", "b.docx", "c.pdf", "d.txt", "inner", "loose.txt"]
    assert "name its encoding with --encoding" in reasons["a.txt"]
    assert "not a usable .docx file" in reasons["b.docx"]
    assert reasons["c.pdf"] == reasons["inner"]
    assert reasons["c.pdf"].startswith("a file ending in .txt, .md, .markdown, .docx is expected")
    assert reasons["d.txt"] == "the file has no text"
    assert reasons["loose.txt"].startswith("the file is in no group")
    assert read("groups", tmp_path / "in", encoding="latin-1")[0][0].text == "Hyvää päivää"


def test_rows_of_json(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    rows = [
        {"group": "q1", "text": "Because it rained.\r\n", "name": 7},
        {"question": "q1", "answer": "It was raining.", "lang": "en"},
        {"group": "q2", "text": "Alone"},
        {"group": "q3"},
        {"text": "nowhere"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    results, log = read("groups", path, part="answers")
    assert [(document.group, document.text, document.lang, document.meta) for document in results] == [
        ("q1", "Because it rained.", None, {"name": "7", "file": str(path), "line": 1}),
        ("q1", "It was raining.", "en", {"file": str(path), "line": 2}),
        ("q2", "Alone", None, {"file": str(path), "line": 3}),
    ]
    assert log.marked == {"a group of one has no pair": 1}
    assert sorted(reason.split(";")[0] for reason in log.skipped) == ["no group", "no text"]
    with raises("no-such-field", match="groups has no field 'theme'"):
        read("groups", path, columns={"theme": "x"})


def test_word_paragraphs(tmp_path: Path) -> None:
    body = (
        "<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>The </w:t></w:r><w:r><w:t>fox</w:t><w:tab/>"
        "<w:t>ran</w:t><w:br/><w:t>off</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:ins><w:r><w:t> again</w:t></w:r></w:ins></w:p>"
        "<w:p/><w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
        "<w:p><w:r><w:instrText>PAGE</w:instrText><w:t>end</w:t></w:r></w:p>"
    )
    assert text_of(word_file(tmp_path / "a.docx", body)) == "The fox\tran\noff again\n\ncell\nend"
    assert text_of(word_file(tmp_path / "b.docx", "<w:p><w:r><w:t>x</w:t></w:r></w:p>", "word/document2.xml")) == "x"


def test_a_text_box_of_word_is_read_once(tmp_path: Path) -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>"
    body = (
        f'<w:p><w:r><mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>'
        "</mc:AlternateContent><w:t>around</w:t></w:r></w:p>"
    )
    assert text_of(word_file(tmp_path / "box.docx", body)) == "boxed\naround"


def test_word_files_that_mean_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = word_file(tmp_path / "bomb.docx", "<w:p><w:r><w:t>" + "a" * 2**20 + "</w:t></w:r></w:p>")
    monkeypatch.setattr(docx, "RATIO_FREE", 1000)
    with raises("implausible-compression", match="unpacks to more than 250 times"):
        text_of(bomb)
    with raises("not-a-docx", match=r"word/document\.xml"):
        text_of(word_file(tmp_path / "none.docx", "", "../word/document.xml"))
    locked = bytearray(word_file(tmp_path / "locked.docx", "").read_bytes())
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.rindex(header) + flags] |= 1
    (tmp_path / "locked.docx").write_bytes(locked)
    with raises("encrypted-archive"):
        text_of(tmp_path / "locked.docx")
    entity = tmp_path / "entity.docx"
    with zipfile.ZipFile(entity, "w") as archive:
        archive.writestr("word/document.xml", '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><d><p>&a;</p></d>')
    with raises("xml-entities"):
        text_of(entity)


@settings(max_examples=100)
@given(st.data())
def test_a_damaged_word_file_is_a_data_error(folder: Path, data: st.DataObject) -> None:
    content = bytearray(word_file(folder / "whole.docx", "<w:p><w:r><w:t>Some text</w:t></w:r></w:p>" * 3).read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=4)):
        content[place] = data.draw(st.integers(0, 255))
    path = folder / "damaged.docx"
    path.write_bytes(bytes(content[: data.draw(st.integers(1, len(content)))]))
    with contextlib.suppress(DataError):
        text_of(path)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("---\na: b\n---\nText", "Text"),
        ("+++\na = 1\n+++\nText", "Text"),
        ("Text\n---\nmore", "Text\nmore"),
        ("## Title ##\nC# and C #", "Title\nC# and C #"),
        ("> - *one* **two** ~~three~~", "one two three"),
        ("snake_case 2*3*4 * 5", "snake_case 2*3*4 * 5"),
        ("[![alt](a.png)](b) [ref][1] <https://x.org>\n\n[1]: https://y.org", "alt ref https://x.org"),
        ("```python\nx = 1\n```\n`y`", "x = 1\ny"),
        ("| a | b |\n|---|:-:|\n| c | d |", "a | b\nc | d"),
        ("one <b>two</b><!-- no\nno --> three \\*four\\*", "one two three *four*"),
        ("1. first\n1984. A year", "first\n1984. A year"),
    ],
)
def test_markdown(page: str, text: str) -> None:
    assert markdown_text(page) == text


@pytest.mark.parametrize("unit", ["*", "<!--", "[", "`", "- ", " ", "|", "(", "[a](", "_a", "#", "> "])
def test_markdown_is_linear(unit: str) -> None:
    markdown_text(unit * 40_000)  # takes minutes where a pattern is not


@given(st.text("abc *_`#>-|[]()!<>\\\n+~=", max_size=60))
def test_markdown_keeps_every_letter_outside_of_targets_and_tags(page: str) -> None:
    if not set(page) & set("[]()<>-+"):
        letters = [char for char in page if char.isalpha()]
        fenced = "```" in page or "~~~" in page
        assert fenced or [char for char in markdown_text(page) if char.isalpha()] == letters
