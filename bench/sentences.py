"""Sentences for the benches: invented words in several alphabets, with the frequencies of a real language.

In goes a number and a seed, out come as many pairs of sentences of about twenty tokens. No two first
sentences are the same, so that no cache of a peer can answer for it.
"""

from __future__ import annotations

import random
from itertools import accumulate

ALPHABETS = [  # onsets, vowels, codas: enough to look like English, Finnish, Spanish, Russian
    ("b c d f g h l m n p r s t w th st tr pl", "a e i o u ea ou", "n s t r d ng nd ck l"),
    ("k t p s l m n r v h j", "a e i o u y ä ö aa ii uo yö ie", "n s t l r"),
    ("b c d f g l m n p r s t v ll ñ ch pr", "a e i o u á é í ó", "n s r l"),
    ("б в г д ж з к л м н п р с т ст пр", "а е и о у ы я ю", "й л н т р м сть в"),
]
LEXICON = 12_000
TOKENS = 20


class Language:
    """Invented words of one alphabet, the n-th of them about n times rarer than the first (Zipf)."""

    def __init__(self, alphabet: tuple[str, str, str], rng: random.Random) -> None:
        self._parts = [part.split() for part in alphabet]
        self._rng = rng
        self._words = list(dict.fromkeys(self._word() for _ in range(LEXICON)))
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(len(self._words))))

    def _word(self) -> str:
        onsets, vowels, codas = self._parts
        syllables = self._rng.choices([1, 2, 3, 4], [20, 45, 25, 10])[0]
        start = "".join(self._rng.choice(onsets) + self._rng.choice(vowels) for _ in range(syllables))
        return start + (self._rng.choice(codas) if self._rng.random() < 0.6 else "")

    def words(self, count: int) -> list[str]:
        return self._rng.choices(self._words, cum_weights=self._weights, k=count)


def sentence_pairs(count: int, seed: int = 7) -> tuple[list[str], list[str]]:
    """So many sentences, and of each a version in which some words are others or stand elsewhere.

    As in a real collection the languages come one after the other.
    """
    rng = random.Random(seed)
    firsts: dict[str, None] = {}
    seconds: list[str] = []
    for number, alphabet in enumerate(ALPHABETS, 1):
        language = Language(alphabet, rng)
        while len(seconds) < count * number // len(ALPHABETS):
            words = language.words(rng.randint(TOKENS - 6, TOKENS + 6))
            if (first := written(words, rng)) not in firsts:
                firsts[first] = None
                seconds.append(written(reworded(words, language, rng), rng))
    return list(firsts), seconds


def reworded(words: list[str], language: Language, rng: random.Random) -> list[str]:
    """About a third of the words replaced, and a stretch moved."""
    others = iter(language.words(len(words)))
    changed = [next(others) if rng.random() < 0.33 else word for word in words]
    cut = rng.randrange(len(changed))
    return changed[cut:] + changed[:cut] if rng.random() < 0.3 else changed


def written(words: list[str], rng: random.Random) -> str:
    """With a capital, a comma here and there, and an end."""
    marked = [word + "," if rng.random() < 0.08 else word for word in words]
    text = " ".join(marked).rstrip(",")
    return text[0].upper() + text[1:] + rng.choice([".", ".", ".", "?", "!"])
