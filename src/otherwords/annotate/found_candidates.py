"""A sentence and one of its nearest as a candidate: two texts that a curator put together while searching.

A candidate is there once, whichever of its texts was searched for. It keeps the way back to the pairs, documents and
pool that its texts are from, so that what is withdrawn there is withdrawn here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, or_, select

from otherwords.acquire.candidates import MADE
from otherwords.align.candidates import comparable_form
from otherwords.annotate.browse.conditions import row_conditions
from otherwords.annotate.browse.filter import NO_FILTER
from otherwords.digests import digest_hex
from otherwords.errors import NotFound, Refused
from otherwords.mining.pairs import trivial
from otherwords.project.ledger import insert_new, schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.withdrawal.erase_rows import text_digest, withdrawn
from otherwords.records import Pair, Passage

METHOD = "search"
COSINE = "cosine"
_pairs, _documents = schema.pairs, schema.documents


@dataclass(frozen=True, slots=True)
class PoolPlace:
    """Where a sentence of a pool is from."""

    pool: str
    place: str
    source: str
    name: str | None  # the id of its record, which may be a document of the project


@dataclass(frozen=True, slots=True)
class AddedCandidate:
    """The pair that two texts are; ``added`` says whether it was not there before."""

    id: str
    added: bool


def candidate_id(text1: str, text2: str) -> str:
    """The id of the candidate of two texts, in any order."""
    return f"{METHOD}-{digest_hex(*sorted((text1, text2)), size=10)}"


def known_candidates(connection: Connection, ids: Collection[str]) -> set[str]:
    """Those of these candidates that the project has."""
    return set(connection.execute(select(_pairs.c.id).where(_pairs.c.id.in_(ids))).scalars())


def add_candidate(
    connection: Connection,
    sentence: str,
    neighbour: str,
    *,
    cosine: float,
    lang: str,
    author: str,
    place: PoolPlace | None = None,
) -> AddedCandidate:
    """Add a sentence and its neighbour, which is in the corpus unless ``place`` says where in a pool it is."""
    if comparable_form(sentence) == comparable_form(neighbour):
        raise Refused("both sentences are the same; choose another one", "text", code="same-sentence")
    known = _pairs_with(connection, sentence, neighbour)
    if (same := _same_pair(known, sentence, neighbour)) is not None:
        return AddedCandidate(same, added=False)
    origins = [_origin(known, text) for text in (sentence, neighbour)]
    if place is None and origins[1] is None:
        raise NotFound("this sentence is not in the corpus any more; search again", code="no-such-sentence")
    passages = [_passage(origin) for origin in origins]
    if passages[1] is None and place is not None:
        passages[1] = _document_passage(connection, place.name, neighbour)
    pair = Pair(
        id=candidate_id(sentence, neighbour),
        text1=sentence,
        text2=neighbour,
        lang=lang,
        source=_source(origins, place),
        doc1=passages[0],
        doc2=passages[1],
        method=METHOD,
        scores={COSINE: round(cosine, 4)},
        meta={"annotator": author, MADE: _made(origins, place, trivial(sentence, neighbour))},
    )
    _refuse_withdrawn(connection, pair)
    licences = {origin["licence"] for origin in origins if origin is not None}
    row = row_of(pair, licence=licences.pop() if len(licences) == 1 else None)
    return AddedCandidate(pair.id, added=bool(insert_new(connection, _pairs, [row])))


def _pairs_with(connection: Connection, *texts: str) -> list[RowMapping]:
    """The pairs that have one of the texts, in order of arrival; a removed or withdrawn one has none."""
    either = or_(_pairs.c.text1.in_(texts), _pairs.c.text2.in_(texts))
    statement = select(_pairs).where(either, *row_conditions(NO_FILTER)).order_by(_pairs.c.seq)
    return list(connection.execute(statement).mappings())


def _same_pair(pairs: list[RowMapping], *texts: str) -> str | None:
    return next((pair["id"] for pair in pairs if {pair["text1"], pair["text2"]} == set(texts)), None)


def _origin(pairs: list[RowMapping], text: str) -> dict[str, Any] | None:
    """The first pair that has a text, with the columns of that side; one with a document comes first."""
    sides = [(pair, side) for pair in pairs for side in "12" if pair[f"text{side}"] == text]
    if not sides:
        return None
    pair, side = next((known for known in sides if known[0][f"doc{known[1]}"] is not None), sides[0])
    place = {name: pair[name + side] for name in ("doc", "start", "end")}
    return {name: pair[name] for name in ("id", "source", "licence")} | place


def _passage(origin: Mapping[str, Any] | None) -> Passage | None:
    if origin is None or origin["doc"] is None:
        return None
    return Passage(id=origin["doc"], start=origin["start"], end=origin["end"])


def _document_passage(connection: Connection, name: str | None, text: str) -> Passage | None:
    """The place of a text in the document of that name, if the project has it."""
    if name is None:
        return None
    words = connection.execute(select(_documents.c.text).where(_documents.c.id == name)).scalar()
    if words is None:
        return None
    start = words.find(text)
    return Passage(id=name) if start < 0 else Passage(id=name, start=start, end=start + len(text))


def _source(origins: list[dict[str, Any] | None], place: PoolPlace | None) -> str:
    sources = [origin["source"] if origin else None for origin in origins]
    if place is not None:
        sources[1] = place.source
    return sources[1] if sources[1] and sources[0] == sources[1] else METHOD


def _made(origins: list[dict[str, Any] | None], place: PoolPlace | None, pattern: str | None) -> dict[str, Any]:
    """How it was made; a withdrawal of ``query`` or ``original`` withdraws it, too."""
    made = {name: origin["id"] for name, origin in zip(("query", "original"), origins, strict=True) if origin}
    if place is not None:
        made |= {"pool": place.pool, "place": place.place}
    return made | ({"pattern": pattern} if pattern else {})


def _refuse_withdrawn(connection: Connection, pair: Pair) -> None:
    documents = {("document", passage.id) for passage in (pair.doc1, pair.doc2) if passage is not None}
    texts = {("text", text_digest(text)) for text in (pair.text1, pair.text2)}
    if withdrawn(connection, {("pair", pair.id), *documents, *texts}):
        raise Refused("one of these sentences was withdrawn; it does not come back", code="withdrawn-sentence")
