"""The corpus as everybody may see it: the pairs of the latest release whose sources let them be shown.

In goes a filter, out come rows that have no place for annotators, notes, discussions or batches. A pair is shown if
the licence of both its documents is open; what has no document stands under the licence of the release, and a rewrite
under that of what it was made of.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, desc, select

from otherwords.annotate.open_licences import is_open
from otherwords.annotate.pair_conditions import in_release, others
from otherwords.annotate.pair_filter import EVERYTHING, Filter
from otherwords.annotate.pair_labels import labels_in
from otherwords.annotate.pair_pages import Pairs, is_wanted, next_page, pairs_of
from otherwords.errors import NotAllowed, NotFound
from otherwords.project import schema
from otherwords.project.project import Project
from otherwords.sources.csv_safe import safe_cell

LONGEST_CHAIN = 20  # of rewrites of rewrites
_one = schema.pairs


@dataclass(frozen=True, slots=True)
class Release:
    """The release that is shown."""

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
    """The release made last, if there is one."""
    made = schema.releases
    found = connection.execute(select(made).order_by(desc(made.c.time), desc(made.c.version)).limit(1)).first()
    return Release(found.version, found.licence) if found else None


def public_page(
    connection: Connection, project: Project, wanted: Filter, after: int | None = None, most: int = 50
) -> tuple[list[PublicRow], int | None]:
    """The next rows after a number, and the number to go on from; None at the end.

    As for those who work on the corpus, a page may be short and go on nevertheless.
    """
    for name in ("annotator", "batch", "has"):
        if getattr(wanted, name) is not None:
            raise NotAllowed(f"the public pages do not tell about the work on the corpus; leave {name} out")
    release = latest_release(connection)
    if release is None:
        return [], None

    def kept(pairs: Pairs) -> list[PublicRow]:
        return _rows(connection, project, release, pairs, wanted)

    return next_page(connection, project, wanted, [in_release(release.version)], kept, after, most)


def public_one(connection: Connection, project: Project, pair_id: str) -> PublicRow:
    """A single pair, if everybody may see it."""
    release = latest_release(connection)
    rows: list[PublicRow] = []
    if release:
        conditions = (_one.c.id == pair_id, in_release(release.version), *others(EVERYTHING))
        seqs = connection.execute(select(_one.c.seq).where(*conditions)).scalars().all()
        rows = _rows(connection, project, release, pairs_of(connection, seqs), EVERYTHING)
    if not rows:
        raise NotFound(f"there is no public pair {pair_id!r}")
    return rows[0]


def public_cells(row: PublicRow) -> dict[str, str]:
    """A row as the cells of a table that a spreadsheet may open; the names stay the same."""
    lists = {"types": " ".join(row.types), "licences": "; ".join(row.licences)}
    scores = {"scores": msgspec.json.encode(row.scores).decode() if row.scores else None}
    return {name: safe_cell(value) for name, value in (asdict(row) | lists | scores).items()}


def _rows(connection: Connection, project: Project, release: Release, pairs: Pairs, wanted: Filter) -> list[PublicRow]:
    ids = [pair["id"] for pair in pairs]
    standings = labels_in(connection, project, ids)
    licences = _licences(connection, ids, release)
    parts = _parts(connection, ids, release)
    told = []
    for pair in pairs:
        standing, under = standings[pair["id"]], licences[pair["id"]]
        if not is_wanted(wanted, standing) or not all(map(is_open, under)):
            continue
        types = tuple(sorted(standing.types))
        shown = {name: value for name, value in pair.items() if name != "rewrite_of"}
        told.append(
            PublicRow(
                **shown,
                label=standing.label,
                types=types,
                part=parts[pair["id"]],
                licences=tuple(sorted(filter(None, under))),
                version=release.version,
            )
        )
    return told


def _licences(connection: Connection, ids: Collection[str], release: Release) -> dict[str, set[str | None]]:
    """The licences that each pair stands under; None is an unknown one."""
    pairs = _with_originals(connection, ids)
    made_of = {name: _made_of(pairs, name) for name in ids}
    documents = {name for pair in made_of.values() if pair for name in (pair["doc1"], pair["doc2"])} - {None}
    held = schema.documents
    found = connection.execute(select(held.c.id, held.c.licence).where(held.c.id.in_(documents)))
    known = {None: release.licence, **{row.id: row.licence for row in found}}
    return {
        name: {known.get(pair["doc1"]), known.get(pair["doc2"])} if pair else {None} for name, pair in made_of.items()
    }


def _with_originals(connection: Connection, ids: Collection[str]) -> dict[str, Any]:
    """These pairs, what they are rewrites of, and so on."""
    columns = (_one.c.id, _one.c.doc1, _one.c.doc2, _one.c.rewrite_of)
    pairs: dict[str, Any] = {}
    missing = set(ids)
    for _ in range(LONGEST_CHAIN):
        rows = connection.execute(select(*columns).where(_one.c.id.in_(missing))).mappings().all()
        pairs |= {row["id"]: row for row in rows}
        missing = {row["rewrite_of"] for row in rows if row["rewrite_of"]} - pairs.keys()
        if not missing:
            break
    return pairs


def _made_of(pairs: dict[str, Any], name: str) -> Any:
    """The pair that a rewrite goes back to, or the pair itself; None where that is lost."""
    seen: set[str] = set()
    while name in pairs and name not in seen:
        seen.add(name)
        pair = pairs[name]
        if pair["doc1"] or pair["doc2"] or not pair["rewrite_of"]:
            return pair
        name = pair["rewrite_of"]
    return None


def _parts(connection: Connection, ids: Collection[str], release: Release) -> dict[str, str | None]:
    held = schema.released_pairs
    found = select(held.c.pair, held.c.part).where(held.c.version == release.version, held.c.pair.in_(ids))
    return {row.pair: row.part for row in connection.execute(found)}
