"""ETPC (Kovatchev et al. 2018): a folder of XML files, pairs in one and typed relations between them in others.

Pairs are read from ``text_pairs.xml``, judgements from the files of relations, whose scopes are
numbers of blank-separated tokens and become character ranges. A single file may be given too; the
texts are then looked for beside it. ``paraphrase_types.xml`` names the types and their categories.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.files import bare_stem
from otherwords.sources.format import Format, Head, folder_only
from otherwords.sources.formats.etpc_writing import SIDES, WHOLE, scope_text, words_of, write_folder
from otherwords.sources.source import Source
from otherwords.sources.token_ranges import Span, ranges_of, token_spans
from otherwords.sources.xml_stream import Numbered, elements, value

TEXTS = (("sent1_tokenized", "sent2_tokenized"), ("sent1_tok", "sent2_tok"), ("sent1_raw", "sent2_raw"))
LABELS = ("0", "1")


@dataclass(slots=True)
class _Known:
    """What relations are joined to: the pairs, and the types by number."""

    pairs: dict[str, Pair] = field(default_factory=dict)
    types: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)


def read(source: Source) -> Iterator[Record]:
    """Pairs, or a judgement for each pair in each file of relations."""
    files = _files(source)
    if not source.wants_judgements:
        found = False
        for file in files:
            for pair in _pairs(file):
                found = True
                yield pair
        if not found:
            raise source.error("holds no pairs of texts; in ETPC they are in text_pairs.xml")
        return
    known = _known(source, files)
    for file in files:
        yield from _judgements(file, known)


def _files(source: Source) -> list[Source]:
    if source.path is None:
        raise source.error("ETPC cannot be read from standard input; name its folder or one of its files")
    if not source.path.is_dir():
        return [source]
    files = [source.beside(path) for path in sorted(source.path.glob("*.xml"))]
    if not files:
        raise source.error("the folder holds no XML files")
    return files


def _rows(file: Source) -> Iterator[Numbered]:
    rows = elements(file, None)
    _, root = next(rows)
    if root.tag != "xml":
        raise file.error(f"an XML file with the root xml is expected, found {root.tag}")
    return rows


def _pairs(file: Source) -> Iterator[Pair]:
    for line, row in _rows(file):
        if row.tag in ("relation", "paraphrase_type"):
            continue
        try:
            yield _pair(row, file)
        except ValueError as problem:
            file.reject(line, str(problem), _fields(row))


def _pair(row: Element, file: Source) -> Pair:
    fields = _fields(row)
    names = next((names for names in TEXTS if set(names) <= fields.keys()), None)
    if names is None or not fields.get("pair_id"):
        raise ValueError(f"{row.tag} is neither a pair of texts with a pair_id nor a relation")
    label = fields.get("etpc_label") or None
    if label is not None and label not in LABELS:
        raise ValueError(f"etpc_label {label!r} is not 0 or 1")
    own = {"pair_id", "etpc_label", *names}
    return Pair(
        id=fields["pair_id"],
        text1=fields[names[0]],
        text2=fields[names[1]],
        lang=file.lang or "en",
        label=label,
        meta={"tokeniser": "blank"} | {name: text for name, text in fields.items() if name not in own},
    )


def _fields(row: Element) -> dict[str, str]:
    return {child.tag: child.text or "" for child in row}


def _known(source: Source, files: list[Source]) -> _Known:
    """Collected before the relations are read, from the folder that the given file lies in."""
    known = _Known()
    if source.path is not None and not source.path.is_dir():
        beside = [source.path.parent / name for name in ("text_pairs.xml", "paraphrase_types.xml")]
        files = [*files, *(source.beside(path) for path in beside if path.is_file() and path != source.path)]
    for file in files:
        for line, row in _rows(file):
            if row.tag == "paraphrase_type":
                known.types[value(row, "type_id") or ""] = value(row, "type_name"), value(row, "type_category")
            elif row.tag != "relation":
                try:
                    pair = _pair(row, file)
                except ValueError as problem:
                    file.reject(line, str(problem), _fields(row))
                else:
                    known.pairs[pair.id] = pair
    if not known.pairs:
        raise source.error("the texts of the pairs are not here; put text_pairs.xml beside the relations")
    return known


def _judgements(file: Source, known: _Known) -> Iterator[Judgement]:
    name = bare_stem(file.path or Path())
    relations = ((line, row) for line, row in _rows(file) if row.tag == "relation")
    times: Counter[str] = Counter()
    for id, group in groupby(relations, lambda numbered: (value(numbered[1], "pair_id") or "").strip()):
        phenomena = []
        pair = known.pairs.get(id)
        for line, row in group:
            try:
                if pair is None:
                    raise ValueError(f"no texts for pair {id!r}")
                phenomena.append(_phenomenon(_fields(row), pair, known))
            except ValueError as problem:
                file.reject(line, str(problem), _fields(row))
        if pair is None or not phenomena:
            continue
        times[id] += 1
        again = f":{times[id]}" if times[id] > 1 else ""
        kept = {"file": name, "text1": pair.text1, "text2": pair.text2, "label": pair.label, **pair.meta}
        yield Judgement(id=f"{name}:{id}{again}", pair=id, scheme="etpc", value=phenomena, meta=kept)


def _phenomenon(fields: dict[str, str], pair: Pair, known: _Known) -> dict[str, Any]:
    """One relation; what cannot be derived from the ranges stays in ``meta`` as it was."""
    type_id = fields.pop("type_id", "").strip()
    named, category = known.types.get(type_id, (None, None))
    type = fields.pop("type_name", "").strip() or named or type_id
    if not type:
        raise ValueError("a relation without a type")
    fields.pop("pair_id", None)
    phenomenon: dict[str, Any] = {"type": type}
    meta: dict[str, Any] = {"type_id": type_id} if type_id else {}
    meta |= {"category": category} if category else {}
    for side, (numbers, words) in SIDES.items():
        text = pair.text1 if side.endswith("1") else pair.text2
        spans = token_spans(text)
        given = fields.pop(numbers, "").strip()
        if ranges := _ranges(given, spans):
            phenomenon[side] = ranges
        if given != scope_text(ranges, spans):
            meta[numbers] = given
        if (said := fields.pop(words, "")) != words_of(ranges, text):
            meta[words] = said
    if fields.get("projection") in ("local", "global"):  # not in the released corpus, but in what we write of others
        phenomenon["projection"] = fields.pop("projection")
    return {**phenomenon, "meta": meta | fields}


def _ranges(given: str, spans: list[Span]) -> list[list[int]]:
    if given.lower() == WHOLE:
        return ranges_of(range(len(spans)), spans)
    numbers = [part.strip() for part in given.split(",") if part.strip()]
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in numbers):
        raise ValueError(f"scope {given[:60]!r}: token numbers with commas, or {WHOLE!r}, are expected")
    return ranges_of(map(int, numbers), spans)


def sniff(head: Head) -> bool:
    """The files of the folder, or relations or pairs under the root ``xml``."""
    if head.suffix == "/":
        names = set(head.lines)
        return "text_pairs.xml" in names and len(names) > 1
    text = head.text
    return "<xml>" in text and "<pair_id>" in text and ("<relation>" in text or "<sent1_raw>" in text)


FORMAT = Format(
    name="etpc",
    title="ETPC (folder of XML files with typed relations)",
    read=read,
    write=folder_only("etpc"),
    write_folder=write_folder,
    sniff=sniff,
    folder=True,
    nouns=(Pair, Judgement),
)
