"""Read a scheme from a TOML file, most likely written by hand, and say what is wrong with it in words.

A file with one question has its values at the top; one with several has them under ``[[questions]]``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from otherwords.annotate.schemes.checks import check
from otherwords.annotate.schemes.question import Flag, Question, Value
from otherwords.annotate.schemes.scheme import Projection, RewriteRule, Scheme, View
from otherwords.errors import DataError, LabelError
from otherwords.registry import suggest
from otherwords.sources.io.toml import parse_toml

QUESTION_SETTINGS = ("values", "flags", "several", "counted", "kind", "types")
_TABLES = {"values": Value, "flags": Flag, "questions": Question, "rewrite": RewriteRule, "projections": Projection,
           "views": View}  # fmt: skip
_UNKNOWN = re.compile(r"Object contains unknown field `(.*?)`")
_MISSING = re.compile(r"Object missing required field `(.*?)`")
_PATH = re.compile(r" - at `\$\.?(.*)`$")


def read_scheme(path: Path) -> Scheme:
    """Read and check the scheme of a file."""
    try:
        scheme = parse_scheme(parse_toml(path.read_text(encoding="utf-8-sig")))
    except UnicodeDecodeError:
        raise DataError("not a scheme: it is not UTF-8; save it as UTF-8", path, code="not-utf8") from None
    except LabelError as problem:
        raise DataError(f"not a scheme: {problem}", path, code=problem.code) from None
    except ValueError as problem:
        raise DataError(f"not a scheme: {problem}", path, code="not-toml") from None
    if scheme.name != path.stem:
        advice = f"call the file {scheme.name}.toml, or the scheme {path.stem}"
        raise DataError(f"its name is {scheme.name!r}: {advice}", path, code="scheme-file-name")
    return scheme


def parse_scheme(table: dict[str, Any]) -> Scheme:
    """The scheme that a TOML table describes, checked."""
    single = "questions" not in table
    if single:
        question = {name: table[name] for name in QUESTION_SETTINGS if name in table}
        table = {name: value for name, value in table.items() if name not in question} | {"questions": [question]}
    elif misplaced := [name for name in QUESTION_SETTINGS if name in table]:
        message = f"{misplaced[0]!r} is at the top, but there are questions: put it under one of them"
        raise LabelError(message, code="misplaced-setting")
    try:
        scheme = msgspec.convert(table, Scheme)
    except msgspec.ValidationError as problem:
        message = str(problem)
        if single:  # the author wrote no questions table
            message = message.replace("$.questions[0]", "$")
        raise _explained(message) from None
    check(scheme)
    return scheme


def _explained(message: str) -> LabelError:
    """A validation message of msgspec for people who write files by hand: which table, what is wrong, what to do."""
    match = _PATH.search(message)
    path = match[1] if match else ""
    problem, code = _PATH.sub("", message), "bad-setting"
    if unknown := _UNKNOWN.search(problem):
        table = next((part for part in reversed(re.findall(r"[a-z_]+", path)) if part in _TABLES), None)
        known = _TABLES[table].__struct_fields__ if table else (*Scheme.__struct_fields__, *QUESTION_SETTINGS)
        problem, code = f"unknown setting {unknown[1]!r}{suggest(unknown[1], list(known))}", "unknown-setting"
    elif missing := _MISSING.search(problem):
        problem, code = f"{missing[1]} is missing", "missing-setting"
    else:
        problem = problem.replace("`str`", "text in quotes").replace("`", "")
    parts = [part.partition("[") for part in path.replace("[...]", "").split(".") if part]  # as values[2].key
    place = ", ".join(f"{name}, entry {int(n[:-1]) + 1}" if n[:-1].isdecimal() else name for name, _, n in parts)
    return LabelError(f"{place}: {problem}" if place else problem, code=code)
