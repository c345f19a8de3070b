"""A full disk, a folder that cannot be written to, a server that goes away: a clear message, and nothing lost.

The disks are real where the machine allows it: a small one in memory, and a folder mounted read-only, both visible to
one process only. Permissions and quotas do not stop root, so they would show nothing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from otherwords.project import create_project, open_project
from otherwords.project.importing.import_file import import_file
from tests.processes import SECONDS
from tests.project.corpus import all_rows

NAMESPACE = shutil.which("unshare")


def run(*lines: str, before: str = "", after: str = ":") -> subprocess.CompletedProcess[str]:
    """Do some work in another process, between shell commands; only that process sees what they mount."""
    command = [sys.executable, "-m", "tests.project.work", *lines]
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
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    if before and (result.returncode == 77 or "unshare failed" in result.stderr):
        pytest.skip(f"this machine allows no mounts: {result.stderr.strip()}")
    return result


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """About three megabytes of texts."""
    path = tmp_path / "texts.jsonl"
    rows = [{"group": f"g{number}", "text": f"{number} " + "salt and pepper " * 60} for number in range(3000)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def stored_texts(project: Path) -> list[str]:
    with open_project(project) as corpus:
        return [row["text"][:4] for row in all_rows(corpus)["documents"]]


def finish_import(project: Path, texts: Path) -> None:
    """Import the rest, now that there is room; each text is stored once."""
    with open_project(project) as corpus:
        result = import_file(corpus, "groups", texts)
        rows = all_rows(corpus)["documents"]
    assert result.read == result.added + result.known == 3000
    assert [row["text"].split()[0] for row in rows] == [str(number) for number in range(3000)]


def test_a_file_that_may_not_grow(tmp_path: Path, texts: Path) -> None:
    create_project(tmp_path / "corpus", "en")
    result = run("limit 1000000", f"import_texts {tmp_path / 'corpus'} {texts}")
    assert result.returncode == 1, result.stderr
    assert "ledger.db cannot be used: " in result.stdout
    assert len(result.stdout.splitlines()) == 1
    assert 0 < len(stored_texts(tmp_path / "corpus")) < 3000
    finish_import(tmp_path / "corpus", texts)


def test_a_full_disk(tmp_path: Path, texts: Path) -> None:
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    lines = (f"new {disk}/corpus en", f"import_texts {disk}/corpus {texts}")
    result = run(*lines, before=f"mount -t tmpfs -o size=2m none {disk}", after=f"cp -a {disk}/corpus {kept}")
    assert result.returncode == 1, result.stderr
    assert "cannot be used: database or disk is full" in result.stdout
    assert 0 < len(stored_texts(kept)) < 3000
    finish_import(kept, texts)


@pytest.mark.parametrize("what", ["back_up {corpus} {disk}/corpus.tar.gz", "export_to {corpus} {disk}/out"])
def test_a_full_disk_under_a_copy(tmp_path: Path, texts: Path, what: str) -> None:
    create_project(tmp_path / "corpus", "en")
    finish_import(tmp_path / "corpus", texts)
    disk = tmp_path / "disk"
    disk.mkdir()
    line = what.format(corpus=tmp_path / "corpus", disk=disk)
    result = run(line, before=f"mount -t tmpfs -o size=1m none {disk}", after=f"ls -A {disk}")
    assert result.returncode == 1, result.stderr
    assert "No space left on device" in result.stdout
    assert len(result.stdout.splitlines()) == 1  # the message, and no file


def test_a_full_disk_under_a_new_project(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    result = run(f"new {disk}/corpus en", before=f"mount -t tmpfs -o size=16k none {disk}")
    assert result.returncode == 1, result.stderr
    assert "full" in result.stdout or "No space left" in result.stdout or "disk I/O error" in result.stdout


def test_a_full_disk_under_a_judgement(tmp_path: Path) -> None:
    """What was acknowledged is there, what was not is saved as soon as there is room, and nothing tells where."""
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size=4m none {disk} && head -c 2000000 /dev/zero > {disk}/filler"
    lines = (f"new {disk}/corpus en", f"judge_until_full {disk}/corpus {disk}/filler")
    result = run(*lines, before=mount, after=f"cp -a {disk}/corpus {kept}")
    assert result.returncode == 0, result.stdout + result.stderr
    report = json.loads(result.stdout)
    outcome = {"status": 503, "code": "ledger-unavailable", "shows_path": False, "again": 201}
    assert outcome.items() <= report.items()
    with open_project(kept) as corpus:
        notes = [row["note"].split()[0] for row in all_rows(corpus)["judgements"]]
    assert notes == [str(number) for number in range(report["saved"] + 1)]
    assert report["saved"] > 10


def test_a_folder_that_is_read_only(tmp_path: Path, texts: Path) -> None:
    create_project(tmp_path / "corpus", "en")
    folder = tmp_path / "corpus"
    sealed = f"mount --bind {folder} {folder} && mount -o remount,ro,bind {folder}"
    result = run(f"import_texts {folder} {texts}", before=sealed)
    assert result.returncode == 1, result.stderr
    assert "cannot be" in result.stdout
    assert len(result.stdout.splitlines()) == 1
    result = run(f"new {folder}/inner en", before=sealed)
    assert result.returncode == 1, result.stderr
    assert "cannot be made: Read-only file system" in result.stdout
    finish_import(folder, texts)


def test_a_server_that_goes_away_takes_nothing_with_it(
    tmp_path: Path, texts: Path, databases: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlalchemy import create_engine, text

    from otherwords.errors import LedgerError
    from otherwords.project.importing import records as imports

    url = databases("postgresql")  # type: ignore[operator]
    create_project(tmp_path / "corpus", "en", None, url)
    original, calls = imports.insert_new, iter(range(100))

    def cut(connection, table, rows):  # type: ignore[no-untyped-def]
        count = original(connection, table, rows)
        if next(calls) == 2:
            backend = connection.execute(text("SELECT pg_backend_pid()")).scalar()
            engine = create_engine(url)
            with engine.begin() as other:
                other.execute(text(f"SELECT pg_terminate_backend({backend})"))
            engine.dispose()
        return count

    monkeypatch.setattr(imports, "insert_new", cut)
    with open_project(tmp_path / "corpus") as project, pytest.raises(LedgerError, match="cannot be used|refused"):
        import_file(project, "groups", texts)
    assert len(stored_texts(tmp_path / "corpus")) == 2 * imports.ROWS_A_TRANSACTION
    finish_import(tmp_path / "corpus", texts)
