"""What an annotator sees of a unit: the two texts of a pair, how two documents begin, the sentences of a group.

In go ids of units, out comes what is shown of each. One that was withdrawn or removed since is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, select

from otherwords.annotate.triaging import first_sentences
from otherwords.project import schema
from otherwords.project.rows import PRESENT, dicts, records
from otherwords.records import Document, DocumentPair, Unit

MOST_TEXTS = 20  # of a group
MOST_CHARACTERS = 280  # of each of them
ROWS_A_GROUP = 200


@dataclass(frozen=True, slots=True)
class Shown:
    """A unit as a page shows it: two texts, or the many of a group; ``context`` where there are whole documents."""

    text1: str = ""
    text2: str = ""
    lang: str | None = None
    texts: tuple[str, ...] = ()
    context: bool = False


def shown_units(connection: Connection, unit: Unit, names: Sequence[str]) -> dict[str, Shown]:
    """What is shown of some units, by their ids."""
    if not names:
        return {}
    if unit == "pair":
        return _pairs(connection, names)
    return _document_pairs(connection, names) if unit == "document_pair" else _groups(connection, names)


_pair = schema.pairs
_COLUMNS = (_pair.c.id, _pair.c.text1, _pair.c.text2, _pair.c.lang, _pair.c.doc1, _pair.c.doc2)
_THERE = select(*_COLUMNS).where(
    _pair.c.id.in_(bindparam("names", expanding=True)), _pair.c.state.is_(None), _pair.c.text1 != ""
)


def _pairs(connection: Connection, names: Sequence[str]) -> dict[str, Shown]:
    rows = dicts(connection.execute(_THERE, {"names": list(names)}))
    return {row["id"]: Shown(row["text1"], row["text2"], row["lang"], (), _has_documents(row)) for row in rows}


def _has_documents(row: dict[str, Any]) -> bool:
    return row["doc1"] is not None and row["doc2"] is not None


def _document_pairs(connection: Connection, names: Sequence[str]) -> dict[str, Shown]:
    found = list(records(connection, DocumentPair, schema.document_pairs.c.id.in_(names)))
    wanted = {name for pair in found for name in (pair.doc1, pair.doc2)}
    documents = {one.id: one for one in records(connection, Document, schema.documents.c.id.in_(wanted))}
    told: dict[str, Shown] = {}
    for pair in found:
        one, two, part = documents.get(pair.doc1), documents.get(pair.doc2), pair.part
        if one and two and one.text and two.text:
            text1 = one.text[part.start1 : part.end1] if part else one.text
            text2 = two.text[part.start2 : part.end2] if part else two.text
            told[pair.id] = Shown(first_sentences(text1, one.lang)[0], first_sentences(text2, two.lang)[0], one.lang)
    return told


def _groups(connection: Connection, names: Sequence[str]) -> dict[str, Shown]:
    told = {name: _group(connection, name) for name in names}
    return {name: shown for name, shown in told.items() if shown.texts}


def _group(connection: Connection, name: str) -> Shown:
    """The different sentences of a group's pairs; before there are pairs, how its documents begin."""
    one, document = schema.pairs, schema.documents
    of_pairs = select(one.c.text1, one.c.text2, one.c.lang).where(one.c.group == name, PRESENT, one.c.text1 != "")
    rows = connection.execute(of_pairs.order_by(one.c.seq).limit(ROWS_A_GROUP)).all()
    texts = [(text, row.lang) for row in rows for text in (row.text1, row.text2)]
    if not texts:
        of_documents = select(document.c.text, document.c.lang).where(document.c.group == name, document.c.text != "")
        begun = connection.execute(of_documents.order_by(document.c.seq).limit(MOST_TEXTS)).all()
        texts = [(row.text, row.lang) for row in begun]
    different = dict.fromkeys(texts)
    cut = [first_sentences(text, lang, MOST_CHARACTERS) for text, lang in list(different)[:MOST_TEXTS]]
    return Shown(lang=texts[0][1] if texts else None, texts=tuple(text + "…" * more for text, more in cut))
