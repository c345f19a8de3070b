"""Annotated pairs as points of similarity and confidence, for tiles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from otherwords.corpus.corpus import Corpus, open_corpus
from otherwords.corpus.harvest.columns import BY, NEGATIVE, column_value, known_columns, with_similarity
from otherwords.errors import DataError
from otherwords.mining.harvest.search import SIMILARITY
from otherwords.mining.harvest.strata import stratum_note
from otherwords.mining.harvest.tiles import AnnotatedPoint
from otherwords.records import Pair

NO_VALUE = "pairs without a confidence"
NO_SIDE = "pairs whose label does not say whether they are paraphrases"
KEPT_APART = "pairs of the sample are kept for estimates of the precision, and not shown"


def annotated_points(
    path: str | Path, confidence: str = NEGATIVE, *, by: str = BY, everything: bool = False, simulated: bool = False
) -> tuple[list[AnnotatedPoint], list[str]]:
    """The labelled pairs of a project or a file that have a confidence, and notes about the others.

    Of a sample, only the third that regions are chosen on is shown, unless ``everything`` is: whoever chooses a region
    by what is shown must not have seen what its precision is estimated on.
    """
    corpus = open_corpus(path, simulated=simulated)
    sampled = any(stratum_note(pair.meta) for pair in corpus.pairs())
    points: list[AnnotatedPoint] = []
    notes: Counter[str] = Counter()
    known: list[str] = []
    for pair, positive in _measured(corpus, by, sampled):
        note = stratum_note(pair.meta)
        value = column_value(pair, confidence, by)
        if positive is None:
            notes[NO_SIDE] += 1
        elif math.isnan(value):
            notes[NO_VALUE] += 1
            known = known or known_columns(pair)
        elif note is not None and note.part == "estimate" and not everything:
            notes[KEPT_APART] += 1
        else:
            similarity = column_value(pair, SIMILARITY, by) if note is None else note.similarity
            points.append(AnnotatedPoint(similarity, value, positive))
    if not points:
        _refuse(corpus, confidence, known, notes)
    return points, [f"{count:,} {reason}" for reason, count in notes.items()]


def _measured(corpus: Corpus, by: str, sampled: bool) -> Iterator[tuple[Pair, bool | None]]:
    """The pairs with their similarity and side; where there is a sample, its pairs only."""

    def chosen() -> Iterator[Pair]:
        return (pair for pair in corpus.pairs() if not sampled or stratum_note(pair.meta))

    sides = (corpus.positive(pair) for pair in chosen())
    return zip(with_similarity(chosen(), by, corpus.lang), sides, strict=True)


def _refuse(corpus: Corpus, confidence: str, known: list[str], notes: Counter[str]) -> None:
    if notes[NO_VALUE]:
        message = (
            f"no labelled pair has a value of {confidence}; known are {', '.join(known)}. Name one of "
            "these as the confidence, or draw the sample from what otherwords predict RUN PAIRS --out FILE wrote"
        )
        raise DataError(message, corpus.path, code="no-confidence")
    why = f" ({', '.join(f'{count:,} {reason}' for reason, count in notes.items())})" if notes else ""
    raise DataError(f"no labelled pair can be shown{why}", corpus.path, code="no-labelled-pairs")
