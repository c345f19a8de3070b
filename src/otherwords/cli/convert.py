"""``otherwords convert``: any format to any other."""

from __future__ import annotations

from typing import Any

import click

from otherwords.cli.options import reading_options, refuse_same

NOUNS = ("pairs", "judgements", "documents", "document_pairs")


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--to", "to", metavar="FORMAT", help="The format to write; by suffix where it is not named.")
@click.option("--what", type=click.Choice(NOUNS), default="pairs", show_default=True, help="Which records to convert.")
@reading_options
def command(source: str, target: str, to: str | None, what: str, wishes: dict[str, Any]) -> None:
    """Convert a corpus from one format to another.

    Reads IN in any format that `otherwords formats` lists and writes OUT. Fields that a format does
    not know stay in `meta`, so our own formats lose nothing.

    \b
      otherwords convert dev.json pairs.jsonl --from turku
      otherwords convert corpus.xml types.jsonl --from p4p --what judgements
      otherwords convert pairs.jsonl - --to turku
    """
    from otherwords.cli.talk import account_lines, say, watched
    from otherwords.sources import format_for, reading, write

    format_for(target, to)
    refuse_same(target, wishes)
    with reading(source, noun=what, **wishes) as records:
        write(watched(records, records, "converting"), target, to)
        for line in account_lines(records):
            say(line)
