"""Corpora beside each other in one table (after RuPAWS: Martynov et al. 2022, Table 2).

How large each is, in which language, how many positives it has, how long and how alike its texts are, and how many
different words they use. Rewrites are counted apart and looked at nowhere else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from otherwords.analyse.analyses import Wishes
from otherwords.analyse.distributions import unique_names
from otherwords.analyse.drawing import label_bars
from otherwords.analyse.finding import Cell, Column, Figure, Finding, Table
from otherwords.analyse.label_classes import kind_of
from otherwords.analyse.order import UNLABELLED, label_order
from otherwords.analyse.seen import Seen, seen, similarity_measure
from otherwords.analyse.values_by_label import ValuesByLabel, mean
from otherwords.corpus.corpora import Corpus
from otherwords.measures.signature import signature
from otherwords.text.tokenise import tokeniser

MOST_LABELS = 8  # that are named; of more, how many there are
COLUMNS = [
    Column("corpus", "corpus"),
    Column("languages", "language"),
    Column("pairs", "pairs", "count"),
    Column("rewrites", "rewrites", "count"),
    Column("positive_share", "positives", "share"),
    Column("labels", "labels"),
    Column("mean_tokens", "tokens a text", "number"),
    Column("vocabulary", "vocabulary", "count"),
    Column("mean_similarity", "similarity", "number", 3),
    Column("sources", "sources", "count"),
    Column("groups", "groups", "count"),
]


@dataclass(slots=True)
class _Row:
    """What is counted of one corpus."""

    corpus: Corpus
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


def corpora_table(corpora: Sequence[Corpus], wishes: Wishes) -> Finding | None:
    """One table of all corpora: size, positives, lengths, vocabulary, similarity, language, labels."""
    rows = [_counted(corpus) for corpus in corpora]
    names = unique_names([corpus.name for corpus in corpora])
    cut = " and ".join(sorted({tokeniser(name).signature for row in rows for name in row.tokenisers}))
    table = Table("corpora", "Corpora", COLUMNS, [[name, *_cells(row)] for name, row in zip(names, rows, strict=True)])
    return Finding(
        "corpora",
        "Corpora beside each other",
        "Size, share of positives, mean length in tokens, different lower-cased tokens, and mean lexical similarity of "
        "each corpus (after Martynov et al. 2022, Table 2). Rewrites are counted and otherwise left out.",
        [table],
        [_figure(names, rows)],
        (),
        [f"{name}: no label says yes or no" for name, row in zip(names, rows, strict=True) if not _says(row)],
        {
            "corpora": signature("corpora", {"rewrites": "apart"}),
            "mean_tokens": signature("tokens", {"tok": cut}),
            "vocabulary": signature("types", {"tok": cut, "case": "lc"}),
            "mean_similarity": similarity_measure().signature(),
        },
    )


def _counted(corpus: Corpus) -> _Row:
    row = _Row(corpus)
    for batch in seen(corpus):
        _add(row, batch)
    return row


def _add(row: _Row, batch: Seen) -> None:
    row.pairs += len(batch.originals)
    row.rewrites += len(batch.pairs) - len(batch.originals)
    row.tokens += int(sum(side[batch.originals].sum() for side in batch.tokens))
    row.similarity.add(batch.labels, batch.similarity, batch.originals)
    for place in batch.originals:
        pair, name = batch.pairs[place], batch.tokeniser_of(batch.pairs[place])
        cut = tokeniser(name).tokens
        for text in (pair.text1, pair.text2):
            row.vocabulary.update(cut(text.lower()))
        row.tokenisers.add(name)
        row.kinds[kind_of(batch.positive[place])] += 1
        row.labels.add(batch.labels[place])
        row.languages.add(pair.lang or batch.corpus.lang or UNLABELLED)
        row.sources |= {pair.source} if pair.source else set()
        row.groups |= {pair.group} if pair.group else set()


def _says(row: _Row) -> int:
    return row.kinds["positive"] + row.kinds["negative"]


def _cells(row: _Row) -> list[Cell]:
    labels = label_order(row.labels - {UNLABELLED})
    return [
        ", ".join(sorted(row.languages)),
        row.pairs,
        row.rewrites,
        row.kinds["positive"] / _says(row) if _says(row) else None,
        " ".join(labels) if len(labels) <= MOST_LABELS else f"{len(labels)} labels",
        row.tokens / (2 * row.pairs) if row.pairs else None,
        len(row.vocabulary),
        mean(row.similarity.of(row.labels)),
        len(row.sources),
        len(row.groups),
    ]


def _figure(names: Sequence[str], rows: Sequence[_Row]) -> Figure:
    counts = {name: row.pairs for name, row in zip(names, rows, strict=True)}
    title = "Pairs of each corpus"
    return Figure("pairs", title, label_bars(title, counts, dict.fromkeys(counts, "all")))
