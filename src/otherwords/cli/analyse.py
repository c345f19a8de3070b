"""``otherwords analyse``: the tables and figures of papers for any corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import (
    reading_options,
    sample_option,
    seed_option,
    simulated_option,
    split_names,
    synonyms_option,
)
from otherwords.cli.talk import pair_bar, print_json, print_table, say
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.analyse.catalogue import AnalysisResult
    from otherwords.analyse.finding import Finding, Table


@click.command("analyse")
@click.argument("corpora", metavar="PROJECT|FILE…", nargs=-1)
@click.option("--only", metavar="NAME,…", help="Only these analyses; --list names them.")
@click.option("--list", "listing", is_flag=True, help="List all analyses.")
@click.option("--out", metavar="DIR", help="Also write a new folder of JSON, CSV, SVG and PNG files.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@seed_option
@sample_option
@synonyms_option
@simulated_option
@reading_options
def command(
    corpora: tuple[str, ...],
    only: str | None,
    listing: bool,
    out: str | None,
    as_json: bool,
    reading: Any,
    **options: Any,
) -> None:
    """Analyse corpora: labels, lexical similarity, lengths, overlap, patterns and more.

    Takes projects, releases and files in any format. Each analysis gives tables and figures, with the signature of
    every number. Several corpora are also compared.

    \b
      otherwords analyse corpus
      otherwords analyse dev.json --from turku --only labels,similarity
      otherwords analyse corpus --out analysis
      otherwords analyse corpus dev.json --only distributions --json
    """
    from otherwords.analyse.report.export import as_json as findings_as_json
    from otherwords.api.corpora import analyse

    if listing:
        _list()
        return
    if not corpora:
        message = "name a project, a release or a file to analyse; --list names the analyses"
        raise UsageError(message, code="no-corpus")
    names = split_names(only)
    if only is not None and not names:
        raise UsageError("--only needs the name of an analysis; --list names them", code="no-analysis")
    with pair_bar("analysing") as progress:
        results = analyse(corpora, only=names, out=out, progress=progress, **options, **reading)
    if out:
        from otherwords.analyse.figures.render import NO_FIGURES, can_draw

        files = sum(path.is_file() for path in Path(out).rglob("*"))
        say(f"{out}: {files:,} {'file' if files == 1 else 'files'}")
        if not can_draw():
            say(NO_FIGURES)
    if as_json:
        print_json(findings_as_json(results))
    else:
        _print(results)


def _list() -> None:
    from rich.table import Table

    from otherwords.analyse.catalogue import list_analyses

    table = Table("analysis", "of", "what it is about", box=None)
    for row in list_analyses():
        table.add_row(*row)
    print_table(table)


def _print(results: list[AnalysisResult]) -> None:
    for result in results:
        name = result.corpus.name if result.corpus else "comparison"
        if len(results) > 1 and result.findings:
            click.echo(f"=== {name} ===\n")
        for note in result.corpus.notes if result.corpus else ():
            say(f"{name}: {note}")
        for finding in result.findings:
            print_finding(finding)


def print_finding(finding: Finding) -> None:
    """Print the tables of a finding; its signatures and remarks are talk."""
    for table in finding.tables:
        title = finding.title if table.title == finding.title else f"{finding.title} · {table.title}"
        click.echo(title)
        _print_rows(table)
        click.echo()
    for signature in dict.fromkeys(finding.signatures.values()):
        names = [name for name, other in finding.signatures.items() if other == signature]
        say(f"{finding.name} ({', '.join(names)}): {signature}")
    for remark in finding.remarks:
        say(f"{finding.name}: {remark}")


def _print_rows(table: Table) -> None:
    from rich.table import Table as RichTable

    from otherwords.analyse.finding import format_cell

    printed = RichTable(box=None)
    for column in table.columns:
        printed.add_column(column.title, justify="left" if column.kind in ("text", "pair") else "right")
    for row in table.rows:
        printed.add_row(*(format_cell(cell, column) for cell, column in zip(row, table.columns, strict=True)))
    print_table(printed)
