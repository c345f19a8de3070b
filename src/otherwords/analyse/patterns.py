"""How many paraphrases follow a systematic pattern: Figure 5 of Kanerva et al. 2023 (§6.2).

Every pair that counts as a paraphrase gets the first pattern that accounts for it (:mod:`pattern_kinds`); what comes
out are counts for each label and for all, and a few pairs that show each pattern.
"""

from __future__ import annotations

from collections import Counter

from otherwords.analyse.analyses import Wishes
from otherwords.analyse.examples import drawn_examples
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import label_of
from otherwords.analyse.lots import Lots
from otherwords.analyse.order import label_order
from otherwords.analyse.pattern_counted import Polarities
from otherwords.analyse.pattern_kinds import OTHER, PATTERNS, SYSTEMATIC, TRIVIAL, pattern_of
from otherwords.analyse.pattern_words import cut_by
from otherwords.analyse.seen import Seen
from otherwords.analyse.share_bars import share_bars
from otherwords.corpus.corpora import Corpus
from otherwords.measures.signature import signature
from otherwords.text import Pack
from otherwords.text.synonyms import load_synonyms
from otherwords.text.tokenise import tokeniser

NO_SYNONYMS = "no file of synonyms was named, so the two patterns with synonyms are not looked for"
ABOUT = (
    "Each paraphrase has the first pattern that accounts for all its differences: the same words in another order, "
    "the same lemmas in the same or in another order, the same content words, synonyms, or the last two together "
    "(Kanerva et al. 2023, §6.2). Differences of punctuation or typing alone stand beside the six."
)
Kind = tuple[bool | None, str]  # what a label says, and the label or the pattern


class Patterns:
    """Six systematic patterns among paraphrases, and their share."""

    def __init__(self, corpus: Corpus, wishes: Wishes) -> None:
        self.corpus, self.wishes = corpus, wishes
        self.synonyms = load_synonyms(wishes.synonyms) if wishes.synonyms else None
        self.polarities = Polarities()
        self.counts: dict[Kind, Counter[str]] = {}  # by label
        self.lots: dict[Kind, Lots] = {}  # by pattern
        self.packs: dict[str, Pack] = {}

    def add(self, batch: Seen) -> None:
        self.polarities.add(batch.positive[place] for place in batch.originals)
        for place in batch.originals:
            pair, positive = batch.pairs[place], batch.positive[place]
            if positive is not False:
                pack = batch.pack_of(pair)
                self.packs[pack.lang] = pack
                pattern = pattern_of(pair.text1, pair.text2, pack, self.synonyms)
                self.counts.setdefault((positive, label_of(pair)), Counter())[pattern] += 1
                lots = self.lots.setdefault((positive, pattern), Lots(self.wishes.examples, self.wishes.seed))
                lots.offer(pair)

    def finding(self) -> Finding | None:
        says = self.polarities.counted
        by_label = {label: counts for (said, label), counts in self.counts.items() if said is says}
        total = sum(by_label.values(), Counter[str]())
        remarks = [*self.polarities.remarks(), *self.polarities.left_out(), *self._remarks()]
        if not total:
            return Finding("patterns", "Systematic patterns", ABOUT, remarks=remarks) if remarks else None
        lots = {pattern: one for (said, pattern), one in self.lots.items() if said is says}
        tables = [_table(total)] + ([_by_label(by_label)] if len(by_label) > 1 else [])
        return Finding(
            "patterns",
            "Systematic patterns",
            ABOUT,
            tables,
            [self._figure(total)],
            drawn_examples(lots, PATTERNS, self.corpus.lang),
            remarks,
            {table.name: self._signature() for table in tables},
        )

    def _figure(self, total: Counter[str]) -> Figure:
        whole = total.total()
        systematic = sum(total[pattern] for pattern in SYSTEMATIC) / whole
        title = f"{self.corpus.name}: {100 * systematic:.1f} % of {whole:,} paraphrases follow a systematic pattern"
        shown = [*SYSTEMATIC, *(pattern for pattern in TRIVIAL if total[pattern])]
        bars = [(pattern, total[pattern] / whole) for pattern in shown]
        return Figure("patterns", title, share_bars(title, bars, f"share of paraphrases; {OTHER} is not drawn"))

    def _remarks(self) -> list[str]:
        remarks = [] if self.synonyms or not self.packs else [NO_SYNONYMS]
        for lang, pack in sorted(self.packs.items()):
            called = "of no known language" if lang == "und" else f"in {lang}"
            if pack.lemmatiser == "none":
                remarks.append(f"texts {called} are not lemmatised, so forms of one word count as different words")
            if not pack.function_words:
                remarks.append(f"no function words are known for texts {called}")
        return remarks

    def _signature(self) -> str:
        synonyms = self.synonyms.signature().partition(":")[2] if self.synonyms else "none"
        return " and ".join(_signature(pack, synonyms) for _, pack in sorted(self.packs.items()))


def _signature(pack: Pack, synonyms: str) -> str:
    parts = dict(part.split(":", 1) for part in pack.signature().split("|"))
    return signature("patterns", {**parts, "tok": tokeniser(cut_by(pack)).signature, "synonyms": synonyms})


def _table(total: Counter[str]) -> Table:
    columns = [Column("pattern", "pattern"), Column("pairs", "pairs", "count"), Column("share", "share", "share", 3)]
    rows: list[list[Cell]] = [[pattern, total[pattern], total[pattern] / total.total()] for pattern in PATTERNS]
    return Table("patterns", "Patterns of all paraphrases", columns, rows)


def _by_label(by_label: dict[str, Counter[str]]) -> Table:
    columns = [
        Column("label", "label"),
        Column("pairs", "pairs", "count"),
        *(Column(pattern.replace(" ", "_"), pattern, "share", 3) for pattern in PATTERNS),
    ]
    rows: list[list[Cell]] = []
    for label in label_order(by_label):
        counts = by_label[label]
        rows.append([label, counts.total(), *(counts[pattern] / counts.total() for pattern in PATTERNS)])
    return Table("patterns_by_label", "Patterns by label", columns, rows)
