"""A report as one HTML page, without scripts and without anything to be fetched.

Everything in the page is escaped except the figures, which our own renderer draws. The page follows the reader's light
or dark mode, and can be printed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from otherwords import __version__
from otherwords.analyse.figures.charts import DEEP_TO_PALE
from otherwords.analyse.finding import Cell, Column, Example, Finding, Table, format_cell
from otherwords.analyse.report.differences import Piece, differences
from otherwords.analyse.report.files import Files, file_name
from otherwords.labels import is_label
from otherwords.text.scripts import direction

TEMPLATE = "page.html"
MOST_ROWS = 24  # of a table on the page; its files contain all rows
LONGEST_CELL = 48  # characters of a cell that is kept on one line
# Figures are drawn on white; on a dark page their colours are replaced by these.
DARK_COLOURS = {
    **dict.fromkeys(("white", "#ffffff"), "var(--sheet)"),
    **dict.fromkeys(("#000", "black", "#111111"), "var(--ink)"),
    **dict.fromkeys(("#888", "#5c5c5c"), "var(--soft)"),
    "#ddd": "var(--line)",
    **dict(zip(DEEP_TO_PALE, ("#9fd2ee", "#6aa5c9", "#3c6a89", "#2f4d5f", "#383c40"), strict=True)),
}
_STARTS_WITH_NAME = re.compile(
    r"\S*\d|\S+?(?:, complete labels)?(?: \(\d+\))?:"
)  # an annotator such as a02, a corpus, a test
_IDS = re.compile(r'(\bid="|url\(#|href="#)')


@dataclass(frozen=True, slots=True)
class Fact:
    """A key number at the top of a page, and what it counts."""

    value: str
    noun: str


def counted_fact(number: int, noun: str, rest: str = "") -> Fact:
    """The fact that there are so many: 1 pair, 2 pairs; what stands behind the noun does not change with the number."""
    return Fact(f"{number:,}", (noun if number == 1 else f"{noun}s") + rest)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page: what it is about, its findings and its methods."""

    title: str
    about: str  # one sentence under the title
    facts: Sequence[Fact]
    findings: Sequence[Finding]
    methods: Sequence[str]  # paragraphs
    date: str | None = None  # of the last judgement, not of today: the same corpus gives the same page
    warnings: Sequence[str] = ()  # shown above everything else
    remarks: Sequence[str] = ()  # shown under the key numbers
    lang: str | None = None  # of texts without a language of their own
    credits: Sequence[str] = ()  # who made the corpus, and what they say about it
    corpora: int = 1  # figures of several corpora are shown side by side


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table as the page shows it."""

    text: str
    number: bool
    long: bool


@dataclass(frozen=True, slots=True)
class ExampleText:
    """One text of an example in pieces, with its language and direction."""

    pieces: Sequence[Piece]
    lang: str | None
    dir: str


def page(sheet: Sheet, files: Files) -> str:
    """The HTML of a sheet."""
    numbers = {key: number for number, key in enumerate(files.figures, 1)}
    return _template().render(
        sheet=sheet,
        files=files,
        figure_numbers=numbers,
        most_rows=MOST_ROWS,
        dark_colours=DARK_COLOURS,
        version=__version__,
    )


@cache
def _template() -> Template:
    folder = FileSystemLoader(Path(__file__).parent)
    environment = Environment(
        loader=folder, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"anchor": file_name, "chip": _chip, "sentence": sentence, "unbroken": _unbroken}
    environment.globals |= {
        "cells": _cells,
        "is_number": _is_number,
        "inline_figure": _inline_figure,
        "names_by_signature": _names_by_signature,
        "example_texts": _example_texts,
    }
    return environment.get_template(TEMPLATE)


def _is_number(column: Column) -> bool:
    return column.kind in ("count", "share", "number")


def _cells(table: Table, row: Sequence[Cell]) -> list[TableCell]:
    texts = [(format_cell(cell, column), column) for cell, column in zip(row, table.columns, strict=True)]
    return [TableCell(text, _is_number(column), len(text) > LONGEST_CELL) for text, column in texts]


def _inline_figure(finding: Finding, figure: str, files: Files) -> Markup:
    """The SVG of a figure, and the one for telephones."""
    key = (finding.name, figure)
    name = file_name(f"{finding.name}-{figure}")
    narrow = inline_picture(files.narrow_pictures[key], f"{name}-narrow", "narrow")
    return inline_picture(files.pictures[key], name, "broad") + narrow


def inline_picture(svg: str, prefix: str, kind: str) -> Markup:
    """An SVG as a part of the page; its ids get a prefix of their own, since a page has many figures."""
    inside = _IDS.sub(lambda match: f"{match[1]}{prefix}-", svg)
    return Markup(f'<div class="{kind}">{inside}</div>')  # noqa: S704 - our own renderer escapes the words in it


def _example_texts(example: Example, lang: str | None) -> list[ExampleText]:
    """Both texts of an example, with their differences."""
    texts = (example.text1, example.text2)
    return [
        ExampleText(pieces, example.lang or lang, direction(text))
        for pieces, text in zip(differences(*texts), texts, strict=True)
    ]


def _names_by_signature(finding: Finding) -> dict[str, list[str]]:
    """The signatures of a finding, each with the names of all numbers that have it."""
    names: dict[str, list[str]] = {}
    for name, signature in finding.signatures.items():
        names.setdefault(signature, []).append(name)
    return names


def _chip(label: str | None) -> str:
    """The colour class of a label: its base in the Turku scheme."""
    return label[0] if label and is_label(label) else "other"


def _unbroken(text: str) -> str:
    """A sentence whose numbers and signs of per cent stay on one line."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def sentence(text: str) -> str:
    """A remark with a capital and a full stop; a name at its start keeps its case."""
    capitalised = text if _STARTS_WITH_NAME.match(text) else text[:1].upper() + text[1:]
    return capitalised if capitalised.endswith((".", "!", "?", ":", "…")) else f"{capitalised}."
