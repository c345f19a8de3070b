"""``otherwords score``: a score per measure for every pair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from otherwords.cli.options import measure_specs, reading_options, refuse_same
from otherwords.errors import UsageError

DEFAULT = ("char-cosine", "jaccard", "bleu")


@click.command("score")
@click.argument("pairs", metavar="PAIRS")
@click.argument("more", metavar="", nargs=-1)
@click.option(
    "--measure", "-m", "measures", metavar="NAME[:KEY=VALUE,…]", multiple=True, help="A measure; several may follow."
)
@click.option("--tokeniser", metavar="NAME", help="The tokeniser for all measures that cut text into words.")
@click.option("--out", "-o", metavar="FILE", default="-", help="Where to write; standard output by default.")
@click.option("--to", "to", metavar="FORMAT", help="The format to write; by suffix where it is not named.")
@click.option("--jobs", "-j", type=click.IntRange(1), help="How many cores to use; all by default.")
@reading_options
def command(
    pairs: str,
    more: tuple[str, ...],
    measures: tuple[str, ...],
    tokeniser: str | None,
    out: str,
    to: str | None,
    jobs: int | None,
    wishes: dict[str, Any],
) -> None:
    """Add a score per measure to every pair.

    The order of the rows is kept. In JSON Lines the scores stand under `scores`, in tables each has
    a column. Where a measure has a direction, text1 is the reference or source and text2 the
    hypothesis. `otherwords measures` lists the measures and their parameters; the default is
    char-cosine, jaccard and bleu, and `--measure all` is every one.

    \b
      otherwords score pairs.jsonl --measure jaccard --measure bleu --out scored.jsonl
      otherwords score dev.tsv --from paws -m overlap:n=1-3,tok=words --out scored.csv
    """
    from otherwords.acquire.score import score_file
    from otherwords.cli.talk import account_lines, say, watched

    refuse_same(out, wishes)
    if files := [name for name in more if Path(name).exists()]:
        raise UsageError(f"score takes one file at a time; {files[0]} is one too many")
    specs = measure_specs((*measures, *more)) or list(DEFAULT)
    finished = score_file(pairs, out, specs, to=to, tokeniser=tokeniser, threads=jobs, watch=watched, **wishes)
    for line in account_lines(finished.reading):
        say(line)
    for name, signature in finished.signatures.items():
        say(f"  {name}: {signature}")
