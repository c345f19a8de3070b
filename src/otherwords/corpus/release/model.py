"""A release while it is built: all that its card, its citation and its checks are written from.

Its data files are in ``folder``, a temporary one, when the release is described; the files of that description are
put beside them. Nothing here depends on the clock or on the path of the project.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from otherwords.annotate.schemes.scheme import Scheme
from otherwords.corpus.corpus import Corpus
from otherwords.project.about import About
from otherwords.project.alignments import AlignmentCounts

WHOLE = "all"  # the part of every pair where nothing was split
HUB_SPLITS = {WHOLE: "train", "dev": "validation"}  # parts that have another name on the Hub


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was looked for before the release was built."""

    name: str  # by which it can be overruled
    says: str  # what was found, as a sentence
    count: int
    examples: list[str] = field(default_factory=list)
    stops: bool = True  # whether a count above zero stops the release
    overruled: bool = False  # whether it was released all the same

    @property
    def refuses(self) -> bool:
        """Whether this check stops the release."""
        return self.stops and self.count > 0 and not self.overruled


@dataclass(frozen=True, slots=True)
class HubConfig:
    """One way of loading the release: ``load_dataset(folder, name)``."""

    name: str
    splits: dict[str, int]  # rows by the Hub's name of the split, in its order
    features: dict[str, str]  # the type of each column, by the Hub's names
    sizes: dict[str, int] = field(default_factory=dict)  # bytes of the file of each split
    sha256: str = ""  # of all its files, by which load_dataset tells one corpus from another


@dataclass(frozen=True, slots=True)
class EarlierTest:
    """What the training pairs of a release have in common with the test of an earlier version."""

    version: str
    tests: int  # pairs that it was the first to test with
    shared: dict[str, int]  # training pairs by what they share


class GrowthFacts(msgspec.Struct, frozen=True):
    """How a version of a growing set was made: by which model, after which version, and with which limits."""

    model: str = ""
    after: str | None = None
    near: float = 0.0
    most_bleu: float = 0.0


@dataclass(frozen=True, slots=True)
class ReleaseModel:
    """A release whose data files are written."""

    name: str
    version: str
    licence: str
    lang: str
    scheme: str | None
    date: str  # YYYY-MM-DD
    folder: Path  # a temporary one, until the release is complete
    corpus: Corpus  # reads its data/pairs.jsonl
    counts: dict[str, dict[str, int]]  # pairs by part and label, rewrites among them
    left_out: dict[str, int]  # pairs of the project that are not in it, by reason
    checks: list[Check]
    configs: list[HubConfig]
    rewrites: int
    judgements: int
    annotators: int  # who judged independently, including simulated ones
    parameters: dict[str, Any]  # the view, the options of the split, overruled checks
    simulated: bool = False
    simulated_judgements: int = 0
    signatures: dict[str, str] = field(default_factory=dict)
    sources: dict[str, dict[str, int]] = field(default_factory=dict)  # documents by source and licence
    explained: Scheme | None = None  # what its labels mean
    about: About = field(default_factory=About)  # who made it, as the settings of the project say
    alignments: list[AlignmentCounts] = field(default_factory=list)  # how the documents of the project were paired
    own_schemes: Path | None = None  # the folder of the project's own schemes, by which judgements are read
    gold: dict[str, str] = field(default_factory=dict)  # the truth about its pairs, of which only sums are released
    earlier_tests: list[EarlierTest] = field(default_factory=list)
    again: bool = False  # whether this version was released before

    @property
    def pairs(self) -> int:
        """The number of pairs, including rewrites."""
        return sum(sum(labels.values()) for labels in self.counts.values())


Describe = Callable[[ReleaseModel], Mapping[str, bytes]]  # files by their path in the release
Verify = Callable[[Path, Path], Sequence[str]]  # the problems of a release in a folder, with its project
