"""What the exports of annotation tools have in common: rows of JSON with two texts among their fields.

The tools know one text a task, so the second lies in a field of the user's naming; it is found or
named as in any table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import msgspec

from otherwords.records import Judgement, Pair
from otherwords.sources.naming import Naming
from otherwords.sources.rows import record_of, scalar, why_not_json
from otherwords.sources.source import Source

_FROM_JUDGEMENT = ("text1", "text2")


def json_rows(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file; what is none is rejected."""
    decode = msgspec.json.Decoder().decode
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            row = decode(line)
            if not isinstance(row, dict):
                raise ValueError("a JSON object is expected")
        except (ValueError, RecursionError) as problem:
            source.reject(number, why_not_json(problem, line.encode()), line)
            continue
        yield number, row


def with_texts(naming: Naming, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields with the two texts under our names; ValueError if they are not among them."""
    named = dict(naming.texts(fields))
    if not {"text1", "text2"} <= named.keys():
        raise ValueError(
            f"no fields for the two texts among: {', '.join(fields)}; name them with --columns text1=…,text2=…"
        )
    return named


def pair_of(fields: dict[str, Any], default_id: str, label: Any, source: Source) -> Pair:
    """The pair of a task; a field that we know no name for goes to ``meta``."""
    given = {**fields, "label": label} if label is not None else fields
    pair = record_of(Pair, given, default_id)
    return msgspec.structs.replace(pair, lang=source.lang) if source.lang and pair.lang is None else pair


def texts_of(record: Pair | Judgement) -> dict[str, Any]:
    """The two texts, which a judgement carries in ``meta`` where they are known."""
    if isinstance(record, Pair):
        return {"text1": record.text1, "text2": record.text2}
    return {name: record.meta[name] for name in _FROM_JUDGEMENT if name in record.meta}


def own_fields(pair: Pair) -> dict[str, Any]:
    """A pair as the flat fields of a task: its own, then what ``meta`` holds."""
    fields: dict[str, Any] = msgspec.to_builtins(pair)
    meta = fields.pop("meta", {})
    return {**meta, **fields}


def number_or_text(id: str) -> int | str:
    """An id as the tools write it: a number where it is one."""
    return int(id) if id.isascii() and id.isdigit() and len(id) < 16 and str(int(id)) == id else id


def text_of(id: Any) -> str | None:
    """A number or text as an id; None for anything else."""
    if isinstance(id, str):
        return id or None
    return scalar(id) if isinstance(id, int | float) and not isinstance(id, bool) else None


def single(answers: list[Any]) -> Any:
    """One answer as itself, several as the list, none as None."""
    return answers[0] if len(answers) == 1 else answers or None


def write_lines(rows: Iterable[dict[str, Any]], stream: BinaryIO) -> None:
    """JSON Lines."""
    for row in rows:
        stream.write(msgspec.json.encode(row) + b"\n")
