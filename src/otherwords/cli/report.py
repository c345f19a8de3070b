"""``otherwords report`` and ``otherwords compare``: a page about one corpus, or about several."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options, sample_option, seed_option, simulated_option, synonyms_option
from otherwords.cli.talk import pair_bar, print_json, say

if TYPE_CHECKING:
    from otherwords.analyse.report.build import WrittenReport


@click.command("report")
@click.argument("corpus", metavar="PROJECT|FILE|RELEASE")
@click.option("--out", metavar="DIR", required=True, help="New folder for the page, its tables and its figures.")
@seed_option
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="Number of examples of each label and pattern.",
)
@synonyms_option
@simulated_option
@click.option("--json", "as_json", is_flag=True, help="Print a summary as JSON.")
@reading_options
def report(corpus: str, out: str, as_json: bool, reading: Any, **options: Any) -> None:
    """Write a report: a page with figures, tables, examples, agreement, provenance and methods.

    The page needs no network and no script, is light or dark like the reader's system, and can be
    printed. Its tables are beside it as CSV and JSON, its figures as SVG and PNG. The same corpus gives
    the same bytes.

    \b
      otherwords report corpus --out report
      otherwords report dev.json --from turku --lang fi --out report
      otherwords report release --out report --examples 5 --seed 1
    """
    from otherwords.api import corpora

    with pair_bar("reporting") as progress:
        written = corpora.report(corpus, out, progress=progress, **options, **reading)
    _print_written(written, as_json=as_json)


@click.command("compare")
@click.argument("paths", metavar="PROJECT|FILE|RELEASE…", nargs=-1, required=True)
@click.option("--out", metavar="DIR", required=True, help="New folder for the page, its tables and its figures.")
@seed_option
@sample_option
@synonyms_option
@simulated_option
@click.option("--json", "as_json", is_flag=True, help="Print a summary as JSON.")
@reading_options
def compare(paths: tuple[str, ...], out: str, as_json: bool, reading: Any, **options: Any) -> None:
    """Compare several corpora: labels, lengths, similarity, mapping, patterns and more.

    Takes projects, releases and files, each in its own format if that is recognised. Numbers that
    depend on the size of a corpus are computed on samples of equal size.

    \b
      otherwords compare corpus other.jsonl --out comparison
      otherwords compare train.jsonl dev.jsonl test.jsonl --out parts --sample 5000 --seed 1
    """
    from otherwords.api import corpora

    with pair_bar("comparing") as progress:
        written = corpora.compare(paths, out, progress=progress, **options, **reading)
    _print_written(written, as_json=as_json)


def _print_written(written: WrittenReport, *, as_json: bool) -> None:
    """Print where the page is."""

    if as_json:
        print_json(asdict(written) | {"page": str(written.page)})
        return
    click.echo(str(written.page))
    say(f"{len(written.findings):,} findings, {written.tables:,} tables, {written.figures:,} figures")
    for warning in written.warnings:
        say(warning)
