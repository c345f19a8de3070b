"""Large JSON values read piece by piece."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import DataError
from otherwords.sources.format import Head
from otherwords.sources.io import json_stream
from otherwords.sources.io.json_stream import elements, first_character, first_element, members
from otherwords.sources.source import ReadLog, Source
from tests.errors import raises

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**50), 2**50) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('ab"\\{[', max_size=4), inner, max_size=4),
    max_leaves=12,
)


def source(tmp_path: Path, content: str | bytes, **options: Any) -> Source:
    path = tmp_path / "value.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Source(path, ReadLog(**options))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("json")


@settings(max_examples=150)
@given(st.lists(VALUES, max_size=6), st.sampled_from([None, 1, 4]), st.booleans())
def test_a_list_is_its_elements(folder: Path, values: list[Any], indent: int | None, ascii: bool) -> None:
    text = json.dumps(values, indent=indent, ensure_ascii=ascii)
    assert [value for _, value in elements(source(folder, text))] == values


@settings(max_examples=100)
@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), VALUES, max_size=6))
def test_an_object_is_its_members(folder: Path, values: dict[str, Any]) -> None:
    found = {name: value for _, name, value in members(source(folder, json.dumps(values)))}
    assert found == values


@settings(max_examples=60)
@given(st.lists(VALUES, max_size=5), st.integers(1, 40))
def test_the_size_of_blocks_does_not_matter(folder: Path, values: list[Any], size: int) -> None:
    file = source(folder, json.dumps(values, indent=1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("otherwords.sources.source.BLOCK", size)
        patch.setattr(json_stream, "BLOCK", size)
        assert [value for _, value in elements(file)] == values


@settings(max_examples=150)
@given(st.binary(max_size=60) | st.text('[]{}",:\\ \n1ab', max_size=40).map(str.encode))
def test_whatever_comes_is_a_value_or_a_data_error(folder: Path, content: bytes) -> None:
    for read in (elements, members):
        with contextlib.suppress(DataError):
            list(read(source(folder, content, on_error="skip")))


def test_lines_are_those_of_the_elements(tmp_path: Path) -> None:
    file = source(tmp_path, '\n[\n {"a": 1},\n\n {"a":\n 2}, 3,\n "x\\ny"\n, [[[[[[]]]]]],\n{}]\n')
    assert list(elements(file)) == [(3, {"a": 1}), (5, {"a": 2}), (6, 3), (7, "x\ny"), (8, [[[[[[]]]]]]), (9, {})]


def test_a_bad_element_is_rejected_and_reading_goes_on(tmp_path: Path) -> None:
    file = source(tmp_path, '[{"a": 1},\n{"a": tru},\n{"a" 2},\n{"a": "\\ud800"},\n{"a": 3}]', on_error="skip")
    assert list(elements(file)) == [(1, {"a": 1}), (5, {"a": 3})]
    assert sum(file.account.skipped.values()) == 3
    stopping = source(tmp_path, '[{"a": 1},\n{"a": tru}]')
    with raises("bad-row", match=r"line 2: not JSON"):
        list(elements(stopping))


@pytest.mark.parametrize(
    ("content", "code", "line", "found"),
    [
        ('[{"a": 1},\n{"a": "cut', "cut-short", 2, ""),
        ("[1,\n2", "cut-short", 2, ""),
        ("[", "cut-short", 1, ""),
        ("[1,\n\n]", "not-json", 3, "a value is expected, found ']'"),
        ("[1 2]", "not-json", 1, ", or ] is expected after an element, found '2'"),
        ("[1]\n[2]", "not-json", 2, "after the JSON value, found '['"),
        ('{"a": 1}', "not-json", 1, "a JSON list is expected, which starts with [; found '{'"),
        ("", "not-json", 1, "a JSON list is expected, which starts with [; found ''"),
    ],
)
def test_what_breaks_the_list_ends_the_reading(tmp_path: Path, content: str, code: str, line: int, found: str) -> None:
    with raises(code) as problem:
        list(elements(source(tmp_path, content, on_error="skip")))
    assert isinstance(problem.value, DataError)
    assert problem.value.line == line
    assert found in problem.value.reason


def test_an_element_has_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherwords.sources.source.BLOCK", 100)
    monkeypatch.setattr(json_stream, "BLOCK", 100)
    monkeypatch.setattr(json_stream, "MAX_LINE", 1000)
    for inside in ('"' + "x" * 5000 + '"', "[" + "1," * 3000 + "1]", "[" * 5000):
        with raises("element-too-large"):
            list(elements(source(tmp_path, f"[{inside}]")))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path: Path, encoding: str) -> None:
    assert list(elements(source(tmp_path, '["ä", "🙂"]'.encode(encoding)))) == [(1, "ä"), (1, "🙂")]


def test_another_encoding_is_named(tmp_path: Path) -> None:
    file = source(tmp_path, '["Äiti"]'.encode("latin-1"))
    with raises("bad-row"):
        list(elements(file))
    file.encoding = "latin-1"
    assert list(elements(file)) == [(1, "Äiti")]
    for wrong in ("klingon", "unicode_escape"):
        file.encoding = wrong
        with raises("no-such-encoding"):
            list(elements(file))


def test_the_first_element_tells_formats_apart() -> None:
    assert first_element(Head("", b' [ {"a": 1}, {"b"')) == {"a": 1}
    assert first_element(Head("", b'{"a": ["x"], "b')) == ("a", ["x"])
    assert first_element(Head("", b'{"a": ["x')) is None
    assert first_element(Head("", b"[" * 60000)) is None
    assert [first_character(Head("", text)) for text in (b"\n [", b"", b"\xff\xfe{\0")] == ["[", "", "{"]
