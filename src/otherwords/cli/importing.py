"""``otherwords import``: texts and pairs into a project."""

from __future__ import annotations

from typing import Any

import click

from otherwords.cli.options import reading_options, settings

KINDS = ("subtitles", "news", "forum", "posts", "groups", "bitext", "pairs", "judgements", "export")


@click.command("import")
@click.argument("project", metavar="PROJECT")
@click.argument("kind", metavar="KIND", type=click.Choice(KINDS))
@click.argument("paths", metavar="PATH…", nargs=-1, required=True)
@click.option("--set", "given", metavar="NAME=VALUE", multiple=True, help="An option of the kind; repeatable.")
@click.option(
    "--licence",
    metavar="NAME",
    help="The licence of documents that do not say theirs: CC-BY-4.0. Importing again with it changes theirs.",
)
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@reading_options
def command(
    project: str,
    kind: str,
    paths: tuple[str, ...],
    given: tuple[str, ...],
    licence: str | None,
    wait: bool,
    as_json: bool,
    wishes: dict[str, Any],
) -> None:
    """Import files into a project.

    KIND is subtitles, news, forum, posts, groups, bitext, pairs (any pair corpus that `otherwords
    formats` lists), judgements (what people said elsewhere about pairs that are here) or export (a
    folder that `otherwords export` wrote). A file that was imported before adds nothing; an import
    that was stopped is run again and goes on.

    \b
      otherwords import corpus subtitles films/
      otherwords import corpus news feed.xml --set outlet=Courier --licence CC-BY-4.0
      otherwords import corpus pairs dev.json --from turku
      otherwords import corpus judgements sheet.csv --columns pair=item,annotator=who
    """
    import json

    from otherwords.cli.talk import counted, say
    from otherwords.project import opened
    from otherwords.project.importing import import_file
    from otherwords.project.transfer import import_export

    rows = []
    with opened(project) as corpus, corpus.holding(wait=wait):
        for path in paths:
            if kind == "export":
                told = import_export(corpus, path)
            else:
                options = settings(given)
                told = import_file(corpus, kind, path, options=options, licence=licence, watch=counted, **wishes)
            rows.append({"path": path, "again": told.again, **told.counts(), "relicensed": told.relicensed})
            for line in told.lines():
                say(line)
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
