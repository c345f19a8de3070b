"""The report of a corpus: everything that can be said of it as one page with its tables and figures beside it.

In goes whatever is a corpus, out comes a folder: ``index.html``, which needs nothing but itself, ``tables/`` and
``figures/``. The folder appears when it is whole. Nothing depends on the clock, so that a report made twice is the same
bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from otherwords.analyse import methods
from otherwords.analyse.analyses import Progress, Wishes, analysed
from otherwords.analyse.figures import NO_FIGURES, can_draw
from otherwords.analyse.finding import Cell, Finding
from otherwords.analyse.label_classes import ALL
from otherwords.analyse.report_agreement import NAME as AGREEMENT
from otherwords.analyse.report_agreement import agreement_in
from otherwords.analyse.report_files import write_files
from otherwords.analyse.report_page import page
from otherwords.analyse.report_people import People, people_of
from otherwords.analyse.report_provenance import NAME as PROVENANCE
from otherwords.analyse.report_provenance import last_judgement, provenance
from otherwords.analyse.report_sheet import Fact, Sheet
from otherwords.annotate import schemes
from otherwords.annotate.scheme import Scheme
from otherwords.corpus.corpora import Corpus, corpus_of
from otherwords.project.project import opened
from otherwords.sources.folders import replacing_folder
from otherwords.text.languages import language_name

INDEX = "index.html"
JUDGEMENTS = "judgements.jsonl"  # of a release


@dataclass(frozen=True, slots=True)
class Written:
    """What a report consists of."""

    page: Path
    findings: list[str]
    tables: int
    figures: int
    warnings: list[str] = field(default_factory=list)


def report(
    path: str | Path,
    out: str | Path,
    wishes: Wishes,
    *,
    simulated: bool = False,
    progress: Progress = lambda done: None,
    **reading: Any,
) -> Written:
    """Write the report of a corpus into a new folder."""
    with replacing_folder(Path(out)) as folder:
        corpus = corpus_of(path, simulated=simulated, **reading)
        return write(sheet_of(corpus, wishes, simulated=simulated, progress=progress), folder, Path(out))


def write(sheet: Sheet, folder: Path, out: Path) -> Written:
    """Fill a folder with a page and its files; ``out`` is where it is going to stand."""
    if not can_draw():
        sheet = _without_figures(sheet)
    files = write_files(sheet.findings, folder)
    (folder / INDEX).write_text(page(sheet, files), encoding="utf-8", newline="\n")
    names = [finding.name for finding in sheet.findings]
    return Written(out / INDEX, names, len(files.tables), len(files.figures), list(sheet.warnings))


def _without_figures(sheet: Sheet) -> Sheet:
    """The same with its tables alone, where nothing can be drawn; the page says so on top."""
    findings = [replace(finding, figures=()) for finding in sheet.findings]
    return replace(sheet, findings=findings, warnings=[*sheet.warnings, NO_FIGURES])


def sheet_of(corpus: Corpus, wishes: Wishes, *, simulated: bool, progress: Progress) -> Sheet:
    """All that is to be said of a corpus."""
    found = [finding for one in analysed([corpus], wishes, progress=progress) for finding in one.findings]
    findings = [*once(found), *_agreement(corpus, wishes, found), provenance(corpus, simulated=simulated)]
    return Sheet(
        title=corpus.name,
        about=about(corpus, agreed=any(one.name == AGREEMENT for one in findings)),
        facts=facts(findings),
        findings=findings,
        methods=paragraphs(corpus, findings, wishes),
        date=last_judgement(corpus),
        warnings=corpus.notes if corpus.simulated else [],
        remarks=[] if corpus.simulated else corpus.notes,
        lang=corpus.lang,
    )


def once(findings: Sequence[Finding]) -> list[Finding]:
    """The findings without examples that another one has shown, and without those that have nothing left to show."""
    shown: set[tuple[str, tuple[str, ...]]] = set()
    told = []
    for finding in findings:
        new = [one for one in finding.examples if (one.of, tuple(pair.id for pair in one.pairs)) not in shown]
        shown |= {(one.of, tuple(pair.id for pair in one.pairs)) for one in new}
        if finding.tables or finding.figures or new:
            told.append(replace(finding, examples=new))
    return told


def _agreement(corpus: Corpus, wishes: Wishes, found: Sequence[Finding]) -> list[Finding]:
    """Agreement on the judgements of a release; that of a project is one of its analyses."""
    if corpus.kind != "release" or any(one.name == AGREEMENT for one in found):
        return []
    told = agreement_in(corpus.path / JUDGEMENTS, wishes, corpus.path, simulated=corpus.simulated)
    return [told] if told is not None else []


def about(corpus: Corpus, *, agreed: bool) -> str:
    """What the page is about, in a line."""
    lang = f" in {language_name(corpus.lang)}" if corpus.lang else ""
    if corpus.kind == "file":
        return f"The pairs of the file {corpus.path.name}{lang and ','}{lang}: what they are like and what they hold."
    kind = "A released corpus" if corpus.kind == "release" else "A corpus"
    people = "how far people agree on it, " if agreed else ""
    return f"{kind} of paraphrases{lang}: what it holds, {people}and where it comes from."


def facts(findings: Sequence[Finding]) -> list[Fact]:
    """The few numbers that say what a corpus is; rewrites are counted apart from the pairs."""
    told = []
    summary = methods.first_row(findings, "labels", "summary") or {}
    if isinstance(pairs := summary.get("pairs"), int):
        told.append(Fact(f"{pairs:,}", "pair" if pairs == 1 else "pairs"))
    if isinstance(rewrites := summary.get("rewrites"), int) and rewrites:
        told.append(Fact(f"{rewrites:,}", "rewrite besides" if rewrites == 1 else "rewrites besides"))
    if isinstance(share := summary.get("positive_share"), float):
        told.append(Fact(f"{100 * share:.1f} %", "paraphrases"))
    labels = methods.table_of(findings, "labels", "labels")
    if isinstance(mean := _mean_similarity(findings), float):
        told.append(Fact(f"{mean:.2f}", "mean lexical similarity"))
    elif labels is not None:
        told.append(Fact(f"{len(labels.rows):,}", "label" if len(labels.rows) == 1 else "labels"))
    return told


def _mean_similarity(findings: Sequence[Finding]) -> Cell:
    table = methods.table_of(findings, "similarity", "means")
    rows = table.as_dicts() if table is not None else []
    return next((row.get("mean") for row in rows if row.get("label") == ALL), None)


def paragraphs(corpus: Corpus, findings: Sequence[Finding], wishes: Wishes) -> list[str]:
    """The methods section: the corpus, the measures, chance and version."""
    people, scheme = _work(corpus)
    first = [methods.about_corpus(corpus, findings), *methods.about_labels(people, scheme, findings)]
    if corpus.simulated:
        first.insert(0, methods.SIMULATED)
    measures = " ".join(methods.about_measures([one for one in findings if one.name != PROVENANCE]))
    return [" ".join(first), *([measures] if measures else []), methods.about_chance(wishes, findings, compared=False)]


def _work(corpus: Corpus) -> tuple[People, Scheme | None]:
    if corpus.kind != "project":
        return People(), None
    with opened(corpus.path) as project, project.ledger.reading() as connection:
        name = project.config.scheme
        return people_of(connection), schemes.scheme(name, project.folder) if name else None
