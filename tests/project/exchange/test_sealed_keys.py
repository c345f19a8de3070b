"""The keys of a project leave it under a passphrase only."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from otherwords.project import Project, create_project, open_project
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.restore import restore
from otherwords.project.exchange.sealed_keys import NAME, open_keys, seal_keys
from tests.errors import raises
from tests.project.exchange.archives import pack, unpack, with_file

PASSPHRASE = "a heron in the réeds"
KEYS = {"pseudonyms.key": "01" * 32, "tests.key": "fe" * 32}


@pytest.fixture
def keyed(tmp_path: Path) -> Iterator[Project]:
    create_project(tmp_path / "corpus", "en")
    (tmp_path / "corpus" / "secrets").mkdir()
    for name, key in KEYS.items():
        (tmp_path / "corpus" / "secrets" / name).write_text(key)
    with open_project(tmp_path / "corpus") as project:
        yield project


def test_keys_come_back_with_the_passphrase(keyed: Project, tmp_path: Path) -> None:
    backup(keyed, tmp_path / "corpus.tar", PASSPHRASE)
    content = (tmp_path / "corpus.tar").read_bytes()
    assert not any(key.encode() in content or bytes.fromhex(key) in content for key in KEYS.values())
    restore(tmp_path / "corpus.tar", tmp_path / "again", passphrase=PASSPHRASE)
    folder = tmp_path / "again" / "secrets"
    assert {path.name: path.read_text() for path in folder.iterdir()} == KEYS
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not (tmp_path / "again" / NAME).exists()


def test_without_it_they_stay_sealed(keyed: Project, tmp_path: Path) -> None:
    backup(keyed, tmp_path / "corpus.tar", PASSPHRASE)
    restore(tmp_path / "corpus.tar", tmp_path / "again")
    assert not (tmp_path / "again" / "secrets").exists()
    assert open_keys((tmp_path / "again" / NAME).read_bytes(), PASSPHRASE, "here") == KEYS


def test_another_passphrase_opens_nothing(keyed: Project, tmp_path: Path) -> None:
    backup(keyed, tmp_path / "corpus.tar", PASSPHRASE)
    with raises("wrong-passphrase"):
        restore(tmp_path / "corpus.tar", tmp_path / "again", passphrase=PASSPHRASE.upper())
    assert not (tmp_path / "again").exists()


def test_a_changed_seal_is_noticed(keyed: Project, tmp_path: Path) -> None:
    backup(keyed, tmp_path / "corpus.tar", PASSPHRASE)
    members = unpack(tmp_path / "corpus.tar")
    sealed = json.loads(members[NAME])
    sealed["sealed"] = f"{int(sealed['sealed'][0], 16) ^ 1:x}{sealed['sealed'][1:]}"
    with raises("wrong-passphrase"):
        restore(
            pack(with_file(members, NAME, json.dumps(sealed).encode()), tmp_path / "changed.tar.gz"),
            tmp_path / "again",
            passphrase=PASSPHRASE,
        )


@pytest.mark.parametrize("content", [b"", b"{}", b'{"salt":"zz","sealed":"","tag":""}', b"[" * 1000])
def test_a_file_that_is_no_seal(content: bytes) -> None:
    with raises("bad-key-file"):
        open_keys(content, PASSPHRASE, "here")


def test_the_same_keys_are_sealed_differently_each_time(keyed: Project) -> None:
    first, second = (json.loads(seal_keys(keyed.folder, PASSPHRASE)) for _ in range(2))
    assert first["salt"] != second["salt"]
    assert first["sealed"] != second["sealed"]


def test_a_short_passphrase_is_refused(keyed: Project, tmp_path: Path) -> None:
    with raises("passphrase-too-short"):
        backup(keyed, tmp_path / "corpus.tar", "heron")
    assert not (tmp_path / "corpus.tar").exists()


def test_a_passphrase_for_nothing(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en")
    with open_project(tmp_path / "corpus") as project:
        backup(project, tmp_path / "corpus.tar")
    with raises("no-sealed-keys"):
        restore(tmp_path / "corpus.tar", tmp_path / "again", passphrase=PASSPHRASE)
