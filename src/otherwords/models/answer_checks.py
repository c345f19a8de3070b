"""What is wrong with an answer of a model: a text that is empty, the source again or cut short, tags outside the text.

These are signs of a failed answer, not of a bad one: judging quality is the business of measures and filters.
"""

from __future__ import annotations

import re
from itertools import pairwise

from otherwords.models.edges import Item, TaggedText

LEAST_WORDS = 4  # shorter texts may well stay as they are: names, numbers, greetings
MOST_REPEATS = 6  # of the same words, one after the other
LONGEST_LOOP = 8  # words
SHORTEST, LONGEST = 1 / 8, 8.0  # length of an answer, as a ratio of the source
LEAST_CHARACTERS = 40  # of a source for which the ratio says anything


def failed_text(item: Item, value: str) -> str | None:
    """The reason why a text is no answer, if it is none."""
    if not value.strip():
        return "the answer is empty"
    if repeats(value) and not repeats(item.text):
        return "the answer repeats itself"
    ratio = len(value) / max(1, len(item.text))
    if len(item.text) >= LEAST_CHARACTERS and not SHORTEST <= ratio <= LONGEST:
        return f"the answer is much {'shorter' if ratio < 1 else 'longer'} than the source"
    return None


def failed_translation(item: Item, value: str) -> str | None:
    """The reason why a text is no translation, if it is none."""
    if reason := failed_text(item, value):
        return reason
    words = item.text.split()
    if len(words) >= LEAST_WORDS and _folded(value) == _folded(item.text):
        return "the answer is the source itself"
    return None


def repeats(text: str) -> bool:
    """Whether the same words, at most eight of them, follow each other again and again."""
    words = text.split()
    for length in range(1, LONGEST_LOOP + 1):
        run = 1
        for start in range(length, len(words) - length + 1):
            run = run + 1 if words[start - length] == words[start] else 1
            if run > MOST_REPEATS * length:
                return True
    return bool(re.search(r"(\S{1,4}?)\1{30,}", text))  # in scripts without blanks


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def failed_tagging(item: Item, value: TaggedText) -> str | None:
    """The reason why tags are no answer, if they are none."""
    if not value.tokens:
        return "the tagger found no words"
    places = [(token.start, token.end) for token in value.tokens]
    spans = [(span.start, span.end) for span in (*value.entities, *value.noun_phrases)]
    if any(not 0 <= start < end <= len(item.text) for start, end in (*places, *spans)):
        return "the tags lie outside the text"
    if any(before[1] > after[0] for before, after in pairwise(places)):
        return "the tags are out of order"
    return None
