"""A stratified sample of mined pairs, put into a project as candidates with a batch for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from sqlalchemy import Connection, select

from otherwords.annotate.batch_plans.create import create_batch
from otherwords.annotate.batch_plans.request import decode_request
from otherwords.corpus.harvest.columns import BY, mined_file, mined_pairs, with_similarity
from otherwords.corpus.leaks.find import NEAR
from otherwords.corpus.leaks.near import NOTHING_NEAR, find_near
from otherwords.corpus.leaks.side import read_side
from otherwords.corpus.splits.units import components, equal_rows
from otherwords.errors import Conflict, DataError
from otherwords.mining.harvest.strata import StratifiedDraw, StratumDraw
from otherwords.project.importing.records import ImportResult, add_records, begin_import, finish_import
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import TABLES
from otherwords.project.project import Project
from otherwords.records import Pair


@dataclass(frozen=True, slots=True)
class MinedSample:
    """A draw: its table, how many pairs are new in the project, and the batch that people judge."""

    strata: list[StratumDraw]
    pool: str
    pairs: int  # of the pool
    drawn: int
    added: int
    batch: str

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        rows = [
            {"stratum": row.name, "pairs": row.population, "drawn": row.drawn, "reason": row.reason or None}
            for row in self.strata
        ]
        facts = {name: getattr(self, name) for name in ("pool", "pairs", "drawn", "added", "batch")}
        return facts | {"strata": rows}


def draw_strata(
    pairs: Iterable[Pair], per_stratum: int, by: str = BY, seed: int = 0, lang: str | None = None
) -> StratifiedDraw:
    """Draw from all pairs; nothing to draw from is an error."""
    draw = StratifiedDraw(per_stratum, by, seed)
    for pair in with_similarity(pairs, by, lang):
        draw.add(pair)
    if not draw.digest.pairs:
        raise DataError("there are no pairs to draw from", code="nothing-drawn")
    return draw


def group_near(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs of a draw; those that share a sentence or are near copies get one group, which splits keep together."""
    drawn, again = (read_side(name, pairs) for name in ("drawn", "again"))
    near = find_near([drawn, again], NEAR).get((0, 1), NOTHING_NEAR)
    shared = equal_rows((np.tile(np.arange(len(pairs)), 2), np.concatenate(drawn.plain)))
    roots = components(len(pairs), np.concatenate([near.a, shared[0]]), np.concatenate([near.b, shared[1]]))
    sizes = np.bincount(roots, minlength=len(pairs))
    return [
        msgspec.structs.replace(pair, group=pair.group or f"near {pairs[root].id}") if sizes[root] > 1 else pair
        for pair, root in zip(pairs, roots.tolist(), strict=True)
    ]


def sample_into(
    project: Project,
    path: str | Path,
    batch: str,
    *,
    per_stratum: int,
    by: str = BY,
    seed: int = 0,
    times: int = 1,
    scheme: str | None = None,
) -> MinedSample:
    """Draw from a mining run, import what is drawn, and make a batch of it."""
    file = mined_file(path)
    with project.ledger.reading() as connection:
        if has_batch(connection, batch):
            message = f"there is a batch {batch} already; choose another name"
            raise Conflict(message, "name", code="batch-exists")
    draw = draw_strata(mined_pairs(file)(), per_stratum, by, seed, project.config.lang)
    drawn = group_near(draw.pairs())
    options = {"sample": {"per_stratum": per_stratum, "by": by, "seed": seed}}
    begun = begin_import(project, "pairs", TABLES[Pair], file, options, "keep")
    result = ImportResult(str(file))
    add_records(project, drawn, begun, result)
    finish_import(project, begun, options, result)
    with project.ledger.writing() as connection:
        sample_batch(connection, project, batch, [pair.id for pair in drawn], seed=seed, times=times, scheme=scheme)
    strata = draw.strata()
    return MinedSample(strata, f"{draw.digest}", draw.digest.pairs, len(drawn), result.added, batch)


def has_batch(connection: Connection, name: str) -> bool:
    """Whether there is a batch of that name."""
    return connection.execute(select(schema.batches.c.seq).where(schema.batches.c.id == name)).first() is not None


def sample_batch(
    connection: Connection,
    project: Project,
    name: str,
    pairs: list[str],
    *,
    seed: int,
    times: int,
    scheme: str | None,
    author: str | None = None,
) -> None:
    """Make a batch of drawn pairs in random order, so that whatever is judged of it is a sample too."""
    request = decode_request(
        {"name": name, "pairs": tuple(pairs), "order": "shuffled", "seed": seed, "times": times, "scheme": scheme}
    )
    plan = request.plan(connection, project)
    create_batch(connection, project, plan, request.items(connection, project, plan), author)
