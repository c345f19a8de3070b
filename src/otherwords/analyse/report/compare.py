"""A comparison of several corpora as one page.

The output is a folder like that of a report: first the direct comparisons, on samples of equal size, then for every
analysis a table with a column for each corpus, and the figures of each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from otherwords.analyse.catalogue import AnalysisOptions, Progress, run_analyses
from otherwords.analyse.finding import Column, Figure, Finding, Table, format_cell
from otherwords.analyse.findings.distributions import unique_names
from otherwords.analyse.report import methods
from otherwords.analyse.report.build import WrittenReport, key_facts, write_sheet
from otherwords.analyse.report.page import Fact, Sheet
from otherwords.analyse.report.provenance import NAME, TITLE, provenance
from otherwords.corpus.corpus import Corpus, open_corpus
from otherwords.errors import UsageError
from otherwords.sources.io.files import atomic_folder

FEWEST = 2
FIRST_FINDING = "corpora"
RANGES = ("from", "to")
COMPARABLE = ("share", "number", "count")  # the first of these kinds of column that a table has
Findings = Mapping[str, list[Finding]]  # by corpus


def compare(
    paths: Sequence[str | Path],
    out: str | Path,
    options: AnalysisOptions,
    *,
    simulated: bool = False,
    progress: Progress = lambda done: None,
    **reading: Any,
) -> WrittenReport:
    """Write the comparison of several corpora into a new folder."""
    if len(paths) < FEWEST:
        message = "name two corpora or more to compare; for a single corpus, use otherwords report"
        raise UsageError(message, code="too-few-corpora")
    with atomic_folder(Path(out)) as folder:
        corpora = [open_corpus(path, simulated=simulated, **reading) for path in paths]
        names = unique_names([corpus.name for corpus in corpora])
        named = [replace(corpus, name=name) for corpus, name in zip(corpora, names, strict=True)]
        return write_sheet(_build_sheet(named, options, simulated=simulated, progress=progress), folder, Path(out))


def _build_sheet(corpora: Sequence[Corpus], options: AnalysisOptions, *, simulated: bool, progress: Progress) -> Sheet:
    results = run_analyses(corpora, options, progress=progress)
    by_corpus = {result.corpus.name: result.findings for result in results if result.corpus is not None}
    direct = [finding for result in results if result.corpus is None for finding in result.findings]
    direct.sort(key=lambda finding: finding.name != FIRST_FINDING)
    by_name: dict[str, dict[str, Finding]] = {}
    corpora_with_note: dict[str, list[str]] = {}
    for corpus in corpora:
        for finding in by_corpus[corpus.name]:
            by_name.setdefault(finding.name, {})[corpus.name] = finding
        for note in corpus.notes:
            corpora_with_note.setdefault(note, []).append(corpus.name)
    merged = [_merge(same) for same in by_name.values()]
    shown = [finding for finding in merged if finding.tables or finding.figures]
    findings = [*direct, *shown, _provenance(corpora, simulated=simulated)]
    notes = [f"in {', '.join(names)}: {note}" for note, names in corpora_with_note.items()]
    any_simulated = any(corpus.simulated for corpus in corpora)
    sentences = [methods.about_corpus(corpus, by_corpus[corpus.name]) for corpus in corpora]
    opening = [methods.SIMULATED, *sentences] if any_simulated else sentences
    return Sheet(
        title=" · ".join(by_corpus),
        about=f"A comparison of {len(corpora)} corpora of paraphrases.",
        facts=size_facts(by_corpus),
        findings=findings,
        methods=methods.paragraphs(opening, findings, methods.about_chance(options, findings, compared=True)),
        warnings=notes if any_simulated else [],
        remarks=[] if any_simulated else notes,
        corpora=len(corpora),
    )


def _merge(findings: Mapping[str, Finding]) -> Finding:
    """One analysis of several corpora. Examples are left to the report of each corpus."""
    first = next(iter(findings.values()))
    tables: dict[str, dict[str, Table]] = {}
    figures: dict[str, list[Figure]] = {}
    for corpus, finding in findings.items():
        for table in finding.tables:
            tables.setdefault(table.name, {})[corpus] = table
        for figure in finding.figures:
            renamed = Figure(f"{figure.name}-{corpus}", figure.title, figure.spec, figure.caption)
            figures.setdefault(figure.name, []).append(renamed)
    return Finding(
        first.name,
        first.title,
        first.about,
        [merged for same in tables.values() if (merged := side_by_side(same)) is not None],
        [figure for same in figures.values() for figure in same],
        remarks=[f"in {corpus}: {remark}" for corpus, finding in findings.items() for remark in finding.remarks],
        signatures=_signatures(findings),
    )


def _signatures(findings: Mapping[str, Finding]) -> dict[str, str]:
    """The signature of every number: once if all corpora have the same, otherwise for each corpus."""
    by_name: dict[str, dict[str, str]] = {}
    for corpus, finding in findings.items():
        for name, signature in finding.signatures.items():
            by_name.setdefault(name, {})[corpus] = signature
    merged: dict[str, str] = {}
    for name, signed in by_name.items():
        if len(set(signed.values())) == 1:
            merged[name] = next(iter(signed.values()))
        else:
            merged |= {f"{name}, {corpus}": signature for corpus, signature in signed.items()}
    return merged


def side_by_side(tables: Mapping[str, Table]) -> Table | None:
    """One table with a column for each corpus; None if there are no numbers to compare.

    Rows are matched by their leading cells: a label, a pattern, a range. Of the numbers, the one is shown that can be
    compared between corpora of any size: a share, otherwise a mean, otherwise a count. The report of each corpus has
    all of them. Tables of one row without such cells are transposed: a row for each number.
    """
    first = next(iter(tables.values()))
    rows = [table.as_dicts() for table in tables.values()]
    keys = list(takewhile(lambda column: column.kind in ("text", "pair") or column.name in RANGES, first.columns))
    numbers = first.columns[len(keys) :]
    value = next((column for kind in COMPARABLE for column in numbers if column.kind == kind), None)
    if value is None or (not keys and any(len(table) != 1 for table in rows)):
        return None
    if not keys:
        columns = [Column("what", ""), *(Column(corpus, corpus, "number") for corpus in tables)]
        cells = [(column.title, *(format_cell(row.get(column.name), column) for [row] in rows)) for column in numbers]
        return Table(first.name, first.title, columns, cells)
    names = [column.name for column in keys]
    values = [{tuple(row.get(name) for name in names): row.get(value.name) for row in table} for table in rows]
    order = dict.fromkeys(key for of_corpus in values for key in of_corpus)
    columns = [*keys, *(Column(corpus, corpus, value.kind, value.digits) for corpus in tables)]
    title = f"{first.title}: {value.title}" if value.title != first.title else first.title
    return Table(first.name, title, columns, [(*key, *(of_corpus.get(key) for of_corpus in values)) for key in order])


def _provenance(corpora: Sequence[Corpus], *, simulated: bool) -> Finding:
    """The files that each corpus was read from."""
    columns = (Column("corpus", "corpus"), Column("file", "file"), Column("sha256", "SHA-256"))
    rows = [
        (corpus.name, row.get("file"), row.get("sha256"))
        for corpus in corpora
        for table in provenance(corpus, simulated=simulated).tables
        if table.name in ("files", "imports")
        for row in table.as_dicts()
    ]
    about = "The files from which everything here was computed; equal digests mean identical bytes."
    return Finding(NAME, TITLE, about, [Table("files", "Files", columns, rows)] if rows else [])


def size_facts(by_corpus: Findings) -> list[Fact]:
    """The size of each corpus, and its rewrites if it has some."""
    facts = []
    for corpus, findings in by_corpus.items():
        numbers = key_facts(findings)
        rewrites = "".join(f", and {fact.value} {fact.noun}" for fact in numbers if fact.noun.startswith("rewrite"))
        facts.append(Fact(numbers[0].value if numbers else "0", f"pairs in {corpus}{rewrites}"))
    return facts
