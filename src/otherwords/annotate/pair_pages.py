"""Going through a corpus page by page, in the order of arrival, without ever counting it.

In go a filter and the number of the last pair seen, out come the next rows and where to go on. Candidates come in
blocks, from the search index or from the ledger, and whoever asks decides about each exactly. A page ends when it is
full, at the end of the corpus, or after ``MOST_LOOKED_AT`` rows: then it may be short, even empty, and goes on from
where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, select

from otherwords import labels
from otherwords.annotate.pair_conditions import Condition, indexed, others
from otherwords.annotate.pair_filter import Filter, turku_label
from otherwords.annotate.pair_labels import Standing
from otherwords.errors import LabelError, Refused
from otherwords.project import schema, search
from otherwords.project.project import Project
from otherwords.project.search import Matches

MOST_LOOKED_AT = 20_000
MOST_ON_A_PAGE = 1000
ROWS_A_BLOCK = 2000
Pairs = Sequence[dict[str, Any]]
_one = schema.pairs
COLUMNS = ("seq", "id", "text1", "text2", "lang", "source", "group", "method", "rewrite_of", "scores")


class Numbered(Protocol):
    """A row that knows its place in the ledger."""

    @property
    def seq(self) -> int: ...


R = TypeVar("R", bound=Numbered)


def next_page(
    connection: Connection,
    project: Project,
    wanted: Filter,
    more: list[Condition],
    kept: Callable[[Pairs], list[R]],
    after: int | None,
    most: int,
) -> tuple[list[R], int | None]:
    """The next rows that fit, and the number to go on from; None at the end."""
    if not 1 <= most <= MOST_ON_A_PAGE:
        raise Refused(f"a page has 1 to {MOST_ON_A_PAGE:,} rows, not {most:,}")
    position, looked, size = _checked(after), 0, most + 1
    found: list[R] = []
    while position is not None and len(found) <= most and looked < MOST_LOOKED_AT:
        block = _candidates(connection, project, wanted, more, position, size)
        position, looked = block.reached, looked + block.looked
        size = min(2 * size, ROWS_A_BLOCK, MOST_LOOKED_AT - looked)
        found += kept(pairs_of(connection, block.seqs))
    if len(found) > most:  # one too many says that there are more
        return found[:most], found[most - 1].seq
    return found, position


def _checked(after: int | None) -> int | None:
    if after is not None and not 0 <= after < 2**63:
        raise Refused(f"after: {after} is not the number of a pair")
    return after or 0


def _candidates(
    connection: Connection, project: Project, wanted: Filter, more: list[Condition], after: int, size: int
) -> Matches:
    """The next pairs that may fit, by number."""
    if wanted.query is not None:
        block = search.matching(project, wanted.query, after, size)
        within = _one.c.seq.in_(block.seqs)
    else:
        rows = select(_one.c.seq).where(_one.c.seq > after, *indexed(wanted)).order_by(_one.c.seq).limit(size)
        seqs = list(connection.execute(rows).scalars())
        block = Matches(seqs, len(seqs), seqs[-1] if len(seqs) == size else None)
        within = _one.c.seq.between(after + 1, seqs[-1] if seqs else after)
    if not block.seqs:
        return block
    fits = (within, *indexed(wanted), *others(wanted), *more)
    fitting = connection.execute(select(_one.c.seq).where(*fits).order_by(_one.c.seq)).scalars()
    return Matches(list(fitting), block.looked, block.reached)


def pairs_of(connection: Connection, seqs: Sequence[int]) -> Pairs:
    """Pairs by number, as rows, in that order."""
    columns = [_one.c[name] for name in COLUMNS]
    rows = connection.execute(select(*columns).where(_one.c.seq.in_(seqs)).order_by(_one.c.seq)).mappings()
    return [dict(row) for row in rows]


def is_wanted(wanted: Filter, standing: Standing) -> bool:
    """Whether a pair has the label and the type looked for: what the conditions could say only roughly."""
    if wanted.type is not None and wanted.type not in standing.types:
        return False
    if wanted.label is None:
        return True
    if wanted.projection == "full" and not turku_label(wanted.label):
        return wanted.label == standing.label or wanted.label in standing.said
    try:
        return labels.parse(standing.label or "").project(wanted.projection) == wanted.label
    except LabelError:
        return False
