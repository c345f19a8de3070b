"""Sentences: a monolingual pool, from which translations, swaps and neighbours make candidates.

Each sentence is a document. Its id follows from its source, language and text, so that a sentence that occurs twice is
one document. Files are read in a stream, of any size.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from otherwords.records import Document
from otherwords.sources.documents.file_walk import read_each_file
from otherwords.sources.documents.kind import FORMAT, Kind, KindOption, Options, document_id
from otherwords.sources.documents.table_rows import (
    COMMON_NAMES,
    TABLE_LOOKS,
    TABLE_NAMES,
    TABLES,
    Names,
    Row,
    cell_text,
    check_format,
    named_rows,
    row_language,
    row_time,
)
from otherwords.sources.formats.parquet import numbered_rows
from otherwords.sources.io.files import bare_suffix
from otherwords.sources.source import Source
from otherwords.text.normalise import clean_text
from otherwords.text.sentences import sentences

NAMES: Names = {
    **COMMON_NAMES,
    "text": ("text", "sentence", "content"),
    "group": ("group", "topic"),
    "document": ("document", "doc", "doc_id", "url", "title"),
    "name": ("id", "name"),
}
LINES, PARQUET = "lines", "parquet"
FORMATS = {
    LINES: "plain text, one sentence per line; empty lines are passed over",
    **TABLE_LOOKS,
    PARQUET: "a table in Parquet",
}
SUFFIXES = frozenset({".txt", ".text", ".parquet", *TABLES})
EMPTY_LINE = "an empty line, passed over"


def read(source: Source, options: Options) -> Iterator[Document]:
    """The sentences of a file, or of the files of a folder."""
    check_format(options.get("format"), tuple(FORMATS))
    return read_each_file(source, SUFFIXES, partial(_read_file, options=options))


def _read_file(source: Source, options: Options) -> Iterator[Document]:
    for number, row in sentence_rows(source, options.get("format")):
        text = cell_text(row, "text")
        if text is None:
            found = ", ".join(list(row)[:12]) or "none"
            source.reject(number, f"no text; name its column with --columns text=NAME (found: {found})", row)
            continue
        lang = row_language(source, cell_text(row, "lang"))
        parts = _split(text, lang) if options.get("split") else [" ".join(text.split())]
        for place, part in enumerate(parts, 1):
            meta = {name: value for name in ("name", "document") if (value := cell_text(row, name))}
            meta |= {"sentence": str(place)} if len(parts) > 1 else {}
            yield Document(
                id=document_id("sentences", str(options["source"]), lang, part),
                text=part,
                lang=lang,
                source=str(options["source"]),
                group=cell_text(row, "group"),
                time=row_time(source, row),
                licence=cell_text(row, "licence"),
                consent=cell_text(row, "consent"),
                meta={**meta, "file": source.name, "line": number},
            )


def _split(text: str, lang: str | None) -> list[str]:
    """The sentences of a running text, each as one line."""
    return [" ".join(text[start:end].split()) for start, end in sentences(text, lang or "und")]


def sentence_rows(source: Source, format: str | None, names: Names = NAMES) -> Iterator[tuple[int, Row]]:
    """Numbered rows of a file under our names; empty lines are marked and passed over."""
    if has_lines(source, format):
        return _lines(source)
    if format == PARQUET or (format is None and source.path and bare_suffix(source.path) == ".parquet"):
        return named_rows(source, names, rows=numbered_rows(source))
    return named_rows(source, names, format)


def has_lines(source: Source, format: str | None) -> bool:
    """Whether a file is plain text with a sentence a line."""
    suffix = bare_suffix(source.path) if source.path else ""
    return format == LINES or (format is None and suffix not in TABLES and suffix != ".parquet")


def _lines(source: Source) -> Iterator[tuple[int, Row]]:
    for number, line in source.lines():
        if clean_text(line).strip():
            yield number, {"text": line}
        else:
            source.mark(EMPTY_LINE)


KIND = Kind(
    name="sentences",
    title="sentences of one language, from which acquire makes candidates",
    read=read,
    fields={
        "text": "the sentence, on one line",
        "lang": "the language that the row or the user names",
        "source": "sentences, or the option source",
        "group": "the group or topic that the row names",
        "time": "the time that the row names, ISO 8601",
        "licence": "the licence that the row names",
        "consent": "what the row says about consent",
        "meta.name": "the id of the row",
        "meta.document": "the document or address that the row names",
        "meta.sentence": "which sentence of its row it is, where rows were split",
        "meta.file": "the file",
        "meta.line": "the line, or the row of the table",
    },
    options={
        "source": KindOption("sentences", "a name", "the name of the source"),
        "split": KindOption(False, "true or false", "split running text into sentences"),
        "format": FORMAT,
    },
    formats=FORMATS,
    columns=NAMES,
    names=TABLE_NAMES,
    needed=("text",),
    example="sources/sentences/harbour.txt",
)
