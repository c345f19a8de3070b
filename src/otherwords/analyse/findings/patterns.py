"""How many paraphrases follow a systematic pattern: Figure 5 of Kanerva et al. 2023 (§6.2).

Counts of the patterns (:mod:`otherwords.analyse.findings.pattern_kinds`) for all paraphrases and for each label, and a
few pairs that illustrate each pattern.
"""

from __future__ import annotations

from collections import Counter

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import share_bars
from otherwords.analyse.finding import LABEL, PAIRS, Cell, Column, Figure, Finding, Table, quantity
from otherwords.analyse.findings.examples import RandomDraw, drawn_examples
from otherwords.analyse.findings.pattern_kinds import (
    OTHER,
    PATTERNS,
    SYSTEMATIC,
    TRIVIAL,
    lemma_tokeniser,
    pattern_of,
)
from otherwords.analyse.label_classes import label_order
from otherwords.analyse.pair_batch import PairBatch
from otherwords.corpus.corpus import Corpus, Polarities
from otherwords.measures.options import signature
from otherwords.text import Pack
from otherwords.text.synonyms import load_synonyms
from otherwords.text.tokenise import tokeniser

NO_SYNONYMS = "no file of synonyms was given, so the two patterns with synonyms are not found"
ABOUT = (
    "Each paraphrase has the first pattern that accounts for all its differences: the same words in another order, "
    "the same lemmas in the same or in another order, the same content words, synonyms, or the last two together "
    "(Kanerva et al. 2023, §6.2). Differences of punctuation or typing alone are counted beside the six."
)
Key = tuple[bool | None, str]  # the polarity of the pairs, and their label or pattern


class Patterns:
    """Six systematic patterns among paraphrases, and their share."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus, self.options = corpus, options
        self.synonyms = load_synonyms(options.synonyms) if options.synonyms else None
        self.polarities = Polarities()
        self.counts: dict[Key, Counter[str]] = {}  # by label
        self.draws: dict[Key, RandomDraw] = {}  # by pattern
        self.packs: dict[str, Pack] = {}

    def add(self, batch: PairBatch) -> None:
        self.polarities.add(batch.positive[place] for place in batch.originals)
        for place in batch.originals:
            pair, positive = batch.pairs[place], batch.positive[place]
            if positive is not False:
                pack = batch.pack_of(pair)
                self.packs[pack.lang] = pack
                pattern = pattern_of(pair.text1, pair.text2, pack, self.synonyms)
                self.counts.setdefault((positive, batch.labels[place]), Counter())[pattern] += 1
                draw = self.draws.setdefault((positive, pattern), RandomDraw(self.options.examples, self.options.seed))
                draw.offer(pair)

    def finding(self) -> Finding | None:
        counted = self.polarities.counted
        by_label = {label: counts for (polarity, label), counts in self.counts.items() if polarity is counted}
        total = sum(by_label.values(), Counter[str]())
        remarks = [*self.polarities.remarks(), *self.polarities.left_out(), *self._remarks()]
        if not total:
            return Finding("patterns", "Systematic patterns", ABOUT, remarks=remarks) if remarks else None
        draws = {pattern: draw for (polarity, pattern), draw in self.draws.items() if polarity is counted}
        columns = [Column("pattern", "pattern"), PAIRS, Column("share", "share", "share", 3)]
        rows = [(pattern, total[pattern], total[pattern] / total.total()) for pattern in PATTERNS]
        tables = [Table("patterns", "Patterns of all paraphrases", columns, rows)]
        if len(by_label) > 1:
            tables.append(_by_label(by_label))
        return Finding(
            "patterns",
            "Systematic patterns",
            ABOUT,
            tables,
            [self._figure(total)],
            drawn_examples(draws, PATTERNS, self.corpus.lang),
            remarks,
            {table.name: self._signature() for table in tables},
            [f"{_systematic(total)} follow a systematic pattern"],
        )

    def _figure(self, total: Counter[str]) -> Figure:
        whole = total.total()
        title = f"{self.corpus.name}: {_systematic(total)} follow a systematic pattern"
        shown = [*SYSTEMATIC, *(pattern for pattern in TRIVIAL if total[pattern])]
        bars = [(pattern, total[pattern] / whole) for pattern in shown]
        spec = share_bars(title, bars, f"share of paraphrases; {OTHER} is not drawn")
        return Figure("patterns", title, spec, "The share of all paraphrases that follow each pattern.")

    def _remarks(self) -> list[str]:
        remarks = [] if self.synonyms or not self.packs else [NO_SYNONYMS]
        for lang, pack in sorted(self.packs.items()):
            texts = "texts in an unknown language" if lang == "und" else f"texts in {lang}"
            if pack.lemmatiser == "none":
                remarks.append(f"{texts} are not lemmatised, so forms of one word count as different words")
            if not pack.function_words:
                remarks.append(f"no function words are known for {texts}")
        return remarks

    def _signature(self) -> str:
        synonyms = self.synonyms.signature().partition(":")[2] if self.synonyms else "none"
        signatures = []
        for _, pack in sorted(self.packs.items()):
            parts = dict(part.split(":", 1) for part in pack.signature().split("|"))
            parts |= {"tok": tokeniser(lemma_tokeniser(pack)).signature, "synonyms": synonyms}
            signatures.append(signature("patterns", parts))
        return " and ".join(signatures)


def _systematic(total: Counter[str]) -> str:
    """The share of paraphrases that follow a systematic pattern."""
    share = sum(total[pattern] for pattern in SYSTEMATIC) / total.total()
    return f"{100 * share:.1f} % of {quantity(total.total(), 'paraphrase')}"


def _by_label(by_label: dict[str, Counter[str]]) -> Table:
    shares = [Column(pattern.replace(" ", "_"), pattern, "share", 3) for pattern in PATTERNS]
    rows: list[list[Cell]] = []
    for label in label_order(by_label):
        counts = by_label[label]
        rows.append([label, counts.total(), *(counts[pattern] / counts.total() for pattern in PATTERNS)])
    return Table("patterns_by_label", "Patterns by label", [LABEL, PAIRS, *shares], rows)
