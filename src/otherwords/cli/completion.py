"""``otherwords completion``: a script that completes commands in a shell, and the completions when a shell asks.

A command names what a parameter takes in its metavar: PROJECT, FILE, FORMAT, a measure. This module maps these words to
completions, so that commands need not. Names come from registries and folders; nothing slow is imported for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class
from click.types import StringParamType

Names = Callable[[click.Context], list[str]]
SHELLS = ("bash", "zsh", "fish")
PACKAGE = Path(__file__).parent.parent
LANGUAGES = PACKAGE / "text" / "data" / "languages.tsv"
FOLDERS = {"PROJECT", "DIR", "[DIR]"}
FILES = {"FILE", "FOLDER", "RELEASE", "PAIRS", "PATH", "IN", "OUT", "A", "B", "[B]", "FILE.tar.gz"}


@click.command("completion")
@click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print a script that lets bash, zsh or fish complete commands, options, names and paths.

    Commands and options come from the program itself, and so do the names of formats, measures, tokenisers, schemes
    and recipes.

    \b
      otherwords completion bash > ~/.local/share/bash-completion/completions/otherwords
      otherwords completion zsh > ~/.zfunc/_otherwords
      otherwords completion fish > ~/.config/fish/completions/otherwords.fish
    """
    from otherwords.cli import VARIABLE, cli

    shell_class = get_completion_class(shell)
    assert shell_class is not None, shell
    # Its own source() starts the shell to ask for its version, but a script may be written for another machine.
    script = shell_class(cli, {}, "otherwords", VARIABLE)
    click.echo(script.source_template % script.source_vars())


class CompletedText(StringParamType):
    """A text that is completed by one of some names, by a path, or by either."""

    def __init__(self, names: Names, path: str | None) -> None:
        self.names, self.path = names, path

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        known = [CompletionItem(before + comma + name) for name in self.names(ctx) if name.startswith(last)]
        if self.path and not known:
            return [CompletionItem(incomplete, type=self.path)]
        return known


def completable(command: click.Command) -> click.Command:
    """The same command, with completions for its parameters and those of its subcommands."""
    for parameter in command.params:
        if type(parameter.type) is StringParamType:
            words = set((parameter.metavar or "").rstrip("…").split("|"))
            path = "file" if words & FILES else "dir" if words & FOLDERS else None
            known = (NAMES[word] for word in (*parameter.opts, parameter.metavar or "") if word in NAMES)
            parameter.type = CompletedText(next(known, lambda ctx: []), path)
    for subcommand in command.commands.values() if isinstance(command, click.Group) else ():
        completable(subcommand)
    return command


def _registered(module: str, registry: str, *others: str) -> Names:
    """The names in a registry, which is imported when they are asked for."""
    return lambda ctx: [*others, *getattr(import_module(f"otherwords.{module}"), registry).names()]


def _schemes(ctx: click.Context) -> list[str]:
    """The schemes that ship, and those of the project that the line names."""
    from otherwords.annotate.schemes import scheme_names

    project = ctx.params.get("project") or next(iter(ctx.args), None)  # before an option without its value, in args
    return scheme_names(Path(project) if project else None)


NAMES: dict[str, Names] = {
    "FORMAT": _registered("sources.formats", "FORMATS"),
    "--measure": _registered("measures", "MEASURES", "all"),
    "--by": _registered("measures", "MEASURES"),
    "--rules": _registered("acquire.filters", "RULES"),
    "--tokeniser": _registered("text.tokenise", "TOKENISERS"),
    "--scheme": _schemes,
    "SCHEME": _schemes,
    "--recipe": lambda ctx: sorted(path.stem for path in (PACKAGE / "recipes").glob("*.toml")),
    "--lang": lambda ctx: re.findall(r"^([a-z]{2,3})\t", LANGUAGES.read_text(encoding="utf-8"), re.MULTILINE),
}
