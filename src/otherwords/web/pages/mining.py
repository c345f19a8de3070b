"""Mining, for curators: the pools of a project, tiles of similarity and confidence, and harvests with precisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Query, Request
from sqlalchemy import func, select
from starlette.responses import HTMLResponse

from otherwords.corpus.harvest.columns import NEGATIVE
from otherwords.corpus.harvest.harvest import HarvestSummary
from otherwords.corpus.harvest.points import annotated_points
from otherwords.errors import Conflict, OtherwordsError
from otherwords.mining.harvest.tiles import TILES, make_tiles
from otherwords.mining.mine import SUMMARY, MineSummary
from otherwords.project.ledger import schema
from otherwords.project.mined_pools import mined_pools
from otherwords.project.pipeline.dataset import open_dataset
from otherwords.project.simulated import is_simulated
from otherwords.web.accounts.auth import Curator
from otherwords.web.background_run import refuse_in_use
from otherwords.web.filters import address
from otherwords.web.pages.method import duration
from otherwords.web.rendering import page, public_message
from otherwords.web.site import Site, site_of
from otherwords.web.tables import add_twins, safe_rows

router = APIRouter()
PLACE = "/mining"
SCORE = "cosine"  # that mining gives every pair
CELL = 72  # pixels of a tile
TONES = 5
MOST_NAMES = 40
MOST_PAIRS = 50_000  # of a project whose tiles a page computes
_steps = schema.steps
Confidence = Annotated[
    str | None, Query(max_length=100, description="A score, or p_negative, p_positive or p_4; else what the pairs have")
]


@dataclass(frozen=True, slots=True)
class MinedPool:
    """A pool and what mining it gave; ``recall`` is that of the search for neighbours, with its interval."""

    name: str
    sentences: int | None
    pairs: int | None
    recall: float | None
    low: float | None
    high: float | None
    seconds: float | None
    signature: str


@dataclass(frozen=True, slots=True)
class TileRow:
    """A tile, by the lower bounds of its ranges, with the share of negatives and the interval of that."""

    similarity: float
    confidence: float
    pairs: int
    negatives: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class TileReply:
    """The tiles of the judged pairs, and notes about those that are not in them."""

    confidence: str
    tiles: list[TileRow]
    notes: list[str]
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class HarvestRow:
    """A harvest by the name of its step: how much, and how precise by what people judged."""

    step: str
    side: str
    region: str
    pool_pairs: int
    harvested: int
    precision: float
    low: float
    high: float
    judged: int
    finished: str


@dataclass(frozen=True, slots=True)
class DrawnTile:
    """A tile where it stands in the picture, darker the more of it is negative."""

    x: int
    y: int
    tone: int
    share: str
    pairs: int


def load_pools(request: Request, viewer: Curator) -> list[MinedPool]:
    """Pools that were mined in the folder of the project, and those of steps."""
    site = site_of(request)
    pools = []
    for name, folder in mined_pools(site.project).items():
        try:
            summary = msgspec.json.decode((folder / SUMMARY).read_bytes(), type=MineSummary)
        except (OSError, ValueError):  # it is being mined, or was stopped
            pools.append(MinedPool(name, None, None, None, None, None, None, ""))
            continue
        recall = (summary.recall, *summary.recall_interval)
        numbers = (summary.sentences, summary.pairs, *recall, summary.seconds)
        pools.append(MinedPool(name, *numbers, summary.signature))
    for row in _last_good(site, "mine"):
        sentences = row["counts"].get("sentences", row["rows_in"])
        pools.append(MinedPool(row["name"], sentences, row["rows_out"], None, None, None, row["seconds"], ""))
    return pools


def pool_cells(pools: Annotated[list[MinedPool], Depends(load_pools)]) -> Iterator[list[str]]:
    return safe_rows(astuple(pool) for pool in pools)


def load_tiles(request: Request, viewer: Curator, confidence: Confidence = None, everything: bool = False) -> TileReply:
    """Of a sample only the third is shown that regions are chosen on, unless everything is asked for.

    Nobody need know what pairs have: without a wish it is what a classifier said, else the score of the mining.
    """
    if confidence:
        return _tiles_by(site_of(request), confidence, everything)
    usual = _tiles_by(site_of(request), NEGATIVE, everything)
    scored = usual if usual.tiles else _tiles_by(site_of(request), SCORE, everything)
    return scored if scored.tiles else usual


def _tiles_by(site: Site, confidence: str, everything: bool) -> TileReply:

    with site.ledger.reading() as connection:
        last = connection.execute(select(func.max(schema.judgements.c.seq))).scalar()
        pairs = connection.execute(select(func.count()).select_from(schema.pairs)).scalar_one()
    if pairs > MOST_PAIRS:
        command = f"otherwords mine tiles {site.project.folder.name}"
        return TileReply(confidence, [], [], f"there are {pairs:,} pairs; this many are for the command {command}")
    try:
        refuse_in_use(site.project.folder)
    except Conflict as problem:
        return TileReply(confidence, [], [], str(problem))
    return site.cached_for("tiles", lambda: _tiles(site, confidence, everything), last, confidence, everything)


def _tiles(site: Site, confidence: str, everything: bool) -> TileReply:
    with site.ledger.reading() as connection:
        simulated = is_simulated(connection)
    try:
        points, notes = annotated_points(site.project.folder, confidence, everything=everything, simulated=simulated)
    except OtherwordsError as reason:
        return TileReply(confidence, [], [], public_message(reason))
    rows = [
        TileRow(tile.similarity, tile.confidence, tile.n, tile.negatives, *msgspec.structs.astuple(tile.negative))
        for tile in make_tiles(points)
    ]
    return TileReply(confidence, rows, notes)


def tile_cells(reply: Annotated[TileReply, Depends(load_tiles)]) -> Iterator[list[str]]:
    return safe_rows(astuple(tile) for tile in reply.tiles)


def load_harvests(request: Request, viewer: Curator) -> list[HarvestRow]:
    """The last good run of every step that harvests."""
    site = site_of(request)
    harvests = []
    for row in _last_good(site, "harvest"):
        try:
            dataset = open_dataset(site.project.folder / row["output"])
            summary = msgspec.convert(dataset.summary, HarvestSummary)
        except (OtherwordsError, msgspec.ValidationError):  # it was withdrawn, or its folder is gone
            continue
        estimate = summary.precision
        precision = (estimate.estimate, estimate.low, estimate.high)
        counts = (summary.side, summary.region, summary.pairs, summary.harvested)
        harvests.append(HarvestRow(row["name"], *counts, *precision, summary.judged, row["finished"]))
    return harvests


def harvest_cells(harvests: Annotated[list[HarvestRow], Depends(load_harvests)]) -> Iterator[list[str]]:
    return safe_rows(astuple(harvest) for harvest in harvests)


add_twins(router, PLACE, load_pools, pool_cells, MinedPool.__slots__, "mining")
add_twins(router, f"{PLACE}/tiles", load_tiles, tile_cells, TileRow.__slots__, "tiles")
add_twins(router, f"{PLACE}/harvests", load_harvests, harvest_cells, HarvestRow.__slots__, "harvests")


@router.get(PLACE)
def show(request: Request, viewer: Curator, confidence: Confidence = None, everything: bool = False) -> HTMLResponse:
    reply = load_tiles(request, viewer, confidence, everything)
    params = {"confidence": confidence} if confidence else {}
    params |= {"everything": "true"} if everything else {}
    return page(
        request,
        "mining.html",
        viewer,
        pools=load_pools(request, viewer),
        harvests=load_harvests(request, viewer),
        reply=reply,
        everything=everything,
        drawn=[_drawn(tile) for tile in reply.tiles],
        steps=[f"{number / TILES:.1f}–{(number + 1) / TILES:.1f}" for number in range(TILES)],
        width=1 / TILES,
        CELL=CELL,
        TILES=TILES,
        duration=duration,
        folder=site_of(request).project.folder.name,
        link=lambda path=PLACE, **changes: address(path, params, **changes),
    )


def _drawn(tile: TileRow) -> DrawnTile:
    column, row = round(tile.confidence * TILES), round(tile.similarity * TILES)
    tone = min(int(tile.share * TONES), TONES - 1)
    return DrawnTile(CELL * column, CELL * (TILES - 1 - row), tone, f"{tile.share:.0%}", tile.pairs)


def _last_good(site: Site, kind: str) -> list[dict[str, Any]]:
    """The last good run of each step of a kind, in the order of their names."""
    done = (_steps.c.kind == kind, _steps.c.state == "done")
    last = select(func.max(_steps.c.seq)).where(*done).group_by(_steps.c.name)
    statement = select(_steps).where(_steps.c.seq.in_(last)).order_by(_steps.c.name).limit(MOST_NAMES)
    with site.ledger.reading() as connection:
        return [dict(row) for row in connection.execute(statement).mappings()]
