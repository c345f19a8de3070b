"""Self-BLEU over sets of references: sources with several paraphrases (Dou et al. 2022, §4).

Only digests of the texts and a score for each pair are held; a pair that comes twice counts once. The order in which
they came changes no digit: sums are over sorted scores.
"""

from __future__ import annotations

from array import array
from math import fsum

import numpy as np
from numpy.typing import NDArray

from otherwords.analyse.finding import Cell, Column, Table


class ReferenceSets:
    """Scores of paraphrases by the digest of their source."""

    def __init__(self) -> None:
        self._sources, self._paraphrases, self._scores = array("Q"), array("Q"), array("d")

    def add(self, source: int, paraphrase: int, score: float) -> None:
        """One more paraphrase of a source."""
        self._sources.append(source)
        self._paraphrases.append(paraphrase)
        self._scores.append(score)

    def table(self) -> Table | None:
        """Least, mean and highest score of each source with several paraphrases, averaged; None if there is none."""
        several = self._several()
        if not several:
            return None
        columns = [
            Column("sources", "sources with several", "count"),
            Column("references", "paraphrases of each", "number"),
            *(Column(name, f"Self-BLEU, {name}", "number") for name in ("least", "mean", "highest")),
        ]
        least = fsum(float(one[0]) for one in several) / len(several)
        mean = fsum(fsum(one) / len(one) for one in several) / len(several)
        highest = fsum(float(one[-1]) for one in several) / len(several)
        row: list[Cell] = [len(several), sum(map(len, several)) / len(several), least, mean, highest]
        return Table("reference_sets", "Sources with several paraphrases", columns, [row])

    def _several(self) -> list[NDArray[np.float64]]:
        """The scores of each source that has several paraphrases, the least first."""
        both = np.array([self._sources, self._paraphrases], np.uint64).T
        _, once = np.unique(both, axis=0, return_index=True)
        sources, scores = both[once, 0], np.array(self._scores, np.float64)[once]
        order = np.lexsort((scores, sources))
        _, starts, sizes = np.unique(sources[order], return_index=True, return_counts=True)
        return [scores[order[start : start + size]] for start, size in zip(starts, sizes, strict=True) if size > 1]
