"""A report as one page: headings, figures, tables and examples laid out, with nothing to be fetched and no script.

In goes a :class:`Sheet` and where its files are, out comes HTML. Everything that stands in the page is escaped, but the
pictures, which are drawn by us. It is light or dark as its reader's system is, and can be printed.
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
from otherwords.analyse.finding import Cell, Column, Example, Finding, Table, shown
from otherwords.analyse.report_differences import Piece, differences
from otherwords.analyse.report_files import Files, file_name
from otherwords.analyse.report_sheet import Sheet
from otherwords.labels import is_valid
from otherwords.text.scripts import direction

TEMPLATE = "report.html"
MOST_ROWS = 24  # of a table on the page; its files have them all
LONGEST_CELL = 48  # characters of a cell that is not broken into lines
_NAMED = re.compile(r"\S*\d|\S+:")  # a02, or a corpus of which something is said
_IDS = re.compile(r'(\bid="|url\(#|href="#)')


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell of a table as it is laid out."""

    text: str
    number: bool
    long: bool


@dataclass(frozen=True, slots=True)
class Text:
    """One text of an example: its pieces, and what a reader's system needs to show it right."""

    pieces: Sequence[Piece]
    lang: str | None
    dir: str


def page(sheet: Sheet, files: Files) -> str:
    """The page of a sheet."""
    numbers = {key: number for number, key in enumerate(files.figures, 1)}
    told = {"figure_numbers": numbers, "most_rows": MOST_ROWS, "version": __version__}
    return _template().render(sheet=sheet, files=files, **told)


@cache
def _template() -> Template:
    folder = FileSystemLoader(Path(__file__).parent)
    environment = Environment(
        loader=folder, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"anchor": file_name, "chip": chip, "sentence": sentence}
    environment.globals |= {
        "cells": cells,
        "is_number": is_number,
        "picture": picture,
        "signed": signed,
        "texts": texts,
    }
    return environment.get_template(TEMPLATE)


def is_number(column: Column) -> bool:
    """Whether the cells of a column stand under each other by their last digit."""
    return column.kind in ("count", "share", "number")


def cells(table: Table, row: Sequence[Cell]) -> list[Shown]:
    """The cells of a row."""
    told = [(shown(cell, column), column) for cell, column in zip(row, table.columns, strict=True)]
    return [Shown(text, is_number(column), len(text) > LONGEST_CELL) for text, column in told]


def picture(finding: Finding, figure: str, files: Files) -> Markup:
    """The drawing of a figure, its names made its own: a page has many drawings."""
    own = file_name(f"{finding.name}-{figure}")
    drawn = _IDS.sub(lambda found: f"{found[1]}{own}-", files.pictures[finding.name, figure])
    return Markup(drawn)  # noqa: S704 - drawn by our own renderer, which escapes the words in it


def texts(example: Example, lang: str | None) -> list[Text]:
    """Both texts of an example, with what differs."""
    both = differences(example.text1, example.text2)
    whole = (example.text1, example.text2)
    return [Text(pieces, example.lang or lang, direction(text)) for pieces, text in zip(both, whole, strict=True)]


def signed(finding: Finding) -> list[tuple[list[str], str]]:
    """The signatures of a finding, each once, with the names of all numbers that have it."""
    names: dict[str, list[str]] = {}
    for name, signature in finding.signatures.items():
        names.setdefault(signature, []).append(name)
    return [(named, signature) for signature, named in names.items()]


def chip(label: str | None) -> str:
    """Which tone a label has: its base in the Turku scheme, none otherwise."""
    return label[0] if label and is_valid(label) else "other"


def sentence(text: str) -> str:
    """A remark as a sentence of its own; a name that it begins with stays as it is."""
    begun = text if _NAMED.match(text) else text[:1].upper() + text[1:]
    return begun if begun.endswith((".", "!", "?", ":", "…")) else f"{begun}."
