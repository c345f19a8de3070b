"""The rules that a user chose, built for each language and tokeniser among the pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from otherwords.acquire.batches import MeasureKey, block_keys
from otherwords.acquire.filters import build_rule
from otherwords.acquire.filters.rule import BlockTexts, Rule, Verdicts
from otherwords.errors import DataError, UsageError
from otherwords.measures.columns import Floats
from otherwords.sources.blocks.block import PairBlock, Rows


@dataclass(frozen=True, slots=True)
class BlockDecisions:
    """What the rules say of a block: for every rule and pair a verdict, and for rules with bounds a value."""

    verdicts: Verdicts  # rules × pairs
    values: dict[str, Floats]  # by rule
    high_values: dict[str, Floats]  # of rules whose upper bound is for another value

    @property
    def first(self) -> npt.NDArray[np.int64]:
        """The number of the first rule that rejects each pair; that of no rule, one too high, where all keep it."""
        rejecting = self.verdicts > 0
        first: npt.NDArray[np.int64] = np.where(rejecting.any(axis=0), rejecting.argmax(axis=0), len(rejecting))
        return first


class SelectedRules:
    """Rules in their order, the first of which that rejects a pair gives the reason."""

    def __init__(self, specs: Sequence[str], lang: str | None = None, tokeniser: str | None = None) -> None:
        self.specs = list(dict.fromkeys(specs))
        if not self.specs:
            raise UsageError("a filter needs at least one rule", code="no-rules")
        self._lang, self._tokeniser = lang, tokeniser
        self.rules = [build_rule(spec, tokeniser=tokeniser) for spec in self.specs]  # refuses what is misspelt
        self._built: dict[MeasureKey, list[Rule]] = {}

    @property
    def uses_model(self) -> bool:
        return any(rule.uses_model for rule in self.rules)

    def parts(self, block: PairBlock) -> list[tuple[Rows | None, str | None, list[Rule]]]:
        """The parts of a block that the same rules judge: their rows, None for all, their language, the rules."""
        return [
            (rows, key[0], self._rules(key, block.id(0 if rows is None else int(rows[0]))))
            for key, rows in block_keys(block, self._lang, self._tokeniser).items()
        ]

    def decide(self, block: PairBlock, parts: list[tuple[Rows | None, str | None, list[Rule]]]) -> BlockDecisions:
        """The verdicts of all rules on a block."""
        texts1, texts2 = block.texts()
        verdicts = np.zeros((len(self.specs), len(block)), np.int8)
        values: dict[str, Floats] = {}
        high_values: dict[str, Floats] = {}
        for rows, lang, rules in parts:
            chosen = pa.array(rows) if rows is not None else None
            sides = (texts1, texts2) if chosen is None else (texts1.take(chosen), texts2.take(chosen))
            texts, places = BlockTexts(*sides, lang), slice(None) if rows is None else rows
            for number, rule in enumerate(rules):
                decision = rule.decide(texts)
                verdicts[number, places] = decision.verdicts
                for columns, found in ((values, decision.values), (high_values, decision.high_values)):
                    if found is not None:
                        columns.setdefault(rule.name, np.full(len(block), np.nan))[places] = found
        return BlockDecisions(verdicts, values, high_values)

    def reason(self, rule: int, verdict: int) -> str:
        """The words of a verdict, with the name of its rule."""
        chosen = self.rules[rule]
        return f"{chosen.name.partition(':')[0]}: {chosen.reasons[verdict - 1]}"

    def signatures(self) -> dict[str, str]:
        """What each verdict depends on; several signatures where a corpus has several languages."""
        signatures: dict[str, dict[str, None]] = {spec: {} for spec in self.specs}
        for rules in self._built.values():
            for rule in rules:
                signatures[rule.name][rule.signature()] = None
        return {spec: " and ".join(distinct) for spec, distinct in signatures.items() if distinct}

    def _rules(self, key: MeasureKey, example: str) -> list[Rule]:
        if key not in self._built:
            lang, tokeniser = key
            try:
                self._built[key] = [
                    rule if rule.any_language else build_rule(rule.name, lang, tokeniser) for rule in self.rules
                ]
            except UsageError as problem:
                if lang == self._lang:
                    raise
                raise DataError(f"pair {example}: {problem}", code=problem.code) from None
        return self._built[key]
