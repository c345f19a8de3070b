"""The Turku Paraphrase Corpus: a JSON list of pairs with flags, rewrites and, since 2022, document context.

A rewrite becomes a separate pair (``rewrite_of``) after its original; by the rules of the corpus its label is 4. The
annotated sample of automatic candidates is the same list with a lexical similarity, or a TSV file. The texts of the
documents are beside it in ``texts.json.gz``. Pairs are written as the list, documents as the object of texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from otherwords.errors import LabelError, WriteError
from otherwords.labels import parse_label
from otherwords.records import Document, Pair, Passage, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.json_stream import (
    elements,
    first_character,
    first_element,
    members,
    write_list,
    write_object,
)
from otherwords.sources.io.tabular import quoted_rows, read_header, rows_by_header
from otherwords.sources.rows.records import JsonObject, explain
from otherwords.sources.source import Source

SIMILARITY = "lex-similarity"
TEXTS = ("texts.json.gz", "texts.json")
_KNOWN = frozenset({"txt1", "txt2", "label", "rewrites", "goeswith", "context", "source", SIMILARITY})
_PLACES = ("doc1", "beg1", "end1", "doc2", "beg2", "end2")
_TEXTS_START = re.compile(r'\{\s*"[0-9a-f]{40}"\s*:\s*"')


def read(source: Source) -> Iterator[Record]:
    """Pairs with their rewrites, or documents."""
    if source.record_type is Document:
        yield from _documents(source)
        return
    rows: Iterator[tuple[int, Any]]
    if first_character(Head("", source.head())) in ("[", "{"):
        rows = elements(source)
    else:
        rows = rows_by_header(quoted_rows(source, "\t", len(read_header(source, "\t"))), source)
    for number, (line, row) in enumerate(rows, 1):
        try:
            if not isinstance(row, dict):
                raise ValueError(f"a JSON object is expected for each pair, found {str(row)[:40]!r}")
            pairs = _pairs(row, f"{source.stem}:{number}", source)
        except (ValueError, msgspec.ValidationError) as problem:
            source.reject(line, explain(problem), row)
            continue
        yield from pairs


def _pairs(row: JsonObject, id: str, source: Source) -> list[Pair]:
    """The pair of a row and its rewrites."""
    meta = {name: value for name, value in row.items() if name not in _KNOWN}
    original, similarity = row.get("label"), row.get(SIMILARITY)
    label = None if original is None else str(parse_label(str(original)))
    if label != original:
        meta["label"] = original
    doc1, doc2 = _context(row.get("context"), meta)
    try:
        scores = {} if similarity in (None, "") else {SIMILARITY: float(similarity)}
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{SIMILARITY}: a number is expected, found {similarity!r}") from None
    fields = {
        "id": id,
        "text1": row.get("txt1"),
        "text2": row.get("txt2"),
        "lang": source.lang,
        "source": row.get("source") or None,
        "group": row.get("goeswith") or None,
        "doc1": doc1,
        "doc2": doc2,
        "scores": scores,
        "label": label,
        "meta": meta,
    }
    pair = msgspec.convert(fields, Pair)
    rewrites = msgspec.convert(row.get("rewrites") or [], list[tuple[str, str]])
    if rewrites and label == "4":
        source.mark("a rewrite of a plain 4")
    fold = {"fold": meta["fold"]} if "fold" in meta else {}
    shared: JsonObject = {"lang": pair.lang, "group": pair.group, "rewrite_of": id, "label": "4", "meta": fold}
    numbered = enumerate(rewrites, 1)
    return [pair, *(Pair(id=f"{id}:rewrite{k}", text1=text1, text2=text2, **shared) for k, (text1, text2) in numbered)]


def _context(context: Any, meta: JsonObject) -> tuple[Passage | None, Passage | None]:
    """The two passages; other fields of the context go to ``meta``."""
    if not context:
        return None, None
    if not isinstance(context, dict) or not set(_PLACES) <= context.keys():
        raise ValueError(f"context: an object with {', '.join(_PLACES)} is expected")
    places = [
        msgspec.convert({"id": context[f"doc{n}"], "start": context[f"beg{n}"], "end": context[f"end{n}"]}, Passage)
        for n in (1, 2)
    ]
    if others := {name: value for name, value in context.items() if name not in _PLACES}:
        meta["context"] = others
    return places[0], places[1]


def _documents(source: Source) -> Iterator[Document]:
    if first_character(Head("", source.head())) != "{":
        folder = source.path.parent if source.path is not None else Path()
        path = next((folder / name for name in TEXTS if (folder / name).is_file()), None)
        if path is None:
            names = " or ".join(TEXTS)
            message = f"the texts of the documents are expected in {names} beside the pairs, and are not there"
            raise source.error(message, code="missing-file")
        source = source.sibling(path)
    for line, id, text in members(source):
        if isinstance(text, str):
            yield Document(id=id, text=text, lang=source.lang)
        else:
            source.reject(line, f"a text is expected for document {id}, found {str(text)[:40]!r}", text)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the list of pairs with rewrites folded into their originals, or the object of texts."""
    rows = iter(records)
    first = next(rows, None)
    if isinstance(first, Document):
        documents = (record for record in chain([first], rows) if isinstance(record, Document))
        write_object(((document.id, document.text) for document in documents), stream)
        return
    pairs = (record for record in chain([first], rows) if isinstance(record, Pair))
    write_list(_fold_rewrites(pairs), stream)


def _fold_rewrites(pairs: Iterator[Pair]) -> Iterator[JsonObject]:
    """One object per pair; a rewrite that does not follow its original becomes a pair of its own."""
    original: Pair | None = None
    row: JsonObject = {}
    for pair in pairs:
        if original is not None and pair.rewrite_of == original.id:
            row.setdefault("rewrites", []).append([pair.text1, pair.text2])
            continue
        if original is not None:
            yield row
        original, row = pair, _row(pair)
    if original is not None:
        yield row


def _row(pair: Pair) -> JsonObject:
    try:
        if pair.label is not None:
            parse_label(pair.label)
    except LabelError as problem:
        message = f"pair {pair.id}: cannot be written as turku: {problem}; jsonl, csv and parquet take any label"
        raise WriteError(message, code=problem.code) from None
    others = {name: value for name, value in pair.meta.items() if name not in ("label", "context")}
    row = {"txt1": pair.text1, "txt2": pair.text2, "label": pair.meta.get("label", pair.label), **others}
    if SIMILARITY in pair.scores:
        return {**row, SIMILARITY: str(pair.scores[SIMILARITY]), "source": pair.source}
    context = None
    if pair.doc1 and pair.doc2 and pair.doc1.start is not None and pair.doc2.start is not None:
        values = (pair.doc1.id, pair.doc1.start, pair.doc1.end, pair.doc2.id, pair.doc2.start, pair.doc2.end)
        context = {**dict(zip(_PLACES, values, strict=True)), **pair.meta.get("context", {})}
    known: JsonObject = {"goeswith": pair.group, "rewrites": [], "context": context}
    return {**row, **known, **({"source": pair.source} if pair.source else {})}


def sniff(head: Head) -> bool:
    """A list of objects with txt1 and txt2, the TSV file of the sample, or an object of texts by hash."""
    if first_character(head) == "[":
        first = first_element(head)
        return isinstance(first, dict) and {"txt1", "txt2", "label"} <= first.keys()
    if first_character(head) == "{":
        return _TEXTS_START.match(head.text.lstrip()) is not None
    return bool(head.lines) and {"label", "txt1", "txt2", SIMILARITY} <= set(head.lines[0].split("\t"))


_TITLE = "Turku Paraphrase Corpus (JSON list, or TSV of the automatic sample)"
FORMAT = Format("turku", _TITLE, read, write, sniff, suffix=".json", nouns=(Pair, Document))
