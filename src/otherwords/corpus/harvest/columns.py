"""Mined pairs with their lexical similarity, and the columns that regions and tiles speak of.

``similarity`` is measured on the way; ``p_negative``, ``p_positive`` and ``p_4`` (or another label) are what a
classifier said, as ``otherwords predict`` wrote it; every score has its own name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from otherwords.acquire.batches import SelectedMeasures
from otherwords.acquire.score import score_pairs
from otherwords.annotate.labels.label_rule import polarity
from otherwords.errors import DataError, UsageError
from otherwords.labels import is_label, parse_label
from otherwords.measures import measure
from otherwords.mining.harvest.region import Values
from otherwords.mining.harvest.search import SIMILARITY
from otherwords.mining.mine import PAIRS
from otherwords.records import Pair
from otherwords.sources.reading import open_records

PREDICTED = "predicted"  # where predictions are, in meta
MODEL = "model:"  # how the score of a model begins
PROBABILITY = "p_"
NEGATIVE, POSITIVE = "p_negative", "p_positive"
NEG = "neg"  # the labels 1 and 2 of a bootstrapped model
BY = "char-cosine"  # the lexical similarity of Kanerva et al. (2023, §7.2)
PairStream = Callable[[], Iterator[Pair]]  # all pairs from the beginning


def mined_file(path: str | Path) -> Path:
    """The table of pairs in the folder of a mining run, or the file that is named."""
    place = Path(path)
    if not place.is_dir():
        return place
    if not (place / PAIRS).is_file():
        message = f"has no {PAIRS}; name the folder of otherwords mine, or a file of pairs"
        raise DataError(message, place, code="not-a-mining-run")
    return place / PAIRS


def mined_pairs(path: str | Path) -> PairStream:
    """The pairs of a mining run or a file."""
    file = mined_file(path)

    def read() -> Iterator[Pair]:
        with open_records(file) as records:
            yield from records.pairs()

    return read


def with_similarity(pairs: Iterable[Pair], by: str = BY, lang: str | None = None) -> Iterator[Pair]:
    """The pairs with their similarity among the scores."""
    lowest, highest = measure(by).range
    if (lowest, highest) != (0, 1):
        message = f"--by {by}: goes from {lowest:g} to {highest:g}; strata need a measure from 0 to 1"
        raise UsageError(message, code="measure-not-a-share")
    chosen = SelectedMeasures([by], lang)
    if chosen.needs_fit:
        message = f"--by {by}: the scores of this measure depend on all texts; choose another"
        raise UsageError(message, code="measure-needs-fit")
    return score_pairs(pairs, chosen)


def column_values(pairs: Sequence[Pair], names: Collection[str], by: str) -> dict[str, Values]:
    """The values of columns, by name; NaN where a pair has none."""
    return {name: np.array([column_value(pair, name, by) for pair in pairs], np.float64) for name in names}


def column_value(pair: Pair, name: str, by: str) -> float:
    """The value of a pair in a column; NaN if it has none."""
    if name == SIMILARITY:
        name = by
    if name not in pair.scores and name.startswith(PROBABILITY):
        return _probability(pair, name.removeprefix(PROBABILITY))
    score = pair.scores.get(name)
    return math.nan if score is None else score


def known_columns(pair: Pair) -> list[str]:
    """The columns that a pair has a value in."""
    names = [SIMILARITY, *(name for name, score in pair.scores.items() if score is not None)]
    usual = [name for name in (NEGATIVE, POSITIVE) if not math.isnan(column_value(pair, name, ""))]
    return [*names, *usual, *(f"{PROBABILITY}{label}" for label in _bases(_probabilities(pair)))]


def _probability(pair: Pair, label: str) -> float:
    """What a classifier said about a side, a label, or all labels of a base."""
    known = _probabilities(pair)
    if not known:
        scores = [score for name, score in pair.scores.items() if name.startswith(MODEL) and score is not None]
        if len(scores) != 1 or label not in ("positive", "negative"):
            return math.nan
        return scores[0] if label == "positive" else 1 - scores[0]
    if label in ("positive", "negative"):
        side = polarity([name for name in known if name != NEG])
        wanted = label == "positive"
        return sum(value for name, value in known.items() if (False if name == NEG else side(name)) is wanted)
    fitting = [value for name, value in known.items() if label in (name, _base(name))]
    return sum(fitting) if fitting else math.nan


def _probabilities(pair: Pair) -> dict[str, float]:
    answer = pair.meta.get(PREDICTED)
    known = answer.get("probabilities") if isinstance(answer, dict) else None
    return known if isinstance(known, dict) else {}


def _bases(labels: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(base for label in labels if (base := _base(label)) is not None))


def _base(label: str) -> str | None:
    return parse_label(label).base if is_label(label) else None
