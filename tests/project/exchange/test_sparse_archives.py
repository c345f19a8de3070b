"""Archives that are small and would unpack to much: sparse members, long headers, settings without end."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import tarfile
from pathlib import Path
from typing import NamedTuple

import pytest

from otherwords.project import create_project, open_project
from otherwords.project.exchange import restore as restore_module
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.restore import restore
from tests.errors import raises
from tests.project.corpus import fill
from tests.project.exchange.archives import Members, pack, unpack, with_file

SHARD = f"tables/posts/{'a' * 16}/part-00000.parquet"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Members:
    folder = tmp_path_factory.mktemp("archive")
    create_project(folder / "corpus", "en")
    with open_project(folder / "corpus") as project:
        fill(project)
        backup(project, folder / "corpus.tar")
    return unpack(folder / "corpus.tar")


def zeros_digest(size: int) -> str:
    digest, block = hashlib.sha256(), bytes(2**20)
    for _ in range(size // len(block)):
        digest.update(block)
    return digest.hexdigest()


def with_sparse(members: Members, name: str, size: int, path: Path, *, old: bool) -> Path:
    """The archive with a file of zeros that takes no room in it, as GNU tar writes it, in the old way or the new."""
    manifest = json.loads(members["MANIFEST.json"])
    manifest["files"][name] = {"sha256": zeros_digest(size), "bytes": size}
    members = {**members, "MANIFEST.json": json.dumps(manifest).encode()}
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as tar:
        for known, content in members.items():
            if known != name:
                member = tarfile.TarInfo(known)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
        sparse = tarfile.TarInfo(name)
        if old:
            header = bytearray(sparse.tobuf(tarfile.GNU_FORMAT))
            header[156:157] = tarfile.GNUTYPE_SPARSE
            header[386:398], header[398:410] = f"{size:011o} ".encode(), b"00000000000 "
            header[483:495] = f"{size:011o} ".encode()
            header[148:156] = b" " * 8
            header[148:156] = f"{sum(header[:512]):06o}\0 ".encode()
            tar.fileobj.write(bytes(header))  # type: ignore[union-attr]
            tar.offset += 512
        else:
            sparse.pax_headers = {"GNU.sparse.size": str(size), "GNU.sparse.map": f"{size},0"}
            tar.addfile(sparse)
    return path


@pytest.mark.parametrize("old", [True, False], ids=["the old way", "the new way"])
@pytest.mark.parametrize("name", [SHARD, "otherwords.toml"])
def test_a_sparse_member_is_refused(archive: Members, tmp_path: Path, name: str, old: bool) -> None:
    path = with_sparse(archive, name, 64 * 2**20, tmp_path / "sparse.tar.gz", old=old)
    assert path.stat().st_size < 100_000
    with raises("too-large" if name == "otherwords.toml" else "foreign-file"):
        restore(path, tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_member_of_another_size_than_the_manifest_says_is_not_read(archive: Members, tmp_path: Path) -> None:
    members = {**with_file(archive, SHARD, b"a little"), SHARD: bytes(2**20)}
    with raises("damaged-file", match="is not what the manifest says"):
        restore(pack(members, tmp_path / "corpus.tar.gz"), tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_settings_that_are_no_settings(archive: Members, tmp_path: Path) -> None:
    members = with_file(archive, "otherwords.toml", b"# " + bytes(restore_module.MAX_SETTINGS))
    with raises("too-large", match=r"otherwords\.toml"):
        restore(pack(members, tmp_path / "corpus.tar.gz"), tmp_path / "again")


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_header_that_fills_the_memory_is_not_read(tmp_path: Path, kind: bytes) -> None:
    size = 40 * 2**20
    header = tarfile.TarInfo("long")
    header.type, header.size = kind, size
    with gzip.open(tmp_path / "corpus.tar.gz", "wb", compresslevel=1) as stream:
        stream.write(header.tobuf())
        for _ in range(size // 2**20):
            stream.write(bytes(2**20))
    with raises("not-a-backup", match="header"):
        restore(tmp_path / "corpus.tar.gz", tmp_path / "again")


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def test_what_does_not_fit_on_the_disk_is_not_begun(
    archive: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(1000, 900, 100))
    with raises("no-room"):
        restore(pack(archive, tmp_path / "corpus.tar.gz"), tmp_path / "new" / "again")
    assert not (tmp_path / "new").exists()
