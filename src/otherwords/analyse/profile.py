"""The profile of a corpus: how many pairs, which labels, and what is wrong with it.

Texts are kept as 64-bit digests only, so that a corpus of millions of pairs fits into memory: with ten million texts,
the chance that any two digests collide is 3 in a million. Rewrites are counted separately; all else is about the other
pairs.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unicodedata import is_normalized, normalize

import numpy as np
from numpy.typing import NDArray

from otherwords.acquire.batches import SelectedMeasures, pair_blocks, text_columns
from otherwords.analyse.bins import STRATA, strata_of
from otherwords.analyse.label_classes import UNLABELLED, label_of
from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import read_table
from otherwords.digests import digest_number
from otherwords.labels import is_label, parse_label
from otherwords.measures import measure, token_counts
from otherwords.project.project import open_project
from otherwords.project.simulated import SIMULATED_REMARK, is_simulated
from otherwords.records import Pair
from otherwords.sources.reading import RecordReader, WithProgress, open_records, without_progress
from otherwords.sources.source import ReadLog


@dataclass(slots=True)
class Profile:
    """Counts, means and problems of a corpus; ``as_dict`` is the JSON form."""

    pairs: int = 0
    rewrites: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    unique_texts: int = 0
    mean_tokens: float = 0.0
    mean_tokens_text1: float = 0.0
    mean_tokens_text2: float = 0.0
    mean_similarity: float = 0.0
    duplicate_pairs: int = 0
    mirrored_pairs: int = 0
    identical_pairs: int = 0
    label_conflicts: int = 0
    empty_texts: int = 0
    texts_not_nfc: int = 0
    skipped_rows: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    marked: dict[str, int] = field(default_factory=dict)
    similarity: dict[str, list[int]] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """All fields, counters with the most frequent value first."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {
            name: dict(value.most_common()) if isinstance(value, Counter) else value for name, value in values.items()
        }


def profile(
    pairs: Iterable[Pair], account: ReadLog | None = None, *, lang: str | None = None, tokeniser: str | None = None
) -> Profile:
    """Read all pairs and profile them."""
    result = Profile()
    accumulator = _Accumulator(SelectedMeasures(["length-ratio"], lang, tokeniser))
    for batch in pair_blocks(pairs):
        originals = [pair for pair in batch if pair.rewrite_of is None]
        result.rewrites += len(batch) - len(originals)
        accumulator.add(originals, result)
    if result.pairs:
        accumulator.finish(result)
    if account is not None:
        result.skipped = dict(account.skipped.most_common())
        result.skipped_rows = account.skipped.total()
        result.marked = dict(account.marked.most_common())
    return result


def profile_file(
    path: str | Path,
    *,
    lang: str | None = None,
    tokeniser: str | None = None,
    watch: WithProgress = without_progress,
    **reading_options: Any,
) -> tuple[RecordReader, Profile]:
    """The profile of a corpus in a file; ``reading_options`` go to :func:`otherwords.sources.reading.open_records`."""
    with open_records(path, lang=lang, **reading_options) as corpus:
        pairs = watch(corpus.pairs(), corpus, "reading")
        return corpus, profile(pairs, corpus.account, lang=lang, tokeniser=tokeniser)


def profile_project(folder: str | Path, *, lang: str | None = None, tokeniser: str | None = None) -> Profile:
    """The profile of all pairs of a project, each with the label that its judgements make of it, if any."""
    with open_project(folder) as project:
        table = labels_table(project)
        with project.ledger.reading() as connection:
            simulated = is_simulated(connection)
    result = profile(read_table(table), lang=lang or project.config.lang, tokeniser=tokeniser)
    if simulated:
        result.marked[SIMULATED_REMARK] = result.pairs + result.rewrites
    return result


class _Accumulator:
    """What is kept until the last pair: digests, label numbers, sums."""

    def __init__(self, lengths: SelectedMeasures) -> None:
        self.digests1, self.digests2 = array("Q"), array("Q")
        self.labels = array("L")
        self.label_numbers: dict[str, int] = {}
        self.tokens1 = self.tokens2 = 0
        self.similarity = measure("char-cosine")
        self.similarity_sum = 0.0
        self.lengths = lengths

    def add(self, pairs: list[Pair], result: Profile) -> None:
        result.pairs += len(pairs)
        for numbers, measures in self.lengths.parted(pairs):
            texts1, texts2 = text_columns([pairs[number] for number in numbers])
            tokeniser = measures["length-ratio"].tokeniser
            self.tokens1 += int(token_counts(texts1, tokeniser).sum())
            self.tokens2 += int(token_counts(texts2, tokeniser).sum())
        similarities = self.similarity.scores(*text_columns(pairs))
        self.similarity_sum += float(similarities.sum())
        for pair, stratum in zip(pairs, strata_of(similarities).tolist(), strict=True):
            label = label_of(pair)
            result.labels[label] += 1
            result.sources[pair.source or UNLABELLED] += 1
            result.languages[pair.lang or UNLABELLED] += 1
            result.similarity.setdefault(label, [0] * STRATA)[stratum] += 1
            self.digests1.append(_digest(pair.text1))
            self.digests2.append(_digest(pair.text2))
            result.empty_texts += (not pair.text1.strip()) + (not pair.text2.strip())
            result.texts_not_nfc += (not is_normalized("NFC", pair.text1)) + (not is_normalized("NFC", pair.text2))
            self.labels.append(self.label_numbers.setdefault(label, len(self.label_numbers)))

    def finish(self, result: Profile) -> None:
        first, second = np.array(self.digests1, np.uint64), np.array(self.digests2, np.uint64)
        result.unique_texts = len(np.unique(np.concatenate([first, second])))
        result.identical_pairs = int((first == second).sum())
        result.mean_tokens_text1 = self.tokens1 / result.pairs
        result.mean_tokens_text2 = self.tokens2 / result.pairs
        result.mean_tokens = (result.mean_tokens_text1 + result.mean_tokens_text2) / 2
        result.mean_similarity = self.similarity_sum / result.pairs
        result.signatures = {
            "mean_tokens": self.lengths.signatures()["length-ratio"],
            "similarity": self.similarity.signature(),
        }
        self._count_repetitions(first, second, result)

    def _count_repetitions(self, first: NDArray[np.uint64], second: NDArray[np.uint64], result: Profile) -> None:
        """Count repeated pairs, in the same order or mirrored, and those whose labels contradict each other."""
        swapped = first > second
        low, high = np.minimum(first, second), np.maximum(first, second)
        ordered = np.unique(np.stack([first, second], axis=1), axis=0)
        unordered = np.unique(np.stack([low, high], axis=1), axis=0)
        result.duplicate_pairs = result.pairs - len(ordered)
        result.mirrored_pairs = len(ordered) - len(unordered)
        mirrored = []  # the number of the label of the swapped pair; only the arrows of Turku labels change
        for label in list(self.label_numbers):
            other = str(parse_label(label).mirror()) if is_label(label) else label
            mirrored.append(self.label_numbers.setdefault(other, len(self.label_numbers)))
        numbers = np.array(self.labels, np.int64)
        labels = np.where(swapped, np.array(mirrored, np.int64)[numbers], numbers)
        labelled = labels != self.label_numbers.get(UNLABELLED, -1)
        rows = np.stack([low[labelled], high[labelled], labels[labelled].astype(np.uint64)], axis=1)
        if len(rows):
            distinct = np.unique(rows, axis=0)[:, :2]
            result.label_conflicts = int((np.unique(distinct, axis=0, return_counts=True)[1] > 1).sum())


def _digest(text: str) -> int:
    """A digest that is the same for composed and decomposed letters, which look alike."""
    return digest_number(normalize("NFC", text))
