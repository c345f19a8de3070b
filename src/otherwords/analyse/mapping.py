"""What the texts of a pair are, phrases, sentences or several, and how they map (Kanerva et al. 2023, §6.2).

A well-formed sentence begins with a capital, ends with a final mark and has a main verb; a text that is less is a
phrase. Without a tagger the verb is not looked for, and the signature says so. A text in a script without case, or
one that begins with a number, needs no capital. Which text is the first does not matter: 1-2 is 2-1.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

from otherwords.analyse.analyses import Wishes
from otherwords.analyse.drawing import label_bars
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import groupings
from otherwords.analyse.seen import Seen
from otherwords.corpus.corpora import Corpus
from otherwords.measures.signature import signature
from otherwords.text import Pack, marks

PHRASE, MANY = "phrase", "3+"
UNITS = (PHRASE, "1", "2", MANY)
MAPPINGS = [f"{one}-{two}" for one, two in combinations_with_replacement(UNITS, 2)]
FINAL = marks.PERIODS + marks.ELLIPSES + marks.QUESTIONS_AND_EXCLAMATIONS + marks.ENDING_ANYWHERE
AROUND = marks.CLOSING + marks.CLOSING_IN_GERMAN_OR_DANISH + marks.LINE_BREAKS + " \t\u00a0\u3000"


class Mapping:
    """Phrases, sentences and longer texts, and which meets which: 1-1, 1-2, phrase-1 and so on."""

    def __init__(self, corpus: Corpus, wishes: Wishes) -> None:
        self.corpus = corpus
        self.positive: dict[str, bool | None] = {}
        self.mappings: dict[str, Counter[str]] = {}
        self.texts: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self.languages: set[str] = set()

    def add(self, batch: Seen) -> None:
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
        tables = [self._pairs(), self._by_label(), self._texts()]
        return Finding(
            "mapping",
            "Sentence mapping",
            "How many sentences the texts of a pair are. A single sentence is well-formed if it has a capital at its "
            "start and a final mark; otherwise it is a phrase (Kanerva et al. 2023, §6.2). Rewrites are left out.",
            tables,
            [self._figure()],
            (),
            ["whether a sentence has a main verb was not checked: there is no tagger"],
            {table.name: signed for table in tables},
        )

    def _all(self) -> Counter[str]:
        return sum(self.mappings.values(), Counter())

    def _pairs(self) -> Table:
        counts = self._all()
        columns = [Column("mapping", "mapping"), Column("pairs", "pairs", "count"), Column("share", "share", "share")]
        rows: list[list[Cell]] = [[name, counts[name], counts[name] / counts.total()] for name in MAPPINGS]
        return Table("pairs", "Pairs", columns, rows)

    def _by_label(self) -> Table:
        columns = [Column("label", "label"), Column("pairs", "pairs", "count")]
        columns += [Column(name, name, "share") for name in MAPPINGS]
        rows: list[list[Cell]] = []
        for label, labels in groupings(self.positive):
            counts: Counter[str] = sum((self.mappings[one] for one in labels), Counter())
            rows.append([label, counts.total(), *(counts[name] / counts.total() for name in MAPPINGS)])
        return Table("labels", "Mapping by label", columns, rows)

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

    def _figure(self) -> Figure:
        title = f"{self.corpus.name}: sentences a text, and how they map"
        counts = self._all()
        shown = {name: counts[name] for name in MAPPINGS if counts[name]}
        return Figure("pairs", title, label_bars(title, shown, dict.fromkeys(shown, "all")))


def unit_of(text: str, pack: Pack) -> str:
    """Whether a text is a phrase, a sentence, two, or more."""
    found = pack.sentences(text)
    if len(found) > 1:
        return "2" if len(found) == 2 else MANY
    return "1" if well_formed(text, pack.lang) else PHRASE


def mapping_of(one: str, two: str) -> str:
    """Both units as one name, the smaller first."""
    first, second = sorted((one, two), key=UNITS.index)
    return f"{first}-{second}"


def well_formed(text: str, lang: str) -> bool:
    """Whether a sentence begins and ends as one does; its verb is not looked for."""
    start = next((char for char in text if char.isalnum()), "")
    final = FINAL + marks.GREEK_QUESTION_MARK if lang == "el" else FINAL
    body = text.rstrip(AROUND)
    return bool(start) and not start.islower() and bool(body) and body[-1] in final
