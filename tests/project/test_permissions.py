"""Nobody but its owner can read a project, from the first byte on, whatever the umask is."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from otherwords.project import create_project, open_project
from otherwords.project.exchange import backup as backup_module
from otherwords.project.exchange import row_lines
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.export_import import export_project
from otherwords.project.exchange.restore import restore
from otherwords.project.search import update_index
from tests.project.corpus import fill


@pytest.fixture(autouse=True)
def generous_umask() -> Iterator[None]:
    """Files are open to everybody unless the program closes them."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_project_is_closed(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en")
    with open_project(tmp_path / "corpus") as project:
        fill(project)
        update_index(project)
        names = ["otherwords.toml", "ledger.db", "ledger.db-wal", "ledger.db-shm", "tables/search.db"]
        assert {name: oct(mode(project.folder / name)) for name in names} == dict.fromkeys(names, "0o600")
    assert mode(tmp_path / "corpus") == 0o700


def test_a_folder_that_was_there_is_closed(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir(mode=0o777)
    create_project(tmp_path / "corpus", "en")
    assert mode(tmp_path / "corpus") == 0o700


def test_a_ledger_elsewhere_is_closed(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en", None, f"sqlite:///{tmp_path / 'elsewhere.db'}")
    assert mode(tmp_path / "elsewhere.db") == 0o600


def test_opening_closes_what_was_open(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en")
    for path, open_mode in ((tmp_path / "corpus", 0o755), (tmp_path / "corpus" / "ledger.db", 0o644)):
        path.chmod(open_mode)
    (tmp_path / "corpus" / "otherwords.toml").chmod(0o664)
    with open_project(tmp_path / "corpus"):
        assert mode(tmp_path / "corpus") == 0o700
        assert mode(tmp_path / "corpus" / "ledger.db") == 0o600
        assert mode(tmp_path / "corpus" / "otherwords.toml") == 0o600


def test_a_backup_is_closed_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_project(tmp_path / "corpus", "en")
    (tmp_path / "backups").mkdir()
    seen: list[str] = []
    original = backup_module._add

    def look(*arguments: object) -> None:
        seen.extend(oct(mode(path)) for path in (tmp_path / "backups").iterdir())
        original(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(backup_module, "_add", look)
    with open_project(tmp_path / "corpus") as project:
        backup(project, tmp_path / "backups" / "corpus.tar.gz")
    assert set(seen) == {"0o600"}
    assert mode(tmp_path / "backups" / "corpus.tar.gz") == 0o600


def test_an_export_is_closed_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_project(tmp_path / "corpus", "en")
    (tmp_path / "exports").mkdir()
    seen: list[str] = []
    original = row_lines.write_lines

    def look(rows: object, stream: row_lines.DigestStream) -> None:
        seen.extend(oct(mode(path)) for path in (tmp_path / "exports").iterdir())
        original(rows, stream)  # type: ignore[arg-type]

    monkeypatch.setattr(row_lines, "write_lines", look)
    with open_project(tmp_path / "corpus") as project:
        export_project(project, tmp_path / "exports" / "out")
    assert set(seen) == {"0o700"}
    assert mode(tmp_path / "exports" / "out") == 0o700


def test_a_restored_project_is_closed(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en")
    with open_project(tmp_path / "corpus") as project:
        backup(project, tmp_path / "corpus.tar")
    restore(tmp_path / "corpus.tar", tmp_path / "again")
    assert mode(tmp_path / "again") == 0o700
    assert mode(tmp_path / "again" / "ledger.db") == 0o600
    assert mode(tmp_path / "again" / "otherwords.toml") == 0o600
