"""``otherwords agree``: how far people agree."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from otherwords.analyse.agree import Report
    from otherwords.measures.agreement.figure import Figure

BYS = ("annotator", "label", "week", "batch")
VIEWS = ("full", "arrows", "base", "binary")
WIDTH = 100
LONGEST_MEASURE, LONGEST_NAMES = 28, 22  # longer ones are folded
PURPOSES = ("production", "training", "agreement", "check", "qa", "gold")


@click.command("agree")
@click.argument("paths", metavar="PROJECT|FILE…", nargs=-1, required=True)
@click.option("--by", type=click.Choice(BYS), help="Also by annotator, label, week or batch.")
@click.option(
    "--labels", multiple=True, type=click.Choice(VIEWS), help="Compare this projection of the labels; may be repeated."
)
@click.option("--scheme", metavar="NAME", help="Only judgements of this scheme; for a table, the scheme of its values.")
@click.option("--batch", metavar="NAME", help="Only judgements of this batch.")
@click.option("--purpose", type=click.Choice(PURPOSES), help="Only judgements that were made for this.")
@click.option("--from", "format", metavar="FORMAT", help="The format of files; recognised where it is not named.")
@click.option("--columns", metavar="FIELD=COLUMN,…", help="Where a table's fields are: pair=a,annotator=b,value=c.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of figures as JSON.")
@click.option("--html", metavar="FILE", help="Write a page with confusion matrices and agreement over weeks.")
@click.option(
    "--replicates",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Replicates of the bootstrap.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The seed of the bootstrap.")
def command(paths: tuple[str, ...], columns: str | None, as_json: bool, html: str | None, **wishes: Any) -> None:
    """Measure how far people agree, each figure with its n and its interval.

    Takes a project, files of judgements, or a table of item, annotator and value. Observed agreement, Cohen, Scott,
    Fleiss, Krippendorff's alpha and Gwet's AC1 and AC2; accuracy and kappa against the consensus; F1 of spans and
    IAPTA where types were annotated. What cannot be computed says why.

    \b
      otherwords agree corpus --batch twice
      otherwords agree judgements.jsonl --labels base --by annotator
      otherwords agree table.csv --json
      otherwords agree sheet.csv --columns pair=Nr,annotator=Wer,value=Urteil
      otherwords agree corpus --html agreement.html
    """
    from otherwords.analyse.agree_files import measured
    from otherwords.cli.options import named_columns
    from otherwords.cli.talk import say

    report = measured(paths, columns=named_columns(columns), pictures=html is not None, **wishes)
    if html:
        from otherwords.analyse.agree_page import save

        save(report, html, ", ".join(paths))
    if as_json:
        import msgspec

        click.echo(json.dumps(msgspec.to_builtins(report.figures), ensure_ascii=False, indent=2))
    else:
        _print(report)
    for remark in report.remarks:
        say(remark)
    if not report.computed:
        say("nothing could be computed")
        raise SystemExit(1)


def _print(report: Report) -> None:
    """A table that fits a window, and under it what is to be known about its rows."""
    from textwrap import fill

    from rich.table import Table

    from otherwords.cli.talk import print_table

    if not report.figures:
        return
    table = Table("measure", "labels", "value", "95 % interval", "n", "annotators", "note", box=None)
    for place in (2, 3, 4, 6):
        table.columns[place].justify = "right"
    table.columns[0].max_width, table.columns[5].max_width = LONGEST_MEASURE, LONGEST_NAMES
    table.columns[0].overflow = "fold"
    notes: dict[str, int] = {}
    for figure in report.figures:
        number = notes.setdefault(figure.note, len(notes) + 1) if figure.note else ""
        table.add_row(*_cells(figure), str(number))
    print_table(table)
    for note, number in notes.items():
        click.echo(fill(note, WIDTH, initial_indent=f"{number:>3}  ", subsequent_indent=" " * 5))


def _cells(figure: Figure) -> list[str]:
    value = "–" if figure.value is None else f"{figure.value:.3f}"
    between = f"{figure.low:.3f} … {figure.high:.3f}" if figure.low is not None and figure.high is not None else ""
    who = ", ".join(figure.annotators) if len(figure.annotators) <= 3 else f"{len(figure.annotators)} people"
    return [figure.measure, figure.labels, value, between, f"{figure.n:,}", who]
