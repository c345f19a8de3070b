"""Findings as files: a JSON document and CSV tables each, and their figures as SVG and PNG where they can be drawn.

A folder appears when it is whole. Tables are for people to open, so no cell is taken for a formula.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from otherwords.analyse.analyses import Analysed
from otherwords.analyse.figures import can_draw, save
from otherwords.analyse.finding import Finding, Spec, Table
from otherwords.corpus.corpora import Corpus
from otherwords.sources.csv_safe import safe_cell
from otherwords.sources.folders import replacing_folder

SUFFIXES = (".svg", ".png")


def as_json(found: Sequence[Analysed]) -> dict[str, Any]:
    """One object of a corpus; of several, all of theirs and what compares them."""
    corpora = [
        {"corpus": one.corpus.name, "kind": one.corpus.kind, "notes": one.corpus.notes, "findings": _by_name(one)}
        for one in found
        if one.corpus is not None
    ]
    compared = {name: told for one in found if one.corpus is None for name, told in _by_name(one).items()}
    return corpora[0] if len(corpora) == 1 and not compared else {"corpora": corpora, "compared": compared}


def write_findings(found: Sequence[Analysed], path: Path) -> int:
    """Write everything into a new folder, each corpus of several into one of its own; how many files there are."""
    several = sum(one.corpus is not None for one in found) > 1
    every = [f"{one.corpus.name}: {note}" for one in found if one.corpus is not None for note in one.corpus.notes]
    names: set[str] = set()
    with replacing_folder(path) as folder:
        for one in found:
            inner = folder / free_name(_plain(one.corpus.name), names) if several and one.corpus is not None else folder
            inner.mkdir(exist_ok=True)
            for finding in one.findings:
                _write(finding, one.corpus, one.corpus.notes if one.corpus is not None else every, inner)
        return sum(file.is_file() for file in folder.rglob("*"))


def csv_of(table: Table) -> str:
    """A table as CSV."""
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    rows.writerow([safe_cell(column.name) for column in table.columns])
    rows.writerows([safe_cell(cell) for cell in row] for row in table.rows)
    return lines.getvalue()


def _write(finding: Finding, corpus: Corpus | None, notes: Sequence[str], folder: Path) -> None:
    of = {"corpus": corpus.name} if corpus is not None else {}
    told = json.dumps({**of, "notes": list(notes), **finding.as_dict()}, ensure_ascii=False, indent=2)
    (folder / f"{finding.name}.json").write_text(told + "\n", encoding="utf-8")
    for table in finding.tables:
        (folder / f"{finding.name}.{table.name}.csv").write_text(csv_of(table), encoding="utf-8", newline="")
    for figure in finding.figures if can_draw() else ():
        files = (folder / f"{finding.name}.{figure.name}{suffix}" for suffix in SUFFIXES)
        save(_noted(figure.spec, notes), *files)


def _noted(spec: Spec, notes: Sequence[str]) -> Spec:
    """A figure with what its reader has to know under its title."""
    if not notes or not isinstance(spec.get("title"), str):
        return spec
    return spec | {"title": {"text": spec["title"], "subtitle": list(notes)}}


def _by_name(one: Analysed) -> dict[str, Any]:
    return {finding.name: finding.as_dict() for finding in one.findings}


def free_name(name: str, taken: set[str]) -> str:
    """A name that nothing else has, and that nothing else gets."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free


def _plain(name: str) -> str:
    """The name of a corpus as one of a folder."""
    return re.sub(r"[^\w.-]+", "-", name).strip(".-") or "corpus"
