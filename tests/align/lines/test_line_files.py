"""The lines of two files, as the command prints them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from otherwords.align.lines.align import align_files
from otherwords.cli.align import lines as command
from otherwords.errors import DataError
from tests.align.script import Version, utterances, version

SPOKEN = utterances(60, seed=2)


def stamp(ms: int) -> str:
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02},{ms % 1000:03}"


def srt(subtitles: Version) -> str:
    """The version as it would be on disk."""
    firsts = [line for line, _, _ in subtitles.cues]
    blocks = []
    for number, ((line, start, end), stop) in enumerate(
        zip(subtitles.cues, [*firsts[1:], len(subtitles.lines)], strict=True), 1
    ):
        blocks.append("\n".join([str(number), f"{stamp(start)} --> {stamp(end)}", *subtitles.lines[line:stop]]))
    return "\n\n".join(blocks) + "\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    path1, path2 = tmp_path / "one.txt", tmp_path / "two.txt.gz"
    path1.write_bytes("Where is the key?\r\nOn the nail.\r\nThank you, Runa.".encode("utf-8-sig"))
    path2.write_bytes(gzip.compress(b"Where's the key?\nIt is on the nail.\nThank you,\nRuna."))
    return path1, path2


def test_pairs_are_printed_from_one(files: tuple[Path, Path]) -> None:
    done = CliRunner().invoke(command, [str(path) for path in files])
    assert done.exit_code == 0
    assert done.stdout == "1\t1\n2\t2\n3\t3\n3\t4\n"
    assert "3 and 4 lines, 4 pairs, by content" in done.stderr


def test_json(files: tuple[Path, Path]) -> None:
    done = CliRunner().invoke(command, [*map(str, files), "--json"])
    assert json.loads(done.stdout) == {
        "method": "content",
        "offset_ms": None,
        "drift": None,
        "lines1": 3,
        "lines2": 4,
        "pairs": [[1, 1], [2, 2], [3, 3], [3, 4]],
    }


def test_subtitles_go_by_time(tmp_path: Path) -> None:
    path1, path2 = tmp_path / "one.srt", tmp_path / "two.srt"
    version1, version2 = version(SPOKEN, 1, width=40), version(SPOKEN, 2, width=25, drift=25 / 24, offset=2_000)
    path1.write_text(srt(version1), encoding="utf-8")
    path2.write_text(srt(version2), encoding="utf-8")
    done = CliRunner().invoke(command, [str(path1), str(path2)])
    assert done.exit_code == 0
    assert f"{len(version1.lines)} and {len(version2.lines)} lines" in done.stderr
    assert "by time" in done.stderr
    assert "second clock = 1.0416" in done.stderr
    assert "× first +2.0" in done.stderr
    pairs = {tuple(map(int, line.split("\t"))) for line in done.stdout.splitlines()}
    assert pairs >= {
        (version1.first_line[number] + 1, version2.first_line[number] + 1) for number in version1.first_line
    }


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"gone\.txt"):
        align_files(tmp_path / "gone.txt", tmp_path / "gone.txt")
