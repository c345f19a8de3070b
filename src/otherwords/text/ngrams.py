"""N-grams of tokens and of characters, the raw material of every overlap measure.

In goes a token list or a text, out come the n-grams of all lengths from ``low`` to ``high`` in order
of length, then of place. ``Counter`` over them counts, ``set`` makes the set; the two functions at
the end do so by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from otherwords.errors import UsageError

Ngram = TypeVar("Ngram", bound=Hashable)


def token_ngrams(tokens: Sequence[str], low: int, high: int | None = None) -> Iterator[tuple[str, ...]]:
    """Runs of ``low`` to ``high`` tokens (``high`` is ``low`` unless given)."""
    for n in _lengths(low, high):
        for start in range(len(tokens) - n + 1):
            yield tuple(tokens[start : start + n])


def character_ngrams(text: str, low: int, high: int | None = None) -> Iterator[str]:
    """Runs of code points, blanks included and across words."""
    for n in _lengths(low, high):
        for start in range(len(text) - n + 1):
            yield text[start : start + n]


def word_character_ngrams(text: str, low: int, high: int | None = None) -> Iterator[str]:
    """Runs of code points within words, each word with one blank before and one after.

    The definition behind Turku's lexical similarity (scikit-learn's ``char_wb``): a padded word that
    is no longer than n gives itself once, and nothing for greater lengths.
    """
    lengths = _lengths(low, high)
    for word in text.split():
        padded = f" {word} "
        for n in lengths:
            if n >= len(padded):
                yield padded
                break
            yield from character_ngrams(padded, n)


def ngram_counts(ngrams: Iterable[Ngram]) -> Counter[Ngram]:
    """How often each n-gram occurs."""
    return Counter(ngrams)


def ngram_set(ngrams: Iterable[Ngram]) -> frozenset[Ngram]:
    """The different n-grams."""
    return frozenset(ngrams)


def _lengths(low: int, high: int | None) -> range:
    high = low if high is None else high
    if not 1 <= low <= high:
        raise UsageError(f"n-gram lengths {low} to {high} are not possible; give 1 <= low <= high")
    return range(low, high + 1)
