"""The nearest sentences of the corpus as somebody may see them: texts, and the pairs that they are in.

Labels, judgements and how a pair was made are not shown. A similarity is what a model says of two texts, so sentences
of pairs that the viewer still has to judge are left out, and for annotators also those of pairs that wait for others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from otherwords.annotate.browse.conditions import row_conditions
from otherwords.annotate.browse.filter import NO_FILTER
from otherwords.annotate.browse.paging import PairColumns, pairs_of
from otherwords.annotate.browse.pairs import PairViewer, without_hidden_rewrites
from otherwords.annotate.visibility import awaited_items
from otherwords.project.corpus_vectors import NearText, text_number
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import in_blocks


@dataclass(frozen=True, slots=True)
class CorpusSentence:
    """A text of the corpus with its cosine to the query, and the first pair that it is in."""

    text: str
    cosine: float
    pair: str
    lang: str | None = None
    source: str | None = None
    group: str | None = None
    others: int = 0  # further pairs among those found that have the same text


def visible_sentences(connection: Connection, viewer: PairViewer, found: Sequence[NearText]) -> list[CorpusSentence]:
    """What was found, each text once, without what the viewer may not see or what is not in the corpus any more."""
    pairs = _visible_pairs(connection, viewer, sorted({near.seq for near in found}))
    sentences: dict[str, CorpusSentence] = {}
    for near in found:
        pair = pairs.get(near.seq)
        if pair is None:
            continue
        text = pair["text1"] if near.side == 1 else pair["text2"]
        if text_number(text) != near.digest:  # another text by now
            continue
        known = sentences.get(text)
        if known is not None:
            sentences[text] = replace(known, others=known.others + 1)
            continue
        about = (pair["id"], pair["lang"], pair["source"], pair["group"])
        sentences[text] = CorpusSentence(text, near.cosine, *about)
    return list(sentences.values())


def _visible_pairs(connection: Connection, viewer: PairViewer, seqs: Sequence[int]) -> dict[int, PairColumns]:
    pairs = schema.pairs
    visible: dict[int, PairColumns] = {}
    for block in in_blocks(seqs):
        present = select(pairs.c.seq).where(pairs.c.seq.in_(block), *row_conditions(NO_FILTER))
        rows = pairs_of(connection, connection.execute(present).scalars().all())
        rows = without_hidden_rewrites(connection, viewer, rows)
        awaited = awaited_items(connection, viewer.name, viewer.role, [row["id"] for row in rows])
        visible |= {row["seq"]: row for row in rows if row["id"] not in awaited}
    return visible
