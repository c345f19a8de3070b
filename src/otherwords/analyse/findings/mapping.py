"""Whether the texts of a pair are phrases or one or more sentences, and how they map (Kanerva et al. 2023, §6.2).

A well-formed sentence begins with a capital, ends with a final mark and has a main verb; anything less is a phrase.
There is no tagger, so the verb is not checked, and the signature says so. A text in a script without case, or one that
begins with a number, needs no capital. Which text comes first does not matter: 1-2 is 2-1.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import label_bars
from otherwords.analyse.finding import LABEL, PAIRS, Cell, Column, Figure, Finding, Table, plain_columns
from otherwords.analyse.label_classes import groupings
from otherwords.analyse.pair_batch import PairBatch
from otherwords.corpus.corpus import Corpus
from otherwords.measures.options import signature
from otherwords.text import Pack
from otherwords.text.sentences import (
    CLOSING,
    CLOSING_IN_GERMAN_OR_DANISH,
    ELLIPSES,
    ENDING_ANYWHERE,
    GREEK_QUESTION_MARK,
    LINE_BREAKS,
    PERIODS,
    QUESTIONS_AND_EXCLAMATIONS,
)

PHRASE, MANY = "phrase", "3+"
UNITS = (PHRASE, "1", "2", MANY)
MAPPINGS = [f"{first}-{second}" for first, second in combinations_with_replacement(UNITS, 2)]
FINAL = PERIODS + ELLIPSES + QUESTIONS_AND_EXCLAMATIONS + ENDING_ANYWHERE
AROUND = CLOSING + CLOSING_IN_GERMAN_OR_DANISH + LINE_BREAKS + " \t\u00a0\u3000"

CAPTION = "How many pairs map a phrase, one sentence, two or more of the one text to so many of the other."


class SentenceMapping:
    """Phrases, sentences and longer texts, and how they pair up: 1-1, 1-2, phrase-1 and so on."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus = corpus
        self.positive: dict[str, bool | None] = {}
        self.mappings: dict[str, Counter[str]] = {}
        self.texts: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self.languages: set[str] = set()

    def add(self, batch: PairBatch) -> None:
        for place in batch.originals:
            pair, label = batch.pairs[place], batch.labels[place]
            pack = batch.pack_of(pair)
            units = unit_of(pair.text1, pack), unit_of(pair.text2, pack)
            for counts, unit in zip(self.texts, units, strict=True):
                counts[unit] += 1
            self.positive[label] = batch.positive[place]
            self.mappings.setdefault(label, Counter())[mapping_of(*units)] += 1
            self.languages.add(pack.lang)

    def finding(self) -> Finding | None:
        if not self.mappings:
            return None
        languages = "+".join(sorted(self.languages))
        signed = signature("sentence-mapping", {"sentences": "rules", "lang": languages, "verb": "unchecked"})
        counts: Counter[str] = sum(self.mappings.values(), Counter())
        tables = [*self._mappings(counts), self._texts()]
        title = f"{self.corpus.name}: sentences per text, and how they map"
        shown = {name: counts[name] for name in MAPPINGS if counts[name]}
        return Finding(
            "mapping",
            "Sentence mapping",
            "How many sentences the texts of a pair have. A single sentence is well-formed if it has a capital at its "
            "start and a final mark; otherwise it is a phrase (Kanerva et al. 2023, §6.2). Rewrites are left out.",
            tables,
            [Figure("pairs", title, label_bars(title, shown, dict.fromkeys(shown, "all")), CAPTION)],
            remarks=["whether a sentence has a main verb was not checked: there is no tagger"],
            signatures={table.name: signed for table in tables},
        )

    def _mappings(self, total: Counter[str]) -> list[Table]:
        """The mappings of all pairs, and of those of each label."""
        columns = [Column("mapping", "mapping"), PAIRS, Column("share", "share", "share")]
        rows: list[list[Cell]] = [[name, total[name], total[name] / total.total()] for name in MAPPINGS]
        by_label: list[list[Cell]] = []
        for name, labels in groupings(self.positive):
            counts: Counter[str] = sum((self.mappings[label] for label in labels), Counter())
            by_label.append([name, counts.total(), *(counts[mapping] / counts.total() for mapping in MAPPINGS)])
        return [
            Table("pairs", "Pairs", columns, rows),
            Table("labels", "Mapping by label", [LABEL, PAIRS, *plain_columns("share", *MAPPINGS)], by_label),
        ]

    def _texts(self) -> Table:
        first, second = self.texts
        both = first + second
        columns = [
            Column("text", "a text is"),
            Column("text1", "texts 1", "count"),
            Column("text2", "texts 2", "count"),
            Column("share", "of both", "share"),
        ]
        rows: list[list[Cell]] = [[unit, first[unit], second[unit], both[unit] / both.total()] for unit in UNITS]
        return Table("texts", "Texts", columns, rows)


def unit_of(text: str, pack: Pack) -> str:
    """Whether a text is a phrase, one sentence, two, or more."""
    sentences = pack.sentences(text)
    if len(sentences) > 1:
        return "2" if len(sentences) == 2 else MANY
    return "1" if well_formed(text, pack.lang) else PHRASE


def mapping_of(unit1: str, unit2: str) -> str:
    """The name of a mapping, the smaller unit first."""
    return "-".join(sorted((unit1, unit2), key=UNITS.index))


def well_formed(text: str, lang: str) -> bool:
    """Whether a sentence begins and ends as it should; its verb is not checked."""
    start = next((char for char in text if char.isalnum()), "")
    final = FINAL + GREEK_QUESTION_MARK if lang == "el" else FINAL
    body = text.rstrip(AROUND)
    return bool(start) and not start.islower() and bool(body) and body[-1] in final
