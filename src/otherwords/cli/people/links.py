"""Links into the site as the command line prints them."""

from __future__ import annotations

from urllib.parse import urlsplit

import click

from otherwords.cli.talk import say


def print_link(url: str, address: str | None) -> None:
    """Print a link, with a remark unless an address was chosen: people may reach the site at another one."""
    click.echo(url)
    if address is None:
        assumed = urlsplit(url)._replace(query="", fragment="")
        site = assumed._replace(path=assumed.path.rsplit("/", 2)[0]).geturl()
        say(f"the link is for a site at {site}; if people reach it at another address, add --address URL")
