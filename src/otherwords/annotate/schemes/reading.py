"""From a TOML file, most likely written by hand, to a :class:`Scheme` or to a sentence about its mistake.

A file with one question has its values at the top; one with several has them under ``[[questions]]``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from otherwords.annotate.question import Flag, Question, Value
from otherwords.annotate.scheme import Projection, Rewriting, Scheme, View
from otherwords.annotate.schemes.checks import check
from otherwords.errors import DataError, LabelError
from otherwords.registry import suggest
from otherwords.sources.toml import parse_toml

OF_A_QUESTION = ("values", "flags", "several", "counted", "kind", "types")
_TABLES = {"values": Value, "flags": Flag, "questions": Question, "rewrite": Rewriting, "projections": Projection,
           "views": View}  # fmt: skip
_UNKNOWN = re.compile(r"Object contains unknown field `(.*?)`")
_ABSENT = re.compile(r"Object missing required field `(.*?)`")
_WHERE = re.compile(r" - at `\$\.?(.*)`$")


def read(path: Path) -> Scheme:
    """The scheme of a file, checked."""
    try:
        found = parse(parse_toml(path.read_text(encoding="utf-8-sig")))
    except UnicodeDecodeError:
        raise DataError("not a scheme: it is not UTF-8; save it as UTF-8", path) from None
    except ValueError as problem:  # a LabelError is one
        raise DataError(f"not a scheme: {problem}", path) from None
    if found.name != path.stem:
        raise DataError(f"its name is {found.name!r}: call the file {found.name}.toml, or the scheme {path.stem}", path)
    return found


def parse(told: dict[str, Any]) -> Scheme:
    """The scheme that a file describes, checked."""
    single = "questions" not in told
    if single:
        asked = {name: told[name] for name in OF_A_QUESTION if name in told}
        told = {name: value for name, value in told.items() if name not in asked} | {"questions": [asked]}
    elif at_the_top := [name for name in OF_A_QUESTION if name in told]:
        raise LabelError(f"{at_the_top[0]!r} stands at the top, and there are questions: put it under one of them")
    try:
        found = msgspec.convert(told, Scheme)
    except msgspec.ValidationError as problem:
        said = str(problem).replace("$.questions[0]", "$") if single else str(problem)  # which nobody wrote
        raise LabelError(_in_words(said)) from None
    check(found)
    return found


def _in_words(problem: str) -> str:
    """A mistake for those who write files by hand: which table, what is wrong, what to do."""
    where = _WHERE.search(problem)
    path = where[1] if where else ""
    what = _WHERE.sub("", problem)
    if unknown := _UNKNOWN.search(what):
        known = _known(path)
        what = f"unknown setting {unknown[1]!r}{suggest(unknown[1], known)}"
    elif absent := _ABSENT.search(what):
        what = f"{absent[1]} is missing"
    else:
        what = what.replace("`str`", "text in quotes").replace("`", "")
    return f"{_place(path)}: {what}" if _place(path) else what


def _known(path: str) -> list[str]:
    """The settings of the table at a path."""
    table = next((part for part in reversed(re.findall(r"[a-z_]+", path)) if part in _TABLES), None)
    fields = list((_TABLES[table] if table else Scheme).__struct_fields__)
    return fields if table else [*fields, *OF_A_QUESTION]


def _place(path: str) -> str:
    """``values[2].key`` as ``values, entry 3, key``."""
    told = [part.partition("[") for part in path.replace("[...]", "").split(".") if part]
    return ", ".join(f"{name}, entry {int(n[:-1]) + 1}" if n[:-1].isdecimal() else name for name, _, n in told)
