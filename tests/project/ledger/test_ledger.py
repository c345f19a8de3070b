"""The ledger opens with its guarantees, or with an error that says why it does not."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import insert, select, text

from otherwords.errors import MissingExtra
from otherwords.project import ledger as module
from otherwords.project.ledger import MIGRATIONS, Ledger, insert_new, known_revisions, migrate, schema
from tests.errors import raises

TOMBSTONE = {"noun": "document", "target": "d1", "time": "2026-01-01", "reason": None}


def create_ledger(url: str) -> Ledger:
    with Ledger.beginning(url) as connection:
        migrate(connection)
    return Ledger.open(url)


def document(id: str) -> dict[str, Any]:
    return {"id": id, "text": id.upper(), "meta": {}, "import_id": None}


def test_migrations_give_the_schema(ledger_url: str) -> None:
    with contextlib.closing(create_ledger(ledger_url)) as ledger, ledger.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
    assert known_revisions() == [script.revision for script in ScriptDirectory(MIGRATIONS).walk_revisions()]


def test_statements_are_compiled_once_for_all_ledgers_of_a_kind(databases: Callable[[str], str], kind: str) -> None:
    wanted = select(schema.documents.c.meta, schema.documents.c.text).where(schema.documents.c.id == "d1")
    hits = []
    for words in ("first", "second"):
        with contextlib.closing(create_ledger(databases(kind))) as ledger, ledger.writing() as connection:
            connection.execute(insert(schema.documents).values(**document("d1") | {"meta": {"words": [words]}}))
            result = connection.execute(wanted)
            assert result.all() == [({"words": [words]}, "D1")]
            hits.append(result.context.cache_hit.name)
    assert hits[1] == "CACHE_HIT"


def test_only_a_new_project_makes_a_ledger(ledger_url: str) -> None:
    with raises("no-such-ledger", match="otherwords restore"):
        Ledger.open(ledger_url)
    with contextlib.closing(create_ledger(ledger_url)) as ledger:
        assert ledger.revision() == known_revisions()[0]
    Ledger.open(ledger_url).close()


def test_a_database_with_anything_in_it_is_left_alone(ledger_url: str) -> None:
    create_ledger(ledger_url).close()
    with raises("ledger-not-empty"):
        create_ledger(ledger_url)


def test_a_beginning_that_fails_leaves_nothing(ledger_url: str) -> None:
    def fail() -> None:
        with Ledger.beginning(ledger_url) as connection:
            migrate(connection)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    create_ledger(ledger_url).close()


def test_a_newer_ledger_is_refused_and_unchanged(ledger_url: str) -> None:
    ledger = create_ledger(ledger_url)
    with ledger.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    ledger.close()
    with raises("newer-version", match="schema 9999"):
        Ledger.open(ledger_url)
    with contextlib.closing(Ledger(ledger_url)) as ledger:
        assert ledger.revision() == "9999"


@pytest.mark.parametrize(
    ("url", "code", "detail"),
    [
        ("postgresql+psycopg://me:secret@127.0.0.1:1/none", "ledger-unavailable", r"me:\*\*\*@127.0.0.1.*refused"),
        ("sqlite:////no/such/folder/ledger.db", "no-such-ledger", "/no/such/folder/ledger.db"),
        ("postgres://me:secret@host/none", "bad-ledger-url", r"'postgres://me:\*\*\*@host/none'"),
        ("nonsense", "bad-ledger-url", "'nonsense'"),
        ("mysql://me@host/name", "bad-ledger-url", "'mysql://me@host/name'; use sqlite:///"),
    ],
)
def test_a_ledger_that_does_not_answer(url: str, code: str, detail: str) -> None:
    with raises(code, match=detail) as caught:
        Ledger.open(url)
    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_text(
        "this is a letter, not a database, and long enough to be read as a header " * 20
    )
    with raises("ledger-refused", match="file is not a database"):
        Ledger.open(f"sqlite:///{tmp_path / 'ledger.db'}")


def test_a_missing_driver_names_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("psycopg")

    monkeypatch.setattr(module, "create_engine", fail)
    with pytest.raises(MissingExtra, match=r"pip install 'otherwords\[postgres\]'"):
        Ledger("postgresql+psycopg://me@host/name")


def test_sqlite_is_durable_and_in_wal_mode(tmp_path: Path) -> None:
    with (
        contextlib.closing(create_ledger(f"sqlite:///{tmp_path / 'ledger.db'}")) as ledger,
        ledger.reading() as connection,
    ):
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_a_transaction_is_whole_or_nothing(ledger_url: str) -> None:
    with contextlib.closing(create_ledger(ledger_url)) as ledger:
        with ledger.writing() as connection:
            connection.execute(insert(schema.tombstones).values(**TOMBSTONE))
            connection.get_transaction().rollback()  # type: ignore[union-attr]
        with ledger.reading() as connection:
            assert connection.execute(select(schema.tombstones)).all() == []


def test_a_snapshot_does_not_see_what_comes_later(ledger_url: str) -> None:
    with contextlib.closing(create_ledger(ledger_url)) as ledger, ledger.reading() as early:
        assert early.execute(select(schema.documents.c.id)).all() == []
        with ledger.writing() as connection:
            insert_new(connection, schema.documents, [document("d1")])
        assert early.execute(select(schema.documents.c.id)).all() == []
        with ledger.reading() as late:
            assert late.execute(select(schema.documents.c.id)).scalars().all() == ["d1"]


def test_only_new_rows_are_inserted_and_counted(ledger_url: str) -> None:
    with contextlib.closing(create_ledger(ledger_url)) as ledger:
        with ledger.writing() as connection:
            assert insert_new(connection, schema.documents, [document("d2"), document("d1")]) == 2
            assert insert_new(connection, schema.documents, [document("d1"), document("d3"), document("d3")]) == 1
            assert insert_new(connection, schema.documents, []) == 0
        with ledger.reading() as connection:
            ids = connection.execute(select(schema.documents.c.id).order_by(schema.documents.c.seq))
            assert ids.scalars().all() == ["d2", "d1", "d3"]


def test_a_database_that_refuses_is_explained(ledger_url: str) -> None:
    with contextlib.closing(create_ledger(ledger_url)) as ledger, raises("ledger-refused"):  # noqa: SIM117
        with ledger.writing() as connection:
            connection.execute(insert(schema.tombstones), [TOMBSTONE, TOMBSTONE])
