"""All analyses by name, and one pass over a corpus that makes as many of them as are asked for.

Three kinds: those that look at every pair of a corpus in passing (:class:`Analysis`), those about the work on a project
(from its ledger), and those that put several corpora beside each other. Each gives a :class:`Finding`, or None where it
has nothing to say of what it was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from otherwords.analyse.finding import Finding
from otherwords.analyse.seen import Seen, seen
from otherwords.corpus.corpora import Corpus
from otherwords.errors import UsageError
from otherwords.project.project import Project, opened
from otherwords.registry import Registry, suggest

Progress = Callable[[int], None]  # is told how many pairs were looked at


@dataclass(frozen=True, slots=True)
class Wishes:
    """What may be chosen; every choice is named in the signatures."""

    seed: int = 0
    sample: int = 12_000  # pairs of each corpus where several are compared; Kanerva et al. 2023, §6.3
    synonyms: str | None = None  # a file of synonym sets
    examples: int = 3  # of each label and pattern
    replicates: int = 1000  # of a bootstrap


class Analysis(Protocol):
    """One that looks at every pair of one corpus."""

    def add(self, batch: Seen) -> None:
        """Take some more pairs into account."""

    def finding(self) -> Finding | None:
        """What is to be said after the last pair."""


OF_PAIRS: Registry[Callable[[Corpus, Wishes], Analysis]] = Registry("analysis", {})
OF_PROJECTS: Registry[Callable[[Project, Wishes], Finding | None]] = Registry("project analysis", {})
OF_SEVERAL: Registry[Callable[[Sequence[Corpus], Wishes], Finding | None]] = Registry("comparison", {})


@dataclass(frozen=True, slots=True)
class Analysed:
    """A corpus and what was found; ``corpus`` is None where several were compared."""

    corpus: Corpus | None
    findings: list[Finding]


def names() -> list[str]:
    """Every analysis that can be asked for."""
    return [*OF_PAIRS.names(), *OF_PROJECTS.names(), *OF_SEVERAL.names()]


def analysed(
    corpora: Sequence[Corpus],
    wishes: Wishes,
    only: Collection[str] = (),
    progress: Progress = lambda done: None,
) -> list[Analysed]:
    """Analyse each corpus, then all of them beside each other."""
    for name in only:
        if name not in names():
            raise UsageError(f"there is no analysis {name!r}{suggest(name, names())}")
    wanted = set(only or names())
    found = [Analysed(corpus, _one(corpus, wishes, wanted, progress)) for corpus in corpora]
    compared = [OF_SEVERAL.get(name)(corpora, wishes) for name in OF_SEVERAL.names() if name in wanted]
    together = [one for one in compared if one is not None]
    return [*found, Analysed(None, together)] if together else found


def _one(corpus: Corpus, wishes: Wishes, wanted: set[str], progress: Progress) -> list[Finding]:
    started = [OF_PAIRS.get(name)(corpus, wishes) for name in OF_PAIRS.names() if name in wanted]
    done = 0
    for batch in seen(corpus) if started else ():
        for analysis in started:
            analysis.add(batch)
        done += len(batch.pairs)
        progress(done)
    told = [analysis.finding() for analysis in started]
    chosen = [name for name in OF_PROJECTS.names() if name in wanted]
    if corpus.kind == "project" and chosen:
        with opened(corpus.path) as project:
            told += [OF_PROJECTS.get(name)(project, wishes) for name in chosen]
    return [one for one in told if one is not None]
