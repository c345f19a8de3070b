"""Pages about one corpus, about several, about a paper beside its data, and about a corpus to come."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options, sample_option, seed_option, simulated_option, synonyms_option
from otherwords.cli.talk import pair_bar, print_json, print_table, say

if TYPE_CHECKING:
    from otherwords.analyse.finding import Table
    from otherwords.analyse.report.build import WrittenReport
    from otherwords.analyse.reproduce.reproduce import Reproduction

LIKE = ("turku", "suzuki", "multipit", "rupaws")  # papers that print enough to plan from
PAPERS = ("turku", "suzuki", "multipit", "vila", "rupaws")


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


@click.command("reproduce")
@click.argument("paper", type=click.Choice(PAPERS))
@click.argument("data", metavar="DATA")
@synonyms_option
@click.option("--out", metavar="DIR", help="New folder for a page with its tables.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def reproduce(paper: str, data: str, synonyms: str | None, out: str | None, as_json: bool) -> None:
    """Recompute a paper's tables and figures from its released data, and set them beside the printed numbers.

    DATA is a file or folder of the release. Each number is ✓ (equal at the printed precision), ≈ (close, with
    the reason), ≠ (different), not released, or not here (released, but not in DATA). If DATA is only part of
    the release, the output says so, and how much of a difference sampling explains.

    \b
      otherwords reproduce suzuki tmup.tsv
      otherwords reproduce vila P4P.xml --out page
      otherwords reproduce turku data --synonyms wn-fin.tab --json
    """
    from otherwords.api import papers

    result = papers.reproduce(paper, data, synonyms=synonyms, out=out)  # type: ignore[arg-type]
    if as_json:
        print_json(result.as_dict())
        return
    _print_reproduction(result)
    if out is not None:
        say(f"the page is in {out}")


def _print_reproduction(result: Reproduction) -> None:
    from otherwords.analyse.reproduce.sheet import left_table, result_tables, summary, unused_files

    click.echo(result.paper.title)
    for file in result.used:
        click.echo(f"  found {file.name}: {file.about}")
    for about in result.missing:
        click.echo(f"  missing: {about}")
    for remark in unused_files(result):
        say(remark)
    for _, table in result_tables(result):
        _print_numbers(table)
    _print_numbers(left_table(result))
    click.echo(f"\n{summary(result)}")


def _print_numbers(numbers: Table) -> None:
    from rich.table import Table as Grid

    from otherwords.analyse.finding import format_cell

    if not numbers.rows:
        return
    grid = Grid(*(column.title for column in numbers.columns), title=numbers.title, title_justify="left", box=None)
    for column, shown in zip(numbers.columns, grid.columns, strict=True):
        shown.justify = "right" if column.kind in ("number", "count") else "left"
    for row in numbers.rows:
        grid.add_row(*(format_cell(cell, column) for cell, column in zip(row, numbers.columns, strict=True)))
    click.echo()
    print_table(grid)


@click.command("plan")
@click.argument("project", metavar="[PROJECT]", required=False)
@click.option(
    "--pairs", type=click.IntRange(min=1), required=True, help="Number of labelled pairs the corpus should have."
)
@click.option(
    "--double", type=float, default=0.1, show_default=True, help="Share of pairs that a second person judges."
)
@click.option(
    "--checks", type=float, help="Share of pairs that are checked again; by default that of the project or the paper."
)
@click.option("--people", type=int, default=3, show_default=True, help="Number of people who work on it.")
@click.option(
    "--hours-a-week", type=float, default=10.0, show_default=True, help="Hours that each person works in a week."
)
@click.option("--wage", type=float, help="Cost of an hour of work.")
@click.option(
    "--like", type=click.Choice(LIKE), default="turku", show_default=True, help="Paper that missing figures come from."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed for the intervals.")
@click.option("--out", metavar="DIR", help="New folder for a page with its tables.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def plan(project: str | None, as_json: bool, **options: Any) -> None:
    """Plan a corpus: how many documents, people, hours and weeks it takes, and how wide its intervals will be.

    The plan uses the project's own pace and yield where the project has done enough work to know them, and
    figures from a paper for the rest; each figure says where it comes from. Without a project, all of them come
    from the paper.

    \b
      otherwords plan corpus --pairs 10000
      otherwords plan corpus --pairs 10000 --double 0.2 --people 4 --hours-a-week 15 --wage 25
      otherwords plan --pairs 10000 --like rupaws --out plan
    """
    from otherwords.analyse.planning.sheet import figures_table, intervals_table, lines, stages_table
    from otherwords.api import papers

    planned = papers.plan(project, **options)
    if as_json:
        print_json(planned.as_dict())
        return
    for line in lines(planned):
        click.echo(line)
    for table in (stages_table(planned), figures_table(planned), intervals_table(planned)):
        _print_numbers(table)
    for remark in planned.remarks:
        say(remark)
    if options["out"] is not None:
        say(f"the page is in {options['out']}")
