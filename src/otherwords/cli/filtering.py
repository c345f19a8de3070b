"""Commands that choose among candidate pairs: ``filter`` with reasons, ``sample`` by ranges of a measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import measure_specs, reading_options
from otherwords.cli.talk import ReadingBar, number_table, print_json, print_table, say
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.acquire.filters.proposal import ThresholdProposal
    from otherwords.api.filtering import FilterReport, SampleReport

EXAMPLES = 3  # of each reason
BARS = " ▁▂▃▄▅▆▇█"
MOST_CHARACTERS = 90  # of a text in a table


@click.command("filter")
@click.argument("pairs", metavar="PROJECT|FILE")
@click.option(
    "--rules",
    "-r",
    "names",
    metavar="NAME[:KEY=VALUE,…]",
    multiple=True,
    help="A rule; several may follow. A measure with min or max is a rule, too.",
)
@click.option("--out", "-o", metavar="FILE", help="File for the pairs that are kept; - is standard output.")
@click.option("--rejected", metavar="FILE", help="File for the rejected pairs, each with its reason in meta.filter.")
@click.option("--to", metavar="FORMAT", help="Format to write; by the suffix of the file if not given.")
@click.option("--explain", is_flag=True, help="Show examples of each reason; without --out, write nothing.")
@click.option("--propose", is_flag=True, help="Propose thresholds by the values of the pairs, and change nothing.")
@click.option(
    "--share",
    type=click.FloatRange(0, 0.5, max_open=True),
    default=0.01,
    show_default=True,
    help="Share of the pairs that a proposed threshold may cut off.",
)
@click.option("--plot", metavar="FILE", help="Draw the values and the proposed thresholds as .svg or .png.")
@click.option("--dry-run", is_flag=True, help="In a project: show what would be left out and change nothing.")
@click.option("--undo", is_flag=True, help="In a project: take back all pairs that filters left out.")
@click.option("--tokeniser", metavar="NAME", help="Tokeniser of all rules that need words.")
@click.option("--jobs", "-j", type=click.IntRange(1), help="Number of cores to use; all by default.")
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@reading_options
def filter(
    pairs: str,
    names: tuple[str, ...],
    out: str | None,
    explain: bool,
    propose: bool,
    share: float,
    as_json: bool,
    reading: Any,
    **options: Any,
) -> None:
    """Reject candidate pairs by rules, each with a reason.

    The rules are length, ratio, characters, numbers and copies unless others are named: bleu, cosine,
    language, fluency, or any measure with a bound. From a file, the pairs that are kept are written as
    they were. In a project, rejected pairs are left out of the corpus with the reason, and --undo takes
    them back; only pairs that nobody has judged are looked at.

    \b
      otherwords filter pairs.jsonl --out kept.jsonl --rejected rejected.jsonl
      otherwords filter pairs.jsonl --rules length:min=5,max=60 --rules bleu:max=14 --explain
      otherwords filter pairs.jsonl --rules language --rules jaccard:max=0.9 --propose --plot values.svg
      otherwords filter corpus --explain --dry-run
    """
    from otherwords.api import filtering

    bar = ReadingBar()
    shown = explain or propose or as_json or options["plot"] is not None
    if out == "-" and shown:
        message = "--out - and the tables would both be on standard output; name a file"
        raise UsageError(message, code="conflicting-options")
    report = filtering.filter(
        pairs,
        out,
        rules=measure_specs(names),
        examples=EXAMPLES if explain else 0,
        propose=share if propose else None,
        progress=bar,
        **options,
        **reading,
    )
    if as_json:
        print_json(report.as_dict())
    elif report.proposals:
        _print_proposals(report.proposals)
    elif report.taken_back is None and out != "-":
        _print_reasons(report)
    bar.say_counts()
    say(_filter_summary(report, options["dry_run"], out))


def _print_reasons(report: FilterReport) -> None:

    table = number_table("reason", "alone", "first", "only")
    for count in report.reasons:
        table.add_row(count.reason, *(f"{number:,}" for number in (count.alone, count.first, count.only)))
    print_table(table)
    for count in report.reasons:
        if count.examples:
            click.echo(f"\n{count.reason}")
        for example in count.examples:
            value = "" if example.value is None else f"  ({example.value:.4g})"
            click.echo(f"  {example.id}{value}\n    {_short(example.text1)}\n    {_short(example.text2)}")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MOST_CHARACTERS else f"{line[: MOST_CHARACTERS - 1]}…"


def _print_proposals(proposals: list[ThresholdProposal]) -> None:

    names = list(proposals[0].quantiles)
    table = number_table("value", *names, "histogram", "rule", "rejects", texts=3)
    for proposal in proposals:
        most = max(bar.pairs for bar in proposal.histogram) or 1
        bars = "".join(BARS[-(-bar.pairs * (len(BARS) - 1) // most)] for bar in proposal.histogram)
        values = (f"{value:.4g}" for value in proposal.quantiles.values())
        table.add_row(proposal.value, *values, bars, proposal.spec, f"{proposal.rejects:,}")
    print_table(table)


def _filter_summary(report: FilterReport, dry_run: bool, out: str | None) -> str:
    if report.taken_back is not None:
        return f"{_pairs(report.taken_back)} taken back"
    if report.proposals:
        return f"{_pairs(report.pairs)} looked at; nothing was changed"
    sentence = f"{_pairs(report.pairs)} looked at, {report.kept:,} kept, {report.rejected:,} rejected"
    if report.left_out is None:
        return sentence if out else f"{sentence}; nothing was written"
    done = "nothing was changed" if dry_run else f"{_pairs(report.left_out)} left out"
    others = f"; {_pairs(report.others or 0)} judged or labelled already, or tests, not looked at"
    return f"{sentence}; {done}{others if report.others else ''}"


@click.command("sample")
@click.argument("pairs", metavar="PROJECT|FILE")
@click.option(
    "--by", metavar="NAME[:KEY=VALUE,…]", default="jaccard", show_default=True, help="The measure that makes ranges."
)
@click.option("--bins", metavar="N|EDGE,EDGE,…", default="10", show_default=True, help="Equal ranges, or their edges.")
@click.option("--per-bin", type=click.IntRange(1), default=50, show_default=True, help="Pairs of each range.")
@click.option(
    "--balance", type=click.Choice(["label", "topic", "group"]), help="Draw from these in turn, within each range."
)
@click.option("--cap-per-group", type=click.IntRange(1), metavar="K", help="At most so many pairs of a group.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Random seed.")
@click.option("--out", "-o", metavar="FILE", help="File for the drawn pairs; of a project, for their ids.")
@click.option("--to", metavar="FORMAT", help="Format to write; by the suffix of the file if not given.")
@click.option("--batch", metavar="NAME", help="In a project: make a batch of the drawn pairs.")
@click.option("--times", type=click.IntRange(1, 100), default=1, show_default=True, help="Judgements per pair.")
@click.option("--also-labelled", is_flag=True, help="In a project: draw also from pairs that came with a label.")
@click.option("--plot", metavar="FILE", help="Draw the ranges before and after as .svg or .png.")
@click.option("--tokeniser", metavar="NAME", help="Tokeniser, if the measure needs words.")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@reading_options
def sample(pairs: str, out: str | None, as_json: bool, reading: Any, **options: Any) -> None:
    """Draw the same number of pairs from each range of a measure.

    Ranges are closed on the left and exact at their edges; the highest score has a range of its own.
    The same seed draws the same pairs. The table shows what there was and what was drawn, and where a
    range could not be filled or balanced, why.

    \b
      otherwords sample pairs.jsonl --by jaccard --bins 10 --per-bin 20 --balance label --out sample.jsonl
      otherwords sample tmup.tsv --bins 0.5,0.6,0.7,0.8,0.9,1 --per-bin 30 --plot ranges.svg
      otherwords sample corpus --per-bin 20 --cap-per-group 2 --batch first
      otherwords sample corpus --per-bin 20 --out ids.txt
    """
    from otherwords.api import filtering

    if out == "-" and as_json:
        message = "--out - and --json would both be on standard output; name a file"
        raise UsageError(message, code="conflicting-options")
    bar = ReadingBar()
    report = filtering.sample(pairs, out, progress=bar, **options, **reading)
    if as_json:
        print_json(report.as_dict())
    elif out != "-":
        _print_sample(report)
    bar.say_counts()
    table = report.table
    sentence = f"{table.drawn:,} of {_pairs(table.pairs)} drawn"
    if table.outside:
        sentence += f"; {table.outside:,} outside the ranges"
    if missing := sum(row.missing for row in table.ranges):
        sentence += f"; {missing:,} missing in {sum(row.missing > 0 for row in table.ranges)} of the ranges"
    say(sentence)
    if report.batch is not None:
        say(f"batch {report.batch}: {_pairs(len(report.ids))}")


def _print_sample(report: SampleReport) -> None:

    drawn = report.table
    classes = drawn.classes if drawn.balance is not None and len(drawn.classes) <= 8 else []
    table = number_table("range", "pairs", "drawn", *classes, "missing", "why", texts=1, title=drawn.signature)
    for row in drawn.ranges:
        by_class = [f"{row.drawn.get(name, 0):,} of {row.available.get(name, 0):,}" for name in classes]
        counts = [f"{number:,}" for number in (sum(row.available.values()), row.pairs)]
        table.add_row(row.range, *counts, *by_class, f"{row.missing:,}", row.reason(drawn.classes))
    print_table(table)


def _pairs(number: int) -> str:
    return "1 pair" if number == 1 else f"{number:,} pairs"
