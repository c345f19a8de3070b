"""``otherwords mine sample``, ``tiles`` and ``harvest``: from mined pairs to pairs that are safe to learn from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import simulated_option
from otherwords.cli.talk import print_json, print_table, say
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.api.mine import TileTable
    from otherwords.corpus.harvest.draw import MinedSample
    from otherwords.corpus.harvest.harvest import HarvestSummary
    from otherwords.mining.harvest.precision import Interval

BY = click.option(
    "--by", metavar="MEASURE", default="char-cosine", show_default=True, help="Measure of lexical similarity."
)


@click.command("sample")
@click.argument("pairs", metavar="DIR|PAIRS")
@click.option("--into", metavar="PROJECT", required=True, help="Project that gets the pairs as candidates.")
@click.option("--batch", metavar="NAME", required=True, help="Name of the batch for people.")
@click.option("--per-stratum", type=click.IntRange(min=1), default=25, show_default=True, help="Pairs of each stratum.")
@BY
@click.option("--times", type=click.IntRange(min=1), default=1, show_default=True, help="Judgements of a pair.")
@click.option("--scheme", metavar="NAME", help="Scheme of the batch; that of the project by default.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
@click.option("--json", "as_json", is_flag=True, help="Print the draw as JSON.")
def sample(pairs: str, as_json: bool, **options: Any) -> None:
    """Draw mined pairs for people, the same number from each of 20 strata of similarity.

    DIR is the folder of otherwords mine. If a classifier is to help later, name what otherwords predict
    made of its pairs.parquet instead. The pairs become candidates of the project, in a batch.

    \b
      otherwords mine sample mined --into corpus --batch strata --per-stratum 25
    """
    from otherwords.api import mine

    drawn = mine.sample(pairs, **options)
    if as_json:
        print_json(drawn.as_dict())
    else:
        _print_sample(drawn)


def _print_sample(drawn: MinedSample) -> None:
    from rich.table import Table

    table = Table("similarity", "pairs", "drawn", "", box=None)
    for row in drawn.strata:
        table.add_row(row.name, f"{row.population:,}", f"{row.drawn:,}", row.reason)
    print_table(table)
    say(f"batch {drawn.batch}: {drawn.drawn:,} of {drawn.pairs:,} pairs; {drawn.added:,} are new in the project")


@click.command("tiles")
@click.argument("pairs", metavar="PROJECT|FILE")
@click.option(
    "--confidence", metavar="COLUMN", default="p_negative", show_default=True, help="Column with the confidence."
)
@BY
@click.option("--steps", type=click.IntRange(1, 20), default=5, show_default=True, help="Tiles in each direction.")
@click.option("--all", "everything", is_flag=True, help="Show the whole sample, not only the third to choose on.")
@click.option("--plot", metavar="FILE", help="Draw the heat map (.svg, .png, .json).")
@click.option(
    "--side", type=click.Choice(["negative", "positive"]), default="negative", show_default=True, help="Share to draw."
)
@simulated_option
@click.option("--json", "as_json", is_flag=True, help="Print the tiles as JSON.")
def tiles(pairs: str, as_json: bool, **options: Any) -> None:
    """Count negatives and positives by tiles of similarity and confidence.

    Of a sample that otherwords mine sample drew, the third is shown that regions are chosen on, so that the
    precision of a region can be estimated on pairs that nobody chose by.

    \b
      otherwords mine tiles corpus --plot tiles.svg
    """
    import msgspec

    from otherwords.api import mine

    found = mine.tiles(pairs, **options)
    if as_json:
        rows = msgspec.to_builtins(found.tiles)
        print_json({"confidence": found.confidence, "tiles": rows, "notes": found.notes})
    else:
        _print_tiles(found)


def _print_tiles(found: TileTable) -> None:
    from rich.table import Table

    from otherwords.corpus.harvest.points import KEPT_APART

    table = Table("similarity", found.confidence, "pairs", "negative", "positive", box=None)
    for tile in found.tiles:
        table.add_row(
            f"{tile.similarity:g}", f"{tile.confidence:g}", f"{tile.n:,}", str(tile.negative), str(tile.positive)
        )
    print_table(table)
    for note in found.notes:
        say(f"note: {note}{'; --all shows them' if note.endswith(KEPT_APART) else ''}")


@click.command("harvest")
@click.argument("pairs", metavar="DIR|PAIRS")
@click.option("--sample", metavar="PROJECT", required=True, help="Project or file with the judged sample.")
@click.option("--negative", is_flag=True, help="Harvest pairs that are no paraphrases.")
@click.option("--positive", is_flag=True, help="Harvest paraphrases.")
@click.option("--region", metavar="TEXT", help='Region to harvest, such as "similarity<0.1 or p_negative>0.4".')
@click.option("--precision", type=float, help="Choose the largest region with at least this precision.")
@click.option("--confidence", metavar="COLUMN", help="Column with the confidence; what predict wrote by default.")
@click.option("--out", "-o", metavar="FILE", required=True, help="File for the pairs.")
@simulated_option
@click.option("--json", "as_json", is_flag=True, help="Print what was harvested as JSON.")
def harvest(pairs: str, negative: bool, positive: bool, as_json: bool, **options: Any) -> None:
    """Write the mined pairs of a region that is safely negative, or safely positive.

    The region is yours, or chosen on a third of the sample for a wanted precision. The precision is
    estimated on the other two thirds and written into every pair. No pair of the sample is harvested,
    and no sentence of the project's test part.

    \b
      otherwords mine harvest mined --sample corpus --negative --region "similarity<0.1" --out negatives.jsonl
      otherwords mine harvest predicted.parquet --sample corpus --positive --precision 0.95 --out positives.jsonl
    """
    import msgspec

    from otherwords.api import mine

    if negative == positive:
        raise UsageError("name either --negative or --positive", code="conflicting-options")
    summary = mine.harvest(pairs, side="negative" if negative else "positive", **options)
    if as_json:
        print_json(msgspec.to_builtins(summary))
    else:
        _print_harvest(summary, options["out"])


def _print_harvest(summary: HarvestSummary, out: str) -> None:
    from rich.table import Table

    table = Table("similarity", "harvested", "judged", "right", box=None)
    for row in summary.strata:
        if row.pairs or row.judged:
            table.add_row(row.stratum, f"{row.pairs:,}", f"{row.judged:,}", f"{row.right:,}")
    print_table(table)
    for reason, count in summary.left_out.items():
        say(f"left out: {count:,} × {reason}")
    for note in summary.notes:
        say(f"note: {note}")
    if summary.chosen is not None:
        say(f"chosen among {summary.tried:,} regions: {_in_words(summary.chosen)} where it was chosen")
    say(f"region: {summary.region}")
    say(f"precision: {_in_words(summary.precision)} by {summary.judged:,} judged pairs")
    if summary.powered is not None:
        say(f"with the model's help: {_in_words(summary.powered)}")
    say(f"{out}: {summary.harvested:,} {summary.side} pairs of {summary.pairs:,}")


def _in_words(interval: Interval) -> str:
    return f"{interval.estimate:.1%} ({interval.low:.1%} to {interval.high:.1%})"
