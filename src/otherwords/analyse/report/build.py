"""The report of a corpus: one page with all its findings, and the tables and figures as files beside it.

The output is a folder: ``index.html``, which needs no other file, ``tables/`` and ``figures/``. The folder appears only
once it is complete. Nothing depends on the clock, so that the same corpus always gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from otherwords.analyse.agreement.finding import NAME as AGREEMENT
from otherwords.analyse.agreement.finding import release_agreement
from otherwords.analyse.agreement.report import WORDS
from otherwords.analyse.catalogue import AnalysisOptions, Progress, run_analyses
from otherwords.analyse.figures.render import NO_FIGURES, can_draw
from otherwords.analyse.finding import Finding
from otherwords.analyse.findings.answers import AnswerContext, release_answers
from otherwords.analyse.judgement_tables import JudgementFilter
from otherwords.analyse.ladder import generation_finding, ladder_finding, project_runs, retrieval_finding
from otherwords.analyse.report import methods
from otherwords.analyse.report.files import write_files
from otherwords.analyse.report.making import about_alignments
from otherwords.analyse.report.page import Fact, Sheet, counted_fact, page
from otherwords.analyse.report.provenance import NAME as PROVENANCE
from otherwords.analyse.report.provenance import AnnotationWork, annotation_work, last_judgement, provenance
from otherwords.analyse.report.signatures_in_words import join_words
from otherwords.annotate import schemes
from otherwords.corpus.corpus import Corpus, open_corpus
from otherwords.corpus.release.metadata_files import ReleaseFacts, read_facts
from otherwords.project.about import About, read_about
from otherwords.project.alignments import AlignmentCounts, alignment_counts
from otherwords.project.project import open_project
from otherwords.sources.io.files import atomic_folder
from otherwords.sources.reading import JUDGEMENTS_FILE, RELEASE_FILE
from otherwords.text.languages import language_name

INDEX = "index.html"


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """The contents of a report that was written."""

    page: Path
    findings: list[str]
    tables: int
    figures: int
    warnings: list[str] = field(default_factory=list)


def report(
    path: str | Path,
    out: str | Path,
    options: AnalysisOptions,
    *,
    simulated: bool = False,
    progress: Progress = lambda done: None,
    **reading: Any,
) -> WrittenReport:
    """Write the report of a corpus into a new folder."""
    with atomic_folder(Path(out)) as folder:
        corpus = open_corpus(path, simulated=simulated, **reading)
        return write_sheet(build_sheet(corpus, options, simulated=simulated, progress=progress), folder, Path(out))


def write_sheet(sheet: Sheet, folder: Path, out: Path) -> WrittenReport:
    """Write a page and its files into a folder; ``out`` is its final location."""
    if not can_draw():
        findings = [replace(finding, figures=()) for finding in sheet.findings]
        sheet = replace(sheet, findings=findings, warnings=[*sheet.warnings, NO_FIGURES])
    files = write_files(sheet.findings, folder)
    (folder / INDEX).write_text(page(sheet, files), encoding="utf-8", newline="\n")
    names = [finding.name for finding in sheet.findings]
    return WrittenReport(out / INDEX, names, len(files.tables), len(files.figures), list(sheet.warnings))


def build_sheet(corpus: Corpus, options: AnalysisOptions, *, simulated: bool, progress: Progress) -> Sheet:
    """Analyse a corpus and collect everything that its page shows."""
    results = run_analyses([corpus], options, progress=progress)
    findings = without_repeated_examples([finding for result in results for finding in result.findings])
    if corpus.kind == "release":  # for a project, answers and agreement are among the analyses
        judgements = corpus.path / JUDGEMENTS_FILE
        facts = _release_facts(corpus)
        selection = JudgementFilter(simulated=corpus.simulated, main_scheme=facts.scheme if facts else None)
        found = (
            release_answers(judgements, AnswerContext(corpus.name), options, selection),
            release_agreement(judgements, options, corpus.path, selection),
        )
        findings += [finding for finding in found if finding is not None]
    if corpus.kind == "project" and (models := ladder_finding(project_runs(corpus.path))) is not None:
        findings.append(models)
    if corpus.kind == "project" and (ranks := retrieval_finding(corpus.path)) is not None:
        findings.append(ranks)
    if corpus.kind == "project" and (generated := generation_finding(corpus.path)) is not None:
        findings.append(generated)
    findings.append(provenance(corpus, simulated=simulated))
    makers = _about(corpus)
    return Sheet(
        title=makers.title or corpus.name,
        about=description(corpus, with_agreement=any(finding.name == AGREEMENT for finding in findings)),
        facts=key_facts(findings),
        findings=findings,
        methods=_method_paragraphs(corpus, findings, options),
        date=last_judgement(corpus),
        warnings=corpus.notes if corpus.simulated else [],
        remarks=[] if corpus.simulated else corpus.notes,
        lang=corpus.lang,
        credits=_credits(makers),
    )


def _about(corpus: Corpus) -> About:
    """What a project or a release says about who made it."""
    if corpus.kind == "project":
        return read_about(corpus.path)
    facts = _release_facts(corpus)
    return facts.about if facts is not None else About()


def _release_facts(corpus: Corpus) -> ReleaseFacts | None:
    """What a release says about itself, if it has the file."""
    has_facts = corpus.kind == "release" and (corpus.path / RELEASE_FILE).is_file()
    return read_facts(corpus.path) if has_facts else None


def _credits(about: About) -> list[str]:
    """The paragraphs under the title of a report; what is not known is left out."""
    authors = [
        f"{author.full_name} ({author.affiliation})" if author.affiliation else author.full_name
        for author in about.authors
    ]
    named = {"By": join_words(authors), "Funding:": about.funding, "Contact:": about.contact}
    by, *others = (f"{name} {value}" if value else "" for name, value in named.items())
    return [line for line in (by, about.description, *others) if line]


def without_repeated_examples(findings: Sequence[Finding]) -> list[Finding]:
    """The findings without examples that an earlier one shows; those that become empty are dropped."""
    shown: set[tuple[str, tuple[str, ...]]] = set()
    kept = []
    for finding in findings:
        keys = [(examples.heading, tuple(pair.id for pair in examples.pairs)) for examples in finding.examples]
        new = [examples for examples, key in zip(finding.examples, keys, strict=True) if key not in shown]
        shown.update(keys)
        if finding.tables or finding.figures or new:
            kept.append(replace(finding, examples=new))
    return kept


def description(corpus: Corpus, *, with_agreement: bool) -> str:
    """One sentence about the page."""
    lang = f" in {language_name(corpus.lang)}" if corpus.lang else ""
    if corpus.kind == "file":
        return f"An analysis of the pairs{lang} in the file {corpus.path.name}, and their provenance."
    kind = "A released corpus" if corpus.kind == "release" else "A corpus"
    contents = "its contents, the agreement of its annotators" if with_agreement else "its contents"
    return f"{kind} of paraphrases{lang}: {contents} and its provenance."


def key_facts(findings: Sequence[Finding]) -> list[Fact]:
    """The few numbers that characterise a corpus; rewrites are counted separately from the pairs."""
    facts = []
    summary = methods.first_row(findings, "labels", "summary")
    if isinstance(pairs := summary.get("pairs"), int):
        facts.append(counted_fact(pairs, "pair"))
    if isinstance(rewrites := summary.get("rewrites"), int) and rewrites:
        facts.append(counted_fact(rewrites, "rewrite", " in addition"))
    if isinstance(share := summary.get("positive_share"), float):
        facts.append(Fact(f"{100 * share:.1f} %", "paraphrases"))
    agreement = methods.first_row(findings, AGREEMENT, "agreement")
    if isinstance(value := agreement.get("value"), float):
        measure = str(agreement["measure"])
        name, _, part = measure.partition(":")
        over = f"{WORDS.get(name, name)}{f' ({part})' if part else ''}, {agreement['labels']} labels"
        facts.append(Fact(f"{value:.2f}", f"{over}, over {agreement['units']:,} units"))
    labels = methods.table_of(findings, "labels", "labels")
    if isinstance(mean := methods.overall_row(findings, "similarity", "means").get("mean"), float):
        facts.append(Fact(f"{mean:.2f}", "mean lexical similarity"))
    elif labels is not None:
        facts.append(counted_fact(len(labels.rows), "label"))
    return facts


def _method_paragraphs(corpus: Corpus, findings: Sequence[Finding], options: AnalysisOptions) -> list[str]:
    """The methods section: the corpus, the measures, random sampling and version."""
    work, scheme, alignments = AnnotationWork(), None, list[AlignmentCounts]()
    if corpus.kind == "project":
        with open_project(corpus.path) as project, project.ledger.reading() as connection:
            work, name = annotation_work(connection), project.config.scheme
            scheme = schemes.load_scheme(name, project.folder) if name else None
            alignments = alignment_counts(connection)
    elif (facts := _release_facts(corpus)) is not None:
        alignments = facts.alignments
    sentences = [methods.about_corpus(corpus, findings), *about_alignments(alignments)]
    sentences += methods.about_labels(work, scheme, findings)
    if corpus.simulated:
        sentences.insert(0, methods.SIMULATED)
    measured = [finding for finding in findings if finding.name != PROVENANCE]
    return methods.paragraphs(sentences, measured, methods.about_chance(options, findings, compared=False))
