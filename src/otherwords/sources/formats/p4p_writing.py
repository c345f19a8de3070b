"""Writing the XML of P4P from pairs, or from judgements that carry the texts of their pairs.

All snippets come before all pairs in the file, so the pairs wait aside while the snippets are
written; records may come in any number.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, BinaryIO

from otherwords.errors import WriteError
from otherwords.records import Judgement, Pair, Record, phenomena_in
from otherwords.sources.layout import check_written_label
from otherwords.sources.xml_stream import quoted, written

NAMESPACE = "http://clic.ub.edu/mbertran/formats/paraphrase-corpus"
_IN_MEMORY = 16 * 2**20
_IS_PARAPHRASE = {"1": "true", "0": "false"}


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Snippets first, then the pairs; judgements of one pair that follow each other make one pair."""
    started = False
    seen: set[str] = set()
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as aside:
        for id, group in groupby(records, _pair_of):
            members = list(group)
            texts = _texts(members[0])
            if not started:
                stream.write(_start(members[0]).encode())
                started = True
            snippets = _snippets(id, members[0])
            for snippet, text in zip(snippets, texts, strict=True):
                if snippet["id"] not in seen:
                    seen.add(snippet["id"])
                    attributes = _attributes({"id": snippet["id"], **_described(snippet)})
                    stream.write(f"    <snippet{attributes}>{written(text)}</snippet>\n".encode())
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
    raise WriteError(f"P4P holds pairs or judgements, not {type(record).__name__}")


def _start(record: Record | None) -> str:
    fields = _fields(record) if record is not None else {}
    given = {"name": fields.get("source"), "version": fields.get("version"), "lng": fields.get("lang")}
    attributes = _attributes({name: value for name, value in given.items() if value is not None})
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<corpus xmlns="{NAMESPACE}"{attributes}>\n  <snippets>\n'


def _fields(record: Record) -> dict[str, Any]:
    """Where a pair has fields, a judgement has them in meta."""
    if isinstance(record, Pair):
        return {**record.meta, "lang": record.lang, "source": record.source}
    return record.meta if isinstance(record, Judgement) else {}


def _texts(record: Record) -> tuple[str, str]:
    if isinstance(record, Pair):
        return record.text1, record.text2
    meta = _fields(record)
    if not isinstance(meta.get("text1"), str) or not isinstance(meta.get("text2"), str):
        raise WriteError(
            f"P4P: the judgement of pair {_pair_of(record)} does not carry the texts (meta.text1, meta.text2); "
            "write judgements that were read from P4P, or write the pairs"
        )
    return meta["text1"], meta["text2"]


def _snippets(id: str, record: Record) -> list[dict[str, Any]]:
    return _fields(record).get("snippets") or [{"id": f"{id}.1"}, {"id": f"{id}.2"}]


def _described(fields: dict[str, Any], name: str = "source_description") -> dict[str, str]:
    """A parsed description as the one attribute that it was."""
    given = fields.get(name)
    if given is None:
        return {}
    return {"source_description": description_of(given)}


def description_of(fields: dict[str, Any] | str) -> str:
    """The text that a description was read from."""
    return fields if isinstance(fields, str) else ";".join(f"{name}:{value}" for name, value in fields.items())


def _attributes(values: dict[str, Any]) -> str:
    return "".join(f" {name}={quoted(value)}" for name, value in values.items())


def _candidates(members: list[Record], names: list[str], id: str) -> Iterator[str]:
    first = members[0]
    own = "source_description" if isinstance(first, Pair) else "pair_description"
    description = _described(_fields(first), own) or {"source_description": f"id:{id}"}
    yield f"  <paraphrase_candidates{_attributes(description)}>\n"
    yield from (f"    <snippet id={quoted(name)} />\n" for name in names)
    for record in members:
        if isinstance(record, Judgement):
            yield from _annotation(record, names)
        elif isinstance(record, Pair):
            for annotation in _annotations(record):
                yield f"    <annotation{_attributes(annotation)} />\n"
    yield "  </paraphrase_candidates>\n"


def _annotations(pair: Pair) -> list[dict[str, Any]]:
    """Who said that it is a paraphrase; of a pair from elsewhere, its label."""
    check_written_label(pair.id, pair.label, _IS_PARAPHRASE, "p4p")
    if "annotations" not in pair.meta:
        return [{"is_paraphrase": _IS_PARAPHRASE[pair.label]}] if pair.label is not None else []
    given: list[dict[str, Any]] = pair.meta["annotations"]
    said = {annotation.get("is_paraphrase") for annotation in given}
    if (_IS_PARAPHRASE[pair.label] if pair.label is not None else None) != (said.pop() if len(said) == 1 else None):
        raise WriteError(
            f"pair {pair.id}: its label {pair.label!r} is not what its annotations say, which p4p has in its place; "
            "correct or take away meta.annotations"
        )
    return given


def _annotation(judgement: Judgement, names: list[str]) -> Iterator[str]:
    author = {"author": judgement.annotator} if judgement.annotator is not None else {}
    listed = phenomena_in(judgement.value)
    # types are found in paraphrases, unless it was said to be none; an answer that leaves them out says so
    label = judgement.meta.get("label") or ("0" if listed is None else "1")
    check_written_label(judgement.pair, label, _IS_PARAPHRASE, "p4p")
    truth = {"is_paraphrase": _IS_PARAPHRASE[label]}
    yield f"    <annotation{_attributes(author | truth | _described(judgement.meta))}>\n"
    for phenomenon in listed or []:
        yield from _phenomenon(phenomenon, names)
    yield "    </annotation>\n"


def _phenomenon(phenomenon: dict[str, Any], names: list[str]) -> Iterator[str]:
    given = {name: phenomenon[name] for name in ("type", "projection") if phenomenon.get(name)}
    yield f"      <phenomenon{_attributes(given | _described(phenomenon.get('meta') or {}))}>\n"
    for side, name in enumerate(names, 1):
        parts = [(kind, part) for kind in ("scope", "key") for part in phenomenon.get(f"{kind}{side}") or []]
        if parts:
            yield f"        <snippet id={quoted(name)}>\n"
            for kind, (start, end) in parts:
                yield f'          <{kind} offset="{start}" length="{end - start}" />\n'
            yield "        </snippet>\n"
    yield "      </phenomenon>\n"
