"""Rows of delimited text, as RFC 4180 and as people write them."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.sources.io.tabular import (
    MAX_LINES_IN_CELL,
    guess_delimiter,
    plain_rows,
    quoted_rows,
    read_header,
    rows_by_header,
    write_plain_rows,
    write_rows,
)
from otherwords.sources.source import ReadLog, Source
from tests.errors import raises


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "x.csv"


def source(file: Path, content: bytes) -> Source:
    file.write_bytes(content)
    return Source(file, ReadLog("skip"))


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (b"a,b\nc,d", [(1, ["a", "b"]), (2, ["c", "d"])]),
        (b"a,b\r\nc,d\r\n", [(1, ["a", "b"]), (2, ["c", "d"])]),
        (b"a,b\n\n  \nc,d\n", [(1, ["a", "b"]), (4, ["c", "d"])]),
        (b"a,b\n,\nc,\n", [(1, ["a", "b"]), (3, ["c", ""])]),
        (b'"a,b","c"\n', [(1, ["a,b", "c"])]),
        (b'"say ""yes""",""\n', [(1, ['say "yes"', ""])]),
        (b'"a\nb","c\r\nd"\ne,f\n', [(1, ["a\nb", "c\r\nd"]), (4, ["e", "f"])]),
        (b'"a\n\n""b"",\n","c"\n', [(1, ['a\n\n"b",\n', "c"])]),
        (b'a,"""\n"\nb,c\n', [(1, ["a", '"\n']), (3, ["b", "c"])]),
        (b'a,"b\n', [(1, ["a", '"b'])]),
        (b'5" disk,a "b" c\n', [(1, ['5" disk', 'a "b" c'])]),
        (b'"No" he said,b\n', [(1, ['"No" he said', "b"])]),
        (b"a\rb,c\n", [(1, ["a\rb", "c"])]),
        ("a\u2028b,c\x85d\x0be\n".encode(), [(1, ["a\u2028b", "c\x85d\x0be"])]),
        (b'"a\rb",c\r\n', [(1, ["a\rb", "c"])]),
        (b"\xef\xbb\xbfa,b\n", [(1, ["a", "b"])]),
        (b'\xef\xbb\xbf"a",b\n', [(1, ["a", "b"])]),
    ],
)
def test_quoted_rows(content: bytes, rows: list[tuple[int, list[str]]], file: Path) -> None:
    assert list(quoted_rows(source(file, content))) == rows


def test_an_open_quote_does_not_swallow_the_file(file: Path) -> None:
    reading = source(file, b'a,b\n"c,d\ne,f\n"g" h,i\n')
    assert [cells for _, cells in quoted_rows(reading)] == [["a", "b"], ['"c', "d"], ["e", "f"], ['"g" h', "i"]]
    assert reading.account.marked == {"a quote that is never closed, read as text": 1}


def test_nor_does_one_that_would_close_after_very_many_lines(file: Path) -> None:
    lines = ['"open,1'] + ["x,2"] * (MAX_LINES_IN_CELL + 5) + ['close",3']
    rows = list(quoted_rows(source(file, "\n".join(lines).encode())))
    assert len(rows) == len(lines)
    assert rows[0] == (1, ['"open', "1"])
    assert rows[-1] == (len(lines), ['close"', "3"])


def test_many_open_quotes_are_read_in_one_go(file: Path) -> None:
    rows = list(quoted_rows(source(file, b'x"y,"z\n' * 20_000)))
    assert len(rows) == 20_000
    assert {tuple(cells) for _, cells in rows} == {('x"y', '"z')}


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ('"a\tb\nc"\td\n', [(1, ['"a', "b"]), (2, ['c"', "d"])]),
        ('a\t"b\nc\td\ne\tf"\n', [(1, ["a", '"b']), (2, ["c", "d"]), (3, ["e", 'f"'])]),
        ('a\t"b\nc"\n', [(1, ["a", "b\nc"])]),  # the second line is no row by itself
        ('"a\nb"\tc\n', [(1, ["a\nb", "c"])]),  # nor is the first
        ('"a\tb\nc"\n', [(1, ['"a', "b"]), (2, ['c"'])]),  # together they would be no row either
    ],
)
def test_lines_that_are_rows_by_themselves_are_not_joined(
    content: str, rows: list[tuple[int, list[str]]], file: Path
) -> None:
    assert list(quoted_rows(source(file, content.encode()), "\t", 2)) == rows


@pytest.mark.parametrize(
    ("line", "delimiter"),
    [("a;b", ";"), ("a,b", ","), ("a;b,c", ","), ('"a,b";c', ";"), ('"a;b"', ","), ("a", ","), ("", ",")],
)
def test_the_delimiter_of_a_header(line: str, delimiter: str, file: Path) -> None:
    assert (
        guess_delimiter(source(file, b"\xef\xbb\xbf\r\n" + line.encode() + b"\r\n1;2,3\n" if line else b""))
        == delimiter
    )


def test_the_header_in_a_named_encoding(file: Path) -> None:
    file.write_bytes('\nä\t"b\tc"\r\nd\te\n'.encode("utf-16-be"))
    assert read_header(Source(file, ReadLog(), encoding="utf-16-be"), "\t") == ["ä", "b\tc"]


def test_plain_rows_know_no_quotes(file: Path) -> None:
    reading = source(file, 'a\t"b\r\n\t\t\n \n"c"\td\u2028e\t\n'.encode())
    assert list(plain_rows(reading)) == [(1, ["a", '"b']), (4, ['"c"', "d\u2028e", ""])]


def test_headed(file: Path) -> None:
    reading = source(file, b" a ,b\n1,2\n3,4,,\n5\n6,7,8\n")
    assert list(rows_by_header(quoted_rows(reading), reading)) == [(2, {"a": "1", "b": "2"}), (3, {"a": "3", "b": "4"})]
    assert reading.account.skipped == {"1 column found, 2 expected": 1, "3 columns found, 2 expected": 1}


def test_lines_that_end_in_carriage_returns_only(file: Path) -> None:
    reading = source(file, b"a,b\r1,2\r3,4\r")
    with raises("wrong-line-ends"):
        list(rows_by_header(quoted_rows(reading), reading))


# A file that starts with U+FEFF starts with a byte order mark, so no cell has that here.
cells = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff") | st.sampled_from('",;\t\r\n '), max_size=8
)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_written_rows_come_back(delimiter: str, file: Path) -> None:
    @settings(max_examples=150)
    @given(st.lists(st.tuples(cells, cells, cells.filter(bool)), max_size=4))
    def law(rows: list[tuple[str, str, str]]) -> None:
        stream = io.BytesIO()
        write_rows(rows, stream, delimiter)
        read = [cells for _, cells in quoted_rows(source(file, stream.getvalue()), delimiter)]
        assert read == [list(row) for row in rows]
        standard = csv.reader(io.StringIO(stream.getvalue().decode(), newline=""), delimiter=delimiter)
        assert list(standard) == [list(row) for row in rows]

    law()


@settings(max_examples=150)
@given(st.lists(st.tuples(cells, cells, cells.filter(str.strip)), max_size=4))
def test_plain_rows_lose_nothing_but_tabs_and_line_breaks(rows: list[tuple[str, str, str]]) -> None:
    stream = io.BytesIO()
    write_plain_rows(rows, stream)
    lines = stream.getvalue().decode().split("\n")
    assert lines.pop() == ""
    assert [line.split("\t") for line in lines] == [
        [re.sub(r"\r\n|[\t\r\n]", " ", cell) for cell in row] for row in rows
    ]
