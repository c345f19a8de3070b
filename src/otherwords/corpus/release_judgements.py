"""What people said about the pairs of a release, under pseudonyms: as lines of JSON, and types as the XML of P4P.

Judgements of pairs that are not released stay at home, and so do simulated ones and the answers to hidden tests.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Text, cast, select

from otherwords.annotate.export_lines import SIMULATED, judgement_lines
from otherwords.annotate.standing import stands
from otherwords.corpus.release_places import Places
from otherwords.project import schema
from otherwords.project.identities import PEOPLE, Renaming
from otherwords.project.rows import ROWS_AT_A_TIME
from otherwords.records import Judgement, phenomena_in
from otherwords.sources.formats import p4p_writing

OWN = ("individual", "vote")
SHORTEST_NAME = 3  # shorter ones are words of every language
EXAMPLES = 5


class _AtHome(msgspec.Struct, gc=False):
    """What a simulated judgement is where it was made."""

    kind: Any = "individual"


class _About(msgspec.Struct, gc=False):
    """What has to be known of a line to decide about it."""

    id: str
    pair: str
    annotator: str | None = None
    unit: str = "pair"
    kind: str = "individual"
    purpose: str = "production"
    note: str | None = None
    meta: _AtHome = msgspec.field(default_factory=_AtHome)

    @property
    def own(self) -> bool:
        """Whether somebody, or somebody made up, judged on their own: a consensus is nobody's."""
        return (self.meta.kind if self.kind == SIMULATED else self.kind) in OWN


@dataclass(slots=True)
class Said:
    """The judgements of a release."""

    count: int = 0
    annotators: set[str] = field(default_factory=set)  # who judged on their own
    simulated: int = 0
    named: int = 0  # notes in which somebody is named
    examples: list[str] = field(default_factory=list)


def write_judgements(
    connection: Connection, path: Path, places: Places, renaming: Renaming | None, *, simulated: bool
) -> Said:
    """Write the judgements of released pairs, in the order in which they were made."""
    said, decoder = Said(), msgspec.json.Decoder(_About)
    names = _names(connection)
    kinds = {"individual", "consensus", "vote", *([SIMULATED] if simulated else [])}
    with path.open("wb") as stream:
        for block in judgement_lines(connection, renaming):
            lines = block.splitlines(keepends=True)
            told = decoder.decode_lines(block)
            for line, about, part in zip(lines, told, places.of(one.pair for one in told), strict=True):
                if part is None or about.unit != "pair" or about.kind not in kinds or about.purpose == "gold":
                    continue
                stream.write(line)
                _count(about, said, names)
    return said


def _count(about: _About, said: Said, names: re.Pattern[str] | None) -> None:
    said.count += 1
    said.simulated += about.kind == SIMULATED
    if about.annotator is not None and about.own:
        said.annotators.add(about.annotator)
    if about.note and names is not None and names.search(about.note):
        said.named += 1
        if len(said.examples) < EXAMPLES:
            said.examples.append(f"judgement {about.id} of pair {about.pair}")


def _names(connection: Connection) -> re.Pattern[str] | None:
    """The names of all who had to do with the project, as words."""
    names: set[str] = set()
    for column in PEOPLE:
        names.update(filter(None, connection.execute(select(column).distinct()).scalars()))
    words = sorted((name for name in names if len(name) >= SHORTEST_NAME), key=len, reverse=True)
    spelled = "|".join(map(re.escape, words))
    return re.compile(rf"(?<!\w)(?:{spelled})(?!\w)", re.IGNORECASE) if words else None


def write_types(
    connection: Connection, folder: Path, places: Places, parts: Collection[str], renaming: Renaming | None
) -> None:
    """P4P's XML a part, where somebody annotated types; no folder where nobody did."""
    for part in parts:
        found = _typed(connection, places, part, renaming)
        first = next(found, None)
        if first is not None:
            folder.mkdir(exist_ok=True)
            with (folder / f"{part}.xml").open("wb") as stream:
                p4p_writing.write(_again(first, found), stream)


def _again(first: Judgement, others: Iterator[Judgement]) -> Iterator[Judgement]:
    yield first
    yield from others


def _typed(connection: Connection, places: Places, part: str, renaming: Renaming | None) -> Iterator[Judgement]:
    """The standing lists of phenomena of a part, those of a pair together, with the texts that they are about."""
    one, said = schema.pairs, schema.judgements
    has_types = cast(said.c.value, Text).contains('"type"')
    people = said.c.kind.in_(("individual", "consensus"))
    columns = (one.c.id, one.c.text1, one.c.text2, one.c.lang, said.c.id.label("said"), said.c.annotator, said.c.value)
    statement = select(*columns).join(said, (said.c.pair == one.c.id) & (said.c.unit == "pair"))
    statement = statement.where(has_types, people, said.c.purpose != "gold", stands()).order_by(one.c.seq, said.c.seq)
    with connection.execute(statement.execution_options(yield_per=ROWS_AT_A_TIME)) as rows:
        for block in rows.partitions():
            for row, where in zip(block, places.of(row.id for row in block), strict=True):
                if where == part and phenomena_in(row.value) is not None:
                    yield _judgement(row, renaming)


def _judgement(row: Any, renaming: Renaming | None) -> Judgement:
    annotator = renaming.anywhere(row.annotator) if renaming is not None else row.annotator
    texts = {"text1": row.text1, "text2": row.text2, "lang": row.lang}
    return Judgement(id=row.said, pair=row.id, value=row.value, annotator=annotator, meta=texts)
