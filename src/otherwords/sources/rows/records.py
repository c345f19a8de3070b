"""Build records from loose rows (JSON objects, table rows): known fields are checked, the rest goes to ``meta``.

The same rules hold for all formats: an empty optional text is missing, an empty id is replaced by one made of file and
line, and a label has one spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from otherwords.errors import LabelError, UsageError
from otherwords.labels import parse_label
from otherwords.records import Judgement, Pair, Record
from otherwords.registry import suggest

R = TypeVar("R", bound=Record)
JsonObject = dict[str, Any]
LooseRow = Mapping[str, Any]

# Usual names of the two text columns.
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
_AT_FIELD = re.compile(r" - at `\$\.?(.*)`$")
_BYTE = re.compile(r"\(byte (\d+)\)$")
_NOT_A_NUMBER = re.compile(rb"[\[:,]\s*(-?(?:nan|inf(?:inity)?))\s*[\]},]", re.IGNORECASE)
_CONTEXT = 12  # bytes around the place that the decoder names, which is in the word or at its end
_TEXT_FIELDS = ("id", "label", "group", "time", "source", "annotator", "pair", "doc1", "doc2")
_NO_FIELDS: LooseRow = MappingProxyType({})


class NotFinite(ValueError):
    """A number that JSON cannot represent and that would be lost in the next file."""


def build_record(kind: type[R], row: LooseRow, default_id: str, misfits: LooseRow = _NO_FIELDS) -> R:
    """Build a record from a loose row; ValueError says what is wrong with it.

    ``misfits`` go to ``meta`` even if they have the name of a field.
    """
    fields = {name: row[name] for name in kind.__struct_fields__ if row.get(name) is not None}
    if "value" in row and "value" in kind.__struct_fields__:  # the value of a judgement may be null
        fields["value"] = row["value"]
    others = {name: value for name, value in row.items() if name not in kind.__struct_fields__} | dict(misfits)
    if others:
        fields["meta"] = _merge_meta(fields.get("meta", {}), others)
    for name in _optional_fields(kind):
        if fields.get(name) == "":
            del fields[name]
    fields.setdefault("id", default_id)
    for name in _TEXT_FIELDS:
        if isinstance(fields.get(name), bool | int | float):
            fields[name] = scalar_text(fields[name])
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as problem:
        raise ValueError(explain(problem)) from None


def _merge_meta(meta: Any, others: JsonObject) -> JsonObject:
    """Add fields to ``meta``; one whose name is taken by another value gets a new name."""
    if not isinstance(meta, dict):
        raise ValueError("meta: a JSON object is expected")
    merged = dict(meta)
    for name, value in others.items():
        while name in merged and merged[name] != value:
            name += " (field)"
        merged[name] = value
    return merged


@cache
def _optional_fields(kind: type[Record]) -> tuple[str, ...]:
    """The fields whose empty text counts as missing: the optional ones, and the id."""
    return ("id", *(field.name for field in msgspec.structs.fields(kind) if field.default is None))


def drop_empty_fields(record: R, default_id: str) -> R:
    """A decoded record with its empty texts treated as in :func:`build_record`."""
    empty = {name: None for name in _optional_fields(type(record)) if getattr(record, name) == ""}
    if not empty:
        return record
    changes: JsonObject = empty | ({"id": default_id} if "id" in empty else {})
    return msgspec.structs.replace(record, **changes)


def build_foreign_record(
    kind: type[R],
    row: LooseRow,
    default_id: str,
    mark: Callable[[str], None],
    unflatten: Callable[[LooseRow], LooseRow] = dict,
) -> R:
    """Build a record from a row whose columns may have the names of our fields by chance.

    Values that do not fit their field are kept in ``meta`` under its name, and counted. ``unflatten`` makes a loose
    row of a flat one.
    """
    try:
        return build_record(kind, unflatten(row), default_id)
    except NotFinite:
        raise
    except ValueError:
        misfits = {name: value for name, value in row.items() if _is_misfit(kind, name, value, unflatten)}
        if not misfits:
            raise
    fitting = {name: value for name, value in row.items() if name not in misfits}
    record = build_record(kind, unflatten(fitting), default_id, misfits)
    for name in misfits:
        mark(f"{name}: not what our field {name} holds, kept in meta")
    return record


def _is_misfit(kind: type[Record], name: str, value: Any, unflatten: Callable[[LooseRow], LooseRow]) -> bool:
    """Whether this value does not fit the field of that name."""
    required = {field.name: "" for field in msgspec.structs.fields(kind) if field.required}
    if name in required:
        return False
    try:
        build_record(kind, {**required, **unflatten({name: value})}, name)
    except NotFinite:
        raise
    except ValueError:
        return True
    return False


def scalar_text(value: bool | int | float) -> str:
    """A number or boolean as a label spells it: 1, 0.5, true."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(int(value)) if isinstance(value, float) and value.is_integer() else repr(value)


def explain(problem: Exception) -> str:
    """An error of msgspec as a message about a field."""
    message = str(problem)
    if message.startswith("Number out of range"):
        return "a number is too large; the largest possible is about 1.8e308"
    field = _AT_FIELD.search(message)
    words = _AT_FIELD.sub("", message).replace("`", "").replace("Object missing required field", "no field")
    words = words[:1].lower() + words[1:]
    return f"{field.group(1)}: {words}" if field and field.group(1) else words


def explain_json_error(problem: Exception, line: bytes) -> str:
    """Why a line of JSON could not be decoded."""
    if isinstance(problem, RecursionError):
        return "nested too deeply"
    if isinstance(problem, UnicodeDecodeError):
        return "not UTF-8; if it is another encoding, name it with --encoding"
    if not isinstance(problem, msgspec.DecodeError) or isinstance(problem, msgspec.ValidationError):
        return explain(problem)
    place = _BYTE.search(str(problem))
    near = line[max(int(place.group(1)) - _CONTEXT, 0) : int(place.group(1)) + _CONTEXT] if place else b""
    if word := _NOT_A_NUMBER.search(near):
        return f"not JSON: {word.group(1).decode()} is not a JSON number; write null for a missing one"
    return f"not JSON: {problem}"


def check_columns(kind: type[Record], columns: Mapping[str, str]) -> None:
    """Check the fields for which the user named columns: each must exist, and no column may be named for two.

    Judgements may be read from tasks that also hold the two texts.
    """
    known = kind.__struct_fields__ + (("text1", "text2") if kind is Judgement else ())
    for field, column in columns.items():
        if field not in known:
            raise UsageError(
                f"--columns {field}={column}: there is no field {field!r}{suggest(field, list(known))}",
                code="no-such-field",
            )
        if others := [other for other, same in columns.items() if same == column and other != field]:
            raise UsageError(
                f"--columns: the column {column!r} is named for both {field} and {others[0]}; name it for one",
                code="column-named-twice",
            )


def with_normal_label(pair: Pair, scheme: str | None) -> Pair:
    """The pair with its label as the scheme spells it; LabelError for a label outside the scheme.

    Without a scheme, only labels that look like Turku labels with flags are checked, so that typing errors in these are
    found and all other labels are kept as they are.
    """
    if pair.label is None:
        return pair
    label = normal_label(pair.label, scheme)
    return pair if label == pair.label else msgspec.structs.replace(pair, label=label)


def normal_label(label: str, scheme: str | None) -> str:
    """A label as its scheme spells it; LabelError for one outside the scheme."""
    if scheme == "turku" or (scheme is None and _TURKU_SHAPED.fullmatch(label)):
        return str(parse_label(label))
    if scheme == "binary":
        digit = label.removesuffix(".0")  # pandas turns whole numbers into floats if one is missing
        if digit not in ("0", "1"):
            raise LabelError(f"label {label!r} is not 0 or 1", code="bad-label")
        return digit
    return label


SCHEME = "vila"
NOT_PARAPHRASE = "0"  # as a label
NOT_ASKED = "types"  # the key in ``meta`` of types that a corpus lists for a pair that is no paraphrase


def as_answer(judgement: Judgement) -> Judgement:
    """The judgement with an answer to each question of its scheme; what is not asked then is kept in ``meta``."""
    if judgement.scheme != SCHEME or not isinstance(judgement.value, list):
        return judgement
    if judgement.meta.get("label") != NOT_PARAPHRASE:
        return msgspec.structs.replace(judgement, value={"paraphrase": "yes", "types": judgement.value})
    meta = judgement.meta | ({NOT_ASKED: judgement.value} if judgement.value else {})
    return msgspec.structs.replace(judgement, value={"paraphrase": "no"}, meta=meta)
