"""``otherwords verify``: whether a release is what it says."""

from __future__ import annotations

import json

import click


@click.command("verify")
@click.argument("folder", metavar="DIR")
@click.option("--project", metavar="PROJECT", help="Also follow every pair back to its judgements in this project.")
@click.option("--json", "as_json", is_flag=True, help="Print everything that was looked at as JSON.")
def command(folder: str, project: str | None, as_json: bool) -> None:
    """Check a release: its files, its counts, its labels, every row of every config, and leaks between its parts.

    The exit code is 1 if anything is not as it was released, with what that is.

    \b
      otherwords verify corpus/releases/1.0
      otherwords verify corpus/releases/1.0 --project corpus
    """
    from dataclasses import asdict

    from otherwords.cli.talk import say
    from otherwords.corpus.verify import verify

    verified = verify(folder, project)
    if as_json:
        click.echo(json.dumps(asdict(verified) | {"sound": verified.sound}, ensure_ascii=False, indent=2))
    for at, problems in verified.problems.items():
        for problem in problems:
            say(f"{at}: {problem}")
        if at in verified.more:
            say(f"{at}: and {verified.more[at]:,} more")
    if not verified.sound:
        say(f"{folder} is not as it was released")
        raise SystemExit(1)
    say(f"{folder}: version {verified.version}, {verified.pairs:,} pairs, all as it was released")
