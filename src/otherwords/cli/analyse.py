"""``otherwords analyse``: what a corpus is like, as tables and figures of papers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options, sample_option, seed_option, simulated_option, synonyms_option
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.analyse.analyses import Analysed
    from otherwords.analyse.finding import Finding, Table


@click.command("analyse")
@click.argument("corpora", metavar="PROJECT|FILE…", nargs=-1)
@click.option("--only", metavar="NAME,…", help="Only these analyses; --list names them.")
@click.option("--list", "listing", is_flag=True, help="List all analyses and what each is about.")
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
    seed: int,
    sample: int,
    synonyms: str | None,
    simulated: bool,
    wishes: dict[str, Any],
) -> None:
    """Analyse corpora: labels, lexical similarity, lengths, overlap, patterns and more.

    Takes projects, releases and files in any format. Each analysis gives tables and figures, with the signature of
    every number. Several corpora are also put beside each other.

    \b
      otherwords analyse corpus
      otherwords analyse dev.json --from turku --only labels,similarity
      otherwords analyse corpus --out analysis
      otherwords analyse corpus dev.json --only distributions --json
    """
    from otherwords.analyse.analyses import Wishes, analysed
    from otherwords.analyse.writing_findings import as_json as json_of
    from otherwords.cli.talk import looking
    from otherwords.corpus.corpora import corpus_of

    if listing:
        _list()
        return
    if not corpora:
        raise UsageError("name a project, a release or a file to analyse; --list says what can be found out")
    chosen = [name.strip() for name in only.split(",") if name.strip()] if only is not None else []
    _check(only, chosen, out)
    opened = [corpus_of(path, simulated=simulated, **wishes) for path in corpora]
    with looking("analysing") as progress:
        found = analysed(opened, Wishes(seed, sample, synonyms), chosen, progress)
    if out:
        _write(found, Path(out))
    if as_json:
        click.echo(json.dumps(json_of(found), ensure_ascii=False, indent=2))
    else:
        _print(found)


def _check(only: str | None, chosen: list[str], out: str | None) -> None:
    """Say before the work what cannot be done after it."""
    from otherwords.analyse.analyses import check_names

    if only is not None and not chosen:
        raise UsageError("--only needs the name of an analysis; --list names them")
    check_names(chosen)
    if out and Path(out).exists() and (not Path(out).is_dir() or any(Path(out).iterdir())):
        raise UsageError(f"--out {out}: is not an empty folder; name a new one")


def _list() -> None:
    from rich.table import Table

    from otherwords.analyse.analyses import listed
    from otherwords.cli.talk import print_table

    table = Table("analysis", "of", "what it is about", box=None)
    for name, of, about in listed():
        table.add_row(name, of, about)
    print_table(table)


def _write(found: list[Analysed], folder: Path) -> None:
    from otherwords.analyse.figures import NO_FIGURES, can_draw
    from otherwords.analyse.writing_findings import write_findings
    from otherwords.cli.talk import say

    files = write_findings(found, folder)
    say(f"{folder}: {files:,} files")
    if not can_draw():
        say(NO_FIGURES)


def _print(found: list[Analysed]) -> None:
    from otherwords.cli.talk import say

    several = len(found) > 1
    for one in found:
        if several and one.findings:
            click.echo(f"=== {one.corpus.name if one.corpus else 'beside each other'} ===\n")
        for note in one.corpus.notes if one.corpus else ():
            say(f"{one.corpus.name if one.corpus else ''}: {note}")
        for finding in one.findings:
            _print_finding(finding)


def _print_finding(finding: Finding) -> None:
    from otherwords.cli.talk import say

    for table in finding.tables:
        title = finding.title if table.title == finding.title else f"{finding.title} · {table.title}"
        click.echo(title)
        _print_rows(table)
        click.echo()
    for signed in dict.fromkeys(finding.signatures.values()):
        of = [name for name, told in finding.signatures.items() if told == signed]
        say(f"{finding.name} ({', '.join(of)}): {signed}")
    for remark in finding.remarks:
        say(f"{finding.name}: {remark}")


def _print_rows(table: Table) -> None:
    from rich.table import Table as Drawn

    from otherwords.analyse.finding import shown
    from otherwords.cli.talk import print_table

    drawn = Drawn(box=None)
    for column in table.columns:
        drawn.add_column(column.title, justify="left" if column.kind in ("text", "pair") else "right")
    for row in table.rows:
        drawn.add_row(*(shown(cell, column) for cell, column in zip(row, table.columns, strict=True)))
    print_table(drawn)
