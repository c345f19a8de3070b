"""Choosing pairs or other units for a batch: all that a browse filter describes, or a random part of them.

Random order is a keyed hash of the pairs' ids: the same seed takes the same pairs in the same order, whatever the
database and however often it is asked. Nothing is written, so a site can choose while others write.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, FromClause, func, select

from otherwords.annotate.batches.batch import FIRST_OF_GROUP, BatchItem, BatchRules, load_batch
from otherwords.annotate.batches.output_pairs import NO_OUTPUT, OUTPUT_METHOD
from otherwords.annotate.browse.conditions import Condition
from otherwords.annotate.browse.filter import Filter
from otherwords.annotate.browse.paging import MAX_PAGE_ROWS, Pairs, matches_filter, next_page
from otherwords.annotate.browse.pairs import PairViewer
from otherwords.annotate.crowd.deployment import groups_of
from otherwords.annotate.judges import judged_enough
from otherwords.annotate.labels.pair_labels import project_labels
from otherwords.annotate.visibility import hidden_items
from otherwords.digests import digest_bytes
from otherwords.errors import Refused
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT, in_blocks
from otherwords.project.left_out import NOT_LEFT_OUT
from otherwords.project.project import Project
from otherwords.records import Unit

Order = Literal["arrival", "shuffled", "disagreement", "uncertainty", "diverse"]  # the last three go by worth
MOST_NAMED = 10  # pairs in a message
PREVIEWED = 5  # pairs of a preview
PREVIEW_CANDIDATES = 50  # pairs looked at to find as many that may be shown
UNIT_FILTERS = ("source", "lang", "method", "group")  # what units other than pairs have
_pairs, _slots, _documents = schema.pairs, schema.slots, schema.documents


@dataclass(frozen=True, slots=True)
class _SelectedPair:
    seq: int
    id: str


def select_pairs(
    connection: Connection,
    project: Project,
    wanted: Filter,
    *,
    sample: int | None = None,
    seed: int = 0,
    order: Order = "arrival",
    not_in: Sequence[str] = (),
    unsettled_in: str | None = None,
    without: Collection[str] = (),
    among: Sequence[str] = (),
) -> list[BatchItem]:
    """The pairs that fit and are in none of some batches, or a sample of them, each with who extracted or wrote it.

    ``unsettled_in`` is a scheme: pairs that are judged enough in it are left out, and so are those in ``without``. If
    any are named in ``among``, only these are chosen, and one that cannot be is refused. A search uses the index as it
    is: call :func:`otherwords.project.search.update_index` before.
    """
    check_sample(sample)
    names = fitting_pairs(connection, project, wanted, not_in, unsettled_in, without, among)
    return items_of(connection, draw(names, sample, seed, order))


def fitting_pairs(
    connection: Connection,
    project: Project,
    wanted: Filter,
    not_in: Sequence[str] = (),
    unsettled_in: str | None = None,
    without: Collection[str] = (),
    among: Sequence[str] = (),
) -> list[str]:
    """The ids of the pairs that :func:`select_pairs` draws from, in their order of arrival."""
    names = [pair.id for page in _pages(connection, project, wanted, not_in) for pair in page if pair.id not in without]
    if among:
        names = _named(names, among)
    return _unsettled(connection, "pair", names, unsettled_in)


def _named(fitting: Sequence[str], named: Sequence[str]) -> list[str]:
    """Those of the pairs that are named, in their order of arrival; a name without a pair is refused."""
    there, wanted = set(fitting), set(named)
    if missing := [name for name in dict.fromkeys(named) if name not in there]:
        listed = ", ".join(map(repr, missing[:MOST_NAMED]))
        more = f" and {len(missing) - MOST_NAMED:,} more" if len(missing) > MOST_NAMED else ""
        why = "a pair is named that is not in the project, is left out or does not fit the other conditions"
        message = f"{why}: {listed}{more}"
        raise Refused(message, "pairs", code="no-such-pair")
    return [name for name in fitting if name in wanted]


def select_units(
    connection: Connection,
    unit: Unit,
    wanted: Filter,
    *,
    sample: int | None = None,
    seed: int = 0,
    order: Order = "arrival",
    not_in: Sequence[str] = (),
    unsettled_in: str | None = None,
) -> list[BatchItem]:
    """The units other than pairs that fit, in their order of arrival: groups of texts, or pairs of documents."""
    check_sample(sample)
    if unusable := sorted(set(wanted.as_params()) - set(UNIT_FILTERS)):
        plural, known = "groups" if unit == "group" else "document pairs", ", ".join(UNIT_FILTERS)
        raise Refused(f"{plural} are chosen by {known}; leave {unusable[0]!r} out", code="unusable-filter")
    for name in not_in:
        load_batch(connection, name)  # refuses a misspelt one
    taken = set(connection.execute(select(_slots.c.item).where(_slots.c.batch.in_(not_in))).scalars())
    if unit == "document_pair":
        table = schema.document_pairs
        columns = (_documents.c.source, _documents.c.lang, table.c.method, table.c.group)
        fits = [column == value for column in columns if (value := getattr(wanted, column.name)) is not None]
        joined = select(table.c.id).join(_documents, _documents.c.id == table.c.doc1)
        query = joined.where(_documents.c.text != "", *fits).order_by(table.c.seq)
        fitting = list(connection.execute(query).scalars())
    else:  # groups of pairs, and those of documents that have no pairs yet
        there = (PRESENT, NOT_LEFT_OUT, _pairs.c.text1 != "", *_without_outputs(wanted))
        fitting = _group_names(connection, _pairs, wanted, *there)
        if wanted.method is None:
            fitting += _group_names(connection, _documents, wanted, _documents.c.text != "")
    names = [name for name in dict.fromkeys(fitting) if name not in taken]
    names = _unsettled(connection, unit, names, unsettled_in)
    return [BatchItem(name) for name in draw(names, sample, seed, order)]


def _unsettled(connection: Connection, unit: Unit, names: list[str], scheme: str | None) -> list[str]:
    """Those of these units that are not judged enough in a scheme; all of them without a scheme."""
    enough = judged_enough(connection, unit, scheme, names) if scheme is not None else set()
    return [name for name in names if name not in enough]


def _group_names(connection: Connection, table: FromClause, wanted: Filter, *conditions: Condition) -> list[str]:
    group = table.c.group
    fits = [table.c[name] == getattr(wanted, name) for name in UNIT_FILTERS if getattr(wanted, name) is not None]
    query = select(group).where(*conditions, group.is_not(None), group != "", *fits)
    return list(connection.execute(query.group_by(group).order_by(func.min(table.c.seq))).scalars())


def items_of(connection: Connection, names: Sequence[str]) -> list[BatchItem]:
    """Pairs as items of a batch, each with who extracted or wrote it."""
    makers: dict[str, str | None] = {}
    query = select(_pairs.c.id, _pairs.c.meta["annotator"].as_string())
    for block in in_blocks(names):
        makers |= {row[0]: row[1] for row in connection.execute(query.where(_pairs.c.id.in_(block)))}
    return [BatchItem(name, makers[name]) for name in names]


def first_items(connection: Connection, rules: BatchRules, items: list[BatchItem]) -> list[BatchItem]:
    """The pairs that a batch begins with: all, or if groups can grow only the first pairs of each group.

    Pairs without a group are left out then, as nothing could be added to them.
    """
    if not rules.deployment:
        return items
    groups = groups_of(connection, [item.item for item in items])
    sizes: Counter[str] = Counter()
    first = []
    for item in items:
        group = groups.get(item.item)
        if group is not None and sizes[group] < FIRST_OF_GROUP:
            sizes[group] += 1
            first.append(item)
    return first


def check_sample(sample: int | None) -> None:
    """Refuse an empty sample before anything is looked up."""
    if sample is not None and sample < 1:
        raise Refused(f"a sample has a size of at least one, not {sample}", code="bad-sample-size")


def draw(names: list[str], sample: int | None, seed: int, order: Order) -> list[str]:
    """A sample of names, or all of them, in the order that is wanted."""
    if sample is not None and sample < len(names):
        chosen = set(shuffle(names, seed, "sample")[:sample])
        names = [name for name in names if name in chosen]
    return shuffle(names, seed, "order") if order == "shuffled" else names


@dataclass(frozen=True, slots=True)
class PreviewPair:
    """A pair as a preview shows it."""

    id: str
    text1: str
    text2: str
    lang: str | None


@dataclass(frozen=True, slots=True)
class Preview:
    """The first few pairs that fit and how many do; at least so many if counting all would take too long."""

    pairs: int
    complete: bool
    first: list[PreviewPair]


def preview_selection(
    connection: Connection,
    project: Project,
    wanted: Filter,
    viewer: PairViewer,
    not_in: Sequence[str] = (),
    seconds: float = math.inf,
    unsettled_in: str | None = None,
    without: Collection[str] = (),
) -> Preview:
    """What a filter would choose, except the pairs that are left out, counted for about so many seconds.

    A pair that the viewer still has to judge is counted but not shown: that it fits could reveal what others said.
    """
    number, complete, first, end = 0, True, list[str](), time.monotonic() + seconds
    for page in _pages(connection, project, wanted, not_in):
        present = [pair.id for pair in page if pair.id not in without]
        fitting = _unsettled(connection, "pair", present, unsettled_in)
        number += len(fitting)
        if len(first) < PREVIEWED:
            names = fitting[:PREVIEW_CANDIDATES]
            unseen = hidden_items(connection, viewer.name, viewer.role, names) if wanted.beyond_the_texts else set()
            first += [name for name in names if name not in unseen]
        if time.monotonic() > end:
            complete = False
            break
    return Preview(number, complete, _previewed(connection, first[:PREVIEWED]))


def preview_named(connection: Connection, viewer: PairViewer, names: Sequence[str]) -> Preview:
    """The same for pairs that were chosen by their labels."""
    candidates = names[:PREVIEW_CANDIDATES]
    unseen = hidden_items(connection, viewer.name, viewer.role, candidates)
    first = [name for name in candidates if name not in unseen]
    return Preview(len(names), True, _previewed(connection, first[:PREVIEWED]))


def _previewed(connection: Connection, names: Sequence[str]) -> list[PreviewPair]:
    columns = (_pairs.c.id, _pairs.c.text1, _pairs.c.text2, _pairs.c.lang)
    shown = select(*columns).where(_pairs.c.id.in_(names)).order_by(_pairs.c.seq)
    return [PreviewPair(*row) for row in connection.execute(shown)]


def shuffle(names: Iterable[str], seed: int, purpose: str) -> list[str]:
    """Names in a random order, which differs from purpose to purpose under the same seed."""
    key, person = str(seed).encode(), purpose.encode()
    return sorted(names, key=lambda name: (digest_bytes(name, size=64, key=key, person=person), name))


def _without_outputs(wanted: Filter) -> list[Condition]:
    """Outputs of systems that people rate are not candidates for the corpus, unless somebody asks for them."""
    return [] if wanted.method == OUTPUT_METHOD else [NO_OUTPUT]


def _pages(
    connection: Connection, project: Project, wanted: Filter, not_in: Sequence[str]
) -> Iterator[list[_SelectedPair]]:
    """All pairs that fit and have both their texts, in their order of arrival."""

    def keep(pairs: Pairs) -> list[_SelectedPair]:
        if wanted.label is not None or wanted.type is not None:
            labels = project_labels(connection, project, [pair["id"] for pair in pairs])
            pairs = [pair for pair in pairs if matches_filter(wanted, labels[pair["id"]])]
        return [_SelectedPair(pair["seq"], pair["id"]) for pair in pairs]

    conditions = [_pairs.c.text1 != "", _pairs.c.text2 != "", NOT_LEFT_OUT, *_without_outputs(wanted)]
    for name in not_in:
        load_batch(connection, name)  # refuses a misspelt one
    if not_in:
        taken = select(_slots.c.seq).where(_slots.c.item == _pairs.c.id, _slots.c.batch.in_(not_in)).correlate(_pairs)
        conditions.append(~taken.exists())
    before = -1
    after: int | None = 0
    while after is not None and after != before:  # or somebody adds pairs, and the search index is behind
        before = after
        page, after = next_page(connection, project, wanted, conditions, keep, before, MAX_PAGE_ROWS)
        yield page
