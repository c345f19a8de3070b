"""The pairs of a release, written as its ``data/pairs.jsonl``; all its other files are made from that one.

Labels and parts are read side by side. The ``meta`` of a released pair has its part, what made its label and the ids of
the judgements that did. What else a source said about a pair stays in the project, but for the keys that were asked
for; whoever wrote a pair has a pseudonym there.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from otherwords.annotate.labels.label_rule import Polarity
from otherwords.corpus.labels.table import (
    PAIR_COLUMNS,
    PAIR_FIELDS,
    ROWS_PER_GROUP,
    SIDES,
    passage_columns,
    passages,
)
from otherwords.corpus.release.model import WHOLE
from otherwords.corpus.release.part_files import SCHEMA, STORED, part_writer
from otherwords.digests import digest_number
from otherwords.errors import DataError
from otherwords.project.ledger.rows import in_blocks
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.withdrawal.identities import Renaming
from otherwords.records import Pair, Passage


class PartIndex:
    """Ids and the part of each; first all are added, then they are looked up."""

    def __init__(self) -> None:
        self._digests, self._codes = array("Q"), array("B")
        self._names: dict[str, int] = {}
        self._sorted: tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]] | None = None

    def add(self, id: str, part: str = "") -> None:
        self._digests.append(digest_number(id))
        self._codes.append(self._names.setdefault(part, len(self._names)))
        self._sorted = None

    def __len__(self) -> int:
        return len(self._digests)

    def parts_of(self, ids: Iterable[str]) -> list[str | None]:
        """The part of each id; None for those that were not added."""
        if self._sorted is None:
            digests, codes = np.array(self._digests, np.uint64), np.array(self._codes, np.uint8)
            order = np.argsort(digests, kind="stable")
            self._sorted = digests[order], codes[order]
        digests, codes = self._sorted
        wanted = np.fromiter(map(digest_number, ids), np.uint64)
        if not len(digests):
            return [None] * len(wanted)
        places = np.minimum(np.searchsorted(digests, wanted), len(digests) - 1)
        names = list(self._names)
        matches = zip((digests[places] == wanted).tolist(), codes[places].tolist(), strict=True)
        return [names[code] if known else None for known, code in matches]


PAIRS_PER_BLOCK = 5000
CACHED_LABELS = 1000
S = TypeVar("S", bound=msgspec.Struct)
SourceLicences = Counter[tuple[str | None, str | None]]  # documents or pairs by source and licence
PlacedId = tuple[str, str | None, str | None]  # the id of a pair, its part, and why it has none
NO_PART = "in no part"
NOWHERE: PlacedId = ("nothing", None, None)
PLAIN_REWRITE = "4"  # the label of a rewrite by the rule of Kanerva et al. 2023, §5.3
READING_META = frozenset({"tokeniser", "lang1", "lang2"})  # without these, texts cannot be read as they were meant
_CHOSEN_BY = ("id", "label", "views", "state", "reason", "meta")
COLUMNS = (*PAIR_COLUMNS, "state", "reason", "made_by", "judgements", "views", "simulated")
Columns = dict[str, list[Any]]
# A line of the release, in the order of the record; JSON of the table is written as it is.
_PairLine = msgspec.defstruct("_PairLine", [(name, Any, None) for name in PAIR_FIELDS], omit_defaults=True, gc=False)


class _ReleaseMeta(msgspec.Struct, omit_defaults=True, gc=False):
    """What the release adds to the ``meta`` of a pair."""

    part: str | None = None
    positive: bool | None = None
    made_by: str | None = None
    judgements: list[str] | None = None
    views: Any = None
    simulated: bool | None = None


_OWN_META = frozenset(_ReleaseMeta.__struct_fields__)


class _ChosenRow(msgspec.Struct, gc=False):
    """A row of the table of labels that is released."""

    position: int  # in its block
    part: str
    label: str
    positive: bool | None
    meta: dict[str, object]  # of its source


@dataclass(slots=True)
class Selection:
    """What is in a release, and how many pairs are not."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)  # by part and label
    left_out: Counter[str] = field(default_factory=Counter)  # by reason
    places: PartIndex = field(default_factory=PartIndex)  # the part of each pair
    documents: PartIndex = field(default_factory=PartIndex)  # that pairs come from
    licences: SourceLicences = field(default_factory=Counter)  # pairs with a text that comes from no document
    unlicensed_rewrites: dict[str, str | None] = field(default_factory=dict)  # by id: their source
    rewrites: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)  # by original and part
    meta: set[str] = field(default_factory=set)  # all keys of the released pairs, written or not
    rewritten: int = 0
    simulated: int = 0

    @property
    def labels(self) -> set[str]:
        return {label for labels in self.counts.values() for label in labels}


class LabelChooser:
    """Decides about labels: by a view of the scheme, and by the labels that a release leaves out."""

    def __init__(self, view: str | None, without: Iterable[str], positive: Polarity) -> None:
        self._view, self._without, self.positive = view, frozenset(without), lru_cache(CACHED_LABELS)(positive)

    def choose(self, label: str | None, views: str | None, state: str, reason: str | None) -> tuple[str | None, str]:
        """The label of a row, or None and the reason for leaving it out; ``views`` is JSON."""
        if label in self._without:
            return None, f"label {label}"
        seen = label if self._view is None else _decode_views(views).get(self._view)
        if seen is None or state == "left out":
            return None, reason or (f"no label in the view {self._view}" if self._view else state)
        return seen, ""


@lru_cache(CACHED_LABELS)
def _decode_views(views: str | None) -> dict[str, str | None]:
    return msgspec.json.decode(views, type=dict[str, str | None]) if views else {}


def write_pairs(
    table: Dataset,
    parts: Iterable[PlacedId],
    chooser: LabelChooser,
    meta: Collection[str],
    renaming: Renaming | None,
    path: Path,
    by_part: Path,
) -> Selection:
    """Write the lines of all released pairs, in the order of the ledger; ``table`` is the table of labels.

    ``meta`` are the keys of metadata that go with them.

    Each part also goes into a file of its own in the folder ``by_part``, so that each can be read by itself.
    """
    selection, encoder, places = Selection(), msgspec.json.Encoder(), iter(parts)
    kept = frozenset(meta) | READING_META
    path.parent.mkdir(parents=True)
    with path.open("wb") as stream, part_writer(by_part) as write:
        for batch in table.batches(COLUMNS, ROWS_PER_GROUP):
            chosen = list(_choose_rows(batch, places, chooser, kept, renaming, selection))
            rows = batch.take(pa.array([row.position for row in chosen], pa.int64()))
            columns: Columns = {name: rows.column(name).to_pylist() for name in rows.schema.names}
            for side in SIDES:
                columns[f"doc{side}"] = passages(*(columns[name] for name in passage_columns(side)))
            stream.write(encoder.encode_lines(_lines(columns, chosen, renaming)))
            _count(columns, chosen, selection)
            for part in dict.fromkeys(row.part for row in chosen):
                write(part, _part_rows(rows, chosen, part))
    return selection


class PairTexts(msgspec.Struct, gc=False):
    """A released pair without its ``meta``: reading no more takes a sixth of the time."""

    id: str
    text1: str
    text2: str
    label: str | None = None
    doc1: Passage | None = None
    doc2: Passage | None = None


def read_blocks(path: Path, kind: type[S]) -> Iterator[list[S]]:
    """The pairs of a release, a block at a time, with the fields of a record."""
    decoder = msgspec.json.Decoder(kind)
    with path.open("rb") as stream:
        for lines in in_blocks(stream, PAIRS_PER_BLOCK):
            yield decoder.decode_lines(b"".join(lines))


def read_pairs(path: Path) -> Iterator[Pair]:
    """The pairs of a release, one by one."""
    return (pair for block in read_blocks(path, Pair) for pair in block)


def part_of(pair: Pair) -> str:
    """The part of a released pair."""
    return str(pair.meta.get("part", WHOLE))


def _choose_rows(
    batch: pa.RecordBatch,
    places: Iterator[PlacedId],
    chooser: LabelChooser,
    kept: frozenset[str],
    renaming: Renaming | None,
    selection: Selection,
) -> Iterator[_ChosenRow]:
    rows = zip(*(batch.column(name).to_pylist() for name in _CHOSEN_BY), strict=True)
    for position, (id, stored_label, views, state, why, meta) in enumerate(rows):
        placed, part, why_no_part = next(places, NOWHERE)
        if id != placed:
            message = f"row {id} of the labels is beside {placed}: the split belongs to other labels"
            raise DataError(message, code="split-mismatch")
        label, reason = chooser.choose(stored_label, views, state, why)
        if label is None or part is None:
            selection.left_out[reason or why_no_part or NO_PART] += 1
            continue
        stored = msgspec.json.decode(meta) if meta else {}
        selection.meta.update(stored)
        renamed = renaming.maker(stored) if renaming is not None else stored
        of_source = {name: value for name, value in renamed.items() if name in kept and name not in _OWN_META}
        yield _ChosenRow(position, part, label, chooser.positive(label), of_source)


def _part_rows(rows: pa.RecordBatch, chosen: list[_ChosenRow], part: str) -> pa.RecordBatch:
    """The rows of a part, as its file has them."""
    here = [number for number, row in enumerate(chosen) if row.part == part]
    meta = [msgspec.json.encode(chosen[number].meta).decode() if chosen[number].meta else None for number in here]
    added = ([chosen[number].label for number in here], [chosen[number].positive for number in here], meta)
    arrays = (pa.array(cells, field.type) for cells, field in zip(added, list(SCHEMA)[len(STORED) :], strict=True))
    stored = rows.select(list(STORED)).take(pa.array(here))
    return pa.RecordBatch.from_arrays([*stored.columns, *arrays], schema=SCHEMA)


def _lines(columns: Columns, chosen: list[_ChosenRow], renaming: Renaming | None) -> list[msgspec.Struct]:
    """The lines of released pairs; their ``meta`` is that of the source, then what the release adds."""
    metas: list[Any] = []
    names = _ReleaseMeta.__struct_fields__
    cells = (columns[name] for name in ("made_by", "judgements", "views", "simulated"))
    for row, made_by, judgements, views, simulated in zip(chosen, *cells, strict=True):
        ids = judgements
        if renaming is not None and judgements:
            ids = [renaming.anywhere(id) if ":" in id else id for id in judgements]
        raw_views = msgspec.Raw(views.encode()) if views else None
        part = row.part if row.part != WHOLE else None
        added = _ReleaseMeta(part, row.positive, made_by, ids or None, raw_views, simulated or None)
        by_name = {name: value for name in names if (value := getattr(added, name)) is not None} if row.meta else {}
        metas.append(row.meta | by_name if row.meta else added)
    written = columns | {
        "scores": [msgspec.Raw(scores.encode()) if scores else None for scores in columns["scores"]],
        "label": [row.label for row in chosen],
        "meta": metas,
    }
    return list(map(_PairLine, *(written[name] for name in PAIR_FIELDS)))


def _count(columns: Columns, chosen: list[_ChosenRow], selection: Selection) -> None:
    for (part, label), count in Counter((row.part, row.label) for row in chosen).items():
        selection.counts.setdefault(part, Counter())[label] += count
    selection.simulated += sum(columns["simulated"])
    names = ("id", "text1", "text2", "doc1", "doc2", "rewrite_of", "source", "licence")
    cells = zip(chosen, *(columns[name] for name in names), strict=True)
    for row, id, text1, text2, doc1, doc2, original, source, licence in cells:
        selection.places.add(id, row.part)
        for passage in (doc1, doc2):
            if passage is not None:
                selection.documents.add(passage.id)
        if original is not None and licence is None and doc1 is None and doc2 is None:
            selection.unlicensed_rewrites[id] = source
        elif doc1 is None or doc2 is None:
            selection.licences[source, licence] += 1
        if original is not None:
            selection.rewritten += 1
            if row.label == PLAIN_REWRITE:
                selection.rewrites.setdefault((original, row.part), []).append((text1, text2))
