"""Six systematic ways in which the two texts of a paraphrase differ (Kanerva et al. 2023, §6.2; Chang et al. 2021).

A pair has the first pattern that accounts for all its differences: the same words in another order; the same lemmas in
the same order; the same lemmas in another order; the same lemmas of content words; lemmas that can be matched one to
one, each with itself or with a synonym; the same for content words only. Since the fourth comes before the fifth,
function words win over synonyms. Whatever remains is "other". Differences of punctuation or typing alone are none of
the six and are counted beside them.

The paper does not say whether synonyms may change places, or what becomes of texts without content words. Here they
may, and two texts that have nothing but function words never match by content. Synonyms are single words: an entry of
several ("look after") matches nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final
from unicodedata import category

from otherwords.text import Pack
from otherwords.text.normalise import normalise
from otherwords.text.synonyms import Synonyms
from otherwords.text.tokenise import tokeniser

IDENTICAL: Final = "identical"
TYPING: Final = "typing only"
PUNCTUATION: Final = "punctuation only"
REORDERING: Final = "word reordering"
INFLECTION: Final = "inflection"
LEMMA_REORDERING: Final = "lemma reordering"
FUNCTION_WORDS: Final = "function words"
SYNONYMS: Final = "synonyms"
SYNONYMS_AND_FUNCTION_WORDS: Final = "synonyms and function words"
OTHER: Final = "other"
TRIVIAL = (IDENTICAL, TYPING, PUNCTUATION)
SYSTEMATIC = (REORDERING, INFLECTION, LEMMA_REORDERING, FUNCTION_WORDS, SYNONYMS, SYNONYMS_AND_FUNCTION_WORDS)
PATTERNS = (*SYSTEMATIC, *TRIVIAL, OTHER)  # in the order of tables
READ_ALOUD = frozenset("%‰&@#§")  # punctuation to Unicode, words to a reader
LAST_WITH_PUNCTUATION = 0x1FFFF  # the last code point to search for punctuation


@dataclass
class Words:
    """The words of a normalised text, without punctuation.

    Lemmas are looked up only on demand: most pairs differ in the number of words, and that is enough.
    """

    text: str
    pack: Pack

    @cached_property
    def all_tokens(self) -> list[str]:
        """The tokens, with punctuation."""
        return tokeniser(lemma_tokeniser(self.pack)).tokens(self.text)

    @cached_property
    def tokens(self) -> list[str]:
        """The words in lower case."""
        return [token.lower() for token in self.all_tokens if _is_word(token)]

    @cached_property
    def lemmas(self) -> list[str]:
        """A lemma for each word."""
        lemmatised = zip(self.all_tokens, self.pack.lemmas(self.text), strict=True)
        return [lemma for token, lemma in lemmatised if _is_word(token)]

    @cached_property
    def content(self) -> list[int]:
        """The places of content words."""
        return [place for place, token in enumerate(self.tokens) if not self.pack.is_function_word(token)]

    @property
    def content_lemmas(self) -> list[str]:
        return [self.lemmas[place] for place in self.content]


def lemma_tokeniser(pack: Pack) -> str:
    """The tokeniser whose tokens have lemmas."""
    return "ja-unidic" if pack.lang == "ja" else pack.tokeniser


def pattern_of(text1: str, text2: str, pack: Pack, synonyms: Synonyms | None = None) -> str:
    """The pattern by which two texts of one language differ; without synonyms the last two of the six do not occur."""
    if text1 == text2:
        return IDENTICAL
    text1, text2 = (normalise(text, straight_quotes=True) for text in (text1, text2))
    typed1, typed2 = ("".join(text.casefold().split()) for text in (text1, text2))
    if typed1 == typed2:
        return TYPING
    if _without_punctuation(typed1) == _without_punctuation(typed2):
        return PUNCTUATION
    return _systematic(Words(text1, pack), Words(text2, pack), synonyms)


def _systematic(first: Words, second: Words, synonyms: Synonyms | None) -> str:
    same_length = len(first.tokens) == len(second.tokens)
    same_content_length = len(first.content) == len(second.content) > 0
    if same_length and sorted(first.tokens) == sorted(second.tokens):
        return REORDERING
    if same_length and first.lemmas == second.lemmas:
        return INFLECTION
    if same_length and sorted(first.lemmas) == sorted(second.lemmas):
        return LEMMA_REORDERING
    if same_content_length and sorted(first.content_lemmas) == sorted(second.content_lemmas):
        return FUNCTION_WORDS
    if synonyms and same_length and _synonymous(first.lemmas, second.lemmas, synonyms):
        return SYNONYMS
    if synonyms and same_content_length and _synonymous(first.content_lemmas, second.content_lemmas, synonyms):
        return SYNONYMS_AND_FUNCTION_WORDS
    return OTHER


def _synonymous(first: Sequence[str], second: Sequence[str], synonyms: Synonyms) -> bool:
    """Whether the lemmas that only one text has can be matched with synonyms in the other, one to one.

    Every lemma on the left needs its own place on the right; Kuhn's augmenting paths find out whether that is possible.
    """
    counts1, counts2 = Counter(first), Counter(second)
    left, right = list((counts1 - counts2).elements()), list((counts2 - counts1).elements())
    candidates: list[list[int]] = []
    for lemma in left:
        candidates.append([place for place, word in enumerate(right) if synonyms.related(lemma, word)])
        if not candidates[-1]:
            return False
    taken: dict[int, int] = {}

    def find(place: int, tried: set[int]) -> bool:
        for other in candidates[place]:
            if other not in tried:
                tried.add(other)
                if other not in taken or find(taken[other], tried):
                    taken[other] = place
                    return True
        return False

    return all(find(place, set()) for place in range(len(left)))


def _is_word(token: str) -> bool:
    return token[0].isalnum() or bool(_without_punctuation(token))


def _without_punctuation(text: str) -> str:
    return text.translate(_punctuation())


@cache
def _punctuation() -> dict[int, None]:
    characters = map(chr, range(LAST_WITH_PUNCTUATION + 1))
    return {ord(char): None for char in characters if category(char)[0] == "P" and char not in READ_ALOUD}
