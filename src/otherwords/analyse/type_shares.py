"""Which types of change a corpus has: Tables 3 and 4 of Vila et al. 2014 (§5.1) as a finding.

The annotations are those of the project or of the file itself: pairs alone do not carry them, so nothing is taken from
the pairs that go by.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from otherwords.analyse.analyses import Wishes
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.released_types import types_in_release
from otherwords.analyse.seen import Seen
from otherwords.analyse.share_bars import share_bars
from otherwords.analyse.types import TypesTable, in_order, type_names, types_table
from otherwords.analyse.types_reading import Chosen, annotations_of
from otherwords.corpus.corpora import Corpus
from otherwords.errors import OtherwordsError
from otherwords.measures.signature import signature
from otherwords.sources.reading import reading
from otherwords.text.token_places import tokeniser_of
from otherwords.text.tokenise import tokeniser

TYPED = frozenset({"p4p", "msrp-a", "etpc", "apty"})  # formats whose judgements list types
ABOUT = (
    "How often each type of change is annotated, as a share of all phenomena, and how many tokens it covers in one "
    "text (Vila et al. 2014, Tables 3 and 4). A pair counts once: by its consensus, else by its first annotation."
)


class TypeShares:
    """Types of change: how often, and how long (Vila et al. 2014)."""

    def __init__(self, corpus: Corpus, wishes: Wishes) -> None:
        self.corpus = corpus

    def add(self, batch: Seen) -> None:
        """Nothing: the types are not in the pairs."""

    def finding(self) -> Finding | None:
        if self.corpus.kind == "release":
            found = types_in_release(self.corpus.path, simulated=self.corpus.simulated)
        elif self.corpus.kind == "project" or _has_types(self.corpus):
            _, found = annotations_of(self.corpus.path)
        else:
            return None
        folder = self.corpus.path if self.corpus.kind == "project" else None
        return types_finding(self.corpus.name, found, folder) if found.annotations else None


def _has_types(corpus: Corpus) -> bool:
    """Whether a file is of a format that holds types; telling that takes its first lines only."""
    try:
        with reading(corpus.path, noun="judgements") as file:
            return file.format.name in TYPED
    except OtherwordsError:
        return False


def types_finding(corpus: str, found: Chosen, folder: Path | None = None) -> Finding:
    """The finding of annotations that were chosen already; ``folder`` is where a project's own schemes are."""
    table = types_table(corpus, found)
    names = type_names(sorted({one.scheme for one in found.annotations if one.scheme}), folder)
    tables = [_summary(table), *_types(table, names)]
    cuts = {one.tokeniser or tokeniser_of(one.lang) for one in found.annotations}
    told = signature("type-shares", {"tok": "+".join(sorted(tokeniser(name).signature for name in cuts))})
    return Finding(
        "types",
        "Types of change",
        ABOUT,
        tables,
        _figures(table, names),
        remarks=[f"{count:,} {note}" for note, count in sorted(table.notes.items())],
        signatures=dict.fromkeys((one.name for one in tables), told),
    )


def _summary(table: TypesTable) -> Table:
    columns = [
        *(Column(name, name, "count") for name in ("words", "pairs", "phenomena")),
        *(Column(name, name.replace("_", " "), "number") for name in table.averages()),
    ]
    row: list[Cell] = [table.words, table.pairs, table.phenomena, *table.averages().values()]
    return Table("typed_pairs", "Annotated pairs", columns, [row])


def _types(table: TypesTable, names: Mapping[str, str]) -> list[Table]:
    columns = [
        Column("type", "type"),
        Column("phenomena", "phenomena", "count"),
        Column("share", "share", "share", 3),
        Column("length", "length in tokens", "number"),
    ]
    rows: list[list[Cell]] = [
        [names.get(tag, tag), table.counts[tag], table.frequency(tag) / 100, table.length(tag)]
        for tag in in_order(table.counts)
    ]
    return [Table("types", "Types of change", columns, rows)] if rows else []


def _figures(table: TypesTable, names: Mapping[str, str]) -> list[Figure]:
    if not table.phenomena:
        return []
    often = max(in_order(table.counts), key=lambda tag: table.counts[tag])
    most = f"{names.get(often, often)} is the most frequent type, {table.frequency(often):.0f} %"
    title = f"{table.corpus}: {most} of {table.phenomena:,} changes"
    bars = [(names.get(tag, tag), table.frequency(tag) / 100) for tag in in_order(table.counts)]
    return [Figure("types", title, share_bars(title, bars, "share of phenomena"))]
