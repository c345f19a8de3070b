"""What the parts of a card are written from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from otherwords.analyse.finding import Finding, Table
from otherwords.analyse.methods import table_of
from otherwords.corpus.released import Released
from otherwords.text.languages import language_name


@dataclass(frozen=True, slots=True)
class CardFacts:
    """A release, and what was found out about it."""

    released: Released
    findings: Sequence[Finding]

    @property
    def language(self) -> str:
        """The language by its English name."""
        return language_name(self.released.lang)

    @property
    def labels(self) -> Counter[str]:
        """Pairs by label, over all parts."""
        return sum((Counter(labels) for labels in self.released.counts.values()), Counter[str]())

    def table(self, finding: str, table: str) -> Table | None:
        """A table of a finding."""
        return table_of(self.findings, finding, table)
