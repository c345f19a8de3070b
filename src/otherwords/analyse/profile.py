"""The profile of a corpus: how many pairs, which labels, and what is wrong with it.

A stream of pairs in, one :class:`Profile` out. Texts are kept as 64-bit digests only, so a corpus
of millions of pairs fits: with ten million texts, the chance that any two digests meet is 3 in a
million. Rewrites are pairs of their own and are counted apart; everything else is about the rest.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any
from unicodedata import is_normalized, normalize

import numpy as np
from numpy.typing import NDArray

from otherwords.acquire.batches import Chosen, batches, columns
from otherwords.analyse.order import UNLABELLED
from otherwords.errors import LabelError
from otherwords.labels import parse
from otherwords.measures import measure, token_counts
from otherwords.measures.bins import bin_of_score
from otherwords.records import Pair
from otherwords.sources.reading import Reading, Watch, reading, unwatched
from otherwords.sources.source import Account

HISTOGRAM_BINS = 20  # of 0.05, as the strata of Kanerva et al. 2023, §7.2


@dataclass(slots=True)
class Profile:
    """What is to be said about a corpus; ``as_dict`` is its JSON form."""

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
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {
            name: dict(value.most_common()) if isinstance(value, Counter) else value for name, value in fields.items()
        }


def profile(
    pairs: Iterable[Pair], account: Account | None = None, *, lang: str | None = None, tokeniser: str | None = None
) -> Profile:
    """Read pairs to the end and say what they are like."""
    result = Profile()
    collected = _Collected(Chosen(["length-ratio"], lang, tokeniser))
    for batch in batches(pairs):
        originals = [pair for pair in batch if pair.rewrite_of is None]
        result.rewrites += len(batch) - len(originals)
        collected.add(originals, result)
    if result.pairs:
        collected.finish(result)
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
    watch: Watch = unwatched,
    **wishes: Any,
) -> tuple[Reading, Profile]:
    """The profile of a corpus in a file."""
    with reading(path, lang=lang, **wishes) as corpus:
        pairs = watch(corpus.pairs(), corpus, "reading")
        return corpus, profile(pairs, corpus.account, lang=lang, tokeniser=tokeniser)


class _Collected:
    """What has to be held until the last pair is seen: digests, label numbers, sums."""

    def __init__(self, lengths: Chosen) -> None:
        self.digests1, self.digests2 = array("Q"), array("Q")
        self.labels = array("L")
        self.label_numbers: dict[str, int] = {}
        self.tokens1 = self.tokens2 = 0
        self.similarity = measure("char-cosine")
        self.similarity_sum = 0.0
        self.lengths = lengths

    def add(self, pairs: list[Pair], result: Profile) -> None:
        result.pairs += len(pairs)
        self._count_tokens(pairs)
        similarities = self.similarity.scores(*columns(pairs))
        self.similarity_sum += float(similarities.sum())
        strata = np.minimum(bin_of_score(similarities, HISTOGRAM_BINS), HISTOGRAM_BINS - 1)
        for pair, stratum in zip(pairs, strata.tolist(), strict=True):
            label = pair.label if pair.label is not None else UNLABELLED
            result.labels[label] += 1
            result.sources[pair.source or UNLABELLED] += 1
            result.languages[pair.lang or UNLABELLED] += 1
            result.similarity.setdefault(label, [0] * HISTOGRAM_BINS)[stratum] += 1
            self.digests1.append(_digest(pair.text1))
            self.digests2.append(_digest(pair.text2))
            result.empty_texts += (not pair.text1.strip()) + (not pair.text2.strip())
            result.texts_not_nfc += (not is_normalized("NFC", pair.text1)) + (not is_normalized("NFC", pair.text2))
            self.labels.append(self.label_numbers.setdefault(label, len(self.label_numbers)))

    def _count_tokens(self, pairs: list[Pair]) -> None:
        for numbers, measures in self.lengths.parted(pairs):
            texts1, texts2 = columns([pairs[number] for number in numbers])
            tokeniser = measures["length-ratio"].tokeniser
            self.tokens1 += int(token_counts(texts1, tokeniser).sum())
            self.tokens2 += int(token_counts(texts2, tokeniser).sum())

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
        self._repetitions(first, second, result)

    def _repetitions(self, first: NDArray[np.uint64], second: NDArray[np.uint64], result: Profile) -> None:
        """Pairs that come again, in the same order or mirrored, and whether their labels agree."""
        swapped = first > second
        low, high = np.minimum(first, second), np.maximum(first, second)
        ordered = np.unique(np.stack([first, second], axis=1), axis=0)
        unordered = np.unique(np.stack([low, high], axis=1), axis=0)
        result.duplicate_pairs = result.pairs - len(ordered)
        result.mirrored_pairs = len(ordered) - len(unordered)
        straight = np.array([self.label_numbers[name] for name in self.label_numbers], np.int64)
        turned = np.array([self._mirrored_number(name) for name in list(self.label_numbers)], np.int64)
        numbers = np.array(self.labels, np.int64)
        told = np.where(swapped, turned[numbers], straight[numbers])
        labelled = told != self.label_numbers.get(UNLABELLED, -1)
        rows = np.stack([low[labelled], high[labelled], told[labelled].astype(np.uint64)], axis=1)
        if len(rows):
            distinct = np.unique(rows, axis=0)[:, :2]
            result.label_conflicts = int((np.unique(distinct, axis=0, return_counts=True)[1] > 1).sum())

    def _mirrored_number(self, label: str) -> int:
        """The number of the label that the swapped pair has; only Turku's arrows change."""
        try:
            mirrored = str(parse(label).mirror())
        except LabelError:
            mirrored = label
        return self.label_numbers.setdefault(mirrored, len(self.label_numbers))


def _digest(text: str) -> int:
    """The same for a letter with its accent and for the two one after the other, which look alike."""
    text = normalize("NFC", text)
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
