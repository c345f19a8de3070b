"""Two versions of the package on one project, and ledgers of the first schema: nothing is lost, and a clear word."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Connection, Float, Integer, MetaData, Table, insert, select, text
from starlette.testclient import TestClient

from otherwords.digests import digest_hex
from otherwords.project import Project, open_project
from otherwords.project.config import CONFIG_FILE
from otherwords.project.exchange.backup import backup
from otherwords.project.exchange.restore import restore
from otherwords.project.ledger import MIGRATIONS, Ledger, known_revisions, migrate, schema
from otherwords.web.app import make_app
from tests.errors import raises
from tests.processes import SECONDS, join_all
from tests.project.ledger.later_version import LATER, later_version
from tests.web.people import logged_in, seat

FIRST = "0001"


def judgements(project: Project) -> list[str]:
    with project.ledger.reading() as connection:
        return list(connection.execute(select(schema.judgements.c.id).order_by(schema.judgements.c.seq)).scalars())


def test_a_site_that_runs_while_a_later_version_upgrades_loses_nothing(folder: Path, tmp_path: Path) -> None:
    """What it acknowledged is there; after the upgrade it refuses, and the same answer is saved once by the new one."""
    with open_project(folder) as project:
        seat(project)
    with TestClient(make_app(folder)) as old_site:
        anna = logged_in(old_site, "anna")
        tasks = anna.post("/api/v1/batches/first/take?count=3").json()
        bodies = [{"key": f"k{task['slot']}", "slot": task["slot"], "value": "4"} for task in tasks]
        saved = [anna.post("/api/v1/judgements", json=bodies[0])]
        with later_version(tmp_path), open_project(folder) as project:
            assert project.ledger.revision() == LATER
            refused = anna.post("/api/v1/judgements", json=bodies[1])
            assert (refused.status_code, refused.json()["code"]) == (503, "newer-version")
            assert anna.get("/api/v1/pairs").status_code == 200  # what the change does not touch can still be read
            assert len(judgements(project)) == 1
            with TestClient(make_app(folder)) as new_site:
                ben = logged_in(new_site, "anna")
                saved += [ben.post("/api/v1/judgements", json=body) for body in bodies[1:] * 2]
            assert [answer.status_code for answer in saved] == [201] * 5
            assert judgements(project) == [answer.json()["id"] for answer in saved[:3]]
    with raises("newer-version", match=f"schema {LATER}"), open_project(folder):
        pass


def test_a_process_of_the_old_version_says_what_to_do(project: Project, tmp_path: Path) -> None:
    with (
        later_version(tmp_path),
        contextlib.closing(Ledger.open(project.ledger.url)) as later,
        later.writing() as connection,
    ):
        connection.execute(text("ALTER TABLE slots DROP COLUMN chance"))
    with raises("newer-version", match="nothing was written: start this again"), project.ledger.writing():
        pytest.fail("it must not write")
    with raises("newer-version"), project.ledger.reading() as connection:
        connection.execute(select(schema.slots.c.chance)).all()  # which is no longer there


def test_an_upgrade_waits_for_who_writes(project: Project, tmp_path: Path) -> None:
    """A transaction that began before is finished, and the upgraded ledger has it."""
    began, go_on, upgraded = threading.Event(), threading.Event(), threading.Event()

    def write() -> None:
        with project.ledger.writing() as connection:
            began.set()
            assert go_on.wait(SECONDS)
            connection.execute(insert(schema.events).values(time="now", actor=None, action="late", detail={}))

    def upgrade() -> None:
        Ledger.open(project.ledger.url).close()
        upgraded.set()

    with later_version(tmp_path):
        writer, upgrader = threading.Thread(target=write), threading.Thread(target=upgrade)
        writer.start()
        assert began.wait(SECONDS)
        upgrader.start()
        assert not upgraded.wait(0.3)
        go_on.set()
        join_all([writer, upgrader])
    with contextlib.closing(Ledger(project.ledger.url)) as ledger, ledger.reading() as connection:
        assert ledger.revision() == LATER
        assert connection.execute(select(schema.events.c.action)).scalars().all() == ["late"]


def test_two_processes_of_the_later_version_upgrade_once(project: Project, tmp_path: Path) -> None:
    with later_version(tmp_path):
        threads = [threading.Thread(target=lambda: Ledger.open(project.ledger.url).close()) for _ in range(4)]
        for thread in threads:
            thread.start()
        join_all(threads)
        with contextlib.closing(Ledger.open(project.ledger.url)) as ledger:
            assert ledger.revision() == LATER


def test_a_folder_of_a_later_version_is_refused_and_unchanged(project: Project) -> None:
    """Whoever has it open goes on: the settings are read once."""
    settings = project.folder / CONFIG_FILE
    later = settings.read_text("utf-8").replace("format = 1", "format = 2")
    settings.write_text(later, "utf-8")
    with raises("newer-version", match="folder format 2, this version knows 1"), open_project(project.folder):
        pass
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.events).values(time="now", actor=None, action="on", detail={}))
    assert settings.read_text("utf-8") == later


def test_a_backup_of_a_later_version_is_refused(folder: Path, tmp_path: Path, databases: Callable[[str], str]) -> None:
    with later_version(tmp_path), open_project(folder) as project:
        backup(project, tmp_path / "later.tar")
    with raises("newer-version", match=f"schema {LATER}"):
        restore(tmp_path / "later.tar", tmp_path / "again")
    assert not (tmp_path / "again").exists()


def first_tables(connection: Connection) -> list[Table]:
    """The tables of the first schema, as the database has them."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != "alembic_version"]


def example_row(table: Table, number: int) -> dict[str, Any]:
    """A value in every column that is not numbered by the database, those that may be empty included."""
    moment = datetime(2026, 1, number + 1, tzinfo=UTC).isoformat()

    def value(name: str, kind: Any) -> Any:
        json = table.name in schema.metadata.tables and isinstance(
            schema.metadata.tables[table.name].c[name].type, JSON
        )
        if json:
            return {"number": [number, "ä"]} if name != "rewrites" else [["one", "another"]]
        kinds = ((Boolean, True), (Integer, number), (Float, number + 0.5))
        return next((example for known, example in kinds if isinstance(kind, known)), f"{name} {number} ✓ {moment}")

    columns = [column for column in table.columns if column.name != "seq"]
    return {column.name: value(column.name, column.type) for column in columns}


@pytest.mark.parametrize("later", [False, True])
def test_a_ledger_of_the_first_schema_is_upgraded_with_its_rows(later: bool, ledger_url: str, tmp_path: Path) -> None:
    """Rows in every table of the first schema are there after all migrations, and one more, with all their values."""
    with Ledger.beginning(ledger_url) as connection:
        migrate(connection, FIRST)
        tables = first_tables(connection)
        for table in tables:
            known = schema.metadata.tables[table.name]  # which knows what JSON is
            for number in range(3):
                row = example_row(table, number)
                connection.execute(insert(known).values(**row))
        columns = {table.name: [column.name for column in table.columns] for table in tables}
        before = {table.name: rows(connection, table.name, columns[table.name]) for table in tables}
    assert len(before) > 25
    assert all(len(lines) == 3 for lines in before.values())
    with contextlib.ExitStack() as stack:
        if later:
            stack.enter_context(later_version(tmp_path))
        ledger = stack.enter_context(contextlib.closing(Ledger.open(ledger_url)))
        assert ledger.revision() == (LATER if later else known_revisions()[0])
        with ledger.reading() as connection:
            for name, lines in before.items():
                assert rows(connection, name, columns[name]) == lines, name
            if not later:
                for table in schema.metadata.sorted_tables:
                    assert len(connection.execute(select(table)).all()) == len(before.get(table.name, ()))


def rows(connection: Connection, table: str, columns: list[str]) -> list[tuple[Any, ...]]:
    names = ", ".join(f'"{column}"' for column in columns)
    return sorted((tuple(row) for row in connection.execute(text(f"SELECT {names} FROM {table}"))), key=str)


def test_the_first_schema_does_not_change() -> None:
    """Ledgers of it exist: what comes later is another migration, never a change of this one."""
    [path] = (MIGRATIONS / "versions").glob(f"{FIRST}_*.py")
    assert digest_hex(path.read_text("utf-8")) == "56770b9b2c39bc97"
