"""The schemes: files of this folder, and of the folder ``schemes`` of a project, by name.

A scheme is checked when it is read, so that an annotator never meets a key that does two things.
"""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path
from typing import Any

from otherwords.annotate.scheme import Flag, Question, Rewriting, Scheme, Value
from otherwords.errors import DataError, LabelError, UsageError
from otherwords.registry import suggest

SHIPPED = Path(__file__).parent
FOLDER = "schemes"  # of a project
PAGE_KEYS = frozenset("urcjk/?gdth") | {"Enter", "Backspace", "Escape", " "}
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_SETTINGS = {"name", "title", "unit", "values", "flags", "questions", "rewrite"} | {
    *("positive", "missing", "distance", "projections", "several", "counted")
}
_OF_A_QUESTION = ("values", "flags", "several", "counted")


def names(project: Path | None = None) -> list[str]:
    """The schemes there are."""
    folders = [SHIPPED, *([project / FOLDER] if project else [])]
    return sorted({path.stem for folder in folders for path in folder.glob("*.toml")})


def scheme(name: str, project: Path | None = None) -> Scheme:
    """A scheme by its name; a project's own file comes before a shipped one."""
    for folder in [*([project / FOLDER] if project else []), SHIPPED]:
        path = folder / f"{name}.toml"
        if _NAME.fullmatch(name) and path.is_file():
            return _read(path, path.stat().st_mtime_ns)
    raise UsageError(f"there is no scheme {name!r}{suggest(name, names(project))}")


@functools.lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> Scheme:
    try:
        return parse(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, LabelError) as problem:
        raise DataError(f"not a scheme: {problem}", path) from None
    except (KeyError, TypeError) as problem:
        raise DataError(f"not a scheme: {problem} is missing or of another kind", path) from None


def parse(told: dict[str, Any]) -> Scheme:
    """The scheme that a file describes, checked."""
    if unknown := sorted(set(told) - _SETTINGS):
        raise LabelError(f"unknown setting {unknown[0]!r}")
    asked = told.get("questions") or [
        {key: told[key] for key in ("values", "flags", "several", "counted") if key in told}
    ]
    rewrite = told.get("rewrite")
    found = Scheme(
        name=told["name"],
        title=told["title"],
        unit=told.get("unit", "pair"),
        questions=tuple(map(_question, asked)),
        positive=tuple(told.get("positive", ())),
        missing=tuple(told.get("missing", ())),
        distance=told.get("distance", "nominal"),
        rewrite=Rewriting(rewrite["label"], tuple(rewrite.get("not_for", ()))) if rewrite else None,
        projections=told.get("projections", {}),
    )
    check(found)
    return found


def _question(told: dict[str, Any]) -> Question:
    values = tuple(Value(**value) for value in told["values"])
    flags = tuple(
        Flag(**{**flag, "on": tuple(flag.get("on", ())), "excludes": tuple(flag.get("excludes", ()))})
        for flag in told.get("flags", ())
    )
    others = {key: told[key] for key in ("name", "title", "several", "counted") if key in told}
    return Question(values, flags, **others)


def check(found: Scheme) -> None:
    """Refuse a scheme that cannot be worked with: keys that clash, values nobody can give."""
    if not found.questions or any(not question.values for question in found.questions):
        raise LabelError("a scheme needs at least one value to choose")
    if len(found.questions) > 1 and any(not question.name for question in found.questions):
        raise LabelError("of several questions each needs a name")
    taken = dict.fromkeys(PAGE_KEYS, "the page itself")
    for question in found.questions:
        keys = [(one.value, one.key) for one in question.values] + [(one.flag, one.key) for one in question.flags]
        for what, key in keys:
            if len(key) != 1:
                raise LabelError(f"{what!r}: its key has to be a single character, not {key!r}")
            if key in taken:
                raise LabelError(f"{what!r}: key {key!r} is taken by {taken[key]}")
            taken[key] = repr(what)
        _check_flags(question)
    if found.rewrite:
        found.normalise(found.rewrite.label)


def _check_flags(question: Question) -> None:
    values = {value.value for value in question.values}
    for flag in question.flags:
        if not flag.on or not set(flag.on) <= values:
            raise LabelError(f"flag {flag.flag!r}: it can never be given: on = {list(flag.on)}")
        if flag.flag in flag.excludes:
            raise LabelError(f"flag {flag.flag!r} excludes itself")
