"""Write ETPC: a folder with the pairs and, for judgements, the types and the files of relations."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

from otherwords.errors import WriteError
from otherwords.records import Judgement, Pair, Record, phenomena_in
from otherwords.sources.io.xml_stream import xml_text
from otherwords.sources.rows.layout import BINARY, check_writable_label
from otherwords.sources.rows.records import JsonObject
from otherwords.sources.rows.token_ranges import Span, token_numbers, token_spans

WHOLE = "whole sentence"
SIDES = {
    "scope1": ("s1_scope", "s1_text"),
    "scope2": ("s2_scope", "s2_text"),
    "key1": ("key_s1", "k1_text"),
    "key2": ("key_s2", "k2_text"),
}
_RELATIONS = "relations"
_FIELDS = (*(numbers for numbers, _ in SIDES.values()), *(words for _, words in SIDES.values()))
_RELATION = ("pair_id", "type_id", "type_name", "sense_preserving", *_FIELDS)
_NOT_IN_PAIRS = ("tokeniser", "file", "text1", "text2", "label")


def scope_text(ranges: Iterable[Sequence[int]], spans: Sequence[Span]) -> str:
    """Ranges as token numbers, in the notation of ETPC."""
    return ", ".join(map(str, token_numbers(ranges, spans)))


def words_in(ranges: Iterable[Sequence[int]], text: str) -> str:
    """The words in the ranges, with one blank between ranges."""
    return " ".join(text[start:end] for start, end in ranges)


class _XmlFiles(contextlib.ExitStack):
    """The XML files of the folder, which are opened when first written to and closed with their last tag."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder, self._open = folder, dict[str, IO[bytes]]()

    def row(self, file: str, name: str, values: JsonObject) -> None:
        """Write one element with one child per value."""
        if file not in self._open:
            stream = self._open[file] = self.enter_context((self._folder / f"{file}.xml").open("wb"))
            stream.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<xml>\n')
            self.callback(stream.write, b"</xml>\n")
        cells = "".join(f"    <{key}>{xml_text(value)}</{key}>\n" for key, value in values.items() if value is not None)
        self._open[file].write(f"  <{name}>\n{cells}  </{name}>\n".encode())


def write_folder(records: Iterable[Record], folder: Path) -> None:
    """Write text_pairs.xml and, for judgements, the files they were read from and paraphrase_types.xml."""
    pairs: set[str] = set()
    types: dict[str, JsonObject] = {}
    with _XmlFiles(folder) as files:
        for record in records:
            if isinstance(record, Pair):
                files.row("text_pairs", "text_pair", _pair(record.id, record.text1, record.text2, record))
            elif isinstance(record, Judgement):
                text1, text2 = _texts(record)
                if record.pair not in pairs:
                    pairs.add(record.pair)
                    files.row("text_pairs", "text_pair", _pair(record.pair, text1, text2, record))
                name = record.meta.get("file")
                reserved = name in ("text_pairs", "paraphrase_types")
                if reserved or not isinstance(name, str) or not name.replace("_", "").replace("-", "").isalnum():
                    name = _RELATIONS  # a name must not lead out of the folder or overwrite another of its files
                for phenomenon in phenomena_in(record.value) or []:
                    files.row(name, "relation", _relation(record.pair, phenomenon, text1, text2))
                    meta = phenomenon.get("meta") or {}
                    if "category" in meta and (id := meta.get("type_id")):
                        category = {"type_name": phenomenon["type"], "type_category": meta["category"]}
                        types.setdefault(id, {"type_id": id, **category})
        for values in types.values():
            files.row("paraphrase_types", "paraphrase_type", values)


def _texts(judgement: Judgement) -> tuple[str, str]:
    text1, text2 = judgement.meta.get("text1"), judgement.meta.get("text2")
    if not isinstance(text1, str) or not isinstance(text2, str):
        raise WriteError(
            f"the judgement of pair {judgement.pair} needs the texts of the pair in meta.text1 and meta.text2, "
            "in which etpc counts its scopes",
            code="texts-missing",
        )
    return text1, text2


def _pair(id: str, text1: str, text2: str, record: Pair | Judgement) -> JsonObject:
    label = record.label if isinstance(record, Pair) else record.meta.get("label")
    check_writable_label(id, label, BINARY, "etpc")
    others = {name: value for name, value in record.meta.items() if name not in _NOT_IN_PAIRS and _is_tag(name, value)}
    return {"pair_id": id, "sent1_tokenized": text1, "sent2_tokenized": text2, "etpc_label": label, **others}


def _is_tag(name: str, value: object) -> bool:
    return isinstance(value, str) and name.isascii() and name.isidentifier()


def _relation(id: str, phenomenon: JsonObject, text1: str, text2: str) -> JsonObject:
    meta = phenomenon.get("meta") or {}
    values: JsonObject = {"pair_id": id, "type_id": meta.get("type_id"), "type_name": phenomenon.get("type")}
    values["sense_preserving"] = meta.get("sense_preserving", "")
    for side, (numbers, words) in SIDES.items():
        text = text1 if side.endswith("1") else text2
        ranges = phenomenon.get(side) or []
        values[numbers] = meta.get(numbers, scope_text(ranges, token_spans(text)))
        values[words] = meta.get(words, words_in(ranges, text))
    others = {key: value for key, value in meta.items() if key not in (*values, "category") and _is_tag(key, value)}
    others |= {"projection": phenomenon["projection"]} if phenomenon.get("projection") else {}
    return {name: values[name] for name in _RELATION} | others
