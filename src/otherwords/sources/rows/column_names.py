"""Rename the fields of other people's JSON rows to ours, as the user's ``--columns`` or known names say.

A column that the user named and that no row has is an error at the end; otherwise a typing error would go unnoticed.
For people who name the columns of their own tables, ``MEANINGS`` says what our fields mean.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from types import MappingProxyType

from otherwords.records import Judgement, Pair, Record
from otherwords.registry import suggest
from otherwords.sources.rows.records import TEXT_COLUMNS, LooseRow
from otherwords.sources.source import Source

_TEXTS = ("text1", "text2")
_MAX_LISTED = 1000
MEANINGS: Mapping[type[Record], Mapping[str, str]] = {
    Pair: {
        "id": "a permanent name of the pair; made of file, line and texts if there is none",
        "text1": "the first text",
        "text2": "the second text",
        "lang": "the language, if it is not that of the import or the project",
        "source": "the source that the pair is counted under",
        "group": "what must stay together in a split: a film, an article, a trend",
        "time": "when the texts were written, ISO 8601",
        "licence": "the licence of the texts",
        "doc1": "JSON: the document of text1 and its offsets",
        "doc2": "JSON: the document of text2 and its offsets",
        "method": "how the pair was found",
        "rewrite_of": "the id of the pair that this one is a rewrite of",
        "scores": "JSON: scores by measure; a column named like a measure is a score too",
        "label": "the label that it comes with",
        "gold": "JSON: the right answer of a hidden test, and why",
        "meta": "JSON: anything else; columns with other names go there",
    },
    Judgement: {
        "id": "the name of the judgement; made of file, line and content if there is none",
        "pair": "the id of the pair that is judged",
        "value": "the answer: a label, or JSON where a scheme asks several questions",
        "unit": "pair, document_pair or group",
        "annotator": "who judged",
        "scheme": "the scheme of the answer; that of the project if there is none",
        "batch": "the batch that asked for it",
        "purpose": "production, training, agreement, check, qa or gold",
        "kind": "individual, consensus (a decision of the team), vote or simulated",
        "round": "the number of the round",
        "unsure": "true or false",
        "note": "a remark",
        "rewrites": "JSON: better pairs that the annotator wrote",
        "context_shown": "true or false",
        "seconds": "how long it took",
        "time": "when it was given, ISO 8601",
        "guideline": "the version of the guideline",
        "supersedes": "the id of the judgement that it takes the place of",
        "meta": "JSON: anything else; columns with other names go there",
    },
}


def check_user_columns(source: Source, header: list[str]) -> None:
    """Raise an error if the user named a column that the table does not have."""
    for field, column in source.columns.items():
        if column not in header:
            message = f"no column {column!r}, named for {field}{suggest(column, header)}"
            raise source.error(message, code="missing-column")


def rename_displaced(names: Mapping[str, str], columns: Container[str]) -> dict[str, str]:
    """New names for columns that have the name of a field for which another column was chosen."""
    return {field: f"{field} (unused)" for field in names.values() if field in columns and field not in names}


class FieldNames:
    """Renames the fields of a file's rows and notes which of the user's columns were seen."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._fields = {column: field for field, column in source.columns.items()}
        self._unseen = set(self._fields)
        self._known: dict[str, None] = {}

    def rename_texts(self, row: LooseRow) -> LooseRow:
        """As :meth:`rename`; if the user named neither text column, the texts are found by their usual names."""
        if set(_TEXTS) <= row.keys() or not self._source.columns.keys().isdisjoint(_TEXTS):
            return self.rename(row)
        columns = next((pair for pair in TEXT_COLUMNS if set(pair) <= row.keys()), ())
        return self.rename(row, dict(zip(columns, _TEXTS, strict=False)))

    def rename(self, row: LooseRow, text_columns: Mapping[str, str] = MappingProxyType({})) -> LooseRow:
        """The row with the user's columns, and these ones, under our names."""
        if self._unseen:
            self._unseen -= row.keys()
            if len(self._known) < _MAX_LISTED:
                self._known |= dict.fromkeys(row)
        names = {column: field for column, field in self._fields.items() if column in row} | dict(text_columns)
        if not names:
            return row
        names |= rename_displaced(names, row)
        return {names.get(name, name): value for name, value in row.items()}

    def check_all_seen(self) -> None:
        """After the last row: raise an error for a column that the user named and no row had."""
        for column, field in self._fields.items():
            if column in self._unseen and self._known:
                near = suggest(column, list(self._known))
                raise self._source.error(
                    f"no row has the field {column!r}, named for {field}{near}", code="missing-column"
                )
