"""A restored backup is the same project, row for row, on either database."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

from otherwords.errors import DataError, OtherwordsError
from otherwords.project import Project, create_project, open_project
from otherwords.project import ledger as ledger_module
from otherwords.project.exchange import row_lines
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.restore import restore
from otherwords.project.ledger import schema
from tests.errors import raises
from tests.project.corpus import POSTS_SHARD, all_rows, fill
from tests.project.exchange.archives import Members, pack, unpack, with_file


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_all_rows_are_restored(project: Project, tmp_path: Path, databases: Callable[[str], str], other: str) -> None:
    fill(project)
    counts = backup(project, tmp_path / "corpus.tar.gz")
    assert counts["documents"] == 3
    assert counts["judgements"] == 5
    assert restore(tmp_path / "corpus.tar.gz", tmp_path / "again", databases(other)) == counts
    with open_project(tmp_path / "again") as again:
        assert all_rows(again) == all_rows(project)
        assert again.config.name == project.config.name
        assert again.config.created == project.config.created
        assert (again.folder / POSTS_SHARD).read_bytes() == (project.folder / POSTS_SHARD).read_bytes()
        with again.ledger.writing() as connection:  # the numbers go on after the largest
            row = {"noun": "pair", "target": "new", "time": "2026"}
            number = connection.execute(
                insert(schema.tombstones).values(**row).returning(schema.tombstones.c.seq)
            ).scalar()
    with project.ledger.reading() as connection:
        assert number == max(connection.execute(select(schema.tombstones.c.seq)).scalars()) + 1


def test_an_empty_project(project: Project, tmp_path: Path) -> None:
    assert set(backup(project, tmp_path / "corpus.tar").values()) == {0}
    restore(tmp_path / "corpus.tar", tmp_path / "again")
    with open_project(tmp_path / "again") as again:
        assert all_rows(again) == all_rows(project)
        assert again.ledger.is_sqlite


def test_the_same_project_gives_the_same_bytes(project: Project, tmp_path: Path) -> None:
    fill(project)
    backup(project, tmp_path / "one.tar.gz")
    backup(project, tmp_path / "two.tar.gz")
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "two.tar.gz").read_bytes()


def test_a_backup_is_of_one_moment(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody writes between two tables; the archive has neither half of it."""
    fill(project)
    before = all_rows(project)
    original = row_lines.table_rows

    def write_meanwhile(connection, table):  # type: ignore[no-untyped-def]
        rows = list(original(connection, table))
        with project.ledger.writing() as writer:
            writer.execute(insert(schema.events).values(time=table.name, action="meanwhile", detail={}))
        return iter(rows)

    monkeypatch.setattr(row_lines, "table_rows", write_meanwhile)
    backup(project, tmp_path / "corpus.tar.gz")
    restore(tmp_path / "corpus.tar.gz", tmp_path / "again")
    with open_project(tmp_path / "again") as again:
        assert all_rows(again) == before


def test_no_password_is_in_the_archive(tmp_path: Path) -> None:
    create_project(tmp_path / "corpus", "en")
    with open_project(tmp_path / "corpus") as project:
        settings = (project.folder / "otherwords.toml").read_text()
        changed = settings.replace("sqlite:///ledger.db", "postgresql+psycopg://me:hunter2@db/corpus")
        changed += "# the old one: postgresql://me:hunter2@elsewhere/corpus\n[later]\nkeep = true\n"
        (project.folder / "otherwords.toml").write_text(changed)
        backup(project, tmp_path / "corpus.tar.gz")
    assert b"hunter2" not in gzip.decompress((tmp_path / "corpus.tar.gz").read_bytes())
    restore(tmp_path / "corpus.tar.gz", tmp_path / "again")
    settings = (tmp_path / "again" / "otherwords.toml").read_text()
    assert 'url = "sqlite:///ledger.db"' in settings
    assert "keep = true" in settings


def test_places_that_are_not_empty_are_left_alone(project: Project, tmp_path: Path) -> None:
    backup(project, tmp_path / "corpus.tar.gz")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("a letter")
    with raises("folder-not-empty"):
        restore(tmp_path / "corpus.tar.gz", tmp_path / "full")
    with raises("ledger-not-empty"):
        restore(tmp_path / "corpus.tar.gz", tmp_path / "again", project.config.url)
    assert not (tmp_path / "again").exists()
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["letter.txt"]


def test_a_backup_has_the_name_of_an_archive(project: Project, tmp_path: Path) -> None:
    with raises("wrong-suffix", match=r"corpus\.tar\.gz"):
        backup(project, tmp_path / "corpus")
    (tmp_path / "corpus.tar").write_bytes(b"another backup")
    with raises("file-exists"):
        backup(project, tmp_path / "corpus.tar")


def test_a_backup_that_cannot_be_written_says_why(project: Project, tmp_path: Path) -> None:
    with raises("file-unwritable", match="No such file or directory"):
        backup(project, tmp_path / "nowhere" / "corpus.tar.gz")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Members:
    """The files of a good backup."""
    folder = tmp_path_factory.mktemp("archive")
    create_project(folder / "corpus", "en")
    with open_project(folder / "corpus") as project:
        fill(project)
        backup(project, folder / "corpus.tar")
    return unpack(folder / "corpus.tar")


@pytest.mark.parametrize("damage", range(4))
def test_a_damaged_archive_is_refused(archive: Members, tmp_path: Path, damage: int) -> None:
    name = list(archive)[1 + damage]
    members = {**archive, name: archive[name][:-1] + b"!" if archive[name] else b"!"}
    with raises("damaged-file"):
        restore(pack(members, tmp_path / "corpus.tar.gz"), tmp_path / "again")
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize(
    "name", ["../evil.txt", "/tmp/evil.txt", "tables/../../evil.parquet", "tables/x.parquet", "ledger.db"]
)
def test_names_that_lead_elsewhere_are_refused(archive: Members, tmp_path: Path, name: str) -> None:
    with raises("foreign-file"):
        restore(pack(with_file(archive, name, b"evil"), tmp_path / "corpus.tar.gz"), tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_links_are_refused(archive: Members, tmp_path: Path) -> None:
    with tarfile.open(pack(archive, tmp_path / "corpus.tar.gz"), "r:gz") as tar:
        names = tar.getnames()
    with tarfile.open(tmp_path / "corpus.tar.gz", "w:gz") as tar:
        for name in names:
            member = tarfile.TarInfo(name)
            if name == "otherwords.toml":
                member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
                tar.addfile(member)
            else:
                member.size = len(archive[name])
                tar.addfile(member, io.BytesIO(archive[name]))
    with raises("foreign-file", match="'otherwords.toml'"):
        restore(tmp_path / "corpus.tar.gz", tmp_path / "again")


def test_a_missing_file_is_noticed(archive: Members, tmp_path: Path) -> None:
    members = {name: content for name, content in archive.items() if name != "ledger/pairs.jsonl"}
    with raises("damaged-file", match=r"ledger/pairs\.jsonl is missing"):
        restore(pack(members, tmp_path / "corpus.tar.gz"), tmp_path / "again")


def test_a_file_too_many_is_noticed(archive: Members, tmp_path: Path) -> None:
    with raises("damaged-file", match="'more.txt'"):
        restore(pack({**archive, "more.txt": b"?"}, tmp_path / "corpus.tar.gz"), tmp_path / "again")


def test_a_newer_backup_is_refused(archive: Members, tmp_path: Path) -> None:
    for field, value in (("schema", "9999"), ("format", 2)):
        manifest = json.dumps(json.loads(archive["MANIFEST.json"]) | {field: value}).encode()
        with raises("newer-version"):
            restore(pack({**archive, "MANIFEST.json": manifest}, tmp_path / "corpus.tar.gz"), tmp_path / "again")


@pytest.mark.parametrize(
    ("name", "line", "code", "detail"),
    [
        ("ledger/documents.jsonl", b'{"seq":1,"id":"a"}\n', "bad-row", "field `text`"),
        (
            "ledger/documents.jsonl",
            b'{"seq":"one","id":"a","text":"","meta":{}}\n',
            "bad-row",
            "line 1: .*`int`",
        ),
        (
            "ledger/documents.jsonl",
            b'{"seq":1,"id":"a","text":"","meta":{},"more":1}\n',
            "bad-row",
            "field `more`",
        ),
        ("ledger/documents.jsonl", b'{"seq":1,"id":"a\\u0000","text":"","meta":{}}\n', "control-character", "line 1"),
        ("ledger/nothing.jsonl", b"{}\n", "no-such-table", "'nothing'"),
    ],
)
def test_rows_that_no_table_could_hold(
    archive: Members, tmp_path: Path, name: str, line: bytes, code: str, detail: str
) -> None:
    with raises(code, match=detail):
        restore(pack(with_file(archive, name, line), tmp_path / "corpus.tar.gz"), tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_bomb_is_not_unpack(tmp_path: Path) -> None:
    member = tarfile.TarInfo("MANIFEST.json")
    member.size = 200 * 2**20
    with gzip.open(tmp_path / "bomb.tar.gz", "wb", compresslevel=1) as stream:
        stream.write(member.tobuf())
        for _ in range(200):
            stream.write(bytes(2**20))
    with pytest.raises(DataError, match="does not begin with|unpacks to more than"):
        restore(tmp_path / "bomb.tar.gz", tmp_path / "again")


@pytest.mark.parametrize(
    "content",
    [b"", b"a letter, not an archive" * 100, gzip.compress(b""), gzip.compress(b"x" * 999)],
    ids=["nothing", "a letter", "nothing, packed", "a letter, packed"],
)
def test_files_that_are_no_backup(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "corpus.tar.gz").write_bytes(content)
    with pytest.raises(OtherwordsError):
        restore(tmp_path / "corpus.tar.gz", tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_cut_archive_is_noticed_wherever_it_is_cut(archive: Members, tmp_path: Path) -> None:
    whole = pack(archive, tmp_path / "corpus.tar.gz").read_bytes()
    for end in range(0, len(whole) - 8, len(whole) // 12):
        (tmp_path / "cut.tar.gz").write_bytes(whole[:end])
        with pytest.raises(OtherwordsError):
            restore(tmp_path / "cut.tar.gz", tmp_path / "again")
    assert not (tmp_path / "again").exists()


LATER = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "0003", "0002"


def upgrade():
    op.add_column("documents", sa.Column("title", sa.Text()))
    op.execute("UPDATE documents SET title = 'of ' || id")
"""


def test_an_older_schema_is_upgraded(
    project: Project,
    tmp_path: Path,
    databases: Callable[[str], str],
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fill(project)
    backup(project, tmp_path / "corpus.tar.gz")
    shutil.copytree(ledger_module.MIGRATIONS, tmp_path / "migrations")
    (tmp_path / "migrations" / "versions" / "0003_titles.py").write_text(LATER)
    monkeypatch.setattr(ledger_module, "MIGRATIONS", tmp_path / "migrations")
    restore(tmp_path / "corpus.tar.gz", tmp_path / "again", databases(kind))
    with (
        open_project(tmp_path / "again") as again,
        open_project(project.folder) as same,
    ):  # opening upgrades the old one
        for corpus in (again, same):
            assert corpus.ledger.revision() == "0003"
            with corpus.ledger.reading() as connection:
                titles = connection.execute(text("SELECT title FROM documents ORDER BY seq")).scalars().all()
            assert titles == ["of groups-a", "of groups-b", "of groups-c"]
