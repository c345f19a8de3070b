"""Pairs in blocks, as records and as columns; and the measures that fit the language of each pair.

A measure that splits text into words needs to know the language. Where a corpus has several languages, each pair is
measured by its own, so that a score does not depend on which pair comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice

import numpy as np
import pyarrow as pa

from otherwords.errors import DataError, UsageError
from otherwords.measures import Measure, complete_measures, measure
from otherwords.records import Pair
from otherwords.sources.blocks.block import PairBlock, Rows
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


def measure_key(
    lang: str | None, named: object, usual_lang: str | None, tokeniser: str | None, id: Callable[[], str]
) -> MeasureKey:
    """Language and tokeniser of a pair, which names the first and possibly the second, from the user's own."""
    if tokeniser or named is None:
        return lang or usual_lang, tokeniser
    if isinstance(named, str) and named in TOKENISERS:
        return lang or usual_lang, named
    message = f"pair {id()}: meta.tokeniser is {named!r}; a tokeniser is one of {', '.join(TOKENISERS)}"
    raise DataError(message, code="unknown-tokeniser")


def block_keys(block: PairBlock, lang: str | None, tokeniser: str | None) -> dict[MeasureKey, Rows | None]:
    """The rows of a block by language and tokeniser; None stands for all rows."""
    kinds = block.kinds()
    if len(kinds) == 1:
        return {measure_key(*kinds[0], lang, tokeniser, lambda: block.id(0)): None}
    rows: dict[MeasureKey, list[int]] = {}
    for number, kind in enumerate(kinds):
        rows.setdefault(measure_key(*kind, lang, tokeniser, partial(block.id, number)), []).append(number)
    return {key: np.array(numbers) if len(rows) > 1 else None for key, numbers in rows.items()}


@dataclass(frozen=True, slots=True)
class BlockPart:
    """Pairs of a block that are measured alike."""

    rows: Rows | None  # None: all of them
    measures: dict[str, Measure]


class SelectedMeasures:
    """The measures that a user chose, built for each language and tokeniser among the pairs."""

    def __init__(self, specs: Sequence[str], lang: str | None = None, tokeniser: str | None = None) -> None:
        named = (complete_measures() if spec == "all" else [spec] for spec in specs)
        self.specs = list(dict.fromkeys(chain.from_iterable(named)))
        self._lang, self._tokeniser = lang, tokeniser
        # An unknown name or parameter is reported before anything is read.
        checked = {spec: measure(spec, tokeniser=tokeniser) for spec in self.specs}
        self._shared = {spec: built for spec, built in checked.items() if built.needs_fit or built.any_language}
        self.needs_fit = any(built.needs_fit for built in checked.values())
        self._built: dict[MeasureKey, dict[str, Measure]] = {}

    def fit(self, pairs: Iterable[Pair]) -> None:
        """Fit the measures that weight n-grams by their rarity to all texts."""
        for block in pair_blocks(pairs):
            for shared in self._shared.values():
                shared.fit(text_columns(block))

    def measure_key(self, pair: Pair) -> MeasureKey:
        """Language and tokeniser of a pair: its own language before the user's, the user's tokeniser before its own.

        Its own is the one that the texts were already split by, as their reader noted.
        """
        return measure_key(pair.lang, pair.meta.get("tokeniser"), self._lang, self._tokeniser, lambda: pair.id)

    def measures(self, key: MeasureKey, example: str) -> dict[str, Measure]:
        """The measures by the name under which their scores are stored; errors name the pair of the example."""
        if key not in self._built:
            lang, tokeniser = key
            try:
                built = {
                    spec: self._shared.get(spec) or measure(spec, lang=lang, tokeniser=tokeniser) for spec in self.specs
                }
            except UsageError as problem:
                if lang == self._lang:
                    raise
                raise DataError(f"pair {example}: {problem}", code=problem.code) from None
            self._built[key] = built
        return self._built[key]

    def parted(self, block: list[Pair]) -> list[tuple[list[int], dict[str, Measure]]]:
        """The parts of a block that are measured alike: the numbers of their rows, and their measures."""
        rows: dict[MeasureKey, list[int]] = {}
        for number, pair in enumerate(block):
            rows.setdefault(self.measure_key(pair), []).append(number)
        return [(numbers, self.measures(key, block[numbers[0]].id)) for key, numbers in rows.items()]

    def parts(self, block: PairBlock) -> list[BlockPart]:
        """The same for a block in any form."""
        return [
            BlockPart(rows, self.measures(key, block.id(0 if rows is None else int(rows[0]))))
            for key, rows in block_keys(block, self._lang, self._tokeniser).items()
        ]

    def signatures(self) -> dict[str, str]:
        """What each score depends on; several signatures where a corpus has several languages."""
        signatures: dict[str, dict[str, None]] = {spec: {} for spec in self.specs}
        for built in self._built.values():
            for spec, chosen in built.items():
                signatures[spec][chosen.signature()] = None
        return {spec: " and ".join(distinct) for spec, distinct in signatures.items() if distinct}
