"""``otherwords align``: pairs of documents; ``otherwords lines``: the line alignment of two texts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import parse_settings
from otherwords.cli.talk import print_json, say, step_bars

if TYPE_CHECKING:
    from otherwords.align.explore import Exploration
    from otherwords.api.projects import AlignResult

METHODS = ("subtitles", "news", "headings", "forum", "groups", "posts")


@click.command("align")
@click.argument("project", metavar="PROJECT")
@click.argument("method", metavar="METHOD", type=click.Choice(METHODS))
@click.option("--low", type=float, help="Leave out pairs that are less similar than this.")
@click.option("--high", type=float, help="Leave out pairs that are more similar than this.")
@click.option("--seed", type=int, help="Random seed.")
@click.option("--round", type=click.IntRange(1), help="Subtitles: 2 draws again, by the yield of round 1.")
@click.option("--set", "texts", metavar="NAME=VALUE", multiple=True, help="A parameter of the method; repeatable.")
@click.option("--explore", is_flag=True, help="Show similarities and examples around the thresholds; change nothing.")
@click.option("--plot", metavar="FILE", help="With --explore: draw the histogram as .svg or .png.")
@click.option("--jobs", "-j", type=click.IntRange(1), help="Number of cores to use; all by default.")
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts, or the result of --explore, as JSON.")
def align(project: str, method: Any, texts: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Pair the documents of a project.

    METHOD is subtitles, news, headings, forum, groups or posts. A band of similarities decides which
    pairs are worth a person's time: look with --explore, then set --low and --high.

    \b
      otherwords align corpus news --explore
      otherwords align corpus news --low 0.35 --high 0.8
    """
    from otherwords.api import projects

    with step_bars() as progress:
        result = projects.align(project, method, settings=parse_settings(texts), progress=progress, **options)
    if as_json:
        print_json(result.run.as_dict() if result.run else result.exploration)
    elif result.exploration:
        _print_exploration(result.exploration)
        _print_settings(project, result)


def _print_settings(project: str, result: AlignResult) -> None:
    """Print how the band that is proposed is set in the project's recipe."""
    band = result.exploration.get("proposal") if result.exploration else None
    if band and result.steps:
        texts = [f"--set {step}.{end}={band[end]:g}" for step in result.steps for end in ("low", "high")]
        click.echo(f"in the project's recipe: otherwords run {project} {' '.join(texts)}")


def _print_exploration(exploration: Exploration) -> None:
    """Print a histogram, examples around each threshold, and a proposal."""
    most = max(row["count"] for row in exploration["histogram"]) or 1
    for row in exploration["histogram"]:
        click.echo(f"{row['from']:.2f}  {row['count']:>9,}  {'█' * round(50 * row['count'] / most)}")
    for end in exploration["thresholds"]:
        for side in ("below", "above"):
            for pair in end[side]:
                click.echo(
                    f"\n{side} {end['threshold']:.2f}: {pair['similarity']:.3f}  {pair['doc1']} and {pair['doc2']}"
                )
                for text in (pair["begins1"], pair["begins2"]):
                    click.echo("  " + " / ".join(text.splitlines()))
    if proposal := exploration["proposal"]:
        click.echo(f"\nthe shape of the histogram suggests --low {proposal['low']:g} --high {proposal['high']:g}")
        click.echo(f"  low: {proposal['low_because']}\n  high: {proposal['high_because']}")
    else:
        click.echo(f"\nno band is suggested: {exploration['why_not']}")


@click.command("lines")
@click.argument("path1", metavar="A")
@click.argument("path2", metavar="B")
@click.option("--encoding", metavar="NAME", help="Encoding of the files, if it is neither UTF-8 nor marked.")
@click.option("--json", "as_json", is_flag=True, help="Print the alignment as one JSON object.")
def lines(path1: str, path2: str, encoding: str | None, as_json: bool) -> None:
    """Align two files line by line.

    Prints pairs of line numbers, from 1, in order on both sides; a line may be in several pairs or in
    none. Subtitles (.srt .vtt .ass .ssa .sub .xml, also .gz) are aligned by their time stamps, with the
    offset and the drift between the two clocks estimated; their lines are those of the text alone,
    without numbers, times and tags. Other files are aligned by content.

    \b
      otherwords lines first.srt second.srt
    """
    from otherwords.api import projects

    alignment = projects.lines(path1, path2, encoding=encoding)
    if as_json:
        fields = {
            "method": alignment.method,
            "offset_ms": None if alignment.offset_ms is None else round(alignment.offset_ms),
            "drift": None if alignment.drift is None else round(alignment.drift, 6),
            "lines1": alignment.lines1,
            "lines2": alignment.lines2,
            "pairs": [[i + 1, j + 1] for i, j in alignment.pairs],
        }
        click.echo(json.dumps(fields))
        return
    for i, j in alignment.pairs:
        click.echo(f"{i + 1}\t{j + 1}")
    counts = f"{alignment.lines1:,} and {alignment.lines2:,} lines, {len(alignment.pairs):,} pairs"
    say(f"{counts}, by {alignment.method}")
    if alignment.drift is not None and alignment.offset_ms is not None:
        say(f"  second clock = {alignment.drift:.6f} × first {alignment.offset_ms / 1000:+.2f} s")
