"""What the exports of annotation tools share: JSON rows with two texts among their fields.

The tools have one text per task, so the user has put the second into a field of their own. It is found or named as in
any table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

import msgspec

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.rows.column_names import FieldNames
from otherwords.sources.rows.records import JsonObject, build_record, scalar_text
from otherwords.sources.source import Source

TaskReader = Callable[[Source, FieldNames, int, Any], tuple[Pair, Iterable[Judgement]]]
_TEXTS = ("text1", "text2")


def read_tasks(source: Source, rows: Iterable[tuple[int, int, Any]], read_task: TaskReader) -> Iterator[Record]:
    """The pairs of tasks, or the judgements of them; rows are line, number and content of a task."""
    names = FieldNames(source)
    for line, number, row in rows:
        try:
            pair, judgements = read_task(source, names, number, row)
            records: list[Record] = [*judgements] if source.wants_judgements else [pair]
        except ValueError as problem:
            source.reject(line, str(problem), row)
            continue
        yield from records
    names.check_all_seen()


def require_texts(names: FieldNames, fields: JsonObject) -> JsonObject:
    """The fields with the two texts under our names; ValueError if one is missing."""
    renamed = dict(names.rename_texts(fields))
    if not set(_TEXTS) <= renamed.keys():
        raise ValueError(
            f"no fields for the two texts among: {', '.join(fields)}; name them with --columns text1=…,text2=…"
        )
    return renamed


def task_pair(fields: JsonObject, default_id: str, label: Any, source: Source) -> Pair:
    """The pair of a task; unknown fields go to ``meta``."""
    row = {**fields, "label": label} if label is not None else fields
    pair = build_record(Pair, row, default_id)
    return msgspec.structs.replace(pair, lang=source.lang) if source.lang and pair.lang is None else pair


def record_texts(record: Pair | Judgement) -> JsonObject:
    """The two texts; a judgement may carry them in ``meta``."""
    if isinstance(record, Pair):
        return {"text1": record.text1, "text2": record.text2}
    return {name: record.meta[name] for name in _TEXTS if name in record.meta}


def task_fields(pair: Pair) -> JsonObject:
    """A pair as the flat fields of a task; those of ``meta`` come first."""
    fields: JsonObject = msgspec.to_builtins(pair)
    meta = fields.pop("meta", {})
    return {**meta, **fields}


def number_or_text(id: str) -> int | str:
    """An id as the tools write it: as a number if it looks like one."""
    return int(id) if id.isascii() and id.isdigit() and len(id) < 16 and str(int(id)) == id else id


def id_text(id: Any) -> str | None:
    """A number or text as an id; None for anything else."""
    if isinstance(id, str):
        return id or None
    return scalar_text(id) if isinstance(id, int | float) and not isinstance(id, bool) else None


def unwrap_single(answers: list[Any]) -> Any:
    """The only answer; the list if there are several; None if there are none."""
    return answers[0] if len(answers) == 1 else answers or None


def write_json_lines(rows: Iterable[JsonObject], stream: BinaryIO) -> None:
    """Write rows as JSON Lines."""
    for row in rows:
        stream.write(msgspec.json.encode(row) + b"\n")
