"""``otherwords types``: which types of paraphrase a corpus has, how often and how long."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.analyse.types import TypesTable
    from otherwords.analyse.types_correlation import Correlation

FORMATS = ("p4p", "etpc", "msrp-a", "jsonl")
FACTS = ("words", "pairs", "phenomena", "words_per_member", "phenomena_per_pair", "phenomena_per_word")


@click.command("types")
@click.argument("corpora", metavar="PROJECT|FILE…", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print the tables as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the tables as CSV: corpus, figure, type, value.")
@click.option(
    "--tokeniser", metavar="NAME", help="The tokeniser for lengths; the judgement's or language's by default."
)
@click.option("--write", "target", metavar="FILE", help="Also write the annotations that count, for others to read.")
@click.option("--to", type=click.Choice(FORMATS), default="p4p", show_default=True, help="The format to write.")
@reading_options
def command(
    corpora: tuple[str, ...],
    as_json: bool,
    as_csv: bool,
    tokeniser: str | None,
    target: str | None,
    to: str,
    wishes: dict[str, Any],
) -> None:
    """Count the paraphrase types of corpora: Tables 3 and 4 of Vila et al. 2014.

    A pair counts once, by its consensus or else by the first annotation of it. Length is in tokens a text. Of several
    corpora, the correlation (Pearson) of the frequencies of types of every two is given as well. What is written
    does not name annotators.

    \b
      otherwords types corpus
      otherwords types P4P.xml --from p4p --json
      otherwords types P4P.xml MSRP-A/ corpus --csv
      otherwords types corpus --write corpus.xml --to p4p
    """
    from otherwords.analyse.types import types_table
    from otherwords.analyse.types_correlation import correlations
    from otherwords.analyse.types_reading import annotations_of
    from otherwords.analyse.types_writing import write_types

    if as_json and as_csv:
        raise UsageError("--json and --csv: choose one")
    if target and len(corpora) > 1:
        raise UsageError("--write takes one corpus at a time")
    found_in = [annotations_of(corpus, **wishes) for corpus in corpora]
    tables = [types_table(name, found, tokeniser) for name, found in found_in]
    if target:
        write_types(*found_in[0], target, to)
    alike = correlations(tables)
    if as_json:
        several = {"corpora": [table.as_dict() for table in tables], "pearson": [asdict(one) for one in alike]}
        click.echo(json.dumps(several if len(tables) > 1 else tables[0].as_dict(), ensure_ascii=False, indent=2))
    elif as_csv:
        _print_csv(tables, alike)
    else:
        _print(tables, alike)
    _say_notes(tables)


def _say_notes(tables: list[TypesTable]) -> None:
    from otherwords.cli.talk import say

    for table in tables:
        for note, count in table.notes.most_common():
            say(f"{table.corpus}: {count:,} {note}")


def _print(tables: list[TypesTable], found: list[Correlation]) -> None:
    from rich.table import Table

    from otherwords.cli.talk import print_table

    for table in tables:
        told = table.as_dict()
        facts = Table(table.corpus, "", box=None)
        for name in FACTS:
            facts.add_row(name.replace("_", " "), _number(told[name]))
        types = Table("type", "phenomena", "%", "length", box=None)
        for tag, row in told["types"].items():
            types.add_row(tag, f"{row['phenomena']:,}", _number(row["frequency"]), _number(row["length"]))
        for each in (facts, types):
            for column in each.columns[1:]:
                column.justify = "right"
            print_table(each)
            click.echo()
    for one in found:
        value = f"{one.value:.2f}" if one.value is not None else f"undefined: {one.note}"
        click.echo(f"Pearson of {' and '.join(one.corpora)}, {one.types} types: {value}")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def _print_csv(tables: list[TypesTable], found: list[Correlation]) -> None:
    import csv
    import sys

    from otherwords.sources.csv_safe import safe_cell

    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(("corpus", "figure", "type", "value"))
    rows.writerows([safe_cell(cell) for cell in row] for row in _rows(tables, found))


def _rows(tables: list[TypesTable], found: list[Correlation]) -> Iterator[tuple[object, ...]]:
    for table in tables:
        told = table.as_dict()
        yield from ((table.corpus, name, None, told[name]) for name in FACTS)
        for tag, row in told["types"].items():
            yield from ((table.corpus, name, tag, value) for name, value in row.items())
    for one in found:
        yield " and ".join(one.corpora), "pearson", None, one.value
