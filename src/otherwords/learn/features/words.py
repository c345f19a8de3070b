"""The words of two columns of texts as arrays of numbers, so that all pairs of a block are compared at once.

Words are those of the language's tokeniser that have a letter or a digit. Two words are the same if they are the same
in lower case. Punctuation is not a word; a word knows whether a mark stands before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from otherwords.text.packs import Pack

Numbers: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]
STEM = 4  # letters by which forms of a word are likely to agree
NAME, NUMBER, FUNCTION, NEGATION = 1, 2, 4, 8
NEGATIONS = {
    "en": "no not never none nobody nothing neither nor cannot n't t without",
    "es": "no nunca jamás nada nadie ninguno ninguna ni tampoco sin",
    "fi": "ei en et emme ette eivät älä älkää ilman eikä enkä etkä ettei etten koskaan",
    "ja": "ない なかっ ず ぬ ません なく なけれ まい",
    "ru": "не ни нет без никогда никто ничего нельзя",
    "sv": "inte ej icke aldrig ingen inget inga utan varken",
}


@dataclass(frozen=True, slots=True)
class WordRows:
    """The words of a column of texts, one after the other; ``starts`` has where each text begins, and the end."""

    starts: Numbers
    forms: Numbers  # equal for words that are equal in lower case
    stems: Numbers  # equal for words with the same first letters; a short word is its own stem
    kinds: Numbers  # NAME, NUMBER, FUNCTION and NEGATION, added up
    after_mark: Flags  # whether punctuation stands before it

    @property
    def counts(self) -> Numbers:
        return np.diff(self.starts)

    @property
    def rows(self) -> Numbers:
        """The number of the text of each word."""
        return np.repeat(np.arange(len(self.starts) - 1), self.counts)

    @property
    def places(self) -> Numbers:
        """The place of each word in its text, from 0."""
        return np.arange(len(self.forms)) - np.repeat(self.starts[:-1], self.counts)

    def has(self, kind: int) -> Flags:
        """Which words are of a kind."""
        return np.asarray(self.kinds & kind > 0)


@dataclass(slots=True)
class WordNumbers:
    """Gives words numbers, the same to the same word on both sides of a block of pairs."""

    pack: Pack
    forms: dict[str, int] = field(default_factory=dict)
    _known: dict[str, tuple[int, int, int] | None] = field(default_factory=dict)
    _stems: dict[str, int] = field(default_factory=dict)

    def read(self, texts: Sequence[str]) -> WordRows:
        """The words of each text."""
        tokens = self.pack.tokens
        known = self._known
        starts, words, marks = [0], [], []
        for text in texts:
            mark, first = False, True
            for token in tokens(text):
                if token in known:
                    word = known[token]
                else:
                    word = known[token] = self._word(token)
                if word is None:
                    mark = True
                    continue
                # A capital at the beginning of a text says nothing.
                words.append((word[0], word[1], word[2] & ~NAME) if first else word)
                marks.append(mark)
                mark = first = False
            starts.append(len(words))
        table = np.array(words, np.int64).reshape(-1, 3)
        return WordRows(np.array(starts, np.int64), table[:, 0], table[:, 1], table[:, 2], np.array(marks, np.bool_))

    def _word(self, token: str) -> tuple[int, int, int] | None:
        if not any(map(str.isalnum, token)):
            return None
        lower = token.lower()
        function = self.pack.is_function_word(token)
        number = any(map(str.isdigit, token))
        kinds = NAME * (token[0].isupper() and not function) | NUMBER * number | FUNCTION * function
        kinds |= NEGATION * (lower.replace("’", "'") in negations(self.pack.lang))
        stem = lower if function or number else lower[:STEM]
        return _number(self.forms, lower), _number(self._stems, stem), kinds


def negations(lang: str) -> frozenset[str]:
    """The words that deny something in a language; none are known of most."""
    return frozenset(NEGATIONS.get(lang, "").split())


def _number(numbers: dict[str, int], word: str) -> int:
    return numbers.setdefault(word, len(numbers))
