"""How far second texts are from the first: Self-BLEU and PINC (Dou et al. 2022, §4; Chen and Dolan 2011).

Self-BLEU is the corpus score of all second texts, as outputs, against the first, as their sources: high where much is
copied. Where a source has several paraphrases, as in a set of references, the lowest, mean and highest sentence score
of each source are averaged over the sources. PINC is the share of new n-grams, averaged over pairs.
"""

from __future__ import annotations

from array import array
from math import fsum

import numpy as np

from otherwords import _kernels
from otherwords.acquire.batches import SelectedMeasures
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import Panel, bars_beside
from otherwords.analyse.finding import LABEL, PAIRS, Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import groupings
from otherwords.analyse.pair_batch import PairBatch
from otherwords.corpus.corpus import Corpus, Polarities
from otherwords.digests import digest_number
from otherwords.measures.bleu import ORDERS, Bleu, BleuFormula
from otherwords.measures.columns import Floats, Integers

BLEU, PINC = "bleu", "pinc"
COLUMNS = (LABEL, PAIRS, Column("self_bleu", "Self-BLEU", "number"), Column("pinc", "PINC", "number", 3))
ABOUT = (
    "Self-BLEU of the second texts against the first as their sources (Dou et al. 2022): 100 is a copy. PINC is the "
    "share of n-grams that the first text lacks (Chen and Dolan 2011): 0 is a copy."
)

CAPTION = "On the left Self-BLEU, where 100 is a copy; on the right PINC, where 0 is a copy."


class ReferenceSets:
    """Sentence scores of the paraphrases of each source (Dou et al. 2022, §4).

    Only digests of the texts and a score for each pair are kept; repeated pairs count once. Sums are over sorted
    scores, so that the order of the pairs changes no digit.
    """

    def __init__(self) -> None:
        self._sources, self._paraphrases, self._scores = array("Q"), array("Q"), array("d")

    def add(self, source: int, paraphrase: int, score: float) -> None:
        """Add a paraphrase of a source, both as digests."""
        self._sources.append(source)
        self._paraphrases.append(paraphrase)
        self._scores.append(score)

    def table(self) -> Table | None:
        """Lowest, mean and highest score of each source with several paraphrases, averaged; None if there is none."""
        pairs = np.array([self._sources, self._paraphrases], np.uint64).T
        _, first = np.unique(pairs, axis=0, return_index=True)
        sources, scores = pairs[first, 0], np.array(self._scores, np.float64)[first]
        order = np.lexsort((scores, sources))  # the lowest score of each source first
        _, starts, sizes = np.unique(sources[order], return_index=True, return_counts=True)
        several = [scores[order[start : start + size]] for start, size in zip(starts, sizes, strict=True) if size > 1]
        if not several:
            return None
        columns = [
            Column("sources", "sources with several", "count"),
            Column("references", "paraphrases of each", "number"),
            *(Column(name, f"Self-BLEU, {name}", "number") for name in ("least", "mean", "highest")),
        ]
        least = fsum(float(of_source[0]) for of_source in several) / len(several)
        mean = fsum(fsum(of_source) / len(of_source) for of_source in several) / len(several)
        highest = fsum(float(of_source[-1]) for of_source in several) / len(several)
        row: list[Cell] = [len(several), sum(map(len, several)) / len(several), least, mean, highest]
        return Table("reference_sets", "Sources with several paraphrases", columns, [row])


class Diversity:
    """Self-BLEU and PINC by label, and over sets of references."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus = corpus
        self.measures = SelectedMeasures([BLEU, PINC], corpus.lang)
        self.polarities = Polarities()
        self.positive: dict[str, bool | None] = {}
        self.statistics: dict[str, Integers] = {}
        self.novelty: dict[str, array[float]] = {}
        self.sets: dict[bool | None, ReferenceSets] = {True: ReferenceSets(), None: ReferenceSets()}

    def add(self, batch: PairBatch) -> None:
        self.polarities.add(batch.positive[place] for place in batch.originals)
        originals = [batch.pairs[place] for place in batch.originals]
        for numbers, measures in self.measures.parted(originals):
            places = [batch.originals[number] for number in numbers]
            bleu, pinc = measures[BLEU], measures[PINC]
            assert isinstance(bleu, Bleu)
            texts1, texts2 = (texts.take(places) for texts in batch.texts)
            statistics = bleu.cut.statistics(_kernels.clipped_tokens, texts1, texts2, ORDERS)
            self._count(batch, places, statistics, pinc.scores(texts1, texts2), bleu.formula.scores(statistics))

    def _count(
        self, batch: PairBatch, places: list[int], statistics: Integers, novelty: Floats, scores: Floats
    ) -> None:
        by_label: dict[str, list[int]] = {}
        for row, place in enumerate(places):
            pair, positive, label = batch.pairs[place], batch.positive[place], batch.labels[place]
            by_label.setdefault(label, []).append(row)
            self.positive[label] = positive
            if positive is not False:
                self.sets[positive].add(digest_number(pair.text1), digest_number(pair.text2), float(scores[row]))
        for label, rows in by_label.items():
            summed = self.statistics.get(label, np.zeros((ORDERS, 3), np.int64))
            self.statistics[label] = summed + statistics[rows].sum(axis=0)
            self.novelty.setdefault(label, array("d")).extend(novelty[rows].tolist())

    def finding(self) -> Finding | None:
        if not self.novelty:
            return None
        rows = self._rows()
        by_label = Table("diversity", "Second texts against the first", COLUMNS, rows)
        by_measure = self.measures.signatures()
        signatures = {"self_bleu": by_measure[BLEU].replace("|eff:yes", "|eff:no"), "pinc": by_measure[PINC]}
        sets = self.sets[self.polarities.counted].table()
        if sets:
            signatures[sets.name] = by_measure[BLEU]
        title = f"{self.corpus.name}: how far second texts are from the first"
        panels = [
            Panel([(label, score) for label, _, score, _ in rows], "Self-BLEU", ".1f"),
            Panel([(label, novelty) for label, _, _, novelty in rows], "PINC", ".2f"),
        ]
        return Finding(
            "diversity",
            "Diversity",
            ABOUT,
            [by_label, sets] if sets else [by_label],
            [Figure("diversity", title, bars_beside(title, panels), CAPTION)],
            headlines=[f"Self-BLEU of all second texts is {rows[-1][2]:.1f}, and PINC {rows[-1][3]:.2f}"],
            remarks=self.polarities.remarks() if sets else [],
            signatures=signatures,
        )

    def _rows(self) -> list[tuple[str, int, float, float]]:
        """Label, pairs, Self-BLEU and PINC. No order of n-grams is left out, as sacrebleu scores a corpus."""
        formula = BleuFormula(effective_order=False)
        rows = []
        for name, labels in groupings(self.positive):
            novelty = [score for label in labels for score in self.novelty[label]]
            summed = np.sum([self.statistics[label] for label in labels], axis=0)
            rows.append((name, len(novelty), float(formula.scores(summed[None])[0]), fsum(novelty) / len(novelty)))
        return rows
