"""News articles for the bench: invented words, events that several outlets report in their own words.

In goes a number and a seed, out come articles of about 300 words over a stretch of days at a fixed daily
volume. An article is made of the words of the language, of its topic and of its event; one in ten is
a version of an earlier one of the last days with a part of its words replaced, from a twentieth to
all but a quarter of them, under another outlet's name.
"""

from __future__ import annotations

import random
from collections import deque
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt

from otherwords.records import Document

A_DAY = 274  # 100,000 a year
WORDS = 300
LEXICON = 60_000
ONSETS = "b c d f g h j k l m n p r s t v w y z br ch cl cr dr fl gr pl pr qu sc sh sl sp st str th tr wh x"
VOWELS = "a e i o u y ai au ea ee ie oo ou"
CODAS = "n s t r d l m ng nd ck st nt rt sh x gh"
FREQUENT = 300  # function words: two in five words
TOPICS = 200
OUTLETS = 5
REWORDED = (0.05, 0.2, 0.4, 0.6, 0.75)  # share of words replaced, by level
FIRST_DAY = datetime(2020, 1, 1, tzinfo=UTC)

Places = npt.NDArray[np.int64]


def lexicon(seed: int) -> list[str]:
    """Words of one to five syllables, the frequent ones short."""
    rng = random.Random(seed)
    onsets, vowels, codas = ONSETS.split(), VOWELS.split(), [*CODAS.split(), *[""] * 24]
    words: dict[str, None] = {}
    while len(words) < LEXICON:
        syllables = 1 if len(words) < FREQUENT else rng.randint(2, 5)
        words["".join(rng.choice(onsets) + rng.choice(vowels) + rng.choice(codas) for _ in range(syllables))] = None
    return list(words)


def drawn_words(rng: np.random.Generator, count: int, topic: int) -> Places:
    """Frequent words, words of the topic, and words of this one article."""
    frequent = np.minimum(rng.zipf(1.3, count), FREQUENT) - 1
    of_topic = FREQUENT + topic * 150 + rng.integers(0, 150, count)
    own = rng.integers(FREQUENT, LEXICON, 60)[rng.integers(0, 60, count)]
    kind = rng.random(count)
    return np.where(kind < 0.4, frequent, np.where(kind < 0.6, of_topic, own))


def articles(count: int, seed: int = 5) -> list[Document]:
    """So many articles in order of publication."""
    rng = np.random.default_rng(seed)
    words = np.array(lexicon(seed), object)
    made: deque[tuple[Places, int]] = deque(maxlen=5 * A_DAY)  # what a version can be of
    documents = []
    for number in range(count):
        if number > A_DAY and rng.random() < 0.1:
            original, topic = made[int(rng.integers(len(made)))]
            replaced = rng.random(len(original)) < REWORDED[int(rng.integers(len(REWORDED)))]
            places = np.where(replaced, drawn_words(rng, len(original), topic), original)
        else:
            topic = int(rng.integers(TOPICS))
            places = drawn_words(rng, int(rng.integers(WORDS - 50, WORDS + 50)), topic)
        made.append((places, topic))
        when = FIRST_DAY + timedelta(days=number / A_DAY)
        documents.append(
            Document(
                id=f"news-{number:07}",
                text=" ".join(words[places]),
                source="news",
                time=when.isoformat(timespec="seconds").replace("+00:00", "Z"),
                meta={"outlet": f"outlet {rng.integers(OUTLETS)}"},
            )
        )
    return documents
