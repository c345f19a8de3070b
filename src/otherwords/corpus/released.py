"""A release while it is made: all that its card, its citation and its checks are written from.

The data files stand in ``folder``, aside, when this is handed to whoever describes the release; what that gives is
laid beside them. Nothing here depends on the clock or on where the project lies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherwords.annotate.scheme import Scheme
from otherwords.corpus.corpora import Corpus

WHOLE = "all"  # the part of every pair where nothing was split
HUB_SPLITS = {WHOLE: "train", "dev": "validation"}  # what the Hub calls our parts; the others as we do


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was looked for before the release was made."""

    name: str  # by which it can be overruled
    says: str  # what was found, as a sentence
    count: int
    examples: list[str] = field(default_factory=list)
    stops: bool = True  # whether a count above nought stops the release
    overruled: bool = False  # whether it was made all the same

    @property
    def refuses(self) -> bool:
        """Whether the release cannot be made because of this."""
        return self.stops and self.count > 0 and not self.overruled


@dataclass(frozen=True, slots=True)
class Config:
    """One way of loading the release: ``load_dataset(folder, name)``."""

    name: str
    splits: dict[str, int]  # rows by the Hub's name of the split, in its order
    features: dict[str, str]  # the type of each column, by the Hub's names
    sizes: dict[str, int] = field(default_factory=dict)  # bytes of the file of each split
    sha256: str = ""  # of all its files, by which load_dataset tells one corpus from another


@dataclass(frozen=True, slots=True)
class Released:
    """A release whose data files are written."""

    name: str
    version: str
    licence: str
    lang: str
    scheme: str | None
    date: str  # YYYY-MM-DD
    folder: Path  # being filled, aside
    corpus: Corpus  # over its data/pairs.jsonl
    counts: dict[str, dict[str, int]]  # pairs by part and label, rewrites among them
    left_out: dict[str, int]  # pairs of the project that are not in it, by reason
    checks: list[Check]
    configs: list[Config]
    rewrites: int
    judgements: int
    annotators: int  # who judged on their own, also those that were made up
    parameters: dict[str, Any]  # the view, the wishes of the split, the seeds
    simulated: bool = False
    simulated_judgements: int = 0
    signatures: dict[str, str] = field(default_factory=dict)
    sources: dict[str, dict[str, int]] = field(default_factory=dict)  # documents by source and licence
    explained: Scheme | None = None  # what its labels mean
    again: bool = False  # whether the same was released before

    @property
    def pairs(self) -> int:
        """How many pairs it has, rewrites among them."""
        return sum(sum(labels.values()) for labels in self.counts.values())


Describe = Callable[[Released], Mapping[str, bytes]]  # files by their path in the release
