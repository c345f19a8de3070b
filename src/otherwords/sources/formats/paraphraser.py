"""ParaPhraser.ru: XML of Russian headline pairs in three classes (−1 no paraphrase, 0 loose, 1 strict)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from otherwords.records import Pair, Record
from otherwords.sources.format import Format, Head
from otherwords.sources.io.xml_stream import elements_below, xml_attribute, xml_text
from otherwords.sources.rows.layout import check_writable_label
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.source import Source

LABELS = ("-1", "0", "1")
_FIELDS = frozenset({"id", "text_1", "text_2", "jaccard", "class"})


def read(source: Source) -> Iterator[Record]:
    """The pairs."""
    _, rows = elements_below(source, ("data",), frozenset({"paraphrase"}))
    for number, (line, row) in enumerate(rows, 1):
        values = {value.get("name", ""): "".join(value.itertext()) for value in row.iter("value")}
        try:
            yield _pair(values, f"{source.stem}:{number}", source)
        except ValueError as problem:
            source.reject(line, str(problem), values)


def _pair(values: dict[str, str], default_id: str, source: Source) -> Pair:
    for name in ("text_1", "text_2"):
        if name not in values:
            raise ValueError(f"no value named {name}; found: {', '.join(values)}")
    label = values.get("class", "").strip() or None
    if label is not None and label not in LABELS:
        raise ValueError(f"class: one of {', '.join(LABELS)} is expected, found {label!r}")
    jaccard = values.get("jaccard", "")
    try:
        scores: dict[str, float | None] = {"jaccard": float(jaccard)} if jaccard.strip() else {}
    except ValueError:
        raise ValueError(f"jaccard: a number is expected, found {jaccard!r}") from None
    return Pair(
        id=values.get("id", "").strip() or default_id,
        text1=values["text_1"],
        text2=values["text_2"],
        lang=source.lang or "ru",
        scores=scores,
        label=label,
        meta={name: value for name, value in values.items() if name not in _FIELDS},
    )


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the same XML, with the name of the encoding as XML requires it."""
    stream.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<data>\n  <corpus>\n')
    for pair in (record for record in records if isinstance(record, Pair)):
        check_writable_label(pair.id, pair.label, LABELS, "paraphraser")
        others = {name: value for name, value in pair.meta.items() if isinstance(value, str)}
        sentences: JsonObject = {name: others.pop(name, None) for name in ("id_1", "id_2")}
        values = {"id": pair.id, **sentences, "text_1": pair.text1, "text_2": pair.text2}
        values |= {"jaccard": pair.scores.get("jaccard"), "class": pair.label, **others}
        elements = (
            f"      <value name={xml_attribute(name)}>{xml_text(value)}</value>\n"
            for name, value in values.items()
            if value is not None
        )
        stream.write(f"    <paraphrase>\n{''.join(elements)}    </paraphrase>\n".encode())
    stream.write(b"  </corpus>\n</data>\n")


def sniff(head: Head) -> bool:
    text = head.text
    return "<paraphrase>" in text and any(f"<value name={quote}text_1{quote}>" in text for quote in "\"'")


FORMAT = Format("paraphraser", "ParaPhraser.ru (XML)", read, write, sniff, suffix=".xml")
