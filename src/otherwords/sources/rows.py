"""From a loose row (a JSON object, a table row) to a record: known fields checked, the rest kept in ``meta``."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from otherwords.errors import LabelError
from otherwords.labels import parse
from otherwords.records import Pair, Record

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

_TURKU_SHAPED = re.compile(r"[1-4x][<>is]+")
_AT = re.compile(r" - at `\$\.?(.*)`$")
_TEXT_FIELDS = ("id", "label", "group", "time", "source", "annotator", "pair", "doc1", "doc2")


def record_of(kind: type[R], row: dict[str, Any], default_id: str) -> R:
    """Build a record from a loose row; ValueError says in plain words what is wrong with it."""
    fields = {name: row[name] for name in kind.__struct_fields__ if row.get(name) is not None}
    if "value" in row and "value" in kind.__struct_fields__:  # a judgement may say null
        fields["value"] = row["value"]
    extra = {name: value for name, value in row.items() if name not in kind.__struct_fields__}
    if extra:
        if not isinstance(fields.get("meta", {}), dict):
            raise ValueError("meta: expected object")
        fields["meta"] = {**fields.get("meta", {}), **extra}
    fields.setdefault("id", default_id)
    for name in _TEXT_FIELDS:
        if isinstance(fields.get(name), bool | int | float):
            fields[name] = scalar(fields[name])
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as problem:
        raise ValueError(plain(problem)) from None


def scalar(value: bool | int | float) -> str:
    """A number or truth value as a label spells it: 1, 0.5, true."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(int(value)) if isinstance(value, float) and value.is_integer() else repr(value)


def plain(problem: Exception) -> str:
    """What msgspec found, as a sentence about a field."""
    message = str(problem)
    field = _AT.search(message)
    words = _AT.sub("", message).replace("`", "").replace("Object missing required field", "no field")
    words = words[:1].lower() + words[1:]
    return f"{field.group(1)}: {words}" if field and field.group(1) else words


def check_label(pair: Pair, scheme: str | None) -> None:
    """Refuse a label outside the scheme; without one, refuse what only a slip in a Turku label explains."""
    if pair.label is None:
        return
    if scheme == "turku" or (scheme is None and _TURKU_SHAPED.fullmatch(pair.label)):
        parse(pair.label)
    elif scheme == "binary" and pair.label not in ("0", "1"):
        raise LabelError(f"label {pair.label!r} is not 0 or 1")
