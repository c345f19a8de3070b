"""``otherwords user``: links and tokens on standard output, messages on standard error, mistakes in one line."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from otherwords.cli import cli
from otherwords.cli.people.user import command
from otherwords.errors import OtherwordsError
from otherwords.project import Project
from otherwords.web.accounts import invitations
from otherwords.web.accounts.login import verify_login
from otherwords.web.accounts.sessions import open_session, session_of
from otherwords.web.accounts.tokens import token_of
from otherwords.web.address import LAST
from otherwords.web.server import bind
from tests.cli.conftest import Run
from tests.conftest import ROOT
from tests.errors import raises
from tests.web.persons import HASH, events, everything, joined

PASSWORD = "seven herons on a fence"


def user(*arguments: object, stdin: str | bytes | None = None) -> Result:
    done = CliRunner().invoke(cli, ["user", *map(str, arguments)], input=stdin)
    if isinstance(done.exception, OtherwordsError):
        raise done.exception
    return done


ADDRESS_REMARK = (
    "the link is for a site at http://127.0.0.1:8080; if people reach it at another address, add --address URL\n"
)


def test_a_link_to_join(project: Project, folder: Path) -> None:
    done = user("invite", folder, "--name", "Anna", "--role", "curator", "--address", "https://corpus.example.org/")
    assert done.exit_code == 0
    link = done.stdout.strip()
    assert link.startswith("https://corpus.example.org/join/")
    assert done.stderr == "for Anna, as curator; valid once, for 7 days\n"
    with project.ledger.writing() as connection:
        account = invitations.accept(connection, link.rpartition("/")[2], None, HASH)
    assert (account.name, account.role) == ("Anna", "curator")
    assert link.rpartition("/")[2] not in everything(project)


def test_a_link_for_anybody(folder: Path) -> None:
    done = user("invite", folder, "--days", "0.5")
    assert done.stdout.startswith("http://127.0.0.1:8080/join/")
    assert done.stderr == ADDRESS_REMARK + "for whoever opens it first, as annotator; valid once, for 0.5 days\n"


def test_links_begin_with_the_address_at_which_the_site_was_last_served(project: Project, folder: Path) -> None:
    bind(folder, "127.0.0.1", 0, address="https://corpus.example.org/").sock.close()
    assert user("invite", folder).stdout.startswith("https://corpus.example.org/join/")
    site = bind(folder, "127.0.0.1", 0)
    site.sock.close()
    done = user("invite", folder, "--name", "Ben")
    assert done.stdout.startswith(f"{site.address}/join/")
    assert done.stderr.startswith(f"the link is for a site at {site.address}; ")
    joined(project, "Anna")
    assert user("reset", folder, "Anna").stdout.startswith(f"{site.address}/reset/")
    bind(folder, "127.0.0.1", 0, public=True).sock.close()  # which nobody can log in to
    assert user("invite", folder).stdout.startswith(f"{site.address}/join/")
    (folder / LAST).write_bytes(b"\xff javascript:")
    assert user("invite", folder).stdout.startswith("http://127.0.0.1:8080/join/")


def test_a_link_to_reset(project: Project, folder: Path) -> None:
    joined(project, "Anna")
    done = user("reset", folder, "ANNA")
    assert done.stdout.startswith("http://127.0.0.1:8080/reset/")
    assert done.stderr == ADDRESS_REMARK + "for Anna; valid once, for 2 days\n"
    with project.ledger.writing() as connection:
        assert invitations.accept(connection, done.stdout.strip().rpartition("/")[2], None, "$new").name == "Anna"


def test_a_script_adds_somebody_who_can_log_in(project: Project, folder: Path) -> None:
    done = user("add", folder, "anna", "--role", "admin", "--password-stdin", stdin=f"{PASSWORD}\r\nmore\n")
    assert (done.stdout, done.stderr) == ("", "anna can log in, as admin\n")
    assert verify_login(project.ledger, "Anna", PASSWORD, "127.0.0.1").role == "admin"
    assert PASSWORD not in everything(project)


def test_roles_closing_and_logging_out(project: Project, folder: Path) -> None:
    anna = joined(project, "Anna")
    assert user("role", folder, "anna", "curator").stderr == "Anna is curator\n"
    with project.ledger.writing() as connection:
        secret, _ = open_session(connection, anna)
    assert user("logout", folder, "anna").stderr == "Anna is logged out everywhere (1 session)\n"
    with project.ledger.reading() as connection:
        assert session_of(connection, secret) is None
    assert user("close", folder, "anna").stderr == "the account Anna is closed\n"
    assert user("reopen", folder, "anna").stderr == "the account Anna is open again\n"
    actions = ["added", "role changed", "logged out everywhere", "closed", "reopened"]
    assert [(actor, action) for actor, action, _ in events(project)] == [(None, action) for action in actions]


def test_tokens(project: Project, folder: Path) -> None:
    anna = joined(project, "anna")
    assert user("tokens", folder, "anna").stdout == ""
    done = user("token", folder, "anna", "laptop", "--scope", "read", "--scope", "annotate", "--days", "30")
    secret = done.stdout.strip()
    assert "not shown again" in done.stderr
    user("token", folder, "anna", "script", "--scope", "read")
    with project.ledger.reading() as connection:
        assert token_of(connection, secret) == (anna, {"read", "annotate"})
    lines = user("tokens", folder, "anna").stdout.splitlines()
    assert lines[0].startswith("laptop  read annotate  made 20")
    assert lines[1].endswith(", without an end")
    listed = json.loads(user("tokens", folder, "anna", "--json").stdout)
    assert [(token["name"], token["scopes"]) for token in listed] == [
        ("laptop", ["read", "annotate"]),
        ("script", ["read"]),
    ]
    assert user("revoke", folder, "anna", "laptop").stderr == "the token 'laptop' is revoked\n"
    with project.ledger.reading() as connection:
        assert token_of(connection, secret) is None


def test_the_list(project: Project, folder: Path) -> None:
    done = user("list", folder)
    assert (done.stdout, done.stderr) == ("", f"nobody yet: otherwords user invite {folder} --role admin\n")
    assert json.loads(user("list", folder, "--json").stdout) == []
    joined(project, "anna", "admin")
    user("invite", folder, "--name", "ben", "--role", "worker")
    anna, ben = json.loads(user("list", folder, "--json").stdout)
    assert (anna["name"], anna["role"], anna["state"], anna["invitation"]) == ("anna", "admin", "active", None)
    assert (ben["name"], ben["state"], ben["invitation"]["purpose"]) == ("ben", "invited", "join")
    lines = user("list", folder).stdout.splitlines()
    assert lines[0].split() == ["name", "role", "state", "since", "open", "link"]
    assert lines[1].split()[:3] == ["anna", "admin", "active"]
    assert f"join {ben['invitation']['id'][:12]} until 20" in lines[2]
    assert user("cancel", folder, ben["invitation"]["id"][:12]).stderr == "the invitation is cancelled\n"
    assert len(json.loads(user("list", folder, "--json").stdout)) == 1


def test_a_refused_request_changes_nothing(project: Project, folder: Path) -> None:
    joined(project, "root", "admin")
    before = everything(project)
    for arguments, code in (
        (["invite", folder, "--name", "ROOT"], "name-taken"),
        (["invite", folder, "--days", "1000"], "invalid-lifetime"),
        (["reset", folder, "ben"], "no-such-account"),
        (["role", folder, "root", "worker"], "last-admin"),
        (["close", folder, "root"], "last-admin"),
        (["logout", folder, "ben"], "no-such-account"),
        (["revoke", folder, "root", "laptop"], "no-such-token"),
        (["cancel", folder, "0123456789ab"], "no-such-invitation"),
        (["add", folder, "ben"], "password-missing"),
    ):
        with raises(code):
            user(*arguments)
    for stdin, code in (("short", "password-too-short"), ("", "password-too-short"), (b"\xff" * 12, "not-utf8")):
        with raises(code):
            user("add", folder, "ben", "--password-stdin", stdin=stdin)
    assert everything(project) == before


@pytest.mark.parametrize(
    "arguments",
    [["role", "corpus", "anna", "king"], ["invite", "corpus", "--role", "king"], ["token", "corpus", "anna", "laptop"]],
)
def test_wrong_usage(arguments: list[str]) -> None:
    assert user(*arguments).exit_code == 2


def test_a_mistake_is_one_line(run: Run, tmp_path: Path) -> None:
    assert run("new", "corpus", "--lang", "en").returncode == 0
    done = run("user", "close", "corpus", "ben")
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        "otherwords: nobody here is called 'ben' [no-such-account]\n",
    )
    assert run("user", "list", "nothing").returncode == 1
    done = run("user", "add", "corpus", "anna", "--password-stdin", stdin=PASSWORD)
    assert (done.returncode, done.stderr) == (0, "anna can log in, as annotator\n")


def test_every_option_is_explained_and_in_the_reference() -> None:
    reference = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for name, subcommand in command.commands.items():
        _, found, after = reference.partition(f"### user {name}\n")
        assert found, f"run tools/reference: user {name} is missing"
        section = after.partition("\n## ")[0].partition("\n### ")[0]
        for option in subcommand.params:
            if isinstance(option, click.Option):
                assert option.help
                assert f"`{option.opts[0]}`" in section
