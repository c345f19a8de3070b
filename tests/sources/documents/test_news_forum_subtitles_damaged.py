"""Whatever is done to a file, a reader gives documents, rejects it, or says in one of our errors what is wrong."""

from __future__ import annotations

import contextlib
from pathlib import Path
from unicodedata import is_normalized

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import DataError, UsageError
from tests.conftest import ROOT
from tests.sources.documents.reading_documents import read

FIXTURES = ROOT / "tests" / "fixtures" / "documents"
CASES = [
    (kind, path)
    for kind in ("subtitles", "news", "forum")
    for path in sorted((FIXTURES / kind).rglob("*"))
    if path.is_file() and path.name != "table.csv"
]
PIECES = (
    *'"{}[]<>&;,:|\t\n\r\\',
    *(
        "-->",
        "<text>",
        "</text>",
        "<s>",
        "{\\p1}",
        "{1}{1}0",
        "WEBVTT\n\n",
        "[Events]\n",
        "<p>",
        "<html>",
        "<!DOCTYPE x>",
    ),
    *(
        "null",
        "1e999",
        "NaN",
        "\x00",
        "9" * 300,
        "\\ud800",
        "&#0;",
        "&#xd800;",
        "&amp;",
        "SpacesAfter=\\",
        "\u2028",
        "\ufeff",
    ),
)
pieces = st.sampled_from(PIECES).map(str.encode) | st.binary(max_size=3)
damages = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), pieces), min_size=1, max_size=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged")


@pytest.mark.parametrize(("kind", "path"), CASES, ids=lambda part: part.name if isinstance(part, Path) else part)
@settings(max_examples=40)
@given(damage=damages)
def test_damage(folder: Path, kind: str, path: Path, damage: list[tuple[float, int, bytes]]) -> None:
    content = path.read_bytes()
    for place, gone, piece in damage:
        at = int(place * len(content))
        content = content[:at] + piece + content[at + gone :]
    copy = folder / path.name
    copy.write_bytes(content)
    with contextlib.suppress(DataError, UsageError):
        results, log = read(kind, copy)
        for document in results:
            assert document.text.strip()
            assert is_normalized("NFC", document.text)
            assert "\x00" not in document.text
            assert "\r" not in document.text
            assert document.source == kind
        assert results or log.skipped or log.marked


@pytest.mark.parametrize("name", ["x.srt", "x.vtt", "x.ass", "x.sub", "x.xml"])
@pytest.mark.parametrize(
    "line", ["<i" + " " * 50_000, "{\\p1" * 20_000, "<" * 50_000, " " * 100_000 + "x", "&#" * 50_000]
)
def test_hostile_lines_are_read_in_good_time(name: str, line: str, tmp_path: Path) -> None:
    """A pattern that looks twice at the same blanks would take hours on these."""
    heads = {
        "x.srt": "1\n00:00:01,000 --> 00:00:02,000\n",
        "x.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n",
        "x.ass": "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,",
        "x.sub": "{1}{2}",
        "x.xml": "<rss>",
    }
    (tmp_path / name).write_text(heads[name] + line + "word\n", encoding="utf-8")
    with contextlib.suppress(DataError, UsageError):
        read("subtitles", tmp_path / name)
