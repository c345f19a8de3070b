"""The pairs of a project or a file as links between texts, each with its strength.

In goes a path, out comes a :class:`Linkage` that can be read again and again: once for what belongs together, once for
the texts. The strength of a link is the share of the votes that are positive where there were votes, else how good its
label is, else 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherwords.corpus.corpora import corpus_of
from otherwords.corpus.labelled import Labelled, read_table
from otherwords.corpus.labelling import labels_table
from otherwords.corpus.views import rule_named, scheme_in
from otherwords.errors import UsageError
from otherwords.project.config import NAME
from otherwords.project.project import opened
from otherwords.records import Pair
from otherwords.sources.votes import votes_of

GRADES = {"4": 1.0, "3": 0.75}  # of schemes whose best label is 4; a flag changes nothing


@dataclass(frozen=True, slots=True)
class Link:
    """A pair, whether it is positive, and how strong it is."""

    pair: Pair
    label: str | None
    positive: bool | None
    strength: float


@dataclass(frozen=True, slots=True)
class Linkage:
    """A corpus as links."""

    name: str
    read: Callable[[], Iterator[Link]]
    notes: tuple[str, ...] = ()


def linkage(path: str | Path, view: str | None = None, **wishes: Any) -> Linkage:
    """The links of a project, under a view of its scheme, or of a file."""
    if (Path(path) / NAME).is_file():
        return _of_project(Path(path), view)
    if view is not None:
        raise UsageError(f"--view {view}: a file has one label a pair; views are of a project's scheme")
    corpus = corpus_of(path, **wishes)

    def read() -> Iterator[Link]:
        for pair in corpus.pairs():
            yield Link(pair, pair.label, corpus.positive(pair), _strength(pair))

    return Linkage(corpus.name, read, tuple(corpus.notes))


def _of_project(folder: Path, view: str | None) -> Linkage:
    with opened(folder) as project:
        rule = rule_named(scheme_in(project), view)
        table = labels_table(project)
        name = project.config.name

    def read() -> Iterator[Link]:
        for row in read_table(table):
            label = row.label if view is None else row.views.get(view)
            positive = row.positive if view is None else rule.positive(label)
            yield Link(row, label, positive, _strength(row))

    return Linkage(name, read)


def _strength(pair: Pair) -> float:
    """The share of yes among the votes; else the grade of the label; else 1."""
    votes = votes_of(pair)
    yes, every = (votes.yes, votes.yes + votes.no) if votes else (0, 0)
    if isinstance(pair, Labelled) and pair.made_by == "votes":
        yes, every = pair.positive_votes or 0, pair.votes or 0
    return yes / every if every else GRADES.get((pair.label or "")[:1], 1.0)
