"""Writing ETPC: a folder with the pairs, the types and, from judgements, the files of relations."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

from otherwords.errors import WriteError
from otherwords.records import Judgement, Pair, Record, phenomena_in
from otherwords.sources.layout import BINARY, check_written_label
from otherwords.sources.token_ranges import Span, numbers_of, token_spans
from otherwords.sources.xml_stream import written

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
    """Ranges as ETPC writes them: the numbers of their tokens."""
    return ", ".join(map(str, numbers_of(ranges, spans)))


def words_of(ranges: Iterable[Sequence[int]], text: str) -> str:
    """The words of ranges, with one blank between them."""
    return " ".join(text[start:end] for start, end in ranges)


class _Files(contextlib.ExitStack):
    """The XML files of the folder, opened when first written to and closed with their last tag."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder, self._open = folder, dict[str, IO[bytes]]()

    def row(self, file: str, name: str, values: dict[str, Any]) -> None:
        """One element with a child a value."""
        if file not in self._open:
            stream = self._open[file] = self.enter_context((self._folder / f"{file}.xml").open("wb"))
            stream.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<xml>\n')
            self.callback(stream.write, b"</xml>\n")
        cells = "".join(f"    <{key}>{written(value)}</{key}>\n" for key, value in values.items() if value is not None)
        self._open[file].write(f"  <{name}>\n{cells}  </{name}>\n".encode())


def write_folder(records: Iterable[Record], folder: Path) -> None:
    """text_pairs.xml, and from judgements the files that they were read from and paraphrase_types.xml."""
    pairs: set[str] = set()
    types: dict[str, dict[str, Any]] = {}
    with _Files(folder) as files:
        for record in records:
            if isinstance(record, Pair):
                files.row("text_pairs", "text_pair", _pair(record.id, record.text1, record.text2, record))
            elif isinstance(record, Judgement):
                text1, text2 = _texts(record)
                if record.pair not in pairs:
                    pairs.add(record.pair)
                    files.row("text_pairs", "text_pair", _pair(record.pair, text1, text2, record))
                for phenomenon in phenomena_in(record.value) or []:
                    relation = _relation(record.pair, phenomenon, text1, text2)
                    _note_type(types, phenomenon)
                    files.row(_safe(record.meta.get("file")), "relation", relation)
        for values in types.values():
            files.row("paraphrase_types", "paraphrase_type", values)


def _safe(name: object) -> str:
    """A file name that cannot lead out of the folder or over another file of it."""
    safe = isinstance(name, str) and name.replace("_", "").replace("-", "").isalnum()
    return str(name) if safe and name not in ("text_pairs", "paraphrase_types") else _RELATIONS


def _texts(judgement: Judgement) -> tuple[str, str]:
    text1, text2 = judgement.meta.get("text1"), judgement.meta.get("text2")
    if not isinstance(text1, str) or not isinstance(text2, str):
        raise WriteError(
            f"ETPC: the judgement of pair {judgement.pair} does not carry the texts (meta.text1, meta.text2), "
            "which its scopes are counted in"
        )
    return text1, text2


def _pair(id: str, text1: str, text2: str, record: Pair | Judgement) -> dict[str, Any]:
    label = record.label if isinstance(record, Pair) else record.meta.get("label")
    check_written_label(id, label, BINARY, "etpc")
    others = {name: value for name, value in record.meta.items() if name not in _NOT_IN_PAIRS and _is_tag(name, value)}
    return {"pair_id": id, "sent1_tokenized": text1, "sent2_tokenized": text2, "etpc_label": label, **others}


def _is_tag(name: str, value: object) -> bool:
    return isinstance(value, str) and name.isascii() and name.isidentifier()


def _relation(id: str, phenomenon: dict[str, Any], text1: str, text2: str) -> dict[str, Any]:
    meta = phenomenon.get("meta") or {}
    values: dict[str, Any] = {"pair_id": id, "type_id": meta.get("type_id"), "type_name": phenomenon.get("type")}
    values["sense_preserving"] = meta.get("sense_preserving", "")
    for side, (numbers, words) in SIDES.items():
        text = text1 if side.endswith("1") else text2
        ranges = phenomenon.get(side) or []
        values[numbers] = meta.get(numbers, scope_text(ranges, token_spans(text)))
        values[words] = meta.get(words, words_of(ranges, text))
    others = {key: value for key, value in meta.items() if key not in (*values, "category") and _is_tag(key, value)}
    others |= {"projection": phenomenon["projection"]} if phenomenon.get("projection") else {}
    return {name: values[name] for name in _RELATION} | others


def _note_type(types: dict[str, dict[str, Any]], phenomenon: dict[str, Any]) -> None:
    meta = phenomenon.get("meta") or {}
    if "category" in meta and meta.get("type_id"):
        names = {"type_id": meta["type_id"], "type_name": phenomenon["type"], "type_category": meta["category"]}
        types.setdefault(meta["type_id"], names)
