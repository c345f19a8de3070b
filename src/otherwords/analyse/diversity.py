"""How far second texts are from the first: Self-BLEU and PINC (Dou et al. 2022, §4; Chen and Dolan 2011).

Self-BLEU is the corpus score of all second texts, as outputs, against the first, as their sources: high where much is
copied. Where a source has several paraphrases, as in a set of references, the least, mean and highest sentence score
are taken of each source and then averaged over the sources. PINC is the share of new n-grams, averaged over pairs.
"""

from __future__ import annotations

from array import array
from hashlib import blake2b
from math import fsum

import numpy as np

from otherwords.acquire.batches import Chosen
from otherwords.analyse.analyses import Wishes
from otherwords.analyse.diversity_sets import ReferenceSets
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import groupings, label_of
from otherwords.analyse.pattern_counted import Polarities
from otherwords.analyse.seen import Seen
from otherwords.analyse.share_bars import Panel, bars_beside
from otherwords.corpus.corpora import Corpus
from otherwords.measures.bleu import ORDERS, Bleu, Formula
from otherwords.measures.columns import Floats, Integers

BLEU, PINC = "bleu", "pinc"
ABOUT = (
    "Self-BLEU of the second texts against the first as their sources (Dou et al. 2022): 100 is a copy. PINC is the "
    "share of n-grams that the first text lacks (Chen and Dolan 2011): 0 is a copy."
)


class Diversity:
    """Self-BLEU and PINC by label, and over sets of references."""

    def __init__(self, corpus: Corpus, wishes: Wishes) -> None:
        self.corpus = corpus
        self.measures = Chosen([BLEU, PINC], corpus.lang)
        self.polarities = Polarities()
        self.positive: dict[str, bool | None] = {}
        self.statistics: dict[str, Integers] = {}
        self.novelty: dict[str, array[float]] = {}
        self.sets: dict[bool | None, ReferenceSets] = {True: ReferenceSets(), None: ReferenceSets()}

    def add(self, batch: Seen) -> None:
        self.polarities.add(batch.positive[place] for place in batch.originals)
        originals = [batch.pairs[place] for place in batch.originals]
        for numbers, measures in self.measures.parted(originals):
            places = [batch.originals[number] for number in numbers]
            bleu, pinc = measures[BLEU], measures[PINC]
            assert isinstance(bleu, Bleu)
            texts1, texts2 = (texts.take(places) for texts in batch.texts)
            statistics = bleu.cut.clipped(texts1, texts2, ORDERS)
            self._add(batch, places, statistics, pinc.scores(texts1, texts2), bleu.formula.scores(statistics))

    def _add(self, batch: Seen, places: list[int], statistics: Integers, novelty: Floats, scores: Floats) -> None:
        by_label: dict[str, list[int]] = {}
        for row, place in enumerate(places):
            pair, positive = batch.pairs[place], batch.positive[place]
            by_label.setdefault(label_of(pair), []).append(row)
            self.positive[label_of(pair)] = positive
            if positive is not False:
                self.sets[positive].add(_digest(pair.text1), _digest(pair.text2), float(scores[row]))
        for label, rows in by_label.items():
            summed = self.statistics.get(label, np.zeros((ORDERS, 3), np.int64))
            self.statistics[label] = summed + statistics[rows].sum(axis=0)
            self.novelty.setdefault(label, array("d")).extend(novelty[rows].tolist())

    def finding(self) -> Finding | None:
        if not self.novelty:
            return None
        signatures = self.measures.signatures()
        tables = [self._by_label()]
        told = {"self_bleu": _of_a_corpus(signatures[BLEU]), "pinc": signatures[PINC]}
        sets = self.sets[self.polarities.counted].table()
        if sets:
            tables.append(sets)
            told[sets.name] = signatures[BLEU]
        remarks = self.polarities.remarks() if sets else []
        return Finding("diversity", "Diversity", ABOUT, tables, [self._figure(tables[0])], (), remarks, told)

    def _figure(self, by_label: Table) -> Figure:
        title = f"{self.corpus.name}: how far second texts are from the first"
        rows = [(str(row[0]), float(row[2] or 0), float(row[3] or 0)) for row in by_label.rows]
        bleu = Panel([(label, score) for label, score, _ in rows], "Self-BLEU", ".1f")
        pinc = Panel([(label, novelty) for label, _, novelty in rows], "PINC", ".2f")
        return Figure("diversity", title, bars_beside(title, [bleu, pinc]))

    def _by_label(self) -> Table:
        columns = [
            Column("label", "label"),
            Column("pairs", "pairs", "count"),
            Column("self_bleu", "Self-BLEU", "number"),
            Column("pinc", "PINC", "number", 3),
        ]
        rows: list[list[Cell]] = []
        for name, labels in groupings(self.positive):
            novelty = [self.novelty[label] for label in labels]
            score = _corpus_score([self.statistics[label] for label in labels])
            rows.append([name, sum(map(len, novelty)), score, _mean(novelty)])
        return Table("diversity", "Second texts against the first", columns, rows)


def _corpus_score(parts: list[Integers]) -> float:
    """BLEU from summed statistics; orders are never left out, as sacrebleu scores a corpus."""
    summed = np.sum(parts, axis=0)[None]
    return float(Formula(effective_order=False).scores(summed)[0])


def _of_a_corpus(signature: str) -> str:
    return signature.replace("|eff:yes", "|eff:no")


def _mean(parts: list[array[float]]) -> float:
    """The mean, to the last digit the same in any order."""
    return fsum(score for part in parts for score in part) / sum(map(len, parts))


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
