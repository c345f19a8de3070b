"""``otherwords agree``: how far people agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import named_columns
from otherwords.cli.talk import print_json, print_table, say

if TYPE_CHECKING:
    from otherwords.analyse.agreement.report import AgreementReport
    from otherwords.measures.agreement import Coefficient

BYS = ("annotator", "label", "week", "batch")
VIEWS = ("full", "arrows", "base", "binary")
WIDTH = 100
NAMES_WIDTH = 26  # longer names of measures and lists of annotators go on with the next line
REASONS = 5  # why something was not computed
PURPOSES = ("production", "training", "agreement", "check", "qa", "gold")


@click.command("agree")
@click.argument("paths", metavar="PROJECT|FILE…", nargs=-1, required=True)
@click.option("--by", type=click.Choice(BYS), help="Also measure by annotator, label, week or batch.")
@click.option(
    "--labels", multiple=True, type=click.Choice(VIEWS), help="Compare this projection of the labels; may be repeated."
)
@click.option("--scheme", metavar="NAME", help="Only judgements of this scheme; for a table, the scheme of its values.")
@click.option("--batch", metavar="NAME", help="Only judgements of this batch.")
@click.option(
    "--purpose",
    multiple=True,
    type=click.Choice(PURPOSES),
    help="Only judgements made for this purpose; may be repeated. Usually production and agreement.",
)
@click.option("--from", "format", metavar="FORMAT", help="Format of the files; recognised if not given.")
@click.option("--columns", metavar="FIELD=COLUMN,…", help="Columns of a table: pair=a,annotator=b,value=c.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of coefficients as JSON.")
@click.option("--html", metavar="FILE", help="Write a page with confusion matrices and agreement over weeks.")
@click.option(
    "--replicates", type=click.IntRange(min=0), default=1000, show_default=True, help="Replicates of the bootstrap."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed of the bootstrap.")
@click.option("--alt-test", metavar="MODEL", help="Instead, test whether this model may stand in for a person.")
@click.option(
    "--epsilon",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.2,
    show_default=True,
    help="What the model may lack in that test: 0.2 for experts, 0.15 for skilled people, 0.1 for a crowd.",
)
def command(
    paths: tuple[str, ...],
    columns: str | None,
    as_json: bool,
    html: str | None,
    alt_test: str | None,
    epsilon: float,
    **options: Any,
) -> None:
    """Measure how far people agree, each coefficient with its n and its interval.

    Takes a project, files of judgements, or a table of item, annotator and value. Observed agreement, Cohen, Scott,
    Fleiss, Krippendorff's alpha and Gwet's AC1 and AC2; accuracy and kappa against the consensus; F1 of spans and
    IAPTA where types were annotated. The coefficient to quote comes first; one that cannot be computed comes last,
    with the reason. Judgements for training, checks, quality control and hidden tests are compared only on request.
    Models have rows of their own and are in no coefficient of people.

    \b
      otherwords agree corpus --batch twice
      otherwords agree corpus --purpose check
      otherwords agree judgements.jsonl --labels base --by annotator
      otherwords agree table.csv --json
      otherwords agree sheet.csv --columns pair=Nr,annotator=Wer,value=Urteil
      otherwords agree corpus --html agreement.html
      otherwords agree corpus --batch triple --alt-test smollm2
    """
    from otherwords.api.corpora import agree

    if alt_test is not None:
        _print_tests(agree(paths, alt_test=alt_test, epsilon=epsilon, **options), as_json)
        return

    report = agree(paths, columns=named_columns(columns), html=html, **options)
    if as_json:
        import msgspec

        print_json(msgspec.to_builtins(report.figures))
    else:
        _print(report)
    for remark in report.remarks:
        say(remark)
    if report.other_purposes:
        say(f"to compare what was made for something else: --purpose {' or --purpose '.join(report.other_purposes)}")
    if not report.computed:
        say("nothing could be computed")
        raise SystemExit(1)


def _print_tests(report: AgreementReport, as_json: bool) -> None:
    """Print the outcome of the alternative annotator test for each question."""
    import msgspec
    from rich.table import Table

    results = report.alternative
    if as_json:
        rows = [{"question": question, **msgspec.to_builtins(test)} for question, test in results.items()]
        print_json([row | {"passes": test.passes} for row, test in zip(rows, results.values(), strict=True)])
        return
    for question, test in results.items():
        verdict = "may stand in for a person" if test.passes else "may not stand in for a person"
        about = f" on {question}" if question else ""
        click.echo(f"{test.model} {verdict}{about}: winning rate {test.winning_rate:.2f} (0.5 is needed), advantage")
        click.echo(f"probability {test.advantage:.2f}, {test.units:,} units, ε {test.epsilon:g}.\n")
        table = Table("left out", "n", "model", "person", "p", "", box=None, pad_edge=False)
        for row in test.annotators:
            cells = (f"{row.n:,}", f"{row.model:.3f}", f"{row.person:.3f}", f"{row.p:.4f}")
            table.add_row(row.annotator, *cells, "the model wins" if row.wins else "")
        print_table(table)
        for name, count in test.left_out.items():
            say(f"{name} is not tested: {count:,} units are too few")


def _print(report: AgreementReport) -> None:
    """Print what to quote, a table that fits a window, the notes about its rows, and what could not be computed."""
    from itertools import islice
    from textwrap import TextWrapper

    from rich.table import Table

    wrapped = TextWrapper(WIDTH, subsequent_indent=" " * 5, break_long_words=False, break_on_hyphens=False)
    for headline in report.headlines:
        click.echo(wrapped.fill(f"{headline.sentence}.") + "\n")
    titles = ("measure", "labels", "value", "95 % interval", "n", "annotators", "note")
    table = Table(*titles, box=None, collapse_padding=True, pad_edge=False)
    for place in (2, 3, 4, 6):
        table.columns[place].justify = "right"
    notes: dict[str, int] = {}
    missing: dict[str, dict[str, None]] = {}
    for coefficient in report.figures:
        if coefficient.value is None:
            missing.setdefault(coefficient.note or "", {})[coefficient.measure] = None
            continue
        number = notes.setdefault(coefficient.note, len(notes) + 1) if coefficient.note else ""
        table.add_row(*_cells(coefficient), str(number))
    if table.rows:
        print_table(table)
    for note, number in notes.items():
        click.echo(wrapped.fill(f"{number:>3}  {note}"))
    for reason, measures in islice(missing.items(), REASONS):
        click.echo(wrapped.fill(f"  –  {reason}: no {', '.join(measures)}"))
    if len(missing) > REASONS:
        click.echo(f"  –  and {len(missing) - REASONS:,} more reasons why a coefficient is missing; --json lists them")


def _cells(row: Coefficient) -> list[str]:
    interval = f"{row.low:.3f} … {row.high:.3f}" if row.low is not None and row.high is not None else ""
    annotators = f"{len(row.annotators)} people"
    if len(row.annotators) <= 3:
        annotators = ", ".join(row.annotators) or "not named"
        annotators = annotators if len(annotators) <= NAMES_WIDTH else annotators.replace(", ", ",\n")
    return [_measure_lines(row.measure), row.labels, f"{row.value:.3f}", interval, f"{row.n:,}", annotators]


def _measure_lines(measure: str) -> str:
    """The name of a measure, broken where one of its parts ends."""
    if len(measure) <= NAMES_WIDTH or ":" not in measure:
        return measure
    name, _, part = measure.partition(":")
    parts = [text if len(text) < NAMES_WIDTH else text.replace("=", "=\n ") for text in part.split(",")]
    return "\n ".join([f"{name}:", *parts])
