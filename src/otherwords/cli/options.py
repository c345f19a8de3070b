"""Options that several commands share, so that they mean the same everywhere."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from otherwords.errors import BadRow, UsageError

Command = Callable[..., Any]
MOST_BYTES = 8192  # of a line with a password

# Options of the commands that analyse corpora.
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed of samples and examples."
)
sample_option = click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=12_000,
    show_default=True,
    help="Number of pairs of each corpus that are compared directly.",
)
synonyms_option = click.option("--synonyms", metavar="FILE", help="File of synonym sets, for the patterns.")
device_option = click.option(
    "--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True, help="Where models run."
)
resamples_option = click.option(
    "--resamples",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Resamples for intervals and tests; 0 leaves them out.",
)
resample_seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed of the resamples."
)
simulated_option = click.option(
    "--simulated", is_flag=True, help="Use simulated judgements for labels; every output says so."
)


def reading_options(function: Command) -> Command:
    """Add the options of reading. The command gets them as one dictionary, ``reading``."""

    @click.option("--from", "format", metavar="FORMAT", help="Format of the file; recognised if not given.")
    @click.option("--lang", metavar="LANG", help="Language of texts that have none of their own (en, fi, ja …).")
    @click.option("--columns", metavar="FIELD=COLUMN,…", help="Columns of a table: text1=a,text2=b,label=y.")
    @click.option("--encoding", metavar="NAME", help="Encoding of the file, if it is neither UTF-8 nor marked.")
    @click.option("--sheet", metavar="NAME", help="Sheet of a workbook (.xlsx), if several have rows.")
    @click.option("--scheme", type=click.Choice(["turku", "binary"]), help="Refuse labels outside this scheme.")
    @click.option(
        "--on-error",
        type=click.Choice(["stop", "skip", "quarantine"]),
        default="stop",
        show_default=True,
        help="What to do with a row that cannot be read.",
    )
    @click.option("--quarantine", metavar="FILE", help="File for refused rows, each with file, line and reason.")
    @functools.wraps(function)
    def wrapped(*args: Any, columns: str | None, on_error: str, quarantine: str | None, **others: Any) -> Any:
        if quarantine:
            on_error = "quarantine"
        if on_error == "quarantine" and not quarantine:
            message = "--on-error quarantine needs a file for the refused rows: --quarantine FILE"
            raise UsageError(message, code="no-quarantine-file")
        reading = {"columns": named_columns(columns), "on_error": on_error, "quarantine": quarantine}
        reading |= {name: others.pop(name) for name in ("format", "lang", "encoding", "sheet", "scheme")}
        with naming_on_error():
            return function(*args, reading=reading, **others)

    return wrapped


@contextmanager
def naming_on_error() -> Iterator[None]:
    """Let the message about a row that cannot be read name the option that leaves such rows out."""
    try:
        yield
    except BadRow as problem:
        reason = f"{problem.reason}; --on-error skip leaves such rows out"
        raise BadRow(reason, problem.path, problem.line, code=problem.code) from None


def named_columns(text: str | None) -> dict[str, str]:
    """``text1=a,text2=b`` as a dictionary."""
    columns: dict[str, str] = {}
    for part in text.split(",") if text else []:
        field, equals, column = part.partition("=")
        if not equals or not field.strip() or not column:
            message = f"--columns {text!r}: expected FIELD=COLUMN,… such as text1=a,text2=b"
            raise UsageError(message, code="bad-columns")
        columns[field.strip()] = column
    return columns


def named_judges(text: str | None) -> dict[str, str]:
    """``COLUMN,COLUMN=NAME`` as annotators by column; a column without a name is headed by the annotator's."""
    judges: dict[str, str] = {}
    for part in split_names(text):
        column, _, name = (word.strip() for word in part.rpartition("=")) if "=" in part else (part, "", part)
        if not column or not name:
            raise UsageError(f"--judges {text!r}: expected COLUMN,… or COLUMN=NAME,…", code="bad-judges")
        if column in judges or name in judges.values():
            raise UsageError(f"--judges {text!r}: {part!r} is named twice", code="bad-judges")
        judges[column] = name
    return judges


def named_labels(texts: tuple[str, ...]) -> dict[str, str]:
    """``ja=yes,nein=no`` as a dictionary; a label without a new name means that there is no answer."""
    names: dict[str, str] = {}
    for text in texts:
        for part in text.split(","):
            label, equals, name = (word.strip() for word in part.partition("="))
            if not equals or not label:
                raise UsageError(f"--map {text!r}: expected LABEL=NAME,… such as ja=yes,nein=no", code="bad-map")
            if names.get(label, name) != name:
                raise UsageError(f"--map {text!r}: {label!r} has two names", code="bad-map")
            names[label] = name
    return names


def split_names(text: str | None) -> list[str]:
    """A list with commas as names."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def parse_settings(texts: tuple[str, ...]) -> dict[str, object]:
    """``NAME=VALUE`` options as a dictionary; a value is read as TOML if it can be, else as text."""
    from otherwords.sources.io.toml import parse_toml

    values: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set {text!r}: expected NAME=VALUE", code="bad-setting")
        try:
            values[name.strip()] = parse_toml(f"value = {value}")["value"]
        except ValueError:
            values[name.strip()] = value
    return values


def read_secret_line(noun: str) -> str:
    """A password or a passphrase: the first line of standard input."""
    try:
        return sys.stdin.buffer.readline(MOST_BYTES).decode().rstrip("\r\n")
    except UnicodeDecodeError:
        raise UsageError(f"the {noun} on standard input is not UTF-8", code="not-utf8") from None


def measure_specs(values: tuple[str, ...]) -> list[str]:
    """Measures, or rules, from repeated options or from one list; parameters stay with their measure."""
    specs: list[str] = []
    for value in values:
        if not value.strip(","):
            message = "--measure needs the name of a measure; otherwords measures lists them"
            raise UsageError(message, code="no-measure")
        for part in value.split(","):
            if ":" not in part.partition("=")[0] and "=" in part and specs:  # a value may have a colon: kenlm:news.arpa
                specs[-1] += "," + part
            elif part:
                specs.append(part)
    return list(dict.fromkeys(specs))
