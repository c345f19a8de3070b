"""``otherwords completion``: the line that teaches a shell our commands."""

from __future__ import annotations

import click

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print a script that lets bash, zsh or fish complete commands, options, names and paths.

    Commands and options come from the program itself, and so do the names of formats, measures, tokenisers, schemes
    and recipes where an option takes one.

    \b
      otherwords completion bash > ~/.local/share/bash-completion/completions/otherwords
      otherwords completion zsh > ~/.zfunc/_otherwords
      otherwords completion fish > ~/.config/fish/completions/otherwords.fish
    """
    from click.shell_completion import get_completion_class

    from otherwords.cli import VARIABLE, cli

    written_by = get_completion_class(shell)
    assert written_by is not None, shell
    # its own source() first starts the shell to ask for its version, but a script may be written for another machine
    script = written_by(cli, {}, "otherwords", VARIABLE)
    click.echo(script.source_template % script.source_vars())
