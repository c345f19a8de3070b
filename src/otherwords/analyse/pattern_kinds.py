"""Six systematic ways in which the two texts of a paraphrase differ (Kanerva et al. 2023, §6.2; Chang et al. 2021).

In goes a pair, out comes the name of the first pattern that accounts for all its differences: the same words in
another order; the same lemmas in the same order; the same lemmas in another order; the same lemmas of content words;
lemmas that can be matched one to one, each with itself or with a synonym; the same of the content words alone. Since
the fourth comes before the fifth, function words win over synonyms. Whatever remains is "other". Differences of
punctuation or typing alone are no pattern of the six and stand beside them.

The paper does not say whether synonyms may change places, or what becomes of texts without content words. Here they
may, and two texts that have nothing but function words are never alike by their content. Synonyms are single words: an
entry of several ("look after") matches nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from otherwords.analyse.pattern_words import Words, without_punctuation, without_typing
from otherwords.text import Pack
from otherwords.text.synonyms import Synonyms

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
SYSTEMATIC = (
    REORDERING,
    INFLECTION,
    LEMMA_REORDERING,
    FUNCTION_WORDS,
    SYNONYMS,
    SYNONYMS_AND_FUNCTION_WORDS,
)
PATTERNS = (*SYSTEMATIC, *TRIVIAL, OTHER)  # in the order in which they stand in tables


def pattern_of(text1: str, text2: str, pack: Pack, synonyms: Synonyms | None = None) -> str:
    """The pattern by which two texts of one language differ; without synonyms the last two are not looked for."""
    if text1 == text2:
        return IDENTICAL
    one, two = (pack.normalise(text, straight_quotes=True) for text in (text1, text2))
    return _trivial(one, two) or _systematic(Words(one, pack), Words(two, pack), synonyms)


def _trivial(text1: str, text2: str) -> str | None:
    one, two = without_typing(text1), without_typing(text2)
    if one == two:
        return TYPING
    return PUNCTUATION if without_punctuation(one) == without_punctuation(two) else None


def _systematic(one: Words, two: Words, synonyms: Synonyms | None) -> str:
    as_long = len(one.tokens) == len(two.tokens)
    as_full = len(one.content) == len(two.content) > 0
    if as_long and _alike(one.tokens, two.tokens):
        return REORDERING
    if as_long and one.lemmas == two.lemmas:
        return INFLECTION
    if as_long and _alike(one.lemmas, two.lemmas):
        return LEMMA_REORDERING
    if as_full and _alike(one.content_lemmas, two.content_lemmas):
        return FUNCTION_WORDS
    if synonyms and as_long and _synonymous(one.lemmas, two.lemmas, synonyms):
        return SYNONYMS
    if synonyms and as_full and _synonymous(one.content_lemmas, two.content_lemmas, synonyms):
        return SYNONYMS_AND_FUNCTION_WORDS
    return OTHER


def _alike(one: Sequence[str], two: Sequence[str]) -> bool:
    """Whether the same words stand in both, in any order."""
    return sorted(one) == sorted(two)


def _synonymous(one: Sequence[str], two: Sequence[str], synonyms: Synonyms) -> bool:
    """Whether the lemmas that are in one text only can be matched with synonyms in the other, one to one."""
    first, second = Counter(one), Counter(two)
    left, right = list((first - second).elements()), list((second - first).elements())
    near: dict[int, list[int]] = {}
    for place, lemma in enumerate(left):
        near[place] = [other for other, candidate in enumerate(right) if synonyms.related(lemma, candidate)]
        if not near[place]:
            return False
    return _matched(near)


def _matched(near: Mapping[int, Sequence[int]]) -> bool:
    """Whether every place on the left can have a place on the right of its own (Kuhn's augmenting paths)."""
    taken: dict[int, int] = {}

    def find(place: int, tried: set[int]) -> bool:
        for other in near[place]:
            if other not in tried:
                tried.add(other)
                if other not in taken or find(taken[other], tried):
                    taken[other] = place
                    return True
        return False

    return all(find(place, set()) for place in near)
