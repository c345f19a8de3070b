"""``otherwords withdraw``: honour a withdrawn consent."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import click

from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.project.withdraw import Noun

NOUNS = ("document", "pair", "annotator")


@click.command("withdraw")
@click.argument("project", metavar="PROJECT")
@click.argument("name", metavar="DOCUMENT|PAIR|ANNOTATOR")
@click.option("--noun", type=click.Choice(NOUNS), help="Which of them, where more than one has the name.")
@click.option("--reason", metavar="TEXT", help="Why; kept with the tombstone.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print what was erased as JSON.")
def command(
    project: str,
    name: str,
    noun: Noun | None,
    reason: str | None,
    yes: bool,
    wait: bool,
    as_json: bool,
) -> None:
    """Erase the text of a document or a pair, or the name of an annotator, for good.

    Of a document the text goes, and that of every pair, rewrite and note taken from it; of a pair its texts, its
    rewrites and notes; of an annotator the name, which a pseudonym replaces. Tombstones stay, so that a later import
    does not bring it back, and the releases that hold it are listed. Backups and exports made earlier are not changed.

    \b
      otherwords withdraw corpus news-1f0c22 --reason "letter of 3 March"
      otherwords withdraw corpus en-0001 --reason "there is an e-mail address in it"
      otherwords withdraw corpus anna --yes
    """
    from otherwords.cli.talk import say
    from otherwords.project import opened
    from otherwords.project.withdraw import noun_of, withdraw

    with opened(project) as corpus:
        noun = noun or noun_of(corpus, name)
        if not yes and not _confirmed(f"Erase the {noun} {name} in {project}? This cannot be undone."):
            say("nothing was erased")
            raise click.exceptions.Exit(1)
        with corpus.holding(wait=wait):
            told = withdraw(corpus, name, reason, noun)
    if as_json:
        click.echo(json.dumps(dataclasses.asdict(told), indent=2))
    for line in told.lines():
        say(line)


def _confirmed(question: str) -> bool:
    try:
        return click.confirm(question, err=True)
    except click.Abort:
        raise UsageError("nobody is there to answer; add --yes") from None
