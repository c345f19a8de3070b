"""A full disk, a folder that cannot be written to, a server that goes away: a clear message, and nothing lost.

The disks are real where the machine allows it: a small one in memory, and a folder mounted read-only, both seen by
one process only. Root is stopped by neither permissions nor quotas, so those would show nothing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from otherwords.project import create, opened
from otherwords.project.importing import import_file
from tests.project.corpus import all_rows

NAMESPACE = shutil.which("unshare")
WORK = """
import resource, sys
from otherwords.errors import OtherwordsError
from otherwords.project import create, opened
from otherwords.project.backup import backup
from otherwords.project.importing import import_file
from otherwords.project.transfer import export
from otherwords.project.withdraw import withdraw

def limited(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(size), int(size)))

def imported(project, path):
    with opened(project) as corpus, corpus.holding():
        print(import_file(corpus, "groups", path).added)

def backed_up(project, target):
    with opened(project) as corpus:
        backup(corpus, target)

def exported(project, target):
    with opened(project) as corpus:
        export(corpus, target)

try:
    for line in sys.argv[1:]:
        name, *arguments = line.split()
        globals()[name](*arguments)
except OtherwordsError as problem:
    print(problem)
    sys.exit(1)
"""


def run(*lines: str, before: str = "", after: str = ":") -> subprocess.CompletedProcess[str]:
    """Do some work in a process of its own, between commands of a shell; no other process sees what they mount."""
    command = [sys.executable, "-c", WORK, *lines]
    if before:
        if not NAMESPACE:
            pytest.skip("unshare is not installed")
        command = [
            NAMESPACE,
            "-m",
            "sh",
            "-c",
            f'{before} || exit 77; "$@"; code=$?; {after}; exit $code',
            "sh",
            *command,
        ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if before and (done.returncode == 77 or "unshare failed" in done.stderr):
        pytest.skip(f"this machine allows no mounts: {done.stderr.strip()}")
    return done


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Some three megabytes."""
    path = tmp_path / "texts.jsonl"
    rows = [{"group": f"g{number}", "text": f"{number} " + "salt and pepper " * 60} for number in range(3000)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def added(project: Path) -> list[str]:
    with opened(project) as corpus:
        return [row["text"][:4] for row in all_rows(corpus)["documents"]]


def whole(project: Path, texts: Path) -> None:
    """With room again, the import goes on, and everything is there once."""
    with opened(project) as corpus:
        told = import_file(corpus, "groups", texts)
        rows = all_rows(corpus)["documents"]
    assert told.read == told.added + told.known == 3000
    assert [row["text"].split()[0] for row in rows] == [str(number) for number in range(3000)]


def test_a_file_that_may_not_grow(tmp_path: Path, texts: Path) -> None:
    create(tmp_path / "corpus", "en")
    done = run("limited 1000000", f"imported {tmp_path / 'corpus'} {texts}")
    assert done.returncode == 1, done.stderr
    assert "ledger.db cannot be used: " in done.stdout
    assert len(done.stdout.splitlines()) == 1
    assert 0 < len(added(tmp_path / "corpus")) < 3000
    whole(tmp_path / "corpus", texts)


def test_a_full_disk(tmp_path: Path, texts: Path) -> None:
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    lines = (f"create {disk}/corpus en", f"imported {disk}/corpus {texts}")
    done = run(*lines, before=f"mount -t tmpfs -o size=2m none {disk}", after=f"cp -a {disk}/corpus {kept}")
    assert done.returncode == 1, done.stderr
    assert "cannot be used: database or disk is full" in done.stdout
    assert 0 < len(added(kept)) < 3000
    whole(kept, texts)


@pytest.mark.parametrize("what", ["backed_up {corpus} {disk}/corpus.tar.gz", "exported {corpus} {disk}/out"])
def test_a_full_disk_under_a_copy(tmp_path: Path, texts: Path, what: str) -> None:
    create(tmp_path / "corpus", "en")
    whole(tmp_path / "corpus", texts)
    disk = tmp_path / "disk"
    disk.mkdir()
    line = what.format(corpus=tmp_path / "corpus", disk=disk)
    done = run(line, before=f"mount -t tmpfs -o size=1m none {disk}", after=f"ls -A {disk}")
    assert done.returncode == 1, done.stderr
    assert "No space left on device" in done.stdout
    assert len(done.stdout.splitlines()) == 1  # the message, and no file


def test_a_full_disk_under_a_new_project(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    done = run(f"create {disk}/corpus en", before=f"mount -t tmpfs -o size=16k none {disk}")
    assert done.returncode == 1, done.stderr
    assert "full" in done.stdout or "No space left" in done.stdout or "disk I/O error" in done.stdout


def test_a_folder_that_is_read_only(tmp_path: Path, texts: Path) -> None:
    create(tmp_path / "corpus", "en")
    folder = tmp_path / "corpus"
    sealed = f"mount --bind {folder} {folder} && mount -o remount,ro,bind {folder}"
    done = run(f"imported {folder} {texts}", before=sealed)
    assert done.returncode == 1, done.stderr
    assert "cannot be" in done.stdout
    assert len(done.stdout.splitlines()) == 1
    done = run(f"create {folder}/inner en", before=sealed)
    assert done.returncode == 1, done.stderr
    assert "cannot be made: Read-only file system" in done.stdout
    whole(folder, texts)


def test_a_server_that_goes_away_takes_nothing_with_it(
    tmp_path: Path, texts: Path, databases: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlalchemy import create_engine, text

    from otherwords.errors import LedgerError
    from otherwords.project import imports

    url = databases("postgresql")  # type: ignore[operator]
    create(tmp_path / "corpus", "en", None, url)
    original, calls = imports.insert_new, iter(range(100))

    def cut(connection, table, rows):  # type: ignore[no-untyped-def]
        told = original(connection, table, rows)
        if next(calls) == 2:
            mine = connection.execute(text("SELECT pg_backend_pid()")).scalar()
            engine = create_engine(url)
            with engine.begin() as other:
                other.execute(text(f"SELECT pg_terminate_backend({mine})"))
            engine.dispose()
        return told

    monkeypatch.setattr(imports, "insert_new", cut)
    with opened(tmp_path / "corpus") as project, pytest.raises(LedgerError, match="cannot be used|refused"):
        import_file(project, "groups", texts)
    assert len(added(tmp_path / "corpus")) == 2 * imports.ROWS_A_TRANSACTION
    whole(tmp_path / "corpus", texts)
