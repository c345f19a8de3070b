"""ParaPhraser.ru: XML of Russian headline pairs in three classes (−1 no paraphrase, 0 loose, 1 strict)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.layout import check_written_label
from otherwords.sources.source import Source
from otherwords.sources.xml_stream import elements, quoted, written

LABELS = ("-1", "0", "1")
_FIELDS = frozenset({"id", "text_1", "text_2", "jaccard", "class"})


def read(source: Source) -> Iterator[Record]:
    """The pairs."""
    rows = elements(source, frozenset({"paraphrase"}))
    _, root = next(rows)
    if root.tag != "data":
        raise source.error(f"an XML file with the root data is expected, found {root.tag}")
    for number, (line, row) in enumerate(rows, 1):
        values = {value.get("name", ""): "".join(value.itertext()) for value in row.iter("value")}
        try:
            yield _pair(values, f"{source.stem}:{number}", source)
        except ValueError as problem:
            source.reject(line, str(problem), values)


def _pair(values: dict[str, str], default_id: str, source: Source) -> Pair:
    for name in ("text_1", "text_2"):
        if name not in values:
            raise ValueError(f"no value named {name}")
    label = values.get("class", "").strip() or None
    if label is not None and label not in LABELS:
        raise ValueError(f"class {label!r} is not one of {', '.join(LABELS)}")
    return Pair(
        id=values.get("id", "").strip() or default_id,
        text1=values["text_1"],
        text2=values["text_2"],
        lang=source.lang or "ru",
        scores=_jaccard(values.get("jaccard", "")),
        label=label,
        meta={name: value for name, value in values.items() if name not in _FIELDS},
    )


def _jaccard(text: str) -> dict[str, float | None]:
    if not text.strip():
        return {}
    try:
        return {"jaccard": float(text)}
    except ValueError:
        raise ValueError(f"jaccard {text!r} is not a number") from None


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """The same XML, with the encoding spelled as XML wants it."""
    stream.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<data>\n  <corpus>\n')
    for record in records:
        if isinstance(record, Pair):
            values = "".join(
                f"      <value name={quoted(name)}>{written(value)}</value>\n"
                for name, value in _values(record).items()
                if value is not None
            )
            stream.write(f"    <paraphrase>\n{values}    </paraphrase>\n".encode())
    stream.write(b"  </corpus>\n</data>\n")


def _values(pair: Pair) -> dict[str, Any]:
    check_written_label(pair.id, pair.label, LABELS, "paraphraser")
    others = {name: value for name, value in pair.meta.items() if isinstance(value, str)}
    sentences: dict[str, Any] = {name: others.pop(name, None) for name in ("id_1", "id_2")}
    texts = {"text_1": pair.text1, "text_2": pair.text2}
    return {"id": pair.id, **sentences, **texts, "jaccard": pair.scores.get("jaccard"), "class": pair.label, **others}


def sniff(head: Head) -> bool:
    text = head.text
    return "<paraphrase>" in text and any(f"<value name={quote}text_1{quote}>" in text for quote in "\"'")


FORMAT = Format(
    name="paraphraser",
    title="ParaPhraser.ru (XML)",
    read=read,
    write=write,
    sniff=sniff,
    suffix=".xml",
)
