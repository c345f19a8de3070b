"""``otherwords user``: who may come to the annotation site."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from otherwords.errors import UsageError
from otherwords.web.roles import ROLES, SCOPES

if TYPE_CHECKING:
    from rich.table import Table
    from sqlalchemy import Connection

    from otherwords.web.people import Person

_project = click.argument("project", metavar="PROJECT")
_name = click.argument("name", metavar="NAME")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
USUAL_ADDRESS = "http://127.0.0.1:8080"
_address = click.option(
    "--address",
    default=USUAL_ADDRESS,
    show_default=True,
    metavar="URL",
    help="Where people reach the site, as serve prints it; the link begins with it.",
)
LONGEST_LINE = 8192
_ACTOR = None  # in the audit trail, a change without an actor came from the command line


@click.group("user")
def command() -> None:
    """Invite people to the annotation site, and manage their accounts.

    Roles rise: worker, annotator, curator, admin. Names are the same in capitals and in small letters.
    A server that runs need not be stopped: every change counts from the next request on.
    """


@command.command("list")
@_project
@_as_json
def list_people(project: str, as_json: bool) -> None:
    """List accounts and open invitations.

    \b
      otherwords user list corpus
    """
    from otherwords.cli.talk import print_table, say
    from otherwords.web.people import people

    with _reading(project) as connection:
        everybody = people(connection)
    if as_json:
        click.echo(json.dumps([_told(person) for person in everybody], ensure_ascii=False, indent=2))
    elif everybody:
        print_table(_table(everybody))
    else:
        say(f"nobody yet: otherwords user invite {project} --role admin")


@command.command()
@_project
@click.option("--name", metavar="NAME", help="The only name that the link is good for; theirs to choose otherwise.")
@click.option("--role", type=click.Choice(ROLES), default="annotator", show_default=True, help="What they may do.")
@click.option("--days", type=float, default=7, show_default=True, help="How long the link can be used.")
@_address
def invite(project: str, name: str | None, role: str, days: float, address: str) -> None:
    """Print a link with which one person can join.

    \b
      otherwords user invite corpus --name anna
      otherwords user invite corpus --role curator --address https://corpus.example.org
    """
    from otherwords.cli.talk import say
    from otherwords.web import invitations

    with _writing(project) as connection:
        secret = invitations.invite(connection, role, _ACTOR, name, days)
    click.echo(_link(address, "join", secret))
    _say_where(address)
    say(f"for {name or 'whoever opens it first'}, as {role}; good once, for {days:g} days")


@command.command()
@_project
@click.argument("invitation", metavar="ID")
def cancel(project: str, invitation: str) -> None:
    """Take back an invitation that nobody has used, by the id that `user list` shows.

    \b
      otherwords user cancel corpus 5f2b01c4d9aa
    """
    from otherwords.cli.talk import say
    from otherwords.web import invitations

    with _writing(project) as connection:
        invitations.cancel(connection, invitation, _ACTOR)
    say("the invitation is cancelled")


@command.command()
@_project
@_name
@click.option("--days", type=float, default=2, show_default=True, help="How long the link can be used.")
@_address
def reset(project: str, name: str, days: float, address: str) -> None:
    """Print a link with which somebody can set a new password.

    \b
      otherwords user reset corpus anna
    """
    from otherwords.cli.talk import say
    from otherwords.web import invitations
    from otherwords.web.accounts import account_of

    with _writing(project) as connection:
        account = account_of(connection, name)
        secret = invitations.invite_to_reset(connection, account, _ACTOR, days)
    click.echo(_link(address, "reset", secret))
    _say_where(address)
    say(f"for {account.name}; good once, for {days:g} days")


@command.command()
@_project
@_name
@click.option("--role", type=click.Choice(ROLES), default="annotator", show_default=True, help="What they may do.")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input, one line.")
def add(project: str, name: str, role: str, password_stdin: bool) -> None:
    """Make an account with a password, for scripts; people are better invited.

    \b
      otherwords user add corpus anna --role curator --password-stdin < password.txt
    """
    from otherwords.cli.talk import say
    from otherwords.web.accounts import add_account
    from otherwords.web.names import checked_name
    from otherwords.web.passwords import hashed

    if not password_stdin:
        raise UsageError("the password comes on standard input: add --password-stdin")
    password = hashed(_line(), checked_name(name))
    with _writing(project) as connection:
        account = add_account(connection, name, role, password, _ACTOR)
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
    from otherwords.cli.talk import say
    from otherwords.web.accounts import account_of, set_role

    with _writing(project) as connection:
        account = set_role(connection, account_of(connection, name), role, _ACTOR)
    say(f"{account.name} is {account.role}")


@command.command()
@_project
@_name
def close(project: str, name: str) -> None:
    """Let somebody in no more. What they judged stays.

    \b
      otherwords user close corpus anna
    """
    from otherwords.cli.talk import say
    from otherwords.web import accounts

    with _writing(project) as connection:
        account = accounts.close(connection, accounts.account_of(connection, name), _ACTOR)
    say(f"the account {account.name} is closed")


@command.command()
@_project
@_name
def reopen(project: str, name: str) -> None:
    """Let somebody in again whose account was closed.

    \b
      otherwords user reopen corpus anna
    """
    from otherwords.cli.talk import say
    from otherwords.web import accounts

    with _writing(project) as connection:
        account = accounts.reopen(connection, accounts.account_of(connection, name), _ACTOR)
    say(f"the account {account.name} is open again")


@command.command()
@_project
@_name
def logout(project: str, name: str) -> None:
    """Log somebody out everywhere. Tokens stay.

    \b
      otherwords user logout corpus anna
    """
    from otherwords.cli.talk import say
    from otherwords.web.accounts import account_of
    from otherwords.web.sessions import close_all_sessions

    with _writing(project) as connection:
        account = account_of(connection, name)
        closed = close_all_sessions(connection, account, _ACTOR)
    say(f"{account.name} is logged out everywhere ({closed} session{'' if closed == 1 else 's'})")


@command.command()
@_project
@_name
@click.argument("token", metavar="TOKEN")
@click.option("--scope", "scopes", multiple=True, type=click.Choice(SCOPES), required=True, help="What it is good for.")
@click.option("--days", type=float, help="How long it is good for; without an end otherwise.")
def token(project: str, name: str, token: str, scopes: tuple[str, ...], days: float | None) -> None:
    """Make a token of that name for a program of somebody's, and print it this once.

    \b
      otherwords user token corpus anna laptop --scope read --scope annotate --days 90
    """
    from otherwords.cli.talk import say
    from otherwords.web.accounts import account_of
    from otherwords.web.tokens import make_token

    with _writing(project) as connection:
        account = account_of(connection, name)
        secret = make_token(connection, account, token, scopes, _ACTOR, days)
    click.echo(secret)
    say(f"keep it: it is not shown again; to end it: otherwords user revoke {project} {account.name} {token!r}")


@command.command()
@_project
@_name
@_as_json
def tokens(project: str, name: str, as_json: bool) -> None:
    """List somebody's tokens.

    \b
      otherwords user tokens corpus anna
    """
    import dataclasses

    from otherwords.web.accounts import account_of
    from otherwords.web.tokens import tokens_of

    with _reading(project) as connection:
        known = tokens_of(connection, account_of(connection, name))
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(one) for one in known], ensure_ascii=False, indent=2))
        return
    for one in known:
        ends = f"until {_day(one.until)}" if one.until else "without an end"
        click.echo(f"{one.name}  {' '.join(one.scopes)}  made {one.created[:10]}, {ends}")


@command.command()
@_project
@_name
@click.argument("token", metavar="TOKEN")
def revoke(project: str, name: str, token: str) -> None:
    """End a token.

    \b
      otherwords user revoke corpus anna laptop
    """
    from otherwords.cli.talk import say
    from otherwords.web import tokens
    from otherwords.web.accounts import account_of

    with _writing(project) as connection:
        tokens.revoke(connection, account_of(connection, name), token, _ACTOR)
    say(f"the token {token!r} is revoked")


@contextlib.contextmanager
def _reading(project: str) -> Iterator[Connection]:
    from otherwords.project import opened

    with opened(project) as corpus, corpus.ledger.reading() as connection:
        yield connection


@contextlib.contextmanager
def _writing(project: str) -> Iterator[Connection]:
    from otherwords.project import opened

    with opened(project) as corpus, corpus.ledger.writing() as connection:
        yield connection


def _line() -> str:
    """The first line of standard input, without its end."""
    try:
        return sys.stdin.buffer.readline(LONGEST_LINE).decode().rstrip("\r\n")
    except UnicodeDecodeError:
        raise UsageError("the password on standard input is not UTF-8") from None


def _link(address: str, purpose: str, secret: str) -> str:
    return f"{address.rstrip('/')}/{purpose}/{secret}"


def _say_where(address: str) -> None:
    """The site may have another port or name, which is known only to whoever started it."""
    from otherwords.cli.talk import say

    if address == USUAL_ADDRESS:
        say(f"the link is for a site at {address}; if serve prints another address, add --address URL")


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(" ", "minutes")[:16]


def _told(person: Person) -> dict[str, Any]:
    told = {"name": person.name, "role": person.role, "state": person.state, "created": person.created}
    link = person.invitation
    opened = link and {"id": link.id, "purpose": link.purpose, "author": link.author, "until": link.until}
    return {**told, "invitation": opened}


def _table(everybody: list[Person]) -> Table:
    from rich.table import Table

    table = Table("name", "role", "state", "since", "open link", box=None)
    for person in everybody:
        link = person.invitation
        opened = f"{link.purpose} {link.id[:12]} until {_day(link.until)} UTC" if link else ""
        table.add_row(person.name or "–", person.role, person.state, person.created[:10], opened)
    return table
