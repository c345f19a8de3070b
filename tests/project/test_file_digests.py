"""Digests of imported files are remembered: planning reads no file twice, and notices every change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from otherwords.project import create_project
from otherwords.project.file_digests import FileDigests, file_digest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    create_project(tmp_path / "corpus", "en")
    return tmp_path / "corpus"


def test_a_file_is_read_once_until_it_changes(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("The tide is out.")
    with FileDigests(folder) as digests:
        first = digests.digest(path)
    assert first == file_digest(path)
    before = path.stat()
    path.write_text("The tide is in!!")  # as long as before
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with FileDigests(folder) as digests:
        assert digests.digest(path) == first, "it is not read again where size and time say that nothing changed"
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    with FileDigests(folder) as digests:
        assert digests.digest(path) == file_digest(path) != first


def test_a_folder_is_known_by_names_and_contents(folder: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text("one")
    first = file_digest(texts)
    (texts / "a.txt").rename(texts / "b.txt")
    assert file_digest(texts) != first


def test_a_damaged_cache_is_made_again(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("The tide is out.")
    (folder / "tables" / "file-digests.json").write_text("{nonsense")
    with FileDigests(folder) as digests:
        assert digests.digest(path) == file_digest(path)
