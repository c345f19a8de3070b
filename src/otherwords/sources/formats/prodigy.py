"""Prodigy's JSON Lines export (``db-out``): a row an answer, tasks told apart by their hashes.

Several people may have answered one task; as a pair it is read once, with the first answer, and the
further answers are counted. As judgements every answer counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.naming import Naming
from otherwords.sources.source import Source
from otherwords.sources.tasks import (
    json_rows,
    own_fields,
    pair_of,
    single,
    text_of,
    texts_of,
    with_texts,
    write_lines,
)

ANSWERS = ("accept", "reject", "ignore")
WHO = ("_annotator_id", "_session_id")


def read(source: Source) -> Iterator[Record]:
    """Pairs, or one judgement an answer."""
    seen: set[str] = set()
    naming = Naming(source)
    for number, row in json_rows(source):
        try:
            pair = _pair(row, f"{source.stem}:{number}", naming, source)
            judgement = _judgement(pair, row, number, source) if source.wants_judgements else None
        except ValueError as problem:
            source.reject(number, str(problem), row)
            continue
        if judgement is not None:
            yield judgement
        elif pair.id in seen:
            source.mark("another answer to a pair already read")
        else:
            seen.add(pair.id)
            yield pair
    naming.check()


def _pair(row: dict[str, Any], default_id: str, naming: Naming, source: Source) -> Pair:
    answer = row.get("answer")
    if answer is not None and answer not in ANSWERS:
        raise ValueError(f"answer {answer!r} is not one of {', '.join(ANSWERS)}")
    fields = with_texts(naming, row)
    question = fields.pop("label", None)
    if question is not None:
        fields["question"] = question
    said = _value(row)
    label = said if isinstance(said, str | int) and not isinstance(said, bool) else None
    return pair_of(fields, text_of(row.get("_input_hash")) or default_id, label, source)


def _value(row: dict[str, Any]) -> Any:
    """The options chosen; without options, yes or no to the label that was shown; None for no answer."""
    answer, chosen = row.get("answer", "accept"), row.get("accept")
    if isinstance(chosen, list):
        return single(chosen) if answer == "accept" else None
    return {"accept": True, "reject": False}.get(answer)


def _judgement(pair: Pair, row: dict[str, Any], number: int, source: Source) -> Judgement:
    if row.get("answer") == "ignore":
        source.mark("ignored by the annotator")
    who = next((text_of(row[name]) for name in WHO if row.get(name) is not None), None)
    question = row.get("label")
    return Judgement(
        id=f"{pair.id}:{who or number}:{text_of(row.get('_task_hash')) or number}",
        pair=pair.id,
        value=_value(row),
        annotator=who,
        scheme=question if isinstance(question, str) else None,
        batch=text_of(row.get("dataset")),
        time=_time(row.get("_timestamp")),
        meta={**texts_of(pair), "row": row},
    )


def _time(stamp: Any) -> str | None:
    if not isinstance(stamp, int | float) or isinstance(stamp, bool):
        return None
    try:
        return datetime.fromtimestamp(stamp, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"_timestamp {stamp!r} is not a time in seconds") from None


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """A row a record, as ``db-in`` takes it."""
    write_lines((_row(record) for record in records if isinstance(record, Pair | Judgement)), stream)


def _row(record: Pair | Judgement) -> dict[str, Any]:
    if isinstance(record, Judgement):
        given = record.meta.get("row")
        return given if isinstance(given, dict) else _answered(record.pair, texts_of(record), record.value, record)
    fields = own_fields(record)
    label, question = fields.pop("label", None), fields.pop("question", None)
    if "_input_hash" in fields:
        return {**fields, **({"label": question} if question is not None else {})}
    return {**fields, **_answered(record.id, texts_of(record), label, None)}


def _answered(id: str, texts: dict[str, Any], value: Any, judgement: Judgement | None) -> dict[str, Any]:
    row: dict[str, Any] = {"id": id, **texts}
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
    name="prodigy",
    title="Prodigy (JSON Lines of db-out)",
    read=read,
    write=write,
    sniff=sniff,
    suffix=".jsonl",
    nouns=(Pair, Judgement),
)
