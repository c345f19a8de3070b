"""The command line. Each command is one thin module that calls one library function.

Commands are imported when they are called, and import the library when they run, so that
``otherwords --help`` answers at once.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from otherwords import __version__
from otherwords.errors import OtherwordsError

COMMANDS = ("convert", "score", "bins", "profile", "formats", "measures")


class _Commands(click.Group):
    """The commands, in the order in which a corpus meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"otherwords.cli.{cmd_name}").command
        return command


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
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        _end("stopped; nothing was left half-written", 130)
    except click.ClickException as problem:
        problem.show()
        sys.exit(problem.exit_code)
    except OtherwordsError as problem:
        _end(" ".join(str(problem).split("\n")), problem.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except MemoryError:
        _end("out of memory; nothing was left half-written", 1)


def _end(message: str, code: int) -> None:
    click.echo(f"otherwords: {message}", err=True)
    sys.exit(code)
