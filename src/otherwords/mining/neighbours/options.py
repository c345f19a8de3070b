"""What is asked of a search for neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import NDArray

from otherwords.engine import Engine, ShardEngine
from otherwords.errors import UsageError

Metric = Literal["cosine", "euclidean"]
Scope = Literal["all", "within", "across"]
RULES: dict[Scope, int] = {"all": 0, "within": 1, "across": 2}  # as the kernels number them
MOST_NEIGHBOURS = 1_000


@dataclass(frozen=True, slots=True)
class NeighbourOptions:
    """How many neighbours, by what, among which rows, and how surely they are to be found.

    ``groups`` has a number for each row, such as that of its source; ``scope`` says whether neighbours are looked for
    within the group of a row or across groups. ``recall`` is the share of the true neighbours that is wanted.
    """

    k: int = 15
    metric: Metric = "cosine"
    groups: NDArray[Any] | None = None
    scope: Scope = "all"
    recall: float = 0.95
    memory_bytes: int | None = None
    threads: int | None = None
    seed: int = 0
    cluster: ShardEngine | None = None  # with it, a large pool is searched in files that its nodes share

    @property
    def engine(self) -> Engine:
        return Engine(self.threads)

    @property
    def shard_engine(self) -> ShardEngine:
        """Where the shards of a search in files are computed."""
        return self.cluster or self.engine

    def check(self, rows: int) -> None:
        """Refuse what makes no sense."""
        if not 1 <= self.k <= MOST_NEIGHBOURS:
            raise UsageError(f"k is {self.k}; choose 1 to {MOST_NEIGHBOURS:,} neighbours", code="neighbours-k")
        if self.metric not in ("cosine", "euclidean"):
            raise UsageError(f"no metric {self.metric}; known: cosine, euclidean", code="neighbours-metric")
        if self.scope not in RULES:
            raise UsageError(f"no scope {self.scope}; known: {', '.join(RULES)}", code="neighbours-scope")
        if not 0 < self.recall <= 1:
            raise UsageError(f"a recall of {self.recall:g} is not between 0 and 1", code="neighbours-recall-range")
        if self.scope != "all" and self.groups is None:
            raise UsageError(f"neighbours {self.scope} groups need the group of each row", code="neighbours-groups")
        if self.groups is not None and len(self.groups) != rows:
            reason = f"there are {len(self.groups):,} groups for {rows:,} rows; every row needs one"
            raise UsageError(reason, code="neighbours-groups")
