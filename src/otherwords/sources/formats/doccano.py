"""doccano's JSON Lines export: a row a task, with its labels; the two texts lie in fields beside ``text``.

A project in which everyone annotates alone is exported as one file a person, named after them, so
that the name of the file is the annotator where the row does not say who it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.naming import Naming
from otherwords.sources.source import Source
from otherwords.sources.tasks import (
    json_rows,
    number_or_text,
    own_fields,
    pair_of,
    single,
    text_of,
    texts_of,
    with_texts,
    write_lines,
)

LABELS = ("label", "labels", "cats")
WHO = ("username", "annotator", "user")
EVERYBODY = frozenset({"all", "unknown", "stdin"})


def read(source: Source) -> Iterator[Record]:
    """Pairs, or the judgements on them."""
    naming = Naming(source)
    for number, row in json_rows(source):
        try:
            fields = _fields(row, naming)
            answers = fields.pop("answers")
            pair = _pair(fields, answers, f"{source.stem}:{number}", source)
            judgements = list(_judgements(pair, fields, answers, source)) if source.wants_judgements else []
        except ValueError as problem:
            source.reject(number, str(problem), row)
            continue
        if source.wants_judgements:
            yield from judgements
        else:
            yield pair
    naming.check()


def _fields(row: dict[str, Any], naming: Naming) -> dict[str, Any]:
    """The fields of a row, those of its ``meta`` among them, and its labels as ``answers``."""
    nested = row.get("meta")
    fields = {**(nested if isinstance(nested, dict) else {}), **{k: v for k, v in row.items() if k != "meta"}}
    name = next((name for name in LABELS if name in row), None)
    answers = fields.pop(name, None) if name else None
    fields = with_texts(naming, fields)
    if answers is not None and not isinstance(answers, list):
        answers = [answers]
    return {**fields, "answers": answers or []}


def _pair(fields: dict[str, Any], answers: list[Any], default_id: str, source: Source) -> Pair:
    label = answers[0] if len(answers) == 1 and isinstance(answers[0], str | int | float) else None
    if answers and label is None:
        if len(answers) > 1:
            source.mark("several labels; no label")
        fields = {**fields, "labels": answers}
    return pair_of(fields, default_id, label, source)


def _judgements(pair: Pair, fields: dict[str, Any], answers: list[Any], source: Source) -> Iterator[Judgement]:
    """One judgement a row, or one an annotation in exports that say who made each."""
    kept = {name: value for name, value in fields.items() if name not in ("id", "annotations", *WHO)}
    named = fields.get("annotations")
    if isinstance(named, list) and named and all(isinstance(one, dict) and "label" in one for one in named):
        for number, one in enumerate(named, 1):
            who = text_of(one.get("user"))
            yield Judgement(id=f"{pair.id}:{who or number}", pair=pair.id, value=one["label"], annotator=who, meta=kept)
        return
    if not answers:
        return
    who = next((text_of(fields[name]) for name in WHO if name in fields), None)
    if who is None and source.stem not in EVERYBODY:
        who = source.stem
    id = f"{pair.id}:{who or source.stem}"
    yield Judgement(id=id, pair=pair.id, value=single(answers), annotator=who, meta=kept)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """A row a record, with ``text`` for the tool to show and the two texts beside it."""
    write_lines((_row(record) for record in records if isinstance(record, Pair | Judgement)), stream)


def _row(record: Pair | Judgement) -> dict[str, Any]:
    texts = texts_of(record)
    shown = {"text": "\n".join(str(text) for text in texts.values())}
    if isinstance(record, Pair):
        fields = own_fields(record)
        labels = fields.pop("labels", None)
        label = fields.pop("label", None)
        return {**shown, **fields, "id": number_or_text(record.id), "label": labels or ([label] if label else [])}
    answers = record.value if isinstance(record.value, list) else [] if record.value is None else [record.value]
    who = {"username": record.annotator} if record.annotator is not None else {}
    return {**shown, **record.meta, "id": number_or_text(record.pair), "label": answers, **who}


def sniff(head: Head) -> bool:
    """A text and a list of labels, and two texts beside them or under ``meta``."""
    row = head.row
    if "_input_hash" in row or not isinstance(row.get("text"), str):
        return False
    nested = row.get("meta") if isinstance(row.get("meta"), dict) else {}
    labelled = any(isinstance(row.get(name), list) for name in LABELS) or isinstance(row.get("annotations"), list)
    return labelled and {"text1", "text2"} <= row.keys() | (nested or {}).keys()


FORMAT = Format(
    name="doccano",
    title="doccano (JSON Lines export)",
    read=read,
    write=write,
    sniff=sniff,
    suffix=".jsonl",
    nouns=(Pair, Judgement),
)
