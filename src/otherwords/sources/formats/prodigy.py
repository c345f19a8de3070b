"""Prodigy's JSON Lines export (``db-out``): one answer per row; tasks are identified by their hashes.

Several people may have answered one task. As a pair it is read once, with the first answer, and further answers are
counted. Every answer is a judgement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.rows.column_names import FieldNames
from otherwords.sources.rows.json_objects import json_line_objects
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.rows.tasks import (
    id_text,
    read_tasks,
    record_texts,
    require_texts,
    task_fields,
    task_pair,
    unwrap_single,
    write_json_lines,
)
from otherwords.sources.source import Source

ANSWERS = ("accept", "reject", "ignore")
ANNOTATOR_FIELDS = ("_annotator_id", "_session_id")


def read(source: Source) -> Iterator[Record]:
    """Pairs, or one judgement per answer."""
    seen: set[str] = set()
    for record in read_tasks(source, ((line, line, row) for line, row in json_line_objects(source)), _read_task):
        if isinstance(record, Pair):
            if record.id in seen:
                source.mark("another answer to a pair already read")
                continue
            seen.add(record.id)
        yield record


def _read_task(source: Source, names: FieldNames, number: int, row: JsonObject) -> tuple[Pair, Iterator[Judgement]]:
    answer = row.get("answer")
    if answer is not None and answer not in ANSWERS:
        raise ValueError(f"answer: one of {', '.join(ANSWERS)} is expected, found {answer!r}")
    fields = require_texts(names, row)
    question = fields.pop("label", None)
    if question is not None:
        fields["question"] = question
    value = _value(row)
    label = value if isinstance(value, str | int) and not isinstance(value, bool) else None
    id = id_text(row.get("_input_hash")) or f"{source.stem}:{number}"
    pair = task_pair(fields, id, label, source)
    return pair, _judgements(pair, row, number, source)


def _value(row: JsonObject) -> Any:
    """The chosen options; without options, yes or no to the label that was shown; None for no answer."""
    answer, chosen = row.get("answer", "accept"), row.get("accept")
    if isinstance(chosen, list):
        return unwrap_single(chosen) if answer == "accept" else None
    return {"accept": True, "reject": False}.get(answer)


def _judgements(pair: Pair, row: JsonObject, number: int, source: Source) -> Iterator[Judgement]:
    if row.get("answer") == "ignore":
        source.mark("ignored by the annotator")
    annotator = next((id_text(row[name]) for name in ANNOTATOR_FIELDS if row.get(name) is not None), None)
    question, stamp = row.get("label"), row.get("_timestamp")
    try:
        has_time = isinstance(stamp, int | float) and not isinstance(stamp, bool)
        time = datetime.fromtimestamp(float(stamp or 0), UTC).isoformat() if has_time else None
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"_timestamp: a time in seconds is expected, found {stamp!r}") from None
    yield Judgement(
        id=f"{pair.id}:{annotator or number}:{id_text(row.get('_task_hash')) or number}",
        pair=pair.id,
        value=_value(row),
        annotator=annotator,
        scheme=question if isinstance(question, str) else None,
        batch=id_text(row.get("dataset")),
        time=time,
        meta={**record_texts(pair), "row": row},
    )


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write one row per record, as ``db-in`` takes it."""
    write_json_lines((_row(record) for record in records if isinstance(record, Pair | Judgement)), stream)


def _row(record: Pair | Judgement) -> JsonObject:
    if isinstance(record, Judgement):
        row = record.meta.get("row")
        return row if isinstance(row, dict) else _answer_row(record.pair, record_texts(record), record.value, record)
    fields = task_fields(record)
    label, question = fields.pop("label", None), fields.pop("question", None)
    if "_input_hash" in fields:
        return {**fields, **({"label": question} if question is not None else {})}
    return {**fields, **_answer_row(record.id, record_texts(record), label, None)}


def _answer_row(id: str, texts: JsonObject, value: Any, judgement: Judgement | None) -> JsonObject:
    row: JsonObject = {"id": id, **texts}
    if isinstance(value, bool):
        row["answer"] = "accept" if value else "reject"
    else:
        row |= {"accept": value if isinstance(value, list) else [] if value is None else [value]}
        row["answer"] = "ignore" if value is None else "accept"
    if judgement is not None and judgement.annotator is not None:
        row["_annotator_id"] = judgement.annotator
    return row


def sniff(head: Head) -> bool:
    return "_input_hash" in head.row and "_task_hash" in head.row


FORMAT = Format(
    "prodigy", "Prodigy (JSON Lines of db-out)", read, write, sniff, suffix=".jsonl", nouns=(Pair, Judgement)
)
