"""The Turku Paraphrase Corpus: a JSON list of pairs with flags, rewrites and, since 2022, document context.

A rewrite is a pair of its own here (``rewrite_of``), right after its original; by the corpus's own
rule its label is 4. The annotated sample of automatic candidates is the same list with a lexical
similarity, or a TSV. The texts of the documents lie beside it in ``texts.json.gz`` and are read as
documents. Writing gives the list, or the texts, again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from otherwords.errors import LabelError, WriteError
from otherwords.labels import parse
from otherwords.records import Document, Pair, Passage, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.json_stream import elements, first_element, members, opening
from otherwords.sources.json_writing import write_list, write_object
from otherwords.sources.rows import plain
from otherwords.sources.source import Source
from otherwords.sources.tabular import headed, header_of, quoted_rows

SIMILARITY = "lex-similarity"
TEXTS = ("texts.json.gz", "texts.json")
_KNOWN = frozenset({"txt1", "txt2", "label", "rewrites", "goeswith", "context", "source", SIMILARITY})
_PLACES = ("doc1", "beg1", "end1", "doc2", "beg2", "end2")
_TEXTS_START = re.compile(r'\{\s*"[0-9a-f]{40}"\s*:\s*"')


def read(source: Source) -> Iterator[Record]:
    """Pairs with their rewrites, or documents."""
    if source.wanted is Document:
        yield from _documents(source)
        return
    for number, (line, row) in enumerate(_rows(source), 1):
        try:
            if not isinstance(row, dict):
                raise ValueError("a JSON object is expected for each pair")
            pairs = _pairs(row, f"{source.stem}:{number}", source)
        except (ValueError, msgspec.ValidationError) as problem:
            source.reject(line, plain(problem), row)
            continue
        yield from pairs


def _rows(source: Source) -> Iterator[tuple[int, Any]]:
    if opening(Head("", source.head())) in ("[", "{"):
        return elements(source)
    return headed(quoted_rows(source, "\t", len(header_of(source, "\t"))), source)


def _pairs(row: dict[str, Any], id: str, source: Source) -> list[Pair]:
    """The pair of a row and the rewrites of it."""
    meta = {name: value for name, value in row.items() if name not in _KNOWN}
    label = _label(row, meta)
    doc1, doc2 = _context(row.get("context"), meta)
    fields = {
        "id": id,
        "text1": row.get("txt1"),
        "text2": row.get("txt2"),
        "lang": source.lang,
        "source": row.get("source") or None,
        "group": row.get("goeswith") or None,
        "doc1": doc1,
        "doc2": doc2,
        "scores": _scores(row.get(SIMILARITY)),
        "label": label,
        "meta": meta,
    }
    pair = msgspec.convert(fields, Pair)
    rewrites = msgspec.convert(row.get("rewrites") or [], list[tuple[str, str]])
    if rewrites and label == "4":
        source.mark("a rewrite of a plain 4")
    fold = {"fold": meta["fold"]} if "fold" in meta else {}
    return [
        pair,
        *(
            Pair(
                id=f"{id}:rewrite{k}",
                text1=text1,
                text2=text2,
                lang=pair.lang,
                group=pair.group,
                rewrite_of=id,
                label="4",
                meta=fold,
            )
            for k, (text1, text2) in enumerate(rewrites, 1)
        ),
    ]


def _label(row: dict[str, Any], meta: dict[str, Any]) -> str | None:
    given = row.get("label")
    if given is None:
        return None
    label = str(parse(str(given)))
    if label != given:
        meta["label"] = given
    return label


def _context(context: Any, meta: dict[str, Any]) -> tuple[Passage | None, Passage | None]:
    """The two passages; what else stands in the context is kept."""
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


def _scores(similarity: Any) -> dict[str, float]:
    if similarity is None or similarity == "":
        return {}
    try:
        return {SIMILARITY: float(similarity)}
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{SIMILARITY}: {similarity!r} is not a number") from None


def _documents(source: Source) -> Iterator[Document]:
    if opening(Head("", source.head())) != "{":
        source = source.beside(_texts_beside(source))
    for line, id, text in members(source):
        if isinstance(text, str):
            yield Document(id=id, text=text, lang=source.lang)
        else:
            source.reject(line, f"the text of document {id} is not a text", text)


def _texts_beside(source: Source) -> Path:
    folder = source.path.parent if source.path is not None else Path()
    for name in TEXTS:
        if (folder / name).is_file():
            return folder / name
    raise source.error(f"the texts of the documents are not here; they are in {' or '.join(TEXTS)} beside the pairs")


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """The list of pairs with rewrites folded into their originals, or the object of texts."""
    rows = iter(records)
    first = next(rows, None)
    if isinstance(first, Document):
        everything = (record for record in chain([first], rows) if isinstance(record, Document))
        write_object(((document.id, document.text) for document in everything), stream)
        return
    pairs = (record for record in chain([first], rows) if isinstance(record, Pair))
    write_list(_folded(pairs), stream)


def _folded(pairs: Iterator[Pair]) -> Iterator[dict[str, Any]]:
    """One object a pair; a rewrite that does not follow its original stands by itself."""
    held: Pair | None = None
    row: dict[str, Any] = {}
    for pair in pairs:
        if held is not None and pair.rewrite_of == held.id:
            row.setdefault("rewrites", []).append([pair.text1, pair.text2])
            continue
        if held is not None:
            yield row
        held, row = pair, _row(pair)
    if held is not None:
        yield row


def _row(pair: Pair) -> dict[str, Any]:
    if pair.label is not None:
        _check_written(pair.id, pair.label)
    others = {name: value for name, value in pair.meta.items() if name not in ("label", "context")}
    row = {"txt1": pair.text1, "txt2": pair.text2, "label": pair.meta.get("label", pair.label), **others}
    if SIMILARITY in pair.scores:
        return {**row, SIMILARITY: str(pair.scores[SIMILARITY]), "source": pair.source}
    context = None
    if pair.doc1 and pair.doc2:
        values = (pair.doc1.id, pair.doc1.start, pair.doc1.end, pair.doc2.id, pair.doc2.start, pair.doc2.end)
        context = {**dict(zip(_PLACES, values, strict=True)), **pair.meta.get("context", {})}
    known: dict[str, Any] = {"goeswith": pair.group, "rewrites": [], "context": context}
    return {**row, **known, **({"source": pair.source} if pair.source else {})}


def _check_written(id: str, label: str) -> None:
    try:
        parse(label)
    except LabelError as problem:
        raise WriteError(
            f"pair {id}: cannot be written as turku: {problem}; jsonl, csv and parquet take any label"
        ) from None


def sniff(head: Head) -> bool:
    """A list of objects with txt1 and txt2, the TSV of the sample, or an object of texts by their hash."""
    if opening(head) == "[":
        first = first_element(head)
        return isinstance(first, dict) and {"txt1", "txt2", "label"} <= first.keys()
    if opening(head) == "{":
        return _TEXTS_START.match(head.text.lstrip()) is not None
    return bool(head.lines) and {"label", "txt1", "txt2", SIMILARITY} <= set(head.lines[0].split("\t"))


FORMAT = Format(
    name="turku",
    title="Turku Paraphrase Corpus (JSON list, or TSV of the automatic sample)",
    read=read,
    write=write,
    sniff=sniff,
    suffix=".json",
    nouns=(Pair, Document),
)
