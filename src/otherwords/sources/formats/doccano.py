"""doccano's JSON Lines export: one task per row with its labels; the two texts are in fields beside ``text``.

A project in which people annotate separately is exported as one file per person, named after them. So the file name is
the annotator if a row does not name one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.rows.column_names import FieldNames
from otherwords.sources.rows.json_objects import json_line_objects
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.rows.tasks import (
    id_text,
    number_or_text,
    read_tasks,
    record_texts,
    require_texts,
    task_fields,
    task_pair,
    unwrap_single,
    write_json_lines,
)
from otherwords.sources.source import Source

LABELS = ("label", "labels", "cats")
ANNOTATOR_FIELDS = ("username", "annotator", "user")
SHARED_FILE_NAMES = frozenset({"all", "unknown", "stdin"})


def read(source: Source) -> Iterator[Record]:
    """Pairs, or the judgements on them."""
    return read_tasks(source, ((line, line, row) for line, row in json_line_objects(source)), _read_task)


def _read_task(source: Source, names: FieldNames, number: int, row: JsonObject) -> tuple[Pair, Iterator[Judgement]]:
    """The pair of a row, whose fields may also be in its ``meta``, and the judgements on it."""
    nested = row.get("meta")
    fields = {**(nested if isinstance(nested, dict) else {}), **{k: v for k, v in row.items() if k != "meta"}}
    name = next((name for name in LABELS if name in row), None)
    found = fields.pop(name, None) if name else None
    answers: list[Any] = found if isinstance(found, list) else [] if found is None else [found]
    fields = require_texts(names, fields)
    label = answers[0] if len(answers) == 1 and isinstance(answers[0], str | int | float) else None
    labels = {"labels": answers} if answers and label is None else {}
    if len(answers) > 1:
        source.mark("several labels; no label")
    pair = task_pair({**fields, **labels}, f"{source.stem}:{number}", label, source)
    return pair, _judgements(pair, fields, answers, source)


def _judgements(pair: Pair, fields: JsonObject, answers: list[Any], source: Source) -> Iterator[Judgement]:
    """One judgement per row, or one per annotation in exports that name the annotators."""
    meta = {name: value for name, value in fields.items() if name not in ("id", "annotations", *ANNOTATOR_FIELDS)}
    annotations = fields.get("annotations")
    if isinstance(annotations, list) and annotations and all(isinstance(a, dict) and "label" in a for a in annotations):
        for number, annotation in enumerate(annotations, 1):
            annotator = id_text(annotation.get("user"))
            id = f"{pair.id}:{annotator or number}"
            yield Judgement(id=id, pair=pair.id, value=annotation["label"], annotator=annotator, meta=meta)
        return
    if not answers:
        return
    annotator = next((id_text(fields[name]) for name in ANNOTATOR_FIELDS if name in fields), None)
    if annotator is None and source.stem not in SHARED_FILE_NAMES:
        annotator = source.stem
    id = f"{pair.id}:{annotator or source.stem}"
    yield Judgement(id=id, pair=pair.id, value=unwrap_single(answers), annotator=annotator, meta=meta)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write one row per record, with ``text`` for the tool to show and the two texts beside it."""
    write_json_lines((_row(record) for record in records if isinstance(record, Pair | Judgement)), stream)


def _row(record: Pair | Judgement) -> JsonObject:
    texts = record_texts(record)
    shown = {"text": "\n".join(str(text) for text in texts.values())}
    if isinstance(record, Pair):
        fields = task_fields(record)
        labels = fields.pop("labels", None)
        label = fields.pop("label", None)
        return {**shown, **fields, "id": number_or_text(record.id), "label": labels or ([label] if label else [])}
    answers = record.value if isinstance(record.value, list) else [] if record.value is None else [record.value]
    user = {"username": record.annotator} if record.annotator is not None else {}
    return {**shown, **record.meta, "id": number_or_text(record.pair), "label": answers, **user}


def sniff(head: Head) -> bool:
    """A text and a list of labels, and two texts beside them or under ``meta``."""
    row = head.row
    if "_input_hash" in row or not isinstance(row.get("text"), str):
        return False
    nested = row.get("meta") if isinstance(row.get("meta"), dict) else {}
    labelled = any(isinstance(row.get(name), list) for name in LABELS) or isinstance(row.get("annotations"), list)
    return labelled and {"text1", "text2"} <= row.keys() | (nested or {}).keys()


FORMAT = Format("doccano", "doccano (JSON Lines export)", read, write, sniff, suffix=".jsonl", nouns=(Pair, Judgement))
