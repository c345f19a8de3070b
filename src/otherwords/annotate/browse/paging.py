"""Read a corpus page by page, in the order of arrival, without ever counting it.

Candidates come in blocks, from the search index or from the ledger, and the caller decides about each exactly. A page
ends when it is full, at the end, after ``MAX_ROWS_READ`` rows, or where the search index does not go on yet: then it
may be short or empty although more follow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypedDict, TypeVar, cast

from sqlalchemy import Connection, select

from otherwords import labels
from otherwords.annotate.browse.conditions import Condition, index_conditions, row_conditions
from otherwords.annotate.browse.filter import Filter
from otherwords.annotate.labels.pair_labels import PairLabel
from otherwords.errors import LabelError, Refused
from otherwords.project import search
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_dicts
from otherwords.project.project import Project
from otherwords.project.search import Matches

MAX_ROWS_READ = 20_000
MAX_PAGE_ROWS = 1000
ROWS_A_BLOCK = 2000
_pairs = schema.pairs


class PairColumns(TypedDict):
    """The columns of a pair that pages are made from."""

    seq: int
    id: str
    text1: str
    text2: str
    lang: str | None
    source: str | None
    group: str | None
    method: str | None
    rewrite_of: str | None
    scores: dict[str, float | None]


Pairs = Sequence[PairColumns]


class NumberedRow(Protocol):
    """A row that knows its number in the ledger."""

    @property
    def seq(self) -> int: ...


PageRow = TypeVar("PageRow", bound=NumberedRow)


def next_page(
    connection: Connection,
    project: Project,
    wanted: Filter,
    more: list[Condition],
    select_rows: Callable[[Pairs], list[PageRow]],
    after: int | None,
    most: int,
) -> tuple[list[PageRow], int | None]:
    """The next rows that fit, and the number after which to continue; None at the end."""
    if not 1 <= most <= MAX_PAGE_ROWS:
        raise Refused(f"a page has 1 to {MAX_PAGE_ROWS:,} rows, not {most:,}", code="bad-page-size")
    if after is not None and not 0 <= after < 2**63:
        raise Refused(f"after: {after} is not the number of a pair", code="bad-pair-number")
    position: int | None = after or 0
    looked, size = 0, most + 1
    rows: list[PageRow] = []
    while position is not None and len(rows) <= most and looked < MAX_ROWS_READ:
        block = _candidates(connection, project, wanted, more, position, size)
        if block.reached == position:  # the search index has no more yet
            break
        position, looked = block.reached, looked + block.looked
        size = min(2 * size, ROWS_A_BLOCK, MAX_ROWS_READ - looked)
        rows += select_rows(pairs_of(connection, block.seqs))
    if len(rows) > most:  # one row too many shows that there are more
        return rows[:most], rows[most - 1].seq
    return rows, position


def _candidates(
    connection: Connection, project: Project, wanted: Filter, more: list[Condition], after: int, size: int
) -> Matches:
    """The numbers of the next pairs that may fit."""
    if wanted.query is not None:
        block = search.find_pairs(project, wanted.query, after, size)
        within = _pairs.c.seq.in_(block.seqs)
    else:
        following = select(_pairs.c.seq).where(_pairs.c.seq > after, *index_conditions(wanted))
        seqs = list(connection.execute(following.order_by(_pairs.c.seq).limit(size)).scalars())
        block = Matches(seqs, len(seqs), seqs[-1] if len(seqs) == size else None)
        within = _pairs.c.seq.between(after + 1, seqs[-1] if seqs else after)
    if not block.seqs:
        return block
    fits = (within, *index_conditions(wanted), *row_conditions(wanted), *more)
    fitting = connection.execute(select(_pairs.c.seq).where(*fits).order_by(_pairs.c.seq)).scalars()
    return Matches(list(fitting), block.looked, block.reached)


def pairs_of(connection: Connection, seqs: Sequence[int]) -> Pairs:
    """Pairs by their numbers, in order."""
    columns = [_pairs.c[name] for name in PairColumns.__annotations__]
    rows = connection.execute(select(*columns).where(_pairs.c.seq.in_(seqs)).order_by(_pairs.c.seq))
    return cast(Pairs, row_dicts(rows))


def matches_filter(wanted: Filter, pair: PairLabel) -> bool:
    """Whether a pair has the label and the type of a filter, which the SQL conditions only approximate."""
    if wanted.type is not None and wanted.type not in pair.types:
        return False
    if wanted.label is None:
        return True
    if wanted.projection == "full" and not labels.is_label(wanted.label):  # a label of another scheme
        return wanted.label == pair.label or wanted.label in pair.parts
    try:
        return labels.parse_label(pair.label or "").project(wanted.projection) == wanted.label
    except LabelError:
        return False
