"""What analyses show on the pages of models and mining, in the language of the page.

Findings are made in English, for reports. Their titles, columns and kinds of mistakes are fixed words; headlines and
remarks are sentences with numbers, which may stand after the name of a model; figures have words on their axes and in
the names of their lines. Names that people gave, to models, tests or sources, stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup, escape

from otherwords.acquire.swap.records import KINDS as SWAP_KINDS
from otherwords.analyse.errors.facets import FACETS, SPELLINGS
from otherwords.analyse.errors.finding import KINDS as MISTAKES
from otherwords.analyse.errors.finding import ModelErrors, errors_finding
from otherwords.analyse.figures.models import PERFECT
from otherwords.analyse.finding import Cell, Finding, Spec, Table
from otherwords.analyse.findings.pattern_kinds import PATTERNS
from otherwords.analyse.ladder import ABOUT, LADDER_TITLE, RELIABILITY
from otherwords.analyse.ladder import COLUMNS as LADDER_COLUMNS
from otherwords.analyse.project_models import PROBABILITIES, TRAINING
from otherwords.annotate.browse.provenance import METHODS
from otherwords.web.sentences import sentence, sentence_html, translated
from otherwords.web.texts import translate_in_context, word

ERROR_COLUMNS = tuple(errors_finding(ModelErrors("", "", ""), 0).tables[0].columns)
COLUMN, FACET, VALUE, KIND = "column", "facet", "facet value", "model kind"
MODEL_KINDS = ("classifier", "encoder", "generator")
MISTAKE_KINDS = (*MISTAKES, "other labels")
SIDES = ("negative", "positive")  # of a harvest
MADE_BY = ("consensus", "qa", "judgements", "votes", "import", "rewrite")
VALUES: Mapping[str, tuple[str, ...]] = {  # of the facets that have the same values in every project
    "swap": SWAP_KINDS,
    "pattern": PATTERNS,
    "names": SPELLINGS,
    "overlap": ("identical words",),
    "label made by": MADE_BY,
}
TITLES = (LADDER_TITLE, ABOUT, RELIABILITY, PROBABILITIES, TRAINING)
AXES = ("Reliability", "probability", "share that is so", "Loss", "Score on dev", "step", "loss", "score on dev")
_TESTED = re.compile(r"(?P<model>[^,]+), (?P<test>.+, complete labels(?: \(\d+\))?)(?P<values>: n = .+)")
LINES = ("train loss", "dev loss", "dev f1", "dev accuracy")  # after the name of a model


def finding_words() -> set[str]:
    """Every text that can be translated here, as the key of a language file."""
    found = {f"{COLUMN}|{column.title}" for column in (*LADDER_COLUMNS, *ERROR_COLUMNS)}
    found |= {f"{FACET}|{facet}" for facet in FACETS} | {f"{KIND}|{kind}" for kind in MODEL_KINDS}
    found |= {f"{VALUE}|{value}" for values in VALUES.values() for value in values}
    return found | {*TITLES, *AXES, *LINES, PERFECT, *MISTAKE_KINDS, *SIDES}


def shown_ladder(finding: Finding) -> Finding:
    """The ladder with its titles and its headlines in the language of the page; remarks are for ``remark``."""
    tables = [replace(_with_columns(_with_tests(table)), title=word(table.title)) for table in finding.tables]
    headlines = [sentence(headline) for headline in finding.headlines]
    return replace(finding, about=word(finding.about), tables=tables, headlines=headlines)


def shown_errors(table: Table) -> Table:
    """The error rates of a model, with the facets and those of their values that every project has."""
    return _with_columns(replace(table, rows=[_facet_cells(row) for row in table.rows]))


def remark(text: str) -> Markup:
    """A remark of an analysis, which may stand after the names of a model and of a test."""
    names, rest = "", text
    while translated(rest) is None and ": " in rest:
        name, _, rest = rest.partition(": ")
        names += f"{sentence(name)}: "
    return escape(names) + sentence_html(rest) if translated(rest) is not None else sentence_html(text)


def model_kind(kind: str) -> str:
    return translate_in_context(KIND, kind)


def shown_figure(spec: Spec) -> Spec:
    """A figure with its titles and the names of its lines in the language of the page."""
    return {name: _in_figure(name, value) for name, value in spec.items()}


def _in_figure(name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return shown_figure(value)
    if isinstance(value, list):
        return [_in_figure(name, part) for part in value]
    if not isinstance(value, str):
        return value
    return word(value) if name == "title" and value in AXES else _line(value)


def _line(name: str) -> str:
    if tested := _TESTED.fullmatch(name):
        return f"{tested['model']}, {sentence(tested['test'])}{tested['values']}"
    model, _, measured = name.rpartition(": ")
    return f"{model}: {word(measured)}" if model and measured in LINES else word(name) if name == PERFECT else name


def _with_columns(table: Table) -> Table:
    columns = [replace(column, title=translate_in_context(COLUMN, column.title)) for column in table.columns]
    return replace(table, columns=columns)


def _with_tests(table: Table) -> Table:
    """The rows with the names of tests, which may say what is predicted, in the language of the page."""
    tests = [place for place, column in enumerate(table.columns) if column.title == "test"]
    rows = [[sentence(str(cell)) if place in tests else cell for place, cell in enumerate(row)] for row in table.rows]
    return replace(table, rows=rows)


def _facet_cells(row: Sequence[Cell]) -> list[Cell]:
    facet, value, *counts = row
    shown = str(value)
    if facet == "method":
        shown = word(METHODS[shown]) if shown in METHODS else shown
    elif facet == "length":
        shown = sentence(shown)
    elif shown in VALUES.get(str(facet), ()):
        shown = translate_in_context(VALUE, shown)
    return [translate_in_context(FACET, str(facet)), shown, *counts]
