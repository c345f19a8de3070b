"""``otherwords leaks``: what two corpora, or the parts of one, have in common."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import reading_options

if TYPE_CHECKING:
    from otherwords.corpus.leaks import Leaks

SHOWN = 3  # rows of each kind


@click.command("leaks")
@click.argument("a", metavar="A")
@click.argument("b", metavar="[B]", required=False)
@click.option(
    "--near", type=float, default=0.85, show_default=True, help="How similar near copies are; 0 leaves them out."
)
@click.option("--out", metavar="FILE", help="Write every row as a line of JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts and all rows as JSON.")
@reading_options
def command(a: str, b: str | None, near: float, out: str | None, as_json: bool, wishes: dict[str, Any]) -> None:
    """Find pairs and sentences of B that are in A, too.

    A and B are files, releases, projects, or a part of one (corpus:test). Where only A is given, all its parts are
    compared with each other. Every pair of B counts once: as exact, mirrored, normalised (but for case and
    punctuation) or near. The exit code is 1 if anything was found.

    \b
      otherwords leaks train.jsonl test.jsonl
      otherwords leaks corpus
      otherwords leaks corpus:train other-corpus.tsv --near 0.8 --json
    """
    from otherwords.cli.talk import say
    from otherwords.corpus.leaks_paths import leaks_of_paths, rows_of, told

    found = leaks_of_paths(a, b, near=near or None, **wishes)
    if out:
        _write(rows_of(found), out)
    if as_json:
        click.echo(json.dumps(told(found), ensure_ascii=False, indent=2))
    else:
        _print(found)
    leaking = sum(any(one.counts.values()) for one in found)
    say("no leaks" if not leaking else f"{leaking} of {len(found)} comparisons found something")
    if leaking:
        raise SystemExit(1)


def _write(rows: Any, out: str) -> None:
    from pathlib import Path

    import msgspec

    from otherwords.sources.files import replacing

    with replacing(None if out == "-" else Path(out)) as stream:
        for row in rows:
            stream.write(msgspec.json.encode(row) + b"\n")


def _print(found: Sequence[Leaks]) -> None:
    from rich.table import Table

    from otherwords.cli.talk import print_table
    from otherwords.corpus.leaks import KINDS

    table = Table("A", "B", "pairs of B", *(kind.replace("_", " ") for kind in KINDS), box=None)
    for column in table.columns[2:]:
        column.justify = "right"
    for one in found:
        table.add_row(*one.between, f"{len(one.b):,}", *(f"{one.counts[kind]:,}" for kind in KINDS))
    print_table(table)
    for one in found:
        for kind in KINDS:
            for row, _ in zip(one.rows(kind), range(SHOWN), strict=False):
                click.echo(_line(kind, row))


def _line(kind: str, row: dict[str, Any]) -> str:
    if kind == "shared_texts":
        return f"shared text: {row['text']}  ({row['a'][0]}, {row['b'][0]})"
    similarity = f" {row['similarity']:.3f}" if "similarity" in row else ""
    one, two = row["a"], row["b"]
    told = f"{one['text1']} | {one['text2']}  ~  {two['text1']} | {two['text2']}"
    return f"{kind}{similarity}: {one['id']} {two['id']}: {told if kind != 'exact' else told.partition('  ~  ')[0]}"
