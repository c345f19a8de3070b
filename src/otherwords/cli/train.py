"""``otherwords train``: models that learn from labelled pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.generation.train import generator as generator_command
from otherwords.cli.options import device_option, parse_settings, reading_options, simulated_option
from otherwords.cli.talk import print_json, print_table, say, training_bar

if TYPE_CHECKING:
    from otherwords.api.train import TrainResult
    from otherwords.learn.encoders.run import EncoderRun
    from otherwords.learn.runs.run import Run


@click.group("train")
def command() -> None:
    """Train models on labelled pairs.

    No part for testing shares a sentence with training, and everything that is chosen is chosen on the dev part. A
    training that was stopped goes on when the same command is run again.
    """


command.add_command(generator_command)


@command.command()
@click.argument("paths", metavar="PROJECT|FILE…", nargs=-1, required=True)
@click.option("--model", metavar="NAME", default="features", show_default=True, help="A rung of the ladder.")
@click.option("--out", "-o", metavar="RUN", help="Folder of the run; in a project, models/NAME by default.")
@click.option(
    "--task",
    type=click.Choice(["binary", "labels"]),
    default="binary",
    show_default=True,
    help="Predict paraphrase or not, or complete labels.",
)
@click.option("--dev", metavar="FILE", help="Pairs on which choices are made; a tenth of training by default.")
@click.option("--test", "tests", metavar="FILE", multiple=True, help="Pairs to test on; repeatable.")
@click.option("--split", metavar="PARTS", default="80/10/10", show_default=True, help="Parts of a file without --test.")
@click.option("--bootstrapped", metavar="FILE", multiple=True, help="Harvested pairs, for training only; repeatable.")
@click.option(
    "--leaks",
    type=click.Choice(["refuse", "drop", "keep"]),
    default="refuse",
    show_default=True,
    help="What to do if dev or a test shares a sentence with training: refuse, drop the training pairs, or go on.",
)
@click.option("--rewrites/--no-rewrites", default=True, show_default=True, help="Whether rewrites are examples too.")
@click.option(
    "--share",
    type=click.IntRange(1, 100),
    default=100,
    show_default=True,
    help="Share of the training part in per cent, for a learning curve.",
)
@click.option(
    "--share-by",
    type=click.Choice(["unit", "group"]),
    default="unit",
    show_default=True,
    help="Take whole units, which share no sentence, or whole groups.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Random seed.")
@click.option("--set", "texts", metavar="NAME=VALUE", multiple=True, help="A parameter of the model; repeatable.")
@click.option(
    "--threshold",
    metavar="WHAT",
    default="accuracy",
    show_default=True,
    help="Threshold with the best accuracy or f1 on dev, or a number.",
)
@click.option("--calibrate/--no-calibrate", default=True, show_default=True, help="Scale probabilities on dev.")
@click.option(
    "--decode",
    type=click.Choice(["heads", "jointly"]),
    default="heads",
    show_default=True,
    help="Choose each part of a label by itself, or the most probable complete label.",
)
@device_option
@click.option("--again", is_flag=True, help="Replace another run in the folder.")
@simulated_option
@click.option("--json", "as_json", is_flag=True, help="Print the run as JSON.")
@reading_options
def classifier(paths: tuple[str, ...], texts: tuple[str, ...], as_json: bool, reading: Any, **options: Any) -> None:
    """Train a classifier that says which pairs are paraphrases.

    The rungs of the ladder are, from the cheapest: always, majority, overlap, bow, features, bilstm,
    transformer, four-heads, text-to-text. A project is split as otherwords split did; a file without
    --test by connected components, so that no sentence is in two parts. Evaluate the run with
    otherwords evaluate classifier.

    \b
      otherwords train classifier corpus --model features
      otherwords train classifier train.jsonl --dev dev.jsonl --test test.jsonl --model features --out runs/features
      otherwords train classifier dev.tsv --split 80/20 --model overlap --set measure=char-cosine --out runs/overlap
      otherwords train classifier dev.json --task labels --decode jointly --out runs/labels
    """

    from otherwords.api import train

    with training_bar(f"training {options['model']}") as progress:
        result = train.classifier(
            paths,
            settings=parse_settings(texts),
            progress=progress,
            **options,
            **reading,
        )
    if as_json:
        print_json(result.as_dict())
    else:
        _print_run(result)


def _print_run(result: TrainResult[Run]) -> None:
    from rich.table import Table

    record = result.run.record
    table = Table("part", "pairs", "labels", box=None)
    for facts in (record.train, record.dev, *record.tests):
        labels = ", ".join(f"{label} {count:,}" for label, count in facts.labels.items())
        table.add_row(facts.name, f"{facts.pairs:,}", labels)
        for reason, count in facts.left_out.items():
            table.add_row("", f"{count:,}", f"left out: {reason}")
    print_table(table)
    for note in record.notes:
        say(f"note: {note}")
    done = "was trained before; nothing to do" if result.known else f"trained in {record.seconds:.1f} s"
    say(f"{record.signature}\n{result.folder}: {done}")


@command.command()
@click.argument("paths", metavar="PROJECT|FILE…", nargs=-1, required=True)
@click.option("--out", "-o", metavar="RUN", help="Folder of the run; in a project, models/encoder by default.")
@click.option("--base", metavar="NAME", default="minilm", show_default=True, help="Encoder to begin with, or hf:PATH.")
@click.option(
    "--objective",
    type=click.Choice(["contrastive", "classification"]),
    default="contrastive",
    show_default=True,
    help="Tell paraphrases from all else in a batch, or from labelled negatives.",
)
@click.option(
    "--mix",
    type=click.Choice(["train", "train+neg", "train+neg+pos", "neg+pos"]),
    default="train",
    show_default=True,
    help="Labelled pairs, harvested negatives and positives.",
)
@click.option("--negatives", metavar="FILE", multiple=True, help="Harvested negatives, for a mix with neg; repeatable.")
@click.option("--positives", metavar="FILE", multiple=True, help="Harvested positives, for a mix with pos; repeatable.")
@click.option("--dev", metavar="FILE", help="Pairs by which an epoch is chosen; a tenth of training by default.")
@click.option("--test", "tests", metavar="FILE", multiple=True, help="Pairs that training must not share; repeatable.")
@click.option("--split", metavar="PARTS", default="80/10/10", show_default=True, help="Parts of a file without --test.")
@click.option(
    "--leaks",
    type=click.Choice(["refuse", "drop", "keep"]),
    default="refuse",
    show_default=True,
    help="What to do if dev or a test shares a sentence with training: refuse, drop the training pairs, or go on.",
)
@click.option("--epochs", type=click.IntRange(min=1), default=3, show_default=True, help="Times that pairs are seen.")
@click.option("--batch", type=click.IntRange(min=2), default=32, show_default=True, help="Pairs of a batch.")
@click.option("--rate", type=float, default=5e-5, show_default=True, help="Learning rate.")
@click.option("--length", type=click.IntRange(min=8), default=128, show_default=True, help="Tokens of a text, at most.")
@click.option(
    "--hard-negatives",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Near texts of other clusters that each pair has as negatives.",
)
@click.option(
    "--margin",
    type=float,
    default=0.95,
    show_default=True,
    help="Cosine of a hard negative, at most, relative to that of the positive.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Random seed.")
@device_option
@click.option("--again", is_flag=True, help="Replace another run in the folder.")
@simulated_option
@click.option("--json", "as_json", is_flag=True, help="Print the run as JSON.")
@reading_options
def encoder(paths: tuple[str, ...], as_json: bool, reading: Any, **options: Any) -> None:
    """Train a sentence encoder that finds paraphrases.

    The run holds a model that sentence-transformers loads; hf:RUN/model is its name wherever an encoder is
    named. No batch holds two pairs of one cluster of paraphrases. A corpus without labels counts as
    paraphrases. Evaluate the run with otherwords evaluate encoder.

    \b
      otherwords train encoder corpus --out runs/encoder
      otherwords train encoder tatoeba.txt.gz --hard-negatives 1 --epochs 5 --out runs/encoder
      otherwords train encoder corpus --mix train+neg --negatives negatives.jsonl --out runs/with-negatives
    """

    from otherwords.api import train

    with training_bar("training an encoder") as progress:
        result = train.encoder(
            paths,
            progress=progress,
            **options,
            **reading,
        )
    if as_json:
        print_json(result.as_dict())
    else:
        _print_encoder(result)


def _print_encoder(result: TrainResult[EncoderRun]) -> None:
    from rich.table import Table

    record = result.run.record
    table = Table("what", "count", box=None)
    for side, count in record.train.items():
        table.add_row(f"{side} pairs for training", f"{count:,}")
    table.add_row("clusters of paraphrases", f"{record.clusters:,}")
    for reason, count in record.left_out.items():
        table.add_row(f"  left out: {reason}", f"{count:,}")
    for facts in (record.dev, *record.tests):
        table.add_row(f"pairs of {facts.name}", f"{facts.pairs:,}")
    for reason, count in record.hard_negatives.items():
        table.add_row(f"hard negatives: {reason}", f"{count:,}")
    table.add_row("clusters twice in a batch", f"{record.collisions:,}")
    table.add_row("pairs without a place in an epoch", f"{record.without_place:,}")
    for name, value in record.scores.items():
        table.add_row(f"{name.replace('_', ' ')}, base → trained", f"{record.base_scores[name]:.3f} → {value:.3f}")
    print_table(table)
    for note in record.notes:
        say(f"note: {note}")
    done = "was trained before; nothing to do" if result.known else f"trained in {record.seconds:.1f} s"
    say(f"{record.signature}\n{result.folder}: {done}; its model is the encoder hf:{result.run.model}")
