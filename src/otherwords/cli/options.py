"""Options that several commands share, so that they mean the same everywhere."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

import click

from otherwords.errors import UsageError

Command = Callable[..., Any]

# Of the commands that analyse corpora.
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The seed of every draw."
)
sample_option = click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=12_000,
    show_default=True,
    help="How many pairs of each corpus are compared directly.",
)
synonyms_option = click.option("--synonyms", metavar="FILE", help="A file of synonym sets, for the patterns.")
simulated_option = click.option(
    "--simulated", is_flag=True, help="Let simulated judgements make labels; every output says so."
)


def reading_options(function: Command) -> Command:
    """How a corpus is read. The wrapped command gets them as one dictionary, ``wishes``."""

    @click.option("--from", "format", metavar="FORMAT", help="The format; recognised where it is not named.")
    @click.option("--lang", metavar="LANG", help="The language of texts that do not say theirs (en, fi, ja …).")
    @click.option("--columns", metavar="FIELD=COLUMN,…", help="Where a table's fields are: text1=a,text2=b,label=y.")
    @click.option("--encoding", metavar="NAME", help="The encoding, where it is neither UTF-8 nor marked.")
    @click.option("--scheme", type=click.Choice(["turku", "binary"]), help="Refuse labels outside this scheme.")
    @click.option(
        "--on-error",
        type=click.Choice(["stop", "skip", "quarantine"]),
        default="stop",
        show_default=True,
        help="What to do with a row that cannot be read.",
    )
    @click.option("--quarantine", metavar="FILE", help="Where refused rows go, each with file, line and reason.")
    @functools.wraps(function)
    def wrapped(
        *args: Any,
        format: str | None,
        lang: str | None,
        columns: str | None,
        encoding: str | None,
        scheme: str | None,
        on_error: str,
        quarantine: str | None,
        **others: Any,
    ) -> Any:
        if quarantine:
            on_error = "quarantine"
        if on_error == "quarantine" and not quarantine:
            raise UsageError("--on-error quarantine needs a file for the refused rows: --quarantine FILE")
        wishes = {
            "format": format,
            "lang": lang,
            "columns": named_columns(columns),
            "encoding": encoding,
            "scheme": scheme,
            "on_error": on_error,
            "quarantine": quarantine,
        }
        return function(*args, wishes=wishes, **others)

    return wrapped


def named_columns(text: str | None) -> dict[str, str]:
    """``text1=a,text2=b`` as a dictionary."""
    named: dict[str, str] = {}
    for part in text.split(",") if text else []:
        field, equals, column = part.partition("=")
        if not equals or not field.strip() or not column:
            raise UsageError(f"--columns {text!r}: expected FIELD=COLUMN,… such as text1=a,text2=b")
        named[field.strip()] = column
    return named


def settings(given: tuple[str, ...]) -> dict[str, Any]:
    """``NAME=VALUE`` options as a dictionary; a value is read as TOML where it can be, else as text."""
    from otherwords.sources.toml import parse_toml

    named: dict[str, Any] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set {one!r}: expected NAME=VALUE")
        try:
            named[name.strip()] = parse_toml(f"value = {value}")["value"]
        except ValueError:
            named[name.strip()] = value
    return named


def in_words(settings: dict[str, Any]) -> str:
    """Settings as they are given: ``articles.low=0.6, release.licence=CC-BY-4.0``."""
    return ", ".join(
        f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in settings.items()
    )


def refuse_same(target: str, wishes: dict[str, Any]) -> None:
    """What is refused cannot go into the file that is written."""
    from otherwords.sources.files import same_file

    if same_file(target, wishes["quarantine"]):
        raise UsageError(f"--quarantine {wishes['quarantine']}: that is the file to be written; name another")


def measure_specs(values: tuple[str, ...]) -> list[str]:
    """The measures that were asked for: repeated options or one list, parameters kept with their measure."""
    specs: list[str] = []
    for value in values:
        if not value.strip(","):
            raise UsageError("--measure needs the name of a measure; otherwords measures lists them")
        for part in value.split(","):
            if "=" in part and ":" not in part and specs:
                specs[-1] += "," + part
            elif part:
                specs.append(part)
    return list(dict.fromkeys(specs))
