"""``otherwords import``: texts, pairs and judgements into a project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from otherwords.cli.options import named_judges, named_labels, parse_settings, reading_options
from otherwords.cli.talk import import_bar, print_json, say
from otherwords.errors import DataError

if TYPE_CHECKING:
    from otherwords.project.importing.records import ImportResult

KINDS = (
    *("subtitles", "news", "forum", "posts", "groups", "sentences", "bitext"),
    *("corpus", "pairs", "judgements", "export"),
)


@click.command("import")
@click.argument("project", metavar="PROJECT")
@click.argument("kind", metavar="KIND", type=click.Choice(KINDS))
@click.argument("paths", metavar="PATH…", nargs=-1, required=True)
@click.option("--set", "texts", metavar="NAME=VALUE", multiple=True, help="An option of the kind; repeatable.")
@click.option(
    "--licence",
    metavar="NAME",
    help="Licence of documents or pairs without their own: CC-BY-4.0. Importing again changes it.",
)
@click.option(
    "--earlier",
    type=click.Choice(["replace", "keep"]),
    help="What earlier imports of the path with other options brought; replaced by default if the content is the same.",
)
@click.option(
    "--judges",
    metavar="COLUMN[=NAME],…",
    help="Columns of a table that hold the answers of one annotator each, who is named like the column or NAME.",
)
@click.option(
    "--map", "labels", metavar="LABEL=NAME,…", multiple=True, help="Rename labels: ja=yes,nein=no. LABEL= is no answer."
)
@click.option(
    "--batch",
    metavar="NAME",
    help="Then make a batch in which to decide where judgements differ, as batch imported does.",
)
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
@reading_options
def command(
    project: str,
    kind: Any,
    paths: tuple[str, ...],
    texts: tuple[str, ...],
    judges: str | None,
    labels: tuple[str, ...],
    batch: str | None,
    as_json: bool,
    reading: Any,
    **others: Any,
) -> None:
    """Import files into a project.

    KIND is subtitles, news, forum, posts, groups, sentences, bitext, corpus (documents, pairs and
    judgements of any corpus that `otherwords formats` lists, or of a release), pairs or judgements alone (these
    about pairs of the project) or export (a folder that `otherwords export` wrote). A file that was
    imported before adds nothing; an import that was stopped continues when it is run again. With
    other options, a file replaces what it brought, except what somebody judged or used: of such pairs,
    the source, the licence and other fields are corrected. An annotator whose name somebody else of
    another corpus has gets the name of the file, too: 1@P4P.

    A table in which every annotator has a column of answers brings its pairs and, with --judges, a
    judgement for each answer. Labels that the project's scheme does not have are kept and counted,
    with the nearest that it has; --map renames them.

    \b
      otherwords import corpus subtitles films/
      otherwords import corpus news feed.xml --set outlet=Courier --licence CC-BY-4.0
      otherwords import corpus sentences pool.jsonl.gz --licence CC0-1.0
      otherwords import corpus corpus P4P.xml --licence CC-BY-4.0
      otherwords import corpus pairs dev.json --from turku --licence CC-BY-SA-4.0 --set source=turku
      otherwords import corpus judgements sheet.csv --columns pair=item,annotator=who
      otherwords import corpus pairs sheet.xlsx --judges "Anna,Ben" --map ja=yes,nein=no --batch sheet
    """
    from otherwords.api.projects import import_

    others |= {"options": parse_settings(texts), "progress": import_bar}
    others |= {"judges": named_judges(judges), "mapping": named_labels(labels)}
    results = import_(project, kind, paths, report=lambda result: say("\n".join(result.lines())), **others, **reading)
    if as_json:
        print_json([result.as_dict() for result in results])
    if batch is not None:
        _make_batch(project, batch, results)


def _make_batch(project: str, name: str, results: list[ImportResult]) -> None:
    """Make the batch of imported judgements, unless some of these have to be renamed first."""
    from otherwords.api.batch import imported

    if outside := sum(sum(result.outside.values()) for result in results):
        labels = "1 label is" if outside == 1 else f"{outside:,} labels are"
        message = f"the batch {name} was not made: {labels} outside the scheme; import again with --map"
        raise DataError(message, code="outside-scheme")
    created = imported(project, name)
    pairs = "1 pair" if created.items == 1 else f"{created.items:,} pairs"
    say(f"{name}: {pairs} that several people judged; next: otherwords serve {project}")
