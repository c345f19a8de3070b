"""From a loose row (a JSON object, a table row) to a record: known fields checked, the rest kept in ``meta``.

Whatever the format, the same holds: an optional text that is empty is no text, an empty id gives way
to one made of file and line, and a label has one spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from otherwords.errors import LabelError, UsageError
from otherwords.labels import normalise
from otherwords.records import Judgement, Pair, Record
from otherwords.registry import suggest

R = TypeVar("R", bound=Record)

# How other people call the two texts.
TEXT_COLUMNS = (
    ("text1", "text2"),
    ("sentence1", "sentence2"),
    ("txt1", "txt2"),
    ("question1", "question2"),
    ("sentence_1", "sentence_2"),
    ("text_1", "text_2"),
    ("premise", "hypothesis"),
    ("a", "b"),
)

_TURKU_SHAPED = re.compile(r"\s*[1-4x][<>is]+\s*")
_AT = re.compile(r" - at `\$\.?(.*)`$")
_BYTE = re.compile(r"\(byte (\d+)\)$")
_NO_NUMBER = re.compile(rb"[\[:,]\s*(-?(?:nan|inf(?:inity)?))\s*[\]},]", re.IGNORECASE)
_NEAR = 12  # bytes around the place that the decoder names, which is in the word or at its end
_TEXT_FIELDS = ("id", "label", "group", "time", "source", "annotator", "pair", "doc1", "doc2")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class NotFinite(ValueError):
    """A number that JSON has no spelling for; it would be lost in the next file."""


def record_of(kind: type[R], row: Mapping[str, Any], default_id: str, kept: Mapping[str, Any] = _NOTHING) -> R:
    """Build a record from a loose row; ValueError says in plain words what is wrong with it.

    What is in ``kept`` goes to ``meta`` even under the name of a field.
    """
    fields = {name: row[name] for name in kind.__struct_fields__ if row.get(name) is not None}
    if "value" in row and "value" in kind.__struct_fields__:  # a judgement may say null
        fields["value"] = row["value"]
    others = {name: value for name, value in row.items() if name not in kind.__struct_fields__} | dict(kept)
    if others:
        fields["meta"] = _with_others(fields.get("meta", {}), others)
    for name in _may_be_missing(kind):
        if fields.get(name) == "":
            del fields[name]
    fields.setdefault("id", default_id)
    for name in _TEXT_FIELDS:
        if isinstance(fields.get(name), bool | int | float):
            fields[name] = scalar(fields[name])
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as problem:
        raise ValueError(plain(problem)) from None


def _with_others(meta: Any, others: dict[str, Any]) -> dict[str, Any]:
    """What ``meta`` holds stays; a field of the same name that says something else is put beside it."""
    if not isinstance(meta, dict):
        raise ValueError("meta: expected object")
    merged = dict(meta)
    for name, value in others.items():
        free = name
        while free in merged and merged[free] != value:
            free += " (field)"
        merged[free] = value
    return merged


@cache
def _may_be_missing(kind: type[Record]) -> tuple[str, ...]:
    """The fields whose empty text says nothing: the optional ones, and the id."""
    return ("id", *(field.name for field in msgspec.structs.fields(kind) if field.default is None))


def settled(record: R, default_id: str) -> R:
    """A record that was decoded as it stood, with its empty texts as :func:`record_of` has them."""
    empty = {name: None for name in _may_be_missing(type(record)) if getattr(record, name) == ""}
    if not empty:
        return record
    changed: dict[str, Any] = empty | ({"id": default_id} if "id" in empty else {})
    return msgspec.structs.replace(record, **changed)


def foreign_record(
    kind: type[R],
    row: Mapping[str, Any],
    default_id: str,
    mark: Callable[[str], None],
    loosened: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict,
) -> R:
    """A record from a row in which other people's columns may have our fields' names by chance.

    What does not fit the field is kept in ``meta`` under its name, and counted. ``loosened`` makes
    the loose row of a flat one.
    """
    try:
        return record_of(kind, loosened(row), default_id)
    except NotFinite:
        raise
    except ValueError:
        misfits = {name: value for name, value in row.items() if _is_misfit(kind, name, value, loosened)}
        if not misfits:
            raise
    fitting = {name: value for name, value in row.items() if name not in misfits}
    record = record_of(kind, loosened(fitting), default_id, misfits)
    for name in misfits:
        mark(f"{name}: not what our field {name} holds, kept in meta")
    return record


def _is_misfit(
    kind: type[Record], name: str, value: Any, loosened: Callable[[Mapping[str, Any]], Mapping[str, Any]]
) -> bool:
    """Whether a record could be built of this row but for this one value."""
    required = {field.name: "" for field in msgspec.structs.fields(kind) if field.required}
    if name in required:
        return False
    try:
        record_of(kind, {**required, **loosened({name: value})}, name)
    except NotFinite:
        raise
    except ValueError:
        return True
    return False


def scalar(value: bool | int | float) -> str:
    """A number or truth value as a label spells it: 1, 0.5, true."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(int(value)) if isinstance(value, float) and value.is_integer() else repr(value)


def plain(problem: Exception) -> str:
    """What msgspec found, as a sentence about a field."""
    message = str(problem)
    if message.startswith("Number out of range"):
        return "a number that is too large; the largest is about 1.8e308"
    field = _AT.search(message)
    words = _AT.sub("", message).replace("`", "").replace("Object missing required field", "no field")
    words = words[:1].lower() + words[1:]
    return f"{field.group(1)}: {words}" if field and field.group(1) else words


def why_not_json(problem: Exception, line: bytes) -> str:
    """Why a line of JSON was not decoded, in plain words."""
    if isinstance(problem, RecursionError):
        return "nested too deeply"
    if isinstance(problem, UnicodeDecodeError):
        return "not UTF-8; if it is another encoding, name it with --encoding"
    if not isinstance(problem, msgspec.DecodeError) or isinstance(problem, msgspec.ValidationError):
        return plain(problem)
    place = _BYTE.search(str(problem))
    near = line[max(int(place.group(1)) - _NEAR, 0) : int(place.group(1)) + _NEAR] if place else b""
    if word := _NO_NUMBER.search(near):
        return f"not JSON: {word.group(1).decode()} is no number there; write null for a missing one"
    return f"not JSON: {problem}"


def check_columns(kind: type[Record], columns: Mapping[str, str]) -> None:
    """Refuse the user's names for columns if they are for a field that the record does not have, or for two.

    A judgement is read from a task that has the two texts beside it.
    """
    known = kind.__struct_fields__ + (("text1", "text2") if kind is Judgement else ())
    for field, column in columns.items():
        if field not in known:
            raise UsageError(f"--columns {field}={column}: there is no field {field!r}{suggest(field, list(known))}")
        if others := [other for other, same in columns.items() if same == column and other != field]:
            raise UsageError(f"--columns: {column!r} is named for {field} and for {others[0]}; it can be only one")


def checked_label(pair: Pair, scheme: str | None) -> Pair:
    """The pair with its label as the scheme spells it; LabelError for one outside the scheme.

    Without a scheme, a label is looked at only if it is shaped like one of Turku with flags, so that a
    slip in such a label is found and every other label is kept as it is.
    """
    if pair.label is None:
        return pair
    spelled = _spelled(pair.label, scheme)
    return pair if spelled == pair.label else msgspec.structs.replace(pair, label=spelled)


def _spelled(label: str, scheme: str | None) -> str:
    if scheme == "turku" or (scheme is None and _TURKU_SHAPED.fullmatch(label)):
        return normalise(label)
    if scheme == "binary":
        spelled = label.removesuffix(".0")  # pandas makes floats of numbers if one of them is missing
        if spelled not in ("0", "1"):
            raise LabelError(f"label {label!r} is not 0 or 1")
        return spelled
    return label
