"""Examples: labelled pairs of a corpus as a model learns from them, and what was left out of it and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.acquire.batches import text_columns
from otherwords.corpus.corpus import Corpus, Polarities, open_corpus
from otherwords.corpus.splits.columns import Digests, digests
from otherwords.corpus.splits.units import units_of
from otherwords.digests import digest_hex
from otherwords.errors import DataError, UsageError
from otherwords.labels import is_label, parse_label
from otherwords.learn.data.task import NEG, NEGATIVE, POSITIVE, TaskName
from otherwords.records import Pair
from otherwords.text.normalise import plain

NO_LABEL = "it has no label"
NO_SIDE = "its label does not say whether it is a paraphrase"
EMPTY = "one of its texts is empty"
SKIPPED = "its label is x"
NOT_IN_SHARE = "it is not in the share"
SubsetUnit = Literal["unit", "group"]
SHARES = (10, 25, 50, 75, 100)  # per cent


@dataclass(frozen=True)
class LabelledPairs:
    """Pairs, and the label that is to be predicted for each."""

    name: str
    pairs: Sequence[Pair]
    labels: Sequence[str]
    left_out: Counter[str] = field(default_factory=Counter)  # by reason

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def texts(self) -> tuple[pa.Array, pa.Array]:
        """The two texts of every pair as columns."""
        return text_columns(self.pairs)

    @cached_property
    def sentences(self) -> tuple[Digests, Digests]:
        """The digests of both texts of every pair, without case and punctuation."""
        first, second = zip(*((plain(pair.text1), plain(pair.text2)) for pair in self.pairs), strict=True)
        return digests(first), digests(second)

    @cached_property
    def units(self) -> NDArray[np.int64]:
        """The number of the unit of every pair: a connected component of pairs that share a sentence, or a rewrite."""
        numbers = {pair.id: f"{number}" for number, pair in enumerate(self.pairs)}
        originals = [numbers.get(pair.rewrite_of) if pair.rewrite_of else None for pair in self.pairs]
        ids = [f"{number}" for number in range(len(self))]
        table = pa.table({"id": ids, "rewrite_of": pa.array(originals, pa.string())})
        return units_of(table, "pair", self.sentences).of_row

    @property
    def digest(self) -> str:
        """A digest of texts and labels, whatever they are called and in whatever order they come."""
        rows = (f"{pair.text1}\0{pair.text2}\0{label}" for pair, label in zip(self.pairs, self.labels, strict=True))
        return digest_hex(*sorted(rows), size=16)

    def counts(self) -> dict[str, int]:
        """How many pairs have each label, the most frequent first."""
        return dict(Counter(self.labels).most_common())

    def take(self, rows: NDArray[np.int64] | Sequence[int], name: str | None = None) -> LabelledPairs:
        """Some of the pairs, in the order of the rows; what was left out stays with the whole."""
        numbers = [int(row) for row in rows]
        chosen = [self.pairs[row] for row in numbers], [self.labels[row] for row in numbers]
        return LabelledPairs(name or self.name, *chosen)

    def named(self, name: str) -> LabelledPairs:
        """The same under another name."""
        return replace(self, name=name)

    def blocks(self, size: int) -> Iterator[LabelledPairs]:
        """The same pairs, some at a time."""
        for start in range(0, len(self), size):
            yield self.take(range(start, min(start + size, len(self))))


def read_examples(path: str | Path, task: TaskName, *, simulated: bool = False, **reading: Any) -> LabelledPairs:
    """The labelled pairs of a project, a release or a file, with labels as the task spells them."""
    corpus = open_corpus(path, simulated=simulated, **reading)
    return examples_of(corpus.name, corpus.pairs(), corpus, task)


def examples_of(name: str, pairs: Iterable[Pair], corpus: Corpus, task: TaskName) -> LabelledPairs:
    """The pairs that have a label, with that label as the task spells it; the others are counted by reason.

    For retrieval, all pairs of a corpus whose labels never say whether they are paraphrases count as such.
    """
    kept: list[Pair] = []
    all_positive = False
    if task == "retrieval":
        pairs, polarities = list(pairs), Polarities()
        polarities.add(corpus.positive(pair) for pair in pairs)
        all_positive = polarities.counted is None
    labels: list[str] = []
    left_out: Counter[str] = Counter()
    for pair in pairs:
        label, reason = (POSITIVE, None) if all_positive else _label(pair, corpus, task)
        if reason is None and not (pair.text1.strip() and pair.text2.strip()):
            reason = EMPTY
        if reason is not None:
            left_out[reason] += 1
        else:
            kept.append(pair)
            labels.append(label)
    if not kept:
        why = f" ({', '.join(f'{count:,} × {reason}' for reason, count in left_out.most_common())})" if left_out else ""
        raise DataError(f"no pair can be used{why}", corpus.path, code="no-examples")
    return LabelledPairs(name, kept, labels, left_out)


def _label(pair: Pair, corpus: Corpus, task: TaskName) -> tuple[str, str | None]:
    """The label of a pair for a task, or the reason why there is none."""
    if task in ("binary", "retrieval"):
        positive = corpus.positive(pair)
        if positive is None:
            return "", NO_LABEL if pair.label is None else NO_SIDE
        return POSITIVE if positive else NEGATIVE, None
    if pair.label is None:
        return "", NO_LABEL
    if not is_label(pair.label):
        return pair.label, None if task == "labels" else NO_SIDE
    label = parse_label(pair.label)
    if label.base == "x":
        return "", SKIPPED
    return NEG if task == "bootstrapped" and not label.positive else str(label), None


def nested_subsets(
    examples: LabelledPairs, shares: Sequence[int] = SHARES, *, by: SubsetUnit = "unit", seed: int = 0
) -> list[LabelledPairs]:
    """Parts with these shares of the units or groups, in per cent; a random order decides which come first.

    The pairs that are not in a share are counted with those that the part has left out.
    """
    if not all(0 < share <= 100 for share in shares):
        raise UsageError(f"shares of training pairs are between 1 and 100 per cent, not {shares}", code="bad-share")
    keys = examples.units if by == "unit" else _groups(examples)
    names = np.unique(keys)
    rank = np.empty(len(names), np.int64)
    rank[np.random.default_rng(seed).permutation(len(names))] = np.arange(len(names))
    ranks = rank[np.searchsorted(names, keys)]
    found = []
    for share in shares:
        part = examples.take(
            np.flatnonzero(ranks < max(1, round(len(names) * share / 100))), f"{examples.name} {share}%"
        )
        left_out = examples.left_out + Counter({NOT_IN_SHARE: len(examples) - len(part)})
        found.append(replace(part, left_out=left_out))
    return found


def _groups(examples: LabelledPairs) -> NDArray[np.str_]:
    groups = [pair.group for pair in examples.pairs]
    if missing := groups.count(None):
        message = f"{missing:,} of {len(groups):,} training pairs have no group, so there is no curve by group"
        raise DataError(message, code="no-groups")
    return np.array(groups, np.str_)
