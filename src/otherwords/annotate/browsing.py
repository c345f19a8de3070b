"""Browsing: the pairs of a corpus for those who work on it, a page at a time or one with all that is known of it.

In go a filter and who looks, out come rows with the pair, the label that stands and counts. What others said of a
pair is out of sight until :mod:`~otherwords.annotate.sight` says otherwise; of such a pair only the texts, the
language, the source and the group are shown, and no filter on anything else finds it: that it was found would tell.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, func, select

from otherwords.annotate.pair_conditions import others
from otherwords.annotate.pair_filter import EVERYTHING, Filter
from otherwords.annotate.pair_labels import Standing, labels_in
from otherwords.annotate.pair_pages import Pairs, is_wanted, next_page, pairs_of
from otherwords.annotate.sight import hidden, without_context
from otherwords.errors import NotAllowed, NotFound
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.project.rows import PRESENT
from otherwords.records import Passage
from otherwords.sources.csv_safe import safe_cell

CURATORS = ("curator", "admin")
MAY_BROWSE = ("annotator", *CURATORS)
_one = schema.pairs
_SAID = (schema.remarks.c.unit == "pair") & (schema.remarks.c.action == "say")


class Viewer(Protocol):
    """Who looks: an account will do."""

    @property
    def name(self) -> str: ...
    @property
    def role(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Row:
    """A pair as a list shows it. Of a hidden one the counts are not known."""

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


@dataclass(frozen=True, slots=True)
class Whole:
    """A pair with where it came from, what it is a rewrite of and what it was rewritten to."""

    row: Row
    passages: tuple[Passage | None, Passage | None] = (None, None)
    import_id: str | None = None
    step: str | None = None
    step_key: str | None = None
    time: str | None = None
    original: Row | None = None
    rewrites: tuple[Row, ...] = ()


def page(
    connection: Connection, project: Project, wanted: Filter, viewer: Viewer, after: int | None = None, most: int = 50
) -> tuple[list[Row], int | None]:
    """The next rows after a number, and the number to go on from; None at the end.

    A search looks into the index as it is (:func:`otherwords.project.search.catch_up` comes before). One request
    looks at some 20,000 pairs at most: a rare label may give a short or even an empty page with a number to go on.
    """
    _refuse_unfit(viewer, wanted)
    _refuse_tests(connection, viewer, wanted)

    def kept(pairs: Pairs) -> list[Row]:
        return _rows(connection, project, pairs, viewer, wanted)

    return next_page(connection, project, wanted, [], kept, after, most)


def one(connection: Connection, project: Project, pair_id: str, viewer: Viewer) -> Whole:
    """A single pair with all that the viewer may know of it."""
    _refuse_unfit(viewer, EVERYTHING)
    found = connection.execute(select(_one).where(_one.c.id == pair_id, *others(EVERYTHING))).mappings().first()
    if found is None:
        raise NotFound(f"there is no pair {pair_id!r}, or it was removed")
    (row,) = _rows(connection, project, pairs_of(connection, [found["seq"]]), viewer)
    unseen = without_context(connection, viewer.name, pair_id)
    passages = (None, None) if unseen else (_passage(found, "1"), _passage(found, "2"))
    if row.hidden:
        return Whole(row, passages)
    about = {name: found[name] for name in ("import_id", "step", "step_key", "time")}
    original = _present(connection, project, viewer, _one.c.id == (found["rewrite_of"] or ""))
    rewrites = _present(connection, project, viewer, _one.c.rewrite_of == pair_id)
    return Whole(row, passages, **about, original=next(iter(original), None), rewrites=tuple(rewrites))


def cells(row: Row) -> dict[str, str]:
    """A row as the cells of a table that a spreadsheet may open; the names stay the same."""
    lists = {"labels": " ".join(row.labels), "types": " ".join(row.types)}
    scores = {"scores": msgspec.json.encode(row.scores).decode() if row.scores else None}
    return {name: safe_cell(value) for name, value in (asdict(row) | lists | scores).items()}


def _refuse_unfit(viewer: Viewer, wanted: Filter) -> None:
    if viewer.role not in MAY_BROWSE:
        raise NotAllowed("the corpus is open to annotators and curators")
    if wanted.annotator is not None and viewer.role not in CURATORS:
        raise NotAllowed("only curators see who judged what; leave the annotator out")


def _refuse_tests(connection: Connection, viewer: Viewer, wanted: Filter) -> None:
    """A list of the pairs of a batch, before and after somebody begins, would tell which of them are hidden tests."""
    if wanted.batch is None or viewer.role in CURATORS:
        return
    rules = connection.execute(select(schema.batches.c.rules).where(schema.batches.c.id == wanted.batch)).scalar()
    if rules and "tests" in rules:
        raise NotAllowed("only curators see which pairs are in this batch; leave the batch out")


def _rows(
    connection: Connection, project: Project, pairs: Pairs, viewer: Viewer, wanted: Filter = EVERYTHING
) -> list[Row]:
    """Those of some pairs that are wanted, each as far as the viewer may see it."""
    unseen = hidden(connection, viewer.name, viewer.role, [pair["id"] for pair in pairs])
    if wanted.beyond_the_texts:
        pairs = [pair for pair in pairs if pair["id"] not in unseen]
    standings = labels_in(connection, project, [pair["id"] for pair in pairs])
    shown = [pair for pair in pairs if is_wanted(wanted, standings[pair["id"]])]
    seen = [pair["id"] for pair in shown if pair["id"] not in unseen]
    rewrites = _counts(connection, schema.pairs, "rewrite_of", seen, PRESENT)
    remarks = _counts(connection, schema.remarks, "item", seen, _SAID)
    return [
        _concealed(pair)
        if pair["id"] in unseen
        else _row(pair, standings[pair["id"]], rewrites.get(pair["id"], 0), remarks.get(pair["id"], 0))
        for pair in shown
    ]


def _row(pair: dict[str, Any], standing: Standing, rewrites: int, remarks: int) -> Row:
    told = {name: getattr(standing, name) for name in ("label", "labels", "open", "judgements")}
    return Row(**pair, **told, types=tuple(sorted(standing.types)), rewrites=rewrites, remarks=remarks)


def _concealed(pair: dict[str, Any]) -> Row:
    """A pair that the viewer may be about to judge: not even whether it is a rewrite."""
    shown = ("seq", "id", "text1", "text2", "lang", "source", "group")
    return Row(**{name: pair[name] for name in shown}, hidden=True)


def _counts(
    connection: Connection, table: Table, column: str, ids: Collection[str], which: ColumnElement[bool]
) -> dict[str, int]:
    about = table.c[column]
    counted = select(about, func.count()).where(about.in_(ids), which).group_by(about)
    return {row[0]: row[1] for row in connection.execute(counted)} if ids else {}


def _passage(found: Any, side: str) -> Passage | None:
    if found[f"doc{side}"] is None:
        return None
    return Passage(id=found[f"doc{side}"], start=found[f"start{side}"], end=found[f"end{side}"])


def _present(connection: Connection, project: Project, viewer: Viewer, which: ColumnElement[bool]) -> list[Row]:
    seqs = connection.execute(select(_one.c.seq).where(which, *others(EVERYTHING))).scalars().all()
    return _rows(connection, project, pairs_of(connection, seqs), viewer)
