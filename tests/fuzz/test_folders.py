"""Whatever is done to a release, a backup or an export, looking into it gives an answer or says what is wrong.

Each is damaged as it lies there, and once more with its checksums made right afterwards: what is signed need not be
sound.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from otherwords.corpus.release.metadata_files import write_checksums
from otherwords.corpus.verify.verify import verify
from otherwords.project import Project, create_project, open_project
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.export_import import export_project, import_export
from otherwords.project.exchange.restore import restore
from otherwords.project.ledger import schema
from tests.corpus import released_corpus
from tests.fuzz.archives import pack, unpack, update_manifest
from tests.fuzz.damage import Files
from tests.fuzz.hunt import Read, files_of, fuzz_seconds, hunt, hunt_for
from tests.project import corpus

Databases = Callable[[str], str]


PAPERS = ("release/release.json", "release/checksums.sha256", "release/data/pairs.jsonl")


@pytest.fixture
def releases(tmp_path: Path) -> list[Files]:
    """A whole release, and one of which only the papers are left, so that these are damaged often enough."""
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        released_corpus.fill(project, 16)
        release = released_corpus.released(project).folder
    whole = {name.replace(release.name, "release", 1): content for name, content in files_of(release).items()}
    return [whole, {name: whole[name] for name in PAPERS}]


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[Project]:
    create_project(tmp_path / "filled", "en", "turku")
    with open_project(tmp_path / "filled") as project:
        corpus.fill(project)
        yield project


def signed_release(path: Path) -> int:
    write_checksums(path)
    return verify(path).pairs


def plain_release(path: Path) -> int:
    return verify(path).pairs


VERIFYING: dict[str, Read] = {"as it is": plain_release, "signed": signed_release}


def emptied(url: str) -> None:
    """Nothing in a PostgreSQL database; SQLite's is in the folder that goes away."""
    if url.startswith("postgresql"):
        engine = create_engine(url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        engine.dispose()


def restoring(target: Path, url: str) -> Read:
    """Put a damaged backup back into an empty place; what was put back opens."""

    def take(path: Path) -> int:
        shutil.rmtree(target, ignore_errors=True)
        emptied(url)
        if path.is_dir():
            update_manifest(path)
            path = pack(path)
        restore(path, target, None if url.startswith("sqlite") else url)
        with open_project(target) as project:
            return sum(map(len, corpus.all_rows(project).values()))

    return take


def importing(project: Project) -> Read:
    """Bring a damaged export into a project that has nothing else."""

    def take(path: Path) -> int:
        with project.ledger.writing() as connection:
            for table in reversed(schema.metadata.sorted_tables):
                connection.execute(table.delete())
        update_manifest(path)
        return import_export(project, path).added

    return take


def backups(project: Project, place: Path) -> list[Files]:
    """A backup packed, in two ways, and as the files that it consists of."""
    place.mkdir()
    for name in ("corpus.tar", "corpus.tar.gz"):
        backup(project, place / name)
    files = unpack(place / "corpus.tar")
    return [files, files, files_of(place / "corpus.tar"), files_of(place / "corpus.tar.gz")]


def exports(project: Project, place: Path) -> list[Files]:
    export_project(project, place)
    return [files_of(place)]


@pytest.mark.parametrize("how", VERIFYING)
def test_releases(how: str, releases: list[Files], tmp_path: Path) -> None:
    tally = hunt(VERIFYING[how], releases, tmp_path / "case", 30)
    assert tally.refused > 0
    assert tally.taken > 0


@pytest.mark.soak
@pytest.mark.parametrize("how", VERIFYING)
def test_releases_for_long(how: str, releases: list[Files], tmp_path: Path) -> None:
    print("releases", how, hunt_for(VERIFYING[how], releases, tmp_path / "case", fuzz_seconds()))


def test_backups(filled: Project, kind: str, databases: Databases, tmp_path: Path) -> None:
    read = restoring(tmp_path / "again", databases(kind))
    tally = hunt(read, backups(filled, tmp_path / "seeds"), tmp_path / "case", 15)
    assert tally.refused > 0


@pytest.mark.soak
def test_backups_for_long(filled: Project, kind: str, databases: Databases, tmp_path: Path) -> None:
    read = restoring(tmp_path / "again", databases(kind))
    print("backups", kind, hunt_for(read, backups(filled, tmp_path / "seeds"), tmp_path / "case", fuzz_seconds()))


def test_exports(filled: Project, project: Project, tmp_path: Path) -> None:
    tally = hunt(importing(project), exports(filled, tmp_path / "export"), tmp_path / "case", 15)
    assert tally.refused > 0


@pytest.mark.soak
def test_exports_for_long(filled: Project, project: Project, kind: str, tmp_path: Path) -> None:
    seeds = exports(filled, tmp_path / "export")
    print("exports", kind, hunt_for(importing(project), seeds, tmp_path / "case", fuzz_seconds()))
