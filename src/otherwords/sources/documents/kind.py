"""A kind of document source: how its files become documents, and which fields it fills."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from otherwords.errors import UsageError
from otherwords.records import Document, Record
from otherwords.registry import suggest
from otherwords.sources.source import Source

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KindOption:
    """An option that a user may set. Its default has the type of its values; None stands for none, of any type."""

    default: Any
    value: str  # what a value looks like, for a table
    meaning: str


FORMAT = KindOption(None, "one of the formats", "the format of the files; recognised if not set")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of source, with what its page of the docs says: how files look, which names are known, what comes out."""

    name: str
    title: str
    read: Callable[[Source, Options], Iterator[Record]]
    fields: Mapping[str, str]
    options: Mapping[str, KindOption] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)  # what files of each must look like
    noun: type[Record] = Document
    columns: Mapping[str, tuple[str, ...]] | None = None  # the fields for --columns, each with its usual column names
    needed: tuple[str, ...] = ()  # those without which a row is refused
    names: str = ""  # how columns and keys are compared with these names
    paths: Mapping[str, str] = field(default_factory=dict)  # what names of files say
    example: str = ""  # a file among the shipped examples

    def checked(self, options: Options) -> Options:
        """All options, with defaults for those not set; an unknown option or a wrong type is an error."""
        for name, value in options.items():
            if name not in self.options:
                message = f"{self.name} has no option {name!r}{suggest(name, list(self.options))}"
                raise UsageError(message, code="no-such-option")
            default = self.options[name].default
            number = isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool)
            if default is not None and not number and type(value) is not type(default):
                message = f"{self.name}: a value like {default!r} is expected for {name}, found {value!r}"
                raise UsageError(message, code="bad-option")
        return {**{name: option.default for name, option in self.options.items()}, **options}

    def check_columns(self, columns: Mapping[str, str]) -> None:
        """Raise an error if the user named a column for a field that the kind does not read."""
        if self.columns is None or not columns:
            return
        if not self.columns:
            raise UsageError(f"--columns goes with tables, and {self.name} are none", code="fixed-columns")
        for name, column in columns.items():
            if name not in self.columns:
                meant = [known for known, others in self.columns.items() if name.lower() in others]
                near = f"; did you mean {' or '.join(meant)}?" if meant else suggest(name, list(self.columns))
                message = f"--columns {name}={column}: {self.name} has no field {name!r}{near}"
                raise UsageError(message, code="no-such-field")


def document_id(kind: str, *parts: str | None) -> str:
    """An id from the content of a document, so that reading it again gives the same id."""
    digest = blake2b(digest_size=10)
    for part in parts:
        digest.update(b"\0" if part is None else part.encode() + b"\1")
    return f"{kind}-{digest.hexdigest()}"
