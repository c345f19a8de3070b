"""The pairs of a project or a file as links between texts, each with its strength.

Links are read twice: once to find clusters, once for their texts. The strength of a link is the share of positive
votes where there are votes, else it follows from the grade of the label, else it is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from otherwords.annotate.labels.views import labelling_scheme, view_rule
from otherwords.corpus.corpus import Polarities, open_corpus
from otherwords.corpus.labels.step import labels_table
from otherwords.corpus.labels.table import LabelledPair, read_table
from otherwords.errors import UsageError
from otherwords.project.config import CONFIG_FILE
from otherwords.project.pipeline.dataset import Dataset
from otherwords.project.project import open_project
from otherwords.records import Pair
from otherwords.sources.rows.votes import votes_of

GRADES = {"4": 1.0, "3": 0.75}  # in schemes whose best label is 4; flags change nothing


@dataclass(frozen=True, slots=True)
class Link:
    """A pair, whether it is positive, and how strong the link is."""

    pair: Pair
    label: str | None
    positive: bool | None
    strength: float


@dataclass(frozen=True, slots=True)
class Linkage:
    """A corpus as links, which can be read repeatedly."""

    name: str
    read: Callable[[], Iterator[Link]]
    notes: tuple[str, ...] = ()


def load_links(path: str | Path, view: str | None = None, **options: Any) -> Linkage:
    """The links of a project, by a view of its scheme, or of a file."""
    if (Path(path) / CONFIG_FILE).is_file():
        return _load_project(Path(path), view)
    if view is not None:
        message = f"--view {view}: a file has one label per pair; only the scheme of a project has views"
        raise UsageError(message, code="view-of-a-file")
    corpus = open_corpus(path, **options)

    def read() -> Iterator[Link]:
        for pair in corpus.pairs():
            yield Link(pair, pair.label, corpus.positive(pair), _strength(pair))

    return _count_unlabelled(Linkage(corpus.name, read, tuple(corpus.notes)))


def labelled_links(labels: Dataset) -> Linkage:
    """The links of a table of labels, by the main view of its scheme."""

    def read() -> Iterator[Link]:
        for row in read_table(labels):
            yield Link(row, row.label, row.positive, _strength(row))

    return Linkage("labels", read)


def _load_project(folder: Path, view: str | None) -> Linkage:
    with open_project(folder) as project:
        rule = view_rule(labelling_scheme(project), view)
        table = labels_table(project)
        name = project.config.name

    def read() -> Iterator[Link]:
        for row in read_table(table):
            label = row.label if view is None else row.views.get(view)
            positive = row.positive if view is None else rule.positive(label)
            yield Link(row, label, positive, _strength(row))

    return _count_unlabelled(Linkage(name, read))


def _count_unlabelled(corpus: Linkage) -> Linkage:
    """A corpus in which every pair counts where no label says which ones are paraphrases; candidates never count."""
    polarities = Polarities()
    polarities.add(link.positive for link in corpus.read() if not _is_candidate(link.pair))
    notes = (*corpus.notes, *polarities.remarks())
    if polarities.counted:
        return replace(corpus, notes=notes)

    def read() -> Iterator[Link]:
        return (link if _is_candidate(link.pair) else replace(link, positive=True) for link in corpus.read())

    return Linkage(corpus.name, read, notes)


def _is_candidate(pair: Pair) -> bool:
    """Whether a pair of a project has no label yet."""
    return isinstance(pair, LabelledPair) and pair.state != "labelled"


def _strength(pair: Pair) -> float:
    votes = votes_of(pair)
    yes, total = (votes.yes, votes.yes + votes.no) if votes else (0, 0)
    if isinstance(pair, LabelledPair) and pair.made_by == "votes":
        yes, total = pair.positive_votes or 0, pair.votes or 0
    return yes / total if total else GRADES.get((pair.label or "")[:1], 1.0)
