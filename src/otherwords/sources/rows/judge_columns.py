"""Wide tables: one row for each pair, and in it one column of answers for each annotator.

An answer becomes a judgement by the annotator of its column. The pair is the one that the row names, or the one with
its two texts; an empty cell is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from otherwords.records import Judgement
from otherwords.registry import suggest
from otherwords.sources.rows.column_names import check_user_columns
from otherwords.sources.rows.records import TEXT_COLUMNS, JsonObject, build_record, scalar_text
from otherwords.sources.source import Source

PAIR_COLUMNS = ("pair", "item", "id")  # usual names of the column with the id of the pair
TEXTS = ("text1", "text2")
_WHOLE_FLOAT = re.compile(r"(-?\d+)\.0")  # pandas makes floats of whole numbers if some are missing
_BOOLEANS = {"true": True, "false": False}


def check_judges(source: Source, header: Sequence[str]) -> None:
    """Raise an error if the user named a column of answers that the table does not have."""
    for column in source.judges:
        if column not in header:
            message = f"no column {column!r}, named with --judges{suggest(column, header)}"
            raise source.error(message, code="missing-column")


def judge_row_reader(source: Source, header: Sequence[str]) -> Callable[[JsonObject, str], Sequence[Judgement]]:
    """A function that builds the judgements of a row from a default id of its pair."""
    check_user_columns(source, list(header))
    named = source.columns.get("pair", source.columns.get("id"))
    id_column = named or next((name for name in PAIR_COLUMNS if name in header and name not in source.judges), None)
    text_columns = _text_columns(source.columns, [column for column in header if column not in source.judges])
    shared = {field: column for field, column in source.columns.items() if field not in ("pair", "id", *TEXTS)}
    if id_column is None and text_columns is None:
        names = ", ".join(column for column in header if column not in source.judges)
        message = f"no column for the id or the two texts of the pair among: {names}; name them with --columns id=…"
        raise source.error(message, code="missing-column")

    def read_row(row: JsonObject, default_id: str) -> Sequence[Judgement]:
        pair = _text(row.get(id_column)) if id_column else ""
        fields = {field: row[column] for field, column in shared.items() if row[column] not in (None, "")}
        if not pair and text_columns is None:
            raise ValueError(f"the column {id_column!r} is empty, so nobody knows the pair")
        if text_columns is not None:
            fields["meta"] = dict(zip(TEXTS, map(row.get, text_columns), strict=True))
        pair = pair or default_id
        judgements = []
        for column, annotator in source.judges.items():
            if not (answer := _text(row[column])):
                source.mark(f"no answer in the column {column!r}")
                continue
            values = {"pair": pair, "annotator": annotator, "value": _value(answer)}
            id = f"{source.stem}:{annotator}:{pair}"
            judgements.append(build_record(Judgement, fields | values, id))
        return judgements

    return read_row


def _text_columns(columns: Mapping[str, str], header: Sequence[str]) -> tuple[str, str] | None:
    """The columns of the two texts, named by the user or known; None if they are not there."""
    by_lower = {column.lower(): column for column in header}
    known = next((pair for pair in TEXT_COLUMNS if set(pair) <= by_lower.keys()), TEXTS)
    first, second = (columns.get(field, by_lower.get(usual, "")) for field, usual in zip(TEXTS, known, strict=True))
    return (first, second) if first and second else None


def _text(cell: object) -> str:
    """A cell without blanks at its ends; numbers as people write them."""
    if isinstance(cell, bool | int | float):
        return scalar_text(cell)
    text = str(cell or "").strip()
    whole = _WHOLE_FLOAT.fullmatch(text)
    return whole[1] if whole else "" if text.lower() == "nan" else text


def _value(answer: str) -> object:
    """An answer as a value: an answer to several questions is JSON, everything else a text."""
    if answer.startswith(("{", "[")):
        try:
            return msgspec.json.decode(answer)
        except (msgspec.DecodeError, RecursionError):
            return answer
    return _BOOLEANS.get(answer.lower(), answer)
