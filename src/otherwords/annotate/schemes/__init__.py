"""Annotation schemes by name: the shipped files of this folder, and those in the folder ``schemes`` of a project.

A scheme is checked when it is read, so that an annotator never meets a key that does two things. Labels come into a
project by its scheme: one that the user renames must become one of the scheme, so that a typing error in ``--map`` is
found before anything is imported.
"""

from __future__ import annotations

import functools
import shutil
from collections.abc import Mapping
from pathlib import Path

from otherwords.annotate.schemes.checks import NAME
from otherwords.annotate.schemes.reading import read_scheme
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import DataError, LabelError, UsageError
from otherwords.project.importing.answers import NO_ANSWER, AnswerRules
from otherwords.project.project import SCHEMES, Project
from otherwords.registry import suggest

SHIPPED = Path(__file__).parent
WITH_LABELS = ("corpus", "pairs", "judgements")  # kinds of imports


def scheme_names(project: Path | None = None) -> list[str]:
    """Names of all schemes, shipped or the project's own."""
    return sorted({path.stem for folder in _folders(project) for path in folder.glob("*.toml")})


def load_scheme(name: str, project: Path | None = None) -> Scheme:
    """A scheme by its name; a project's own file comes before a shipped one."""
    path = _find_file(name, ".toml", project)
    if path is None:
        raise UsageError(f"there is no scheme {name!r}{suggest(name, scheme_names(project))}", code="no-such-scheme")
    return _read_cached(path, path.stat().st_mtime_ns)


def copy_scheme(file: Path, project: Path) -> None:
    """Copy a scheme file, and the guideline beside it, into a project's folder of schemes."""
    (project / SCHEMES).mkdir(exist_ok=True)
    for path in (file, file.with_suffix(".md")):
        if path.is_file():
            shutil.copyfile(path, project / SCHEMES / path.name)


def guideline_text(name: str, project: Path | None = None) -> str:
    """The guideline beside a scheme, or of a kind of work such as extraction; empty if there is none."""
    path = _find_file(name, ".md", project)
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8").replace("\r\n", "\n").strip("\n")
    except UnicodeDecodeError:
        raise DataError("not a guideline: it is not UTF-8; save it as UTF-8", path, code="not-utf8") from None


def has_packaged_guideline(name: str, project: Path | None = None) -> bool:
    """Whether the guideline beside a scheme comes with otherwords, and not with a scheme of the project's own."""
    path = _find_file(name, ".md", project)
    return path is not None and path.parent == SHIPPED


def _find_file(name: str, suffix: str, project: Path | None) -> Path | None:
    if not NAME.fullmatch(name):
        return None
    return next((path for folder in _folders(project) if (path := folder / f"{name}{suffix}").is_file()), None)


def _folders(project: Path | None) -> list[Path]:
    return [*([project / SCHEMES] if project else []), SHIPPED]


@functools.lru_cache(maxsize=64)
def _read_cached(path: Path, modified: int) -> Scheme:
    """The scheme of a file; the time of its last change is part of the cache key."""
    return read_scheme(path)


def answer_rules(project: Project, kind: str, mapping: Mapping[str, str] | None = None) -> AnswerRules:
    """The rules for an import of some kind; without labels or a scheme, every label is as good as another."""
    names = dict(mapping or {})
    if project.config.scheme is None or kind not in WITH_LABELS:
        return AnswerRules(names)
    scheme = load_scheme(project.config.scheme, project.folder)
    values = scheme.questions[0].labels() if scheme.single else []
    for label, value in names.items() if scheme.single else ():
        if value == NO_ANSWER:
            continue
        try:
            scheme.normalise(value)
        except LabelError:
            message = f"--map {label}={value}: the scheme {scheme.name} has no value {value!r}{suggest(value, values)}"
            raise UsageError(message, code="bad-map") from None
    return AnswerRules(names, scheme.name, scheme.normalise, values)
