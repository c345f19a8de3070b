"""The command line. Each command is one thin module that calls one library function.

Commands are imported when they are called, and import the library when they run, so that
``otherwords --help`` answers at once.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TextIO

import click

from otherwords import __version__
from otherwords.errors import OtherwordsError

COMMANDS = (
    *("convert", "score", "bins", "profile", "types", "agree", "analyse", "report", "compare", "formats", "measures"),
    *("new", "import", "align", "lines", "run", "status", "trace"),
    *("serve", "batch", "crowd", "adjudicate", "user", "scheme", "guideline", "simulate"),
    *("label", "clusters"),
    *("split", "leaks"),
    *("release", "verify"),
    *("export", "backup", "restore", "withdraw"),
    *("examples", "completion"),
)
VARIABLE = "_OTHERWORDS_COMPLETE"  # in which a shell asks; click's own name for it, so that its scripts work
NEAR = 0.75  # how alike a word and what was meant by it are, as difflib counts it
MODULES = {"import": "importing"}  # a module cannot be called by a word of the language


class _Commands(click.Group):
    """The commands, in the order in which a corpus meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"otherwords.cli.{MODULES.get(cmd_name, cmd_name)}").command
        if ctx.resilient_parsing:  # a shell asks how a word may go on
            from otherwords.cli.completing import completable

            return completable(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            near = " or ".join(repr(one) for one in _near(name, COMMANDS))
            raise click.UsageError(f"No such command {name!r}.{f' Did you mean {near}?' if near else ''}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever read the output has seen enough; click would call it a failure
            _silence(sys.stdout)
            return None


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="otherwords", message="%(prog)s %(version)s")
def cli() -> None:
    """A workbench for paraphrase corpora.

    Data goes to standard output, talk to standard error. Files are read and written by suffix
    (.jsonl .csv .tsv .parquet, also .gz and .zst), - is standard input or output. The exit code is
    0 when done, 1 for a problem with the data, 2 for wrong usage.
    """


def main() -> None:
    """Run a command; a user's mistake ends in one line, never in a traceback."""
    signal.signal(signal.SIGTERM, _terminated)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that has no █ shows something else
    try:
        cli.main(standalone_mode=False, complete_var=VARIABLE)
        sys.stdout.flush()
    except click.exceptions.Abort:
        _end("stopped; nothing was left half-written", 130)
    except click.ClickException as problem:
        _nearer(problem).show()
        sys.exit(problem.exit_code)
    except OtherwordsError as problem:
        _end(" ".join(str(problem).split("\n")), problem.exit_code)
    except OSError as problem:
        _silence(sys.stdout)
        where = f"{problem.filename}: " if problem.filename else ""
        _end(f"{where}{problem.strerror or problem}", 1)
    except MemoryError:
        _end("out of memory; nothing was left half-written", 1)


def _nearer(problem: click.ClickException) -> click.ClickException:
    """The same, where an unknown option is told only of those that are nearly the same word."""
    if not isinstance(problem, click.NoSuchOption):
        return problem
    near = _near(problem.option_name, problem.possibilities or [])
    return click.NoSuchOption(problem.option_name, possibilities=near, ctx=problem.ctx)


def _near(word: str, known: Sequence[str]) -> list[str]:
    from difflib import get_close_matches

    return get_close_matches(word, known, cutoff=NEAR)


def _terminated(number: int, frame: object) -> None:
    """End as after an error, so that what was begun is cleared away."""
    sys.exit(128 + number)


def _silence(stream: TextIO) -> None:
    """Keep Python from failing again when it closes a stream that nobody reads."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _end(message: str, code: int) -> None:
    click.echo(f"otherwords: {message}", err=True)
    sys.exit(code)
