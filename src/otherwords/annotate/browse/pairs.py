"""Browse the pairs of a corpus: a page of rows, or a single pair with its details, for those who work on it.

Judgements of others are hidden as long as :mod:`~otherwords.annotate.visibility` says so. Of such a pair only the
texts, the language, the source and the group are shown, and no filter on anything else finds it: that it was found
would give the judgements away.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Protocol

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, func, select

from otherwords.annotate.browse.conditions import row_conditions
from otherwords.annotate.browse.filter import NO_FILTER, Filter
from otherwords.annotate.browse.paging import Pairs, matches_filter, next_page, pairs_of
from otherwords.annotate.browse.provenance import MakingFact, making_of
from otherwords.annotate.labels.pair_labels import project_labels
from otherwords.annotate.visibility import CURATORS, awaited_items, hidden_items, is_context_hidden
from otherwords.errors import NotAllowed, NotFound
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.project.left_out import LeftOutPair, left_out_pairs
from otherwords.project.project import Project
from otherwords.project.withdrawal.identities import maker_of
from otherwords.records import Passage
from otherwords.sources.io.tabular import safe_cell

MAY_BROWSE = ("annotator", *CURATORS)
_pairs = schema.pairs
_IS_REMARK = (schema.remarks.c.unit == "pair") & (schema.remarks.c.action == "say")


class PairViewer(Protocol):
    """Somebody who looks at pairs, such as an account."""

    @property
    def name(self) -> str: ...
    @property
    def role(self) -> str: ...


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair as a list shows it. A hidden one has no counts."""

    seq: int
    id: str
    text1: str
    text2: str
    lang: str | None = None
    source: str | None = None
    group: str | None = None
    method: str | None = None
    rewrite_of: str | None = None
    label: str | None = None
    labels: tuple[str, ...] = ()
    open: bool = False
    hidden: bool = False
    judgements: int | None = None
    rewrites: int | None = None
    remarks: int | None = None
    types: tuple[str, ...] = ()
    scores: dict[str, float | None] | None = None
    left_out: str | None = None  # why, if it is left out of the corpus


@dataclass(frozen=True, slots=True)
class PairDetails:
    """A pair with its origin, the pair that it rewrites, and its own rewrites."""

    row: PairRow
    passages: tuple[Passage | None, Passage | None] = (None, None)
    import_id: str | None = None
    step: str | None = None
    step_key: str | None = None
    time: str | None = None
    original: PairRow | None = None
    rewrites: tuple[PairRow, ...] = ()
    left_out: LeftOutPair | None = None
    made: dict[str, Any] | None = None  # how a candidate was made: systems, ranges, what was swapped
    making: tuple[MakingFact, ...] = ()  # the same in words


def pair_page(
    connection: Connection,
    project: Project,
    wanted: Filter,
    viewer: PairViewer,
    after: int | None = None,
    most: int = 50,
) -> tuple[list[PairRow], int | None]:
    """The next rows after a number, and the number after which to continue; None at the end.

    A search uses the index as it is (call :func:`otherwords.project.search.update_index` before). One request reads
    about 20,000 pairs at most: with a rare label, a page may be short or even empty although there are more.
    """
    _refuse_unfit(viewer, wanted)
    if wanted.batch is not None and viewer.role not in CURATORS:
        # The pairs of a batch, listed before and after somebody begins, would show which of them are hidden tests.
        rules = connection.execute(select(schema.batches.c.rules).where(schema.batches.c.id == wanted.batch)).scalar()
        if rules and "tests" in rules:
            message = "only curators see which pairs a batch has; leave the batch out"
            raise NotAllowed(message, code="batch-for-curators")
    select_rows = partial(_rows, connection, project, viewer, wanted)
    return next_page(connection, project, wanted, [], select_rows, after, most)


def load_pair(connection: Connection, project: Project, pair_id: str, viewer: PairViewer) -> PairDetails:
    """A single pair with all that the viewer may see of it."""
    _refuse_unfit(viewer, NO_FILTER)
    own = select(_pairs).where(_pairs.c.id == pair_id, *row_conditions(NO_FILTER))
    pair = connection.execute(own).mappings().first()
    if pair is None:
        raise NotFound(f"there is no pair {pair_id!r}, or it was removed", code="no-such-pair")
    row = next(iter(_rows(connection, project, viewer, NO_FILTER, pairs_of(connection, [pair["seq"]]))), None)
    if row is None:
        raise NotFound(f"there is no pair {pair_id!r}, or it was removed", code="no-such-pair")
    no_context = is_context_hidden(connection, viewer.name, pair_id, (pair["doc1"], pair["doc2"]))
    passages = (None, None) if no_context else (_passage(pair, "1"), _passage(pair, "2"))
    if row.hidden:
        return PairDetails(row, passages)
    origin = (pair["import_id"], pair["step"], pair["step_key"], pair["time"])
    original = _present(connection, project, viewer, _pairs.c.id == (pair["rewrite_of"] or ""))
    rewrites = _present(connection, project, viewer, _pairs.c.rewrite_of == pair_id)
    out = left_out_pairs(connection, [pair_id]).get(pair_id)
    related = (next(iter(original), None), tuple(rewrites), out)
    if not _may_see_making(connection, pair_id, viewer):
        return PairDetails(row, passages, *origin, *related)
    making = tuple(making_of(pair["method"], pair["meta"], pair["scores"] or {}))
    return PairDetails(row, passages, *origin, *related, made=pair["meta"].get("made"), making=making)


def _may_see_making(connection: Connection, pair_id: str, viewer: PairViewer) -> bool:
    """How a candidate was made suggests an answer: it is for curators, and for those who have given theirs."""
    judgements = schema.judgements
    own = (judgements.c.pair == pair_id, judgements.c.unit == "pair", judgements.c.annotator == viewer.name)
    return (
        viewer.role in CURATORS or connection.execute(select(judgements.c.seq).where(*own).limit(1)).first() is not None
    )


def row_cells(row: PairRow) -> dict[str, str]:
    """A row as cells that a spreadsheet can open safely, by column."""
    return table_cells(asdict(row) | {"labels": " ".join(row.labels), "types": " ".join(row.types)})


def table_cells(row: Mapping[str, Any]) -> dict[str, str]:
    """The same for the columns of any row; scores become JSON."""
    scores = {"scores": msgspec.json.encode(row["scores"]).decode() if row["scores"] else None}
    return {name: safe_cell(value) for name, value in {**row, **scores}.items()}


def _refuse_unfit(viewer: PairViewer, wanted: Filter) -> None:
    if viewer.role not in MAY_BROWSE:
        raise NotAllowed("the corpus is open to annotators and curators", code="not-a-browser")
    if wanted.annotator is not None and viewer.role not in CURATORS:
        raise NotAllowed("only curators see who judged what; leave the annotator out", code="names-for-curators")


def _rows(connection: Connection, project: Project, viewer: PairViewer, wanted: Filter, pairs: Pairs) -> list[PairRow]:
    """The pairs that fit a filter, each as far as the viewer may see it."""
    pairs = without_hidden_rewrites(connection, viewer, pairs)
    unseen = hidden_items(connection, viewer.name, viewer.role, [pair["id"] for pair in pairs])
    if wanted.beyond_the_texts:
        pairs = [pair for pair in pairs if pair["id"] not in unseen]
    labels = project_labels(connection, project, [pair["id"] for pair in pairs])
    shown = [pair for pair in pairs if matches_filter(wanted, labels[pair["id"]])]
    seen = [pair["id"] for pair in shown if pair["id"] not in unseen]
    rewrites = _counts(connection, schema.pairs, "rewrite_of", seen, PRESENT)
    remarks = _counts(connection, schema.remarks, "item", seen, _IS_REMARK)
    rows = []
    for pair in shown:
        if pair["id"] in unseen:  # the viewer may be about to judge it: not even whether it is a rewrite is shown
            texts = (pair["text1"], pair["text2"], pair["lang"], pair["source"], pair["group"])
            rows.append(PairRow(pair["seq"], pair["id"], *texts, hidden=True))
            continue
        label = labels[pair["id"]]
        judged = {name: getattr(label, name) for name in ("label", "labels", "open", "judgements", "left_out")}
        row = PairRow(**pair, **judged, types=tuple(sorted(label.types)))
        rows.append(replace(row, rewrites=rewrites.get(row.id, 0), remarks=remarks.get(row.id, 0)))
    return rows


def without_hidden_rewrites(connection: Connection, viewer: PairViewer, pairs: Pairs) -> Pairs:
    """The pairs without what others made of a pair that waits for judgements: a rewrite tells what its author said."""
    originals = {original for pair in pairs if (original := pair["rewrite_of"]) is not None}
    awaited = awaited_items(connection, viewer.name, viewer.role, originals)
    rewrites = [pair["id"] for pair in pairs if pair["rewrite_of"] in awaited]
    if not rewrites:
        return pairs
    by_others = maker_of(_pairs.c.meta).is_distinct_from(viewer.name)
    hidden = set(connection.execute(select(_pairs.c.id).where(_pairs.c.id.in_(rewrites), by_others)).scalars())
    return [pair for pair in pairs if pair["id"] not in hidden]


def _counts(
    connection: Connection, table: Table, column: str, ids: Collection[str], which: ColumnElement[bool]
) -> dict[str, int]:
    key = table.c[column]
    counts = select(key, func.count()).where(key.in_(ids), which).group_by(key)
    return {row[0]: row[1] for row in connection.execute(counts)} if ids else {}


def _passage(pair: Mapping[Any, Any], side: str) -> Passage | None:
    if pair[f"doc{side}"] is None:
        return None
    return Passage(id=pair[f"doc{side}"], start=pair[f"start{side}"], end=pair[f"end{side}"])


def _present(connection: Connection, project: Project, viewer: PairViewer, which: ColumnElement[bool]) -> list[PairRow]:
    seqs = connection.execute(select(_pairs.c.seq).where(which, *row_conditions(NO_FILTER))).scalars().all()
    return _rows(connection, project, viewer, NO_FILTER, pairs_of(connection, seqs))
