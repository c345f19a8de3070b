"""Commands that take something out of a corpus: ``withdraw`` for good, ``leave-out`` with a way back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from otherwords.cli.talk import print_json, print_table, say
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.api.left_out import LeaveOutResult
    from otherwords.project.left_out import LeftOutPair
    from otherwords.project.withdrawal.withdraw import Noun

NOUNS = ("document", "pair", "annotator")
SHOWN = 10  # duplicates of a dry run


@click.command("withdraw")
@click.argument("project", metavar="PROJECT")
@click.argument("name", metavar="DOCUMENT|PAIR|ANNOTATOR")
@click.option("--noun", type=click.Choice(NOUNS), help="Which of them, if more than one has the name.")
@click.option("--reason", metavar="TEXT", help="Reason; kept with the tombstone.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print what was erased as JSON.")
def withdraw(
    project: str, name: str, noun: Noun | None, reason: str | None, yes: bool, wait: bool, as_json: bool
) -> None:
    """Erase the text of a document or a pair, or the name of an annotator, for good.

    For a document, its text and that of every pair, rewrite and note taken from it are erased; for a pair, its texts,
    rewrites and notes; for an annotator, the name, which a pseudonym replaces. Tombstones stay, so that a later import
    does not bring it back, and the releases that hold it are listed. Backups and exports made earlier are not changed.

    \b
      otherwords withdraw corpus news-1f0c22 --reason "letter of 3 March"
      otherwords withdraw corpus en-0001 --reason "there is an e-mail address in it"
      otherwords withdraw corpus anna --yes
    """
    from otherwords.api import projects
    from otherwords.project import open_project
    from otherwords.project.withdrawal.withdraw import find_noun

    if noun is None:
        with open_project(project) as corpus:
            noun = find_noun(corpus, name)
    try:
        question = f"Erase the {noun} {name} in {project}? This cannot be undone."
        confirmed = yes or click.confirm(question, err=True)
    except click.Abort:
        message = "there is no terminal to ask for confirmation; add --yes"
        raise UsageError(message, code="no-confirmation") from None
    if not confirmed:
        say("nothing was erased")
        raise click.exceptions.Exit(1)
    result = projects.withdraw(project, name, noun=noun, reason=reason, wait=wait)
    if as_json:
        print_json(asdict(result))
    for line in result.lines():
        say(line)


@click.command("leave-out")
@click.argument("project", metavar="PROJECT")
@click.argument("pairs", metavar="[PAIR]…", nargs=-1)
@click.option("--reason", metavar="TEXT", help="Why; it stands in the card of later releases.")
@click.option("--duplicates", is_flag=True, help="Leave out all but one of every set of equal pairs.")
@click.option("--undo", is_flag=True, help="Take the pairs back, or with --duplicates all that it left out.")
@click.option("--list", "listed", is_flag=True, help="List the pairs that are left out.")
@click.option("--dry-run", is_flag=True, help="With --duplicates: show them and change nothing.")
@click.option("--wait", is_flag=True, help="Wait while somebody else works on the project.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def leave_out(
    project: str,
    pairs: tuple[str, ...],
    reason: str | None,
    duplicates: bool,
    undo: bool,
    listed: bool,
    dry_run: bool,
    wait: bool,
    as_json: bool,
) -> None:
    """Leave pairs out of the corpus for a reason, and take them back.

    Nothing is erased (withdraw does that). The pairs keep their judgements, but have no label, are not chosen for new
    batches, and are not in releases that are made from then on. Batches that have them already go on. Equal pairs are
    those that a release would report as duplicates. Of each set, a pair with a label is kept, then the one with most
    judgements, then the oldest; sets whose labels differ are left as they are.

    \b
      otherwords leave-out corpus en-0001 en-0007 --reason "not a sentence"
      otherwords leave-out corpus en-0007 --undo
      otherwords leave-out corpus --duplicates --dry-run
      otherwords leave-out corpus --list
    """
    from otherwords.api import left_out

    if listed and (pairs or duplicates or undo or reason):
        message = "--list only lists; leave out the pairs and the other options"
        raise UsageError(message, code="conflicting-options")
    if not (listed or pairs or duplicates):
        message = "name the pairs, or use --duplicates or --list"
        raise UsageError(message, code="no-pairs-named")
    result = left_out.leave_out(
        project, pairs, reason=reason, duplicates=duplicates, undo=undo, dry_run=dry_run, wait=wait
    )
    if as_json:
        print_json(asdict(result))
    elif listed:
        _print_list(result.left_out)
    elif dry_run:
        for duplicate, kept in list(result.kept.items())[:SHOWN]:
            click.echo(f"{duplicate}  duplicate of {kept}, which is kept")
    say(_summary(result, undo=undo, dry_run=dry_run, listed=listed))


def _print_list(pairs: list[LeftOutPair]) -> None:
    from rich.table import Table

    table = Table("pair", "reason", "by", "when", box=None)
    for row in pairs:
        reason = f"{row.reason} ({row.kept})" if row.kept else row.reason
        table.add_row(row.pair, reason, row.author or "the command line", row.time[:10])
    if pairs:
        print_table(table)


def _summary(result: LeaveOutResult, *, undo: bool, dry_run: bool, listed: bool) -> str:
    """The result in a sentence."""
    if listed:
        return f"{_pairs(len(result.left_out))} left out"
    if dry_run:
        sentence = (
            f"{_pairs(len(result.kept))} would be left out, {len(set(result.kept.values())):,} kept in their place"
        )
    else:
        sentence = f"{_pairs(len(result.changed))} {'taken back' if undo else 'left out'}"
    if result.unchanged:
        state = "not left out" if undo else "left out before"
        sentence += f"; {result.unchanged:,} {'was' if result.unchanged == 1 else 'were'} {state}"
    if result.contradictions == 1:
        sentence += "; 1 set of duplicates has different labels and stays as it is"
    elif result.contradictions:
        sentence += f"; {result.contradictions:,} sets of duplicates have different labels and stay as they are"
    return sentence


def _pairs(number: int) -> str:
    return "1 pair" if number == 1 else f"{number:,} pairs"
