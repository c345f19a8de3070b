"""``otherwords mine``: candidate pairs among the sentences of a pool of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.mining.harvesting import harvest, sample, tiles
from otherwords.cli.mining.rank import rank
from otherwords.cli.options import named_columns, naming_on_error
from otherwords.cli.talk import print_json, print_table, say, stage_bars

if TYPE_CHECKING:
    from otherwords.mining.mine import MineSummary
    from otherwords.mining.plan import MinePlan

GIGABYTE = 2**30


class _PoolFirst(click.Group):
    """A group whose first word may be a pool: ``mine POOL`` is ``mine run POOL``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group("mine", cls=_PoolFirst)
def command() -> None:
    """Mine a pool of sentences for candidate pairs.

    otherwords mine POOL… --out DIR is short for otherwords mine run POOL… --out DIR. The pool may have any size; say
    what it takes first with otherwords mine plan.

    \b
      otherwords mine news.txt.gz forum.jsonl --lang en --out mined
      otherwords mine plan --sentences 400M --memory 64G --cores 32
    """


@command.command()
@click.argument("pool", metavar="POOL…", nargs=-1, required=True)
@click.option("--out", "-o", metavar="DIR", required=True, help="Folder for the pool, its vectors and the pairs.")
@click.option("--lang", metavar="LANG", help="Language of the sentences (en, fi, ja …).")
@click.option(
    "--check-language/--no-check-language",
    default=None,
    help="Whether to leave out what is improbable in the language; by default if the identifier is installed.",
)
@click.option("--shortest", type=int, default=5, show_default=True, help="Characters of a sentence, at least.")
@click.option("--longest", type=int, default=1_000, show_default=True, help="Characters of a sentence, at most.")
@click.option(
    "--copies",
    type=click.Choice(["exact", "plain", "digits"]),
    default="digits",
    show_default=True,
    help="Sentences that count as one: the same, apart from case and punctuation, or from digits as well.",
)
@click.option("--encoder", metavar="NAME", help="Encoder by name, or tfidf; by default the best of the language.")
@click.option(
    "--tier",
    type=click.Choice(["exact", "int8", "static"]),
    default="exact",
    show_default=True,
    help="Form of the encoder minilm: exact, faster in eight bits, or the cheapest, without context.",
)
@click.option("-k", type=int, default=5, show_default=True, help="Neighbours of a sentence.")
@click.option(
    "--scope",
    type=click.Choice(["all", "within", "across"]),
    default="all",
    show_default=True,
    help="Neighbours in the whole pool, within the source of a sentence, or across sources.",
)
@click.option("--least", type=float, default=0.0, show_default=True, help="Cosine of a pair, at least.")
@click.option(
    "--recall", type=float, default=0.95, show_default=True, help="Share of the true neighbours to find, at least."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
@click.option("--memory", metavar="BYTES", help="Memory to use, such as 8G; half of the machine's by default.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Number of cores; all by default.")
@click.option(
    "--cluster", metavar="ADDRESS", help="Ray cluster that computes the shards: auto, HOST:PORT or ray://HOST:PORT."
)
@click.option("--from", "format", metavar="FORMAT", help="Format of the files: lines, jsonl, csv, parquet …")
@click.option("--columns", metavar="FIELD=COLUMN,…", help="Columns of a table: text=sentence,group=topic.")
@click.option("--encoding", metavar="NAME", help="Encoding of the files, if it is neither UTF-8 nor marked.")
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip", "quarantine"]),
    default="stop",
    show_default=True,
    help="What to do with a row that cannot be read.",
)
@click.option("--quarantine", metavar="FILE", help="File for refused rows, each with file, line and reason.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found, with seconds, recall and memory, as JSON.")
def run(pool: tuple[str, ...], columns: str | None, as_json: bool, **options: Any) -> None:
    """Find the nearest neighbours of every sentence, and write them as candidate pairs.

    POOL are files or folders of sentences (text, JSON Lines, tables, Parquet, compressed or not), or the folder
    of a pool that an earlier run made. The same command goes on where it was stopped.

    \b
      otherwords mine sentences.txt --lang en --out mined
      otherwords mine mined/pool --encoder tfidf -k 10 --scope across --out by-words
    """
    import msgspec
    from rich.progress import TimeRemainingColumn

    from otherwords.api import mine

    if options["quarantine"]:
        options["on_error"] = "quarantine"
    with naming_on_error(), stage_bars(TimeRemainingColumn()) as progress:
        summary = mine.run(pool, columns=named_columns(columns), progress=progress, **options)
    if as_json:
        print_json(msgspec.to_builtins(summary))
    else:
        _print_summary(summary, options["out"])


def _print_summary(summary: MineSummary, out: str) -> None:
    from rich.table import Table

    table = Table("what", "count", box=None)
    table.add_row("rows read", f"{summary.read:,}")
    for reason, count in summary.left_out.items():
        table.add_row(f"  left out: {reason}", f"{count:,}")
    table.add_row("sentences", f"{summary.sentences:,}")
    for reason, count in summary.without_vector.items():
        table.add_row(f"  without a vector: {reason}", f"{count:,}")
    table.add_row("pairs", f"{summary.pairs:,}")
    for pattern, count in summary.trivial.items():
        table.add_row(f"  of these, {pattern}", f"{count:,}")
    print_table(table)
    for note in (summary.tier, *summary.notes):
        if note:
            say(f"note: {note}")
    stages = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in summary.stages.items())
    say(f"{summary.signature}\n{out}: {stages}; {summary.rss_mb:,.0f} MB")


@command.command()
@click.option("--sentences", metavar="N", required=True, help="Number of sentences, such as 400M.")
@click.option("--memory", metavar="BYTES", help="Memory of a node, such as 64G; that of this machine by default.")
@click.option("--cores", type=click.IntRange(min=1), help="Cores of a node; those of this machine by default.")
@click.option("--gpus", type=click.IntRange(min=0), default=0, show_default=True, help="GPUs of a node, for encoding.")
@click.option("--nodes", type=click.IntRange(min=1), default=1, show_default=True, help="Number of nodes.")
@click.option("--encoder", metavar="NAME", default="minilm", show_default=True, help="Encoder, such as minilm-int8.")
@click.option("-k", type=click.IntRange(min=1), default=5, show_default=True, help="Neighbours of a sentence.")
@click.option("--check-language", is_flag=True, help="With the time for checking the language.")
@click.option("--calibration", metavar="FILE", help="What otherwords mine calibrate measured.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON.")
def plan(as_json: bool, **options: Any) -> None:
    """Say what mining so many sentences takes: shards, partitions, bytes, and hours per stage."""
    import msgspec

    from otherwords.api import mine

    planned = mine.plan(**options)
    if as_json:
        print_json(msgspec.to_builtins(planned))
    else:
        _print_plan(planned)


def _print_plan(planned: MinePlan) -> None:
    from rich.table import Table

    table = Table("stage", "hours", "core hours", "disk, GB", "memory, GB", box=None)
    for stage in planned.stages:
        sizes = (f"{size / GIGABYTE:,.1f}" for size in (stage.disk, stage.memory))
        table.add_row(stage.name, f"{stage.hours:,.2f}", f"{stage.core_hours:,.2f}", *sizes)
    core_hours = sum(stage.core_hours for stage in planned.stages)
    table.add_row("together", f"{planned.hours:,.2f}", f"{core_hours:,.2f}", f"{planned.disk / GIGABYTE:,.1f}", "")
    print_table(table)
    say(
        f"{planned.sentences:,} sentences: {planned.shards:,} shards of vectors, {planned.partitions:,} partitions, "
        f"{planned.cells:,} cells; by the rates of {planned.calibration}"
    )
    if not planned.fits:
        say(f"this memory is too little; {planned.memory / GIGABYTE:,.1f} GB would do")


@command.command()
@click.option("--out", "-o", metavar="FILE", default="calibration.json", show_default=True, help="File for the rates.")
@click.option("--encoder", "encoders", metavar="NAME", multiple=True, help="Encoder to measure; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print the rates as JSON.")
def calibrate(out: str, encoders: tuple[str, ...], as_json: bool) -> None:
    """Measure how fast this machine is, for plans; it takes about a minute."""
    import msgspec
    from rich.table import Table

    from otherwords.api import mine

    measured = mine.calibrate(out, encoders=encoders, say=say)
    if as_json:
        print_json(msgspec.to_builtins(measured))
        return
    table = Table("what", "rate", "", box=None)
    table.add_row("pool", f"{measured.pool:,.0f}", "sentences a second and core")
    for name, rate in measured.encode.items():
        table.add_row(f"encoder {name}", f"{rate:,.0f}", "sentences a second and core")
    table.add_row("neighbours", f"{measured.neighbours:,.0f}", "sentences a second and core")
    table.add_row("pairs", f"{measured.pairs:,.0f}", "pairs a second and core")
    table.add_row("disk", f"{measured.disk:,.0f}", "MB a second")
    print_table(table)


for _added in (sample, tiles, harvest, rank):
    command.add_command(_added)
