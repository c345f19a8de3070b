"""How a word on the command line may go on, when a shell asks.

A command says with the metavar of a parameter what it takes: PROJECT, FILE, FORMAT, a measure. Here each of these words
has its answer, so that commands need not repeat it. Names come from registries and folders, and nothing that takes long
is imported for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

Names = Callable[[click.Context], list[str]]
PACKAGE = Path(__file__).parent.parent
FOLDERS = {"PROJECT", "DIR", "[DIR]"}
FILES = {"FILE", "FOLDER", "RELEASE", "PAIRS", "PATH", "IN", "OUT", "A", "B", "[B]", "FILE.tar.gz"}


class Completed(StringParamType):
    """A text whose parameter can tell how it goes on: with one of some names, with a path, or with either."""

    def __init__(self, names: Names, path: str | None) -> None:
        self.names, self.path = names, path

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        known = [CompletionItem(before + comma + name) for name in self.names(ctx) if name.startswith(last)]
        if self.path and not known:
            return [CompletionItem(incomplete, type=self.path)]
        return known


def completable(command: click.Command) -> click.Command:
    """The same command, able to answer a shell; also those under it."""
    for parameter in command.params:
        if type(parameter.type) is StringParamType:
            parameter.type = _kind(parameter)
    for under in command.commands.values() if isinstance(command, click.Group) else ():
        completable(under)
    return command


def _kind(parameter: click.Parameter) -> Completed:
    words = set((parameter.metavar or "").rstrip("…").split("|"))
    path = "file" if words & FILES else "dir" if words & FOLDERS else None
    return Completed(_names(parameter), path)


def _names(parameter: click.Parameter) -> Names:
    """What is known by name of what this parameter takes: by its option, or by its metavar."""
    for word in (*parameter.opts, parameter.metavar or ""):
        if word in NAMES:
            return NAMES[word]
    return lambda ctx: []


def _formats(ctx: click.Context) -> list[str]:
    from otherwords.sources.formats import FORMATS

    return FORMATS.names()


def _measures(ctx: click.Context) -> list[str]:
    from otherwords.measures import MEASURES

    return ["all", *MEASURES.names()]


def _tokenisers(ctx: click.Context) -> list[str]:
    from otherwords.text.tokenise import TOKENISERS

    return TOKENISERS.names()


def _schemes(ctx: click.Context) -> list[str]:
    """Those that ship, and those of the project that stands on the line already."""
    from otherwords.annotate.schemes import names

    project = ctx.params.get("project") or next(iter(ctx.args), None)  # before an option without its value, in args
    return names(Path(project) if project else None)


def _recipes(ctx: click.Context) -> list[str]:
    return sorted(path.stem for path in (PACKAGE / "recipes").glob("*.toml"))


def _languages(ctx: click.Context) -> list[str]:
    table = (PACKAGE / "text" / "data" / "languages.tsv").read_text(encoding="utf-8")
    return re.findall(r"^([a-z]{2,3})\t", table, re.MULTILINE)


NAMES: dict[str, Names] = {
    "FORMAT": _formats,
    "--measure": _measures,
    "--tokeniser": _tokenisers,
    "--scheme": _schemes,
    "SCHEME": _schemes,
    "--recipe": _recipes,
    "--lang": _languages,
}
