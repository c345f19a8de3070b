"""``otherwords lines``: the line alignment of two texts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from otherwords.align.lines import LineAlignment


@click.command("lines")
@click.argument("one", metavar="A")
@click.argument("two", metavar="B")
@click.option("--encoding", metavar="NAME", help="The encoding, where it is neither UTF-8 nor marked.")
@click.option("--json", "as_json", is_flag=True, help="Print the alignment as one JSON object.")
def command(one: str, two: str, encoding: str | None, as_json: bool) -> None:
    """Align two files line by line.

    Prints pairs of line numbers, from 1, in order on both sides; a line may be in several pairs or in
    none. Subtitles (.srt .vtt .ass .ssa .sub .xml, also .gz) are aligned by their time stamps, with the
    offset and the drift between the two clocks estimated; their lines are those of the text alone,
    without numbers, times and tags. Other files are aligned by what the lines say.

    \b
      otherwords lines first.srt second.srt
    """
    from otherwords.align.line_files import align_files
    from otherwords.cli.talk import say

    found = align_files(one, two, encoding)
    if as_json:
        click.echo(json.dumps(_told(found)))
        return
    for i, j in found.pairs:
        click.echo(f"{i + 1}\t{j + 1}")
    say(f"{found.lines1:,} and {found.lines2:,} lines, {len(found.pairs):,} pairs, by {found.method}")
    if found.drift is not None and found.offset_ms is not None:
        say(f"  second clock = {found.drift:.6f} × first {found.offset_ms / 1000:+.2f} s")


def _told(found: LineAlignment) -> dict[str, object]:
    return {
        "method": found.method,
        "offset_ms": None if found.offset_ms is None else round(found.offset_ms),
        "drift": None if found.drift is None else round(found.drift, 6),
        "lines1": found.lines1,
        "lines2": found.lines2,
        "pairs": [[i + 1, j + 1] for i, j in found.pairs],
    }
