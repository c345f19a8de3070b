"""Opening and replacing files: compression, hostile archives, and writing that is whole or not at all."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import os
import sys
import zipfile
from pathlib import Path

import pytest

from otherwords.errors import DataError, OtherwordsError
from otherwords.sources.io.files import atomic_write, bare_stem, bare_suffix, is_stream, open_binary
from tests.errors import raises

CONTENT = "jedna věta\nzwei Sätze\n".encode() * 50


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return stream.getvalue()


def content_of(path: Path) -> bytes:
    with open_binary(path) as stream:
        return stream.read()


def write_half(path: Path, problem: BaseException) -> None:
    with atomic_write(path) as stream:
        stream.write(CONTENT)
        raise problem


@pytest.fixture
def packed(tmp_path: Path) -> dict[str, Path]:
    contents = {
        "x.txt": CONTENT,
        "x.txt.gz": gzip.compress(CONTENT),
        "x.txt.bz2": bz2.compress(CONTENT),
        "x.txt.zip": zipped(("inside.txt", CONTENT)),
        "lzma.zip": zipped(("inside.txt", CONTENT), method=zipfile.ZIP_LZMA),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    with atomic_write(tmp_path / "x.txt.zst") as stream:
        stream.write(CONTENT)
    return {name: tmp_path / name for name in [*contents, "x.txt.zst"]}


def test_compression_by_suffix(packed: dict[str, Path]) -> None:
    for path in packed.values():
        assert content_of(path) == CONTENT


def test_suffix_and_stem() -> None:
    assert [bare_suffix(Path(name)) for name in ("a.JSONL", "a.jsonl.gz", "a.tsv.zst", "a.csv.BZ2", "a.gz")] == [
        ".jsonl",
        ".jsonl",
        ".tsv",
        ".csv",
        "",
    ]
    assert [bare_stem(Path(name)) for name in ("a.jsonl", "a.b.jsonl.gz", "a.gz")] == ["a", "a.b", "a"]


@pytest.mark.parametrize("name", ["x.txt.gz", "x.txt.bz2", "x.txt.zst", "x.txt.zip", "lzma.zip"])
@pytest.mark.parametrize("left", [0.1, 0.5, 0.99])
def test_a_part_of_an_archive_is_never_taken_for_the_whole(name: str, left: float, packed: dict[str, Path]) -> None:
    whole = packed[name].read_bytes()
    packed[name].write_bytes(whole[: int(len(whole) * left)])
    with raises("damaged-archive", match=rf"{name}: (the compressed data is damaged or cut short|not a usable)"):
        content_of(packed[name])


@pytest.mark.parametrize("name", ["x.gz", "x.bz2", "x.zst", "x.zip"])
def test_what_is_no_archive(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"just a text\n")
    with raises("damaged-archive", match=rf"{name}: (the compressed data is damaged or cut short|not a usable)"):
        content_of(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("bomb.gz", gzip.compress),
        ("bomb.bz2", bz2.compress),
        ("bomb.zst", None),
        ("bomb.zip", lambda content: zipped(("x", content))),
    ],
)
def test_bombs(name: str, pack: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherwords.sources.io.files.RATIO_FREE", 2**20)
    bomb = b"\n" * (8 * 2**20)
    path = tmp_path / name
    if callable(pack):
        path.write_bytes(pack(bomb))
    else:
        with atomic_write(path) as stream:
            stream.write(bomb)
    with raises("implausible-compression", match="unpacks to more than 250 times its size"):
        content_of(path)


def test_small_files_may_pack_well(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(b"a" * 10**6))
    assert len(content_of(path)) == 10**6


def test_archives_that_are_not_one_file(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(zipped(("a", b"1"), ("b", b"2")))
    with raises("not-one-file-in-archive", match="the archive holds 2 files, 1 is expected"):
        content_of(path)
    path.write_bytes(zipped(("../../etc/passwd", b"1")))
    assert content_of(path) == b"1"  # only read, never unpacked to disk


def test_encrypted_archives(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    content = bytearray(zipped(("a", b"1")))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    with raises("encrypted-archive"):
        content_of(path)


def test_what_is_no_file(tmp_path: Path) -> None:
    with raises("file-needed"):
        content_of(tmp_path)
    with raises("file-unreadable", match=r"nowhere\.txt: No such file"):
        content_of(tmp_path / "nowhere.txt")
    os.mkfifo(tmp_path / "pipe")
    with raises("file-needed", match="pipe"):
        content_of(tmp_path / "pipe")


@pytest.mark.parametrize("name", ["x.txt", "x.txt.gz", "x.txt.bz2", "x.txt.zst"])
def test_written_whole_and_the_same_every_time(name: str, tmp_path: Path) -> None:
    written = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / name
        with atomic_write(path) as stream:
            stream.write(CONTENT)
            assert not path.exists()
        assert content_of(path) == CONTENT
        assert list(path.parent.iterdir()) == [path]
        written.append(path.read_bytes())
    assert written[0] == written[1]


@pytest.mark.parametrize("name", ["x.txt", "x.txt.gz", "x.txt.bz2", "x.txt.zst"])
def test_nothing_is_left_of_a_block_that_fails(name: str, tmp_path: Path) -> None:
    with raises("unspecified"):
        write_half(tmp_path / name, DataError("half way"))
    assert list(tmp_path.iterdir()) == []


def test_the_file_before_stays_if_the_block_fails(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("before", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        write_half(path, KeyboardInterrupt())
    assert path.read_text(encoding="utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere" / "x.txt", tmp_path):
        with raises("file-unwritable"), atomic_write(path) as stream:
            stream.write(b"x")
    with (
        raises("unsupported-compression", match=r"cannot write zip archives; use \.gz"),
        atomic_write(tmp_path / "x.zip"),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_only_devices_and_descriptors_are_streams(tmp_path: Path) -> None:
    named = [os.devnull, "/dev/fd/1", "/proc/self/fd/1", "/dev/shm/pairs.csv.gz", tmp_path / "pairs.csv.gz"]
    assert [is_stream(Path(name)) for name in named] == [True, True, True, False, False]


def test_a_device_is_written_to_and_not_replaced() -> None:
    null = Path(os.devnull)
    with atomic_write(null) as stream:
        stream.write(b"gone")
    assert null.is_char_device()


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", sys.__stdout__)
    with atomic_write(None) as stream:
        stream.write(b"x\n")
    assert capfdbinary.readouterr().out == b"x\n"


def test_errors_are_ours(packed: dict[str, Path]) -> None:
    """Any damage to a byte of an archive is either harmless or one of our errors."""
    for name in ("lzma.zip", "x.txt.zip", "x.txt.gz", "x.txt.bz2", "x.txt.zst"):
        whole = packed[name].read_bytes()
        for place in range(len(whole)):
            packed[name].write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
            with contextlib.suppress(OtherwordsError):
                content_of(packed[name])
