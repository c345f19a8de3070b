"""The start of a file, by which formats recognise their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.sources.format import LINES_IN_HEAD, Head
from tests.errors import raises
from tests.sources.laws import recognised


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_lines_in_any_marked_encoding(encoding: str) -> None:
    assert Head(".txt", "ä\r\n\n語\u2028b\n".encode(encoding)).lines == ["ä", "語\u2028b"]


def test_a_line_that_may_be_cut_off_is_left_out() -> None:
    assert Head(".txt", b"a\nb\nc").lines == ["a", "b"]
    assert Head(".txt", b"only").lines == ["only"]
    assert Head(".txt", b"").lines == []


def test_a_limited_number_of_lines() -> None:
    assert len(Head(".txt", b"x\n" * 1000).lines) == LINES_IN_HEAD


@pytest.mark.parametrize(
    ("start", "row"),
    [(b'{"a": 1}\n{', {"a": 1}), (b"[1]\n", {}), (b'{"a": \n', {}), (b"[" * 60_000, {}), (b"", {}), (b"\xff", {})],
)
def test_the_first_row(start: bytes, row: dict[str, int]) -> None:
    assert Head(".json", start).row == row


def test_what_nobody_recognises(tmp_path: Path) -> None:
    file = tmp_path / "x.bin"
    file.write_bytes(b"hello\n")
    with raises("format-not-recognised", match=r"the format is not recognised; name it with --from \(turku, tmup"):
        recognised(file)
    file.write_bytes(b"\xef\xbb\xbf \r\n")
    with raises("empty-file"):
        recognised(file)
    with raises(
        "format-not-recognised", match="is a folder in no known format; name a file, or name the format with --from"
    ):
        recognised(tmp_path)
