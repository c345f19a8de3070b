"""Lines in every encoding, and the log of those that cannot be read."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from otherwords.sources.source import ReadLog, Source, open_read_log
from tests.errors import raises

TEXT = "Tänään sataa.\n今日は雨です。\r\nСегодня дождь 🌧\nlast"
LINES = [(1, "Tänään sataa."), (2, "今日は雨です。"), (3, "Сегодня дождь 🌧"), (4, "last")]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "x.txt"


def source(file: Path, content: bytes, encoding: str | None = None) -> Source:
    file.write_bytes(content)
    return Source(file, ReadLog("skip"), encoding=encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marked_encodings(encoding: str, file: Path) -> None:
    assert list(source(file, TEXT.encode(encoding)).lines()) == LINES


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be"), ("utf-32-le", "utf-32-le"), ("utf-32-be", "utf-32-be")],
)
def test_both_byte_orders(mark: str, encoding: str, file: Path) -> None:
    assert list(source(file, "\ufeff".encode(mark) + TEXT.encode(encoding)).lines()) == LINES


@pytest.mark.parametrize("name", ["utf-16-le", "UTF-16LE", "utf8", "UTF-8", "gb18030"])
def test_named_encodings(name: str, file: Path) -> None:
    assert list(source(file, TEXT.encode(name), name).lines()) == LINES


def test_a_named_encoding_of_one_byte(file: Path) -> None:
    assert list(source(file, "Да\nнет".encode("cp1251"), "cp1251").lines()) == [(1, "Да"), (2, "нет")]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("klingon", "no such encoding: 'klingon'"),
        ("hex", "'hex' is not an encoding of text"),
        ("rot13", "not an encoding"),
    ],
)
def test_encodings_that_are_none(name: str, reason: str, file: Path) -> None:
    with raises("no-such-encoding", match=reason):
        list(source(file, b"abc\n", name).lines())


@pytest.mark.parametrize(("content", "name"), [(b"\xff\xfea\x00\x00", None), (b"\xe4", "ascii"), (b"abc", "utf-32")])
def test_a_wide_file_that_is_broken_ends_the_reading(content: bytes, name: str | None, file: Path) -> None:
    with raises("wrong-encoding", match=r"x\.txt: the file is not "):
        list(source(file, content, name).lines())


def test_only_newlines_end_lines(file: Path) -> None:
    content = "a\rb\u2028c\x85d\x0be\n\nf\r\r\n"
    assert list(source(file, content.encode()).lines()) == [(1, "a\rb\u2028c\x85d\x0be"), (2, ""), (3, "f\r")]
    assert [line for _, line in source(file, content.encode()).raw_lines()] == [
        "a\rb\u2028c\x85d\x0be\n",
        "\n",
        "f\r\r\n",
    ]


def test_a_mark_inside_is_text(file: Path) -> None:
    assert list(source(file, "\ufeffa\n\ufeffb\n".encode()).lines()) == [(1, "a"), (2, "\ufeffb")]


BAD = b"good\nb\xe4d\ngood again\n\xff\xff"
REASON = "not UTF-8 (byte 0xe4 at column 2); name another encoding with --encoding"


def test_bad_bytes_stop(file: Path) -> None:
    file.write_bytes(BAD)
    with (
        open_read_log("stop", None) as log,
        raises("bad-row", match=r"x\.txt: line 2: not UTF-8") as caught,
    ):
        list(Source(file, log).lines())
    assert (caught.value.line, caught.value.reason) == (2, REASON)


def test_bad_bytes_are_skipped_and_counted(file: Path) -> None:
    file.write_bytes(BAD)
    with open_read_log("skip", None) as log:
        assert list(Source(file, log).lines()) == [(1, "good"), (3, "good again")]
    assert log.skipped.total() == 2
    assert log.skipped[REASON] == 1


def test_bad_bytes_are_put_aside_with_their_reason(file: Path, tmp_path: Path) -> None:
    file.write_bytes(BAD)
    aside = tmp_path / "refused.jsonl"
    with open_read_log("quarantine", aside) as log:
        assert len(list(Source(file, log).lines())) == 2
        assert not aside.exists()
    rows = [json.loads(line) for line in aside.read_text(encoding="utf-8").splitlines()]
    assert rows[0] == {"file": str(file), "line": 2, "reason": REASON, "row": "b\xe4d\n"}
    assert [row["line"] for row in rows] == [2, 4]


def test_nothing_put_aside_is_an_empty_file(tmp_path: Path) -> None:
    aside = tmp_path / "refused.jsonl"
    with open_read_log("quarantine", aside):
        pass
    assert aside.read_bytes() == b""


def test_putting_aside_needs_a_file() -> None:
    with raises("no-quarantine-file", match="--quarantine FILE"), open_read_log("quarantine", None):
        pass


def test_a_line_without_end_is_an_error(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherwords.sources.source.MAX_LINE", 2**20)
    reading = source(file, b"short\n" + b"x" * (2**20 + 1))
    with raises("line-too-long", match="line 2: the line is longer than 1 MB"):
        list(reading.lines())
    with raises("line-too-long", match="line 1: the line is longer than 1 MB"):
        list(source(file, ("x" * (2**20 + 1)).encode("utf-16")).lines())
    assert len(list(source(file, b"x" * 2**20).lines())) == 1


def test_a_hundred_megabytes_in_one_line(file: Path) -> None:
    with file.open("wb") as stream:
        stream.truncate(100 * 2**20)
    with raises("line-too-long", match="line 1: the line is longer than 32 MB"):
        next(Source(file, ReadLog("skip")).lines())


class _Piped:
    def __init__(self, content: bytes) -> None:
        self.buffer = io.BufferedReader(io.BytesIO(content))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_standard_input_is_recognised_and_then_read_whole(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", _Piped(TEXT.encode(encoding)))
    reading = Source(None, ReadLog())
    assert reading.head() == TEXT.encode(encoding)
    assert list(reading.lines()) == LINES
    assert (reading.name, reading.stem) == ("standard input", "stdin")


def test_names_and_stems() -> None:
    assert Source(Path("a/dev.eng-eng.txt.gz"), ReadLog()).stem == "dev.eng-eng"
    assert Source(Path("a/dev.jsonl"), ReadLog()).stem == "dev"


def test_marks_and_rejections_share_one_account(file: Path) -> None:
    first = source(file, b"")
    first.sibling(file.with_name("y")).mark("odd")
    first.reject(3, "bad")
    assert (first.account.marked, first.account.skipped) == ({"odd": 1}, {"bad": 1})


def test_many_reasons_are_counted_together_and_listed_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with open_read_log("skip", None) as log:
        for number in [*range(1, 31), 1]:
            log.reject("x.csv", number, f"there is no pair {number}", {"id": number})
    [file] = tmp_path.glob("otherwords-refused-*.jsonl")
    assert len(log.skipped) == 11
    assert (log.skipped["there is no pair 1"], log.skipped[f"other reasons, listed in {file}"]) == (2, 20)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [row["line"] for row in rows] == list(range(11, 31))
    assert file.stat().st_mode & 0o077 == 0


def test_the_quarantine_file_lists_many_reasons_too(tmp_path: Path) -> None:
    file = tmp_path / "refused.jsonl"
    with open_read_log("quarantine", file) as log:
        for number in range(30):
            log.reject("x.csv", number, f"there is no pair {number}", {"id": number})
    assert log.skipped[f"other reasons, listed in {file}"] == 20
    assert len(file.read_text(encoding="utf-8").splitlines()) == 30
