"""Sentences for measuring mining at any size: small stories, each told in many sentences.

A story has its people, things and places, as an article has; a sentence of it says who did what to which thing when, in
one of several forms. Names are invented, with frequencies that fall as those of a real language do, and stories have
very different lengths. In go a number and a seed, out comes a file of one sentence a line; the first lines of a longer
file are those of a shorter one.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from otherwords.sources.io.files import atomic_write

BLOCK = 100_000  # lines that are drawn together
NAMES = 20_000
STORIES = 5_000  # of a block
SYLLABLE = (
    "b br d dr f g gr h j k kl l m n p r s st t tr v w",
    "a e i o u ai ea ou",
    "n r l s th m k",
)
QUALITIES = "old young tall quiet cheerful tired careful famous stubborn gentle clever lonely patient proud"
PEOPLE = "baker captain teacher painter farmer doctor singer tailor miller porter clerk pilot nurse judge cook guard"
DEEDS = (
    "sold carried repaired painted found lost bought hid cleaned broke borrowed returned showed measured described "
    "finished"
)
COLOURS = "red green blue grey yellow white black brown silver copper striped wooden"
THINGS = (
    "boat lantern bridge letter window basket clock carpet ladder mirror bell map wheel statue fence barrel kettle "
    "drum anchor candle cabinet umbrella violin"
)
PLACES = "harbour market station garden library village valley school mill castle square theatre"
TIMES = (
    "on Monday,on Sunday,before noon,after dark,last winter,in spring,at dawn,every week,during the storm,a year ago,"
    "yesterday,that evening"
)
# Places of the fact: quality, person, name, deed, colour, thing, name of the owner, place, name of the town, time.
FORMS = (
    "The {0} {1} {2} {3} the {4} {5} of {6} near the {7} of {8} {9}.",
    "{9}, the {0} {1} {2} {3} the {4} {5} of {6} near the {7} of {8}.",
    "Near the {7} of {8}, {2}, a {0} {1}, {3} the {4} {5} of {6} {9}.",
    "{6}'s {4} {5} was {3} by the {0} {1} {2} {9}, near the {7} of {8}.",
    "It was {9} that {2}, the {0} {1}, {3} {6}'s {4} {5} near the {7} of {8}.",
)


def invented_names(count: int, chance: np.random.Generator) -> list[str]:
    """Names of two or three syllables, all different."""
    onsets, vowels, codas = (part.split() for part in SYLLABLE)
    syllables = ["".join(parts) for parts in product(onsets, vowels, ["", *codas])]
    found: dict[str, None] = {}
    while len(found) < count:
        parts = chance.integers(len(syllables), size=3)
        found["".join(syllables[part] for part in parts[: 2 + int(chance.integers(2))]).capitalize()] = None
    return list(found)


def falling(count: int) -> npt.NDArray[np.float64]:
    """Probabilities of which the n-th is about n times smaller than the first."""
    weights = 1 / (np.arange(count) + 20.0)
    return weights / weights.sum()


def sentence_block(number: int, rows: int, names: list[str], seed: int) -> list[str]:
    """The sentences of one block."""
    chance = np.random.default_rng([seed, number])
    qualities, people, deeds, colours, things, places = (
        part.split() for part in (QUALITIES, PEOPLE, DEEDS, COLOURS, THINGS, PLACES)
    )
    lengths = chance.lognormal(size=STORIES)
    story = chance.choice(STORIES, rows, p=lengths / lengths.sum())

    def drawn_words(words: list[str], by_story: bool) -> list[str]:
        """A word for every sentence, the same in all sentences of a story or not."""
        drawn = chance.choice(len(words), STORIES if by_story else rows, p=falling(len(words)))
        return [words[place] for place in (drawn[story] if by_story else drawn).tolist()]

    times = TIMES.split(",")
    lists = (qualities, people, names, deeds, colours, things, names, places, names, times)
    columns = [drawn_words(words, words not in (qualities, deeds, colours, times)) for words in lists]
    forms = chance.integers(len(FORMS), size=rows)
    return [FORMS[form].format(*fact) for form, fact in zip(forms.tolist(), zip(*columns, strict=True), strict=True)]


def write_sentences(path: Path, rows: int, seed: int = 17) -> None:
    """Write so many sentences, one a line."""
    names = invented_names(NAMES, np.random.default_rng(seed))
    with atomic_write(path) as stream:
        for number, start in enumerate(range(0, rows, BLOCK)):
            lines = sentence_block(number, BLOCK, names, seed)[: rows - start]
            stream.write(("\n".join(lines) + "\n").encode())
