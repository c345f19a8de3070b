"""Label Studio's JSON export: a list of tasks, each with its data and the annotations people made.

A pair is labelled if its annotations agree on one answer; a judgement is one annotation. What the
export says beyond our fields is kept, so that the same tasks can be written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, BinaryIO

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.json_stream import elements, first_element
from otherwords.sources.json_writing import write_list
from otherwords.sources.naming import Naming
from otherwords.sources.source import Source
from otherwords.sources.tasks import number_or_text, own_fields, pair_of, single, text_of, texts_of, with_texts

_ANNOTATIONS = ("annotations", "completions")  # the second until version 1.0
_PAYLOADS = ("choices", "labels", "taxonomy", "rating", "number", "text")


def read(source: Source) -> Iterator[Record]:
    """Pairs, or one judgement an annotation."""
    naming = Naming(source)
    for number, (line, task) in enumerate(elements(source), 1):
        try:
            if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
                raise ValueError("a task is an object with data")
            pair, annotations = _task(task, f"{source.stem}:{number}", naming, source)
            judgements = list(_judgements(pair, annotations, task, source)) if source.wants_judgements else []
        except ValueError as problem:
            source.reject(line, str(problem), task)
            continue
        if source.wants_judgements:
            yield from judgements
        else:
            yield pair
    naming.check()


def _task(task: dict[str, Any], default_id: str, naming: Naming, source: Source) -> tuple[Pair, list[dict[str, Any]]]:
    given: Any = next((task[name] for name in _ANNOTATIONS if task.get(name)), [])
    if not isinstance(given, list) or not all(isinstance(annotation, dict) for annotation in given):
        raise ValueError("annotations: a list of objects is expected")
    fields = with_texts(naming, task["data"])
    answers = [_answer(annotation) for annotation in given if not annotation.get("was_cancelled")]
    label = answers[0] if answers and all(answer == answers[0] for answer in answers) else None
    if answers:
        fields = {name: value for name, value in fields.items() if name != "label"}
    others = {name: value for name, value in task.items() if name != "data"}
    own = {**fields, "task": others} if others else fields
    id = text_of(task.get("id")) or default_id
    return pair_of(own, id, label if isinstance(label, str | int | float) else None, source), given


def _answer(annotation: dict[str, Any]) -> Any:
    """What an annotation says: the one choice, or every answer by the name of its question."""
    results = annotation.get("result") or []
    if not isinstance(results, list) or not all(isinstance(result, dict) for result in results):
        raise ValueError("result: a list of objects is expected")
    answers: dict[str, list[Any]] = {}
    for result in results:
        answers.setdefault(str(result.get("from_name", "")), []).append(_payload(result))
    single_answers = {name: single(given) for name, given in answers.items()}
    return next(iter(single_answers.values())) if len(single_answers) == 1 else single_answers or None


def _payload(result: dict[str, Any]) -> Any:
    value = result.get("value")
    if not isinstance(value, dict) or "start" in value:  # a span is more than its label
        return value
    name = next((name for name in _PAYLOADS if name in value), None)
    given = value[name] if name else value
    return single(given) if isinstance(given, list) else given


def _judgements(
    pair: Pair, annotations: list[dict[str, Any]], task: dict[str, Any], source: Source
) -> Iterator[Judgement]:
    others = {name: value for name, value in task.items() if name not in ("data", *_ANNOTATIONS)}
    for number, annotation in enumerate(annotations, 1):
        cancelled = bool(annotation.get("was_cancelled"))
        if cancelled:
            source.mark("cancelled by the annotator")
        seconds, time = annotation.get("lead_time"), annotation.get("created_at")
        yield Judgement(
            id=f"{pair.id}:{text_of(annotation.get('id')) or number}",
            pair=pair.id,
            value=None if cancelled else _answer(annotation),
            annotator=_annotator(annotation.get("completed_by")),
            purpose="gold" if annotation.get("ground_truth") is True else "production",
            seconds=float(seconds) if isinstance(seconds, int | float) else None,
            time=time if isinstance(time, str) else None,
            meta={**texts_of(pair), "data": task["data"], "task": others, "annotation": annotation},
        )


def _annotator(completed_by: Any) -> str | None:
    """A person's number rather than their address, where the export has both."""
    if isinstance(completed_by, dict):
        completed_by = next((completed_by[name] for name in ("id", "username", "email") if name in completed_by), None)
    return text_of(completed_by)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """One task a pair; judgements of one pair that follow each other go into one task."""
    write_list(_tasks(records), stream)


def _tasks(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    known = (record for record in records if isinstance(record, Pair | Judgement))
    for id, group in groupby(known, lambda record: record.id if isinstance(record, Pair) else record.pair):
        members = list(group)
        first = members[0]
        if isinstance(first, Pair):
            data = own_fields(first)
            task = data.pop("task", None) or {}
            if first.label is not None and not any(task.get(name) for name in _ANNOTATIONS):
                task = {**task, "annotations": [_annotation(first.label, None)]}
            data.pop("label", None)
            yield {"id": number_or_text(id), **task, "data": data}
        else:
            data = first.meta.get("data") or {"id": id, **texts_of(first)}
            answers = [_written(record) for record in members if isinstance(record, Judgement)]
            yield {"id": number_or_text(id), **(first.meta.get("task") or {}), "data": data, "annotations": answers}


def _written(judgement: Judgement) -> dict[str, Any]:
    given = judgement.meta.get("annotation")
    return given if isinstance(given, dict) else _annotation(judgement.value, judgement)


def _annotation(value: Any, judgement: Judgement | None) -> dict[str, Any]:
    choices = [str(answer) for answer in (value if isinstance(value, list) else [value])]
    result = {"from_name": "label", "to_name": "text1", "type": "choices", "value": {"choices": choices}}
    annotation: dict[str, Any] = {"result": [] if value is None else [result], "was_cancelled": value is None}
    if judgement is not None:
        annotation["ground_truth"] = judgement.purpose == "gold"
        given = {"created_at": judgement.time, "lead_time": judgement.seconds, "completed_by": judgement.annotator}
        annotation |= {name: value for name, value in given.items() if value is not None}
    return annotation


def sniff(head: Head) -> bool:
    first = first_element(head)
    return isinstance(first, dict) and isinstance(first.get("data"), dict) and any(n in first for n in _ANNOTATIONS)


FORMAT = Format(
    name="labelstudio",
    title="Label Studio (JSON export)",
    read=read,
    write=write,
    sniff=sniff,
    suffix=".json",
    nouns=(Pair, Judgement),
)
