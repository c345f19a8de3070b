"""XML read element by element."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import DataError
from otherwords.sources.io import xml_stream
from otherwords.sources.io.xml_stream import child_text, elements, xml_attribute, xml_text
from otherwords.sources.source import ReadLog, Source
from tests.errors import raises

ROWS = frozenset({"row"})


def source(tmp_path: Path, content: str | bytes, **options: Any) -> Source:
    path = tmp_path / "file.xml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Source(path, ReadLog(), **options)


def texts(file: Source) -> list[str | None]:
    return [element.text for _, element in list(elements(file, ROWS))[1:]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("xml")


def test_the_root_comes_first_then_the_rows_with_their_lines(tmp_path: Path) -> None:
    file = source(
        tmp_path, '<d xmlns="urn:x" n="7">\n<h>no</h><row a="1">x<b>y</b></row>\n\n<g><row><row/></row></g></d>'
    )
    (first, root), *rows = elements(file, ROWS)
    assert (first, root.tag, root.get("n"), list(root)) == (1, "d", "7", [])
    assert [(line, ElementTree.tostring(row)) for line, row in rows] == [
        (2, b'<row a="1">x<b>y</b></row>'),
        (4, b"<row><row /></row>"),
    ]


def test_without_names_the_children_of_the_root_are_the_rows(tmp_path: Path) -> None:
    (_, root), (_, a), (_, b) = elements(source(tmp_path, "<x:r xmlns:x='u'><x:a><c>1</c><d/></x:a><b/></x:r>"), None)
    assert (root.tag, a.tag, b.tag, child_text(a, "c"), child_text(a, "d"), child_text(a, "e")) == (
        "r",
        "a",
        "b",
        "1",
        None,
        None,
    )


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [("UTF8", "utf-8"), ("utf-8", "utf-8-sig"), ("windows-1251", "cp1251"), ("UTF-16", "utf-16"), ("UTF-16", "utf-8")],
)
def test_encodings(tmp_path: Path, declared: str, encoding: str) -> None:
    text = f"<?xml version='1.0' encoding='{declared}'?>\n<d><row>Снег</row></d>"
    assert texts(source(tmp_path, text.encode(encoding))) == ["Снег"]


def test_the_users_encoding_overrides(tmp_path: Path) -> None:
    content = "<?xml version='1.0' encoding='UTF-8'?><d><row>Äiti</row></d>".encode("latin-1")
    with raises("not-xml"):
        texts(source(tmp_path, content))
    assert texts(source(tmp_path, content, encoding="latin-1")) == ["Äiti"]
    with raises("no-such-encoding", match="no such encoding: 'klingon'"):
        texts(source(tmp_path, b"<?xml version='1.0' encoding='klingon'?><d/>"))


@pytest.mark.parametrize(
    ("content", "line", "code", "reason"),
    [
        ('<!DOCTYPE d [\n<!ENTITY a "b">]><d>&a;</d>', 2, "xml-entities", ""),
        ('<!DOCTYPE d [\n<!ENTITY a SYSTEM "file:///etc/passwd">]><d>&a;</d>', 2, "xml-entities", ""),
        ('<!DOCTYPE d [<!ENTITY % p "x">]><d/>', 1, "xml-entities", ""),
        ('<!DOCTYPE d SYSTEM "http://example.org/d.dtd"><d/>', 1, "external-document-type", ""),
        ("<d>\n&nbsp;</d>", 2, "not-xml", "undefined entity"),
        ("<d>\n<row>\n</d>", 3, "not-xml", "mismatched tag"),
        ("<d>\n<row>x</row>", 2, "cut-short", ""),
        ("not xml", 1, "not-xml", "not well-formed"),
        ("<d>" + "<e>" * 200, 1, "nested-too-deeply", ""),
    ],
)
def test_what_is_refused(tmp_path: Path, content: str, line: int, code: str, reason: str) -> None:
    with raises(code) as problem:
        list(elements(source(tmp_path, content), ROWS))
    assert isinstance(problem.value, DataError)
    assert problem.value.line == line
    assert reason in problem.value.reason


def test_a_plain_document_type_is_no_harm(tmp_path: Path) -> None:
    assert texts(source(tmp_path, "<!DOCTYPE d><d><row>&lt;&#228;</row></d>")) == ["<ä"]


def test_an_element_and_a_tag_have_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_stream, "MAX_LINE", 1000)
    monkeypatch.setattr("otherwords.sources.source.BLOCK", 100)
    with raises("element-too-large"):
        texts(source(tmp_path, "<d><row>" + "x\n" * 5000 + "</row></d>"))
    with raises("element-too-large"):
        texts(source(tmp_path, "<d><!--" + "x" * 50000 + "--></d>"))


def test_rows_are_given_out_before_the_end_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherwords.sources.source.BLOCK", 64)
    rows = elements(source(tmp_path, "<d>" + "<row>x</row>" * 100 + "<broken"), ROWS)
    assert [next(rows)[1].tag for _ in range(50)] == ["d"] + ["row"] * 49


@settings(max_examples=150)
@given(st.binary(max_size=60) | st.text("<>/dr=\"'&;!-[] ?xml", max_size=40).map(lambda t: f"<d>{t}</d>".encode()))
def test_whatever_comes_is_rows_or_a_data_error(folder: Path, content: bytes) -> None:
    with contextlib.suppress(DataError):
        list(elements(source(folder, content), None))


@settings(max_examples=100)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")))
def test_what_is_written_is_read_again(folder: Path, text: str) -> None:
    content = f"<d><row a={xml_attribute(text)}>{xml_text(text)}</row></d>"
    _, (_, row) = elements(source(folder, content), ROWS)
    assert ("".join(row.itertext()), row.get("a")) == (text, text)


def test_control_characters_become_blanks_and_line_ends_stay(tmp_path: Path) -> None:
    assert texts(source(tmp_path, f"<d><row>{xml_text('a' + chr(0) + 'b' + chr(13) + chr(10) + 'c')}</row></d>")) == [
        "a b\r\nc"
    ]
