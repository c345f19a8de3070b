"""N-grams of tokens and of characters, the raw material of every overlap measure.

N-grams of all lengths from ``low`` to ``high`` come in order of length, then of position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otherwords.errors import UsageError


def token_ngrams(tokens: Sequence[str], low: int, high: int | None = None) -> Iterator[tuple[str, ...]]:
    """Runs of ``low`` to ``high`` tokens (``high`` defaults to ``low``)."""
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
    is no longer than n is one n-gram itself, and has none of greater lengths.
    """
    lengths = _lengths(low, high)
    for word in text.split():
        padded = f" {word} "
        for n in lengths:
            if n >= len(padded):
                yield padded
                break
            yield from character_ngrams(padded, n)


def _lengths(low: int, high: int | None) -> range:
    high = low if high is None else high
    if not 1 <= low <= high:
        message = f"n-gram lengths {low} to {high} are not possible; give 1 <= low <= high"
        raise UsageError(message, code="wrong-ngram-lengths")
    return range(low, high + 1)
