"""The card of a release: a README for readers and for the Hub, a data statement, and the figures of the README.

Everything in them is counted from the data files of the release or recorded in it; what is not known is said to be
unknown.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from otherwords.analyse.card import sections
from otherwords.analyse.card.data_statement import statement
from otherwords.analyse.card.findings import card_facts
from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.figures.render import can_draw, save
from otherwords.analyse.finding import Finding
from otherwords.analyse.report.files import FIGURES
from otherwords.corpus.release.metadata_files import front_matter
from otherwords.corpus.release.model import ReleaseModel

README, STATEMENT = "README.md", "DATA_STATEMENT.md"
SHOWN = (("labels", "labels"), ("similarity", "strata"), ("lengths", "lengths"))  # findings and their figures
OPTIONS = AnalysisOptions(examples=0)


def card(release: ReleaseModel) -> Mapping[str, bytes]:
    """The files that describe a release, by path."""
    facts = card_facts(release, OPTIONS)
    figures = dict(_draw_figures(facts.findings)) if can_draw() else {}
    parts = (
        sections.opening(facts),
        sections.contents(facts),
        sections.labels(facts),
        sections.types(facts),
        sections.answers(facts),
        sections.agreement(facts),
        sections.figures(facts, list(figures)),
        sections.method(facts, OPTIONS),
        sections.checks(facts),
        sections.licences(facts),
        sections.limitations(facts),
        sections.loading(facts),
        sections.makers(facts),
        sections.citation(facts),
    )
    readme = front_matter(release) + "\n" + "\n".join(part for part in parts if part)
    return {README: readme.encode(), STATEMENT: statement(facts).encode()} | figures


def _draw_figures(findings: Sequence[Finding]) -> Iterator[tuple[str, bytes]]:
    """The figures of the README as SVG, by path."""
    with tempfile.TemporaryDirectory(prefix="otherwords-") as folder:
        svg = Path(folder) / "figure.svg"
        for finding in findings:
            for figure in finding.figures:
                if (finding.name, figure.name) in SHOWN:
                    save(figure.spec, svg)
                    yield f"{FIGURES}/{finding.name}.svg", svg.read_bytes()
