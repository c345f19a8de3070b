"""P4P, MSRP-A and WRPA-A (Vila et al. 2014): XML of text snippets, and pairs of them annotated with types.

The label of a pair says whether it is a paraphrase; judgements hold the typed phenomena with their scopes as character
ranges. A judgement keeps the two texts and the names of their snippets, so that the file can be written again from
judgements alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, tostring

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.formats.p4p.writing import NAMESPACE, join_description, write
from otherwords.sources.io.xml_stream import elements_below
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.rows.tasks import number_or_text
from otherwords.sources.source import Source

ONE_SIDED = frozenset({"addition_deletion"})  # Vila et al. 2014, §3: a scope in one text only
_LABELS = {"true": "1", "false": "0"}
_ROWS = frozenset({"snippet", "paraphrase_candidates"})


@dataclass(slots=True)
class _Corpus:
    """The start of the file: its attributes, and the texts and descriptions of the snippets."""

    attributes: dict[str, str]
    texts: dict[str, str] = field(default_factory=dict)
    descriptions: dict[str, JsonObject | str] = field(default_factory=dict)


def read(source: Source) -> Iterator[Record]:
    """Pairs, or one judgement per annotation."""
    root, rows = elements_below(source, ("corpus",), _ROWS)
    corpus = _Corpus(dict(root.attrib))
    number = 0
    for line, row in rows:
        if row.tag == "snippet":
            id = row.get("id", "")
            corpus.texts[id] = "".join(row.itertext())
            if (description := row.get("source_description")) is not None:
                corpus.descriptions[id] = parse_description(description)
            continue
        number += 1
        try:
            pair = _pair(row, corpus, source, number)
            judgements = list(_judgements(row, pair, source))
        except ValueError as problem:
            source.reject(line, str(problem), tostring(row, "unicode").strip())
            continue
        source.note_place(line)
        if source.wants_judgements:
            yield from judgements
        else:
            yield pair


def parse_description(text: str) -> JsonObject | str:
    """``type:source;wd_count:37`` as a dictionary; the text itself if a dictionary would lose something."""
    parts = [part.partition(":") for part in text.split(";")]
    fields = {name: number_or_text(value) for name, _, value in parts}
    return fields if join_description(fields) == text else text


def _pair(row: Element, corpus: _Corpus, source: Source, number: int) -> Pair:
    ids = [snippet.get("id", "") for snippet in row.findall("snippet")]
    if len(ids) != 2:
        raise ValueError(f"2 snippets are expected in a pair, found {len(ids)}")
    for id in ids:
        if id not in corpus.texts:
            raise ValueError(f"a snippet from the start of the file is expected, found {id!r}")
    description = parse_description(row.get("source_description", ""))
    own_id = description.get("id") if isinstance(description, dict) else None
    annotations = [dict(annotation.attrib) for annotation in row.findall("annotation")]
    labels = {_label(annotation) for annotation in annotations}
    if len(labels) > 1:
        source.mark("annotators disagree whether it is a paraphrase; no label")
    described = {id: {"source_description": corpus.descriptions[id]} for id in ids if id in corpus.descriptions}
    meta: JsonObject = {"snippets": [{"id": id, **described.get(id, {})} for id in ids]}
    meta |= {"annotations": annotations} if annotations else {}
    meta |= {"source_description": description} if "source_description" in row.attrib else {}
    meta |= {"version": corpus.attributes["version"]} if "version" in corpus.attributes else {}
    return Pair(
        id=f"{source.stem}:{number}" if own_id is None or own_id == "" else str(own_id),
        text1=corpus.texts[ids[0]],
        text2=corpus.texts[ids[1]],
        lang=corpus.attributes.get("lng") or source.lang,
        source=corpus.attributes.get("name") or None,
        label=labels.pop() if len(labels) == 1 else None,
        meta=meta,
    )


def _label(annotation: dict[str, str]) -> str:
    value = annotation.get("is_paraphrase", "")
    if value not in _LABELS:
        raise ValueError(f"is_paraphrase: true or false is expected, found {value!r}")
    return _LABELS[value]


def _judgements(row: Element, pair: Pair, source: Source) -> Iterator[Judgement]:
    # The parts of the file around the annotations, so that it can be written again from the judgements.
    around = {"text1": pair.text1, "text2": pair.text2, "lang": pair.lang, "source": pair.source}
    around |= {name: pair.meta.get(name) for name in ("snippets", "version")}
    for number, annotation in enumerate(row.findall("annotation"), 1):
        label, description = _label(dict(annotation.attrib)), annotation.get("source_description")
        meta = around | {"label": label, "source_description": description}
        meta |= {"pair_description": pair.meta.get("source_description")}
        yield Judgement(
            id=f"{pair.id}:{number}",
            pair=pair.id,
            annotator=annotation.get("author"),
            scheme="vila",
            value=[_phenomenon(element, pair, source) for element in annotation.findall("phenomenon")],
            meta={name: value for name, value in meta.items() if value is not None},
        )


def _phenomenon(element: Element, pair: Pair, source: Source) -> JsonObject:
    """A typed phenomenon, with only the fields that it has."""
    type, projection = element.get("type"), element.get("projection")
    if not type:
        raise ValueError("a phenomenon needs a type, found none")
    if projection is not None and projection not in ("local", "global"):
        raise ValueError(f"projection: local or global is expected, found {projection!r}")
    phenomenon: JsonObject = {"type": type}
    first, second = (snippet["id"] for snippet in pair.meta["snippets"])
    for snippet in element.findall("snippet"):
        id = snippet.get("id", "")
        if id not in (first, second):
            raise ValueError(f"a phenomenon needs a snippet of its pair ({first} or {second}), found {id!r}")
        side, text = (1, pair.text1) if id == first else (2, pair.text2)
        for kind in ("scope", "key"):
            for start, end in [_range(part) for part in snippet.findall(kind)]:
                if end > len(text):
                    source.mark("a scope that goes beyond its text, cut at its end")
                if start < len(text) or start == end:
                    phenomenon.setdefault(f"{kind}{side}", []).append([start, min(end, len(text))])
    if projection:
        phenomenon["projection"] = projection
    if description := element.get("source_description"):
        phenomenon["meta"] = {"source_description": description}
    if source.wants_judgements and type in ONE_SIDED and {"scope1", "scope2"} <= phenomenon.keys():
        source.mark(f"{type} with scopes in both texts")
    return phenomenon


def _range(part: Element) -> tuple[int, int]:
    offset, length = part.get("offset", ""), part.get("length", "")
    if not (offset.isascii() and offset.isdigit() and length.isascii() and length.isdigit()) or len(offset) > 15:
        raise ValueError(f"a scope needs a numeric offset and length, found {offset!r} and {length!r}")
    start = int(offset)
    return start, start + int(length[:15])


def sniff(head: Head) -> bool:
    """The namespace of the format."""
    return "<corpus" in head.text and NAMESPACE in head.text


_TITLE = "P4P, MSRP-A, WRPA-A (XML with typed phenomena)"
FORMAT = Format("p4p", _TITLE, read, write, sniff, suffix=".xml", nouns=(Pair, Judgement))
