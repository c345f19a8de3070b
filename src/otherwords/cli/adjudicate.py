"""``otherwords adjudicate``: what people disagree about, and how much of it the team has decided."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from otherwords.annotate.disagreements import Case
    from otherwords.annotate.keeping import KeptCounts

SHOWN = ("disagreements", "unsure", "decided")


@click.command("adjudicate")
@click.argument("project", metavar="PROJECT")
@click.argument("batch", metavar="BATCH")
@click.option("--show", type=click.Choice(SHOWN), default=SHOWN[0], show_default=True, help="Which pairs to list.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(project: str, batch: str, show: Any, as_json: bool) -> None:
    """List what people disagree about in a batch, the worst first.

    How bad it is goes by the scheme: 1 is as far apart as two answers can be, and flags weigh less than values.
    People decide on the page Adjudicate of the site. A pair counts when all judgements that were asked for are in.

    \b
      otherwords adjudicate corpus double-1
      otherwords adjudicate corpus double-1 --show unsure --json
    """
    from otherwords.annotate.batches import batch as batch_of
    from otherwords.annotate.disagreements import cases, queue, settled
    from otherwords.annotate.keeping import kept_cases, kept_counts
    from otherwords.annotate.schemes import scheme as scheme_of
    from otherwords.project import opened

    with opened(project) as corpus, corpus.ledger.reading() as connection:
        of = batch_of(connection, batch)
        scheme = scheme_of(of.scheme, corpus.folder)
        found = cases(connection, of, scheme)
    keep = of.rules.keep
    kept = kept_counts(kept_cases(found, keep, scheme).values()) if keep else None
    listed, told = queue(found, show), settled(found)
    if as_json:
        shown = {"batch": batch, **asdict(told), "kept": asdict(kept) if kept else None}
        click.echo(json.dumps(shown | {"cases": [asdict(one) for one in listed]}, ensure_ascii=False, indent=2))
        return
    click.echo(f"{batch}: {told.pairs:,} pairs, of {told.complete:,} all judgements are in")
    click.echo(f"  agreed {told.agreed:,}, disagreeing {told.disagreeing:,}; decided {told.decided:,}")
    click.echo(f"  waiting {told.waiting:,}; agreed but unsure {told.unsure:,}")
    if kept:
        click.echo(_kept(kept))
    _print(listed)


def _kept(kept: KeptCounts) -> str:
    why = "".join(f"\n    {reason}: {count:,}" for reason, count in kept.reasons.items())
    return f"  kept {kept.kept:,}, dropped {kept.dropped:,}, open {kept.open:,}{why}"


def _print(listed: list[Case]) -> None:
    from rich.table import Table

    from otherwords.cli.talk import print_table

    if not listed:
        return
    table = Table("severity", "pair", "said", "decided", box=None)
    for one in listed:
        said = "  ".join(f"{opinion.annotator or '?'}: {_spelled(opinion.value)}" for opinion in one.opinions)
        table.add_row(f"{one.severity:.2f}", one.pair, said, _spelled(one.decision.value) if one.decision else "–")
    print_table(table)


def _spelled(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
