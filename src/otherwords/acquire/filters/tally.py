"""How many pairs each rule rejects: by itself, as the first in the order of the rules, and as the only one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from otherwords.acquire.filters.selected import BlockDecisions, SelectedRules
from otherwords.digests import digest_number
from otherwords.sources.blocks.block import PairBlock, Rows

Reason = tuple[int, int]  # the number of a rule, and its verdict


@dataclass(frozen=True, slots=True)
class RejectedExample:
    """A rejected pair, and the value by which its rule decided, if it has one."""

    id: str
    text1: str
    text2: str
    value: float | None


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """How many pairs a rule rejects for a reason."""

    rule: str
    reason: str
    alone: int  # if this were the only rule
    first: int  # that no rule before it rejects
    only: int  # that no other rule rejects
    examples: list[RejectedExample] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FilterCounts:
    """What a filter did: pairs = kept + rejected, and rejected is the sum of what rules were the first to reject."""

    pairs: int
    kept: int
    reasons: list[ReasonCount]
    signatures: Mapping[str, str]

    @property
    def rejected(self) -> int:
        return self.pairs - self.kept

    def in_words(self) -> str:
        """The rejected pairs by reason in one sentence."""
        counts = [f"{count.first:,} × {count.reason}" for count in self.reasons if count.first]
        return "; ".join(counts) or "nothing was rejected"


class Tally:
    """Counts the decisions on block after block, with some examples of each reason, drawn by their ids."""

    def __init__(self, rules: SelectedRules, examples: int = 0) -> None:
        self.rules, self._most = rules, examples
        self.pairs = self.kept = 0
        self._alone: Counter[Reason] = Counter()
        self._first: Counter[Reason] = Counter()
        self._only: Counter[Reason] = Counter()
        self._examples: dict[Reason, list[tuple[int, RejectedExample]]] = {}

    def add(self, block: PairBlock, decisions: BlockDecisions) -> tuple[Rows, Rows]:
        """Count a block; the rows that are kept, and those that are rejected."""
        verdicts, first = decisions.verdicts, decisions.first
        number_of_rules = len(verdicts)
        single = (verdicts > 0).sum(axis=0) == 1
        for rule in range(number_of_rules):
            for counter, chosen in (
                (self._alone, verdicts[rule]),
                (self._first, verdicts[rule][first == rule]),
                (self._only, verdicts[rule][single]),
            ):
                for verdict, count in enumerate(np.bincount(chosen)):
                    if verdict and count:
                        counter[rule, verdict] += int(count)
        kept = np.flatnonzero(first == number_of_rules)
        rejected = np.flatnonzero(first < number_of_rules)
        self.pairs += len(block)
        self.kept += len(kept)
        if self._most and len(rejected):
            self._draw(block, decisions, rejected, first[rejected].tolist())
        return kept, rejected

    def _draw(self, block: PairBlock, decisions: BlockDecisions, rejected: Rows, first: list[int]) -> None:
        """Keep the examples of each reason whose ids have the lowest digests, whatever the order of the pairs."""
        for row, rule in zip(rejected.tolist(), first, strict=True):
            id, reason = block.id(row), (rule, int(decisions.verdicts[rule, row]))
            drawn, place = self._examples.setdefault(reason, []), digest_number(id)
            if len(drawn) < self._most or place < drawn[-1][0]:
                [pair] = block.take(np.array([row])).pairs()
                values = decisions.values.get(self.rules.specs[rule])
                value = None if values is None or np.isnan(values[row]) else float(values[row])
                drawn.append((place, RejectedExample(id, pair.text1, pair.text2, value)))
                drawn.sort(key=lambda example: (example[0], example[1].id))
                del drawn[self._most :]

    def counts(self) -> FilterCounts:
        """The counts so far, for every reason that a rule can give."""
        reasons = [
            ReasonCount(
                rule.name,
                self.rules.reason(number, verdict),
                self._alone[number, verdict],
                self._first[number, verdict],
                self._only[number, verdict],
                [example for _, example in self._examples.get((number, verdict), [])],
            )
            for number, rule in enumerate(self.rules.rules)
            for verdict, words in enumerate(rule.reasons, 1)
            if words
        ]
        return FilterCounts(self.pairs, self.kept, reasons, self.rules.signatures())
