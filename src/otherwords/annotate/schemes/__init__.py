"""The schemes: files of this folder, and of the folder ``schemes`` of a project, by name.

A scheme is checked when it is read, so that an annotator never meets a key that does two things.
"""

from __future__ import annotations

import functools
import shutil
from pathlib import Path

from otherwords.annotate.scheme import Scheme
from otherwords.annotate.schemes.checks import NAME, PAGE_KEYS, check
from otherwords.annotate.schemes.reading import parse, read
from otherwords.errors import DataError, UsageError
from otherwords.registry import suggest

__all__ = ["FOLDER", "PAGE_KEYS", "SHIPPED", "bring", "check", "guideline_of", "names", "parse", "read", "scheme"]
SHIPPED = Path(__file__).parent
FOLDER = "schemes"  # of a project


def names(project: Path | None = None) -> list[str]:
    """The schemes there are."""
    return sorted({path.stem for folder in _folders(project) for path in folder.glob("*.toml")})


def scheme(name: str, project: Path | None = None) -> Scheme:
    """A scheme by its name; a project's own file comes before a shipped one."""
    for folder in _folders(project):
        path = folder / f"{name}.toml"
        if NAME.fullmatch(name) and path.is_file():
            return _read(path, path.stat().st_mtime_ns)
    raise UsageError(f"there is no scheme {name!r}{suggest(name, names(project))}")


def bring(file: Path, project: Path) -> None:
    """Copy a scheme, and the guideline that stands beside it, into the folder of a project's own."""
    (project / FOLDER).mkdir(exist_ok=True)
    for path in (file, file.with_suffix(".md")):
        if path.is_file():
            shutil.copyfile(path, project / FOLDER / path.name)


def guideline_of(name: str, project: Path | None = None) -> str:
    """The text that stands beside a scheme, or that a kind of work comes with; nothing where there is none."""
    for folder in _folders(project):
        path = folder / f"{name}.md"
        if NAME.fullmatch(name) and path.is_file():
            try:
                return path.read_text(encoding="utf-8").replace("\r\n", "\n").strip("\n")
            except UnicodeDecodeError:
                raise DataError("not a guideline: it is not UTF-8; save it as UTF-8", path) from None
    return ""


def _folders(project: Path | None) -> list[Path]:
    return [*([project / FOLDER] if project else []), SHIPPED]


@functools.lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> Scheme:
    """A file as it was when it was changed last."""
    return read(path)
