"""Findings as files beside a page: every table as CSV and JSON, every figure as SVG and PNG.

In goes a folder that is being filled, out come the names of what was written, relative to it. Figures are drawn once
and read back, so that the page shows what the file holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from otherwords.analyse.figures import save
from otherwords.analyse.finding import Figure, Finding, Table
from otherwords.analyse.writing_findings import csv_of, free_name

TABLES, FIGURES = "tables", "figures"
LONGEST_NAME = 80
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
Key = tuple[str, str]  # the name of a finding, and of its table or figure


@dataclass(frozen=True, slots=True)
class Files:
    """Where tables and figures are, without their suffixes, and the pictures themselves."""

    tables: dict[Key, str] = field(default_factory=dict)
    figures: dict[Key, str] = field(default_factory=dict)
    pictures: dict[Key, str] = field(default_factory=dict)


def write_files(findings: Sequence[Finding], folder: Path) -> Files:
    """Write all tables and figures."""
    files = Files()
    taken: set[str] = set()
    for finding in findings:
        for table in finding.tables:
            path = free_name(f"{TABLES}/{file_name(f'{finding.name}-{table.name}')}", taken)
            files.tables[finding.name, table.name] = path
            write_table(table, folder / path)
        for figure in finding.figures:
            path = free_name(f"{FIGURES}/{file_name(f'{finding.name}-{figure.name}')}", taken)
            files.figures[finding.name, figure.name] = path
            files.pictures[finding.name, figure.name] = draw(figure, folder / path)
    return files


def write_table(table: Table, path: Path) -> None:
    """A table as ``path.csv`` and ``path.json``; a cell of the CSV is never a formula."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _with(path, ".csv").write_bytes(csv_of(table).encode())
    _with(path, ".json").write_bytes(msgspec.json.format(msgspec.json.encode(table.as_dicts()), indent=2) + b"\n")


def draw(figure: Figure, path: Path) -> str:
    """A figure as ``path.svg`` and ``path.png``; the SVG as text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save(figure.spec, _with(path, ".svg"), _with(path, ".png"))
    return _with(path, ".svg").read_text(encoding="utf-8")


def file_name(name: str) -> str:
    """A name that every file system takes and a page can link to."""
    plain = unicodedata.normalize("NFKC", name).lower()
    return _NOT_IN_NAMES.sub("-", plain).strip("-.")[:LONGEST_NAME] or "unnamed"


def _with(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
