"""``otherwords profile``: what a corpus is like, at a glance."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options

if TYPE_CHECKING:
    from otherwords.analyse.profile import Profile


@click.command("profile")
@click.argument("pairs", metavar="PAIRS")
@click.option("--json", "as_json", is_flag=True, help="Print the profile as JSON.")
@click.option("--plot", metavar="FILE", help="Draw labels and lexical similarity as .svg or .png.")
@click.option("--tokeniser", metavar="NAME", help="The tokeniser for lengths; the language's own by default.")
@reading_options
def command(pairs: str, as_json: bool, plot: str | None, tokeniser: str | None, wishes: dict[str, Any]) -> None:
    """Say what a corpus is like and what is wrong with it.

    Counts pairs, labels, texts and tokens, and finds duplicate, mirrored and identical pairs and
    labels that contradict each other, also where one is in NFC and the other is not. Rewrites are counted apart.

    \b
      otherwords profile dev.json --from turku
      otherwords profile pairs.jsonl --json
      otherwords profile pairs.jsonl --plot pairs.svg
    """
    from otherwords.analyse.profile import profile_file
    from otherwords.cli.talk import account_lines, say, watched

    if plot:
        from otherwords.analyse.figures import check_figure

        check_figure(plot)
    reading, result = profile_file(pairs, tokeniser=tokeniser, watch=watched, **wishes)
    if plot:
        from otherwords.analyse.figures import profile_figure, save

        save(profile_figure(result, reading.source.stem), plot)
    if as_json:
        click.echo(json.dumps(result.as_dict(), ensure_ascii=False, indent=2))
    else:
        _print(result)
    for line in account_lines(reading):
        say(line)


def _print(result: Profile) -> None:
    from rich.table import Table

    from otherwords.analyse.order import label_order
    from otherwords.cli.talk import print_table

    facts = Table(box=None, show_header=False)
    facts.add_column()
    facts.add_column(justify="right")
    for name in ("pairs", "rewrites", "unique_texts", "duplicate_pairs", "mirrored_pairs", "identical_pairs"):
        facts.add_row(name.replace("_", " "), f"{getattr(result, name):,}")
    facts.add_row("label conflicts", f"{result.label_conflicts:,}")
    facts.add_row("empty texts", f"{result.empty_texts:,}")
    facts.add_row("texts not in NFC", f"{result.texts_not_nfc:,}")
    facts.add_row("skipped rows", f"{result.skipped_rows:,}")
    means = f"{result.mean_tokens:.2f}  ({result.mean_tokens_text1:.2f} and {result.mean_tokens_text2:.2f})"
    facts.add_row("mean tokens", means)
    facts.add_row("mean lexical similarity", f"{result.mean_similarity:.3f}")
    print_table(facts)
    click.echo()
    labels = Table("label", "pairs", "share", "", box=None)
    most = max(result.labels.values(), default=1)
    for label in label_order(result.labels):
        count = result.labels[label]
        shown = label if label == label.strip() else repr(label)
        labels.add_row(shown, f"{count:,}", f"{count / result.pairs:.1%}", "█" * round(30 * count / most))
    for column in labels.columns[1:3]:
        column.justify = "right"
    print_table(labels)
