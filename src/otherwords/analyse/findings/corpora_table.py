"""Several corpora in one table (after RuPAWS: Martynov et al. 2022, Table 2).

Size, language, share of positives, length and similarity of texts, and vocabulary. Rewrites are counted and otherwise
left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from otherwords.analyse.averages import ValuesByLabel, mean, ratio
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.charts import label_bars
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table, plain_columns
from otherwords.analyse.findings.distributions import unique_names
from otherwords.analyse.label_classes import NEGATIVE, POSITIVE, UNLABELLED, kind_of, label_order
from otherwords.analyse.pair_batch import pair_batches, similarity_measure
from otherwords.corpus.corpus import Corpus
from otherwords.measures.options import signature
from otherwords.text.tokenise import tokeniser

MOST_LABELS = 8  # more are not listed, only counted
COLUMNS = [
    Column("corpus", "corpus"),
    Column("languages", "language"),
    *plain_columns("count", "pairs", "rewrites"),
    Column("positive_share", "positives", "share"),
    Column("labels", "labels"),
    Column("mean_tokens", "tokens per text", "number"),
    Column("vocabulary", "vocabulary", "count"),
    Column("mean_similarity", "similarity", "number", 3),
    *plain_columns("count", "sources", "groups"),
]


@dataclass(slots=True)
class _CorpusRow:
    """Counts of one corpus."""

    pairs: int = 0
    rewrites: int = 0
    tokens: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    labels: set[str] = field(default_factory=set)
    languages: set[str] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)
    vocabulary: set[str] = field(default_factory=set)
    tokenisers: set[str] = field(default_factory=set)
    similarity: ValuesByLabel = field(default_factory=ValuesByLabel)

    @property
    def decided(self) -> int:
        """How many pairs have a label that says yes or no."""
        return self.kinds[POSITIVE] + self.kinds[NEGATIVE]

    def cells(self) -> list[Cell]:
        """The cells under ``COLUMNS`` after the name."""
        labels = label_order(self.labels - {UNLABELLED})
        return [
            ", ".join(sorted(self.languages)),
            self.pairs,
            self.rewrites,
            ratio(self.kinds[POSITIVE], self.decided),
            " ".join(labels) if len(labels) <= MOST_LABELS else f"{len(labels)} labels",
            ratio(self.tokens, 2 * self.pairs),
            len(self.vocabulary),
            mean(self.similarity.get(self.labels)),
            len(self.sources),
            len(self.groups),
        ]


def corpora_table(corpora: Sequence[Corpus], options: AnalysisOptions) -> Finding | None:
    """One table of all corpora: size, positives, lengths, vocabulary, similarity, language, labels."""
    names = unique_names([corpus.name for corpus in corpora])
    rows = {name: _count(corpus) for name, corpus in zip(names, corpora, strict=True)}
    tokenisers = " and ".join(sorted({tokeniser(name).signature for row in rows.values() for name in row.tokenisers}))
    sizes = {name: row.pairs for name, row in rows.items()}
    title = "Pairs of each corpus"
    return Finding(
        "corpora",
        "Corpora beside each other",
        "Size, share of positives, mean length in tokens, different lower-cased tokens, and mean lexical similarity of "
        "each corpus (after Martynov et al. 2022, Table 2). Rewrites are counted and otherwise left out.",
        [Table("corpora", "Corpora", COLUMNS, [[name, *row.cells()] for name, row in rows.items()])],
        [Figure("pairs", title, label_bars(title, sizes, dict.fromkeys(sizes, "all")), "Without rewrites.")],
        remarks=[f"{name}: no label says yes or no" for name, row in rows.items() if not row.decided],
        signatures={
            "corpora": signature("corpora", {"rewrites": "apart"}),
            "mean_tokens": signature("tokens", {"tok": tokenisers}),
            "vocabulary": signature("types", {"tok": tokenisers, "case": "lc"}),
            "mean_similarity": similarity_measure().signature(),
        },
    )


def _count(corpus: Corpus) -> _CorpusRow:
    row = _CorpusRow()
    for batch in pair_batches(corpus):
        row.pairs += len(batch.originals)
        row.rewrites += len(batch.pairs) - len(batch.originals)
        row.tokens += int(sum(side[batch.originals].sum() for side in batch.tokens))
        row.similarity.add(batch.labels, batch.similarity, batch.originals)
        for place in batch.originals:
            pair, name = batch.pairs[place], batch.tokeniser_of(batch.pairs[place])
            tokenise = tokeniser(name).tokens
            row.vocabulary.update(tokenise(pair.text1.lower()), tokenise(pair.text2.lower()))
            row.tokenisers.add(name)
            row.kinds[kind_of(batch.positive[place])] += 1
            row.labels.add(batch.labels[place])
            row.languages.add(pair.lang or corpus.lang or UNLABELLED)
            row.sources |= {pair.source} if pair.source else set()
            row.groups |= {pair.group} if pair.group else set()
    return row
