"""The card of a release: a README for people and for the Hub, a data statement, and the figures that both show.

In goes a release whose data files are written, out come the files that describe it, by their path. Everything in them
is counted from those data files or told by the release itself; what is not known is said to be unknown.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from otherwords.analyse import card_sections as told
from otherwords.analyse.analyses import Wishes
from otherwords.analyse.card_facts import CardFacts
from otherwords.analyse.card_findings import agreement_finding, pair_findings, types_found
from otherwords.analyse.card_statement import statement
from otherwords.analyse.figures import can_draw, save
from otherwords.analyse.finding import Finding
from otherwords.analyse.report_files import FIGURES
from otherwords.corpus.release_header import front_matter
from otherwords.corpus.released import Released

README, STATEMENT = "README.md", "DATA_STATEMENT.md"
SHOWN = (("labels", "labels"), ("similarity", "strata"), ("lengths", "lengths"))
WISHES = Wishes(examples=0)


def card(released: Released) -> Mapping[str, bytes]:
    """The files that describe a release."""
    facts = _facts(released)
    figures = dict(_drawn(facts.findings)) if can_draw() else {}
    files = {README: readme(facts, list(figures)), STATEMENT: statement(facts)}
    return {name: text.encode() for name, text in files.items()} | figures


def readme(facts: CardFacts, figures: list[str]) -> str:
    """The README with its front matter."""
    parts = (
        told.opening(facts),
        told.counts(facts),
        told.labels(facts),
        told.types(facts),
        told.agreement(facts),
        told.figures(facts, figures),
        told.making(facts, WISHES),
        told.checks(facts),
        told.licences(facts),
        told.limits(facts),
        told.loading(facts),
        told.citing(facts),
    )
    return front_matter(facts.released) + "\n" + "\n".join(part for part in parts if part)


def _facts(released: Released) -> CardFacts:
    findings = pair_findings(released.corpus, released.pairs, WISHES)
    others = (types_found(released), agreement_finding(released, WISHES))
    return CardFacts(released, [*findings, *(one for one in others if one is not None)])


def _drawn(findings: Sequence[Finding]) -> Iterator[tuple[str, bytes]]:
    """The figures of a card, as files of the release."""
    with tempfile.TemporaryDirectory(prefix="otherwords-") as folder:
        picture = Path(folder) / "figure.svg"
        for finding in findings:
            for figure in finding.figures:
                if (finding.name, figure.name) in SHOWN:
                    save(figure.spec, picture)
                    yield f"{FIGURES}/{finding.name}.svg", picture.read_bytes()
