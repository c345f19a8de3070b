"""``otherwords generate``: paraphrases of sentences, by several systems side by side."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from otherwords.cli.options import reading_options
from otherwords.cli.talk import print_json, progress_bars, say


@click.command("generate")
@click.argument("sources", metavar="FILE")
@click.option(
    "--with",
    "systems",
    metavar="SYSTEM",
    multiple=True,
    required=True,
    help="smollm2, hf:PATH, openai:URL#MODEL, A>B, or RUN.",
)
@click.option("--out", metavar="FILE", required=True, help="The file of pairs to write.")
@click.option("--prompt", metavar="FILE", help="A prompt of your own, with a place {source}.")
@click.option("--shots", metavar="FILE", help="Pairs to show as examples.")
@click.option(
    "--shot-count", type=click.IntRange(min=1), default=4, show_default=True, help="How many examples are shown."
)
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Outputs of each generator, drawn with different seeds, to choose from.",
)
@click.option(
    "--beam",
    type=click.IntRange(min=1),
    metavar="N",
    help="Beams of models; by default 4 for RUN, and none for others.",
)
@click.option(
    "--n-best",
    type=click.IntRange(min=1),
    metavar="K",
    default=1,
    show_default=True,
    help="Outputs of the best beams to choose from.",
)
@click.option("--choose", metavar="MEASURE", default="bert-ibleu", show_default=True, help="What chooses among them.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Take the first N sources.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed of the examples.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@reading_options
def command(sources: str, out: str, systems: tuple[str, ...], as_json: bool, reading: Any, **options: Any) -> None:
    """Write paraphrases of sentences, with one or several systems.

    FILE has a sentence a line, or pairs whose first texts are taken. A system is a generator with a prompt, the folder
    of a trained one, or a round trip through other languages, which needs no training. Every source has a pair for each
    system; where nothing came, it says why. A run that was stopped goes on where it was.

    \b
      otherwords generate sources.txt --lang en --with smollm2 --out outputs.jsonl
      otherwords generate test.jsonl --with "apertium:en-es>apertium:es-en" --with smollm2 --out outputs.jsonl
      otherwords generate test.jsonl --with "smollm2:?decoding=top-k" --samples 4 --out outputs.jsonl
      otherwords generate test.jsonl --with runs/smollm2 --beam 8 --n-best 4 --choose pinc --out outputs.jsonl
    """
    from rich.progress import TimeRemainingColumn

    from otherwords.api.generation import generate

    with progress_bars("{task.completed:,.0f} of {task.total:,.0f}", TimeRemainingColumn()) as bars:
        task = bars.add_task("", total=1, visible=False)
        summary = generate(
            sources,
            out,
            systems,
            progress=lambda system, done, total: bars.update(
                task, description=system, completed=done, total=total, visible=True
            ),
            **options,
            **reading,
        )
    if as_json:
        print_json(asdict(summary))
        return
    if summary.copies:
        say(f"{summary.copies:,} sources came more than once and were taken once")
    for system in summary.systems:
        say(f"{system.system}: {system.written:,} of {system.sources:,} sources have an output")
        for reason, count in system.reasons.items():
            say(f"  {count:,} × {reason}")
