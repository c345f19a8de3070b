"""Messages and progress of commands: to standard error, and bars only on a terminal."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

import click

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import ProgressColumn, TaskID
    from rich.table import Table

    from otherwords.api.projects import StepRun
    from otherwords.engine import Progress
    from otherwords.project.pipeline.kind import Step
    from otherwords.sources.reading import RecordReader
    from otherwords.sources.source import Source

T = TypeVar("T")
ROWS_BETWEEN_UPDATES = 2000
MOST_NAMED = 10  # of a list of things that a step gave


def say(message: str) -> None:
    """Write a line to standard error."""
    click.echo(message, err=True)


def print_json(value: object) -> None:
    """Write a value as indented JSON to standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


class ReadingBar:
    """A bar that shows how far a file is read, the rate and the time left; afterwards, what was read."""

    reading: RecordReader | None = None

    def __call__(self, records: Iterable[T], reading: RecordReader, title: str, /) -> Iterator[T]:
        self.reading = reading
        return self._with_bar(records, reading, title) if sys.stderr.isatty() else iter(records)

    def _with_bar(self, records: Iterable[T], reading: RecordReader, title: str) -> Iterator[T]:
        from rich.progress import TimeRemainingColumn

        counts = ("{task.fields[rows]:,} pairs", "{task.fields[rate]:,.0f}/s")
        with progress_bars(*counts, TimeRemainingColumn()) as progress:
            task = progress.add_task(title, total=1.0, rows=0, rate=0.0)
            shown = 0
            for record in records:  # or a block of them
                if (rows := reading.account.rows) >= shown + ROWS_BETWEEN_UPDATES:
                    elapsed = progress.tasks[0].elapsed or 0.0
                    rate_now = rows / elapsed if elapsed else 0.0
                    progress.update(task, completed=reading.source.fraction(), rows=rows, rate=rate_now)
                    shown = rows
                yield record

    def say_counts(self) -> None:
        """Say how many rows were read, noted and refused."""
        if self.reading is None:
            return
        log = self.reading.account
        noun = "row" if log.rows == 1 else "rows"
        say(f"{self.reading.source.name}: {log.rows:,} {noun} read as {self.reading.format.name}")
        for reason, count in log.marked.most_common():
            say(f"  noted: {count:,} × {reason}")
        for reason, count in log.skipped.most_common():
            say(f"  refused: {count:,} × {reason}")


def import_bar(records: Iterable[T], source: Source) -> Iterator[T]:
    """The same records, with a bar that shows how far a file is read and how many records it gave."""
    if not sys.stderr.isatty():
        yield from records
        return
    from rich.progress import TimeElapsedColumn

    with progress_bars("{task.fields[rows]:,} records", TimeElapsedColumn()) as progress:
        task = progress.add_task(source.name, total=1.0, rows=0)
        for number, record in enumerate(records, 1):
            if number % 100 == 0:
                progress.update(task, completed=source.fraction(), rows=number)
            yield record


@contextlib.contextmanager
def pair_bar(title: str) -> Iterator[Callable[[int], None]]:
    """A bar that shows how many pairs are done, and the rate, where nobody knows how many there are."""
    from rich.progress import TimeElapsedColumn

    counts = ("{task.completed:,.0f} pairs", "{task.fields[rate]:,.0f}/s")
    with progress_bars(*counts, TimeElapsedColumn()) as progress:
        task = progress.add_task(title, total=None, rate=0.0)

        def update(done: int) -> None:
            elapsed = progress.tasks[0].elapsed or 0.0
            progress.update(task, completed=done, rate=done / elapsed if elapsed else 0.0)

        yield update


@dataclass(frozen=True, slots=True)
class StepBars:
    """A bar for each step while it runs, and a line about it when it is done."""

    bars: Bars

    def note(self, message: str) -> None:
        say(message)

    def begin(self, step: Step) -> Progress:
        task = self.bars.add_task(step.name, total=None)
        return lambda done, total: self.bars.update(task, completed=done, total=total)

    def end(self, run: StepRun) -> None:
        name, result = run.plan.step.name, run.result
        if result is None:
            say(f"{name}: {'skipped' if run.state == 'skipped' else 'up to date'} ({run.plan.why})")
        elif result.waiting is not None:
            task = getattr(run.plan.step.parameters, "task", None) if run.plan.step.kind.name == "people" else "choose"
            awaited = {"adjudicate": "decisions", "choose": "a decision"}.get(task or "", "people")
            say(f"{name}: waiting for {awaited}: {result.waiting.what}\n  {result.waiting.way_on(name)}")
        else:
            dropped = result.counts.get("dropped")
            counts = result.counts | dropped if isinstance(dropped, dict) else result.counts
            parts = [
                count_name if count is True else f"{count_name}: {count:,}"
                for count_name, count in counts.items()
                if isinstance(count, int)
            ]
            listed = f" ({'; '.join(parts)})" if parts else ""
            say(f"{name}: {result.rows_in:,} in, {result.rows_out:,} out{listed}")
            for title, names in result.counts.items():
                if isinstance(names, list) and all(isinstance(name, str) for name in names):
                    others = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
                    say(f"  {title}: {', '.join(names[:MOST_NAMED])}{others}")


@contextlib.contextmanager
def step_bars() -> Iterator[StepBars]:
    """Progress of the steps of a recipe."""
    from rich.progress import MofNCompleteColumn, TimeRemainingColumn

    with progress_bars(MofNCompleteColumn(), TimeRemainingColumn()) as bars:
        yield StepBars(bars)


@contextlib.contextmanager
def stage_bars(*columns: str | ProgressColumn) -> Iterator[Callable[[str, int, int | None], None]]:
    """A bar for every stage that reports how far it is, with the count done and these columns."""
    with progress_bars("{task.completed:,.0f}", *columns) as bars:
        stages: dict[str, TaskID] = {}

        def update(stage: str, done: int, total: int | None) -> None:
            if stage not in stages:
                stages[stage] = bars.add_task(stage, total=None)
            bars.update(stages[stage], completed=done, total=total)

        yield update


def progress_bars(*columns: str | ProgressColumn) -> Bars:
    """Bars with a title and these columns, a text being a format of a task; they are drawn only on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    after = [TextColumn(column) if isinstance(column, str) else column for column in columns]
    terminal, console = sys.stderr.isatty(), Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"), BarColumn(), *after, console=console, transient=True, disable=not terminal
    )


@contextlib.contextmanager
def training_bar(title: str) -> Iterator[Progress]:
    """A bar with the time that is left, which is shown once something is done."""
    from rich.progress import TimeRemainingColumn

    with progress_bars("{task.completed:,.0f} of {task.total:,.0f}", TimeRemainingColumn()) as bars:
        task = bars.add_task(title, total=1, visible=False)
        yield lambda done, total: bars.update(task, completed=done, total=total, visible=True)


def number_table(*columns: str, names: int = 1, texts: int = 0, title: str | None = None) -> Table:
    """A table without lines; after the first columns, which hold names, and before the last texts are numbers."""
    from rich.table import Table

    table = Table(*columns, title=title, title_justify="left", box=None)
    for column in table.columns[names : len(columns) - texts]:
        column.justify = "right"
    return table


def print_table(table: object) -> None:
    """Print a table, as wide as it needs to be where standard output is not a terminal.

    Brackets and colons are text of the corpus, not markup.
    """
    from rich.console import Console

    width = None if sys.stdout.isatty() else 200
    Console(highlight=False, markup=False, emoji=False, width=width).print(table)


def print_link(url: str, address: str | None) -> None:
    """Print a link, with a remark unless an address was chosen: people may reach the site at another one."""
    click.echo(url)
    if address is None:
        assumed = urlsplit(url)._replace(query="", fragment="")
        site = assumed._replace(path=assumed.path.rsplit("/", 2)[0]).geturl()
        say(f"the link is for a site at {site}; if people reach it at another address, add --address URL")
