"""A corpus project: a folder with settings, a ledger and tables."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from otherwords.errors import ProjectError
from otherwords.project.about import About, write_about
from otherwords.project.config import CONFIG_FILE, DEFAULT_LEDGER, ProjectConfig, read_config
from otherwords.project.ledger import Ledger, migrate
from otherwords.project.lock import holding
from otherwords.project.permissions import PRIVATE_FOLDER, close_to_others
from otherwords.text.languages import language

TABLES, SCHEMES, SECRETS, RECIPE = "tables", "schemes", "secrets", "recipe.toml"  # in the folder of a project
MODELS = "models"  # what was trained on it
GROWING = "growing"  # the versions of its growing set
_latest = ""  # what ``now`` said last
_turn = threading.Lock()


@dataclass(frozen=True, slots=True)
class Project:
    """An open project."""

    folder: Path
    config: ProjectConfig
    ledger: Ledger

    @classmethod
    def open(cls, folder: str | Path) -> contextlib.AbstractContextManager[Project]:
        """Open a project for the length of a block."""
        return open_project(folder)

    @property
    def tables(self) -> Path:
        return self.folder / TABLES

    def holding(self, *, wait: bool = False) -> contextlib.AbstractContextManager[None]:
        """Hold the lock of the project for the length of a block."""
        return holding(self.folder, wait=wait)


def now() -> str:
    """The current time in the format of the ledger. Within a process it never goes back, even if the clock does.

    What somebody did last is found by its time; of what has the same time, the row that came later is the later one.
    """
    global _latest
    with _turn:
        _latest = max(_latest, datetime.now(UTC).isoformat(timespec="milliseconds"))
        return _latest


@contextlib.contextmanager
def open_project(folder: str | Path) -> Iterator[Project]:
    """Open a project; its ledger is upgraded if it is older, and closed at the end."""
    path = Path(folder)
    config = read_config(path)
    close_to_others(path, path / CONFIG_FILE)
    ledger = Ledger.open(config.ledger_url(path.resolve()))
    try:
        yield Project(path, config, ledger)
    finally:
        ledger.close()


def create_project(folder: str | Path, lang: str, scheme: str | None = None, url: str | None = None) -> None:
    """Create a project in a folder that is new or empty."""
    path = Path(folder)
    if (path / CONFIG_FILE).exists():
        raise ProjectError(f"{path}: is a project already", code="project-exists")
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise ProjectError(f"{path}: is not empty; name a new folder", code="folder-not-empty")
    config = ProjectConfig(path.resolve().name, language(lang), scheme, now(), url or DEFAULT_LEDGER)
    is_new = not path.exists()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(PRIVATE_FOLDER, exist_ok=True)
        close_to_others(path)
        with Ledger.beginning(config.ledger_url(path.resolve())) as connection:
            migrate(connection)
        (path / TABLES).mkdir()
        config.write(path)
        write_about(path, About())
    except BaseException as problem:
        _clean_up(path, is_new)
        if isinstance(problem, OSError):
            message = f"{path}: cannot be made: {problem.strerror or problem}"
            raise ProjectError(message, code="folder-unwritable") from None
        raise


def _clean_up(folder: Path, is_new: bool) -> None:
    """Delete what a failed creation left behind; a folder that existed before is emptied and stays."""
    import shutil

    for path in [folder] if is_new else list(folder.iterdir()):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.exists():
            path.unlink()
