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
from otherwords.errors import DataError, OtherwordsError, UsageError
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


OF_PAIRS: Registry[Callable[[Corpus, Wishes], Analysis]] = Registry(
    "analysis",
    {
        "labels": "otherwords.analyse.label_shares:LabelShares",
        "similarity": "otherwords.analyse.similarity_by_label:SimilarityByLabel",
        "lengths": "otherwords.analyse.lengths:Lengths",
        "mapping": "otherwords.analyse.mapping:Mapping",
        "overlap": "otherwords.analyse.overlap_ranges:OverlapRanges",
        "ngrams": "otherwords.analyse.ngram_overlap:NgramOverlap",
        "patterns": "otherwords.analyse.patterns:Patterns",
        "examples": "otherwords.analyse.examples:LabelExamples",
        "diversity": "otherwords.analyse.diversity:Diversity",
        "topics": "otherwords.analyse.topics_balance:Topics",
        "types": "otherwords.analyse.type_shares:TypeShares",
    },
)
OF_PROJECTS: Registry[Callable[[Project, Wishes], Finding | None]] = Registry(
    "project analysis",
    {
        "extraction": "otherwords.analyse.extraction_finding:extraction",
        "pace": "otherwords.analyse.pace:pace",
        "agreement": "otherwords.analyse.agreement_over_time:agreement",
    },
)
OF_SEVERAL: Registry[Callable[[Sequence[Corpus], Wishes], Finding | None]] = Registry(
    "comparison",
    {
        "distributions": "otherwords.analyse.distributions:distributions",
        "corpora": "otherwords.analyse.corpora_table:corpora_table",
    },
)

NEEDED = {  # what has to be there for analyses that are not of labels; said where one finds nothing
    "types": "nobody has marked types of change; that is done by a scheme that asks for them, such as vila",
    "extraction": "nobody has finished extracting from a document pair",
    "pace": "nobody has judged anything on their own yet",
    "agreement": "nobody has judged anything yet",
}


@dataclass(frozen=True, slots=True)
class Analysed:
    """A corpus and what was found; ``corpus`` is None where several were compared."""

    corpus: Corpus | None
    findings: list[Finding]


def names() -> list[str]:
    """Every analysis that can be asked for."""
    return [*OF_PAIRS.names(), *OF_PROJECTS.names(), *OF_SEVERAL.names()]


def listed() -> list[tuple[str, str, str]]:
    """Every analysis by name, what it is of, and the first line that it says about itself."""
    told: list[tuple[str, str, str]] = []
    for registry, of in ((OF_PAIRS, "pairs"), (OF_PROJECTS, "a project"), (OF_SEVERAL, "several corpora")):
        for name in registry.names():
            about = (registry.get(name).__doc__ or "").partition("\n")[0].rstrip(".")
            told.append((name, of, about))
    return told


def check_names(only: Collection[str]) -> None:
    """Refuse a name that no analysis has."""
    known = names()
    for name in only:
        if name not in known:
            raise UsageError(f"there is no analysis {name!r}{suggest(name, known)}")


def analysed(
    corpora: Sequence[Corpus],
    wishes: Wishes,
    only: Collection[str] = (),
    progress: Progress = lambda done: None,
) -> list[Analysed]:
    """Analyse each corpus, then all of them beside each other; nothing to say of any of it is an error."""
    check_names(only)
    for corpus in corpora:
        if corpus.kind != "project" and next(corpus.pairs(), None) is None:
            raise DataError("has no pairs: there is nothing to analyse", corpus.path)
    wanted = set(only or names())
    found = [Analysed(corpus, _one(corpus, wishes, wanted, progress)) for corpus in corpora]
    compared = _compared(corpora, wishes, wanted)
    if not any(one.findings for one in found) and not compared:
        raise _nothing(corpora, wanted)
    return [*found, Analysed(None, compared)] if compared else found


def _one(corpus: Corpus, wishes: Wishes, wanted: set[str], progress: Progress) -> list[Finding]:
    started = [OF_PAIRS.get(name)(corpus, wishes) for name in OF_PAIRS.names() if name in wanted]
    done = 0
    for batch in seen(corpus) if started else ():
        for analysis in started:
            analysis.add(batch)
        done += len(batch.pairs)
        progress(done)
    told = [analysis.finding() for analysis in started] if done else []
    chosen = [name for name in OF_PROJECTS.names() if name in wanted]
    if corpus.kind == "project" and chosen:
        with opened(corpus.path) as project:
            told += [OF_PROJECTS.get(name)(project, wishes) for name in chosen]
    return [one for one in told if one is not None]


def _compared(corpora: Sequence[Corpus], wishes: Wishes, wanted: set[str]) -> list[Finding]:
    if len(corpora) < 2:
        return []
    told = [OF_SEVERAL.get(name)(corpora, wishes) for name in OF_SEVERAL.names() if name in wanted]
    return [one for one in told if one is not None]


def _nothing(corpora: Sequence[Corpus], wanted: set[str]) -> OtherwordsError:
    """Why there is no finding at all, and what to do."""
    if len(corpora) == 1 and wanted <= set(OF_SEVERAL.names()):
        return UsageError(f"{', '.join(sorted(wanted))}: puts corpora beside each other; name at least two")
    if wanted <= NEEDED.keys():
        return DataError("; ".join(NEEDED[name] for name in sorted(wanted)), corpora[0].path)
    if all(corpus.kind == "project" for corpus in corpora) and not any(next(one.pairs(), None) for one in corpora):
        return DataError("has no labelled pairs yet; judge some, or import judgements", corpora[0].path)
    return DataError(f"{', '.join(sorted(wanted))}: there is nothing to be found here", corpora[0].path)
