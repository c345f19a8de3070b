"""Write the XML of P4P from pairs, or from judgements that hold the texts of their pairs.

In the file all snippets come before all pairs, so the pairs are kept in a temporary file while the snippets are
written.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import BinaryIO

from otherwords.errors import WriteError
from otherwords.records import Judgement, Pair, Record, phenomena_in
from otherwords.sources.io.xml_stream import xml_attribute, xml_text
from otherwords.sources.rows.layout import check_writable_label
from otherwords.sources.rows.records import JsonObject

NAMESPACE = "http://clic.ub.edu/mbertran/formats/paraphrase-corpus"
_IN_MEMORY = 16 * 2**20
_IS_PARAPHRASE = {"1": "true", "0": "false"}


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write the snippets, then the pairs; adjacent judgements of one pair make one pair."""
    started = False
    seen: set[str] = set()
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as aside:
        for id, group in groupby(records, _pair_of):
            members = list(group)
            texts = _texts(members[0])
            if not started:
                stream.write(_start(members[0]).encode())
                started = True
            snippets = _fields(members[0]).get("snippets") or [{"id": f"{id}.1"}, {"id": f"{id}.2"}]
            for snippet, text in zip(snippets, texts, strict=True):
                if snippet["id"] not in seen:
                    seen.add(snippet["id"])
                    attributes = _attributes({"id": snippet["id"], **_description_attribute(snippet)})
                    stream.write(f"    <snippet{attributes}>{xml_text(text)}</snippet>\n".encode())
            names = [snippet["id"] for snippet in snippets]
            aside.writelines(line.encode() for line in _candidates(members, names, id))
        if not started:
            stream.write(_start(None).encode())
        stream.write(b"  </snippets>\n")
        aside.seek(0)
        shutil.copyfileobj(aside, stream)
    stream.write(b"</corpus>\n")


def _pair_of(record: Record) -> str:
    if isinstance(record, Pair):
        return record.id
    if isinstance(record, Judgement):
        return record.pair
    raise WriteError(f"p4p can hold pairs and judgements, not {type(record).__name__}", code="noun-not-in-format")


def _start(record: Record | None) -> str:
    fields = _fields(record) if record is not None else {}
    known = {"name": fields.get("source"), "version": fields.get("version"), "lng": fields.get("lang")}
    attributes = _attributes({name: value for name, value in known.items() if value is not None})
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<corpus xmlns="{NAMESPACE}"{attributes}>\n  <snippets>\n'


def _fields(record: Record) -> JsonObject:
    """The fields of the corpus; a judgement has them in ``meta``."""
    if isinstance(record, Pair):
        return {**record.meta, "lang": record.lang, "source": record.source}
    return record.meta if isinstance(record, Judgement) else {}


def _texts(record: Record) -> tuple[str, str]:
    if isinstance(record, Pair):
        return record.text1, record.text2
    meta = _fields(record)
    if not isinstance(meta.get("text1"), str) or not isinstance(meta.get("text2"), str):
        raise WriteError(
            f"the judgement of pair {_pair_of(record)} needs the texts of the pair in meta.text1 and meta.text2; "
            "write judgements that were read from p4p, or write the pairs",
            code="texts-missing",
        )
    return meta["text1"], meta["text2"]


def _description_attribute(fields: JsonObject, name: str = "source_description") -> dict[str, str]:
    """A parsed description as the attribute that it was."""
    description = fields.get(name)
    return {} if description is None else {"source_description": join_description(description)}


def join_description(fields: JsonObject | str) -> str:
    """The text of a parsed description."""
    return fields if isinstance(fields, str) else ";".join(f"{name}:{value}" for name, value in fields.items())


def _attributes(values: JsonObject) -> str:
    return "".join(f" {name}={xml_attribute(value)}" for name, value in values.items())


def _candidates(members: list[Record], snippets: list[str], id: str) -> Iterator[str]:
    first = members[0]
    name = "source_description" if isinstance(first, Pair) else "pair_description"
    description = _description_attribute(_fields(first), name) or {"source_description": f"id:{id}"}
    yield f"  <paraphrase_candidates{_attributes(description)}>\n"
    yield from (f"    <snippet id={xml_attribute(snippet)} />\n" for snippet in snippets)
    for record in members:
        if isinstance(record, Judgement):
            yield from _annotation(record, snippets)
        elif isinstance(record, Pair):
            for annotation in _annotations(record):
                yield f"    <annotation{_attributes(annotation)} />\n"
    yield "  </paraphrase_candidates>\n"


def _annotations(pair: Pair) -> list[JsonObject]:
    """The annotations of a pair; for a pair from elsewhere, its label."""
    check_writable_label(pair.id, pair.label, _IS_PARAPHRASE, "p4p")
    if "annotations" not in pair.meta:
        return [{"is_paraphrase": _IS_PARAPHRASE[pair.label]}] if pair.label is not None else []
    annotations: list[JsonObject] = pair.meta["annotations"]
    values = {annotation.get("is_paraphrase") for annotation in annotations}
    expected = _IS_PARAPHRASE[pair.label] if pair.label is not None else None
    if expected != (values.pop() if len(values) == 1 else None):
        raise WriteError(
            f"pair {pair.id}: its label {pair.label!r} differs from its annotations, which p4p has instead of a label; "
            "correct or remove meta.annotations",
            code="label-differs-from-annotations",
        )
    return annotations


def _annotation(judgement: Judgement, names: list[str]) -> Iterator[str]:
    author = {"author": judgement.annotator} if judgement.annotator is not None else {}
    phenomena = phenomena_in(judgement.value)
    # Without a label, a pair with a list of types is a paraphrase; an answer without such a list says that it is not.
    label = judgement.meta.get("label") or ("0" if phenomena is None else "1")
    check_writable_label(judgement.pair, label, _IS_PARAPHRASE, "p4p")
    answer = {"is_paraphrase": _IS_PARAPHRASE[label]}
    yield f"    <annotation{_attributes(author | answer | _description_attribute(judgement.meta))}>\n"
    for phenomenon in phenomena or []:
        yield from _phenomenon(phenomenon, names)
    yield "    </annotation>\n"


def _phenomenon(phenomenon: JsonObject, names: list[str]) -> Iterator[str]:
    attributes = {name: phenomenon[name] for name in ("type", "projection") if phenomenon.get(name)}
    yield f"      <phenomenon{_attributes(attributes | _description_attribute(phenomenon.get('meta') or {}))}>\n"
    for side, name in enumerate(names, 1):
        parts = [(kind, part) for kind in ("scope", "key") for part in phenomenon.get(f"{kind}{side}") or []]
        if parts:
            yield f"        <snippet id={xml_attribute(name)}>\n"
            for kind, (start, end) in parts:
                yield f'          <{kind} offset="{start}" length="{end - start}" />\n'
            yield "        </snippet>\n"
    yield "      </phenomenon>\n"
