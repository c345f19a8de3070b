"""Findings as files: a JSON document and CSV tables for each, and its figures as SVG and PNG if they can be drawn.

The folder appears only once it is complete. Tables are opened in spreadsheets, so no cell may be read as a formula.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path

from otherwords.analyse.catalogue import AnalysisResult
from otherwords.analyse.figures.render import can_draw, save
from otherwords.analyse.finding import Finding, Table
from otherwords.corpus.corpus import Corpus
from otherwords.sources.io.files import atomic_folder
from otherwords.sources.io.tabular import safe_cell

SUFFIXES = (".svg", ".png")


def as_json(results: Sequence[AnalysisResult]) -> dict[str, object]:
    """The findings of a corpus; for several corpora, those of each and those that compare them."""
    corpora: list[dict[str, object]] = []
    compared: dict[str, object] = {}
    for result in results:
        findings = {finding.name: finding.as_dict() for finding in result.findings}
        if (corpus := result.corpus) is None:
            compared |= findings
        else:
            corpora.append({"corpus": corpus.name, "kind": corpus.kind, "notes": corpus.notes, "findings": findings})
    return corpora[0] if len(corpora) == 1 and not compared else {"corpora": corpora, "compared": compared}


def write_findings(results: Sequence[AnalysisResult], path: Path) -> int:
    """Write findings into a new folder, with a subfolder for each of several corpora; return the number of files."""
    corpora = [result.corpus for result in results if result.corpus is not None]
    all_notes = [f"{corpus.name}: {note}" for corpus in corpora for note in corpus.notes]
    folder_names: set[str] = set()
    with atomic_folder(path) as folder:
        for result in results:
            inner, notes = folder, all_notes
            if result.corpus is not None:
                notes = result.corpus.notes
                if len(corpora) > 1:
                    name = re.sub(r"[^\w.-]+", "-", result.corpus.name).strip(".-") or "corpus"
                    inner = folder / unused_name(name, folder_names)
            inner.mkdir(exist_ok=True)
            for finding in result.findings:
                _write_finding(finding, result.corpus, notes, inner)
        return sum(file.is_file() for file in folder.rglob("*"))


def table_csv(table: Table) -> str:
    """A table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([safe_cell(column.name) for column in table.columns])
    writer.writerows([safe_cell(cell) for cell in row] for row in table.rows)
    return text.getvalue()


def _write_finding(finding: Finding, corpus: Corpus | None, notes: Sequence[str], folder: Path) -> None:
    """Write the files of a finding; figures have the notes about their corpus under their title."""
    name = {"corpus": corpus.name} if corpus is not None else {}
    document = json.dumps({**name, "notes": list(notes), **finding.as_dict()}, ensure_ascii=False, indent=2)
    (folder / f"{finding.name}.json").write_text(document + "\n", encoding="utf-8")
    for table in finding.tables:
        (folder / f"{finding.name}.{table.name}.csv").write_text(table_csv(table), encoding="utf-8", newline="")
    for figure in finding.figures if can_draw() else ():
        spec = figure.spec
        if notes and isinstance(spec.get("title"), str):
            spec = spec | {"title": {"text": spec["title"], "subtitle": list(notes)}}
        save(spec, *(folder / f"{finding.name}.{figure.name}{suffix}" for suffix in SUFFIXES))


def unused_name(name: str, used: set[str]) -> str:
    """The name, numbered if it is used already; it is marked as used."""
    number, candidate = 1, name
    while candidate in used:
        number += 1
        candidate = f"{name}-{number}"
    used.add(candidate)
    return candidate
