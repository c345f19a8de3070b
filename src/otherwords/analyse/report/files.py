"""The files beside a report's page: every table as CSV and JSON, every figure as SVG and PNG.

Figures are read back from their files, so that the page shows exactly what these contain; telephones get a drawing of
their own, as wide as their screen.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from otherwords.analyse.figures.render import narrow_picture, save
from otherwords.analyse.finding import Finding
from otherwords.analyse.report.export import table_csv, unused_name

TABLES, FIGURES = "tables", "figures"
LONGEST_NAME = 80
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
Key = tuple[str, str]  # the name of a finding, and of its table or figure


@dataclass(frozen=True, slots=True)
class Files:
    """Paths of tables and figures relative to the page, without suffixes, and all figures as SVG, also narrow ones."""

    tables: dict[Key, str] = field(default_factory=dict)
    figures: dict[Key, str] = field(default_factory=dict)
    pictures: dict[Key, str] = field(default_factory=dict)
    narrow_pictures: dict[Key, str] = field(default_factory=dict)


def write_files(findings: Sequence[Finding], folder: Path) -> Files:
    """Write all tables and figures of the findings into a folder."""
    files = Files()
    used: set[str] = set()
    for finding in findings:
        for table in finding.tables:
            path = unused_name(f"{TABLES}/{file_name(f'{finding.name}-{table.name}')}", used)
            files.tables[finding.name, table.name] = path
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / f"{path}.csv").write_bytes(table_csv(table).encode())
            rows = msgspec.json.format(msgspec.json.encode(table.as_dicts()), indent=2)
            (folder / f"{path}.json").write_bytes(rows + b"\n")
        for figure in finding.figures:
            path = unused_name(f"{FIGURES}/{file_name(f'{finding.name}-{figure.name}')}", used)
            files.figures[finding.name, figure.name] = path
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            svg = folder / f"{path}.svg"
            save(figure.spec, svg, folder / f"{path}.png")
            files.pictures[finding.name, figure.name] = svg.read_text(encoding="utf-8")
            files.narrow_pictures[finding.name, figure.name] = narrow_picture(figure.spec)
    return files


def file_name(name: str) -> str:
    """A name that every file system accepts and a page can link to."""
    plain = unicodedata.normalize("NFKC", name).lower()
    return _NOT_IN_NAMES.sub("-", plain).strip("-.")[:LONGEST_NAME] or "unnamed"
