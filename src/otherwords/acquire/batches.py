"""Pairs in blocks, as records and as columns; and the measures that fit the language of each pair.

A measure that splits text into words needs to know the language. Where a corpus has several languages, each pair is
measured by its own, so that a score does not depend on which pair comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import pyarrow as pa

from otherwords.errors import DataError, UsageError
from otherwords.measures import MEASURES, Measure, measure
from otherwords.records import Pair
from otherwords.text.tokenise import TOKENISERS

PAIRS_PER_BLOCK = 4096
MeasureKey = tuple[str | None, str | None]  # language and tokeniser


def pair_blocks(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    """Blocks of a few thousand pairs."""
    stream = iter(pairs)
    while block := list(islice(stream, PAIRS_PER_BLOCK)):
        yield block


def text_columns(block: Sequence[Pair]) -> tuple[pa.Array, pa.Array]:
    """The two texts of every pair as Arrow columns."""
    return (
        pa.array([pair.text1 for pair in block], pa.large_string()),
        pa.array([pair.text2 for pair in block], pa.large_string()),
    )


class SelectedMeasures:
    """The measures that a user chose, built for each language and tokeniser among the pairs."""

    def __init__(self, specs: Sequence[str], lang: str | None = None, tokeniser: str | None = None) -> None:
        named = (list(MEASURES) if spec == "all" else [spec] for spec in specs)
        self.specs = list(dict.fromkeys(chain.from_iterable(named)))
        self._lang, self._tokeniser = lang, tokeniser
        for spec in self.specs:  # report an unknown name or parameter before anything is read
            measure(spec, tokeniser=tokeniser)
        self._fitted = {spec: built for spec in self.specs if (built := measure(spec)).needs_fit}
        self.needs_fit = bool(self._fitted)
        self._built: dict[MeasureKey, dict[str, Measure]] = {}

    def fit(self, pairs: Iterable[Pair]) -> None:
        """Fit the measures that weight n-grams by their rarity to all texts."""
        for block in pair_blocks(pairs):
            for fitted in self._fitted.values():
                fitted.fit(text_columns(block))

    def measure_key(self, pair: Pair) -> MeasureKey:
        """Language and tokeniser of a pair: its own language before the user's, the user's tokeniser before its own.

        Its own is the one that the texts were already split by, as their reader noted.
        """
        name = pair.meta.get("tokeniser")
        if self._tokeniser or name is None or (isinstance(name, str) and name in TOKENISERS):
            return pair.lang or self._lang, self._tokeniser or name
        message = f"pair {pair.id}: meta.tokeniser is {name!r}; a tokeniser is one of {', '.join(TOKENISERS)}"
        raise DataError(message, code="unknown-tokeniser")

    def measures(self, key: MeasureKey, example: Pair) -> dict[str, Measure]:
        """The measures by the name under which their scores are stored; errors name the example."""
        if key not in self._built:
            lang, tokeniser = key
            try:
                built = {spec: measure(spec, lang=lang, tokeniser=tokeniser) for spec in self.specs}
            except UsageError as problem:
                if lang == self._lang:
                    raise
                raise DataError(f"pair {example.id}: {problem}", code=problem.code) from None
            self._built[key] = built | self._fitted
        return self._built[key]

    def parted(self, block: list[Pair]) -> list[tuple[list[int], dict[str, Measure]]]:
        """The parts of a block that are measured alike: the numbers of their rows, and their measures."""
        rows: dict[MeasureKey, list[int]] = {}
        for number, pair in enumerate(block):
            rows.setdefault(self.measure_key(pair), []).append(number)
        return [(numbers, self.measures(key, block[numbers[0]])) for key, numbers in rows.items()]

    def signatures(self) -> dict[str, str]:
        """What each score depends on; several signatures where a corpus has several languages."""
        signatures: dict[str, dict[str, None]] = {spec: {} for spec in self.specs}
        for built in self._built.values():
            for spec, chosen in built.items():
                signatures[spec][chosen.signature()] = None
        return {spec: " and ".join(distinct) for spec, distinct in signatures.items() if distinct}
