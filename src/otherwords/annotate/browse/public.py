"""The corpus as everybody may see it: the pairs of the latest release whose licences are open.

Public rows have no fields for annotators, notes, discussions or batches, and their labels and types are those that were
released, whatever was judged since. A pair is shown if the licences of both its texts are open.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import Connection, desc, select

from otherwords.annotate.browse.conditions import in_release, row_conditions
from otherwords.annotate.browse.filter import NO_FILTER, Filter
from otherwords.annotate.browse.paging import Pairs, matches_filter, next_page, pairs_of
from otherwords.annotate.browse.pairs import table_cells
from otherwords.annotate.labels.pair_labels import PairLabel
from otherwords.errors import NotAllowed, NotFound
from otherwords.licences.spelling import is_open
from otherwords.project.ledger import schema
from otherwords.project.pair_licences import pair_licences
from otherwords.project.project import Project

_pairs = schema.pairs


@dataclass(frozen=True, slots=True)
class Release:
    """The release that is public."""

    version: str
    licence: str | None


@dataclass(frozen=True, slots=True)
class PublicRow:
    """A pair as everybody may see it."""

    seq: int
    id: str
    text1: str
    text2: str
    lang: str | None
    source: str | None
    group: str | None
    method: str | None
    label: str | None
    types: tuple[str, ...]
    scores: dict[str, float | None]
    part: str | None
    licences: tuple[str, ...]
    version: str


def latest_release(connection: Connection) -> Release | None:
    """The newest release, if there is one."""
    releases = schema.releases
    newest = select(releases).order_by(desc(releases.c.time), desc(releases.c.version)).limit(1)
    row = connection.execute(newest).first()
    return Release(row.version, row.licence) if row else None


def public_page(
    connection: Connection, project: Project, wanted: Filter, after: int | None = None, most: int = 50
) -> tuple[list[PublicRow], int | None]:
    """The next rows after a number, and the number after which to continue; None at the end.

    As for those who work on the corpus, a page may be short although there are more.
    """
    for name in ("annotator", "batch", "has"):
        if getattr(wanted, name) is not None:
            raise NotAllowed(f"public pages do not show how people work; leave {name} out", code="filter-not-public")
    release = latest_release(connection)
    if release is None:
        return [], None
    select_rows = partial(_rows, connection, release, wanted)
    as_released = [in_release(release.version, wanted)]
    return next_page(connection, project, replace(wanted, label=None, type=None), as_released, select_rows, after, most)


def public_pair(connection: Connection, pair_id: str) -> PublicRow:
    """A single pair, if everybody may see it."""
    release = latest_release(connection)
    rows: list[PublicRow] = []
    if release:
        conditions = (_pairs.c.id == pair_id, in_release(release.version, NO_FILTER), *row_conditions(NO_FILTER))
        seqs = connection.execute(select(_pairs.c.seq).where(*conditions)).scalars().all()
        rows = _rows(connection, release, NO_FILTER, pairs_of(connection, seqs))
    if not rows:
        raise NotFound(f"there is no public pair {pair_id!r}", code="no-such-pair")
    return rows[0]


def public_cells(row: PublicRow) -> dict[str, str]:
    """A row as cells that a spreadsheet can open safely, by column."""
    return table_cells(asdict(row) | {"types": " ".join(row.types), "licences": "; ".join(row.licences)})


def _rows(connection: Connection, release: Release, wanted: Filter, pairs: Pairs) -> list[PublicRow]:
    ids = [pair["id"] for pair in pairs]
    licences = pair_licences(connection, ids)
    released = schema.released_pairs
    chosen = (released.c.version == release.version, released.c.pair.in_(ids))
    released_rows = {row.pair: row for row in connection.execute(select(released).where(*chosen))}
    rows = []
    for pair in pairs:
        row, own_licences = released_rows[pair["id"]], licences[pair["id"]]
        label = PairLabel(row.label, types=frozenset(row.types))
        if not matches_filter(wanted, label) or not all(map(is_open, own_licences)):
            continue
        fields: Any = {name: value for name, value in pair.items() if name != "rewrite_of"}
        fields |= {"label": label.label, "types": tuple(sorted(label.types)), "part": row.part}
        fields["licences"] = tuple(sorted(filter(None, own_licences)))
        rows.append(PublicRow(**fields, version=release.version))
    return rows
