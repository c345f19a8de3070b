"""The judgements of released pairs, under pseudonyms: as lines of JSON, and types as the XML of P4P.

Judgements of other pairs are not released, nor are simulated ones, those of models or the answers to hidden tests.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Text, cast, or_, select

from otherwords.annotate.browse.export import ORIGINAL_KIND, SIMULATED, judgement_lines
from otherwords.annotate.current_judgements import is_current
from otherwords.annotate.pseudonyms import pseudonym_of
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.corpus.release.pairs import PartIndex
from otherwords.errors import LabelError
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import ROWS_AT_A_TIME
from otherwords.project.withdrawal.identities import Renaming
from otherwords.records import MODEL, Judgement, phenomena_in
from otherwords.sources.formats.p4p import writing as p4p_writing
from otherwords.sources.rows.records import NOT_ASKED

INDEPENDENT = ("individual", "vote")
BATCH_PREFIX = "b-"
OWN_META = frozenset({ORIGINAL_KIND, "tokeniser", "rewrite", "from", "adopted", "void", "unvoid", NOT_ASKED})
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class PublishedForm:
    """How judgements are published: batches under keys, times by day, and only some of their metadata.

    The name of a batch and the minute of an answer can tell who gave it. A batch that is named after somebody has
    another key than that person.
    """

    key: bytes  # of the project, with which pseudonyms are made
    meta: frozenset[str]  # the keys that were asked for
    scheme: Scheme | None  # of the project, of judgements that name none, such as those of a sheet

    def publish(self, judgement: Judgement) -> Judgement:
        day = _DAY.match(judgement.time or "")
        return msgspec.structs.replace(
            judgement,
            scheme=judgement.scheme or self._scheme_of(judgement.value),
            batch=judgement.batch and pseudonym_of(f"batch {judgement.batch}", self.key, BATCH_PREFIX),
            time=day and day[0],
            meta={name: value for name, value in judgement.meta.items() if name in OWN_META | self.meta},
        )

    def _scheme_of(self, value: Any) -> str | None:
        """The project's scheme for an answer that it allows: such a judgement counts as one of it."""
        if self.scheme is None or value is None:
            return None
        with contextlib.suppress(LabelError):
            self.scheme.normalise(value)
            return self.scheme.name
        return None


@dataclass(slots=True)
class ReleasedJudgements:
    """Counts of the judgements of a release."""

    count: int = 0
    annotators: set[str] = field(default_factory=set)  # who judged independently
    simulated: int = 0
    meta: set[str] = field(default_factory=set)  # all keys of the released judgements, written or not


def write_judgements(
    connection: Connection,
    path: Path,
    places: PartIndex,
    renaming: Renaming | None,
    form: PublishedForm,
    *,
    simulated: bool,
) -> ReleasedJudgements:
    """Write the judgements of released pairs, in the order of the ledger."""
    counts, decoder, encoder = ReleasedJudgements(), msgspec.json.Decoder(Judgement), msgspec.json.Encoder()
    kinds = {"individual", "consensus", "vote", *([SIMULATED] if simulated else [])}
    with path.open("wb") as stream:
        for block in judgement_lines(connection, renaming):
            judgements = decoder.decode_lines(block)
            parts = places.parts_of(judgement.pair for judgement in judgements)
            released = [
                judgement
                for judgement, part in zip(judgements, parts, strict=True)
                if part is not None and judgement.unit == "pair" and judgement.purpose != "gold"
                if judgement.kind in kinds and judgement.meta.get(ORIGINAL_KIND) != MODEL
            ]
            stream.write(encoder.encode_lines(map(form.publish, released)))
            for judgement in released:
                _count(judgement, counts)
    return counts


def _count(judgement: Judgement, counts: ReleasedJudgements) -> None:
    counts.count += 1
    counts.simulated += judgement.kind == SIMULATED
    kind = judgement.meta.get(ORIGINAL_KIND, "individual") if judgement.kind == SIMULATED else judgement.kind
    if judgement.annotator is not None and kind in INDEPENDENT:
        counts.annotators.add(judgement.annotator)
    counts.meta.update(judgement.meta)


def write_types(
    connection: Connection, folder: Path, places: PartIndex, parts: Collection[str], renaming: Renaming | None
) -> dict[str, list[str]]:
    """Write types as P4P's XML, a file per part that has any; the types of each pair that has some.

    A pair has the annotation that counts, as in every table: XML does not tell a decision from an annotator.
    """
    types: dict[str, list[str]] = {}

    def collected(part: str) -> Iterator[Judgement]:
        annotations = _typed_judgements(connection, places, part, renaming)
        for pair, group in groupby(annotations, key=attrgetter("pair")):
            counting = _counting(list(group))
            found = {str(entry["type"]) for judgement in counting for entry in phenomena_in(judgement.value) or ()}
            if found:
                types[pair] = sorted(found)
            yield from counting

    for part in parts:
        judgements = collected(part)
        first = next(judgements, None)
        if first is not None:
            folder.mkdir(exist_ok=True)
            with (folder / f"{part}.xml").open("wb") as stream:
                p4p_writing.write(chain([first], judgements), stream)
    return types


def _counting(judgements: list[Judgement]) -> list[Judgement]:
    """The team's decision, or else what the first annotator said last; all parts of it if files hold one each."""
    decisions = [judgement for judgement in judgements if judgement.kind == "consensus"]
    by_first = [judgement for judgement in judgements if judgement.annotator == judgements[0].annotator]
    return decisions[-1:] or [judgement for judgement in by_first if "file" in judgement.meta] or by_first[-1:]


def _typed_judgements(
    connection: Connection, places: PartIndex, part: str, renaming: Renaming | None
) -> Iterator[Judgement]:
    """The current answers to questions about types in a part, pair by pair, with the texts of the pair."""
    pairs, judgements = schema.pairs, schema.judgements
    texts = (pairs.c.id, pairs.c.text1, pairs.c.text2, pairs.c.lang)
    names = ("annotator", "value", "kind", "meta")
    columns = (*texts, judgements.c.id.label("judgement"), *(judgements.c[name] for name in names))
    lists_types = cast(judgements.c.value, Text).contains('"type"')
    with_types = select(judgements.c.scheme).where(lists_types, judgements.c.scheme.is_not(None))
    statement = (
        select(*columns)
        .join(judgements, (judgements.c.pair == pairs.c.id) & (judgements.c.unit == "pair"))
        .where(or_(lists_types, judgements.c.scheme.in_(with_types)))  # also who said that there is no paraphrase
        .where(judgements.c.kind.in_(("individual", "consensus")), judgements.c.purpose != "gold", is_current())
        .order_by(pairs.c.seq, judgements.c.seq)
        .execution_options(yield_per=ROWS_AT_A_TIME)
    )
    with connection.execute(statement) as rows:
        for block in rows.partitions():
            for row, place in zip(block, places.parts_of(row.id for row in block), strict=True):
                if place == part:
                    annotator = renaming.anywhere(row.annotator) if renaming is not None else row.annotator
                    file = {"file": row.meta["file"]} if "file" in (row.meta or {}) else {}
                    meta = {"text1": row.text1, "text2": row.text2, "lang": row.lang, **file}
                    yield Judgement(
                        id=row.judgement, pair=row.id, value=row.value, annotator=annotator, kind=row.kind, meta=meta
                    )
