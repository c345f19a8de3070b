"""The command line. Each command is a thin function that parses options, calls one public function and prints.

Commands are imported when they are called, and import the library when they run, so that
``otherwords --help`` answers at once.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from importlib import import_module
from typing import TextIO

import click

from otherwords import __version__
from otherwords.errors import OtherwordsError

HEADINGS = {  # the commands under the headings of --help, in the order in which a corpus needs them
    "Any corpus": {
        "convert": "Convert a corpus from one format to another.",
        "score": "Add a score per measure to every pair.",
        "bins": "Count pairs by the range of a measure and by label.",
        "profile": "Count pairs, labels, texts and tokens, and find problems.",
        "types": "Count the types of paraphrase.",
        "agree": "Measure how far people agree.",
        "analyse": "Compute the tables and figures of papers.",
        "report": "Write a page with everything about a corpus.",
        "compare": "Write a page that compares several corpora.",
        "reproduce": "Recompute a paper's tables from its released data.",
        "leaks": "Find what two corpora, or the parts of one, have in common.",
        "clusters": "Find clusters of texts that are paraphrases of each other.",
        "formats": "List the formats that can be read and written.",
        "measures": "List the measures and their parameters.",
    },
    "A project": {
        "new": "Make a new project.",
        "import": "Import texts, pairs or judgements.",
        "align": "Pair the documents of a project.",
        "lines": "Align two files line by line.",
        "plan": "Plan the documents, people, hours and weeks of a corpus.",
        "run": "Run the steps of a recipe that are missing or stale.",
        "status": "Show what is in a project, what is running and what is stale.",
        "trace": "Follow a pair back to its file and offsets.",
        "export": "Write everything as JSON Lines.",
        "backup": "Back up a project into one archive.",
        "restore": "Restore a backup.",
        "withdraw": "Erase a document, a pair or an annotator's name for good.",
        "leave-out": "Leave pairs out of the corpus, and take them back.",
        "demo": "Build corpora from example texts, and try the site on the way.",
        "examples": "Copy example corpora and source texts into a folder.",
        "completion": "Print a script for completion in bash, zsh or fish.",
    },
    "Candidates": {
        "acquire": "Make candidate pairs from sentences.",
        "filter": "Reject candidate pairs by rules, each with a reason.",
        "sample": "Draw the same number of pairs from each range of a measure.",
    },
    "People": {
        "serve": "Serve the annotation site.",
        "user": "Manage accounts and invitations.",
        "batch": "Make batches of pairs to judge, and see how far they are.",
        "crowd": "Manage the work of a crowd.",
        "adjudicate": "List what annotators disagree about.",
        "scheme": "List, show and check annotation schemes.",
        "guideline": "Show and publish the guidelines of a scheme.",
        "webhooks": "Tell another program what happens in a project.",
        "simulate": "Let simulated annotators do the work that waits for people.",
    },
    "Corpus and release": {
        "label": "Decide the label of every pair from its judgements.",
        "split": "Split a corpus into train, dev and test.",
        "release": "Make a release with card, licence and checksums.",
        "verify": "Check a release against its checksums and its project.",
        "grow": "Make the next version of a set that a model extends.",
        "publish": "Publish a release on the Hugging Face Hub or on Zenodo.",
    },
    "Models": {
        "models": "List the models, and how to install those that are missing.",
        "judge": "Have a model judge the pairs of a batch, beside people.",
        "train": "Train models on labelled pairs.",
        "evaluate": "Evaluate trained models on tests.",
        "predict": "Write every pair with what a trained classifier says.",
        "errors": "Count the mistakes of a classifier by what the pairs are like.",
        "denoise": "Find training labels that a model doubts.",
        "generate": "Write paraphrases of sentences.",
    },
    "Mining": {
        "mine": "Mine pools of sentences for candidate pairs.",
    },
}
COMMANDS = tuple(name for commands in HEADINGS.values() for name in commands)
VARIABLE = "_OTHERWORDS_COMPLETE"  # in which a shell asks; click's own name for it, so that its scripts work
SHARED = {  # modules with several commands, each by its name; any other is called command, in a module of its name
    "models": ("models", "judge"),
    "corpora": ("convert", "score", "bins", "profile", "formats", "measures"),
    "report": ("report", "compare", "reproduce", "plan"),
    "projects": ("new", "status", "trace", "demo", "examples"),
    "align": ("align", "lines"),
    "candidates": ("acquire",),
    "filtering": ("filter", "sample"),
    "backup": ("export", "backup", "restore"),
    "withdraw": ("withdraw", "leave-out"),
    "people.site": ("serve", "adjudicate", "simulate", "webhooks"),
    "release": ("release", "verify", "grow", "publish"),
    "learning": ("predict", "errors", "denoise"),
}
MODULES = {name: module for module, names in SHARED.items() for name in names}
MODULES |= {name: f"people.{name}" for name in ("user", "batch", "crowd", "scheme", "guideline")}
MODULES["mine"] = "mining.mine"
MODULES["generate"] = "generation.generate"
MODULES["import"] = "importing"  # a module cannot have the name of a keyword


class _Commands(click.Group):
    """The commands under their headings."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for heading, commands in HEADINGS.items():
            if commands:
                formatter.write(f"\n{heading}:\n")
            for name, summary in commands.items():
                formatter.write(f"  {name:<{width}}  {summary}\n")

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = MODULES.get(cmd_name, cmd_name)
        variable = cmd_name.replace("-", "_") if module in SHARED else "command"
        command: click.Command = getattr(import_module(f"otherwords.cli.{module}"), variable)
        if ctx.resilient_parsing:  # a shell asks for completions
            from otherwords.cli.completion import completable

            return completable(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from otherwords.registry import nearest

            near = " or ".join(map(repr, nearest(name, COMMANDS)))
            ctx.fail(f"No such command {name!r}.{f' Did you mean {near}?' if near else ''}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # the reader of the output has closed it; click would report a failure
            _silence(sys.stdout)
            return None


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="otherwords", message="%(prog)s %(version)s")
def cli() -> None:
    """A workbench for paraphrase corpora. Data goes to standard output, messages to standard error; - names a
    standard stream. Exit codes: 0 done, 1 a problem with the data, 2 wrong usage.
    """


def main() -> None:
    """Run a command; a user's mistake ends in a one-line message, never in a traceback."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # unfinished output is removed
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # for terminals without █
    try:
        cli.main(standalone_mode=False, complete_var=VARIABLE)
        sys.stdout.flush()
    except click.exceptions.Abort:
        _exit("stopped; nothing was left half-written", 130)
    except click.ClickException as problem:
        _with_similar_options(problem).show()
        sys.exit(problem.exit_code)
    except OtherwordsError as problem:
        _exit(f"{' '.join(str(problem).splitlines())} [{problem.code}]", problem.exit_code)
    except OSError as problem:
        _silence(sys.stdout)
        where = f"{problem.filename}: " if problem.filename else ""
        _exit(f"{where}{problem.strerror or problem}", 1)
    except MemoryError:
        _exit("out of memory; nothing was left half-written", 1)


def _with_similar_options(problem: click.ClickException) -> click.ClickException:
    """The same error; for an unknown option, only those with a similar name are proposed."""
    if not isinstance(problem, click.NoSuchOption):
        return problem
    from otherwords.registry import nearest

    options = {option.lstrip("-"): option for option in problem.possibilities or []}  # all have hyphens in common
    near = [options[name] for name in nearest(problem.option_name.lstrip("-"), options)]
    return click.NoSuchOption(problem.option_name, possibilities=near, ctx=problem.ctx)


def _silence(stream: TextIO) -> None:
    """Keep Python from failing again when it closes a stream without a reader."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _exit(message: str, code: int) -> None:
    click.echo(f"otherwords: {message}", err=True)
    sys.exit(code)
