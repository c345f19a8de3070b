"""Which types of change a corpus has: Tables 3 and 4 of Vila et al. 2014 (§5.1) as a finding.

The annotations are those of the project, release or file: pairs alone do not carry them, so the batches of pairs are
ignored.
"""

from __future__ import annotations

from pathlib import Path

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import share_bars
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table, plain_columns, quantity
from otherwords.analyse.pair_batch import PairBatch
from otherwords.analyse.types.annotations import TypeAnnotations, load_annotations, release_annotations
from otherwords.analyse.types.table import sort_tags, type_names, types_table
from otherwords.corpus.corpus import Corpus
from otherwords.errors import OtherwordsError
from otherwords.measures.options import signature
from otherwords.sources.reading import open_records
from otherwords.text.packs import pack
from otherwords.text.tokenise import tokeniser

TYPED = frozenset({"p4p", "msrp-a", "etpc", "apty"})  # formats whose judgements list types
COLUMNS = (
    Column("type", "type"),
    Column("phenomena", "phenomena", "count"),
    Column("share", "share", "share", 3),
    Column("length", "length in tokens", "number"),
)
ABOUT = (
    "How often each type of change is annotated, as a share of all phenomena, and how many tokens it covers in one "
    "text (Vila et al. 2014, Tables 3 and 4). A pair counts once: by its consensus, else by its first annotation."
)

CAPTION = "The share of each type among all phenomena."


class TypeShares:
    """Types of change: how often, and how long (Vila et al. 2014)."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus = corpus

    def add(self, batch: PairBatch) -> None:
        """Does nothing: types are not in the pairs."""

    def finding(self) -> Finding | None:
        if self.corpus.kind == "release":
            types = release_annotations(self.corpus.path, simulated=self.corpus.simulated)
        elif self.corpus.kind == "project" or _has_types(self.corpus):
            _, types = load_annotations(self.corpus.path, **self.corpus.reading)
        else:
            return None
        folder = self.corpus.path if self.corpus.kind == "project" else None
        return types_finding(self.corpus.name, types, folder) if types.annotations else None


def _has_types(corpus: Corpus) -> bool:
    """Whether a file is in a format that holds types; only its first lines are read."""
    try:
        reading = {**corpus.reading, "on_error": "skip", "quarantine": None}
        with open_records(corpus.path, noun="judgements", **reading) as file:
            return file.format.name in TYPED
    except OtherwordsError:
        return False


def types_finding(corpus: str, types: TypeAnnotations, folder: Path | None = None) -> Finding:
    """The finding for given annotations; ``folder`` is where a project's own schemes are."""
    table = types_table(corpus, types)
    averages = table.averages()
    summed = [*plain_columns("count", "words", "pairs", "phenomena"), *plain_columns("number", *averages)]
    row: list[Cell] = [table.words, table.pairs, table.phenomena, *averages.values()]
    tables = [Table("typed_pairs", "Annotated pairs", summed, [row])]
    figures = []
    if tags := sort_tags(table.counts):
        names = type_names(sorted({annotation.scheme for annotation in types.annotations if annotation.scheme}), folder)
        shares = {tag: table.frequency(tag) / 100 for tag in tags}
        rows = [(names.get(tag, tag), table.counts[tag], shares[tag], table.length(tag)) for tag in tags]
        tables.append(Table("types", "Types of change", COLUMNS, rows))
        top = max(tags, key=lambda tag: table.counts[tag])
        share = f"{table.frequency(top):.0f} % of {quantity(table.phenomena, 'change')}"
        title = f"{corpus}: {names.get(top, top)} is the most frequent type, {share}"
        bars = [(names.get(tag, tag), shares[tag]) for tag in tags]
        figures.append(Figure("types", title, share_bars(title, bars, "share of phenomena"), CAPTION))
    used = {annotation.tokeniser or pack(annotation.lang).tokeniser for annotation in types.annotations}
    signed = signature("type-shares", {"tok": "+".join(sorted(tokeniser(name).signature for name in used))})
    return Finding(
        "types",
        "Types of change",
        ABOUT,
        tables,
        figures,
        remarks=[f"{note}: {count:,}" for note, count in sorted(table.notes.items())],
        signatures={table.name: signed for table in tables},
    )
