"""Which pairs go into a release, written as its ``data/pairs.jsonl``; all its other files are made of that one.

In go the labels and the parts, row by row beside each other, out come the lines and a :class:`Selection` that says how
many there are and why others are not. A pair has its part, what made its label and the ids of those judgements under
``meta``; whoever made it by hand has a pseudonym there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.corpus.labelled import ROWS_A_GROUP
from otherwords.corpus.polarity import Polarity
from otherwords.corpus.release_part_files import SCHEMA, STORED, parting
from otherwords.corpus.release_places import Places
from otherwords.corpus.released import WHOLE
from otherwords.errors import DataError
from otherwords.project.identities import Renaming
from otherwords.records import Pair, Passage

PAIRS_A_BLOCK = 5000
L = TypeVar("L", bound=msgspec.Struct)
Placed = tuple[str, str | None, str | None]  # the id of a pair, its part, and why it has none
NO_PART = "in no part"
NOWHERE: Placed = ("nothing", None, None)
LABELS_KEPT = 1000
PLAIN_REWRITE = "4"  # what a rewrite is by the rule of Kanerva et al. 2023, §5.3


class _Row(msgspec.Struct, gc=False):
    """What is read of the table of labels, as it is stored there: what is nested is JSON."""

    id: str
    text1: str
    text2: str
    lang: str | None
    source: str | None
    group: str | None
    time: str | None
    doc1: str | None
    start1: int
    end1: int
    doc2: str | None
    start2: int
    end2: int
    method: str | None
    rewrite_of: str | None
    scores: str | None
    label: str | None
    meta: str | None
    state: str
    reason: str | None
    made_by: str | None
    judgements: list[str] | None
    views: str | None
    simulated: bool


COLUMNS = _Row.__struct_fields__


class _Line(msgspec.Struct, omit_defaults=True, gc=False, kw_only=True):
    """A line about a pair, in the order of its record; JSON goes out as it was stored."""

    id: str
    text1: str
    text2: str
    lang: str | None = None
    source: str | None = None
    group: str | None = None
    time: str | None = None
    doc1: Any = None
    doc2: Any = None
    method: str | None = None
    rewrite_of: str | None = None
    scores: Any = None
    label: str | None = None
    meta: Any = None


class _Ours(msgspec.Struct, omit_defaults=True, gc=False):
    """What we say about a pair under meta."""

    part: str | None = None
    positive: bool | None = None
    made_by: str | None = None
    judgements: list[str] | None = None
    views: Any = None
    simulated: bool | None = None


OURS = _Ours.__struct_fields__


@dataclass(slots=True)
class Selection:
    """What was chosen, and what was not."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)  # by part and label
    left_out: Counter[str] = field(default_factory=Counter)  # by reason
    places: Places = field(default_factory=Places)  # the part of each pair
    documents: Places = field(default_factory=Places)  # that a pair comes from
    rewrites: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)  # by original and part
    rewritten: int = 0
    simulated: int = 0

    @property
    def labels(self) -> set[str]:
        return {label for labels in self.counts.values() for label in labels}


class Chooser:
    """Decides about labels: by the view that was asked for, and those that a release leaves out."""

    def __init__(self, view: str | None, without: Iterable[str], positive: Polarity) -> None:
        self._view, self._without, self.positive = view, frozenset(without), lru_cache(LABELS_KEPT)(positive)

    def __call__(self, label: str | None, views: str | None, state: str, reason: str | None) -> tuple[str | None, str]:
        """The label of a row, or None and the reason for leaving it out; ``views`` is JSON."""
        if label in self._without:
            return None, f"label {label}"
        seen = label if self._view is None else _decoded(views).get(self._view)
        if seen is None or state == "left out":
            return None, reason or (f"no label in the view {self._view}" if self._view else state)
        return seen, ""


@lru_cache(LABELS_KEPT)
def _decoded(views: str | None) -> dict[str, str | None]:
    return msgspec.json.decode(views, type=dict[str, str | None]) if views else {}


def write_pairs(
    table: Path, parts: Iterable[Placed], choose: Chooser, renaming: Renaming | None, path: Path, by_part: Path
) -> Selection:
    """Write the lines of all pairs that are released, in the order of the ledger; ``table`` is that of the labels.

    Each part goes into a file of its own besides, in the folder ``by_part``: so each can be read by itself, however
    many there are.
    """
    selection, encoder, places = Selection(), msgspec.json.Encoder(), iter(parts)
    path.parent.mkdir(parents=True)
    with pq.ParquetFile(table) as labels, path.open("wb") as stream, parting(by_part) as put:
        for batch in labels.iter_batches(ROWS_A_GROUP, columns=list(COLUMNS)):
            rows = map(_Row, *(batch.column(name).to_pylist() for name in COLUMNS))
            chosen = list(_chosen(rows, places, choose, renaming, selection))
            stream.write(encoder.encode_lines([_line(one, renaming) for one in chosen]))
            _count(chosen, selection)
            for part in dict.fromkeys(one.part for one in chosen):
                put(part, _columns(batch, [one for one in chosen if one.part == part]))
    return selection


class Brief(msgspec.Struct, gc=False):
    """A released pair without what was said about it: reading no more takes a sixth of the time."""

    id: str
    text1: str
    text2: str
    label: str | None = None
    doc1: Passage | None = None
    doc2: Passage | None = None


def read_pairs(path: Path) -> Iterator[list[Pair]]:
    """The pairs of a release, a block at a time."""
    return read_lines(path, Pair)


def read_lines(path: Path, kind: type[L]) -> Iterator[list[L]]:
    """The same, as far as some record goes."""
    decoder = msgspec.json.Decoder(kind)
    with path.open("rb") as stream:
        while block := list(islice(stream, PAIRS_A_BLOCK)):
            yield decoder.decode_lines(b"".join(block))


def pairs_of(path: Path) -> Iterator[Pair]:
    """The same, one by one."""
    return (pair for block in read_pairs(path) for pair in block)


def part_of(pair: Pair) -> str:
    """The part that a released pair is in."""
    return str(pair.meta.get("part", WHOLE))


class _Chosen(msgspec.Struct, gc=False):
    """A row that is released."""

    place: int  # in its block
    row: _Row
    part: str
    label: str
    positive: bool | None
    theirs: dict[str, Any]  # what its source said, under meta


def _chosen(
    rows: Iterable[_Row], places: Iterator[Placed], choose: Chooser, renaming: Renaming | None, selection: Selection
) -> Iterator[_Chosen]:
    for place, row in enumerate(rows):
        id, part, why = next(places, NOWHERE)
        if row.id != id:
            raise DataError(f"row {row.id} stands beside {id}: the split is not of these labels")
        label, reason = choose(row.label, row.views, row.state, row.reason)
        if label is None or part is None:
            selection.left_out[reason or why or NO_PART] += 1
            continue
        yield _Chosen(place, row, part, label, choose.positive(label), _theirs(row.meta, renaming))


def _theirs(meta: str | None, renaming: Renaming | None) -> dict[str, Any]:
    if not meta:
        return {}
    told = msgspec.json.decode(meta)
    told = renaming.maker(told) if renaming is not None else told
    return {name: value for name, value in told.items() if name not in OURS}


def _columns(batch: pa.RecordBatch, chosen: list[_Chosen]) -> pa.RecordBatch:
    """Some rows of a block as the file of their part has them."""
    rows = batch.select(list(STORED)).take(pa.array([one.place for one in chosen]))
    meta = [msgspec.json.encode(one.theirs).decode() if one.theirs else None for one in chosen]
    ours = ([one.label for one in chosen], [one.positive for one in chosen], meta)
    told = (pa.array(values, field.type) for values, field in zip(ours, list(SCHEMA)[len(STORED) :], strict=True))
    return pa.RecordBatch.from_arrays([*rows.columns, *told], schema=SCHEMA)


def _line(one: _Chosen, renaming: Renaming | None) -> _Line:
    row = one.row
    return _Line(
        id=row.id,
        text1=row.text1,
        text2=row.text2,
        lang=row.lang,
        source=row.source,
        group=row.group,
        time=row.time,
        doc1=row.doc1 and Passage(id=row.doc1, start=row.start1, end=row.end1),
        doc2=row.doc2 and Passage(id=row.doc2, start=row.start2, end=row.end2),
        method=row.method,
        rewrite_of=row.rewrite_of,
        scores=row.scores and msgspec.Raw(row.scores.encode()),
        label=one.label,
        meta=_meta(one, renaming),
    )


def _count(chosen: list[_Chosen], selection: Selection) -> None:
    for (part, label), count in Counter((one.part, one.label) for one in chosen).items():
        selection.counts.setdefault(part, Counter())[label] += count
    for one in chosen:
        row, part = one.row, one.part
        selection.places.add(row.id, part)
        selection.simulated += row.simulated
        for document in (row.doc1, row.doc2):
            if document is not None:
                selection.documents.add(document)
        if row.rewrite_of is not None:
            selection.rewritten += 1
            if one.label == PLAIN_REWRITE:
                selection.rewrites.setdefault((row.rewrite_of, part), []).append((row.text1, row.text2))


def _meta(one: _Chosen, renaming: Renaming | None) -> Any:
    """What we say about a pair, after what its source said."""
    row, ids = one.row, one.row.judgements
    if renaming is not None and ids:
        ids = [renaming.anywhere(id) if ":" in id else id for id in ids]
    views = msgspec.Raw(row.views.encode()) if row.views else None
    part = one.part if one.part != WHOLE else None
    ours = _Ours(part, one.positive, row.made_by, ids or None, views, row.simulated or None)
    if not one.theirs:
        return ours
    return one.theirs | {name: value for name in OURS if (value := getattr(ours, name)) is not None}
