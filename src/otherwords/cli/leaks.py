"""``otherwords leaks``: what two corpora, or the parts of one, have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options
from otherwords.cli.talk import number_table, print_json, print_table, say

if TYPE_CHECKING:
    from otherwords.corpus.leaks.find import Leaks

EXAMPLES = 3  # of each kind


@click.command("leaks")
@click.argument("a", metavar="A")
@click.argument("b", metavar="[B]", required=False)
@click.option(
    "--near", type=float, default=0.85, show_default=True, help="Least similarity of near copies; 0 leaves them out."
)
@click.option("--out", metavar="FILE", help="Write every row as a line of JSON to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts and all rows as JSON.")
@reading_options
def command(a: str, b: str | None, near: float, out: str | None, as_json: bool, reading: Any) -> None:
    """Find pairs and sentences of B that are in A, too.

    A and B are files, releases, projects, or a part of one (corpus:test). If only A is given, all its parts are
    compared with each other. Every pair of B counts once: as exact, mirrored, normalised (the same but for case and
    punctuation) or near. The exit code is 1 if anything was found.

    \b
      otherwords leaks train.jsonl test.jsonl
      otherwords leaks corpus
      otherwords leaks corpus:train other-corpus.tsv --near 0.8 --json
    """
    from otherwords.api.corpora import leaks
    from otherwords.corpus.leaks.paths import leaks_as_json

    comparisons = leaks(a, b, near=near, out=out, note=say, **reading)
    if as_json:
        print_json(leaks_as_json(comparisons))
    else:
        _print(comparisons)
    leaking = sum(any(comparison.counts.values()) for comparison in comparisons)
    say("no leaks" if not leaking else f"{leaking} of {len(comparisons)} comparisons found something")
    if leaking:
        raise SystemExit(1)


def _print(comparisons: Sequence[Leaks]) -> None:

    from otherwords.corpus.leaks.find import KINDS

    table = number_table("A", "B", "pairs of B", *(kind.replace("_", " ") for kind in KINDS), names=2)
    for leaks in comparisons:
        table.add_row(*leaks.between, f"{len(leaks.b):,}", *(f"{leaks.counts[kind]:,}" for kind in KINDS))
    print_table(table)
    for leaks in comparisons:
        for kind in KINDS:
            for row, _ in zip(leaks.rows(kind), range(EXAMPLES), strict=False):
                a, b = row["a"], row["b"]
                if kind == "shared_texts":
                    click.echo(f"shared text: {row['text']}  ({a[0]}, {b[0]})")
                    continue
                similarity = f" {row['similarity']:.3f}" if "similarity" in row else ""
                other = f"  ~  {b['text1']} | {b['text2']}" if kind != "exact" else ""
                click.echo(f"{kind}{similarity}: {a['id']} {b['id']}: {a['text1']} | {a['text2']}{other}")
