"""What a page needs to go on with a batch: the units reserved, those answered last, and how far somebody has come.

A unit is shown as the two texts of a pair, how two documents begin, or the sentences of a group. One that was
withdrawn or removed since is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, bindparam, desc, func, select

from otherwords.annotate.batches.batch import Batch, item_count
from otherwords.annotate.batches.output_pairs import OUTPUT_METHOD
from otherwords.annotate.crowd.slot_handles import SlotHandles, require_handles
from otherwords.annotate.documents.triage import first_sentences
from otherwords.annotate.labels.pair_labels import labels_of_pairs
from otherwords.annotate.work.reservations import Reservation
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, read_records, row_dicts
from otherwords.records import Document, DocumentPair, Unit

BLIND = ("check",)
_SHOWN = ("id", "value", "unsure", "note", "rewrites", "time", "guideline")  # of one's own judgement
MOST_TEXTS = 20  # of a group
MOST_CHARACTERS = 280  # of each of them
ROWS_PER_GROUP = 200
_slots, _judgements, _takers = schema.slots, schema.judgements, schema.takers
_pairs, _documents = schema.pairs, schema.documents
_COLUMNS = (_pairs.c.id, _pairs.c.text1, _pairs.c.text2, _pairs.c.lang, _pairs.c.doc1, _pairs.c.doc2)
_NAMED = select(*_COLUMNS).where(_pairs.c.id.in_(bindparam("names", expanding=True)))
_NAMED = _NAMED.where(_pairs.c.state.is_(None), _pairs.c.text1 != "")


@dataclass(frozen=True, slots=True)
class Task:
    """A unit to be judged, as much of it as an annotator may see, with their judgement if there is one."""

    slot: int
    position: int
    pair: str | None  # None in a blind batch, where an id could reveal what kind of pair it is
    text1: str
    text2: str
    lang: str | None
    context: bool  # there are documents to look at
    until: float | None = None
    judgement: dict[str, Any] | None = None
    present: str | None = None  # its label, in a round of quality control
    texts: list[str] = field(default_factory=list)  # of a group


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an annotator has come, and how far everybody has."""

    mine: int
    for_me: int  # what they have done, and at most what is left for them; with hidden tests, about as much
    done: int
    asked: int


def build_tasks(
    connection: Connection, batch: Batch, reservations: Sequence[Reservation], handles: SlotHandles | None = None
) -> list[Task]:
    """The units of reservations, in their order; one that was withdrawn since is left out."""
    units = shown_units(connection, batch.unit, [held.item for held in reservations])
    listed = [
        _task(batch, held.slot, held.position, held.item, units[held.item], held.until)
        for held in reservations
        if held.item in units
    ]
    if batch.rules.tests is not None:
        return _conceal(listed, require_handles(handles))
    if batch.purpose != "qa":
        return listed
    labels = labels_of_pairs(connection, [task.pair for task in listed if task.pair], batch.scheme)
    return [replace(task, present=labels[task.pair].label if task.pair in labels else None) for task in listed]


def _conceal(listed: list[Task], handles: SlotHandles) -> list[Task]:
    """Tasks that may be tests, under their handles and at positions that reveal nothing."""
    return [replace(task, slot=handles.handle(task.slot), position=place) for place, task in enumerate(listed)]


def recent_tasks(
    connection: Connection, batch: Batch, annotator: str, most: int, handles: SlotHandles | None = None
) -> list[Task]:
    """What an annotator answered last in a batch, the latest last; without tests, whose answers are final."""
    columns = _judgements.c
    answered = and_(_slots.c.seq == columns.meta["slot"].as_integer(), _slots.c.judgement == columns.id)
    own = (columns.annotator == annotator, columns.batch == batch.id, _slots.c.position >= 0)
    shown = [columns[name] for name in ("pair", *_SHOWN)]
    query = select(_slots.c.seq, _slots.c.position, *shown).join_from(_judgements, _slots, answered).where(*own)
    rows = row_dicts(connection.execute(query.order_by(desc(columns.time), desc(columns.seq)).limit(most)))
    units = shown_units(connection, batch.unit, [row["pair"] for row in rows])
    listed = []
    for row in reversed(rows):
        if (unit := units.get(row["pair"])) is not None:
            task = _task(batch, row["seq"], row["position"], row["pair"], unit)
            listed.append(replace(task, judgement={name: row[name] for name in _SHOWN}))
    return listed if batch.rules.tests is None else _conceal(listed, require_handles(handles))


def batch_progress(connection: Connection, batch: Batch, annotator: str) -> Progress:
    """Progress from what each taker has done, without counting slots one by one."""
    query = select(_takers.c.annotator, _takers.c.done, _takers.c.tests).where(_takers.c.batch == batch.id)
    takers = {name: (done, tests) for name, done, tests in connection.execute(query)}
    done, done_tests = sum(done for done, _ in takers.values()), sum(tests for _, tests in takers.values())
    own, own_tests = takers.get(annotator, (0, 0))
    items = item_count(connection, batch.id)
    in_batch = _slots.c.batch == batch.id
    asked = items * batch.asked if not batch.rules.second_sees else _count_slots(connection, in_batch)
    for_them = min(items, own - own_tests + asked - done + done_tests)
    if batch.rules.assigned:
        for_them = _count_slots(connection, in_batch & (_slots.c.assigned == annotator))
    if (tests := batch.rules.tests) is None:
        return Progress(own, for_them, done, asked)
    # What is left is an estimate that does not depend on how many tests somebody has had: that would tell them whether
    # any are left. What they hold counts, since a last task that is a test must not look like none.
    held = _count_slots(connection, in_batch & (_slots.c.holder == annotator) & _slots.c.judgement.is_(None))
    left = max(_with_tests(for_them - own + own_tests, tests.every), held)
    left_to_all = _with_tests(asked - done + done_tests, tests.every)
    return Progress(own, own + left, done, done + left_to_all)


def _with_tests(pairs: int, every: int) -> int:
    """About how many tasks there are until so many ordinary pairs are judged."""
    return math.ceil(pairs * every / (every - 1))


def _count_slots(connection: Connection, condition: ColumnElement[bool]) -> int:
    return connection.execute(select(func.count()).select_from(_slots).where(condition)).scalar_one()


def _task(batch: Batch, slot: int, position: int, item: str, shown: ShownUnit, until: float | None = None) -> Task:
    pair = None if batch.rules.blind or batch.purpose in BLIND or batch.unit != "pair" else item
    context, texts = batch.rules.context and shown.context, list(shown.texts)
    return Task(slot, position, pair, shown.text1, shown.text2, shown.lang, context, until, texts=texts)


@dataclass(frozen=True, slots=True)
class ShownUnit:
    """A unit as a page shows it: two texts, or the texts of a group; ``context`` if there are whole documents."""

    text1: str = ""
    text2: str = ""
    lang: str | None = None
    texts: tuple[str, ...] = ()
    context: bool = False


def shown_units(connection: Connection, unit: Unit, names: Sequence[str]) -> dict[str, ShownUnit]:
    """Units as they are shown, by id."""
    if not names:
        return {}
    if unit == "document_pair":
        return _shown_document_pairs(connection, names)
    if unit == "group":
        return {name: shown for name in names if (shown := _shown_group(connection, name)).texts}
    return {
        name: ShownUnit(text1, text2, lang, context=doc1 is not None and doc2 is not None)
        for name, text1, text2, lang, doc1, doc2 in connection.execute(_NAMED, {"names": list(names)})
    }


def _shown_document_pairs(connection: Connection, names: Sequence[str]) -> dict[str, ShownUnit]:
    pairs = list(read_records(connection, DocumentPair, schema.document_pairs.c.id.in_(names)))
    wanted = {name for pair in pairs for name in (pair.doc1, pair.doc2)}
    documents = {document.id: document for document in read_records(connection, Document, _documents.c.id.in_(wanted))}
    shown: dict[str, ShownUnit] = {}
    for pair in pairs:
        left, right, part = documents.get(pair.doc1), documents.get(pair.doc2), pair.part
        if left and right and left.text and right.text:
            text1 = left.text[part.start1 : part.end1] if part else left.text
            text2 = right.text[part.start2 : part.end2] if part else right.text
            begins = first_sentences(text1, left.lang)[0], first_sentences(text2, right.lang)[0]
            shown[pair.id] = ShownUnit(*begins, left.lang)
    return shown


def _shown_group(connection: Connection, name: str) -> ShownUnit:
    """The different sentences of a group's pairs; before there are pairs, how its documents begin.

    Of outputs of systems, it is the source and every output.
    """
    in_group = (_pairs.c.group == name, PRESENT, _pairs.c.text1 != "")
    of_pairs = select(_pairs.c.text1, _pairs.c.text2, _pairs.c.lang, _pairs.c.method).where(*in_group)
    rows = connection.execute(of_pairs.order_by(_pairs.c.seq).limit(ROWS_PER_GROUP)).all()
    if rows and all(row.method == OUTPUT_METHOD for row in rows):  # whole, since a number stands for each
        return ShownUnit(lang=rows[0].lang, texts=(rows[0].text1, *(row.text2 for row in rows)))
    texts = [(text, row.lang) for row in rows for text in (row.text1, row.text2)]
    if not texts:
        with_text = (_documents.c.group == name, _documents.c.text != "")
        of_documents = select(_documents.c.text, _documents.c.lang).where(*with_text).order_by(_documents.c.seq)
        texts = [(row.text, row.lang) for row in connection.execute(of_documents.limit(MOST_TEXTS))]
    different = list(dict.fromkeys(texts))
    cut = [first_sentences(text, lang, MOST_CHARACTERS) for text, lang in different[:MOST_TEXTS]]
    return ShownUnit(lang=texts[0][1] if texts else None, texts=tuple(text + "…" * more for text, more in cut))
