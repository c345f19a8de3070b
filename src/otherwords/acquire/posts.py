"""Which sentences of a group of posts are paired (MultiPIT, Dou et al. 2022, §2.3).

In a group by trend, each of the two best-ranked sentences is paired with ten of the next ones up to rank 20. When
people have judged these, the group gets more pairs the more paraphrases they found, or none: one of the top five with
ten of the ranks 6 to 50, as often as it takes. In a group by address, a person picks a seed among the top eleven, which
is paired with the other ten; without a seed there are no pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otherwords.digests import digest_number

SEEDS, TOP, PARTNERS = 2, 20, 10
MORE = {4: 20, 7: 30, 10: 40, 13: 50}  # how many more pairs, by the fewest paraphrases of the first round
LATER_SEEDS, LATER_TOP = 5, 50
TOO_FEW = "fewer than two sentences in the group"
TOO_FEW_FOR_A_SEED = "too few sentences in the group for a seed"
NO_SEED, SKIPPED = "nobody has picked a seed yet", "skipped: no sentence has enough paraphrases"


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """A sentence of a post, with its place in the group, 1 being the best."""

    document: str
    start: int
    end: int
    text: str
    rank: int

    @property
    def place(self) -> tuple[str, int, int]:
        return self.document, self.start, self.end


SentencePair = tuple[RankedSentence, RankedSentence]


def first_pairs(group: str, sentences: Sequence[RankedSentence], seed: int) -> list[SentencePair]:
    """The pairs of the first round, of sentences in the order of their rank; fewer where the group is small."""
    seeds, others = sentences[:SEEDS], list(sentences[SEEDS:TOP])
    if len(sentences) == SEEDS:
        return [(sentences[0], sentences[1])]
    return [
        (first, second)
        for number, first in enumerate(seeds)
        for second in _drawn(others, PARTNERS, seed, group, f"first {number}")
    ]


def more_wanted(paraphrases: int) -> int:
    """How many more pairs a group gets in which people found so many paraphrases among the first twenty."""
    return max((pairs for fewest, pairs in MORE.items() if paraphrases >= fewest), default=0)


def more_pairs(group: str, sentences: Sequence[RankedSentence], wanted: int, seed: int) -> list[SentencePair]:
    """Further pairs of a group that is worth it: some of the top five, each with ten of the ranks 6 to 50."""
    others = list(sentences[LATER_SEEDS:LATER_TOP])
    seeds = _drawn(sentences[:LATER_SEEDS], wanted // PARTNERS, seed, group, "seeds")
    return [
        (first, second)
        for number, first in enumerate(seeds)
        for second in _drawn(others, PARTNERS, seed, group, f"more {number}")
    ]


def seed_pairs(sentences: Sequence[RankedSentence], place: tuple[str, int, int]) -> list[SentencePair]:
    """The seed that a person picked with the other ten of the top eleven; none if it is not there any more."""
    seeds = [sentence for sentence in sentences if sentence.place == place]
    return [(seed, other) for seed in seeds for other in sentences[: PARTNERS + 1] if other is not seed]


def _drawn(sentences: Sequence[RankedSentence], most: int, seed: int, group: str, purpose: str) -> list[RankedSentence]:
    """A random choice, in the order of their rank."""
    order = sorted(sentences, key=lambda sentence: digest_number(str(seed), group, purpose, *map(str, sentence.place)))
    return sorted(order[:most], key=lambda sentence: sentence.rank)
