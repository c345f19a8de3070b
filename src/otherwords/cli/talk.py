"""What a command says while it works and when it is done: to standard error, and bars only to a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import Console

    from otherwords.project.recipe import Step
    from otherwords.project.run import Plan
    from otherwords.project.work import Progress as Done
    from otherwords.project.work import Result
    from otherwords.sources.reading import Reading
    from otherwords.sources.source import Source

    Watch = Callable[[Step], Done]
    Tell = Callable[[Plan, Result | None], dict[str, Any]]

T = TypeVar("T")
ROWS_BETWEEN_LOOKS = 2000


def say(message: str) -> None:
    """A line of talk."""
    click.echo(message, err=True)


def watched(rows: Iterable[T], reading: Reading, title: str) -> Iterator[T]:
    """The same rows, with a bar that shows how far the file is read, the rate and the time left."""
    if not sys.stderr.isatty():
        yield from rows
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[rows]:,} pairs"))
    rate = TextColumn("{task.fields[rate]:,.0f}/s")
    with Progress(*columns, rate, TimeRemainingColumn(), console=_console(), transient=True) as progress:
        task = progress.add_task(title, total=1.0, rows=0, rate=0.0)
        for number, row in enumerate(rows, 1):
            if number % ROWS_BETWEEN_LOOKS == 0:
                elapsed = progress.tasks[0].elapsed or 0.0
                rate_now = number / elapsed if elapsed else 0.0
                progress.update(task, completed=reading.source.fraction(), rows=number, rate=rate_now)
            yield row


def counted(records: Iterable[T], source: Source) -> Iterator[T]:
    """The same records, with a bar that shows how far a file is read and how many records came of it."""
    if not sys.stderr.isatty():
        yield from records
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[rows]:,} records"))
    with Progress(*columns, TimeElapsedColumn(), console=_console(), transient=True) as progress:
        task = progress.add_task(source.name, total=1.0, rows=0)
        for number, record in enumerate(records, 1):
            if number % 100 == 0:
                progress.update(task, completed=source.fraction(), rows=number)
            yield record


@contextlib.contextmanager
def looking(title: str) -> Iterator[Callable[[int], None]]:
    """A bar that shows how many pairs were looked at, and the rate, where nobody knows how many there are."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,.0f} pairs"))
    rate = TextColumn("{task.fields[rate]:,.0f}/s")
    with Progress(
        *columns, rate, TimeElapsedColumn(), console=_console(), transient=True, disable=not sys.stderr.isatty()
    ) as progress:
        task = progress.add_task(title, total=None, rate=0.0)

        def looked_at(done: int) -> None:
            elapsed = progress.tasks[0].elapsed or 0.0
            progress.update(task, completed=done, rate=done / elapsed if elapsed else 0.0)

        yield looked_at


@contextlib.contextmanager
def stepping() -> Iterator[tuple[Watch, Tell]]:
    """A bar per step while steps run, and a line about each when it is done."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_console(), transient=True, disable=not sys.stderr.isatty()) as progress:

        def watch(step: Step) -> Done:
            task = progress.add_task(step.name, total=None)
            return lambda done, total: progress.update(task, completed=done, total=total)

        def tell(planned: Plan, result: Result | None) -> dict[str, Any]:
            name = planned.step.name
            if result is None:
                state = "skipped" if planned.state == "skipped" else "done before"
                say(f"{name}: {'skipped' if state == 'skipped' else 'up to date'} ({planned.why})")
                return {"step": name, "state": state, "key": planned.key}
            if result.waiting is not None:
                say(f"{name}: waiting for people: {result.waiting.what}\n  {result.waiting.then}")
                return {"step": name, "state": "waiting", "what": result.waiting.what, "then": result.waiting.then}
            say(f"{name}: {result.rows_in:,} in, {result.rows_out:,} out{_counts(result.counts)}")
            told = {"rows_in": result.rows_in, "rows_out": result.rows_out, "counts": result.counts}
            return {"step": name, "state": "done", "key": planned.key, **told}

        yield watch, tell


def _counts(counts: dict[str, Any]) -> str:
    plain = {**counts, **counts.get("dropped", {})} if isinstance(counts.get("dropped"), dict) else counts
    told = [f"{name}: {value:,}" for name, value in plain.items() if isinstance(value, int)]
    return f" ({'; '.join(told)})" if told else ""


def _console() -> Console:
    from rich.console import Console

    return Console(stderr=True)


def account_lines(reading: Reading) -> Iterator[str]:
    """What a reading took, marked and refused, as sentences."""
    account = reading.account
    noun = "row" if account.rows == 1 else "rows"
    yield f"{reading.source.name}: {account.rows:,} {noun} read as {reading.format.name}"
    for reason, count in account.marked.most_common():
        yield f"  noted: {count:,} × {reason}"
    for reason, count in account.skipped.most_common():
        yield f"  refused: {count:,} × {reason}"


def print_table(table: object) -> None:
    """A table on standard output, as wide as it needs to be where that is not a terminal.

    What stands in brackets or between colons is text of the corpus, not markup.
    """
    from rich.console import Console

    width = None if sys.stdout.isatty() else 200
    Console(highlight=False, markup=False, emoji=False, width=width).print(table)
