"""A balanced sample: the same number of pairs from each range of a measure (Suzuki et al. 2017, §3.2).

Within a range, pairs come in an order that their ids and a seed decide, whatever the order of the file. Classes
(labels, topics, groups) take turns, so that each gives the same number as long as it has pairs; no group gives more
than the cap allows. Ranges with few pairs choose first, since others have more to choose from. What could not be filled
is in the table, with the reason.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from otherwords.acquire.batches import SelectedMeasures, pair_blocks, text_columns
from otherwords.digests import digest_number
from otherwords.errors import DataError, UsageError
from otherwords.measures import measure
from otherwords.measures.bins import Ranges
from otherwords.records import Pair
from otherwords.sources.io.files import readable_twice
from otherwords.sources.reading import WithProgress, format_for, open_records, without_progress, write_records

Balance = Literal["label", "topic", "group"]
NONE = "(none)"
CLASS_OF: dict[Balance, Callable[[Pair], object]] = {
    "label": lambda pair: pair.label,
    "topic": lambda pair: pair.meta.get("topic"),
    "group": lambda pair: pair.group,
}
MOST_RANGES = 1000
MOST_NAMED = 5  # classes in a reason


@dataclass(frozen=True, slots=True)
class DrawRow:
    """A pair that may be drawn: its row, its range, its class and its group."""

    row: int
    id: str
    place: int
    key: int  # decides the order of the draw
    chosen_class: str
    group: str | None


@dataclass(slots=True)
class RangeDraw:
    """What there was in a range and what was drawn, by class; and why it is not what was asked for."""

    range: str
    wanted: int
    available: dict[str, int] = field(default_factory=dict)
    drawn: dict[str, int] = field(default_factory=dict)
    capped: int = 0  # pairs that were passed over because their group had given enough

    @property
    def pairs(self) -> int:
        return sum(self.drawn.values())

    @property
    def missing(self) -> int:
        return self.wanted - self.pairs

    def reason(self, classes: Sequence[str]) -> str:
        """Why a range is not full, or not balanced; empty if it is both."""
        reasons = []
        if self.missing:
            there = sum(self.available.values())
            reasons.append(f"only {there:,} {'pair' if there == 1 else 'pairs'} in this range" if there else "no pairs")
            if self.capped:
                reasons[-1] = f"{self.capped:,} of {there:,} pairs are of groups that gave enough"
        share = self.wanted // len(classes) if len(classes) > 1 else 0
        short = [name for name in classes if self.drawn.get(name, 0) < min(share, self.wanted)]
        if len(classes) > 1 and short and len(classes) <= self.wanted:
            listed = ", ".join(f"{name}: {self.drawn.get(name, 0):,} of {share:,}" for name in short)
            many = f"{len(short):,} of the {len(classes):,} classes"
            reasons.append(f"too few of {listed if len(short) <= MOST_NAMED else many}")
        return "; ".join(reasons)


@dataclass(frozen=True, slots=True)
class SampleTable:
    """How a sample was drawn."""

    measure: str
    signature: str
    seed: int
    balance: Balance | None
    pairs: int
    outside: int  # pairs whose score is in no range
    classes: list[str]
    ranges: list[RangeDraw]

    @property
    def drawn(self) -> int:
        return sum(row.pairs for row in self.ranges)

    def as_dict(self) -> dict[str, object]:
        """The JSON form."""
        rows = [
            {
                "range": row.range,
                "wanted": row.wanted,
                "available": row.available,
                "drawn": row.drawn,
                "missing": row.missing,
                "reason": row.reason(self.classes) or None,
            }
            for row in self.ranges
        ]
        facts = {name: getattr(self, name) for name in ("measure", "signature", "seed", "balance", "pairs", "outside")}
        return facts | {"drawn": self.drawn, "ranges": rows}


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """What to draw."""

    by: str
    ranges: Ranges
    per_bin: int
    balance: Balance | None = None
    cap_per_group: int | None = None
    seed: int = 0


def parse_ranges(bins: int | str | Sequence[float], by: str) -> Ranges:
    """Ranges of a measure: a number of equal ones, or edges such as ``0.5,0.6,1``."""
    lowest, highest = measure(by).range
    spelled = [str(edge) for edge in bins] if not isinstance(bins, int | str) else str(bins).split(",")
    try:
        numbers = [Fraction(text.strip()) for text in spelled]
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"--bins {bins}: expected a number or edges such as 0,0.5,1", code="bad-ranges") from None
    if len(numbers) == 1:
        if numbers[0].denominator != 1 or not 1 <= numbers[0] <= MOST_RANGES:
            message = f"--bins {bins}: expected a number from 1 to {MOST_RANGES:,}, or edges such as 0,0.5,1"
            raise UsageError(message, code="bad-ranges")
        return Ranges.equal(int(numbers[0]), highest, lowest)
    if sorted(set(numbers)) != numbers or len(numbers) > MOST_RANGES:
        raise UsageError(f"--bins {bins}: the edges have to rise", code="bad-ranges")
    return Ranges(tuple(numbers), Fraction(highest))


def draw_rows(
    pairs: Iterable[Pair], plan: SamplePlan, lang: str | None = None, tokeniser: str | None = None
) -> tuple[list[DrawRow], str]:
    """All pairs with what the draw needs to know of them, and the signature of the measure."""
    selected = SelectedMeasures([plan.by], lang, tokeniser)
    if selected.needs_fit:
        message = f"--by {plan.by}: the scores of this measure depend on all texts; choose another"
        raise UsageError(message, code="measure-needs-fit")
    class_of = CLASS_OF[plan.balance] if plan.balance is not None else lambda pair: None
    found: list[DrawRow] = []
    for block in pair_blocks(pairs):
        places = [-1] * len(block)
        for rows, measures in selected.parted(block):
            texts = text_columns([block[row] for row in rows])
            for row, place in zip(rows, plan.ranges.places(measures[plan.by], *texts).tolist(), strict=True):
                places[row] = place
        for pair, place in zip(block, places, strict=True):
            name = class_of(pair)
            key = digest_number(str(plan.seed), pair.id)
            found.append(DrawRow(len(found), pair.id, place, key, NONE if name is None else str(name), pair.group))
    return found, selected.signatures().get(plan.by, measure(plan.by).signature())


def draw_sample(found: Sequence[DrawRow], plan: SamplePlan, signature: str) -> tuple[list[int], SampleTable]:
    """The rows that are drawn, in their order, and the table of the draw; nothing to draw is an error."""
    classes = sorted({candidate.chosen_class for candidate in found if candidate.place >= 0})
    table = [RangeDraw(name, plan.per_bin) for name in plan.ranges.names]
    by_range: list[dict[str, deque[DrawRow]]] = [{} for _ in table]
    for candidate in sorted(found, key=lambda candidate: (candidate.key, candidate.row)):
        if candidate.place >= 0:
            by_range[candidate.place].setdefault(candidate.chosen_class, deque()).append(candidate)
    for row, queues in zip(table, by_range, strict=True):
        row.available = {name: len(queues[name]) for name in classes if name in queues}
    given: Counter[str] = Counter()
    chosen: list[int] = []
    for place in sorted(range(len(table)), key=lambda place: (sum(table[place].available.values()), place)):
        start = place % max(1, len(classes))  # so that no class is the first to take its turn in every range
        chosen += _draw_range(table[place], by_range[place], classes[start:] + classes[:start], given, plan)
    outside = sum(candidate.place < 0 for candidate in found)
    result = SampleTable(plan.by, signature, plan.seed, plan.balance, len(found), outside, classes, table)
    if not chosen:
        message = f"none of {len(found):,} pairs can be drawn; {outside:,} lie outside the ranges"
        raise DataError(message, code="nothing-drawn")
    return sorted(chosen), result


def _draw_range(
    row: RangeDraw, queues: dict[str, deque[DrawRow]], order: Sequence[str], given: Counter[str], plan: SamplePlan
) -> list[int]:
    """Draw from the classes in turn until the range is full or nothing is left."""
    chosen: list[int] = []
    while len(chosen) < plan.per_bin and any(queues.values()):
        for name in order:
            if len(chosen) < plan.per_bin and (candidate := _next(row, queues.get(name), given, plan.cap_per_group)):
                chosen.append(candidate.row)
                row.drawn[name] = row.drawn.get(name, 0) + 1
    row.drawn = {name: row.drawn[name] for name in sorted(row.drawn)}
    return chosen


def _next(row: RangeDraw, queue: deque[DrawRow] | None, given: Counter[str], cap: int | None) -> DrawRow | None:
    """The next pair of a class whose group has not given enough yet."""
    while queue:
        candidate = queue.popleft()
        if cap is None or candidate.group is None:
            return candidate
        if given[candidate.group] < cap:
            given[candidate.group] += 1
            return candidate
        row.capped += 1
    return None


def sample_file(
    path: str | Path,
    plan: SamplePlan,
    *,
    out: str | Path | None = None,
    to: str | None = None,
    lang: str | None = None,
    tokeniser: str | None = None,
    watch: WithProgress = without_progress,
    **options: Any,
) -> tuple[SampleTable, list[str]]:
    """The table of a draw from a file, and the ids of the drawn pairs, which go to ``out`` if it is named.

    The file is read twice: texts are not kept in memory.
    """
    if out is not None:
        format_for(out, to)
    name = "standard input" if str(path) == "-" else None
    again = {**options, "quarantine": None}
    if again.get("on_error") == "quarantine":
        again["on_error"] = "skip"
    with readable_twice(path) as readable:
        with open_records(readable, lang=lang, called=name, **options) as corpus:
            rows, signature = draw_rows(watch(corpus.pairs(), corpus, "measuring"), plan, lang, tokeniser)
        chosen, table = draw_sample(rows, plan, signature)
        if out is not None:
            drawn = set(chosen)
            with open_records(readable, lang=lang, called=name, **again) as corpus:
                write_records((pair for row, pair in enumerate(corpus.pairs()) if row in drawn), out, to)
    return table, [rows[row].id for row in chosen]
