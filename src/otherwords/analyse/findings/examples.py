"""A few pairs of each label, so that a reader sees what the label means in this corpus.

They are drawn at random by the seed and the texts alone: a shuffled corpus shows the same pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.finding import Example, Examples, Finding
from otherwords.analyse.label_classes import label_order
from otherwords.analyse.pair_batch import PairBatch
from otherwords.analyse.sampling import RandomDraw
from otherwords.corpus.corpus import Corpus
from otherwords.measures.options import signature


class LabelExamples:
    """Some pairs of every label, without rewrites."""

    def __init__(self, corpus: Corpus, options: AnalysisOptions) -> None:
        self.corpus, self.options = corpus, options
        self.draws: dict[str, RandomDraw] = {}

    def add(self, batch: PairBatch) -> None:
        for place in batch.originals:
            draw = self.draws.setdefault(batch.labels[place], RandomDraw(self.options.examples, self.options.seed))
            draw.offer(batch.pairs[place])

    def finding(self) -> Finding | None:
        examples = drawn_examples(self.draws, label_order(self.draws), self.corpus.lang)
        if not examples:
            return None
        return Finding(
            "examples",
            "Examples of each label",
            "Pairs drawn at random, the same number of each label.",
            examples=examples,
            signatures={"examples": signature("examples", {"each": self.options.examples, "seed": self.options.seed})},
        )


def drawn_examples(draws: Mapping[str, RandomDraw], order: Iterable[str], lang: str | None) -> list[Examples]:
    """The pairs drawn for each heading, in this order; headings without any are left out."""
    examples = []
    for heading in order:
        pairs = draws[heading].drawn() if heading in draws else []
        if pairs:
            shown = [Example(pair.id, pair.text1, pair.text2, pair.label, pair.lang or lang) for pair in pairs]
            examples.append(Examples(heading, shown))
    return examples
