"""The ledger: the SQL database of a project, with the transactions that the rest of the package relies on.

SQLite in WAL mode with full synchronisation by default, or PostgreSQL by another URL. Opening a ledger upgrades an
older schema; one made by a newer version, or one that does not answer, is an error. A process that has it open while
a newer version upgrades it writes nothing more. Alembic is loaded only for an upgrade: most commands need none, and
loading it would take longer than the rest of them.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError
from sqlalchemy.schema import Table
from sqlalchemy.util import LRUCache

from otherwords.errors import LedgerError, MissingExtra
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.ledger.schema import metadata
from otherwords.project.ledger.write_queue import queue_of, taking_turns
from otherwords.project.permissions import close_to_others, create_private

_PASSWORD = re.compile(r":[^:/@]*@")
BUSY_MS = 30_000
WAL_PAGES = 10_000  # 40 MB instead of the default 4: a checkpoint stops all writers, so let it be rare
SQLITE_FILES = ("", "-wal", "-shm")
MIGRATIONS = Path(__file__).parent / "migrations"
MIGRATION_LOCK = 7461  # key of an advisory lock: arbitrary, but the same for all versions
_SHARED_LOCK = f"SELECT pg_advisory_xact_lock_shared({MIGRATION_LOCK})"
_VERSION = "SELECT version_num FROM alembic_version"


class Ledger:
    """An open ledger. Every transaction begins with ``reading`` or ``writing``."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)
        self._queue = queue_of(url)
        self._opened: str | None = None  # the version of the schema that it was opened with

    @classmethod
    def open(cls, url: str) -> Ledger:
        """Open a ledger and upgrade its schema if it is older."""
        ledger = cls(url)
        try:
            # A missing ledger is an error: only a new or a restored project creates one.
            exists = ledger._file.is_file() if ledger.is_sqlite else ledger.revision() is not None
            if not exists:
                message = f"the ledger {ledger.display_url} is not there; put it back with: otherwords restore"
                raise LedgerError(message, code="no-such-ledger")
            if ledger.is_sqlite:
                close_to_others(*(ledger._file.with_name(ledger._file.name + end) for end in SQLITE_FILES))
            ledger._opened = ledger._upgrade()
        except BaseException:
            ledger.close()
            raise
        return ledger

    @classmethod
    @contextlib.contextmanager
    def beginning(cls, url: str) -> Iterator[Connection]:
        """The transaction that creates a ledger in an empty database."""
        with contextlib.closing(cls(url)) as ledger, ledger._created(), ledger._writing() as connection:
            if inspect(connection).get_table_names():
                message = f"the ledger {ledger.display_url} is not empty; name a database that nothing is in"
                raise LedgerError(message, code="ledger-not-empty")
            yield connection

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @property
    def _file(self) -> Path:
        """The file of SQLite."""
        return Path(make_url(self.url).database or "")

    @contextlib.contextmanager
    def _created(self) -> Iterator[None]:
        """Let SQLite find an empty file that only its owner may read; its other files get the same permissions."""
        if self._queue is not None:
            try:
                create_private(self._file)
            except OSError as problem:
                message = f"the ledger {self.display_url} cannot be made: {problem.strerror or problem}"
                raise LedgerError(message, code="ledger-unavailable") from None
        yield

    @property
    def display_url(self) -> str:
        """The URL without its password."""
        return make_url(self.url).render_as_string(hide_password=True)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads from one consistent snapshot."""
        with self._explained(), self.engine.connect() as connection:
            if not self.is_sqlite:
                connection = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes. Whoever waits for it holds no connection."""
        with self._writing() as connection:
            if self._opened is not None:
                if not self.is_sqlite:  # an upgrade waits for those who write, and they for it
                    connection.exec_driver_sql(_SHARED_LOCK)
                if (found := connection.exec_driver_sql(_VERSION).scalar()) != self._opened:
                    raise self._upgraded(found)
            yield connection

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Connection]:
        """The same, whatever version the schema has."""
        with self._explained(), taking_turns(self._queue), self.engine.connect() as connection:
            connection = connection.execution_options(otherwords_writes=True)
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def erasing(self) -> Iterator[Connection]:
        """A writing transaction that overwrites deleted content in SQLite's file."""
        with self.writing() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql("PRAGMA secure_delete=ON")
            yield connection

    def scrub(self) -> None:
        """Rewrite the database, so that none of its files keeps copies of erased rows.

        An archived log of PostgreSQL, where there is one, has to be cleared by its administrator.
        """
        with self._explained(), taking_turns(self._queue), self.engine.connect() as connection:
            if self.is_sqlite:
                connection = connection.execution_options(otherwords_autocommit=True)
                connection.exec_driver_sql("VACUUM")
                busy, *_ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
                if busy:
                    message = f"{self.display_url}: another process still reads what was erased; repeat this later"
                    raise LedgerError(message, code="ledger-in-use")
                return
            connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.execute(text(f"SET lock_timeout = {BUSY_MS}"))
            for name in metadata.tables:
                connection.execute(text(f"VACUUM FULL {name}"))
            connection.execute(text("RESET lock_timeout"))

    def close(self) -> None:
        self.engine.dispose()

    def revision(self) -> str | None:
        """The schema version that the database has; None if it has no ledger."""
        with self._explained(), self.engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            version: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
            return version

    def _upgrade(self) -> str:
        """Upgrade the schema if it is older; the version that it has then."""
        current, known = self.revision(), known_revisions()
        if current == known[0]:
            return known[0]
        if current is not None and current not in known:
            raise LedgerError(
                f"{self.display_url}: made by a newer version of otherwords (schema {current}, "
                f"this version knows up to {known[0]}); upgrade otherwords to open it",
                code="newer-version",
            )
        with self._writing() as connection:
            migrate(connection)
        return known[0]

    def _upgraded(self, found: str | None) -> LedgerError:
        return LedgerError(
            f"{self.display_url}: another version of otherwords has changed it to schema {found}, and this process "
            f"works with schema {self._opened}; nothing was written: start this again with the new version",
            code="newer-version",
        )

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of the database into errors of ours."""
        try:
            yield
        except OperationalError as problem:
            reason = str(problem.orig).strip().splitlines()[0] if problem.orig else str(problem)
            message = f"the ledger {self.display_url} cannot be used: {reason}"
            raise self._changed() or LedgerError(message, code="ledger-unavailable") from None
        except DBAPIError as problem:
            if changed := self._changed():
                raise changed from None
            message = f"the ledger {self.display_url} refused: {str(problem.orig).strip()}"
            raise LedgerError(message, code="ledger-refused") from problem

    def _changed(self) -> LedgerError | None:
        """Why a statement failed, if that is because another version has upgraded the ledger since it was opened."""
        if self._opened is None:
            return None
        with contextlib.suppress(DBAPIError), self.engine.connect() as connection:
            if (found := connection.exec_driver_sql(_VERSION).scalar()) != self._opened:
                return self._upgraded(found)
        return None


class _CompiledStatements(LRUCache[Any, Any]):
    """Statements as they were compiled for any ledger on the same kind of database.

    SQLAlchemy keeps them for one engine, so that each ledger that a process opens would compile all of its statements
    again, which takes longer than executing them. All engines are made alike, by ``_engine``.
    """

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(self._shared(key), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__(self._shared(key), compiled)

    @staticmethod
    def _shared(key: Any) -> tuple[object, ...]:
        """The same key with what matters of its first part, the dialect of an engine."""
        dialect, *statement = key
        return dialect.name, dialect.driver, dialect.server_version_info, *statement


_COMPILED = _CompiledStatements(1000)


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() not in ("sqlite", "postgresql"):
            raise ArgumentError
        is_server = parsed.get_backend_name() == "postgresql"
        engine = create_engine(
            parsed,
            json_serializer=lambda value: msgspec.json.encode(value).decode(),
            json_deserializer=msgspec.json.decode,
            pool_pre_ping=is_server,
            connect_args={"connect_timeout": 10} if is_server else {},
            execution_options={"compiled_cache": _COMPILED},
            **({} if is_server or not _is_sealed(parsed) else {"creator": lambda: _open_sealed(parsed)}),
        )
    except ModuleNotFoundError:
        raise MissingExtra("postgres", f"the ledger {make_url(url).get_backend_name()}") from None
    except (ArgumentError, NoSuchModuleError):
        raise LedgerError(
            f"not a ledger URL: {_PASSWORD.sub(':***@', url)!r}; "
            "use sqlite:///ledger.db or postgresql+psycopg://user@host/name",
            code="bad-ledger-url",
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sealed if _is_sealed(parsed) else _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _is_sealed(url: URL) -> bool:
    """Whether SQLite's file is in a folder that cannot be written to, as on a disk that is mounted read-only."""
    path = Path(url.database or "")
    return path.is_file() and not os.access(path.parent, os.W_OK)


def _open_sealed(url: URL) -> sqlite3.Connection:
    """A connection for reading to a file that nobody can change; SQLite needs no files beside it then.

    What is only in the write-ahead log of a server that still runs, or was killed, could not be seen.
    """
    path = Path(url.database or "").resolve()
    log = path.with_name(f"{path.name}-wal")
    if log.is_file() and log.stat().st_size:
        message = f"{path}: has changes that were not put into it; open it once where it can be written to"
        raise LedgerError(message, code="ledger-not-closed")
    return sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)


def _prepare_sealed(connection: Any, record: Any) -> None:
    connection.isolation_level = None


def _prepare_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # only _begin_sqlite begins transactions
    cursor = connection.cursor()
    settings = ("synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}", f"wal_autocheckpoint={WAL_PAGES}")
    for pragma in ("journal_mode=WAL", *settings):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """A writer locks the database at once: upgrading a read transaction later can fail."""
    options = connection.get_execution_options()
    if not options.get("otherwords_autocommit"):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("otherwords_writes") else "BEGIN")


def known_revisions() -> list[str]:
    """The schema versions that can be opened, the newest first; file names begin with them."""
    return sorted((path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("0*.py")), reverse=True)


def migrate(connection: Connection, revision: str = "head") -> None:
    """Upgrade a schema to a version, inside the transaction of the connection."""
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name != "sqlite":  # SQLite has one writer at a time anyway
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def insert_into(connection: Connection, table: Table) -> Any:
    """An INSERT with ON CONFLICT in the dialect of the connection; the other dialect is not loaded."""
    return import_module(f"sqlalchemy.dialects.{connection.dialect.name}").insert(table)


def insert_new(connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> int:
    """Insert the rows that violate no unique constraint, and count them."""
    if not rows:
        return 0
    statement = insert_into(connection, table).on_conflict_do_nothing().returning(*table.primary_key.columns)
    return len(connection.execute(statement, rows).all())


def upsert(
    connection: Connection, table: Table, rows: Sequence[Mapping[str, object]], changes: Mapping[str, object]
) -> None:
    """Insert rows; where the id exists, change only the columns in ``changes``."""
    statement = insert_into(connection, table).on_conflict_do_update(index_elements=[table.c.id], set_=changes)
    for block in in_blocks(rows):
        connection.execute(statement, block)
