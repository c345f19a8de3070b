"""``otherwords train generator``: a model that learns to write paraphrases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import device_option, parse_settings, reading_options, simulated_option
from otherwords.cli.talk import print_json, print_table, say, training_bar

if TYPE_CHECKING:
    from otherwords.api.train import TrainResult
    from otherwords.learn.generation.training.run import GeneratorRun


@click.command("generator")
@click.argument("paths", metavar="PROJECT|FILE…", nargs=-1, required=True)
@click.option("--base", metavar="NAME", required=True, help="The model to begin with: hf:PATH or smollm2.")
@click.option(
    "--kind",
    type=click.Choice(["encoder-decoder", "causal"]),
    default="causal",
    show_default=True,
    help="What kind of model it is.",
)
@click.option("--lora", is_flag=True, help="Train small matrices beside the layers, not the whole model.")
@click.option(
    "--max-bleu",
    type=click.FloatRange(0, 100),
    default=14.0,
    show_default=True,
    help="Leave out pairs whose BLEU is higher; 100 keeps all.",
)
@click.option("--out", "-o", metavar="RUN", help="Folder of the run; in a project, models/generator by default.")
@click.option("--dev", metavar="FILE", help="Pairs that choose the epoch; a tenth of the paraphrases by default.")
@click.option(
    "--share",
    type=click.IntRange(1, 100),
    default=100,
    show_default=True,
    help="Share of the training part in per cent, for a learning curve.",
)
@click.option("--epochs", type=click.IntRange(min=1), help="How often all pairs are seen; 3 by default.")
@click.option("--batch", type=click.IntRange(min=1), help="Pairs of a step; 8 by default.")
@click.option("--rate", type=click.FloatRange(0, 1, min_open=True), help="Learning rate; 5e-5, or 5e-4 with --lora.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Random seed.")
@click.option("--set", "texts", metavar="NAME=VALUE", multiple=True, help="A parameter of the training; repeatable.")
@device_option
@click.option("--again", is_flag=True, help="Replace another run in the folder.")
@simulated_option
@click.option("--json", "as_json", is_flag=True, help="Print the run as JSON.")
@reading_options
def generator(paths: tuple[str, ...], texts: tuple[str, ...], as_json: bool, reading: Any, **options: Any) -> None:
    """Train a model that writes paraphrases.

    It learns from paraphrases alone, and only from those whose BLEU says that something was changed. A project is
    split as otherwords split did, and files by connected components; the perplexity of the dev part chooses the epoch.
    The folder is a system for otherwords generate, and the model in it loads in transformers.

    \b
      otherwords train generator corpus --base smollm2 --lora
      otherwords train generator pairs.jsonl --base hf:t5-small --kind encoder-decoder --out runs/t5
      otherwords generate test.jsonl --with runs/t5 --out outputs.jsonl
    """

    from otherwords.api import train

    with training_bar("training") as progress:
        result = train.generator(
            paths,
            settings=parse_settings(texts),
            progress=progress,
            **options,
            **reading,
        )
    if as_json:
        print_json(result.as_dict() | {"curve": result.run.curve()})
    else:
        _print_run(result)


def _print_run(result: TrainResult[GeneratorRun]) -> None:
    from rich.table import Table

    record = result.run.record
    table = Table("part", "pairs", "", box=None)
    for facts in (record.train, record.dev):
        table.add_row(facts.name, f"{facts.pairs:,}", "")
        for reason, count in facts.left_out.items():
            table.add_row("", f"{count:,}", f"left out: {reason}")
    print_table(table)
    for note in record.notes:
        say(f"note: {note}")
    for point in result.run.curve():
        say(f"epoch {point['epoch']:.0f}: perplexity of dev {point['dev_perplexity']:.2f}")
    done = "was trained before; nothing to do" if result.known else f"trained in {record.seconds:.1f} s"
    say(f"{record.signature}\n{result.folder}: {done}")
