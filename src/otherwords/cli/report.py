"""``otherwords report``: everything that can be said of a corpus, as a page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options, seed_option, simulated_option, synonyms_option

if TYPE_CHECKING:
    from otherwords.analyse.report import Written


@click.command("report")
@click.argument("corpus", metavar="PROJECT|FILE|RELEASE")
@click.option("--out", metavar="DIR", required=True, help="A new folder for the page, its tables and its figures.")
@seed_option
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="How many examples of each label and pattern are shown.",
)
@synonyms_option
@simulated_option
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
@reading_options
def command(
    corpus: str,
    out: str,
    seed: int,
    examples: int,
    synonyms: str | None,
    simulated: bool,
    as_json: bool,
    wishes: dict[str, Any],
) -> None:
    """Write a report: a page with figures, tables, examples, agreement, provenance and methods.

    The page needs no network and no script, is light or dark as its reader's system is, and can be
    printed. Its tables stand beside it as CSV and JSON, its figures as SVG and PNG. Made twice, it is
    the same bytes.

    \b
      otherwords report corpus --out report
      otherwords report dev.json --from turku --lang fi --out report
      otherwords report release --out report --examples 5 --seed 1
    """
    from otherwords.analyse.analyses import Wishes
    from otherwords.analyse.report import report
    from otherwords.cli.talk import looking

    chosen = Wishes(seed=seed, synonyms=synonyms, examples=examples)
    with looking("reporting") as progress:
        written = report(corpus, out, chosen, simulated=simulated, progress=progress, **wishes)
    tell(written, as_json=as_json)


def tell(written: Written, *, as_json: bool) -> None:
    """Where the page is, on standard output."""
    from otherwords.cli.talk import say

    if as_json:
        told: dict[str, Any] = {"page": str(written.page), "findings": written.findings}
        told |= {"tables": written.tables, "figures": written.figures, "warnings": written.warnings}
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    click.echo(str(written.page))
    say(f"{len(written.findings):,} findings, {written.tables:,} tables, {written.figures:,} figures")
    for warning in written.warnings:
        say(warning)
