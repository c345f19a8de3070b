"""All analyses by name, and one pass over a corpus that runs as many of them as are asked for.

There are three kinds: those that look at every pair of a corpus in one pass (:class:`Analysis`), those about the work
in a project (from its ledger), and those that compare several corpora. Each returns a :class:`Finding`, or None where
it has nothing to report.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from otherwords.analyse.finding import Finding
from otherwords.analyse.pair_batch import PairBatch, pair_batches
from otherwords.corpus.corpus import Corpus
from otherwords.errors import DataError, OtherwordsError, UsageError
from otherwords.project.project import Project, open_project
from otherwords.registry import Registry, suggest

Progress = Callable[[int], None]  # is called with the number of pairs done so far


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """Options of all analyses; signatures name those that a number depends on."""

    seed: int = 0
    sample: int = 12_000  # pairs of each corpus where several are compared; Kanerva et al. 2023, §6.3
    synonyms: str | None = None  # a file of synonym sets
    examples: int = 3  # of each label and pattern
    replicates: int = 1000  # of a bootstrap


class Analysis(Protocol):
    """An analysis that looks at every pair of one corpus."""

    def add(self, batch: PairBatch) -> None:
        """Take more pairs into account."""

    def finding(self) -> Finding | None:
        """The result after the last pair."""


PAIR_ANALYSES: Registry[Callable[[Corpus, AnalysisOptions], Analysis]] = Registry(
    "analysis",
    {
        "labels": "otherwords.analyse.findings.label_shares:LabelShares",
        "similarity": "otherwords.analyse.findings.similarity_by_label:SimilarityByLabel",
        "lengths": "otherwords.analyse.findings.lengths:Lengths",
        "mapping": "otherwords.analyse.findings.mapping:SentenceMapping",
        "overlap": "otherwords.analyse.findings.overlap_ranges:OverlapRanges",
        "ngrams": "otherwords.analyse.findings.ngram_overlap:NgramOverlap",
        "patterns": "otherwords.analyse.findings.patterns:Patterns",
        "examples": "otherwords.analyse.findings.examples:LabelExamples",
        "diversity": "otherwords.analyse.findings.diversity:Diversity",
        "topics": "otherwords.analyse.findings.topics:Topics",
        "types": "otherwords.analyse.findings.type_shares:TypeShares",
    },
    group="otherwords.analyses",
)
PROJECT_ANALYSES: Registry[Callable[[Project, AnalysisOptions], Finding | None]] = Registry(
    "project analysis",
    {
        "extraction": "otherwords.analyse.findings.extraction:extraction",
        "stages": "otherwords.analyse.findings.stages:stages",
        "answers": "otherwords.analyse.findings.answers:answers",
        "pace": "otherwords.analyse.findings.pace:pace",
        "agreement": "otherwords.analyse.agreement.finding:agreement",
    },
    group="otherwords.project_analyses",
)
COMPARISONS: Registry[Callable[[Sequence[Corpus], AnalysisOptions], Finding | None]] = Registry(
    "comparison",
    {
        "distributions": "otherwords.analyse.findings.distributions:distributions",
        "corpora": "otherwords.analyse.findings.corpora_table:corpora_table",
    },
    group="otherwords.comparisons",
)

NEEDED = {  # why an analysis that does not depend on labels finds nothing
    "types": "no types of change are annotated; annotate them with a scheme that asks for them, such as vila",
    "extraction": "no document pair is marked as finished",
    "stages": "no corpus was carried over to another language; otherwords acquire PROJECT localise does it",
    "answers": "nobody has answered on a scale, counted, chosen several values, or distinguished machines from people",
    "pace": "no annotator has judged anything yet",
    "agreement": "nobody has judged anything yet",
}


@dataclass(frozen=True, slots=True)
class AnalysisResult:
    """The findings about a corpus; ``corpus`` is None for comparisons of several."""

    corpus: Corpus | None
    findings: list[Finding]


def analysis_names() -> list[str]:
    """The names of all analyses."""
    return [*PAIR_ANALYSES.names(), *PROJECT_ANALYSES.names(), *COMPARISONS.names()]


def list_analyses() -> list[tuple[str, str, str]]:
    """Every analysis: its name, what it analyses, and the first line of its docstring."""
    rows: list[tuple[str, str, str]] = []
    subjects = ((PAIR_ANALYSES, "pairs"), (PROJECT_ANALYSES, "a project"), (COMPARISONS, "several corpora"))
    for registry, subject in subjects:
        for name in registry.names():
            about = (registry.get(name).__doc__ or "").partition("\n")[0].rstrip(".")
            rows.append((name, subject, about))
    return rows


def check_names(only: Collection[str]) -> None:
    """Refuse a name that no analysis has."""
    known = analysis_names()
    for name in only:
        if name not in known:
            raise UsageError(f"there is no analysis {name!r}{suggest(name, known)}", code="unknown-analysis")


def run_analyses(
    corpora: Sequence[Corpus],
    options: AnalysisOptions,
    only: Collection[str] = (),
    progress: Progress = lambda done: None,
) -> list[AnalysisResult]:
    """Analyse each corpus, then compare them; it is an error if there is no finding at all."""
    check_names(only)
    for corpus in corpora:
        if corpus.kind != "project" and next(corpus.pairs(), None) is None:
            raise DataError("has no pairs: there is nothing to analyse", corpus.path, code="no-pairs")
    wanted = set(only or analysis_names())
    results = [AnalysisResult(corpus, _analyse(corpus, options, wanted, progress)) for corpus in corpora]
    comparisons = [name for name in COMPARISONS.names() if name in wanted and len(corpora) > 1]
    compared = [COMPARISONS.get(name)(corpora, options) for name in comparisons]
    if found := [finding for finding in compared if finding is not None]:
        results.append(AnalysisResult(None, found))
    if not any(result.findings for result in results):
        raise _no_findings(corpora, wanted)
    return results


def _analyse(corpus: Corpus, options: AnalysisOptions, wanted: set[str], progress: Progress) -> list[Finding]:
    analyses = [PAIR_ANALYSES.get(name)(corpus, options) for name in PAIR_ANALYSES.names() if name in wanted]
    done = 0
    for batch in pair_batches(corpus) if analyses else ():
        for analysis in analyses:
            analysis.add(batch)
        done += len(batch.pairs)
        progress(done)
    findings = [analysis.finding() for analysis in analyses] if done else []
    names = [name for name in PROJECT_ANALYSES.names() if name in wanted]
    if corpus.kind == "project" and names:
        with open_project(corpus.path) as project:
            findings += [PROJECT_ANALYSES.get(name)(project, options) for name in names]
    return [finding for finding in findings if finding is not None]


def _no_findings(corpora: Sequence[Corpus], wanted: set[str]) -> OtherwordsError:
    """Why there is no finding at all, and what to do."""
    names, path = ", ".join(sorted(wanted)), corpora[0].path
    if len(corpora) == 1 and wanted <= set(COMPARISONS.names()):
        return UsageError(f"{names}: compares corpora; name at least two", code="too-few-corpora")
    if wanted <= NEEDED.keys():
        return DataError("; ".join(NEEDED[name] for name in sorted(wanted)), path, code="nothing-annotated")
    if all(corpus.kind == "project" and next(corpus.pairs(), None) is None for corpus in corpora):
        return DataError("has no labelled pairs yet; judge some, or import judgements", path, code="no-labelled-pairs")
    return DataError(f"{names}: there is nothing to report about this corpus", path, code="nothing-found")
