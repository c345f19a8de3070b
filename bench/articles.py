"""News articles for the bench: invented words, events that several outlets report in their own words.

In goes a number and a seed, out come articles of 300 words over a stretch of days at a fixed daily
volume. An article is made of the words of the language, of its topic and of its event; one in ten is
a version of one of the five days before with a part of its words replaced, from a twentieth to all
but a quarter of them.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain, islice

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


def drawn_words(rng: np.random.Generator, topics: Places) -> Places:
    """For an article of each topic a row of frequent words, words of the topic, and words of this one article."""
    shape = (len(topics), WORDS)
    frequent = np.minimum(rng.zipf(1.3, shape), FREQUENT) - 1
    of_topic = FREQUENT + topics[:, None] * 150 + rng.integers(0, 150, shape)
    own = np.take_along_axis(rng.integers(FREQUENT, LEXICON, (len(topics), 60)), rng.integers(0, 60, shape), axis=1)
    kind = rng.random(shape)
    return np.where(kind < 0.4, frequent, np.where(kind < 0.6, of_topic, own))


def days(rng: np.random.Generator) -> Iterator[Places]:
    """Day by day the words of its articles."""
    earlier: deque[tuple[Places, Places]] = deque(maxlen=5)  # days that a version can be of
    while True:
        topics = rng.integers(TOPICS, size=A_DAY)
        places = drawn_words(rng, topics)
        versions = np.flatnonzero(rng.random(A_DAY) < 0.1) if earlier else np.empty(0, np.int64)
        for article in versions:
            there, of_there = earlier[int(rng.integers(len(earlier)))]
            original = int(rng.integers(A_DAY))
            kept = rng.random(WORDS) >= REWORDED[int(rng.integers(len(REWORDED)))]
            places[article] = np.where(kept, there[original], places[article])
            topics[article] = of_there[original]
        earlier.append((places, topics))
        yield places


def articles(count: int, seed: int = 5) -> list[Document]:
    """So many articles in order of publication."""
    rng = np.random.default_rng(seed)
    words = lexicon(seed)
    documents = []
    for number, places in enumerate(islice(chain.from_iterable(days(rng)), count)):
        when = FIRST_DAY + timedelta(days=number / A_DAY)
        documents.append(
            Document(
                id=f"news-{number:07}",
                text=" ".join([words[place] for place in places.tolist()]),
                source="news",
                time=when.isoformat(timespec="seconds").replace("+00:00", "Z"),
                meta={"outlet": f"outlet {rng.integers(OUTLETS)}"},
            )
        )
    return documents
