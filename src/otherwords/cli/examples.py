"""``otherwords examples``: something to try everything on."""

from __future__ import annotations

import json

import click


@click.command("examples")
@click.argument("folder", metavar="[DIR]", default="examples")
@click.option("--json", "as_json", is_flag=True, help="Print the names of the files as JSON.")
def command(folder: str, as_json: bool) -> None:
    """Copy the example corpora and source texts into a new folder, ./examples by default.

    They were written for this package: labelled pairs in seven languages, subtitles, news, forum messages,
    translations, judgements and paraphrase types. A folder with files in it is left alone.

    \b
      otherwords examples
      otherwords examples somewhere/else
    """
    from otherwords.cli.talk import say
    from otherwords.sources.examples import copy_examples

    files = copy_examples(folder)
    if as_json:
        click.echo(json.dumps([path.as_posix() for path in files], ensure_ascii=False, indent=2))
        return
    click.echo(folder)
    say(f"{len(files):,} files; begin with {folder}/README.md")
