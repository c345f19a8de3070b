"""``otherwords serve``: the annotation site of a project."""

from __future__ import annotations

from pathlib import Path

import click

from otherwords.cli.talk import say


@click.command("serve")
@click.argument("project", type=click.Path(path_type=Path))
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen to; 0.0.0.0 is all of them."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="0 takes any free port.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that serve it.")
@click.option("--public", is_flag=True, help="Released pairs only, read-only, without accounts.")
def command(project: Path, host: str, port: int, workers: int, public: bool) -> None:
    """Serve the annotation site of PROJECT until Ctrl-C.

    The first time, it prints a link with which the admin chooses a name and a password; all others are invited
    from there, or with: otherwords user invite. Only this machine can reach it unless --host says otherwise; put
    a web server with TLS in front of it before others do.
    """
    from otherwords.web.server import bind, serve

    opened = bind(project, host, port, public=public)
    click.echo(opened.address)
    if opened.first_link:
        say(f"nobody is admin yet; open this link once to become it: {opened.first_link}")
    say("Ctrl-C stops it")
    serve(opened, project, workers, public=public)
