"""Several corpora beside each other, as one page: what each analysis says of all of them.

In go paths of corpora of any kind, out comes a folder like that of a report: first what compares them directly, on
equal samples, then for every analysis a table with a column a corpus and the figures of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from otherwords.analyse import methods
from otherwords.analyse.analyses import Analysed, Progress, Wishes, analysed
from otherwords.analyse.compare_tables import side_by_side
from otherwords.analyse.distributions import unique_names
from otherwords.analyse.finding import Column, Figure, Finding, Table
from otherwords.analyse.report import Written, facts, write
from otherwords.analyse.report_provenance import TITLE, provenance
from otherwords.analyse.report_sheet import Fact, Sheet
from otherwords.corpus.corpora import Corpus, corpus_of
from otherwords.errors import UsageError
from otherwords.sources.folders import replacing_folder

FEWEST = 2
CORPORA = "corpora"  # the finding that opens the page


def compare(
    paths: Sequence[str | Path],
    out: str | Path,
    wishes: Wishes,
    *,
    simulated: bool = False,
    progress: Progress = lambda done: None,
    **reading: Any,
) -> Written:
    """Write the comparison of several corpora into a new folder."""
    if len(paths) < FEWEST:
        raise UsageError("name two corpora or more to compare; otherwords report is for one")
    with replacing_folder(Path(out)) as folder:
        corpora = told_apart([corpus_of(path, simulated=simulated, **reading) for path in paths])
        return write(sheet_of(corpora, wishes, simulated=simulated, progress=progress), folder, Path(out))


def told_apart(corpora: Sequence[Corpus]) -> list[Corpus]:
    """The corpora, those of equal names numbered."""
    names = unique_names([corpus.name for corpus in corpora])
    return [replace(corpus, name=name) for corpus, name in zip(corpora, names, strict=True)]


def _notes(corpora: Sequence[Corpus]) -> list[str]:
    """What is to be known of them, each thing once with all whom it is about."""
    about: dict[str, list[str]] = {}
    for corpus in corpora:
        for note in corpus.notes:
            about.setdefault(note, []).append(corpus.name)
    return [f"in {', '.join(names)}: {note}" for note, names in about.items()]


def sheet_of(corpora: Sequence[Corpus], wishes: Wishes, *, simulated: bool, progress: Progress) -> Sheet:
    """All that is to be said of them."""
    found = analysed(corpora, wishes, progress=progress)
    each = {one.corpus.name: one.findings for one in found if one.corpus is not None}
    together = [finding for one in found if one.corpus is None for finding in one.findings]
    together.sort(key=lambda finding: finding.name != CORPORA)
    findings = [*together, *beside(each), _provenance(corpora, simulated=simulated)]
    notes = _notes(corpora)
    made_up = any(corpus.simulated for corpus in corpora)
    return Sheet(
        title=" · ".join(each),
        about=f"{len(corpora)} corpora of paraphrases beside each other.",
        facts=_facts(each),
        findings=findings,
        methods=_paragraphs(found, findings, wishes, simulated=made_up),
        warnings=notes if made_up else [],
        remarks=[] if made_up else notes,
        corpora=len(corpora),
    )


def beside(each: dict[str, list[Finding]]) -> list[Finding]:
    """For every analysis one finding of all corpora that it had something to say of."""
    names = dict.fromkeys(finding.name for findings in each.values() for finding in findings)
    told = [_beside({corpus: by[name] for corpus, by in _by_name(each).items() if name in by}) for name in names]
    return [finding for finding in told if finding.tables or finding.figures]


def _by_name(each: dict[str, list[Finding]]) -> dict[str, dict[str, Finding]]:
    return {corpus: {finding.name: finding for finding in findings} for corpus, findings in each.items()}


def _beside(several: dict[str, Finding]) -> Finding:
    """One analysis of several corpora. Examples stay in their own reports."""
    first = next(iter(several.values()))
    names = dict.fromkeys(table.name for finding in several.values() for table in finding.tables)
    tables = []
    for name in names:
        same = {corpus: table for corpus, one in several.items() for table in one.tables if table.name == name}
        if (table := side_by_side(same)) is not None:
            tables.append(table)
    figures = [
        Figure(f"{figure.name}-{corpus}", figure.title, figure.spec)
        for name in dict.fromkeys(figure.name for finding in several.values() for figure in finding.figures)
        for corpus, finding in several.items()
        for figure in finding.figures
        if figure.name == name
    ]
    remarks = [f"in {corpus}: {remark}" for corpus, finding in several.items() for remark in finding.remarks]
    return Finding(first.name, first.title, first.about, tables, figures, (), remarks, _signatures(several))


def _signatures(several: dict[str, Finding]) -> dict[str, str]:
    """The signature of every number: once where all corpora have the same, else for each."""
    names = dict.fromkeys(name for finding in several.values() for name in finding.signatures)
    told: dict[str, str] = {}
    for name in names:
        signed = {corpus: one.signatures[name] for corpus, one in several.items() if name in one.signatures}
        same = len(set(signed.values())) == 1
        told |= {name: next(iter(signed.values()))} if same else {f"{name}, {of}": one for of, one in signed.items()}
    return told


def _provenance(corpora: Sequence[Corpus], *, simulated: bool) -> Finding:
    """Of every corpus the files that it was read from."""
    columns = (Column("corpus", "corpus"), Column("file", "file"), Column("sha256", "SHA-256"))
    rows = []
    for corpus in corpora:
        told = provenance(corpus, simulated=simulated)
        files = [table for table in told.tables if table.name in ("files", "imports")]
        rows += [(corpus.name, row.get("file"), row.get("sha256")) for table in files for row in table.as_dicts()]
    about = "The files that everything here was computed from; the same digest means the same bytes."
    return Finding("provenance", TITLE, about, [Table("files", "Files", columns, rows)] if rows else [])


def _facts(each: dict[str, list[Finding]]) -> list[Fact]:
    """The size of each corpus, and its rewrites where it has some."""
    told = []
    for corpus, findings in each.items():
        numbers = facts(findings)
        besides = "".join(f", and {one.value} {one.what}" for one in numbers if one.what.startswith("rewrite"))
        told.append(Fact(numbers[0].value if numbers else "0", f"pairs in {corpus}{besides}"))
    return told


def _paragraphs(
    found: Sequence[Analysed], findings: Sequence[Finding], wishes: Wishes, *, simulated: bool
) -> list[str]:
    first = [methods.about_corpus(one.corpus, one.findings) for one in found if one.corpus is not None]
    if simulated:
        first.insert(0, methods.SIMULATED)
    measures = " ".join(methods.about_measures(findings))
    return [" ".join(first), *([measures] if measures else []), methods.about_chance(wishes, findings, compared=True)]
