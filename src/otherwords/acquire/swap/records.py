"""What goes into a swap and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import msgspec

from otherwords.models.edges import TaggedText, TaggedToken

ENTITIES, ADJECTIVES, VERBS, NOUN_PHRASES, NUMBERS, REPLACE = KINDS = (
    *("entities", "adjectives", "verbs", "noun-phrases", "numbers", "replace"),
)
SWAPS = KINDS[:-1]  # those that exchange two things, so that the words stay the same

# Why a kind gives nothing, from the first obstacle to the last. Of several, a sentence has the last that it came to.
REASONS = (
    NOTHING := "has nothing of the kind",
    SINGLE := "has only one of the kind",
    TYPES := "what it has is of different types",
    EQUAL := "what it has is the same twice",
    NO_OTHER := "the pool has no other word with these features",
    KEEPS_MEANING := "the exchange would keep the meaning",
    USE := "the two are used in different ways",
    AGREEMENT := "the features do not agree",
    UNKNOWN_FORM := "the form that is needed is not known",
    SEVERAL_FORMS := "there are several forms to choose from",
    NEIGHBOUR := "an article or preposition before it would have to change",
    OVERLAP := "too few words stay the same",
    NOT_TAGGED := "the tagger gave no answer",
)


class SwapOptions(msgspec.Struct, frozen=True):
    """What to swap, and how much of it to keep."""

    kinds: tuple[str, ...] = SWAPS
    # The least share of words in common (Jaccard, in lower case). Forms that change count as different words: the
    # exchange of two adjectives that Martynov et al. 2022 show in their Table 1 has 0.56.
    overlap: float = 0.5
    per_sentence: int = 1  # candidates at most
    seed: int = 0


class Change(msgspec.Struct, frozen=True):
    """What stands in one place of the first text and in the same place of the second; code points, end exclusive."""

    start1: int
    end1: int
    start2: int
    end2: int
    words1: str
    words2: str


class SwapCandidate(msgspec.Struct, frozen=True):
    """A changed sentence: which kind of change, and where."""

    text: str
    kind: str
    changes: tuple[Change, ...]  # the places that were exchanged come first, then articles that follow them
    overlap: float = 0.0
    fluency: float | None = None  # log10 probability per token, less that of the sentence itself


class SwapResult(msgspec.Struct, frozen=True):
    """A sentence with its candidates; without any, the reason of each kind, and the one that came nearest."""

    id: str
    text: str
    candidates: tuple[SwapCandidate, ...]
    kinds: dict[str, str | None]  # None: the kind gives a candidate

    @property
    def reason(self) -> str | None:
        """Why the sentence has no candidate."""
        if self.candidates:
            return None
        reasons = [reason for reason in self.kinds.values() if reason is not None]
        return max(reasons, key=lambda reason: REASONS.index(reason) if reason in REASONS else len(REASONS))


class SwapRefused(Exception):
    """An exchange that is not made, with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class TaggedSentence:
    """A sentence with its tags."""

    id: str
    text: str
    lang: str
    tags: TaggedText

    @property
    def tokens(self) -> tuple[TaggedToken, ...]:
        return self.tags.tokens

    def word(self, number: int) -> str:
        """The word as it is written; empty outside the sentence."""
        if not 0 <= number < len(self.tokens):
            return ""
        return self.text[self.tokens[number].start : self.tokens[number].end]

    @cached_property
    def features(self) -> list[dict[str, str]]:
        """The features of each token by name."""
        pairs = ([feature.partition("=") for feature in token.features.split("|")] for token in self.tokens)
        return [{name: value for name, _, value in features if name} for features in pairs]

    @cached_property
    def children(self) -> list[list[int]]:
        """The tokens that depend on each token."""
        found: list[list[int]] = [[] for _ in self.tokens]
        for number, token in enumerate(self.tokens):
            if token.head not in (-1, number):
                found[token.head].append(number)
        return found

    @cached_property
    def first_word(self) -> int:
        """The first token that is a word: it has a capital for standing there."""
        for number, token in enumerate(self.tokens):
            if token.pos not in ("PUNCT", "SYM"):
                return number
        return 0

    def related(self, number: int, *relations: str) -> list[int]:
        """The tokens that depend on a token in one of these ways; ``nsubj`` covers ``nsubj:pass``."""
        return [child for child in self.children[number] if self.relation(child) in relations]

    def relation(self, number: int) -> str:
        return self.tokens[number].relation.partition(":")[0]

    def ancestors(self, number: int) -> list[int]:
        """The token, what it depends on, and so on."""
        path = [number]
        while (head := self.tokens[path[-1]].head) >= 0 and head not in path:
            path.append(head)
        return path

    def numbers_within(self, start: int, end: int) -> range:
        """The tokens that lie within a span."""
        inside = [n for n, token in enumerate(self.tokens) if start <= token.start and token.end <= end]
        return range(inside[0], inside[-1] + 1) if inside else range(0)


@dataclass(frozen=True)
class Unit:
    """Something in a sentence that can change places: its tokens, the one that the others depend on, and its type."""

    first: int
    last: int  # included
    head: int
    type: str

    @property
    def numbers(self) -> range:
        return range(self.first, self.last + 1)


@dataclass(frozen=True)
class NewWords:
    """Words that replace those of a span."""

    start: int
    end: int
    words: str
