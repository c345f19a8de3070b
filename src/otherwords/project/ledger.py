"""The ledger: one SQL database per project, opened with the guarantees that the rest relies on.

SQLite in WAL mode with full synchronisation by default, PostgreSQL by changing one URL. Opening brings an
older schema up to date; a ledger made by a newer version, or one that does not answer, is an error in
plain words.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError
from sqlalchemy.schema import Table

from otherwords.errors import LedgerError, MissingExtra
from otherwords.project.migrating import known_revisions, migrate, revision_of
from otherwords.project.schema import metadata
from otherwords.project.turns import queue_of, taking_turns

_PASSWORD = re.compile(r":[^:/@]*@")
BUSY_MS = 30_000
WAL_PAGES = 10_000  # 40 MB, and not the usual 4: emptying it into the file stops all writers, so let it be seldom
ROWS_A_STATEMENT = 500


class Ledger:
    """An open ledger. ``reading`` and ``writing`` are its only two kinds of transaction."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)
        self._queue = queue_of(url)

    @classmethod
    def open(cls, url: str) -> Ledger:
        """Open a ledger and bring its schema up to date."""
        ledger = cls(url)
        try:
            ledger._refuse_missing()
            ledger._upgrade()
        except BaseException:
            ledger.close()
            raise
        return ledger

    @classmethod
    @contextlib.contextmanager
    def beginning(cls, url: str) -> Iterator[Connection]:
        """The one transaction that makes a ledger out of an empty database; one that holds anything is left alone."""
        with contextlib.closing(cls(url)) as ledger, ledger.writing() as connection:
            if inspect(connection).get_table_names():
                raise LedgerError(f"the ledger {ledger.display_url} is not empty; name a database that nothing is in")
            yield connection

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @property
    def display_url(self) -> str:
        """The URL without its password."""
        return make_url(self.url).render_as_string(hide_password=True)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent snapshot to read from."""
        with self._explained(), self.engine.connect() as connection:
            if not self.is_sqlite:
                connection = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: all of it is there afterwards, durably, or nothing. Who waits for it holds no connection."""
        with self._explained(), taking_turns(self._queue), self.engine.connect() as connection:
            connection = connection.execution_options(otherwords_writes=True)
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def erasing(self) -> Iterator[Connection]:
        """A writing transaction after which SQLite's file does not keep what was overwritten."""
        with self.writing() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql("PRAGMA secure_delete=ON")
            yield connection

    def scrub(self) -> None:
        """Rewrite the database, so that copies of erased rows are in none of its own files.

        PostgreSQL's archived log, where somebody keeps one, is that administrator's to clear.
        """
        with self._explained(), taking_turns(self._queue), self.engine.connect() as connection:
            if self.is_sqlite:
                connection = connection.execution_options(otherwords_autocommit=True)
                connection.exec_driver_sql("VACUUM")
                busy, *_ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
                if busy:
                    raise LedgerError(f"{self.display_url}: somebody reads what was erased; do this again afterwards")
                return
            connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.execute(text(f"SET lock_timeout = {BUSY_MS}"))
            for name in metadata.tables:
                connection.execute(text(f"VACUUM FULL {name}"))
            connection.execute(text("RESET lock_timeout"))

    def close(self) -> None:
        self.engine.dispose()

    def revision(self) -> str | None:
        """The schema version that the database has."""
        with self._explained(), self.engine.connect() as connection:
            return revision_of(connection)

    def _refuse_missing(self) -> None:
        """A ledger is made by a new project or a restored one, never by opening one that is gone."""
        name = make_url(self.url).database
        gone = not Path(name or "").is_file() if self.is_sqlite else self.revision() is None
        if gone:
            raise LedgerError(f"the ledger {self.display_url} is not there; put it back with: otherwords restore")

    def _upgrade(self) -> None:
        current, known = self.revision(), known_revisions()
        if current == known[0]:
            return
        if current is not None and current not in known:
            raise LedgerError(
                f"{self.display_url}: made by a newer version of otherwords (schema {current}, "
                f"this version knows up to {known[0]}); upgrade otherwords to open it"
            )
        with self.writing() as connection:
            migrate(connection)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Database trouble as a sentence."""
        try:
            yield
        except OperationalError as problem:
            reason = str(problem.orig).strip().splitlines()[0] if problem.orig else str(problem)
            raise LedgerError(f"the ledger {self.display_url} cannot be used: {reason}") from None
        except DBAPIError as problem:
            raise LedgerError(f"the ledger {self.display_url} refused: {str(problem.orig).strip()}") from problem


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() not in ("sqlite", "postgresql"):
            raise ArgumentError
        options: dict[str, Any] = {"json_serializer": _encode, "json_deserializer": msgspec.json.decode}
        if parsed.get_backend_name() == "postgresql":
            options |= {"pool_pre_ping": True, "connect_args": {"connect_timeout": 10}}
        engine = create_engine(parsed, **options)
    except ModuleNotFoundError:
        raise MissingExtra("postgres", f"the ledger {make_url(url).get_backend_name()}") from None
    except (ArgumentError, NoSuchModuleError):
        raise LedgerError(
            f"not a ledger URL: {_PASSWORD.sub(':***@', url)!r}; use sqlite:///ledger.db or postgresql+psycopg://user@host/name"
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _prepare_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # transactions are begun by _begin_sqlite alone
    cursor = connection.cursor()
    settings = ("synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}", f"wal_autocheckpoint={WAL_PAGES}")
    for pragma in ("journal_mode=WAL", *settings):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its place in the queue at once: upgrading a read transaction later can fail."""
    options = connection.get_execution_options()
    if not options.get("otherwords_autocommit"):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("otherwords_writes") else "BEGIN")


def insert_into(connection: Connection, table: Table) -> Any:
    """An insertion that can say what happens where a row is there already; the other database's are not loaded."""
    return import_module(f"sqlalchemy.dialects.{connection.dialect.name}").insert(table)


def insert_new(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> int:
    """Insert the rows that are not there yet, by whatever makes a row of that table unique; how many that were."""
    if not rows:
        return 0
    statement = insert_into(connection, table).on_conflict_do_nothing().returning(*table.primary_key.columns)
    return len(connection.execute(statement, rows).all())


def upsert(connection: Connection, table: Table, rows: list[dict[str, Any]], changes: dict[str, Any]) -> None:
    """Insert rows; where the id is there already, change only what ``changes`` says."""
    for start in range(0, len(rows), ROWS_A_STATEMENT):
        statement = insert_into(connection, table).on_conflict_do_update(index_elements=[table.c.id], set_=changes)
        connection.execute(statement, rows[start : start + ROWS_A_STATEMENT])
