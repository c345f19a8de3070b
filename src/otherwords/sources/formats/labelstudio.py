"""Label Studio's JSON export: a list of tasks, each with its data and annotations.

A pair has a label if its annotations agree on one answer; a judgement is one annotation. All other fields of the export
are kept, so that the same tasks can be written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, BinaryIO

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.json_stream import elements, first_element, write_list
from otherwords.sources.rows.column_names import FieldNames
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
)
from otherwords.sources.source import Source

_ANNOTATIONS = ("annotations", "completions")  # the second name until version 1.0
_PAYLOADS = ("choices", "labels", "taxonomy", "rating", "number", "text")


def read(source: Source) -> Iterator[Record]:
    """Pairs, or one judgement per annotation."""
    rows = ((line, number, task) for number, (line, task) in enumerate(elements(source), 1))
    return read_tasks(source, rows, _read_task)


def _read_task(source: Source, names: FieldNames, number: int, task: Any) -> tuple[Pair, Iterator[Judgement]]:
    if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
        raise ValueError("a task is expected: a JSON object with an object data")
    annotations: Any = next((task[name] for name in _ANNOTATIONS if task.get(name)), [])
    if not isinstance(annotations, list) or not all(isinstance(annotation, dict) for annotation in annotations):
        raise ValueError("annotations: a list of objects is expected")
    fields = require_texts(names, task["data"])
    answers = [_answer(annotation) for annotation in annotations if not annotation.get("was_cancelled")]
    label = answers[0] if answers and all(answer == answers[0] for answer in answers) else None
    if answers:
        fields = {name: value for name, value in fields.items() if name != "label"}
    others = {name: value for name, value in task.items() if name != "data"}
    if others:
        fields = {**fields, "task": others}
    id = id_text(task.get("id")) or f"{source.stem}:{number}"
    pair = task_pair(fields, id, label if isinstance(label, str | int | float) else None, source)
    return pair, _judgements(pair, annotations, task, source)


def _answer(annotation: JsonObject) -> Any:
    """The only answer of an annotation, or all answers by the names of their questions."""
    results = annotation.get("result") or []
    if not isinstance(results, list) or not all(isinstance(result, dict) for result in results):
        raise ValueError("result: a list of objects is expected")
    answers: dict[str, list[Any]] = {}
    for result in results:
        payload = result.get("value")
        if isinstance(payload, dict) and "start" not in payload:  # a span is more than its label
            name = next((name for name in _PAYLOADS if name in payload), None)
            payload = payload[name] if name else payload
            payload = unwrap_single(payload) if isinstance(payload, list) else payload
        answers.setdefault(str(result.get("from_name", "")), []).append(payload)
    single_answers = {name: unwrap_single(payloads) for name, payloads in answers.items()}
    return next(iter(single_answers.values())) if len(single_answers) == 1 else single_answers or None


def _judgements(pair: Pair, annotations: list[JsonObject], task: JsonObject, source: Source) -> Iterator[Judgement]:
    others = {name: value for name, value in task.items() if name not in ("data", *_ANNOTATIONS)}
    for number, annotation in enumerate(annotations, 1):
        cancelled = bool(annotation.get("was_cancelled"))
        if cancelled:
            source.mark("cancelled by the annotator")
        seconds, time, person = (annotation.get(name) for name in ("lead_time", "created_at", "completed_by"))
        if isinstance(person, dict):  # the number of a person rather than their e-mail address, if both are there
            person = next((person[name] for name in ("id", "username", "email") if name in person), None)
        yield Judgement(
            id=f"{pair.id}:{id_text(annotation.get('id')) or number}",
            pair=pair.id,
            value=None if cancelled else _answer(annotation),
            annotator=id_text(person),
            purpose="gold" if annotation.get("ground_truth") is True else "production",
            seconds=float(seconds) if isinstance(seconds, int | float) else None,
            time=time if isinstance(time, str) else None,
            meta={**record_texts(pair), "data": task["data"], "task": others, "annotation": annotation},
        )


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write one task per pair; adjacent judgements of one pair go into one task."""
    write_list(_tasks(records), stream)


def _tasks(records: Iterable[Record]) -> Iterator[JsonObject]:
    tasks = (record for record in records if isinstance(record, Pair | Judgement))
    for id, group in groupby(tasks, lambda record: record.id if isinstance(record, Pair) else record.pair):
        members = list(group)
        first = members[0]
        if isinstance(first, Pair):
            data = task_fields(first)
            task = data.pop("task", None) or {}
            if first.label is not None and not any(task.get(name) for name in _ANNOTATIONS):
                task = {**task, "annotations": [_annotation(first.label, None)]}
            data.pop("label", None)
            yield {"id": number_or_text(id), **task, "data": data}
        else:
            data = first.meta.get("data") or {"id": id, **record_texts(first)}
            answers = [_annotation(record.value, record) for record in members if isinstance(record, Judgement)]
            yield {"id": number_or_text(id), **(first.meta.get("task") or {}), "data": data, "annotations": answers}


def _annotation(value: Any, judgement: Judgement | None) -> JsonObject:
    """The annotation that a judgement was read from, else one with this value."""
    if judgement is not None and isinstance(annotation := judgement.meta.get("annotation"), dict):
        return annotation
    choices = [str(answer) for answer in (value if isinstance(value, list) else [value])]
    result = {"from_name": "label", "to_name": "text1", "type": "choices", "value": {"choices": choices}}
    annotation = {"result": [] if value is None else [result], "was_cancelled": value is None}
    if judgement is not None:
        annotation["ground_truth"] = judgement.purpose == "gold"
        fields = {"created_at": judgement.time, "lead_time": judgement.seconds, "completed_by": judgement.annotator}
        annotation |= {name: value for name, value in fields.items() if value is not None}
    return annotation


def sniff(head: Head) -> bool:
    first = first_element(head)
    return isinstance(first, dict) and isinstance(first.get("data"), dict) and any(n in first for n in _ANNOTATIONS)


FORMAT = Format(
    "labelstudio", "Label Studio (JSON export)", read, write, sniff, suffix=".json", nouns=(Pair, Judgement)
)
