"""``otherwords user``: accounts of the annotation site."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from otherwords.cli.options import read_secret_line
from otherwords.cli.talk import print_json, print_link, print_table, say
from otherwords.errors import UsageError
from otherwords.web.accounts.roles import ROLES, SCOPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from otherwords.web.accounts.invitations import Person

_project = click.argument("project", metavar="PROJECT")
_name = click.argument("name", metavar="NAME")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
_role = click.option("--role", type=click.Choice(ROLES), default="annotator", show_default=True, help="Their role.")
_address = click.option(
    "--address",
    metavar="URL",
    help="The address of the site; the link begins with it. By default, where it was last served.",
)


@click.group("user")
def command() -> None:
    """Invite people to the annotation site, and manage their accounts.

    Each role includes those before it: worker, annotator, curator, admin. Upper and lower case are the same in names.
    A running server need not be stopped: every change applies from the next request on.
    """


@command.command("list")
@_project
@_as_json
def list_people(project: str, as_json: bool) -> None:
    """List accounts and open invitations.

    \b
      otherwords user list corpus
    """
    from otherwords.api import user

    people = user.list(project)
    if as_json:
        rows = []
        for person in people:
            row = {name: getattr(person, name) for name in ("name", "role", "state", "created")}
            link = person.invitation
            fields = link and {name: getattr(link, name) for name in ("id", "purpose", "author", "until")}
            rows.append(row | {"invitation": fields})
        print_json(rows)
    elif people:
        print_table(_people_table(people))
    else:
        say(f"nobody yet: otherwords user invite {project} --role admin")


@command.command()
@_project
@click.option("--name", metavar="NAME", help="The only name that the link is valid for; without it, they choose one.")
@_role
@click.option("--days", type=float, default=7, show_default=True, help="How long the link can be used.")
@_address
def invite(project: str, name: str | None, role: str, days: float, address: str | None) -> None:
    """Print a link with which one person can join.

    \b
      otherwords user invite corpus --name anna
      otherwords user invite corpus --role curator --address https://corpus.example.org
    """
    from otherwords.api import user

    link = user.invite(project, name=name, role=role, days=days, address=address)
    print_link(link.url, address)
    say(f"for {link.name or 'whoever opens it first'}, as {role}; valid once, for {days:g} days")


@command.command()
@_project
@click.argument("invitation", metavar="ID")
def cancel(project: str, invitation: str) -> None:
    """Cancel an unused invitation by the id that `user list` shows.

    \b
      otherwords user cancel corpus 5f2b01c4d9aa
    """
    from otherwords.api import user

    user.cancel(project, invitation)
    say("the invitation is cancelled")


@command.command()
@_project
@_name
@click.option("--days", type=float, default=2, show_default=True, help="How long the link can be used.")
@_address
def reset(project: str, name: str, days: float, address: str | None) -> None:
    """Print a link with which somebody can set a new password.

    \b
      otherwords user reset corpus anna
    """
    from otherwords.api import user

    link = user.reset(project, name, days=days, address=address)
    print_link(link.url, address)
    say(f"for {link.name}; valid once, for {days:g} days")


@command.command()
@_project
@_name
@_role
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input, one line.")
def add(project: str, name: str, role: str, password_stdin: bool) -> None:
    """Create an account with a password, for scripts; people are better invited.

    \b
      otherwords user add corpus anna --role curator --password-stdin < password.txt
    """
    from otherwords.api import user

    if not password_stdin:
        message = "the password is read from standard input: add --password-stdin"
        raise UsageError(message, code="password-missing")
    account = user.add(project, name, read_secret_line("password"), role=role)
    say(f"{account.name} can log in, as {account.role}")


@command.command()
@_project
@_name
@click.argument("role", type=click.Choice(ROLES))
def role(project: str, name: str, role: str) -> None:
    """Give somebody another role.

    \b
      otherwords user role corpus anna curator
    """
    from otherwords.api import user

    account = user.role(project, name, role)
    say(f"{account.name} is {account.role}")


@command.command()
@_project
@_name
def close(project: str, name: str) -> None:
    """Close an account: its owner can no longer log in. Their judgements stay.

    \b
      otherwords user close corpus anna
    """
    from otherwords.api import user

    say(f"the account {user.close(project, name).name} is closed")


@command.command()
@_project
@_name
def reopen(project: str, name: str) -> None:
    """Reopen a closed account.

    \b
      otherwords user reopen corpus anna
    """
    from otherwords.api import user

    say(f"the account {user.reopen(project, name).name} is open again")


@command.command()
@_project
@_name
def logout(project: str, name: str) -> None:
    """Log somebody out everywhere. Their tokens stay valid.

    \b
      otherwords user logout corpus anna
    """
    from otherwords.api import user

    result = user.logout(project, name)
    sessions = "1 session" if result.sessions == 1 else f"{result.sessions} sessions"
    say(f"{result.account.name} is logged out everywhere ({sessions})")


@command.command()
@_project
@_name
@click.argument("token", metavar="TOKEN")
@click.option("--scope", "scopes", multiple=True, type=click.Choice(SCOPES), required=True, help="What it allows.")
@click.option("--days", type=float, help="How long it is valid; forever by default.")
def token(project: str, name: str, token: str, scopes: tuple[str, ...], days: float | None) -> None:
    """Create a token of that name for a program, and print it once.

    \b
      otherwords user token corpus anna laptop --scope read --scope annotate --days 90
    """
    from otherwords.api import user

    click.echo(user.token(project, name, token, scopes=scopes, days=days))
    say(f"keep it: it is not shown again; to revoke it: otherwords user revoke {project} {name} {token!r}")


@command.command()
@_project
@_name
@_as_json
def tokens(project: str, name: str, as_json: bool) -> None:
    """List the tokens of an account.

    \b
      otherwords user tokens corpus anna
    """
    from dataclasses import asdict

    from otherwords.api import user

    known = user.tokens(project, name)
    if as_json:
        print_json([asdict(token) for token in known])
        return
    for token in known:
        end = f"until {datetime.fromtimestamp(token.until, UTC):%Y-%m-%d %H:%M}" if token.until else "without an end"
        click.echo(f"{token.name}  {' '.join(token.scopes)}  made {token.created[:10]}, {end}")


@command.command()
@_project
@_name
@click.argument("token", metavar="TOKEN")
def revoke(project: str, name: str, token: str) -> None:
    """Revoke a token.

    \b
      otherwords user revoke corpus anna laptop
    """
    from otherwords.api import user

    user.revoke(project, name, token)
    say(f"the token {token!r} is revoked")


def _people_table(people: Sequence[Person]) -> Table:
    from rich.table import Table

    table = Table("name", "role", "state", "since", "open link", box=None)
    for person in people:
        link = person.invitation
        until = f"{datetime.fromtimestamp(link.until, UTC):%Y-%m-%d %H:%M} UTC" if link else ""
        invitation = f"{link.purpose} {link.id[:12]} until {until}" if link else ""
        table.add_row(person.name or "–", person.role, person.state, person.created[:10], invitation)
    return table
