"""Commands that use a trained model: ``predict``, ``errors`` and ``denoise``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import device_option, parse_settings, reading_options, simulated_option
from otherwords.cli.talk import ReadingBar, number_table, print_json, print_table, say, training_bar
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.analyse.errors.finding import ModelErrors
    from otherwords.api.learning import DenoiseResult


@click.command("predict")
@click.argument("run", metavar="RUN")
@click.argument("pairs", metavar="PAIRS")
@click.option("--out", "-o", metavar="FILE", default="-", help="File to write; standard output by default.")
@click.option("--to", metavar="FORMAT", help="Format to write; by the suffix of the file if not given.")
@click.option("--tier", type=click.Choice(["exact", "int8"]), help="A faster form of an encoder, on the processor.")
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
    if result.loss is not None:
        say(f"compared with the model itself: {result.loss}")
    if result.empty:
        say(f"note: {result.empty:,} of {result.pairs:,} pairs have an empty text")
    if result.cut:
        say(f"note: {result.cut}")


@click.command("errors")
@click.argument("run", metavar="RUN")
@click.argument("pairs", metavar="PROJECT|FILE")
@click.option("--out", "-o", metavar="FOLDER", help="New folder for a page with tables, figures and mistakes to read.")
@click.option("--examples", type=click.IntRange(0), default=20, show_default=True, help="Mistakes of each kind shown.")
@click.option("--batch", metavar="NAME", help="In a project: make a batch of the mistakes, to be judged again.")
@click.option(
    "--leaks",
    type=click.Choice(["refuse", "keep"]),
    default="refuse",
    show_default=True,
    help="What to do with a corpus that shares sentences with training.",
)
@device_option
@simulated_option
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@reading_options
def errors(run: str, pairs: str, as_json: bool, reading: Any, examples: int, **options: Any) -> None:
    """Count the mistakes of a trained classifier by what the pairs are like.

    By kind of swap, category, type, pattern, length, word overlap, source, method, annotator, and how
    names are spelled; each with an interval. If the run was tested on pairs of this corpus, only these
    are looked at. The page shows the mistakes about which the model was most certain.

    \b
      otherwords errors runs/features test.jsonl --out mistakes
      otherwords errors corpus/models/features corpus --batch look-again
    """
    from otherwords.api import learning

    result = learning.errors(run, pairs, examples=examples, **options, **reading)
    if as_json:
        print_json(result.as_dict())
        return
    found = result.found
    say(f"{found.model} on {found.test}: {len(found.mistakes):,} mistakes in {found.pairs:,} pairs")
    _print_errors(found)
    if result.page is not None:
        say(str(result.page))
    if result.batch is not None:
        say(f"batch {result.batch}: {len(found.mistakes):,} pairs")


def _print_errors(found: ModelErrors) -> None:

    titles = ("what", "value", "pairs", "false positives", "false negatives", "other labels", "errors", "95 % interval")
    table = number_table(*titles, names=2)
    for facet, value, *counts, share, low, high in found.rows():
        shares = f"{100 * float(str(share)):.1f} %", f"{100 * float(str(low)):.1f}–{100 * float(str(high)):.1f}"
        table.add_row(str(facet), str(value), *(f"{count:,}" for count in counts), *shares)
    print_table(table)


@click.command("denoise")
@click.argument("pairs", metavar="PROJECT|FILE")
@click.option("--out", "-o", metavar="FILE", help="File for the cleaned training pairs.")
@click.option("--rejected", metavar="FILE", help="File for the pairs that were left out, each with its probability.")
@click.option("--model", metavar="NAME", default="features", show_default=True, help="Model of teacher and students.")
@click.option("--teacher", metavar="RUN", help="A model that was trained on other pairs, instead of one per fold.")
@click.option("--set", "texts", metavar="NAME=VALUE", multiple=True, help="A parameter of the model; repeatable.")
@click.option(
    "--rule",
    type=click.Choice(["filter", "flip", "confident"]),
    default="filter",
    show_default=True,
    help="Leave doubted pairs out, flip their labels, or leave out what confident learning finds.",
)
@click.option("--lambda", "least", type=float, help="Probability at which a label is doubted; 0.35, to flip 0.25.")
@click.option("--grid", is_flag=True, help="Train students by every rule and λ, print the table, choose λ on dev.")
@click.option("--batch", metavar="NAME", help="In a project: a round of quality control with the doubted pairs.")
@click.option("--task", type=click.Choice(["binary", "labels"]), default="binary", show_default=True, help="Labels.")
@click.option("--dev", metavar="FILE", help="Pairs on which λ is chosen.")
@click.option("--folds", type=click.IntRange(2), default=5, show_default=True, help="Folds of the teacher.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Random seed.")
@simulated_option
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@reading_options
def denoise(pairs: str, texts: tuple[str, ...], as_json: bool, reading: Any, **options: Any) -> None:
    """Find training labels that a model doubts: leave them out, flip them, or have people look.

    The teacher has never learnt from the pair that it judges. Only the training part is changed; dev and
    test parts stay as they are. Each change is written with the label before it and its probability, so
    that it can be undone (Dou et al. 2022, §3.2).

    \b
      otherwords denoise train.jsonl --out cleaned.jsonl --rejected doubted.jsonl
      otherwords denoise loose.jsonl --teacher runs/strict --rule flip --lambda 0.25 --out cleaned.jsonl
      otherwords denoise corpus --batch doubted
    """

    from otherwords.api import learning

    with training_bar("training teachers and students") as progress:
        result = learning.denoise(
            pairs,
            settings=parse_settings(texts),
            progress=progress,
            **options,
            **reading,
        )
    if as_json:
        print_json(result.as_dict())
        return
    if result.rows:
        _print_cleaning(result)
    for note in result.notes:
        say(f"note: {note}")
    at = "" if result.least is None else f" at {result.least:g}"
    say(f"{result.rule}{at}: {len(result.changes):,} of {result.pairs:,} training labels are doubted")
    if result.batch is not None:
        say(f"batch {result.batch}: {len(result.changes):,} pairs to look at again")


def _print_cleaning(result: DenoiseResult) -> None:

    table = number_table("rule", "λ", "pairs", "changed", "dev accuracy", "95 % interval", "dev F1", "")
    for row in result.rows:
        interval = "–" if row.low is None or row.high is None else f"{row.low:.3f}–{row.high:.3f}"
        counts = f"{row.pairs:,}", f"{row.changed:,}", f"{row.accuracy:.3f}", interval, f"{row.f1:.3f}"
        table.add_row(row.rule, "–" if row.least is None else f"{row.least:.2f}", *counts, "best" * row.chosen)
    print_table(table)
