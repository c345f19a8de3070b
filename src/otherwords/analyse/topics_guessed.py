"""Topics of the groups that nobody named, by the small model of :mod:`otherwords.align.topics`.

The corpus is read once more for that. Of a group so many pairs are looked at and not more, drawn by lot, so that a
corpus with a few huge groups is not held as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from otherwords.align.topics import train
from otherwords.analyse.lots import Lots
from otherwords.corpus.corpora import Corpus
from otherwords.text import pack

PAIRS_A_GROUP = 20
FEWEST_TOPICS = 2  # to be told apart


def guessed_topics(corpus: Corpus, named: Mapping[str, str], missing: Set[str], seed: int) -> dict[str, str]:
    """The topics of these groups; nothing where too few topics were named to learn from."""
    if not missing or len(set(named.values())) < FEWEST_TOPICS:
        return {}
    lots: dict[str, Lots] = {}
    for pair in corpus.pairs():
        if pair.rewrite_of is None and pair.group is not None and (pair.group in named or pair.group in missing):
            lots.setdefault(pair.group, Lots(PAIRS_A_GROUP, seed)).offer(pair)
    texts = {group: " ".join(f"{pair.text1} {pair.text2}" for pair in one.drawn()) for group, one in lots.items()}
    model = train(texts, dict(named), pack(corpus.lang))
    return {group: model.topic(text)[0] for group, text in texts.items() if group in missing}
