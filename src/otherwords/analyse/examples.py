"""A few pairs under each label, so that a reader sees what the label means in this corpus.

They are drawn by lot, and the lots hang on the seed and the texts alone: however a corpus is shuffled, the same pairs
are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from otherwords.analyse.analyses import Wishes
from otherwords.analyse.finding import Example, Examples, Finding
from otherwords.analyse.label_classes import label_of
from otherwords.analyse.lots import Lots
from otherwords.analyse.order import label_order
from otherwords.analyse.seen import Seen
from otherwords.corpus.corpora import Corpus
from otherwords.measures.signature import signature


class LabelExamples:
    """Some pairs of every label; rewrites are not among them."""

    def __init__(self, corpus: Corpus, wishes: Wishes) -> None:
        self.corpus, self.wishes = corpus, wishes
        self.lots: dict[str, Lots] = {}

    def add(self, batch: Seen) -> None:
        for place in batch.originals:
            pair = batch.pairs[place]
            self.lots.setdefault(label_of(pair), Lots(self.wishes.examples, self.wishes.seed)).offer(pair)

    def finding(self) -> Finding | None:
        drawn = drawn_examples(self.lots, label_order(self.lots), self.corpus.lang)
        if not drawn:
            return None
        return Finding(
            "examples",
            "Examples of each label",
            "Pairs that were drawn by lot, the same number of each label.",
            examples=drawn,
            signatures={"examples": signature("examples", {"each": self.wishes.examples, "seed": self.wishes.seed})},
        )


def drawn_examples(lots: Mapping[str, Lots], order: Iterable[str], lang: str | None) -> list[Examples]:
    """What was drawn of each kind, in this order; a kind without any is left out."""
    found = []
    for kind in order:
        drawn = lots[kind].drawn() if kind in lots else []
        shown = [Example(one.id, one.text1, one.text2, one.label, one.lang or lang) for one in drawn]
        found += [Examples(kind, shown)] if shown else []
    return found
