"""A corpus project: a folder with its settings, its ledger and its tables."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from otherwords.errors import ProjectError
from otherwords.project.config import DEFAULT_LEDGER, NAME, Config, read_config
from otherwords.project.ledger import Ledger
from otherwords.project.lock import holding
from otherwords.project.migrating import migrate
from otherwords.text.languages import language

TABLES = "tables"


@dataclass(frozen=True, slots=True)
class Project:
    """An open project."""

    folder: Path
    config: Config
    ledger: Ledger

    @property
    def tables(self) -> Path:
        return self.folder / TABLES

    def holding(self, *, wait: bool = False) -> contextlib.AbstractContextManager[None]:
        """The right to write, for the length of a block."""
        return holding(self.folder, wait=wait)


def now() -> str:
    """The time as the ledger writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@contextlib.contextmanager
def opened(folder: str | Path) -> Iterator[Project]:
    """Open a project; its ledger is brought up to date and closed again at the end."""
    path = Path(folder)
    config = read_config(path)
    ledger = Ledger.open(config.ledger_url(path.resolve()))
    try:
        yield Project(path, config, ledger)
    finally:
        ledger.close()


def create(folder: str | Path, lang: str, scheme: str | None = None, url: str | None = None) -> None:
    """Make a new project. A folder that is a project already, or holds anything else, is left alone."""
    path = Path(folder)
    if (path / NAME).exists():
        raise ProjectError(f"{path}: is a project already")
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise ProjectError(f"{path}: is not empty; name a new folder")
    config = Config(path.resolve().name, language(lang), scheme, now(), url or DEFAULT_LEDGER)
    made = not path.exists()
    try:
        path.mkdir(parents=True, exist_ok=True)
        with Ledger.beginning(config.ledger_url(path.resolve())) as connection:
            migrate(connection)
        (path / TABLES).mkdir()
        config.write(path)
    except BaseException as problem:
        _take_back(path, made)
        if isinstance(problem, OSError):
            raise ProjectError(f"{path}: cannot be made: {problem.strerror or problem}") from None
        raise


def _take_back(folder: Path, made: bool) -> None:
    """Clear what could not be made into a project; a folder that was there, and empty, is empty again."""
    import shutil

    for path in [folder] if made else list(folder.iterdir()):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.exists():
            path.unlink()
