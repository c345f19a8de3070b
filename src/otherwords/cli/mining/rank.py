"""``otherwords mine rank``: known pairs hidden in the pool of a mining run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options
from otherwords.cli.talk import number_table, print_json, print_table, say, stage_bars

if TYPE_CHECKING:
    from otherwords.mining.rank import RankSummary


@click.command()
@click.argument("folder", metavar="DIR")
@click.argument("pairs", metavar="PAIRS…", nargs=-1, required=True)
@click.option(
    "--encoder", "encoders", metavar="NAME", multiple=True, required=True, help="Encoder by name, or tfidf; repeatable."
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Number of cores; all by default.")
@click.option("--json", "as_json", is_flag=True, help="Print the ranks with seconds and memory as JSON.")
@reading_options
def rank(folder: str, pairs: tuple[str, ...], as_json: bool, reading: Any, **options: Any) -> None:
    """Hide known pairs in a pool, and see at which rank encoders find them.

    DIR is what otherwords mine wrote, PAIRS are corpora in any format. With the first text of each pair, the pool and
    the texts of all pairs are searched for the second (Figure 11 of the Turku paper).

    \b
      otherwords mine rank mined test.jsonl --encoder minilm --encoder tfidf --encoder hf:runs/encoder/model
    """
    import msgspec

    from otherwords.api import mine

    with stage_bars() as progress:
        summary = mine.rank(folder, pairs, progress=progress, **options, **reading)
    if as_json:
        print_json(msgspec.to_builtins(summary))
    else:
        _print_ranks(summary)


def _print_ranks(summary: RankSummary) -> None:

    tops = list(summary.rows[0].top)
    title = f"{summary.pairs:,} pairs among {summary.rows[0].candidates:,} texts, found in the first … (%)"
    table = number_table("encoder", "label", "pairs", *tops, "later", "mean rank %", names=2, title=title)
    for row in summary.rows:
        for label, scores in row.labels.items():
            shares = [f"{100 * share:.1f}" for share in scores.top.values()]
            later = f"{100 * (1 - scores.top[tops[-1]]):.1f}"
            table.add_row(row.encoder, label, f"{scores.n:,}", *shares, later, f"{scores.mean_rank:.2f}")
    print_table(table)
    for reason, count in summary.left_out.items():
        say(f"{count:,} pairs were left out: {reason}")
    if summary.copies:
        say(f"{summary.copies:,} sentences of the pool are texts of the pairs, and count once")
    for row in summary.rows:
        if row.ties:
            say(f"{row.encoder}: {row.ties:,} of {row.n:,} pairs tie with another text, which counts first")
        for reason, count in row.without_vector.items():
            say(f"{row.encoder}: {count:,} texts have no vector: {reason}")
        say(row.signature)
    say(f"{summary.seconds:.1f} s; {summary.rss_mb:,.0f} MB")
