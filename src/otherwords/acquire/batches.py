"""Pairs by the batch, as records and as columns; and the measures that fit each pair's language.

A measure that cuts text into words needs to know the language. Where a corpus holds several, each pair is
measured as its own language asks, so that a score does not depend on which pair comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import pyarrow as pa

from otherwords.errors import DataError, UsageError
from otherwords.measures import MEASURES, Measure, measure
from otherwords.records import Pair
from otherwords.text.tokenise import TOKENISERS

PAIRS_A_BATCH = 4096
Way = tuple[str | None, str | None]  # language and tokeniser


def batches(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    """Lists of some thousand pairs."""
    stream = iter(pairs)
    while batch := list(islice(stream, PAIRS_A_BATCH)):
        yield batch


def columns(batch: Sequence[Pair]) -> tuple[pa.Array, pa.Array]:
    """The two texts of every pair as Arrow columns."""
    return (
        pa.array([pair.text1 for pair in batch], pa.large_string()),
        pa.array([pair.text2 for pair in batch], pa.large_string()),
    )


class Chosen:
    """The measures a user asked for, made for each language and tokeniser that the pairs bring along."""

    def __init__(self, specs: Sequence[str], lang: str | None = None, tokeniser: str | None = None) -> None:
        self.specs = _expanded(specs)
        self._lang, self._tokeniser = lang, tokeniser
        for spec in self.specs:  # a name or parameter that does not exist is said before anything is read
            measure(spec, tokeniser=tokeniser)
        self._fitted = {spec: one for spec in self.specs if (one := measure(spec)).needs_fit}
        self._made: dict[Way, dict[str, Measure]] = {}

    @property
    def needs_fit(self) -> bool:
        return bool(self._fitted)

    def fit(self, pairs: Iterable[Pair]) -> None:
        """Give the measures that weigh n-grams by their rarity a first look at all texts."""
        for batch in batches(pairs):
            for one in self._fitted.values():
                one.fit(columns(batch))

    def way(self, pair: Pair) -> Way:
        """How a pair is to be measured: as the user says, else as the pair does."""
        return pair.lang or self._lang, self._tokeniser or _tokeniser_of(pair)

    def measures(self, way: Way, example: Pair) -> dict[str, Measure]:
        """The measures by the name under which their scores are kept."""
        if way not in self._made:
            lang, tokeniser = way
            try:
                made = {spec: measure(spec, lang=lang, tokeniser=tokeniser) for spec in self.specs}
            except UsageError as problem:
                if lang == self._lang:
                    raise
                raise DataError(f"pair {example.id}: {problem}") from None
            self._made[way] = made | self._fitted
        return self._made[way]

    def parted(self, batch: list[Pair]) -> list[tuple[list[int], dict[str, Measure]]]:
        """A batch in parts that are measured alike: which rows, and with what."""
        rows: dict[Way, list[int]] = {}
        for number, pair in enumerate(batch):
            rows.setdefault(self.way(pair), []).append(number)
        return [(numbers, self.measures(way, batch[numbers[0]])) for way, numbers in rows.items()]

    def signatures(self) -> dict[str, str]:
        """What each score depends on; all ways, where a corpus asked for several."""
        told: dict[str, dict[str, None]] = {spec: {} for spec in self.specs}
        for made in self._made.values():
            for spec, one in made.items():
                told[spec][one.signature()] = None
        return {spec: " and ".join(ways) for spec, ways in told.items() if ways}


def _expanded(specs: Sequence[str]) -> list[str]:
    """The specs, with every measure in the place of ``all``."""
    listed = [name for spec in specs for name in (list(MEASURES) if spec == "all" else [spec])]
    return list(dict.fromkeys(listed))


def _tokeniser_of(pair: Pair) -> str | None:
    """The tokeniser that texts were already cut by, as their reader noted."""
    told = pair.meta.get("tokeniser")
    if told is None or (isinstance(told, str) and told in TOKENISERS):
        return told
    raise DataError(f"pair {pair.id}: meta.tokeniser is {told!r}; a tokeniser is one of {', '.join(TOKENISERS)}")
