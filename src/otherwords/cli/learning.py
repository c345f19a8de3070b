"""Commands that use a trained model: ``predict``."""

from __future__ import annotations

from typing import Any

import click

from otherwords.cli.options import reading_options
from otherwords.cli.talk import ReadingBar, print_json, say
from otherwords.cli.train import device_option
from otherwords.errors import UsageError


@click.command("predict")
@click.argument("run", metavar="RUN")
@click.argument("pairs", metavar="PAIRS")
@click.option("--out", "-o", metavar="FILE", default="-", help="File to write; standard output by default.")
@click.option("--to", metavar="FORMAT", help="Format to write; by the suffix of the file if not given.")
@device_option
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON; needs --out.")
@reading_options
def predict(run: str, pairs: str, out: str, as_json: bool, reading: Any, **options: Any) -> None:
    """Write every pair with what a trained classifier says about it.

    RUN is a folder that otherwords train classifier wrote. The order of the pairs is kept. The probability
    of a paraphrase is a score; the label and the probability of each label are under meta.predicted.

    \b
      otherwords predict runs/features pairs.jsonl --out predicted.jsonl
    """
    from otherwords.api import learning

    if as_json and out == "-":
        message = "--json needs --out, since the pairs would be on standard output too"
        raise UsageError(message, code="conflicting-options")
    bar = ReadingBar()
    result = learning.predict(run, pairs, out, progress=bar, **options, **reading)
    bar.say_counts()
    if as_json:
        print_json(result.as_dict())
        return
    labels = ", ".join(f"{label} {count:,}" for label, count in result.labels.items())
    say(f"predicted: {labels or 'nothing'}\n{result.signature}")
    if result.empty:
        say(f"note: {result.empty:,} of {result.pairs:,} pairs have an empty text")
