"""P4P, MSRP-A and WRPA-A (Vila et al. 2014): XML of text snippets, and pairs of them annotated with types.

Pairs carry whether they are paraphrases; judgements carry the typed phenomena with their scopes as
character ranges. A judgement keeps the two texts and the names of their snippets, so that the file
can be written again from judgements alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

from otherwords.records import Judgement, Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.formats.p4p_writing import NAMESPACE, description_of, write
from otherwords.sources.source import Source
from otherwords.sources.xml_stream import elements

ONE_SIDED = frozenset({"addition_deletion"})  # Vila et al. 2014, §3: a scope in one text only
_TRUTHS = {"true": "1", "false": "0"}
_ROWS = frozenset({"snippet", "paraphrase_candidates"})


@dataclass(slots=True)
class _Corpus:
    """What the start of the file says: its attributes, and the texts by snippet."""

    attributes: dict[str, str]
    texts: dict[str, str] = field(default_factory=dict)
    descriptions: dict[str, dict[str, Any] | str] = field(default_factory=dict)


def read(source: Source) -> Iterator[Record]:
    """Pairs, or one judgement an annotation."""
    rows = elements(source, _ROWS)
    _, root = next(rows)
    if root.tag != "corpus":
        raise source.error(f"an XML file with the root corpus is expected, found {root.tag}")
    corpus = _Corpus(dict(root.attrib))
    number = 0
    for line, row in rows:
        if row.tag == "snippet":
            _take_snippet(corpus, row)
            continue
        number += 1
        try:
            pair = _pair(row, corpus, source, number)
            judgements = _judgements(row, pair, source)
        except ValueError as problem:
            source.reject(line, str(problem), dict(row.attrib))
            continue
        if source.wants_judgements:
            yield from judgements
        else:
            yield pair


def _take_snippet(corpus: _Corpus, row: Element) -> None:
    id = row.get("id", "")
    corpus.texts[id] = "".join(row.itertext())
    if (description := row.get("source_description")) is not None:
        corpus.descriptions[id] = described(description)


def described(text: str) -> dict[str, Any] | str:
    """``type:source;wd_count:37`` as a dictionary; the text itself where that would lose something."""
    parts = [part.partition(":") for part in text.split(";")]
    fields = {name: int(value) if _is_plain_number(value) else value for name, _, value in parts}
    return fields if description_of(fields) == text else text


def _is_plain_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16 and str(int(text)) == text


def _pair(row: Element, corpus: _Corpus, source: Source, number: int) -> Pair:
    ids = [snippet.get("id", "") for snippet in row.findall("snippet")]
    if len(ids) != 2:
        raise ValueError(f"{len(ids)} snippets where two are expected")
    for id in ids:
        if id not in corpus.texts:
            raise ValueError(f"snippet {id!r} is not among the snippets at the start")
    description = described(row.get("source_description", ""))
    own = description.get("id") if isinstance(description, dict) else None
    annotations = [dict(annotation.attrib) for annotation in row.findall("annotation")]
    labels = {_truth(annotation) for annotation in annotations}
    if len(labels) > 1:
        source.mark("annotators disagree whether it is a paraphrase; no label")
    meta: dict[str, Any] = {"snippets": [{"id": id, **_description(corpus, id)} for id in ids]}
    meta |= {"annotations": annotations} if annotations else {}
    meta |= {"source_description": description} if "source_description" in row.attrib else {}
    meta |= {"version": corpus.attributes["version"]} if "version" in corpus.attributes else {}
    return Pair(
        id=f"{source.stem}:{number}" if own is None or own == "" else str(own),
        text1=corpus.texts[ids[0]],
        text2=corpus.texts[ids[1]],
        lang=corpus.attributes.get("lng") or source.lang,
        source=corpus.attributes.get("name") or None,
        label=labels.pop() if len(labels) == 1 else None,
        meta=meta,
    )


def _description(corpus: _Corpus, id: str) -> dict[str, Any]:
    return {"source_description": corpus.descriptions[id]} if id in corpus.descriptions else {}


def _truth(annotation: dict[str, str]) -> str:
    given = annotation.get("is_paraphrase", "")
    if given not in _TRUTHS:
        raise ValueError(f"is_paraphrase is {given!r}; true or false is expected")
    return _TRUTHS[given]


def _judgements(row: Element, pair: Pair, source: Source) -> list[Judgement]:
    return [
        Judgement(
            id=f"{pair.id}:{number}",
            pair=pair.id,
            annotator=annotation.get("author"),
            scheme="vila",
            value=[_phenomenon(element, pair, source) for element in annotation.findall("phenomenon")],
            meta=_kept(pair, annotation),
        )
        for number, annotation in enumerate(row.findall("annotation"), 1)
    ]


def _kept(pair: Pair, annotation: Element) -> dict[str, Any]:
    """What the file says around an annotation, so that it can be written again from the judgement."""
    meta = {"text1": pair.text1, "text2": pair.text2, "lang": pair.lang, "source": pair.source}
    meta |= {name: pair.meta.get(name) for name in ("snippets", "version")}
    meta |= {"label": _truth(dict(annotation.attrib)), "source_description": annotation.get("source_description")}
    meta |= {"pair_description": pair.meta.get("source_description")}
    return {name: value for name, value in meta.items() if value is not None}


def _phenomenon(element: Element, pair: Pair, source: Source) -> dict[str, Any]:
    """One typed change as CONVENTIONS write it: only the fields that it has."""
    type, projection = element.get("type"), element.get("projection")
    if not type:
        raise ValueError("a phenomenon without a type")
    if projection is not None and projection not in ("local", "global"):
        raise ValueError(f"projection is {projection!r}; local or global is expected")
    phenomenon: dict[str, Any] = {"type": type}
    for snippet in element.findall("snippet"):
        side = _side(snippet.get("id", ""), pair)
        text = pair.text1 if side == 1 else pair.text2
        for kind in ("scope", "key"):
            if ranges := [_range(part, text) for part in snippet.findall(kind)]:
                phenomenon.setdefault(f"{kind}{side}", []).extend(ranges)
    if projection:
        phenomenon["projection"] = projection
    if description := element.get("source_description"):
        phenomenon["meta"] = {"source_description": description}
    if source.wants_judgements and type in ONE_SIDED and {"scope1", "scope2"} <= phenomenon.keys():
        source.mark(f"{type} with scopes in both texts")
    return phenomenon


def _side(id: str, pair: Pair) -> int:
    first, second = (snippet["id"] for snippet in pair.meta["snippets"])
    if id not in (first, second):
        raise ValueError(f"a phenomenon in snippet {id!r}, which is not of this pair ({first}, {second})")
    return 1 if id == first else 2


def _range(part: Element, text: str) -> list[int]:
    offset, length = part.get("offset", ""), part.get("length", "")
    if not (offset.isascii() and offset.isdigit() and length.isascii() and length.isdigit()) or len(offset) > 15:
        raise ValueError(f"a scope needs a numeric offset and length, found {offset!r} and {length!r}")
    start = int(offset)
    end = start + int(length[:15])
    if end > len(text):
        raise ValueError(f"a scope of characters {start}–{end} in a text of {len(text)}")
    return [start, end]


def sniff(head: Head) -> bool:
    """The namespace of the format."""
    return "<corpus" in head.text and NAMESPACE in head.text


FORMAT = Format(
    name="p4p",
    title="P4P, MSRP-A, WRPA-A (XML with typed phenomena)",
    read=read,
    write=write,
    sniff=sniff,
    suffix=".xml",
    nouns=(Pair, Judgement),
)
